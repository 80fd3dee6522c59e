"""`encode` writes DIMACS that a SAT solver reads, or one line that says why it can't."""

from pathlib import Path

import pytest
from pysat.formula import CNF
from pysat.solvers import Solver

from puzzles.formats import read
from tests.conftest import Harness

UNIQUE = ".3......9.9...5......1..573...7..8....3..9.....9.6.4...5.3.......1..76...8...4.21"


@pytest.mark.parametrize("encoding", ["extended", "minimal+product", "reduced+ladder"])
def test_the_file_has_the_puzzle_and_its_solution(harness: Harness, tmp_path: Path, encoding: str) -> None:
    done = harness("encode", UNIQUE, "--encoding", encoding, "-o", "puzzle.cnf")
    assert (done.code, done.out) == (0, "")
    text = (tmp_path / "puzzle.cnf").read_text()
    meaning = {
        line.split()[1]: line.split()[2:] for line in text.splitlines() if line[:2] == "c " and line[2:4] != "ea"
    }
    with Solver("glucose4", bootstrap_with=CNF(from_string=text)) as solver:
        assert solver.solve()
        true = {str(x) for x in solver.get_model()}
    assert [v for v, x in enumerate(meaning["A2"], 1) if x in true] == [3]
    assert [v for v, x in enumerate(meaning["A1"], 1) if x in true] == [1]


@pytest.mark.parametrize("encoding", ["alldifferent", "extended+cardinality", "extended+nothing", "nothing"])
def test_an_encoding_without_dimacs_is_bad_usage(harness: Harness, encoding: str) -> None:
    done = harness("encode", UNIQUE, "--encoding", encoding)
    assert (done.code, done.out) == (2, "")
    assert len(done.err.splitlines()) == 1


def test_opb_and_xcsp3_files_are_those_that_programs_get(harness: Harness, tmp_path: Path) -> None:
    (tmp_path / "x.opb").write_text("+2 x1 -1 x2 >= 1 ;\n")
    assert harness("encode", "x.opb", "--to", "opb").out == "* #variable= 2 #constraint= 1\n+2 x1 -1 x2 >= 1 ;\n"
    out = harness("encode", "x.opb", "--to", "xcsp3").out
    assert " <coeffs> 2 -1 </coeffs> <condition> (ge,1) </condition> " in out
    assert harness("encode", UNIQUE, "--to", "opb", "-o", "puzzle.opb").code == 0
    (again,) = read(tmp_path / "puzzle.opb")
    assert len(again.problem.variables) == 81 * 9 - 8 * sum(square != "." for square in UNIQUE)


def test_wcnf_of_clauses_alone_has_hard_ones(harness: Harness, tmp_path: Path) -> None:
    (tmp_path / "x.cnf").write_text("p cnf 2 2\n1 -2 0\n2 0\n")
    out = harness("encode", "x.cnf", "--to", "wcnf").out
    assert out == "c x.cnf: its variables are 1 to 2\nh 1 -2 0\nh 2 0\n"
