"""Pumpkin: its limits, and what it is not given. `test_flat.py` has what solvers of flat programs share."""

from importlib.util import find_spec

import pytest

from backends.contract.answer import Reason, Status, Unsupported
from puzzles.constraints.expression import Expression
from puzzles.constraints.linear import Linear
from puzzles.constraints.table import Table
from puzzles.problem import Instance, Problem
from tests.backends.kind_checks import alone, answered, hard_pigeons

pytestmark = pytest.mark.skipif(
    find_spec("pumpkin_solver") is None, reason="pumpkin is not installed: pip install pumpkin-solver"
)


def test_a_search_without_end_is_a_timeout() -> None:
    answer = answered("pumpkin", hard_pigeons(13), seconds=0.2)
    assert (answer.status, answer.reason) == (Status.UNKNOWN, Reason.TIMEOUT)


def test_numbers_at_the_limit_are_exact() -> None:
    """Sums of up to a thousand million, positive and negative; Pumpkin computes in 32 bits."""
    ends = (-(10**9), -1, 0, 1, 10**9)
    row = ([1, -1], [0, 1], ">=", 10**9)
    with pytest.raises(Unsupported, match="sums"):
        answered("pumpkin", alone(Linear.of([row]), *ends))
    half = (-(5 * 10**8), 0, 5 * 10**8)
    assert answered("pumpkin", alone(Linear.of([row]), *half)).solutions == ((2, 0),)
    pairs = alone(Table.of([(0, 1)], [(-(10**9), 10**9), (1, 0), (10**9, -(10**9))], True), *ends)
    assert set(answered("pumpkin", pairs).solutions) == {(0, 4), (3, 2), (4, 0)}


@pytest.mark.parametrize(
    ("instance", "named"),
    [
        (alone(Linear.of([([1], [0], ">=", 1)]), 0, 2 * 10**9), "domains with numbers above 1000000000"),
        (alone(Linear.of([([4, -4], [0, 1], "=", 0)]), 0, 10**9), "sums with numbers above 1000000000"),
        (
            alone(Expression((("ge", ("mul", ("var", 0), ("var", 1)), ("number", 9)),)), 0, 65_536),
            "expressions with numbers",
        ),
    ],
)
def test_numbers_that_overflow_are_refused_by_name(instance: Instance[Problem], named: str) -> None:
    with pytest.raises(Unsupported, match=f"pumpkin does not support {named}"):
        answered("pumpkin", instance)
