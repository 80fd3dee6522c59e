"""Clingo: conformance, options, all kinds against brute force, limits, what is refused."""

import subprocess
import sys
from importlib.util import find_spec
from random import Random

import pytest

from backends.contract import registry
from backends.contract.answer import Ask, Reason, Unsupported
from backends.contract.cases import FOUR
from backends.contract.conformance import BRIEF, check
from backends.contract.objective_cases import soft
from backends.contract.options import matching_options
from encoders.direct import alldifferent, constraints
from encoders.formula import Constraints, Text
from puzzles.constraints.all_different import AllDifferent
from puzzles.constraints.expression import OPERATORS, Expression
from puzzles.constraints.linear import Linear
from puzzles.generating.problems import KINDS
from puzzles.problem import Constraint, Instance, Problem
from puzzles.problem.values import Integers, Numbered
from tests.backends.configurations import assert_refused, faults_of_options, options_of
from tests.backends.small_problems import assert_stopped, check_kinds, pigeonhole
from tests.definitions import solutions

pytestmark = pytest.mark.skipif(find_spec("clingo") is None, reason="clingo is not installed")
THREADS = frozenset({"--parallel-mode"})
X, Y, Z = ("var", 0), ("var", 1), ("var", 2)


def alone(constraint: Constraint, *numbers: int, variables: int = 3) -> Instance[Problem]:
    problem = Problem("alone", Numbered("x", variables), Integers(numbers), (constraint,))
    return Instance("alone", problem, problem.open)


def test_clingo_conforms() -> None:
    assert check(registry.find("clingo")) == []


@pytest.mark.parametrize("option", ["--parallel-mode=2", "--enum-mode=record", "--configuration=trendy"])
def test_a_configuration_conforms(option: str) -> None:
    assert check(registry.find(f"clingo[{option}]"), effort=BRIEF) == []


def test_every_value_of_an_option_leaves_answers_right() -> None:
    assert faults_of_options("clingo", THREADS) == []


@pytest.mark.parametrize("bad", ["--configuration=bogus", "--rand-freq=2", "--enum-mode=brave"])
def test_other_options_and_values_are_refused_by_name(bad: str) -> None:
    assert_refused("clingo", bad)


def test_a_glob_matches_each_configuration() -> None:
    names = [words for (words,) in matching_options("clingo", options_of("clingo"), ["--configuration=*y"])]
    assert names == [f"--configuration={name}" for name in ("frumpy", "jumpy", "tweety", "handy", "crafty", "trendy")]


def test_an_option_changes_the_search() -> None:
    counters = [
        registry.find(name).open(alldifferent(FOUR)).ask(Ask(FOUR.open)).counters
        for name in ("clingo", "clingo[--sign-def=pos]")
    ]
    assert counters[0] != counters[1]


@pytest.mark.parametrize("kind", KINDS)
def test_solutions_of_a_kind_are_those_of_brute_force(kind: str) -> None:
    for seed in range(20):
        check_kinds("clingo", [kind], seed)


def test_solutions_of_two_kinds_are_those_of_brute_force() -> None:
    random = Random(1)
    for seed in range(60):
        check_kinds("clingo", random.sample(sorted(KINDS), 2), seed)


@pytest.mark.parametrize("operator", sorted(OPERATORS))
def test_operators_are_exact(operator: str) -> None:
    parts = {1: [X], 2: [X, Y], 3: [X, Y, X]}[max(2, OPERATORS[operator][0]) if OPERATORS[operator][1] != 1 else 1]
    instance = alone(Expression((("eq", (operator, *parts), Z),)), -3, -2, -1, 0, 1, 2, 4)
    session = registry.find("clingo").open(constraints(instance.problem, instance.domains))
    answer = session.ask(Ask(instance.domains, 400))
    assert set(answer.solutions) == solutions(instance.problem, instance.domains)
    assert answer.complete


@pytest.mark.parametrize(
    ("constraint", "largest", "named"),
    [
        (Linear.of([([2**20, 1], [0, 1], ">=", 1)]), 2**12, "sums"),
        (Linear.of([([1], [0], ">=", -(2**31))]), 1, "sums"),
        (Expression((("gt", ("mul", X, Y, X), ("number", 0)),)), 2000, "expressions"),
        (Expression((("lt", X, ("number", 2**31)),)), 1, "expressions"),
        (AllDifferent(((0, 1),)), 2**31, "numbers"),
    ],
)
def test_numbers_beyond_32_bits_are_refused(constraint: Constraint, largest: int, named: str) -> None:
    instance = alone(constraint, 0, largest)
    with pytest.raises(Unsupported, match=f"clingo does not support {named} of more than 32 bits"):
        registry.find("clingo").open(constraints(instance.problem, instance.domains))


def test_a_kind_that_is_not_known_is_refused_by_name() -> None:
    class Unknown(AllDifferent):
        kind = "unknown"

    with pytest.raises(Unsupported, match="clingo does not support unknown"):
        registry.find("clingo").open(Constraints(1, range(2), (Unknown(()),)))
    with pytest.raises(Unsupported, match="not Text"):
        registry.find("clingo").open(Text("12", ".", "latin 2"))


def test_the_deadline_stops_a_search() -> None:
    problem = pigeonhole(14)
    session = registry.find("clingo").open(constraints(problem, problem.open))
    assert_stopped(session.ask(Ask(problem.open, seconds=0.1)))
    assert_stopped(session.ask(Ask(problem.open, seconds=0.0)))


def test_describing_backends_imports_no_clingo() -> None:
    code = "import sys; from backends.contract import registry; registry.load_base('clingo')"
    code += "; print('clingo' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_weights_that_add_up_beyond_32_bits_leave_an_answer_open_with_a_note() -> None:
    rows = [((1 << 31) - 1, [1]), ((1 << 31) - 1, [1]), (5, [-1])]
    case = soft("equal clauses", "clasp adds up their weights", 2, rows, [-1, 2])
    answer = registry.find("clingo").open(constraints(case.problem, case.domains)).ask(Ask(case.domains))
    assert (answer.reason, answer.note) == (Reason.STUCK, "clingo: weight too large")
