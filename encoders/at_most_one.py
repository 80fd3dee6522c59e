"""At-most-one encodings: patterns of clauses that allow at most one of n literals to be true.

A pattern for n literals is built once over local variables and then instantiated for every group of that length:

    1..n    the literals of the group
    n+1..   auxiliary variables, separate for each group

Every pattern is exact on its literals: an assignment of them extends to the auxiliaries iff at most one is true. The
auxiliaries may not be determined, so models are counted projected onto the literals.

    name         auxiliaries    clauses (n literals)   source
    pairwise     0              n(n-1)/2               folklore
    sequential   n-1            3n-4                   Sinz 2005
    ladder       n-1            4n-5                   Gent & Nightingale 2004; Ansotegui & Manya 2004 (regular)
    bitwise      ceil(log2 n)   n ceil(log2 n)         Frisch et al. 2005
    product      about 2 n^.5   about 2n + 4 n^.5      Chen 2010
    commander    about n/2      about 3.5 n            Klieber & Kwon 2007, groups of three
    totalizer    n-2            about 3n               Bailleux & Boufkhad 2003, cut off at one
    cardinality  0              0                      none: a native constraint of the solver
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from math import isqrt

Clauses = list[tuple[int, ...]]


@dataclass(frozen=True)
class Pattern:
    """Clauses over local variables 1..n and `auxiliaries`; if `native`, a constraint instead."""

    clauses: tuple[tuple[int, ...], ...]
    auxiliaries: int = 0
    native: bool = False


AtMostOne = Callable[[int], Pattern]


@cache
def pairwise(n: int) -> Pattern:
    """Each pair of literals excludes each other."""
    return Pattern(tuple((-a, -b) for a, b in combinations(range(1, n + 1), 2)))


@cache
def sequential(n: int) -> Pattern:
    """The auxiliary n+i is true if one of the first i literals is."""
    if n < 3:
        return pairwise(n)
    clauses: Clauses = [(-i, n + i) for i in range(1, n)]
    clauses += [(-(n + i), n + i + 1) for i in range(1, n - 1)]
    clauses += [(-(n + i), -(i + 1)) for i in range(1, n)]
    return Pattern(tuple(clauses), n - 1)


@cache
def ladder(n: int) -> Pattern:
    """The auxiliary n+i is true if the true literal comes after position i, where the ladder steps down.

    These are the validity and channelling clauses of the paper, without the one that demands a true literal: where no
    literal comes after position 1, the first may be true or false. So the literals determine the auxiliaries.
    """
    if n < 3:
        return pairwise(n)
    after = range(n, 2 * n)  # after[i] for i from 1
    clauses: Clauses = [(-after[i + 1], after[i]) for i in range(1, n - 1)]
    clauses += [(-i, -after[i]) for i in range(1, n)]
    clauses += [(-i, after[i - 1]) for i in range(2, n + 1)]
    clauses += [(-after[i - 1], after[i], i) for i in range(2, n)]
    return Pattern((*clauses, (-after[n - 1], n)), n - 1)


@cache
def bitwise(n: int) -> Pattern:
    """The auxiliary n+1+b is bit b of the index of the true literal."""
    if n < 3:
        return pairwise(n)
    bits = (n - 1).bit_length()
    clauses = ((-(i + 1), (n + 1 + b) if i >> b & 1 else -(n + 1 + b)) for i in range(n) for b in range(bits))
    return Pattern(tuple(clauses), bits)


def nested(n: int, groups: list[tuple[int, ...]], one: AtMostOne, clauses: Clauses, free: int) -> int:
    """Add the pattern `one` for each group to `clauses`; return the first variable that is still free."""
    for group in groups:
        pattern = one(len(group))
        local = (0, *group, *range(free, free + pattern.auxiliaries))
        clauses += [tuple(local[x] if x > 0 else -local[-x] for x in clause) for clause in pattern.clauses]
        free += pattern.auxiliaries
    return free


@cache
def product(n: int) -> Pattern:
    """Literals arranged in a grid: at most one row and at most one column contain a true literal."""
    if n < 5:
        return pairwise(n)
    wide = isqrt(n - 1) + 1
    tall = -(-n // wide)
    rows, columns = range(n + 1, n + 1 + tall), range(n + 1 + tall, n + 1 + tall + wide)
    clauses: Clauses = [(-(i + 1), rows[i // wide]) for i in range(n)]
    clauses += [(-(i + 1), columns[i % wide]) for i in range(n)]
    free = nested(n, [tuple(rows), tuple(columns)], product, clauses, n + 1 + tall + wide)
    return Pattern(tuple(clauses), free - n - 1)


@cache
def commander(n: int) -> Pattern:
    """Groups of three, each with a commander that its literals imply; at most one commander is true."""
    if n < 5:
        return pairwise(n)
    groups = [tuple(range(i, min(i + 3, n + 1))) for i in range(1, n + 1, 3)]
    commanders = tuple(range(n + 1, n + 1 + len(groups)))
    clauses: Clauses = [(-x, c) for c, group in zip(commanders, groups, strict=True) for x in group]
    free = nested(n, groups, pairwise, clauses, n + 1 + len(groups))
    free = nested(n, [commanders], commander, clauses, free)
    return Pattern(tuple(clauses), free - n - 1)


@cache
def totalizer(n: int) -> Pattern:
    """A binary tree over the literals: a node is implied by its children, which exclude each other."""
    clauses: Clauses = []
    level, free = list(range(1, n + 1)), n + 1
    while len(level) > 2:
        above = []
        for left, right in zip(level[::2], level[1::2], strict=False):
            clauses += [(-left, -right), (-left, free), (-right, free)]
            above.append(free)
            free += 1
        level = above + level[len(level) & ~1 :]
    if len(level) == 2:
        clauses.append((-level[0], -level[1]))
    return Pattern(tuple(clauses), free - n - 1)


@cache
def cardinality(n: int) -> Pattern:
    """At most one as a native cardinality constraint, for solvers with `at_most`."""
    return Pattern((), native=True)


# The first is the default.
AT_MOST_ONE: dict[str, AtMostOne] = {
    f.__name__: f for f in (pairwise, sequential, ladder, bitwise, product, commander, totalizer, cardinality)
}
