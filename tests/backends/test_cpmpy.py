"""CPMpy: each solver on every kind of constraint against brute force, what is refused, and limits."""

import os
import subprocess
import sys
from importlib.util import find_spec
from random import Random

import pytest

from backends.contract import conformance, registry
from backends.contract.answer import Ask, Reason, Status, Unsupported
from backends.contract.cases import FOUR, LATIN
from backends.contract.registry import NoBackend
from backends.cpmpy import SOLVERS
from encoders.direct import alldifferent
from puzzles.constraints.all_different import AllDifferent
from puzzles.constraints.expression import Expression
from puzzles.constraints.table import Table
from puzzles.generating.problems import KINDS
from puzzles.objectives.expression import ExpressionObjective
from puzzles.objectives.linear import LinearObjective
from puzzles.problem import Instance, Objective, Problem
from puzzles.problem.values import Integers, Numbered
from tests.backends.kind_checks import answered, faults_of_kinds, hard_pigeons

pytestmark = pytest.mark.skipif(find_spec("cpmpy") is None, reason="CPMpy is not installed: pip install cpmpy")


LARGE_PIGEONS = {"ortools": 60, "highs": 60}  # what others can't end, these can
ALONE = "CROSSCHECK_CPMPY_ALONE"  # names the solver that is tested in this process: libraries of several clash


def installed(solver: str) -> str:
    name = f"cpmpy:{solver}"
    if os.environ.get(ALONE) != solver:
        pytest.skip("tested in a process of its own")
    try:
        registry.find(name)
    except NoBackend as e:
        pytest.skip(str(e))
    return name


@pytest.mark.skipif(ALONE in os.environ, reason="this process is for one solver")
@pytest.mark.parametrize("solver", SOLVERS)
def test_a_solver_passes_the_tests_below_in_a_process_of_its_own(solver: str) -> None:
    if find_spec(SOLVERS[solver][0]) is None:
        pytest.skip(f"needs {SOLVERS[solver][0]}")
    words = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", __file__]
    done = subprocess.run(words, env=os.environ | {ALONE: solver}, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-4000:]
    assert "passed" in done.stdout


@pytest.mark.parametrize("solver", SOLVERS)
def test_the_backend_conforms(solver: str) -> None:
    assert conformance.check(registry.find(installed(solver)), effort=conformance.BRIEF) == []


@pytest.mark.parametrize("solver", SOLVERS)
def test_solutions_of_many_variables_are_enumerated(solver: str) -> None:
    """Choco ended the process where a disjunction of ten parts was added after a search."""
    session = registry.find(installed(solver)).open(alldifferent(FOUR))
    assert len(set(session.ask(Ask(FOUR.open, 4)).solutions)) == 4


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize(("exponent", "total"), [(0, 1), (-1, 0)])
def test_an_exponent_that_is_not_positive_is_given_no_solver(solver: str, exponent: int, total: int) -> None:
    tree = ("eq", ("add", ("pow", ("var", 0), ("number", exponent)), ("var", 0)), ("number", 3))
    problem = Problem("power", Numbered("x", 1), Integers(range(4)), (Expression((tree,)),))
    answer = answered(installed(solver), Instance("power", problem, problem.open))
    assert (len(answer.solutions), answer.complete) == (total, True)


@pytest.mark.parametrize("solver", SOLVERS)
def test_all_solutions_of_each_kind_are_found(solver: str) -> None:
    name = installed(solver)
    for kind in KINDS:
        assert faults_of_kinds(name, [kind], range(4), most=6) == []


@pytest.mark.parametrize("solver", SOLVERS)
def test_all_solutions_of_several_kinds_are_found(solver: str) -> None:
    name = installed(solver)
    for seed in range(8):
        assert faults_of_kinds(name, Random(seed).sample(sorted(KINDS), 2), [seed], most=6) == []


@pytest.mark.parametrize("solver", SOLVERS)
def test_one_session_answers_for_several_domains_of_a_board(solver: str) -> None:
    session = registry.find(installed(solver)).open(alldifferent(LATIN))
    given = (1, *LATIN.open[1:])
    for domains, total in ((LATIN.open, 12), (given, 4), ((1, 1, *LATIN.open[2:]), 0), ((0, *LATIN.open[1:]), 0)):
        answer = session.ask(Ask(domains, 20))
        assert (len(answer.solutions), answer.complete) == (total, True)


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_search_without_end_is_a_timeout(solver: str) -> None:
    answer = answered(installed(solver), hard_pigeons(LARGE_PIGEONS.get(solver, 14)), seconds=0.2)
    assert (answer.status, answer.reason) == (Status.UNKNOWN, Reason.TIMEOUT)


def test_an_exponent_that_is_no_number_is_refused_by_name() -> None:
    name = installed("ortools")
    tree = ("eq", ("pow", ("var", 0), ("var", 1)), ("number", 8))
    problem = Problem("power", Numbered("x", 2), Integers(range(4)), (Expression((tree,)),))
    with pytest.raises(Unsupported, match="powers whose exponent is no number"):
        answered(name, Instance("power", problem, problem.open))


def test_cpmpy_is_not_loaded_before_it_is_used_and_loads_beside_highspy() -> None:
    code = "import sys; from backends.contract.registry import find; find('cpmpy:ortools')"
    code += "; assert 'cpmpy' not in sys.modules"
    code += "; from encoders.direct import alldifferent; from backends.contract.cases import FOUR"
    code += "; find('cpmpy:ortools').open(alldifferent(FOUR)); assert 'cpmpy' in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_what_posting_refutes_is_unsatisfiable() -> None:
    """Found by `fuzz`: Pumpkin takes no constraint after one that can't hold."""
    name = installed("pumpkin")
    parts = (Table.of([(0,)], [[1]], positive=False), AllDifferent(((0, 1),)))
    problem = Problem("refuted", Numbered("x", 2), Integers((1, 2)), parts)
    answer = answered(name, Instance("refuted", problem, (1, 3)))
    assert (answer.status, answer.complete) == (Status.UNSATISFIABLE, True)


@pytest.mark.parametrize(
    ("solver", "objective", "best"),
    [
        ("highs", ExpressionObjective.of(("add", ("not", ("mod", ("var", 0), ("var", 1))), ("number", -1))), -1),
        ("z3", ExpressionObjective.of(("imp", ("var", 0), ("number", 1)), maximise=True), -1),
        ("ortools", LinearObjective.of({0: 1, 1: -(1 << 130)}, 1 << 132), 1),
        ("highs", LinearObjective.of({0: 1, 1: -(1 << 130)}, 1 << 132), 1),
    ],
)
def test_the_best_value_where_parts_of_the_objective_are_known(solver: str, objective: Objective, best: int) -> None:
    """Found by `fuzz`: a number in a sum, a sum of numbers alone, a long coefficient of a variable with one number."""
    problem = Problem("objective", Numbered("x", 2), Integers((1, 4)), (), objective=objective)
    answer = answered(installed(solver), Instance("objective", problem, (3, 2)))
    assert (answer.complete, answer.value) == (True, best)


def test_an_objective_beyond_the_numbers_of_pumpkin_is_refused() -> None:
    """Found by `fuzz`: its values wrap without an error."""
    name = installed("pumpkin")
    objective = ExpressionObjective.of(("mul", ("var", 0), ("number", 1 << 64)), maximise=True)
    problem = Problem("wide", Numbered("x", 1), Integers((0, 1)), (), objective=objective)
    with pytest.raises(Unsupported, match="objectives of more than 1,000,000,000"):
        answered(name, Instance("wide", problem, (3,)))
