"""`encode` writes a corpus to a folder; the files, read back, have the same numbers of solutions and best values."""

from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from harness.commands.encode import file_name
from puzzles.formats import read
from puzzles.problem import Instance
from puzzles.problem.columns import pack, valid
from puzzles.problem.values import bits
from tests.conftest import Harness

FILES = {
    "a.cnf": "p cnf 3 2\n1 -2 0\n2 3 0\n",
    "deep/none.cnf": "p cnf 1 2\n1 0\n-1 0\n",
    "soft.wcnf": "h 1 2 0\n3 -1 0\n2 -2 3 0\n5 -3 0\n",
    "sum.opb": "min: +3 x1 -2 x2 +1 x3 ;\n+2 x1 +1 x2 +1 x3 >= 2 ;\n",
    "most.opb": "max: +3 x1 -2 x2 ;\n+1 x1 +1 x2 <= 1 ;\n",
    "boards.txt": "#: latin 2\n....\n1...\n",
}
WITHOUT_OBJECTIVE = {"a.cnf", "deep/none.cnf", "boards.txt:2", "boards.txt:3"}


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        path = tmp_path / "in" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path / "in"


def counted(instance: Instance[Any]) -> tuple[int, int | None]:
    """Return the number of solutions, and the best value as people state it, by trying every assignment."""
    problem = instance.problem
    every = np.array(list(product(*map(bits, instance.domains))), np.uint16)
    held = every[valid(problem, pack(problem, [instance.domains]), every)]
    if problem.objective is None or not len(held):
        return len(held), None
    best = min(problem.objective.values(held, problem).tolist())
    return len(held), -best if problem.objective.maximise else best


@pytest.mark.parametrize("target", ["dimacs", "wcnf", "opb"])
def test_files_that_are_read_back_have_the_same_solutions(
    target: str, corpus: Path, tmp_path: Path, harness: Harness
) -> None:
    done = harness("encode", corpus, "--to", target, "-o", "out/")
    expected = {instance.name: counted(instance) for instance in read(corpus)}
    taken = {name: found for name, found in expected.items() if target != "dimacs" or name in WITHOUT_OBJECTIVE}
    refused = len(expected) - len(taken)
    assert (done.code, done.out) == (4 if refused else 0, f"{len(taken)} written to out/, {refused} refused\n")
    assert sum("not written: " in line for line in done.err.splitlines()) == refused
    again = {path.name.rpartition(".")[0]: path for path in (tmp_path / "out").rglob("*") if path.is_file()}
    assert again.keys() == {name.replace(":", "-").rpartition("/")[2] for name in taken}
    for name, (count, best) in taken.items():
        (found,) = read(again[name.replace(":", "-").rpartition("/")[2]])
        number, value = counted(found)
        if (target, name.rpartition(".")[2]) == ("wcnf", "opb"):  # sums have auxiliary variables, weights no constant
            assert (number > 0, found.problem.objective is None) == (count > 0, False), name
        elif target == "wcnf" and best is None and count:  # without soft clauses the value is 0
            assert (number, value) == (count, 0), name
        else:
            assert (number, value) == (count, best), name


def test_a_file_that_cannot_be_read_is_named_and_the_others_are_written(corpus: Path, harness: Harness) -> None:
    (corpus / "bad.cnf").write_text("p cnf 1 1\n2 0\n")
    done = harness("encode", corpus, "--to", "wcnf", "-o", "out/")
    assert (done.code, done.out) == (4, "7 written to out/, 1 refused\n")
    assert "note: not written: bad.cnf:2: column 1: literal 2, but variables are 1 to 1" in done.err


@pytest.mark.parametrize(
    ("name", "path"),
    [("a.cnf", "a.cnf"), ("b/c.txt:3", "b/c.txt-3"), ("../../x", "_/_/x"), ("/etc/x", "etc/x"), ("", "_")],
)
def test_no_name_leads_out_of_the_folder(name: str, path: str) -> None:
    assert file_name(name) == path
