"""All-different units as groups: of the literals [x = value] for one value, at most one is true.

A unit of as many variables as values takes each value, which is a clause.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from backends.native.lazy.literals import TRUE, Literals


def add_units(units: Iterable[Sequence[int]], lits: Literals) -> list[list[int]]:
    """Return the groups of all units; add their clauses to `lits`."""
    groups: list[list[int]] = []
    for unit in dict.fromkeys(map(tuple, units)):
        takers: dict[int, list[int]] = defaultdict(list)
        for x in unit:
            for v, equal in zip(lits.own(x).tolist(), lits.equal(x), strict=True):
                takers[v].append(equal)
        fixed_twice = any(group.count(TRUE) > 1 for group in takers.values())
        if len(takers) < len(unit) or len(set(unit)) < len(unit) or fixed_twice:
            lits.add(())
            continue
        groups += [group for group in takers.values() if len(group) > 1]
        if len(takers) == len(unit):
            for group in takers.values():
                lits.add(group)
    return groups
