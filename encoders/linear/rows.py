"""Comparisons of weighted sums of integer variables with bounds, of any length, as clauses."""

from collections.abc import Iterable, Sequence
from itertools import product
from math import gcd, prod

from encoders.integers import Variables
from encoders.linear import LINEAR, PINDAKAAS
from encoders.linear.groups import LiteralGroup, groups_of, total
from encoders.linear.sum_trees import forbid_pairs
from puzzles.constraints.linear import Linear

MAX_FORBIDDEN = 64  # clauses for a `!=` of three or more variables
MAX_PAIRS = 400  # clauses for two variables, before one gets literals "is at least"

Terms = dict[int, int]  # coefficient, not 0, of each variable


def lower_linear(linear: Linear, v: Variables) -> None:
    """Add the clauses of all rows. Raises TooLarge."""
    for coefficients, xs, comparison, bound in linear.rows:
        compare(v, zip(coefficients, xs, strict=True), comparison, bound)


def compare(v: Variables, terms: Iterable[tuple[int, int]], comparison: str, bound: int, given: int = 0) -> None:
    """Add clauses for a comparison of a sum of (coefficient, variable), under the condition `given` if it is not 0.

    Raises TooLarge.
    """
    merged: Terms = {}
    for a, x in terms:
        if len(v.domains[x]) == 1:
            bound -= a * v.domains[x][0]
        else:
            merged[x] = merged.get(x, 0) + a
    merged = {x: a for x, a in merged.items() if a}
    divisor = gcd(*merged.values())
    if divisor > 1 and comparison in ("=", "!=") and bound % divisor:
        if comparison == "=":
            v.add([-given] if given else [])
        return
    unless = (-given,) if given not in (0, v.constant) else ()
    if comparison == "!=":
        differ(v, merged, bound, unless)
        return
    if comparison in ("<", "<=", "="):
        at_most(v, merged, bound - (comparison == "<"), unless)
    if comparison in (">", ">=", "="):
        at_most(v, {x: -a for x, a in merged.items()}, -bound - (comparison == ">"), unless)


def at_most(v: Variables, terms: Terms, bound: int, unless: Sequence[int]) -> None:
    """Add clauses for `sum <= bound`, with auxiliaries only where needed; a true literal of `unless` frees each."""
    divisor = gcd(*terms.values()) or 1
    bound //= divisor
    if len(terms) == 1 and v.wide(x := min(terms)):
        v.add((limited(v, terms[x] // divisor, x, bound), *unless))
        return
    sizes = [len(v.domains[x]) for x in terms]
    wide = len(terms) == 2 and prod(sizes) > MAX_PAIRS
    groups: list[LiteralGroup] = []
    for n, (x, a) in enumerate(terms.items()):
        base, parts = groups_of(v, a // divisor, x, chain=wide and n == sizes.index(max(sizes)))
        groups += parts
        bound -= base
    if bound < 0:
        v.add(unless)
        return
    groups = [fitting for group in groups if (fitting := cut(v, group, bound, unless)).weights]
    excess = total(groups) - bound
    if excess <= 0:
        return
    if all(gap(group) >= excess for group in groups):
        v.add([*(-group.literals[-1] for group in groups), *unless])
    elif len(groups) == 2:
        forbid_pairs(groups[0], groups[1], bound, v, unless)
    else:
        groups += [LiteralGroup((excess,), (-x,), True) for x in unless]
        groups.sort(key=lambda group: -group.weights[-1])
        encode = LINEAR.get(v.axes.linear) or PINDAKAAS[v.axes.linear]
        encode(groups, bound + excess * len(unless), v)


def limited(v: Variables, a: int, x: int, bound: int) -> int:
    """Return the literal for: `a` times the number of variable x is at most the bound."""
    return -v.ge(x, bound // a + 1) if a > 0 else v.ge(x, -(bound // -a))


def cut(v: Variables, group: LiteralGroup, bound: int, unless: Sequence[int]) -> LiteralGroup:
    """Drop the weights of a group that exceed the bound, and forbid their literals."""
    k = len(group.weights)
    while k and group.weights[k - 1] > bound:
        k -= 1
    for x in group.literals[k : k + 1] if group.chain else group.literals[k:]:
        v.add((-x, *unless))
    return LiteralGroup(group.weights[:k], group.literals[:k], group.chain)


def gap(group: LiteralGroup) -> int:
    """Return the difference between the two largest weights of a group: its loss if its last literal is false."""
    return group.weights[-1] - (group.weights[-2] if len(group.weights) > 1 else 0)


def differ(v: Variables, terms: Terms, bound: int, unless: Sequence[int]) -> None:
    """Add clauses for `sum != bound`: forbid each assignment with this sum, or choose between below and above."""
    xs = sorted(terms, key=lambda x: len(v.domains[x]))
    ways = prod(len(v.domains[x]) for x in xs[:-1])
    if ways > MAX_FORBIDDEN and (len(xs) > 2 or v.wide(xs[0])):
        below, above = v.new(), v.new()
        v.add((below, above, *unless))
        compare(v, ((a, x) for x, a in terms.items()), "<", bound, below)
        compare(v, ((a, x) for x, a in terms.items()), ">", bound, above)
        return
    if not xs:
        if bound == 0:
            v.add(unless)
        return
    last = xs.pop()
    for numbers in product(*(v.domains[x] for x in xs)):
        rest = bound - sum(terms[x] * n for x, n in zip(xs, numbers, strict=True))
        if rest % terms[last] == 0:
            taken = [*zip(xs, numbers, strict=True), (last, rest // terms[last])]
            v.add([*(-v.eq(x, n) for x, n in taken), *unless])
