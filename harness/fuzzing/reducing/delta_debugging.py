"""Delta debugging (Zeller & Hildebrandt 2002): reduce a list while the failure remains.

Failures need not shrink monotonically: a part may pass although it contains a failing part. So pieces of every size are
tried again after each success, single items last, and the caller repeats until nothing more can be removed.
"""

from collections.abc import Callable, Sequence
from typing import TypeVar

Thing = TypeVar("Thing")


def minimise(things: Sequence[Thing], fails: Callable[[list[Thing]], bool]) -> list[Thing]:
    """Return a failing part of `things`, in order, from which no single item can be left out."""
    kept = list(things)
    if kept and fails([]):
        return []
    pieces = 2
    while len(kept) > 1:
        size = -(-len(kept) // pieces)
        cuts = [(i, i + size) for i in range(0, len(kept), size)]
        smaller = (
            next((kept[a:b] for a, b in cuts if len(cuts) > 1 and fails(kept[a:b])), None) if pieces == 2 else None
        )
        if smaller is not None:
            kept = smaller
            continue
        for a, b in reversed(cuts):
            rest = kept[:a] + kept[b:]
            if rest and fails(rest):
                kept = rest
                break
        else:
            if size == 1:
                break
            pieces = min(2 * pieces, len(kept))
            continue
        pieces = max(pieces - 1, 2)
    return kept
