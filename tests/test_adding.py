"""Follow docs/reference/adding.md: add a backend, an encoding, a family, a format and a constraint as documented.

Each is added to a copy of its layer, and the changed files and lines are counted: a backend or a format is one file and
one line, an encoding one function and one line, a family and a constraint one file. The first three are also installed
as packages of their own, without a change here.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
DOCUMENT = (ROOT / "docs/reference/adding.md").read_text()


def sources(folder: Path) -> dict[str, str]:
    return {str(p.relative_to(folder)): p.read_text() for p in folder.rglob("*.py")}


@pytest.fixture
def checkout(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """Folder with a copy of some layers; the others are imported from this checkout (compiled kernels)."""
    for layer in request.param.split():
        shutil.copytree(ROOT / layer, tmp_path / layer)  # with the compiled modules
    return tmp_path


def run(checkout: Path, *words: str) -> str:
    """Run Python in the copied checkout and return its output."""
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    command = [sys.executable, *words]
    done = subprocess.run(command, cwd=checkout, env=environment, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def changed_files(checkout: Path, before: dict[str, str]) -> dict[str, int]:
    """Return the new and changed files, with the number of lines each gained."""
    after = sources(checkout)
    return {
        name: len(text.splitlines()) - len(before.get(name, "").splitlines())
        for name, text in after.items()
        if text != before.get(name)
    }


def harness(checkout: Path, *arguments: str) -> str:
    return run(checkout, "-m", "harness", *arguments)


def insert(path: Path, after: str, line: str) -> None:
    """Insert a line after the first that contains `after`."""
    lines = path.read_text().splitlines(keepends=True)
    place = next(i for i, text in enumerate(lines) if after in text)
    path.write_text("".join([*lines[: place + 1], line + "\n", *lines[place + 1 :]]))


def append(path: Path, table: str, line: str) -> None:
    """Append a line to the table that begins with a line."""
    before, begin, rest = path.read_text().partition(table)
    assert begin
    path.write_text(before + begin + rest.replace("\n}\n", f"\n{line}\n}}\n", 1))


@pytest.mark.parametrize("checkout", ["backends"], indirect=True)
def test_a_backend_is_one_file_and_one_line(checkout: Path) -> None:
    before = sources(checkout)
    (code,) = re.findall(r"```python\n# backends/brute\.py\n(.*?)```", DOCUMENT, re.DOTALL)
    (line,) = re.findall(r'^    ("brute": .*)$', DOCUMENT, re.MULTILINE)
    (checkout / "backends" / "brute.py").write_text(code)
    insert(checkout / "backends" / "contract" / "registry.py", "BUILT_IN = {", f"    {line}")
    assert changed_files(checkout, before) == {
        "backends/brute.py": len(code.splitlines()),
        "backends/contract/registry.py": 1,
    }
    (checkout / "small.txt").write_text("#: sudoku 2x2, count 1\n1...\n..2.\n.3..\n...4\n")
    harness(checkout, "run", "small.txt", "-b", "brute", "-b", "native:python", "--count", "2")
    script = (
        "from backends import brute; from backends.contract import conformance; print(conformance.check(brute.Brute()))"
    )
    assert run(checkout, "-c", script) == "[]\n"


WCNF = "h 1 2 0\n3 -1 0\n2 -2 0\n4 1 -2 0\n"


@pytest.mark.slow
@pytest.mark.parametrize("checkout", ["backends"], indirect=True)
def test_an_optimiser_is_one_file_and_one_line(checkout: Path) -> None:
    before = sources(checkout)
    (line,) = re.findall(r'^    ("least": .*)$', DOCUMENT, re.MULTILINE)
    (checkout / "backends" / "least.py").write_text(code("backends/least.py"))
    insert(checkout / "backends" / "contract" / "registry.py", "BUILT_IN = {", f"    {line}")
    assert set(changed_files(checkout, before)) == {"backends/least.py", "backends/contract/registry.py"}
    (checkout / "small.wcnf").write_text(WCNF)
    (command,) = re.findall(r"`python -m harness (run small\.wcnf .*)`", DOCUMENT)
    assert "1 of 1 optimum confirmed" in harness(checkout, *shlex.split(command))
    script = (
        "from backends import least; from backends.contract import conformance; print(conformance.check(least.Least()))"
    )
    assert run(checkout, "-c", script) == "[]\n"


@pytest.mark.slow
@pytest.mark.parametrize("checkout", ["encoders"], indirect=True)
def test_an_encoding_is_one_function_and_one_line(checkout: Path) -> None:
    before = sources(checkout)
    path = checkout / "encoders" / "cnf.py"
    (code,) = re.findall(r"```python\n# encoders/cnf\.py\n(.*?)```", DOCUMENT, re.DOTALL)
    (line,) = re.findall(r"^    (Encoding\(.*)$", DOCUMENT, re.MULTILINE)
    path.write_text(f"{path.read_text()}\n\n{code}")
    insert(checkout / "encoders" / "registry.py", "for e in (", f"        {line}")
    assert changed_files(checkout, before) == {"encoders/cnf.py": 2 + len(code.splitlines()), "encoders/registry.py": 1}
    out = harness(
        checkout, "run", "hardest", "-n", "2", "-b", "pysat:minisat22/lean+product", "-b", "pysat:minisat22/lean"
    )
    assert "pysat:minisat22/lean+product" in out
    script = (
        "from backends.contract import conformance, registry as r"
        "; print(conformance.check(r.find('pysat'), 'lean+product'))"
    )
    assert run(checkout, "-c", script) == "[]\n"


@pytest.mark.slow
@pytest.mark.parametrize("checkout", ["puzzles"], indirect=True)
def test_a_family_is_one_file(checkout: Path) -> None:
    before = sources(checkout)
    (code,) = re.findall(r"```python\n# puzzles/boards/families/diagonal\.py\n(.*?)```", DOCUMENT, re.DOTALL)
    (checkout / "puzzles" / "boards" / "families" / "diagonal.py").write_text(code)
    assert changed_files(checkout, before) == {"puzzles/boards/families/diagonal.py": len(code.splitlines())}
    (board,) = re.findall(r"^    (#: diagonal .*(?:\n    .*)*)", DOCUMENT, re.MULTILINE)
    (checkout / "small.txt").write_text(board.replace("    ", "") + "\n")
    (command,) = re.findall(r"^    python -m harness (run small\.txt .*)$", DOCUMENT, re.MULTILINE)
    out = harness(checkout, *shlex.split(command))
    assert "diagonal 5" in out
    assert "agreement: 1 of 1 puzzle | 16 of 16 solutions verified" in out
    assert "agreement: 1 of 1 puzzle" in harness(checkout, *shlex.split(command), "--scramble", "-r", "2")


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """Folder of installed packages, in a folder that has no copy of ours."""
    (tmp_path / "site").mkdir()
    return tmp_path / "site"


def install(site: Path, group: str, module: str) -> None:
    """Install the document's module of that name with its entry point."""
    (code,) = re.findall(rf"```python\n# (?:\w+/)*{module}\.py\n(.*?)```", DOCUMENT, re.DOTALL)
    (entry,) = re.findall(
        rf'^    \[project\.entry-points\."crosscheck\.{group}"\]\n    ({module}) = "(.*)"$', DOCUMENT, re.MULTILINE
    )
    (site / f"{module}.py").write_text(code)
    facts = site / f"{module}-1.0.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module}\nVersion: 1.0\n")
    (facts / "entry_points.txt").write_text(f"[crosscheck.{group}]\n{' = '.join(entry)}\n")


def with_site(site: Path, *arguments: str) -> str:
    """Run the command line with the packages of a folder installed."""
    path = os.pathsep.join([str(ROOT), str(site)])
    environment = os.environ | {"PYTHONPATH": path}
    command = [sys.executable, "-m", "harness", *arguments]
    done = subprocess.run(command, cwd=site.parent, env=environment, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.slow
def test_a_backend_can_be_a_package_of_its_own(site: Path) -> None:
    install(site, "backends", "brute")
    (site.parent / "small.txt").write_text("#: sudoku 2x2, count 1\n1...\n..2.\n.3..\n...4\n")
    assert "agreement: 1 of 1 puzzle" in with_site(
        site, "run", "small.txt", "-b", "brute", "-b", "native:python", "--count", "2"
    )


@pytest.mark.slow
def test_an_optimiser_can_be_a_package_of_its_own(site: Path) -> None:
    install(site, "backends", "least")
    (site.parent / "small.wcnf").write_text(WCNF)
    assert "1 of 1 optimum confirmed" in with_site(site, "run", "small.wcnf", "-b", "least", "-b", "cpsat")


@pytest.mark.slow
def test_an_encoding_can_be_a_package_of_its_own(site: Path) -> None:
    install(site, "encodings", "lean")
    out = with_site(
        site,
        "run",
        "unsolvable",
        "hardest",
        "-n",
        "1",
        "-b",
        "pysat:cadical195/lean+product",
        "-b",
        "native:python",
        "--proof",
        "--count",
        "2",
    )
    assert "pysat:cadical195/lean+product" in out
    assert "agreement: 2 of 2 puzzles" in out
    assert "lean+product" in with_site(site, "list", "--encodings")
    assert with_site(site, "encode", "hardest", "--encoding", "lean").count(" 0\n") > 1000


@pytest.mark.slow
def test_a_family_can_be_a_package_of_its_own(site: Path) -> None:
    install(site, "families", "diagonal")
    (board,) = re.findall(r"^    (#: diagonal .*(?:\n    .*)*)", DOCUMENT, re.MULTILINE)
    (site.parent / "small.txt").write_text(board.replace("    ", "") + "\n")
    (command,) = re.findall(r"^    python -m harness (run small\.txt .*)$", DOCUMENT, re.MULTILINE)
    out = with_site(site, *shlex.split(command), "--scramble", "-r", "2")
    assert "diagonal 5" in out
    assert "agreement: 1 of 1 puzzle" in out
    assert "1 2 3 4 5\n. . . . .\n" in with_site(site, "show", "small.txt")
    assert "diagonal ORDER" in with_site(site, "list", "--families")


CHAIN = """
from encoders.formula import Unsupported
from encoders.registry import spec
from puzzles.problem.check import violations
from puzzles.constraints.ascending import Ascending
from puzzles.problem.values import Integers
from puzzles.problem import Problem
from puzzles.problem.dumped import dump
from puzzles.stored import load

problem = load(dump(Problem("chain", ("a", "b", "c"), Integers((-5, 0, 7)), (Ascending(((0, 1), (1, 2))),))))
print(violations(problem, problem.open, (0, 1, 2)), violations(problem, problem.open, (0, 2, 2)))
try:
    spec("extended").formula(problem)
except Unsupported as e:
    print(e)
"""


@pytest.mark.parametrize("checkout", ["puzzles"], indirect=True)
def test_a_kind_of_constraint_is_one_file(checkout: Path) -> None:
    before = sources(checkout)
    (code,) = re.findall(r"```python\n# puzzles/constraints/ascending\.py\n(.*?)```", DOCUMENT, re.DOTALL)
    (checkout / "puzzles" / "constraints" / "ascending.py").write_text(code)
    assert changed_files(checkout, before) == {"puzzles/constraints/ascending.py": len(code.splitlines())}
    assert run(checkout, "-c", CHAIN).splitlines() == [
        "[] ['b is not below c']",
        "ascending constraints have no encoding as clauses",
    ]


def code(name: str) -> str:
    """Return the module of that name in the document."""
    (found,) = re.findall(rf"```python\n# {re.escape(name)}\n(.*?)```", DOCUMENT, re.DOTALL)
    return str(found)


def add_import(path: Path, line: str) -> None:
    """Add an import before the first one of this project."""
    lines = path.read_text().splitlines(keepends=True)
    first = next(
        i for i, text in enumerate(lines) if text.startswith(("from backends", "from encoders", "from puzzles"))
    )
    path.write_text("".join([*lines[:first], line + "\n", *lines[first:]]))


COMPLETE = """
from backends.contract.answer import Ask
from backends.contract.registry import find
from encoders.direct import constraints
from encoders.registry import spec
from puzzles.constraints.ascending import Ascending
from puzzles.problem.values import Integers
from puzzles.problem import Problem

problem = Problem("chain", ("a", "b", "c"), Integers((1, 3, 4, 7)), (Ascending(((0, 1, 2),)),))
print(len(find("native:python").open(constraints(problem)).ask(Ask(problem.open, 9, 9.0)).solutions))
for name in ("direct", "order", "log"):
    formula = spec(name).formula(problem, problem.open)
    print(len(find("pysat:minisat22").open(formula).ask(Ask(problem.open, 9, 9.0)).solutions))
"""


EXPRESSED = f"""{COMPLETE}
from encoders.opb import opb
from encoders.xcsp3 import xcsp3
from harness.showing.formulas import description

print(len(find("cpsat").open(constraints(problem)).ask(Ask(problem.open, 9, 9.0)).solutions))
form = constraints(problem)
print(b"constraint=" in opb(form, problem.open), b"lt(v1,v2)" in xcsp3(form, problem.open))
print(description(problem))
"""


@pytest.mark.parametrize("checkout", ["puzzles encoders"], indirect=True)
def test_a_kind_of_constraint_is_complete_with_one_function(checkout: Path) -> None:
    (checkout / "puzzles" / "constraints" / "ascending.py").write_text(code("puzzles/constraints/ascending.py"))
    before, path = sources(checkout), checkout / "encoders" / "decomposing.py"
    function = code("encoders/decomposing.py")
    text = path.read_text().replace("TO_EXPRESSIONS: dict", f"{function}\n\nTO_EXPRESSIONS: dict")
    path.write_text(text)
    add_import(path, "from puzzles.constraints.ascending import Ascending")
    assert changed_files(checkout, before) == {"encoders/decomposing.py": len(function.splitlines()) + 3}
    assert run(checkout, "-c", EXPRESSED).splitlines() == [
        *["4"] * 5,
        "True True",
        "XCSP3 instance, 3 variables between 1 and 7, 1 ascending constraint",
    ]


@pytest.mark.parametrize("checkout", ["puzzles encoders backends"], indirect=True)
def test_a_kind_of_constraint_is_complete_with_two_functions(checkout: Path) -> None:
    before = sources(checkout)
    added = (
        "puzzles/constraints/ascending.py",
        "encoders/kinds/ascending.py",
        "backends/native/propagation/ascending.py",
    )
    for name in added:
        (checkout / name).write_text(code(name))
    tables = {
        "encoders/lowering.py": "from encoders.kinds import ",
        "backends/native/propagation/__init__.py": "from backends.native.propagation import ",
    }
    for name, imported in tables.items():
        text = (checkout / name).read_text()
        (table,) = re.findall(r"^\w+ = by_kind\(.*$", text, re.MULTILINE)
        line = table.replace("vars, (", "vars, (ascending, ")
        assert f"    {line}\n" in DOCUMENT
        (checkout / name).write_text(text.replace(table, line).replace(imported, f"{imported}ascending, "))
    changed = changed_files(checkout, before)
    assert {name: changed[name] for name in tables} == dict.fromkeys(tables, 0), "a word in two lines each"
    assert set(changed) == {*added, *tables}
    assert run(checkout, "-c", COMPLETE).split() == ["4", "4", "4", "4"]


@pytest.mark.slow
@pytest.mark.parametrize("checkout", ["puzzles"], indirect=True)
def test_a_format_is_one_file_and_one_line(checkout: Path) -> None:
    before = sources(checkout)
    name = "puzzles/readers/subset.py"
    (checkout / name).write_text(code(name))
    (line,) = re.findall(r'^ +("subset": Formula.*)$', DOCUMENT, re.MULTILINE)
    append(checkout / "puzzles" / "formats.py", "FORMULAS = {", "    " + line)
    assert changed_files(checkout, before) == {name: len(code(name).splitlines()), "puzzles/formats.py": 1}
    (checkout / "sum.txt").write_text("p subset 12\n3\n4\n5\n9\n")
    assert harness(checkout, "count", "sum.txt", "-b", "cpsat") == "sum.txt: cpsat: 2 solutions, and no others\n"
    (checkout / "bad.txt").write_text("p subset many\n")
    done = subprocess.run(
        [sys.executable, "-m", "harness", "solve", "bad.txt"],
        cwd=checkout,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "harness: bad.txt:1: expected 'p subset TARGET' or a weight, not 'p subset many'\n"


VARIETY = """
from backends.contract.answer import Ask, Unsupported
from backends.contract.registry import find
from encoders.registry import spec
from puzzles.constraints.linear import Linear
from puzzles.objectives.variety import VarietyObjective
from puzzles.problem import Problem
from puzzles.problem.dumped import dump
from puzzles.problem.values import Integers
from puzzles.stored import load

rows = Linear.of([([1, 1, 1], [0, 1, 2], "=", 11), ([1, -1], [0, 1], "!=", 0)])
goal = VarietyObjective((0, 1, 2))
problem = load(dump(Problem("variety", ("a", "b", "c"), Integers((1, 3, 4, 7)), (rows,), objective=goal)))
print(problem.objective.words(problem))
for name, encoding in (("cpsat", "alldifferent"), ("pysat:rc2", "direct"), ("pysat:rc2", "log")):
    try:
        answer = find(name).open(spec(encoding).formula(problem, problem.open)).ask(Ask(problem.open))
        print(answer.value, answer.complete)
    except Unsupported as e:
        print(e)
"""
UNREAD = "objectives of the kind variety have no encoding as soft clauses"


@pytest.mark.parametrize("checkout", ["puzzles encoders"], indirect=True)
def test_a_kind_of_objective_is_one_file_and_one_function(checkout: Path) -> None:
    before = sources(checkout)
    name = "puzzles/objectives/variety.py"
    (checkout / name).write_text(code(name))
    assert changed_files(checkout, before) == {name: len(code(name).splitlines())}
    words, refused = "different values of a, b, c", "cpsat does not support objectives of the kind variety"
    assert run(checkout, "-c", VARIETY).splitlines() == [words, refused, UNREAD, UNREAD]

    path = checkout / "encoders" / "soft_clauses.py"
    before_table, table, rest = path.read_text().partition("TO_SOFT_CLAUSES: dict")
    assert table
    path.write_text(f"{before_table}{code('encoders/soft_clauses.py')}\n\n{table}{rest}")
    add_import(path, "from puzzles.objectives.variety import VarietyObjective")
    add_import(path, "from encoders.gates import any_of")
    assert run(checkout, "-c", VARIETY).splitlines() == [words, refused, "2 True", "2 True"]


@pytest.mark.slow
@pytest.mark.parametrize("checkout", ["harness"], indirect=True)
def test_a_score_is_one_function_and_two_lines(checkout: Path) -> None:
    before = sources(checkout)
    scores, measures = "harness/reporting/views/ranking/scores.py", "harness/reporting/views/comparing/measures.py"
    function = code(scores)
    entry, words = re.findall(r'^    ("quick": .*)$', DOCUMENT, re.MULTILINE)
    text = (checkout / scores).read_text()
    (checkout / scores).write_text(text.replace("SCORE = {", f"{function}\n\nSCORE = {{\n    {entry}"))
    insert(checkout / measures, "SCORES = {", f"    {words}")
    assert changed_files(checkout, before) == {scores: len(function.splitlines()) + 3, measures: 1}
    (checkout / "small.txt").write_text("#: sudoku 2x2, count 1\n1...\n..2.\n.3..\n...4\n")
    harness(checkout, "run", "small.txt", "-b", "native:python", "-b", "cpsat", "-o", "j.sqlite")
    shown = harness(checkout, "report", "j.sqlite", "--rank", "quick")
    assert "instances decided within a tenth of the limit" in shown, shown
    table = shown.partition("rank  contender")[2].splitlines()[2:4]
    assert [row.split()[1:3] for row in table] == [["native:python", "1.00"], ["cpsat", "1.00"]]
