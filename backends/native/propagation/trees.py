"""Values of expressions, and bounds of them, as decision 21 defines the operators.

part    the value of an operand   span  its least and greatest value, which need not be the tightest
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import reduce
from math import prod
from operator import xor

from puzzles.constraints.expression import Tree

Span = tuple[int, int]
MAX_EXPONENT = 64  # exponent of powers whose span is computed


class Undefined(ArithmeticError):
    """An expression has no value, or its span is not computed."""


def divide(a: int, b: int) -> int:
    """Return the quotient truncated towards zero. Raises Undefined."""
    if b == 0:
        raise Undefined("division by zero")
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


def power(a: int, b: int) -> int:
    if b < 0:
        raise Undefined("negative exponent")
    return int(a**b)


def truth(a: Span) -> Span:
    """Return the span of: 1 where a is not 0, else 0."""
    return (1, 1) if a[0] > 0 or a[1] < 0 else (0, int(a != (0, 0)))


def unless(a: Span) -> Span:
    """Return the span of `not a`."""
    low, high = truth(a)
    return 1 - high, 1 - low


def corners(a: Span, b: Span, function: Callable[[int, int], int]) -> Span:
    """Return the span of a function that is monotone in each operand."""
    found = [function(x, y) for x in a for y in b]
    return min(found), max(found)


def absolute(a: Span) -> Span:
    return (0 if a[0] <= 0 <= a[1] else min(map(abs, a))), max(map(abs, a))


def quotient_span(a: Span, b: Span) -> Span:
    most = max(map(abs, a))
    return (-most, most) if b[0] <= 0 <= b[1] else corners(a, b, divide)


def remainder_span(a: Span, b: Span) -> Span:
    most = min(max(map(abs, a)), max(map(abs, b)))
    return (-most if a[0] < 0 else 0), (most if a[1] > 0 else 0)


def power_span(a: Span, b: Span) -> Span:
    if b[1] > MAX_EXPONENT:
        raise Undefined("a large exponent")
    most = max(1, max(map(abs, a)) ** max(b[1], 0))
    return (-most if a[0] < 0 else 0), most


def less(a: Span, b: Span) -> Span:
    """Return the span of a < b."""
    return int(a[1] < b[0]), int(a[0] < b[1])


def equal(*parts: Span) -> Span:
    least, most = max(low for low, _ in parts), min(high for _, high in parts)
    return int(all(part == (least, least) for part in parts)), int(least <= most)


def choice(a: Span, b: Span, c: Span) -> Span:
    branches = [branch for branch, taken in ((b, truth(a)[1]), (c, unless(a)[1])) if taken]
    return min(low for low, _ in branches), max(high for _, high in branches)


def each(pick: Callable[[Iterator[int]], int]) -> Callable[..., Span]:
    """Return a function on spans that applies `pick` to the least values, and to the greatest."""
    return lambda *parts: (pick(low for low, _ in parts), pick(high for _, high in parts))


OPERATORS: dict[str, tuple[Callable[..., int], Callable[..., Span]]] = {  # the value, and its span
    "neg": (lambda a: -a, lambda a: (-a[1], -a[0])),
    "abs": (abs, absolute),
    "sqr": (lambda a: a * a, lambda a: (absolute(a)[0] ** 2, absolute(a)[1] ** 2)),
    "add": (lambda *parts: sum(parts), each(sum)),
    "sub": (lambda a, b: a - b, lambda a, b: (a[0] - b[1], a[1] - b[0])),
    "mul": (lambda *parts: prod(parts), lambda *parts: reduce(lambda a, b: corners(a, b, int.__mul__), parts)),
    "div": (divide, quotient_span),
    "mod": (lambda a, b: a - b * divide(a, b), remainder_span),
    "pow": (power, power_span),
    "dist": (lambda a, b: abs(a - b), lambda a, b: absolute((a[0] - b[1], a[1] - b[0]))),
    "min": (lambda *parts: min(parts), each(min)),
    "max": (lambda *parts: max(parts), each(max)),
    "lt": (lambda a, b: a < b, less),
    "le": (lambda a, b: a <= b, lambda a, b: unless(less(b, a))),
    "gt": (lambda a, b: a > b, lambda a, b: less(b, a)),
    "ge": (lambda a, b: a >= b, lambda a, b: unless(less(a, b))),
    "ne": (lambda a, b: a != b, lambda a, b: unless(equal(a, b))),
    "eq": (lambda *parts: len(set(parts)) == 1, equal),
    "not": (lambda a: not a, unless),
    "and": (lambda *parts: all(parts), lambda *parts: each(min)(*map(truth, parts))),
    "or": (lambda *parts: any(parts), lambda *parts: each(max)(*map(truth, parts))),
    "xor": (
        lambda *parts: reduce(xor, map(bool, parts)),
        lambda *parts: reduce(lambda a, b: unless(equal(a, b)), map(truth, parts)),
    ),
    "iff": (lambda *parts: len(set(map(bool, parts))) == 1, lambda *parts: equal(*map(truth, parts))),
    "imp": (lambda a, b: not a or bool(b), lambda a, b: each(max)(unless(a), truth(b))),
    "if": (lambda a, b, c: b if a else c, choice),
}


def value(tree: Tree, numbers: Mapping[int, int]) -> int:
    """Return the value of a tree for the numbers of its variables. Raises Undefined if any part is undefined."""
    name, *parts = tree
    if name == "var":
        return numbers[parts[0]]
    if name == "number":
        return int(parts[0])
    if name == "in":
        return value(parts[0], numbers) in parts[1][1:]
    return OPERATORS[name][0](*[value(part, numbers) for part in parts])


def span(tree: Tree, spans: Callable[[int], Span]) -> Span:
    """Return bounds of the values of a tree, from those of its variables. Raises Undefined."""
    name, *parts = tree
    if name == "var":
        return spans(parts[0])
    if name == "number":
        return parts[0], parts[0]
    if name == "in":
        members: Sequence[int] = parts[1][1:]
        low, high = span(parts[0], spans)
        inside = [n for n in members if low <= n <= high]
        return int(low == high and bool(inside)), int(bool(inside))
    return OPERATORS[name][1](*[span(part, spans) for part in parts])
