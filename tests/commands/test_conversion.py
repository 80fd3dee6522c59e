"""`encode` writes a corpus to a folder; the files, read back by others too, have the same solutions and best values."""

import json
import random
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from backends.programs.fzn import files
from encoders import clause_text, lp, minizinc, opb, xcsp3
from encoders.dimacs import PLAIN
from encoders.wcnf import HARD
from harness.commands.encode import TARGETS, file_name
from harness.reporting.formats import instance_files
from puzzles.constraints.clauses import Clauses
from puzzles.formats import read
from puzzles.readers.minizinc.compiling import package_folder
from tests.conftest import Harness
from tests.effort import slow_after
from tests.read_back import read_back, tried
from tests.xcsp3_forms import document

FILES = {
    "a.cnf": "p cnf 3 2\n1 -2 0\n2 3 0\n",
    "deep/none.cnf": "p cnf 1 2\n1 0\n-1 0\n",
    "odd.cnf": "p cnf 4 5\n1 1 -2 0\n2 -2 0\n-3 0\n4 3 0\n-1 -2 -4 0\n",
    "soft.wcnf": "h 1 2 0\n3 -1 0\n2 -2 3 0\n5 -3 0\n",
    "sum.opb": "min: +3 x1 -2 x2 +1 x3 ;\n+2 x1 +1 x2 +1 x3 >= 2 ;\n",
    "most.opb": "max: +3 x1 -2 x2 ;\n+1 x1 +1 x2 <= 1 ;\n",
    "holes.pls": "order 2\n0 -1\n-1 -1\n",
    "boards.txt": "#: latin 2\n....\n1...\n",
    "tasks.xml": document(
        "<cumulative> <origins> x[] </origins> <lengths> 1 2 </lengths> <heights> 1 2 </heights>"
        " <condition> (le,2) </condition> </cumulative>",
        '<array id="x" size="[2]"> 0..2 </array>',
    ),
    "product.xml": document(
        "<intension> ne(x[0],div(2,x[1])) </intension>",
        '<array id="x" size="[2]"> -1..1 3 </array>',
        "<objectives> <maximize> mul(x[0],sub(x[1],2)) </maximize> </objectives>",
    ),
}
WITH_OBJECTIVE = {"soft.wcnf", "sum.opb", "most.opb", "product.xml"}
NEEDS = {"smt2": "z3", "lp": "highspy"}
STYLES = {
    "dimacs": PLAIN,
    "wcnf": HARD,
    "opb": opb.ROW,
    "lp": lp.ROW,
    "xcsp3": xcsp3.CLAUSE,
    "mzn": minizinc.CLAUSE,
    "fzn": files.CLAUSE,
    "smt2": instance_files.ASSERTION,
}


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sources")
    for name, text in FILES.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    return folder


@pytest.mark.parametrize("target", TARGETS)
def test_files_that_are_read_back_have_the_same_solutions(
    target: str, corpus: Path, tmp_path: Path, harness: Harness
) -> None:
    if (package := NEEDS.get(target)) and find_spec(package) is None:
        pytest.skip(f"{package} is not installed")
    done = harness("encode", corpus, "--to", target, "-o", "out/")
    sources = {instance.name: instance for instance in read(corpus)}
    taken = {name for name in sources if target != "dimacs" or name not in WITH_OBJECTIVE}
    refused = len(sources) - len(taken)
    assert (done.code, done.out) == (4 if refused else 0, f"{len(taken)} written to out/, {refused} refused\n")
    assert sum("not written: " in line for line in done.err.splitlines()) == refused
    if target == "mzn" and package_folder() is None:
        pytest.skip("the npm package minizinc is not installed")
    for name in taken:
        path = tmp_path / "out" / (file_name(name) + instance_files.SUFFIXES[target])
        assert read_back(path, sources[name]) == tried(sources[name]), name


def test_maps_are_no_instances(corpus: Path, tmp_path: Path, harness: Harness) -> None:
    harness("encode", corpus / "a.cnf", "-o", "again.cnf")
    told = json.loads((tmp_path / "again.cnf.map.json").read_text())
    assert told == {"instance": "a.cnf", "format": "dimacs", "encoding": "extended", "numbered": ["x", "", 3]}
    assert [instance.name for instance in read(tmp_path)] == ["again.cnf"]


def test_a_map_tells_where_values_and_the_objective_are(corpus: Path, tmp_path: Path, harness: Harness) -> None:
    harness("encode", corpus / "product.xml", "--to", "wcnf", "--encoding", "order", "-o", "a.wcnf")
    told = json.loads((tmp_path / "a.wcnf.map.json").read_text())
    assert (told["encoding"], told["value"]["times"]) == ("order", -1)
    assert told["variables"]["x[0]"].keys() == {"-1", "0", "1", "3"}
    harness("encode", f"{corpus / 'boards.txt'}:3", "--to", "fzn", "-o", "a.fzn")
    told = json.loads((tmp_path / "a.fzn.map.json").read_text())
    assert (told["values"], told["variables"]["B1"]) == (["1", "2"], "v3")


def test_a_file_that_cannot_be_read_is_named_and_the_others_are_written(tmp_path: Path, harness: Harness) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "bad.cnf").write_text("p cnf 1 1\n2 0\n")
    (tmp_path / "in" / "good.cnf").write_text("p cnf 1 1\n1 0\n")
    done = harness("encode", "in", "--to", "wcnf", "-o", "out/")
    assert (done.code, done.out) == (4, "1 written to out/, 1 refused\n")
    assert "note: not written: bad.cnf:2: column 1: literal 2, but variables are 1 to 1" in done.err


@pytest.mark.parametrize(
    ("target", "text", "why"),
    [
        (
            "lp",
            f"* #variable= 2 #constraint= 1\nmin: +{1 << 53} x1 +1 x2 ;\n+1 x1 >= 0 ;\n",
            "LP takes no sums above 2^53",
        ),
        (
            "xcsp3",
            f"* #variable= 1 #constraint= 1\nmin: +{1 << 40} x1 ;\n+1 x1 >= 0 ;\n",
            "XCSP3 takes no objectives with coefficients above",
        ),
        (
            "mzn",
            f"* #variable= 1 #constraint= 1\nmin: +{1 << 62} x1 ;\n+1 x1 >= 0 ;\n",
            "MiniZinc takes no numbers above",
        ),
        ("fzn", f"* #variable= 1 #constraint= 1\nmin: +{1 << 62} x1 ;\n+1 x1 >= 0 ;\n", "FlatZinc does not support"),
    ],
)
def test_what_a_format_cannot_state_is_refused_by_name(
    target: str, text: str, why: str, tmp_path: Path, harness: Harness
) -> None:
    (tmp_path / "a.opb").write_text(text)
    done = harness("encode", "a.opb", "--to", target, "-o", "out")
    (line,) = [line for line in done.err.splitlines() if not line.startswith("note: ")]
    assert done.code == 2
    assert why in line
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("name", slow_after(3, STYLES))
def test_the_compiled_loop_writes_what_plain_python_writes(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = random.Random(1)
    rows = [
        [numbers.choice((-1, 1)) * numbers.randint(1, 10 ** numbers.randint(0, 7)) for _ in range(n % 25)]
        for n in range(200)
    ]
    flat = np.asarray(Clauses.of([*rows, [], [7], [-7], [3, 3], [3, -3]]).flat, np.int32)
    style = STYLES[name]
    plain = b"".join(clause_text.clause_lines(flat, style))
    monkeypatch.setattr(clause_text, "BLOCK_NUMBERS", 100)
    monkeypatch.setattr(clause_text, "BYTES", 1 << 20)
    looped = b"".join(clause_text.clause_lines(flat, style))
    assert looped == plain


@pytest.mark.parametrize(
    ("name", "path"),
    [("a.cnf", "a.cnf"), ("b/c.txt:3", "b/c.txt-3"), ("../../x", "_/_/x"), ("/etc/x", "etc/x"), ("", "_")],
)
def test_no_name_leads_out_of_the_folder(name: str, path: str) -> None:
    assert file_name(name) == path
