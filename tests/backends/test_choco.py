"""Choco: searches, its limits, and what it is not given. `test_flat.py` has what solvers of flat programs share."""

from importlib.util import find_spec

import pytest

from backends.contract import conformance, registry
from backends.contract.answer import Ask, Reason, Status, Unsupported
from backends.contract.options import BadOption
from encoders.direct import constraints
from puzzles.constraints.expression import Expression
from puzzles.constraints.linear import Linear
from puzzles.problem import Instance, Problem
from puzzles.problem.values import Integers, Numbered
from tests.backends.configurations import assert_refused, faults_of_options
from tests.backends.kind_checks import alone, answered, hard_pigeons

pytestmark = pytest.mark.skipif(find_spec("pychoco") is None, reason="choco is not installed: pip install pychoco")


@pytest.mark.parametrize("options", ["search=activity_based", "search=failure_rate_based", "search=random,seed=3"])
def test_a_search_conforms(options: str) -> None:
    assert conformance.check(registry.find(f"choco[{options}]"), effort=conformance.BRIEF) == []


def test_every_search_leaves_answers_right() -> None:
    assert faults_of_options("choco", frozenset({"seed"})) == []


def test_other_options_and_values_are_refused_by_name() -> None:
    assert_refused("choco", "search=bogus")
    with pytest.raises(BadOption, match="choco: option 'seed' is of search=random alone"):
        registry.find("choco[seed=3]")


def test_the_order_of_values_of_a_search_decides_which_solution_is_first() -> None:
    problem = Problem("free", Numbered("x", 2), Integers((3, 5, 9)), ())
    first = [
        registry.find(f"choco[search={order}]").open(constraints(problem)).ask(Ask(problem.open)).solutions
        for order in ("input_order_lb", "input_order_ub")
    ]
    assert first == [((0, 0),), ((2, 2),)]


def test_a_search_without_end_is_a_timeout_with_what_was_counted() -> None:
    answer = answered("choco", hard_pigeons(13), seconds=1)
    assert (answer.status, answer.reason) == (Status.UNKNOWN, Reason.TIMEOUT)
    assert answer.counters["conflicts"] > 0


def test_the_limit_of_nodes_is_kept() -> None:
    instance = hard_pigeons(13)
    answer = registry.find("choco").open(constraints(instance.problem)).ask(Ask(instance.domains, nodes=50))
    assert answer.reason == Reason.TIMEOUT
    assert answer.counters["decisions"] <= 51


@pytest.mark.parametrize(
    ("instance", "named"),
    [
        (alone(Linear.of([([1], [0], ">=", 1)]), 0, 10**8), "domains with numbers above 21474836"),
        (alone(Linear.of([([10**9, 10**9], [0, 1], "=", 3)]), 0, 1, 2), "sums with numbers above 2147483647"),
        (
            alone(Expression((("ge", ("pow", ("var", 0), ("number", 9)), ("var", 1)),)), 0, 99),
            "expressions with numbers",
        ),
    ],
)
def test_numbers_beyond_its_integers_are_refused_by_name(instance: Instance[Problem], named: str) -> None:
    with pytest.raises(Unsupported, match=f"choco does not support {named}"):
        answered("choco", instance)
