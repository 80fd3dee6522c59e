"""No guessing: n squares of a unit that hold the same n values, and n values that fit in only n squares.

Both are one rule read in two ways. `groups` finds n sets that have only n members between them, and those members
belong to these sets alone: where the sets are the squares' candidates, the values leave the unit's other squares;
where they are the values' places, the squares lose their other values (only in units with as many squares as values,
since elsewhere a value may be absent). For n from 1 to 8, and from 1 again after each change, until nothing changes.

What it deduces holds in every solution: a board that it fills has no other, one that it breaks has none, and one that
it leaves open is UNKNOWN, stuck; the counter `propagations` says how far it came: how many values it ruled out.

    s  a square   v  a value's index   d  a domain, as bits   n  the size of a group
"""

from collections.abc import Iterator
from dataclasses import dataclass

from backends.native.board import Board
from backends.native.budget import Budget, SearchSession, search_session
from encoders.formula import Formula
from puzzles.layout import Domains, Solution, bits

LARGEST = 8


@dataclass(frozen=True)
class Pass:
    """Groups of `n` were looked for in every unit, and something changed."""

    n: int
    before: list[int]
    after: list[int]


@dataclass(frozen=True)
class Contradiction:
    """In unit `u` there is a group of `n` that fewer than n are left for; without a unit, a square has no value."""

    n: int
    u: int | None


@dataclass(frozen=True)
class Fixpoint:
    """Nothing changes any more."""

    domains: list[int]


Event = Pass | Contradiction | Fixpoint


def open(formula: Formula) -> SearchSession:  # noqa: A001 - the name that every variant's module gives
    """A session on a layout."""
    return search_session(formula, deduce)


def deduce(board: Board, given: Domains, budget: Budget) -> Iterator[Solution]:
    """The one solution, if deduction reaches it."""
    for event in trace(board, given, budget):
        if isinstance(event, Fixpoint) and not budget.stuck:
            yield tuple(d.bit_length() - 1 for d in event.domains)


def trace(board: Board, given: Domains, budget: Budget) -> Iterator[Event]:
    """The deduction, told pass by pass; it ends before its end is told only where time is up."""
    domains = list(given)
    n = 1
    while n <= min(LARGEST, max(map(len, board.units), default=0)):
        before = domains.copy()
        failed_unit = None
        for u in range(len(board.units)):
            if budget.out_of_time():
                return
            if not apply_rule(board, domains, u, n, budget):
                failed_unit = u
                break
        if domains != before:
            yield Pass(n, before, domains.copy())
        if failed_unit is not None:
            yield Contradiction(n, failed_unit)
            return
        n = n + 1 if domains == before else 1
    if not all(domains):
        yield Contradiction(1, None)
        return
    budget.stuck = any(d & d - 1 for d in domains)
    yield Fixpoint(domains)


def apply_rule(board: Board, domains: list[int], u: int, n: int, budget: Budget) -> bool:
    """The rule for groups of `n` in one unit, both ways, in place; False when fewer than n are left for n."""
    unit = board.units[u]
    for members, group in find_groups([domains[s] for s in unit], n):
        if members.bit_count() < n:
            return False
        for i, s in enumerate(unit):
            if i not in group:
                restrict(domains, s, ~members, budget)
    if u in board.permutations:
        places = [sum(1 << i for i, s in enumerate(unit) if domains[s] >> v & 1) for v in range(board.values)]
        for members, group in find_groups(places, n):
            if members.bit_count() < n:
                return False
            values = sum(1 << v for v in group)
            for i in bits(members):
                restrict(domains, unit[i], values, budget)
    return True


def restrict(domains: list[int], s: int, values: int, budget: Budget) -> None:
    """Rule out all but `values` in s."""
    left = domains[s] & values
    budget.propagations += (domains[s] ^ left).bit_count()
    domains[s] = left


def find_groups(sets: list[int], n: int) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Every n of `sets`, by index, that have at most n members between them, with those members.

    Groups of one come first, so a set of one member shares it with nobody and adds nothing to a larger group.
    """
    fewest = 2 if n > 1 else 0
    small = [i for i, members in enumerate(sets) if fewest <= members.bit_count() <= n]

    def grow(start: int, union: int, group: tuple[int, ...]) -> Iterator[tuple[int, tuple[int, ...]]]:
        if len(group) == n:
            yield union, group
            return
        for at in range(start, len(small)):
            together = union | sets[small[at]]
            if together.bit_count() <= n:
                yield from grow(at + 1, together, (*group, small[at]))

    return grow(0, 0, ())
