"""Programs that read OPB: their answers, and one clear reason for anything else that they print."""

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from backends.contract import registry
from backends.contract.answer import Answer, Ask, Backend, Reason, Status, Unsupported
from backends.contract.cases import CASES, FOUR
from backends.programs.models import LACKING
from backends.programs.process import ProgramFailed
from encoders.direct import alldifferent, constraints
from encoders.formula import Constraints
from puzzles.constraints.clauses import Clauses
from puzzles.constraints.count import Count
from puzzles.constraints.linear import Linear
from puzzles.objectives.linear import LinearObjective
from puzzles.problem import Problem
from puzzles.problem.values import Integers
from tests.programs import OPB

SUMS = Problem(
    "sums",
    ("a", "b", "c"),
    Integers(range(3)),
    (Linear.of([([2, -1], [0, 1], "=", 2), ([1, 1, 1], [0, 1, 2], "!=", 3)]),),
)
FORM = constraints(SUMS)


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """The file of the program `mine`."""
    return tmp_path / "mine.py"


def backend(path: Path) -> Backend:
    """Return the backend of the program in a file."""
    return registry.find("opb:mine", {"mine": f"'{sys.executable}' '{path}'"})


def ask(path: Path, source: str, formula: Constraints = FORM, count: int = 1, seconds: float = 10) -> Answer:
    path.write_text(source)
    session = backend(path).open(formula)
    try:
        return session.ask(Ask(formula.known, count, seconds))
    finally:
        session.close()


def test_all_solutions_are_found_and_the_last_answer_shows_that_there_are_no_others(mine: Path) -> None:
    answer = ask(mine, OPB, count=9)
    assert answer.complete
    assert set(answer.solutions) == {(1, 0, 0), (1, 0, 1), (2, 2, 0), (2, 2, 1), (2, 2, 2)}
    assert len(answer.solutions) == 5


def test_unsatisfiable_is_complete(mine: Path) -> None:
    none = constraints(Problem("none", ("a", "b", "c"), Integers(range(3)), (Clauses.of([()]),)))
    answer = ask(mine, OPB, none)
    assert (answer.status, answer.complete) == (Status.UNSATISFIABLE, True)


HOSTILE = {
    "no model": ("s SATISFIABLE", "no literals in 'v' lines"),
    "no literals": ("s SATISFIABLE\\nv 1 2", "'1', which is no literal such as x1 or -x1"),
    "words": ("s SATISFIABLE\\nv \\xff\\x00 hello", "which is no literal"),
    "a variable without a number": ("s SATISFIABLE\\nv x0", "'x0', which is no literal"),
    "an unknown variable": ("s SATISFIABLE\\nv x1 x99", "name x99, but the variables are x1 to x10"),
    "a number without end": ("s SATISFIABLE\\nv x" + "9" * 5000, "which is no literal"),
    "both signs": ("s SATISFIABLE\\nv x1 -x1", "both x1 and -x1"),
    "two results": ("s SATISFIABLE\\nv x1\\ns UNSATISFIABLE", "two different results"),
}


@pytest.mark.parametrize(("output", "why"), HOSTILE.values(), ids=HOSTILE)
def test_output_that_breaks_the_protocol_is_an_error_with_its_reason(mine: Path, output: str, why: str) -> None:
    with pytest.raises(ProgramFailed, match=why) as error:
        ask(mine, f"print('{output}')")
    assert len(str(error.value)) < 200


def test_wrong_values_are_passed_on_to_the_judge(mine: Path) -> None:
    (solution,) = ask(mine, "print('s SATISFIABLE\\nv -x1 -x2 -x3')").solutions
    assert solution == (3, 3, 3), "no value is true"


@pytest.mark.parametrize("said", ["", "s UNKNOWN", "s TIRED", "s ???", "c s SATISFIABLE"])
def test_no_answer_is_unknown(mine: Path, said: str) -> None:
    answer = ask(mine, f"print('{said}')")
    assert (answer.status, answer.reason) == (Status.UNKNOWN, Reason.STUCK)


def test_endless_output_is_an_error_and_an_endless_search_a_timeout(
    mine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("backends.programs.process.BESIDE_ANSWER", 1 << 20)
    with pytest.raises(ProgramFailed, match="printed more than 1 MiB"):
        ask(mine, "while True: print('v x1 ' * 1000)")
    answer = ask(mine, "import time; time.sleep(60)", seconds=0.2)
    assert (answer.status, answer.reason) == (Status.UNKNOWN, Reason.TIMEOUT)


def test_unknown_kinds_of_constraint_are_refused_before_opening(mine: Path) -> None:
    class Unknown(Clauses):
        kind = "unknown"

    mine.write_text(OPB)
    with pytest.raises(Unsupported, match=r"opb:mine does not support unknown$"):
        backend(mine).open(constraints(Problem("p", ("a",), Integers((0, 1)), (Unknown.of([]),))))


def test_counts_are_written_as_rows(mine: Path) -> None:
    counted = Problem("p", ("a", "b", "c"), Integers(range(3)), (Count((((0, 1), (1,), "=", 2),)),))
    assert len(ask(mine, OPB, constraints(counted), count=20).solutions) == 9


GOAL = LinearObjective.of({0: 3, 1: -1}, 10, maximise=True)  # -3 a + b - 10 is minimised
BITS = Problem("bits", ("x1", "x2"), Integers(range(2)), (Clauses.of([[1, 2]]),), objective=GOAL)


def test_an_objective_that_is_maximised_is_written_as_one_to_be_minimised(mine: Path) -> None:
    answer = ask(mine, OPB, constraints(BITS))
    assert (answer.solutions, answer.value, answer.complete) == (((1, 0),), -13, True)
    seen = "open(__file__ + '.seen', 'w').write(open(sys.argv[-1]).read())"
    ask(mine, f"import sys; {seen}", constraints(BITS))
    lines = Path(f"{mine}.seen").read_text().splitlines()
    assert lines[1] == "min: -3 x1 +1 x2 -10 x3 ;", "x3 is 1"


def test_values_of_an_original_file_are_those_of_its_source(mine: Path, tmp_path: Path) -> None:
    mine.write_text("print('o 13\\ns OPTIMUM FOUND\\nv x1 -x2')")
    session = backend(mine).open(constraints(BITS))
    answer = session.ask(Ask(BITS.open, source=tmp_path / "own.opb"))
    session.close()
    assert (answer.solutions, answer.value) == (((1, 0),), -13)


def test_unknown_kinds_of_objective_are_refused_before_opening(mine: Path) -> None:
    class Unknown(LinearObjective):
        kind = "unknown"

    mine.write_text(OPB)
    goal = Unknown.of({0: 1})
    with pytest.raises(Unsupported, match=r"opb:mine does not support objectives of the kind unknown$"):
        backend(mine).open(constraints(replace(BITS, objective=goal)))


def test_boards_are_written_with_a_boolean_for_each_value_left(mine: Path) -> None:
    mine.write_text(OPB)
    session = backend(mine).open(alldifferent(FOUR))
    for case in CASES:
        left = sum(mask.bit_count() for mask in case.domains)
        if case.problem is FOUR and left <= 9:
            answer = session.ask(Ask(case.domains, 3))
            assert (len(answer.solutions), answer.complete) == (min(case.total, 3), case.total < 3), case.name
    session.close()


@pytest.mark.parametrize(("shown", "note"), [("-x1 x2 x3", ""), ("x2 x3", LACKING), ("x3", LACKING)])
def test_a_solution_without_all_variables_says_so_in_one_line(mine: Path, shown: str, note: str) -> None:
    problem = Problem("clauses", ("a", "b", "c"), Integers(range(2)), (Clauses.of([(2,), (3,)]),))
    answer = ask(mine, f"print('s SATISFIABLE\\nv {shown}')", constraints(problem))
    assert (answer.status, answer.note) == (Status.SATISFIABLE, note)
    assert answer.solutions == ((0, int("x2" in shown), 1),), "a variable that is not named has its least value"


def test_a_best_solution_without_all_variables_says_so_too(mine: Path) -> None:
    goal = LinearObjective.of({0: 1, 1: 1})
    problem = Problem("goal", ("a", "b"), Integers(range(2)), (Clauses.of([(1, 2)]),), objective=goal)
    answer = ask(mine, "print('o 1\\ns OPTIMUM FOUND\\nv x2')", constraints(problem))
    assert (answer.complete, answer.note) == (True, LACKING)
