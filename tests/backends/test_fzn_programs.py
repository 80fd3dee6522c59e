"""Programs that read FlatZinc: the file that they get, their answers, and one clear reason for anything else."""

import sys
from io import BytesIO
from pathlib import Path
from random import Random

import pytest

from backends.contract import registry
from backends.contract.answer import Answer, Ask, Backend, Reason, Status, Unsupported
from backends.programs.fzn.answers import FlatZincNotation
from backends.programs.process import ProgramFailed
from encoders.direct import constraints
from puzzles.constraints import kinds
from puzzles.constraints.all_different import AllDifferent
from puzzles.constraints.linear import Linear
from puzzles.generating.problems import random_problem
from puzzles.objectives.linear import LinearObjective
from puzzles.problem import Instance, Problem
from puzzles.problem.values import Domains, Integers
from puzzles.readers.flatzinc import read_flatzinc
from puzzles.readers.source import from_text
from tests.backends.kind_checks import ALL, answered
from tests.definitions import solutions

THREE = Problem("three", tuple("abc"), Integers(range(3)), (AllDifferent(((0, 1, 2),)),))
GOAL = Problem(
    "goal",
    tuple("abc"),
    Integers(range(3)),
    (AllDifferent(((0, 1, 2),)),),
    objective=LinearObjective.of({0: 2, 1: -1}, 7, maximise=True),
)
OPEN: Domains = (7, 7, 7)
KINDS = sorted(kinds().keys() - {"unsupported"})


def read_back(notation: FlatZincNotation, domains: Domains, forbidden: list[list[int]]) -> Instance[Problem]:
    """Return the instance of a written file, by our reader."""
    text = notation.text(domains, forbidden)
    return read_flatzinc(BytesIO(text), from_text("", "written"))


@pytest.mark.parametrize("name", ["fzn:mine", "fzn:gecode", "fzn:my-chuffed"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_written_file_has_the_solutions_of_its_problem(kind: str, name: str) -> None:
    compared = 0
    for seed in range(6):
        instance = random_problem([kind], Random(seed))
        right = solutions(instance.problem, instance.domains)
        if len(right) > ALL:
            continue
        try:
            notation = FlatZincNotation(constraints(instance.problem, instance.domains), name)
        except Unsupported:
            continue
        found = read_back(notation, instance.domains, [])
        answer = answered("cpsat", found, len(right) + 1)
        assert answer.complete
        assert len(answer.solutions) == len(right), f"seed {seed}"
        shown = {x: int(n[3:-1]) - 1 for x, n in enumerate(found.problem.variables) if n.startswith("xs[")}
        numbers, own = list(map(int, found.problem.values)), list(map(int, instance.problem.values))
        assert {tuple(numbers[s[x]] for x in shown) for s in answer.solutions} == {
            tuple(own[s[i]] for i in shown.values()) for s in right
        }
        compared += 1
    assert compared


def test_solutions_are_forbidden_and_domains_kept() -> None:
    notation = FlatZincNotation(constraints(THREE), "fzn:mine")
    answer = answered("cpsat", read_back(notation, (7, 3, 7), [[0, 1, 2], [2, 0, 1]]))
    assert len(answer.solutions) == 2
    assert answered("cpsat", read_back(notation, (7, 0, 7), [])).status == Status.UNSATISFIABLE


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """The file of the program `mine`."""
    return tmp_path / "mine.py"


def backend(path: Path) -> Backend:
    return registry.find("fzn:mine", {"mine": f"'{sys.executable}' '{path}' -t {{seconds}}000 {{fzn}}"})


def ask(path: Path, printed: str, problem: Problem = THREE, rest: str = "", count: int = 1) -> Answer:
    path.write_text(f"import sys, time\nprint({printed!r}, flush=True)\n{rest}\n")
    session = backend(path).open(constraints(problem))
    try:
        return session.ask(Ask(OPEN, count, 10.0))
    finally:
        session.close()


def test_answers_of_a_program_that_decides(mine: Path) -> None:
    assert ask(mine, "xs = array1d(1..3, [2, 0, 1]);\n----------\n==========").solutions == ((2, 0, 1),)
    assert ask(mine, "% text\nxs = [2, 0, 1];\n----------").solutions == ((2, 0, 1),)
    assert ask(mine, "=====UNSATISFIABLE=====").status == Status.UNSATISFIABLE
    assert ask(mine, "=====UNKNOWN=====").reason == Reason.STUCK


def test_each_further_solution_is_asked_for_by_another_file(mine: Path) -> None:
    rest = "late = 'int_ne_reif' in open(sys.argv[-1]).read()\n"
    rest += "print('=====UNSATISFIABLE=====' if late else 'xs = [2, 0, 1];\\n----------')"
    found = ask(mine, "% one solution", rest=rest, count=2)
    assert found.solutions == ((2, 0, 1),)
    assert found.complete


BEST = "v4 = -3;\nxs = array1d(1..3,[1, 0, 2]);\n----------\nv4 = -4;\nxs = array1d(1..3,[2, 0, 1]);\n----------\n"


def test_the_last_solution_of_a_program_that_optimises_is_the_best(mine: Path) -> None:
    found = ask(mine, BEST + "==========", GOAL)
    assert (found.solutions, found.complete) == (((2, 0, 1),), True)
    assert found.value == -4 - 7
    unproved = ask(mine, BEST, GOAL)
    assert (unproved.solutions, unproved.complete, unproved.reason) == (((2, 0, 1),), False, Reason.STUCK)
    half = ask(mine, BEST + "v4 = -5;\nxs = array1d(1..3,[2", GOAL)
    assert half.solutions == ((2, 0, 1),)
    assert ask(mine, "=====UNSATISFIABLE=====", GOAL).status == Status.UNSATISFIABLE


def test_a_program_that_optimises_is_asked_for_each_better_solution(mine: Path) -> None:
    rest = "assert sys.argv[1:3] == ['-t', '10000'] and sys.argv[3] == '-a' and len(sys.argv) == 5\nprint('==========')"
    assert ask(mine, BEST, GOAL, rest).complete


def test_a_file_with_an_objective_has_the_optimum_of_its_problem() -> None:
    for problem in (GOAL, Problem("none", ("a",), Integers((4,)), (), objective=LinearObjective.of({}, 3))):
        notation = FlatZincNotation(constraints(problem), "fzn:mine")
        domains = problem.open
        answer = answered("cpsat", read_back(notation, domains, []), 1)
        wanted = answered("cpsat", Instance(problem.name, problem, domains), 1)
        assert answer.complete
        assert answer.value is not None
        assert notation.turned(answer.value, False) == wanted.value


@pytest.mark.parametrize(
    ("printed", "why"),
    [
        ("xs = [2, 0];\n----------", "2 values for 3 variables"),
        ("xs = [2, 0, x];\n----------", "'x', which is no integer"),
        ("----------", "no line 'xs = ...'"),
        ("==========", "has '==========' but no '----------'"),
        ("=====ERROR=====", "gave up: =====ERROR====="),
        ("xs = [2, 0, 1];\nxs = [2, 1, 0];\n----------", "two lines 'xs = ...' with different values"),
    ],
)
@pytest.mark.parametrize("problem", [THREE, GOAL], ids=["decided", "best"])
def test_other_output_is_an_error(mine: Path, printed: str, why: str, problem: Problem) -> None:
    with pytest.raises(ProgramFailed, match=why):
        ask(mine, printed, problem)


def test_large_numbers_are_refused_by_name() -> None:
    wide = Problem("w", ("x", "y"), Integers((0, 10**9)), (Linear.of([([1, 1], [0, 1], "<=", 3)]),))
    with pytest.raises(Unsupported, match="fzn:mine does not support domains with numbers above"):
        FlatZincNotation(constraints(wide), "fzn:mine")
