"""Cages: variables that differ and whose sum is given take one of few sets of numbers, known from size and sum.

A number that the cage takes has a literal, as has each set; a set implies for each number that it is taken, or is not.
Unit and sum imply these clauses, but propagate less.
"""

from collections.abc import Iterator, Sequence
from itertools import islice

from backends.native.lazy.literals import Literals
from puzzles.constraints.all_different import AllDifferent
from puzzles.constraints.linear import Linear

MOST_SETS = 64  # sets of a cage; with more, they prune little


def add_cages(sums: Sequence[Linear], differing: Sequence[AllDifferent], lits: Literals) -> None:
    """Add clauses for the rows that are sums over a unit, or over a part of a unit."""
    units: dict[int, list[frozenset[int]]] = {}  # units of each variable
    for unit in dict.fromkeys(unit for constraint in differing for unit in constraint.units):
        for x in unit:
            units.setdefault(x, []).append(frozenset(unit))
    for linear in sums if units else ():
        for coefficients, xs, comparison, total in linear.rows:
            if comparison != "=" or set(coefficients) != {1} or len(set(xs)) < len(xs):
                continue
            if any(unit.issuperset(xs) for unit in units.get(xs[0], ())):
                add_cage(xs, total, lits)


def add_cage(xs: Sequence[int], total: int, lits: Literals) -> None:
    """Add clauses for one cage, unless it has too many sets."""
    takers: dict[int, list[int]] = {}
    for x in xs:
        for number, equal in zip(lits.own(x).tolist(), lits.equal(x), strict=True):
            takers.setdefault(number, []).append(equal)
    numbers = sorted(takers)
    found = list(islice(combinations_of(numbers, len(xs), total), MOST_SETS + 1))
    if len(found) > MOST_SETS:
        return
    sets = [lits.new() for _ in found]
    lits.add(sets)
    for number in numbers:
        having = [literal for literal, chosen in zip(sets, found, strict=True) if number in chosen]
        if len(having) == len(sets):
            lits.add(takers[number])
            continue
        taken = lits.new()
        lits.add((-taken, *takers[number]))
        lits.add((-taken, *having))
        for equal in takers[number]:
            lits.add((-equal, taken))
        for literal, chosen in zip(sets, found, strict=True):
            lits.add((-literal, taken if number in chosen else -taken))


def combinations_of(numbers: Sequence[int], size: int, total: int) -> Iterator[tuple[int, ...]]:
    """Yield the sets of `size` numbers, ascending, with this sum."""
    if size == 0:
        if total == 0:
            yield ()
        return
    for i in range(len(numbers) - size + 1):
        rest = numbers[i + 1 :]
        if numbers[i] + sum(rest[: size - 1]) > total:
            return
        if numbers[i] + sum(rest[len(rest) - size + 1 :]) < total:
            continue
        for others in combinations_of(rest, size - 1, total - numbers[i]):
            yield (numbers[i], *others)
