"""Z3 by its three routes: conformance, options, all kinds against brute force, limits, what is refused."""

import subprocess
import sys
from importlib.util import find_spec
from random import Random

import pytest

from backends.contract import registry
from backends.contract.answer import Ask, Reason, Status, Unsupported
from backends.contract.conformance import BRIEF, check
from backends.z3.models import Numbers
from encoders.direct import constraints
from encoders.formula import Constraints, Text
from encoders.registry import default, spec
from puzzles.boards.families import layout
from puzzles.constraints.all_different import AllDifferent
from puzzles.constraints.expression import Expression, Tree
from puzzles.constraints.linear import Linear
from puzzles.generating.problems import KINDS
from puzzles.objectives.linear import LinearObjective
from puzzles.problem import Constraint, Instance, Problem
from puzzles.problem.values import Domains, Integers, Numbered, Solution
from tests.backends.configurations import assert_refused, faults_of_options
from tests.backends.small_problems import assert_stopped, check_kinds, pigeonhole
from tests.definitions import solutions

pytestmark = pytest.mark.skipif(find_spec("z3") is None, reason="z3 is not installed")
ROUTES = ("z3:int", "z3:bool", "z3:bv")
X, Y = ("var", 0), ("var", 1)


def alone(constraint: Constraint, *numbers: int, variables: int = 2) -> Instance[Problem]:
    problem = Problem("alone", Numbered("x", variables), Integers(numbers), (constraint,))
    return Instance("alone", problem, problem.open)


def tree(*parts: object) -> Expression:
    return Expression((parts,))


@pytest.mark.parametrize("name", ROUTES)
def test_each_route_conforms(name: str) -> None:
    assert check(registry.find(name), effort=BRIEF) == []


@pytest.mark.parametrize("name", ROUTES)
def test_every_value_of_an_option_leaves_answers_right(name: str) -> None:
    assert faults_of_options(name) == []


@pytest.mark.parametrize(
    ("name", "bad"), [("z3:int", "arith.solver=3"), ("z3:bool", "restart=bogus"), ("z3:bv", "random_freq=2")]
)
def test_other_options_and_values_are_refused_by_name(name: str, bad: str) -> None:
    assert_refused(name, bad)


def test_an_option_changes_the_search() -> None:
    formula, empty = spec("extended").formula(layout("latin 8")), (0xFF,) * 64
    sessions = [registry.find(name).open(formula) for name in ("z3:bool", "z3:bool[phase=always_true]")]
    counters = [session.ask(Ask(empty)).counters for session in sessions]
    assert counters[0] != counters[1]


def test_booleans_with_at_most_conform() -> None:
    assert check(registry.find("z3:bool"), "booleans", effort=BRIEF) == []


def test_at_most_of_clauses_is_z3s_own() -> None:
    """A Latin square of order 5 with a given first row and column has 56 ways on."""
    board = layout("latin 5")
    given = {s: s for s in range(5)} | {5 * s: s for s in range(5)}
    domains = tuple(1 << given[s] if s in given else board.full for s in range(25))
    session = registry.find("z3:bool").open(spec("minimal+cardinality").formula(board))
    answer = session.ask(Ask(domains, 60))
    assert (len(set(answer.solutions)), answer.complete) == (56, True)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["z3:int", "z3:bv"])
def test_solutions_of_a_kind_are_those_of_brute_force(name: str, kind: str) -> None:
    for seed in range(4):
        check_kinds(name, [kind], seed)


@pytest.mark.parametrize("name", ROUTES)
def test_solutions_of_two_kinds_are_those_of_brute_force(name: str) -> None:
    random = Random(1)
    for seed in range(6):
        check_kinds(name, random.sample(sorted(KINDS), 2), seed)


@pytest.mark.parametrize("name", ["z3:int", "z3:bv"])
@pytest.mark.parametrize("operator", ["mul", "div", "mod", "pow"])
def test_operators_on_two_variables_are_exact(name: str, operator: str) -> None:
    numbers = (-3, -2, -1, 0, 1, 2, 4)
    instance = alone(tree("eq", (operator, X, Y), ("var", 2)), *numbers, variables=3)
    session = registry.find(name).open(constraints(instance.problem, instance.domains))
    answer = session.ask(Ask(instance.domains, 400))
    assert set(answer.solutions) == solutions(instance.problem, instance.domains)
    assert answer.complete


@pytest.mark.parametrize("name", ["z3:int", "z3:bv"])
@pytest.mark.parametrize(
    ("constraint", "only"),
    [
        (Linear.of([([10**30, 1], [0, 1], "=", 7 * 10**30 + 9)]), (7, 9)),
        (Linear.of([([2**80, -1], [0, 1], ">=", 9 * 2**80 - 7)]), (9, 7)),
        (tree("eq", ("mul", X, X, X, X, X, Y), ("number", 9**5 * 7)), (9, 7)),
        (tree("eq", ("add", ("pow", X, ("number", 60)), Y), ("number", 7**60 + 9)), (7, 9)),
    ],
)
def test_numbers_of_any_size_are_exact(name: str, constraint: Constraint, only: tuple[int, int]) -> None:
    instance = alone(constraint, 7, 9)
    answer = registry.find(name).open(constraints(instance.problem, instance.domains)).ask(Ask(instance.domains, 3))
    assert answer.complete
    assert [tuple((7, 9)[v] for v in s) for s in answer.solutions] == [only]


@pytest.mark.parametrize("name", ["z3:int", "z3:bv"])
def test_a_kind_that_is_not_known_is_refused_by_name(name: str) -> None:
    class Unknown(AllDifferent):
        kind = "unknown"

    with pytest.raises(Unsupported, match="no constraints of the kind unknown"):
        registry.find(name).open(Constraints(1, range(2), (Unknown(()),)))


@pytest.mark.parametrize(
    ("power", "numbers", "named"),
    [
        (("pow", X, Y), (0, 10_000), "powers of more than 256 exponents"),
        (("pow", X, ("number", 65)), (0, 10_000), "exponents above 64"),
        (("pow", ("number", 9), Y), (2000, 2001), "numbers of more than 4096 bits"),
    ],
)
def test_huge_powers_are_refused(power: Tree, numbers: tuple[int, int], named: str) -> None:
    instance = alone(tree("gt", power, ("number", 5)), *numbers)
    with pytest.raises(Unsupported, match=named):
        registry.find("z3:int").open(constraints(instance.problem, instance.domains))


@pytest.mark.parametrize("name", ROUTES)
def test_a_formula_of_another_type_is_refused(name: str) -> None:
    with pytest.raises(Unsupported, match=f"{name} takes .*, not (boards as text|Text)"):
        registry.find(name).open(Text("12", ".", "latin 2"))


@pytest.mark.parametrize("name", ROUTES)
def test_the_deadline_stops_a_search(name: str) -> None:
    problem, backend = pigeonhole(14), registry.find(name)
    session = backend.open(default(backend.accepts).formula(problem, problem.open))
    assert_stopped(session.ask(Ask(problem.open, seconds=0.1)))
    assert_stopped(session.ask(Ask(problem.open, seconds=0.0)))


def test_what_z3_cannot_decide_is_no_answer() -> None:
    """The cubes of three numbers add up to 33: the least solution has numbers of 16 digits (Booker, 2019)."""
    cubes = [("mul", ("var", x), ("var", x), ("var", x)) for x in range(3)]
    instance = alone(tree("eq", ("add", *cubes), ("number", 33)), *range(-5000, 5000), variables=3)
    session = registry.find("z3:int").open(constraints(instance.problem, instance.domains))
    answer = session.ask(Ask(instance.domains, seconds=0.2))
    assert answer.status == Status.UNKNOWN
    assert answer.reason in (Reason.TIMEOUT, Reason.STUCK)


def test_no_solution_stays_excluded_in_the_next_ask() -> None:
    board = layout("latin 4")
    session = registry.find("z3:int").open(spec("alldifferent").formula(board))
    domains = (1, 2, *board.open[2:])
    first = session.ask(Ask(domains, 100))
    session.ask(Ask(board.open, 3))
    again = session.ask(Ask(domains, 100))
    assert set(again.solutions) == set(first.solutions)
    assert (len(again.solutions), again.complete) == (48, True)


def test_describing_backends_imports_no_z3() -> None:
    code = "import sys; from backends.contract import registry; registry.load_base('z3'); print('z3' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_a_better_solution_whose_evaluation_is_interrupted_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Z3's limit may fall into its own call back, where it is an error of the evaluation."""
    from z3 import Z3Exception

    taken = Numbers.solution
    interrupted: list[object] = []

    def solution(self: Numbers, model: object, domains: Domains) -> Solution:
        if not interrupted:
            interrupted.append(model)
            raise Z3Exception(b"canceled")
        return taken(self, model, domains)

    monkeypatch.setattr(Numbers, "solution", solution)
    objective = LinearObjective.of({0: 1, 1: 1})
    problem = Problem("sum", Numbered("x", 2), Integers((1, 2, 3)), (), objective=objective)
    session = registry.find("z3:int").open(constraints(problem, problem.open))
    answer = session.ask(Ask(problem.open))
    assert interrupted
    assert (answer.complete, answer.value) == (True, 2)
