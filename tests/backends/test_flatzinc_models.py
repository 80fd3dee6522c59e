"""FlatZinc models written by hand: several solvers find as many solutions as known, and the best value."""

import re
from pathlib import Path

import pytest

from backends.contract import registry
from backends.contract.answer import Ask, Status
from encoders.registry import default
from puzzles.formats import ReaderOptions, read
from puzzles.objectives import stated
from tests.conftest import Harness

FOLDER = Path(__file__).parent.parent / "fixtures" / "flatzinc"
COUNTED = {
    path: int(match[1])
    for path in sorted(FOLDER.glob("*.fzn"))
    if (match := re.match(r"% solutions: (\d+)", path.read_text()))
}
OPTIMA = {"knapsack.fzn": 50, "machines.fzn": 7, "golomb-4.json": 6, "tour-4.json": 10}
SOLVERS = ("cpsat", "native", "native:python", "pysat:cadical195")
OPTIMISERS = ("cpsat", "native", "pysat:rc2")


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("path", COUNTED, ids=lambda path: path.stem)
def test_as_many_solutions_as_known(path: Path, solver: str) -> None:
    (instance,) = read(path, ReaderOptions(ignore_objective=True))
    backend = registry.find(solver)
    session = backend.open(default(backend.accepts).formula(instance.problem, instance.domains))
    try:
        answer = session.ask(Ask(instance.domains, 100, 60.0))
    finally:
        session.close()
    assert answer.complete
    assert len(set(answer.solutions)) == len(answer.solutions) == COUNTED[path]
    assert answer.status == (Status.SATISFIABLE if COUNTED[path] else Status.UNSATISFIABLE)


@pytest.mark.parametrize("solver", OPTIMISERS)
@pytest.mark.parametrize("name", OPTIMA)
def test_the_best_value_is_the_known_one(name: str, solver: str) -> None:
    (instance,) = read(FOLDER / name)
    backend, goal = registry.find(solver), instance.problem.objective
    assert goal is not None
    session = backend.open(default(backend.accepts).formula(instance.problem, instance.domains))
    try:
        answer = session.ask(Ask(instance.domains, 1, 60.0))
    finally:
        session.close()
    assert answer.complete
    assert answer.value is not None
    assert stated(goal, answer.value) == OPTIMA[name]


def test_a_solution_is_printed_by_the_names_of_the_model(harness: Harness) -> None:
    done = harness("solve", FOLDER / "golomb-4.json", "-b", "cpsat")
    assert done.code == 30
    assert "marks[4]=6" in done.out
    assert "optimum 6" in done.out
