"""Bounds that contenders state, and the better solutions that refute them.

The judge calls each of these answers wrong, whatever else is right about it; this is the one list of them for reports.
"""

from typing import NamedTuple

from harness.model.merit import Merit
from harness.storing.journal import Journal


class RefutedBound(NamedTuple):
    """The greatest bound that a contender stated of an instance, and the least value known, which is below."""

    contender: int
    puzzle: int
    bound: int
    known: int


def refuted_bounds(journal: Journal, known: Merit) -> tuple[RefutedBound, ...]:
    """Return the refuted bounds by contender and instance; `known` has the best merit known of each instance."""
    values, found = known.values, dict[tuple[int, int], RefutedBound]()
    for contender in range(len(journal.contenders())):
        for puzzle, bound in zip(*journal.bounds(contender), strict=True):
            best, at = values[puzzle], (contender, puzzle)
            if best is not None and bound > best and (at not in found or found[at].bound < bound):
                found[at] = RefutedBound(contender, puzzle, bound, best)
    return tuple(found[at] for at in sorted(found))
