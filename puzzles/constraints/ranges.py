"""Ranges of expressions: the least and the greatest value of a tree, which need not be the tightest.

An undefined division or power counts as 0, as in puzzles.constraints.expression.
"""

from collections.abc import Callable, Iterator
from functools import reduce

from puzzles.constraints.expression import MAX_BITS, Tree

Range = tuple[int, int]  # least and greatest


def magnitude(a: Range) -> int:
    """Return the greatest size of a number in a range."""
    return max(abs(a[0]), abs(a[1]))


def truth(a: Range) -> Range:
    """Return the range of: 1 where a is not 0, else 0."""
    return (1, 1) if a[0] > 0 or a[1] < 0 else (0, int(a != (0, 0)))


def opposite(a: Range) -> Range:
    """Return the range of `not a`."""
    low, high = truth(a)
    return 1 - high, 1 - low


def corners(a: Range, b: Range, function: Callable[[int, int], int]) -> Range:
    """Return the range of a function that is monotone in each operand."""
    found = [function(x, y) for x in a for y in b]
    return min(found), max(found)


def size(a: Range) -> Range:
    """Return the range of the size of a number."""
    return 0 if a[0] <= 0 <= a[1] else min(map(abs, a)), magnitude(a)


def truncated(a: int, b: int) -> int:
    """Return a / b truncated towards zero."""
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


def quotient(a: Range, b: Range) -> Range:
    return (-magnitude(a), magnitude(a)) if b[0] <= 0 <= b[1] else corners(a, b, truncated)


def remainder(a: Range, b: Range) -> Range:
    most = min(magnitude(a), magnitude(b))
    return -most if a[0] < 0 else 0, most if a[1] > 0 else 0


def power(a: Range, b: Range) -> Range:
    """Return a range of powers; with an exponent above MAX_BITS only powers of 0, 1 and -1 are allowed numbers."""
    most = max(1, magnitude(a) ** min(max(b[1], 0), int(MAX_BITS)))
    return -most if a[0] < 0 else 0, most


def less(a: Range, b: Range) -> Range:
    """Return the range of a < b."""
    return int(a[1] < b[0]), int(a[0] < b[1])


def equal(*parts: Range) -> Range:
    least, most = max(low for low, _ in parts), min(high for _, high in parts)
    return int(all(part == (least, least) for part in parts)), int(least <= most)


def choice(a: Range, b: Range, c: Range) -> Range:
    taken = [part for part, possible in ((b, truth(a)[1]), (c, opposite(a)[1])) if possible]
    return min(low for low, _ in taken), max(high for _, high in taken)


def each(pick: Callable[[Iterator[int]], int]) -> Callable[..., Range]:
    """Return a function on ranges that applies `pick` to the least values, and to the greatest."""
    return lambda *parts: (pick(low for low, _ in parts), pick(high for _, high in parts))


RANGES: dict[str, Callable[..., Range]] = {
    "neg": lambda a: (-a[1], -a[0]),
    "abs": size,
    "sqr": lambda a: (size(a)[0] ** 2, magnitude(a) ** 2),
    "add": each(sum),
    "sub": lambda a, b: (a[0] - b[1], a[1] - b[0]),
    "mul": lambda *parts: reduce(lambda a, b: corners(a, b, int.__mul__), parts),
    "div": quotient,
    "mod": remainder,
    "pow": power,
    "dist": lambda a, b: size((a[0] - b[1], a[1] - b[0])),
    "min": each(min),
    "max": each(max),
    "lt": less,
    "le": lambda a, b: opposite(less(b, a)),
    "gt": lambda a, b: less(b, a),
    "ge": lambda a, b: opposite(less(a, b)),
    "ne": lambda a, b: opposite(equal(a, b)),
    "eq": equal,
    "not": opposite,
    "and": lambda *parts: each(min)(*map(truth, parts)),
    "or": lambda *parts: each(max)(*map(truth, parts)),
    "xor": lambda *parts: reduce(lambda a, b: opposite(equal(a, b)), map(truth, parts)),
    "iff": lambda *parts: equal(*map(truth, parts)),
    "imp": lambda a, b: each(max)(opposite(a), truth(b)),
    "if": choice,
}


def range_of(tree: Tree, of_variable: Callable[[int], Range]) -> Range:
    """Return a range that holds every value of a tree, from the ranges of its variables."""
    name, *parts = tree
    if name == "var":
        return of_variable(parts[0])
    if name == "number":
        return parts[0], parts[0]
    if name == "in":
        low, high = range_of(parts[0], of_variable)
        inside = any(low <= n <= high for n in parts[1][1:])
        return int(low == high and inside), int(inside)
    return RANGES[name](*[range_of(part, of_variable) for part in parts])
