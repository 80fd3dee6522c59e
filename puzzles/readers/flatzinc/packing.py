"""Global constraints of bins, knapsacks and windows, as sums: of a bin, the sizes of the items that take it."""

from collections.abc import Sequence

from puzzles.constraints.count import Count
from puzzles.constraints.expression import Tree
from puzzles.errors import ParseError
from puzzles.readers.building import Ranges, common, united
from puzzles.readers.flatzinc.arguments import Arguments, same_length
from puzzles.readers.flatzinc.builtins import Post
from puzzles.readers.flatzinc.conditions import joined, num, numbers_of
from puzzles.readers.flatzinc.document import Value

NOTHING: Ranges = ((0, 0),)


def load(at: Arguments, bins: Sequence[Tree], sizes: Sequence[int], b: int) -> Tree:
    """Return the sum of the sizes of the items in a bin."""
    parts = []
    for item, size in zip(bins, sizes, strict=True):
        if item[0] == "number":
            parts += [num(size)] if item[1] == b else []
        elif common(at.model.domains[item[1]], ((b, b),)):
            packed: Tree = ("eq", item, num(b))
            parts.append(packed if size == 1 else ("mul", packed, num(size)))
    return joined("add", parts, num(0))


def items(at: Arguments, bins: Value, sizes: Value) -> tuple[list[Tree], list[int]]:
    """Return the bin and the size of each item. Raises ParseError."""
    found = at.operands(bins), at.numbers(sizes)
    same_length("a bin packing", *found)
    return found


def add_bins(at: Arguments, args: Sequence[Value]) -> None:
    """Add bins of one capacity: every bin that some item may take."""
    capacity, (bins, sizes) = at.number(args[0]), items(at, args[1], args[2])
    used = united([pair for item in bins for pair in domain_of(at, item)])
    for b in numbers_of(used):
        at.model.require(("le", load(at, bins, sizes, b), num(capacity)))


def filled(operator: str) -> Post:
    """Return the function that adds bins with a capacity or a load each; the number of the first bin comes last."""

    def post(at: Arguments, args: Sequence[Value]) -> None:
        bins, sizes = items(at, args[1], args[2])
        for b, total in each_bin(at, args[0], bins, args[3:]):
            at.model.require((operator, load(at, bins, sizes, b), total))

    return post


def each_bin(at: Arguments, value: Value, bins: Sequence[Tree], first: Sequence[Value]) -> list[tuple[int, Tree]]:
    """Return each bin with its stated capacity or load, and restrict the items to these bins."""
    stated, start = at.operands(value), at.number(first[0]) if first else 1
    for item in bins:
        at.model.restrict(item, united([(start, start + len(stated) - 1)]) if stated else ())
    return list(enumerate(stated, start))


def domain_of(at: Arguments, item: Tree) -> Ranges:
    return ((item[1], item[1]),) if item[0] == "number" else at.model.domains[item[1]]


def add_knapsack(at: Arguments, args: Sequence[Value]) -> None:
    """Add the total weight and the total worth of the items taken; no item is taken less than 0 times."""
    weights, worths, taken = at.numbers(args[0]), at.numbers(args[1]), at.operands(args[2])
    same_length("a knapsack", weights, worths, taken)
    for factors, total in ((weights, args[3]), (worths, args[4])):
        at.model.compare([*zip(factors, taken, strict=True), (-1, at.operand(total))], "=", 0)
    for x in taken:
        at.model.compare([(1, x)], ">=", 0)


def different_except(listed: bool) -> Post:
    """Return the function that requires different values, except for the values of a set, or for 0."""

    def post(at: Arguments, args: Sequence[Value]) -> None:
        operands = at.operands(args[0])
        excepted = at.ranges(args[1]) if listed else NOTHING
        for n in numbers_of(united([pair for x in operands for pair in domain_of(at, x)])):
            among = [x for x in operands if common(domain_of(at, x), ((n, n),))]
            if len(among) > 1 and not common(((n, n),), excepted):
                at.model.add(Count, (at.model.variables(among), (n,), "<=", at.model.constant(1)))

    return post


def add_windows(at: Arguments, args: Sequence[Value]) -> None:
    """Add bounds of the sum of each window of a size. Raises ParseError."""
    low, high, size = map(at.number, args[:3])
    operands = at.operands(args[3])
    if size < 0:
        raise ParseError(f"windows of {size} variables")
    for i in range(len(operands) - size + 1):
        terms = [(1, x) for x in operands[i : i + size]]
        at.model.compare(terms, ">=", low)
        at.model.compare(terms, "<=", high)


PACKING: dict[str, tuple[int, Post]] = {  # number of arguments and function of each constraint
    "bin_packing": (3, add_bins),
    "bin_packing_capa": (3, filled("le")),
    "crosscheck_bin_packing_capa": (4, filled("le")),
    "bin_packing_load": (3, filled("eq")),
    "crosscheck_bin_packing_load": (4, filled("eq")),
    "knapsack": (5, add_knapsack),
    "all_different_except": (2, different_except(listed=True)),
    "all_different_except_0": (1, different_except(listed=False)),
    "sliding_sum": (4, add_windows),
}
