"""Global constraints on how often values are taken: count, among, at most, at least, exactly, global cardinality."""

from collections.abc import Sequence

from puzzles.constraints.cardinality import Cardinality
from puzzles.constraints.count import Count
from puzzles.constraints.expression import OPERATOR_OF, Tree
from puzzles.readers.building import united
from puzzles.readers.flatzinc.arguments import Arguments, same_length
from puzzles.readers.flatzinc.builtins import Post
from puzzles.readers.flatzinc.conditions import joined, num, numbers_of
from puzzles.readers.flatzinc.document import Value

COUNTS = {"eq": "=", "neq": "!=", "geq": "<=", "gt": "<", "leq": ">=", "lt": ">"}  # count_geq: the bound is at least it


def counted(sign: str) -> Post:
    """Return the function that compares how often a value is taken with a bound."""
    return lambda at, args: count(at, at.operands(args[0]), at.operand(args[1]), sign, at.operand(args[2]))


def counted_between(sign: str) -> Post:
    """Return the function of at_most, at_least and exactly, whose bound comes first."""
    return lambda at, args: count(at, at.operands(args[1]), at.operand(args[2]), sign, at.operand(args[0]))


def count(at: Arguments, operands: Sequence[Tree], value: Tree, sign: str, bound: Tree) -> None:
    """Compare how often a value is taken with a bound."""
    if value[0] == "number":
        row = (at.model.variables(operands), (value[1],), sign, at.model.variable(bound))
        at.model.add(Count, row)
        return
    at.model.require((OPERATOR_OF[sign], joined("add", [("eq", x, value) for x in operands], num(0)), bound))


def add_among(at: Arguments, args: Sequence[Value]) -> None:
    bound, operands, ranges = at.operand(args[0]), at.operands(args[1]), at.ranges(args[2])
    at.model.add(Count, (at.model.variables(operands), tuple(numbers_of(ranges)), "=", at.model.variable(bound)))


def cardinality(closed: bool) -> Post:
    """Return the function that adds counts of values; `closed`: no other value is taken."""

    def post(at: Arguments, args: Sequence[Value]) -> None:
        operands, cover, counts = at.operands(args[0]), at.numbers(args[1]), at.operands(args[2])
        same_length("a global cardinality", cover, counts)
        if closed:
            take_only(at, operands, cover)
        if len(set(cover)) == len(cover):
            scope = at.model.variables(operands)
            at.model.add(Cardinality, (scope, tuple(cover), at.model.variables(counts), False))
            return
        for value, bound in zip(cover, counts, strict=True):
            count(at, operands, num(value), "=", bound)

    return post


def take_only(at: Arguments, operands: Sequence[Tree], numbers: Sequence[int]) -> None:
    """Require that operands take some numbers alone."""
    allowed = united([(number, number) for number in numbers])
    for operand in operands:
        at.model.restrict(operand, allowed)


def cardinality_between(closed: bool) -> Post:
    """Return the function that adds the least and the greatest number of times that each value is taken."""

    def post(at: Arguments, args: Sequence[Value]) -> None:
        operands, cover, least, most = at.operands(args[0]), *map(at.numbers, args[1:4])
        same_length("a global cardinality", cover, least, most)
        if closed:
            take_only(at, operands, cover)
        scope = at.model.variables(operands)
        for value, low, high in zip(cover, least, most, strict=True):
            if low > 0:
                at.model.add(Count, (scope, (value,), ">=", at.model.constant(low)))
            if high < len(scope):
                at.model.add(Count, (scope, (value,), "<=", at.model.constant(high)))

    return post


COUNTING: dict[str, tuple[int, Post]] = {  # number of arguments and function of each constraint
    **{f"count_{name}{form}": (3, counted(sign)) for name, sign in COUNTS.items() for form in ("", "_par")},
    "at_most_int": (3, counted_between("<=")),
    "at_least_int": (3, counted_between(">=")),
    "exactly_int": (3, counted_between("=")),
    "among": (3, add_among),
    "global_cardinality": (3, cardinality(closed=False)),
    "global_cardinality_closed": (3, cardinality(closed=True)),
    "global_cardinality_low_up": (4, cardinality_between(closed=False)),
    "global_cardinality_low_up_closed": (4, cardinality_between(closed=True)),
}
