"""What docs/adding.md promises, done as it says: a backend is one file and one line, an encoding one function and one
line, a family one file. Each is added to a copy of the layer that it belongs to, and the files touched are counted."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
DOCUMENT = (ROOT / "docs" / "adding.md").read_text()


def contents(folder: Path) -> dict[str, str]:
    return {str(p.relative_to(folder)): p.read_text() for p in folder.rglob("*.py")}


@pytest.fixture
def house(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """A folder with a copy of one layer; the other layers are those of this checkout, whose kernels are compiled."""
    layer: str = request.param
    shutil.copytree(ROOT / layer, tmp_path / layer, ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def run(house: Path, *words: str) -> str:
    """What Python prints, started in the house."""
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    command = [sys.executable, *words]
    done = subprocess.run(command, cwd=house, env=environment, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def touched(house: Path, before: dict[str, str]) -> dict[str, int]:
    """Files that are new or changed, and how many lines each gained."""
    after = contents(house)
    return {
        name: len(text.splitlines()) - len(before.get(name, "").splitlines())
        for name, text in after.items()
        if text != before.get(name)
    }


def harness(house: Path, *arguments: str) -> str:
    return run(house, "-m", "harness", *arguments)


def insert(path: Path, after: str, line: str) -> None:
    """Put a line after the first that contains `after`."""
    lines = path.read_text().splitlines(keepends=True)
    place = next(i for i, text in enumerate(lines) if after in text)
    path.write_text("".join([*lines[: place + 1], line + "\n", *lines[place + 1 :]]))


@pytest.mark.parametrize("house", ["backends"], indirect=True)
def test_a_backend_is_one_file_and_one_line(house: Path) -> None:
    before = contents(house)
    (code,) = re.findall(r"```python\n# backends/brute\.py\n(.*?)```", DOCUMENT, re.DOTALL)
    (line,) = re.findall(r'^    ("brute": .*)$', DOCUMENT, re.MULTILINE)
    (house / "backends" / "brute.py").write_text(code)
    insert(house / "backends" / "registry.py", "BUILT_IN = {", f"    {line}")
    assert touched(house, before) == {"backends/brute.py": len(code.splitlines()), "backends/registry.py": 1}
    (house / "small.txt").write_text("#: sudoku 2x2, count 1\n1...\n..2.\n.3..\n...4\n")
    harness(house, "run", "small.txt", "-b", "brute", "-b", "native:python", "--count", "2")
    script = "from backends import brute, conformance; print(conformance.check(brute.Brute()))"
    assert run(house, "-c", script) == "[]\n"


@pytest.mark.parametrize("house", ["encoders"], indirect=True)
def test_an_encoding_is_one_function_and_one_line(house: Path) -> None:
    before = contents(house)
    path = house / "encoders" / "cnf.py"
    (code,) = re.findall(r"```python\n# encoders/cnf\.py\n(.*?)```", DOCUMENT, re.DOTALL)
    (line,) = re.findall(r"^    (Encoding\(.*)$", DOCUMENT, re.MULTILINE)
    path.write_text(f"{path.read_text()}\n\n{code}")
    insert(house / "encoders" / "registry.py", "for e in (", f"        {line}")
    assert touched(house, before) == {"encoders/cnf.py": 2 + len(code.splitlines()), "encoders/registry.py": 1}
    out = harness(
        house, "run", "hardest", "-n", "2", "-b", "pysat:minisat22/lean+product", "-b", "pysat:minisat22/lean"
    )
    assert "pysat:minisat22/lean+product" in out
    script = (
        "from backends import conformance, registry as r; print(conformance.check(r.find('pysat'), 'lean+product'))"
    )
    assert run(house, "-c", script) == "[]\n"


@pytest.mark.parametrize("house", ["puzzles"], indirect=True)
def test_a_family_is_one_file(house: Path) -> None:
    before = contents(house)
    (code,) = re.findall(r"```python\n# puzzles/families/diagonal\.py\n(.*?)```", DOCUMENT, re.DOTALL)
    (house / "puzzles" / "families" / "diagonal.py").write_text(code)
    assert touched(house, before) == {"puzzles/families/diagonal.py": len(code.splitlines())}
    (board,) = re.findall(r"^    (#: diagonal .*(?:\n    .*)*)", DOCUMENT, re.MULTILINE)
    (house / "small.txt").write_text(board.replace("    ", "") + "\n")
    (command,) = re.findall(r"^    python -m harness (run small\.txt .*)$", DOCUMENT, re.MULTILINE)
    out = harness(house, *shlex.split(command))
    assert "diagonal 5" in out
    assert "agreement: 1 of 1 puzzle | 16 of 16 solutions verified" in out
    assert "agreement: 1 of 1 puzzle" in harness(house, *shlex.split(command), "--scramble", "-r", "2")


CHAIN = """
from encoders.formula import Unsupported
from encoders.registry import spec
from puzzles.check import violations
from puzzles.constraints.ascending import Ascending
from puzzles.problem import Integers, Problem, dump, load

problem = load(dump(Problem("chain", ("a", "b", "c"), Integers((-5, 0, 7)), (Ascending(((0, 1), (1, 2))),))))
print(violations(problem, problem.open, (0, 1, 2)), violations(problem, problem.open, (0, 2, 2)))
try:
    spec("extended").formula(problem)
except Unsupported as e:
    print(e)
"""


def test_a_kind_of_constraint_is_one_file(house: Path) -> None:
    before = contents(house)
    (code,) = re.findall(r"```python\n# puzzles/constraints/ascending\.py\n(.*?)```", DOCUMENT, re.DOTALL)
    (house / "puzzles" / "constraints" / "ascending.py").write_text(code)
    assert touched(house, before) == {"puzzles/constraints/ascending.py": len(code.splitlines())}
    done = subprocess.run([sys.executable, "-c", CHAIN], cwd=house, capture_output=True, text=True, timeout=120)
    assert done.stdout.splitlines() == [
        "[] ['b is not below c']",
        "encoding extended takes boards and clauses, not ascending",
    ], done.stderr
