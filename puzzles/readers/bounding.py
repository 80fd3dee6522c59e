"""Ranges of variables: wide ones are kept as ranges, and cut to the bounds that constraints leave them.

All variables of a problem share their values, and a domain is a bit for each. So a variable of a million numbers, such
as a cost, would make all others large. Its constraints mostly leave it far fewer: no value is removed that a solution
has.

    ends  least and greatest number of each variable
"""

from collections.abc import Mapping, Sequence
from typing import Any

from puzzles.constraints.element import Element
from puzzles.constraints.expression import Expression, Tree
from puzzles.constraints.linear import Linear
from puzzles.constraints.minmax import MinMax
from puzzles.constraints.ranges import range_of
from puzzles.readers.building import Ranges, common, size_of

WIDE = 1 << 12  # numbers of a domain that is a range
ROUNDS = 10
MAX_NUMBERS = 1 << 20  # values of all variables together
FLIPPED = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le", "eq": "eq"}

Ends = list[tuple[int, int]]
Interval = tuple[int, int]


def bounded(domains: Sequence[Ranges], rows: Mapping[Any, Sequence[Any]]) -> list[Ranges]:
    """Return the domains, wide ones within the bounds that the rows of each kind leave them."""
    wide = {x for x, domain in enumerate(domains) if len(domain) == 1 and size_of(domain) > WIDE}
    ends: Ends = [(domain[0][0], domain[-1][1]) for domain in domains]
    before: Ends = []
    for _ in range(ROUNDS if wide else 0):
        if before == ends:
            break
        before = list(ends)
        for coefficients, xs, sign, bound in rows.get(Linear, ()):
            if not wide.isdisjoint(xs):
                bound_terms(ends, list(zip(coefficients, xs, strict=True)), sign, bound)
        for tree in rows.get(Expression, ()):
            bound_tree(ends, tree)
        for which, xs, sign, bound in rows.get(MinMax, ()):
            if sign == "=":
                cut(ends, bound, *extremes(min if which == "minimum" else max, [ends[x] for x in xs]))
        for items, _, _, value in rows.get(Element, ()):
            if items:
                cut(ends, value, min(ends[x][0] for x in items), max(ends[x][1] for x in items))
    return [kept(domain, *ends[x]) if x in wide else domain for x, domain in enumerate(domains)]


def extremes(pick: Any, ends: Sequence[Interval]) -> Interval:
    return pick(low for low, _ in ends), pick(high for _, high in ends)


def cut(ends: Ends, x: int, low: int | None, high: int | None) -> None:
    """Keep a variable between bounds; None is no bound. Bounds that cross are left: there is no solution."""
    least, most = ends[x]
    found = least if low is None else max(least, low), most if high is None else min(most, high)
    if found[0] <= found[1]:
        ends[x] = found


def bound_terms(ends: Ends, terms: Sequence[tuple[int, int]], sign: str, bound: int) -> None:
    """Bound each term by what the others leave."""
    if sign in ("=", ">="):
        bound_terms(ends, [(-a, x) for a, x in terms], "<=", -bound)
    if sign not in ("=", "<="):
        return
    least = sum(min(a * ends[x][0], a * ends[x][1]) for a, x in terms)
    for a, x in terms:
        rest = bound - (least - min(a * ends[x][0], a * ends[x][1]))
        if a > 0:
            cut(ends, x, None, rest // a)
        elif a < 0:
            cut(ends, x, -(rest // -a), None)


def bound_tree(ends: Ends, tree: Tree) -> None:
    """Bound a variable that is compared with another tree."""
    if tree[0] not in FLIPPED or len(tree) != 3:
        return
    for name, (kind, *x), other in ((tree[0], tree[1], tree[2]), (FLIPPED[tree[0]], tree[2], tree[1])):
        if kind == "var" and other[0] != "var":
            low, high = range_of(other, ends.__getitem__)
            cut(ends, x[0], low if name in ("eq", "ge", "gt") else None, high if name in ("eq", "le", "lt") else None)


def kept(domain: Ranges, low: int, high: int) -> Ranges:
    """Return the part of a range between bounds, or its first number if there is none."""
    return common(domain, ((low, high),)) or ((domain[0][0], domain[0][0]),)
