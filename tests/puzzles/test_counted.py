"""Lines of CNF files about counting, and the projections that sources state: read exactly, or one clear error."""

from fractions import Fraction
from pathlib import Path

import pytest

from puzzles.errors import BadInput
from puzzles.formats import ReaderOptions, read
from puzzles.problem import Instance, Problem
from puzzles.problem.dumped import dump
from puzzles.readers.counted import CountingLines
from puzzles.stored import load
from tests.conftest import Harness

PLAIN = "p cnf 4 2\n1 2 0\n-1 3 0\n"


def one(text: str, path: Path, ignore: bool = False) -> Instance[Problem]:
    path.write_text(text)
    (instance,) = read(path, ReaderOptions(ignore_objective=ignore))
    return instance


@pytest.mark.parametrize("line", ["c p show 1 2 0\n", "c ind 1 2 0\n", "c p show 1 0\nc p show 2 0\n"])
@pytest.mark.parametrize("last", [False, True])
def test_a_projection_is_part_of_the_problem_and_its_digest(tmp_path: Path, line: str, last: bool) -> None:
    problem = one(PLAIN + line if last else line + PLAIN, tmp_path / "a.cnf").problem
    assert problem.free == (2, 3)
    assert load(dump(problem)).digest == problem.digest != one(PLAIN, tmp_path / "a.cnf").problem.digest


def test_a_digest_without_a_projection_is_as_before(tmp_path: Path) -> None:
    assert one(PLAIN, tmp_path / "a.cnf").problem.digest == "abd271dd70f0bd0f"
    assert one("c p show 4 3 2 1 0\nc ind of course\n" + PLAIN, tmp_path / "a.cnf").problem.digest == "abd271dd70f0bd0f"


def test_weights_are_exact() -> None:
    lines = CountingLines()
    lines.read(b"c p weight 1 0.3 0\nw -1 1/4\nc p weight -2 -3e-2 0\nc p weight 2 .5e1 0\n", 1)
    lines.check(2)
    assert lines.weights == {1: Fraction(3, 10), -1: Fraction(1, 4), -2: Fraction(-3, 100), 2: Fraction(5)}


WRONG = {
    "c p show 9 0": "a.cnf:4: variable 9, but variables are 1 to 4",
    "c p show 1": "a.cnf:4: 'c p show' needs variables, and 0 at its end",
    "c p weight 1 0.3 0": "a.cnf:4: literal -1 has no weight, and 1 has one: state both",
    "c p weight 1 1/2+4i 0": "a.cnf:4: '1/2+4i': complex weights are not read",
    "c p weight 1 1/0 0": "a.cnf:4: '1/0' is not a weight",
    "c p weight 1 nan 0": "a.cnf:4: 'nan' is not a weight",
    "w 1": "a.cnf:4: a weight needs a literal and a number",
    "w 1 1\nw 1 2": "a.cnf:5: literal 1 has two weights",
}


@pytest.mark.parametrize("line", WRONG)
def test_a_wrong_line_is_one_clear_error(tmp_path: Path, line: str) -> None:
    with pytest.raises(BadInput) as refused:
        one(f"{PLAIN}{line}\n", tmp_path / "a.cnf")
    assert WRONG[line] in str(refused.value)


XCSP3 = """<instance format="XCSP3" type="CSP"><variables><var id="x"> 0..3 </var><var id="u"> 0..4 </var></variables>
<constraints><intension> lt(x,1) </intension></constraints></instance>"""


def test_variables_that_no_constraint_of_xcsp3_mentions_make_no_solution_another(tmp_path: Path) -> None:
    assert one(XCSP3, tmp_path / "a.xml").problem.free == (1,)


def test_relaxed_soft_constraints_make_no_solution_another(tmp_path: Path, harness: Harness) -> None:
    instance = one("soft: ;\n[2] +1 x1 +1 x2 >= 2 ;\n+1 x1 x2 +1 x1 >= 1 ;\n", tmp_path / "a.wbo", ignore=True)
    assert len(instance.problem.free) == 1
    done = harness("count", tmp_path / "a.wbo", "--ignore-objective", "-b", "pysat:cadical195")
    assert "2 solutions, and no others" in done.out


@pytest.mark.parametrize(
    ("backend", "package"),
    [("native", "numpy"), ("cpsat", "ortools"), ("highs", "highspy"), ("clingo", "clingo"), ("z3:int", "z3")],
)
def test_solutions_of_a_run_differ_on_the_projection(
    tmp_path: Path, harness: Harness, backend: str, package: str
) -> None:
    pytest.importorskip(package)
    (tmp_path / "a.cnf").write_text("c p show 1 0\n" + PLAIN)
    (tmp_path / "b.cnf").write_text("c p show 0\n" + PLAIN)
    done = harness(
        "run",
        tmp_path / "a.cnf",
        tmp_path / "b.cnf",
        "--count",
        "3",
        "-b",
        backend,
        "-b",
        "pysat",
        "-o",
        tmp_path / "j.sqlite",
    )
    assert done.code == 0
    assert "1 unique | 1 with several solutions" in done.out, done.out
    assert "2/2" in done.out
