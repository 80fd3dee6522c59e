"""Minimal unsatisfiable subsets (MUS) and minimal correction sets (MCS) of the members of an instance.

member   a part of an instance that may be left out, by number
oracle   decides a subset of the members, and names a core of it if it has no solution
MUS      members without a common solution, of which any may be left out for one
MCS      members after whose removal there is a solution, and after that of no part of them

Deletion asks for each member once, and goes on with the core of each answer; QuickXplain (Junker 2004) needs fewer
questions where cores are no smaller than what was asked. MARCO (Liffiton et al. 2016) enumerates both.
"""

from collections.abc import Iterator
from typing import NamedTuple, Protocol

from backends.pysat.cores import GroupSolver

Subset = frozenset[int]


class Decided(NamedTuple):
    """Answer of an oracle; `core` are members of the question without a common solution, `proved` by a proof."""

    satisfiable: bool
    core: Subset = frozenset()
    proved: bool = False


class SubsetOracle(Protocol):
    """Decision of subsets; `has_cores` if the core of an answer may be smaller than the question. Raises Undecided."""

    has_cores: bool

    def ask(self, kept: Subset) -> Decided: ...


class Undecided(Exception):
    """An oracle did not decide a subset in its time; the text says why."""


def minimal(oracle: SubsetOracle, start: Subset) -> Subset:
    """Return a minimal unsatisfiable subset of an unsatisfiable one. Raises Undecided."""
    return by_deletion(oracle, start) if oracle.has_cores else by_quickxplain(oracle, start)


def by_deletion(oracle: SubsetOracle, start: Subset) -> Subset:
    """Leave out each member that is not needed, and what the core of the answer does not name."""
    core, needed = start, set[int]()
    while left := core - needed:
        member = min(left)
        answer = oracle.ask(core - {member})
        if answer.satisfiable:
            needed.add(member)
        else:
            core = answer.core
    return core


def by_quickxplain(oracle: SubsetOracle, start: Subset) -> Subset:
    """Split the members in halves, and find in each what it adds to the contradiction."""
    if not oracle.ask(frozenset()).satisfiable:
        return frozenset()

    def part(base: Subset, changed: bool, some: list[int]) -> Subset:
        if changed and not oracle.ask(base).satisfiable:
            return frozenset()
        if len(some) == 1:
            return frozenset(some)
        first, second = some[: len(some) // 2], some[len(some) // 2 :]
        right = part(base.union(first), bool(first), second)
        left = part(base | right, bool(right), first)
        return left | right

    return part(frozenset(), False, sorted(start)) if start else frozenset()


def grown(oracle: SubsetOracle, kept: Subset, members: int) -> Subset:
    """Return a satisfiable subset that no further member may join. Raises Undecided."""
    for member in range(members):
        if member not in kept and oracle.ask(kept | {member}).satisfiable:
            kept |= {member}
    return kept


def explored(oracle: SubsetOracle, members: int) -> Iterator[tuple[str, Subset]]:
    """Yield every MUS ("mus") and MCS ("mcs") once, as MARCO finds them. Raises Undecided."""
    seeds = GroupSolver("glucose4", members, (), ())
    try:
        while (seed := next_seed(seeds, members)) is not None:
            answer = oracle.ask(seed)
            if answer.satisfiable:
                gone = frozenset(range(members)) - grown(oracle, seed, members)
                seeds.solver.add_clause([m + 1 for m in gone])
                yield "mcs", gone
                if not gone:
                    return
            else:
                found = minimal(oracle, answer.core)
                seeds.solver.add_clause([-m - 1 for m in found])
                yield "mus", found
                if not found:
                    return
    finally:
        seeds.close()


def next_seed(seeds: GroupSolver, members: int) -> Subset | None:
    """Return an unexplored subset of many members, None if there is none."""
    seeds.solver.set_phases(range(1, members + 1))
    if not seeds.solver.solve():
        return None
    left_out = {-x - 1 for x in seeds.solver.get_model() or [] if x < 0}
    return frozenset(range(members)) - left_out
