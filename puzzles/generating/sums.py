"""Candidates of squares in runs of different numbers from 1 to 9 whose sums are known, by propagation alone.

run     (squares, sum)
number  bit number - 1 of a mask
"""

from collections.abc import Sequence
from functools import cache
from itertools import combinations

NUMBERS = 9
FULL = (1 << NUMBERS) - 1
Run = tuple[tuple[int, ...], int]


@cache
def ways(count: int, total: int) -> tuple[int, ...]:
    """Return the sets of `count` different numbers whose sum is `total`."""
    found = (c for c in combinations(range(1, NUMBERS + 1), count) if sum(c) == total)
    return tuple(sum(1 << number - 1 for number in c) for c in found)


def candidates(runs: Sequence[Run], size: int) -> list[int]:
    """Return the candidates of each square when no run rules out more: sound, but weaker than search."""
    left = [FULL] * size
    runs_of: list[list[int]] = [[] for _ in range(size)]
    for i, (squares, _) in enumerate(runs):
        for s in squares:
            runs_of[s].append(i)
    pending = set(range(len(runs)))
    while pending:
        i = min(pending)
        pending.remove(i)
        for s in narrow(*runs[i], left):
            pending |= {*runs_of[s]}
    return left


def narrow(squares: tuple[int, ...], total: int, left: list[int]) -> list[int]:
    """Rule out candidates of the squares of one run; return the squares that changed."""
    before = [left[s] for s in squares]
    union = 0
    for mask in before:
        union |= mask
    can, must = 0, FULL
    for way in ways(len(squares), total):
        if not way & ~union and all(way & mask for mask in before):
            can |= way
            must &= way
    now = [mask & can for mask in before]
    for k, mask in enumerate(now):
        if mask and not mask & mask - 1:
            now = [m if j == k else m & ~mask for j, m in enumerate(now)]
    while must and can:
        low = must & -must
        must ^= low
        where = [k for k, mask in enumerate(now) if mask & low]
        if len(where) == 1:
            now[where[0]] = low
    for s, mask in zip(squares, now, strict=True):
        left[s] = mask
    return [s for s, a, b in zip(squares, before, now, strict=True) if a != b]
