"""Deduction without search: naked subsets (n squares, n values) and hidden ones (n values, n squares).

Both are one rule with two readings. `find_groups` finds n sets whose union has only n members; the members then belong
to these sets alone. If the sets are the squares' candidates, the values are removed from the unit's other squares; if
they are the values' squares, these squares lose their other values (only in units with as many squares as values, since
elsewhere a value may be absent). n runs from 1 to 8, restarting at 1 after each change, until nothing changes.

Every deduction holds in all solutions: a board that it fills has no other solution, a contradiction means none, and an
open board is UNKNOWN, stuck; the counter `propagations` is the number of values removed.

    s  a square   v  a value's index   d  a domain, as bits   n  the size of a group
"""

from collections.abc import Iterator
from dataclasses import dataclass

from backends.native.board import LayoutTables
from backends.native.budget import Budget
from puzzles.problem.values import Domains, Solution, bits

LARGEST = 8


@dataclass(frozen=True)
class SubsetFound:
    """Subset in unit `u` that changed a domain: naked, n squares with n values; or hidden, n values with n squares."""

    u: int
    hidden: bool
    values: tuple[int, ...]
    squares: tuple[int, ...]


@dataclass(frozen=True)
class Pass:
    """Pass over all units for subsets of size `n`, with the subsets that changed domains."""

    n: int
    before: list[int]
    after: list[int]
    groups: tuple[SubsetFound, ...]


@dataclass(frozen=True)
class NoSubset:
    """A group of `n` in unit `u` has fewer than n members left; if `u` is None, a square has no value."""

    n: int
    u: int | None


@dataclass(frozen=True)
class Fixpoint:
    """The final domains: no rule changes them."""

    domains: list[int]


Event = Pass | NoSubset | Fixpoint


def search(board: LayoutTables, given: Domains, budget: Budget) -> Iterator[Solution]:
    """Yield the unique solution if deduction reaches it."""
    for event in trace(board, given, budget):
        if isinstance(event, Fixpoint) and not budget.stuck:
            yield tuple(d.bit_length() - 1 for d in event.domains)


def trace(board: LayoutTables, given: Domains, budget: Budget) -> Iterator[Event]:
    """Yield the events of the deduction; the last is NoSubset or a Fixpoint unless time runs out."""
    domains = list(given)
    n = 1
    while n <= min(LARGEST, max(map(len, board.units), default=0)):
        before = domains.copy()
        groups: list[SubsetFound] = []
        failed_unit = None
        for u in range(len(board.units)):
            if budget.out_of_time():
                return
            if not apply_rule(board, domains, u, n, budget, groups):
                failed_unit = u
                break
        if domains != before:
            yield Pass(n, before, domains.copy(), tuple(groups))
        if failed_unit is not None:
            yield NoSubset(n, failed_unit)
            return
        n = n + 1 if domains == before else 1
    if not all(domains):
        yield NoSubset(1, None)
        return
    budget.stuck = any(d & d - 1 for d in domains)
    yield Fixpoint(domains)


def apply_rule(
    board: LayoutTables, domains: list[int], u: int, n: int, budget: Budget, used: list[SubsetFound]
) -> bool:
    """Apply the rule for groups of `n` to one unit, in place. False if a group has fewer than n members.

    Groups that change a domain are added to `used`.
    """
    unit = board.units[u]
    for members, group in find_groups([domains[s] for s in unit], n):
        if members.bit_count() < n:
            return False
        before = budget.propagations
        for i, s in enumerate(unit):
            if i not in group:
                restrict(domains, s, ~members, budget)
        if budget.propagations > before:
            used.append(SubsetFound(u, False, tuple(bits(members)), tuple(unit[i] for i in group)))
    if u in board.permutations:
        masks = [sum(1 << i for i, s in enumerate(unit) if domains[s] >> v & 1) for v in range(board.values)]
        for members, group in find_groups(masks, n):
            if members.bit_count() < n:
                return False
            values = sum(1 << v for v in group)
            before = budget.propagations
            for i in bits(members):
                restrict(domains, unit[i], values, budget)
            if budget.propagations > before:
                used.append(SubsetFound(u, True, group, tuple(unit[i] for i in bits(members))))
    return True


def restrict(domains: list[int], s: int, values: int, budget: Budget) -> None:
    """Remove all but `values` from the domain of s."""
    left = domains[s] & values
    budget.propagations += (domains[s] ^ left).bit_count()
    domains[s] = left


def find_groups(sets: list[int], n: int) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Yield every n of `sets` whose union has at most n members, as (union, indices).

    Groups of one are applied first, so a set of one member is disjoint from the others and adds nothing to a larger
    group.
    """
    fewest = 2 if n > 1 else 0
    small = [i for i, members in enumerate(sets) if fewest <= members.bit_count() <= n]

    def grow(start: int, union: int, group: tuple[int, ...]) -> Iterator[tuple[int, tuple[int, ...]]]:
        if len(group) == n:
            yield union, group
            return
        for at in range(start, len(small)):
            larger = union | sets[small[at]]
            if larger.bit_count() <= n:
                yield from grow(at + 1, larger, (*group, small[at]))

    return grow(0, 0, ())
