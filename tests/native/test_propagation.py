"""Values that the propagators of native:python remove before the first branching, by kind of constraint."""

import pytest

from backends.contract.answer import Ask
from backends.native.budget import Budget
from backends.native.propagation import PROPAGATORS
from backends.native.propagation.search import propagate
from backends.native.propagation.store import Scale, Store
from puzzles.constraints.all_different import AllDifferent
from puzzles.constraints.automaton import Automaton
from puzzles.constraints.cardinality import Cardinality
from puzzles.constraints.clauses import Clauses
from puzzles.constraints.count import Count
from puzzles.constraints.element import Element
from puzzles.constraints.expression import Expression, Tree
from puzzles.constraints.lex import Lex
from puzzles.constraints.linear import Linear
from puzzles.constraints.minmax import MinMax
from puzzles.constraints.nvalues import NValues
from puzzles.constraints.table import STAR, Table
from puzzles.problem import Constraint

Sets = list[set[int]]  # the numbers of each variable
X, Y, Z = (("var", x) for x in range(3))


def propagated(constraint: Constraint, before: Sets) -> Sets | None:
    """Return the numbers left of each variable, None for a contradiction."""
    numbers = sorted(set().union(*before))
    scale = Scale(numbers)
    store = Store(scale, list(PROPAGATORS[constraint.kind](constraint, scale)), [scale.among(s) for s in before])
    sound = propagate(store, Budget(Ask(())))
    return [set(scale.numbers_in(d)) for d in store.domains] if sound else None


UNIT = AllDifferent(((0, 1, 2),))
CASES: dict[str, tuple[Constraint, Sets, Sets | None]] = {
    "a decided value from the others": (UNIT, [{4}, {4, 5, 6, 7}, {4, 5, 6, 7}], [{4}, {5, 6, 7}, {5, 6, 7}]),
    "others of a value with one variable": (UNIT, [{1, 2}, {1, 2}, {1, 2, 3}], [{1, 2}, {1, 2}, {3}]),
    "no value that is not needed": (UNIT, [{1, 2}, {1, 2}, {3, 4}], [{1, 2}, {1, 2}, {3, 4}]),
    "all, with fewer values than variables": (UNIT, [{1, 2}, {1, 2}, {1, 2}], None),
    "false, from the last literal": (Clauses.of([[1, -2, 3]]), [{0}, {1}, {0, 1}], [{0}, {1}, {1}]),
    "nothing, with two literals": (Clauses.of([[1, -2]]), [{0, 1}, {0, 1}], [{0, 1}, {0, 1}]),
    "bounds of a sum": (
        Linear.of([([2, -3], [0, 1], "<=", -5)]),
        [set(range(6)), set(range(4))],
        [{0, 1, 2}, {2, 3}],
    ),
    "both bounds": (Linear.of([([1, 1], [0, 1], "=", 7)]), [set(range(5)), set(range(5))], [{3, 4}, {3, 4}]),
    "the last number that equals": (Linear.of([([2, 1], [0, 1], "!=", 7)]), [{1, 3, 5}, {1}], [{1, 5}, {1}]),
    "values without a tuple": (
        Table.of([(0, 1)], [(1, 2), (2, 3), (3, STAR)]),
        [{1, 2}, {1, 2, 3}],
        [{1, 2}, {2, 3}],
    ),
    "the value of a forbidden tuple": (
        Table.of([(0, 1)], [(1, 2), (STAR, 3)], positive=False),
        [{1}, {1, 2, 3}],
        [{1}, {1}],
    ),
    "positions without the value": (
        Element((((0, 1), 2, 1, 3),)),
        [{5}, {6, 7}, {0, 1, 2, 3}, {6, 8}],
        [{5}, {6}, {2}, {6}],
    ),
    "what makes a count too high": (Count((((0, 1), (1, 2), "<", 2),)), [{1}, {1, 3}, {2}], [{1}, {3}, {2}]),
    "what makes a count too low": (Count((((0, 1), (1, 2), ">=", 2),)), [{1, 3}, {2, 3}, {2}], [{1}, {2}, {2}]),
    "counts that are impossible": (
        Count((((0, 1), (1,), "=", 2),)),
        [{1}, {1, 3}, {0, 1, 2, 3}],
        [{1}, {1, 3}, {1, 2}],
    ),
    "other numbers of a closed row": (
        Cardinality((((0, 1), (1, 2), (2, 3), True),)),
        [{1, 2, 3}, {1, 2, 3}, {0, 1, 2}, {1}],
        [{1, 2}, {1, 2}, {1}, {1}],
    ),
    "new numbers, if there may be none": (
        NValues((((0, 1), (9,), "<=", 2),)),
        [{1}, {1, 2, 9}, {1}],
        [{1}, {1, 9}, {1}],
    ),
    "numbers beyond the extreme": (
        MinMax((("minimum", (0, 1), ">=", 2),)),
        [{1, 2, 3}, {0, 3}, {2}],
        [{2, 3}, {3}, {2}],
    ),
    "all but the extreme": (MinMax((("maximum", (0, 1), "=", 2),)), [{1, 2, 5}, {1, 2}, {5}], [{5}, {1, 2}, {5}]),
    "bounds of the first open pair": (
        Lex((((0, 1), (0, 2), "<"),)),
        [{4}, {1, 2, 3}, {1, 2, 3}],
        [{4}, {1, 2}, {2, 3}],
    ),
    "equal numbers, if the rest is not in order": (
        Lex((((0, 2), (1, 3), "<="),)),
        [{1, 2}, {1, 2}, {5}, {4}],
        [{1}, {2}, {5}, {4}],
    ),
    "values on no path": (
        Automaton(((0, 1, 2),), ((0, 1, 1), (0, 2, 0), (1, 2, 1), (1, 3, 2)), 0, (2,)),
        [{1, 2, 3}, {1, 2, 3}, {1, 2, 3}],
        [{1, 2}, {1, 2}, {3}],
    ),
    "bounds of an expression that is a sum": (
        Expression((("lt", ("add", X, ("mul", ("number", 2), Y)), ("number", 4)),)),
        [set(range(1, 9)), set(range(1, 9))],
        [{1}, {1}],
    ),
    "numbers without support": (
        Expression((("eq", ("mul", X, Y), Z),)),
        [{2, 3, 4}, {2, 3, 5}, {7, 9, 10}],
        [{2, 3}, {3, 5}, {9, 10}],
    ),
    "all, where an expression is undefined": (Expression((("le", ("div", X, Y), Z),)), [{1, 2}, {0}, {5}], None),
}


@pytest.mark.parametrize("name", CASES)
def test_propagation_removes(name: str) -> None:
    constraint, before, after = CASES[name]
    assert propagated(constraint, before) == after


WIDE = range(-20, 21)
NARROWED: dict[str, tuple[Tree, tuple[range, ...], tuple[range, ...] | None]] = {
    "a product that is too small": (("gt", ("mul", X, Y, Z), ("number", 8000)), (WIDE,) * 3, None),
    "a product that may be large enough": (("ge", ("mul", X, Y, Z), ("number", 8000)), (WIDE,) * 3, (WIDE,) * 3),
    "the only order of two tasks": (
        ("or", ("le", ("add", X, ("number", 5)), Y), ("le", ("add", Y, ("number", 3)), X)),
        (range(50), range(5)),
        (range(3, 50), range(5)),
    ),
    "the opposite": (("not", ("imp", ("lt", X, Y), ("ge", Y, X))), (range(20), range(20)), None),
    "a distance": (("le", ("dist", X, Y), ("number", 2)), (range(50), range(10, 13)), (range(8, 15), range(10, 13))),
    "a largest part": (
        ("lt", ("max", X, ("mul", ("number", 3), Y)), ("number", 10)),
        (range(50), range(50)),
        (range(10), range(4)),
    ),
    "both sides of an equation": (
        ("eq", ("abs", X), ("sub", Y, Z)),
        (WIDE, range(9), range(3, 7)),
        (range(-5, 6), range(3, 9), range(3, 7)),
    ),
}


@pytest.mark.parametrize("name", NARROWED)
def test_expressions_of_many_combinations_narrow(name: str) -> None:
    tree, before, after = NARROWED[name]
    left = propagated(Expression((tree,)), [set(numbers) for numbers in before])
    assert left == (None if after is None else [set(numbers) for numbers in after])
