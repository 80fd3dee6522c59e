"""Weighted sums as groups of literals, the form in which every encoding of `sum <= bound` takes them.

    group   weights > 0 with a literal each, ascending: the group adds the highest weight of a true literal, or 0

A Boolean variable is a group of one literal. An integer variable is one group, as its encoding has it: of literals
"takes this number", of which one is true (`direct`), or a chain of "is at least this number" (`order`). So the
encodings know which literals exclude each other: PB(AMO), Bofill et al. 2019. In `log` each bit is a group.
"""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from encoders.integers import Variables
from encoders.variables import Log, Order

Domain = Sequence[int]


class LiteralGroup(NamedTuple):
    """Literals with ascending weights: a chain, each literal implying those before it, or at most one is true."""

    weights: tuple[int, ...]
    literals: tuple[int, ...]
    chain: bool


def groups_of(v: Variables, a: int, x: int, chain: bool = False) -> tuple[int, list[LiteralGroup]]:
    """Return `a` times the number of variable x as its least value and groups that add the rest.

    `chain` asks for literals "is at least" in any encoding.
    """
    domain = v.domains[x]
    last = len(domain) - 1
    base = a * domain[0 if a > 0 else last] if domain else 0
    if last < 1:
        return base, []
    if last == 1:
        high = v.at_least(x, 1)
        return base, [LiteralGroup((abs(a) * (domain[1] - domain[0]),), (high if a > 0 else -high,), True)]
    if (chain and not v.wide(x)) or isinstance(v, Order):
        upward = range(1, last + 1) if a > 0 else range(last - 1, -1, -1)
        literals = [v.at_least(x, i) if a > 0 else -v.at_least(x, i + 1) for i in upward]
        return base, [LiteralGroup(tuple(a * domain[i] - base for i in upward), tuple(literals), True)]
    step = domain[1] - domain[0]
    if isinstance(v, Log) and (v.wide(x) or all(high - low == step for low, high in pairwise(domain))):
        sign, bits = (1 if a > 0 else -1), v.bits(x)
        base = a * (domain[0] if a > 0 else domain[0] + step * ((1 << len(bits)) - 1))
        return base, [LiteralGroup((abs(a) * step << b,), (sign * bit,), True) for b, bit in enumerate(bits)]
    others = range(1, last + 1) if a > 0 else range(last - 1, -1, -1)
    weights = tuple(a * domain[i] - base for i in others)
    return base, [LiteralGroup(weights, tuple(v.equals(x, i) for i in others), False)]


def total(groups: Iterable[LiteralGroup]) -> int:
    """Return the highest sum of groups."""
    return sum(g.weights[-1] for g in groups)


def size(groups: Iterable[LiteralGroup]) -> int:
    """Return the number of literals of groups."""
    return sum(len(g.weights) for g in groups)
