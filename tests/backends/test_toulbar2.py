"""toulbar2: its limits, and what it is not given. `test_flat.py` has what solvers of flat programs share."""

from importlib.util import find_spec
from itertools import product
from random import Random

import pytest

from backends.contract import registry
from backends.contract.answer import Ask, Reason, Status, Unsupported
from encoders.direct import constraints
from puzzles.constraints.all_different import AllDifferent
from puzzles.constraints.expression import Expression
from puzzles.constraints.linear import Linear
from puzzles.generating.problems import random_problem
from puzzles.problem import Instance, Problem
from puzzles.problem.values import Integers, Numbered
from tests.backends.kind_checks import alone, answered, hard_pigeons

pytestmark = pytest.mark.skipif(
    find_spec("pytoulbar2") is None, reason="toulbar2 is not installed: pip install pytoulbar2"
)


def test_a_search_without_end_is_a_timeout_and_the_next_ask_is_not() -> None:
    """The flag of a stopped search outlives it, and a conflict before the next search leaves it as it was."""
    answer = answered("toulbar2", hard_pigeons(13), seconds=1)
    assert (answer.status, answer.reason) == (Status.UNKNOWN, Reason.TIMEOUT)
    assert answer.counters["conflicts"] > 0
    never = random_problem(["cardinality"], Random(19))
    assert answered("toulbar2", never).status == Status.UNSATISFIABLE


def test_variables_of_different_domains_differ() -> None:
    """Its own filter loses solutions where domains differ when variables are made."""
    for masks in product(range(1, 8), repeat=3):
        problem = Problem("three", Numbered("x", 3), Integers(range(3)), (AllDifferent(((0, 1, 2),)),))
        every = product(*([v for v in range(3) if mask >> v & 1] for mask in masks))
        right = {solution for solution in every if len(set(solution)) == 3}
        answer = answered("toulbar2", Instance("three", problem, masks), 9)
        assert (set(answer.solutions), answer.complete) == (right, True)


def test_one_session_answers_for_several_domains() -> None:
    problem = Problem("two", Numbered("x", 2), Integers(range(3)), (AllDifferent(((0, 1),)),))
    session = registry.find("toulbar2").open(constraints(problem, (3, 7)))
    for domains, total in (((3, 7), 4), ((4, 7), 0), ((1, 3), 1), ((0, 7), 0), ((3, 7), 4)):
        answer = session.ask(Ask(domains, 9))
        assert (len(answer.solutions), answer.complete) == (total, True)


@pytest.mark.parametrize("comparison", ["<", "<=", "=", "!=", ">=", ">"])
def test_truth_of_a_sum_of_many_numbers_is_exact(comparison: str) -> None:
    """Sums of two variables with 40 numbers are too large for a table."""
    signs = {"<": "lt", "<=": "le", "=": "eq", "!=": "ne", ">=": "ge", ">": "gt"}
    total = ("add", ("var", 0), ("var", 1))
    for negated in (False, True):
        tree = (signs[comparison], total, ("number", 5))
        instance = alone(Expression((("eq", tree, ("number", int(not negated))),)), *range(40))
        holds = {"<": 15, "<=": 21, "=": 6, "!=": 1594, ">=": 1585, ">": 1579}[comparison]
        assert len(answered("toulbar2", instance, 1601).solutions) == (1600 - holds if negated else holds)


@pytest.mark.parametrize(
    ("instance", "named"),
    [
        (alone(Linear.of([([1], [0], ">=", 1)]), *range(10_001)), "domains of more than 10000 numbers"),
        (alone(Linear.of([([4, -4], [0, 1], "=", 0)]), 0, 10**9), "sums with numbers above 1000000000"),
        (alone(Expression((("ge", ("mul", ("var", 0), ("var", 1)), ("number", 9)),)), *range(100)), "tables over more"),
        (alone(Expression((("ge", ("mul", ("var", 0), ("var", 1)), ("number", 9)),)), *range(400)), "tables of more"),
    ],
)
def test_what_is_too_large_is_refused_by_name(instance: Instance[Problem], named: str) -> None:
    with pytest.raises(Unsupported, match=f"toulbar2 does not support {named}"):
        answered("toulbar2", instance)
