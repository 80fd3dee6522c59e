"""Delta debugging (Zeller & Hildebrandt 2002): reduce a list while the failure remains.

Failures need not shrink monotonically: a part may pass although it contains a failing part. So pieces of every size are
left out in turn, single items last and until none can be, and the caller repeats until nothing more can be removed.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

Thing = TypeVar("Thing")
First = Callable[[Iterable[list[Thing]]], tuple[int, list[Thing]] | None]


def minimise(things: Sequence[Thing], first: First[Thing]) -> list[Thing]:
    """Return a failing part of `things`, in order, from which no single item can be left out.

    `first` returns the first failing one of several parts with its position, and may try some at once.
    """
    kept = list(things)
    if kept and first([[]]) is not None:
        return []
    size = -(-len(kept) // 2)
    while len(kept) > 1:
        before = len(kept)
        kept = without_pieces(kept, size, first)
        if size == 1 and len(kept) == before:
            break
        size = max(1, min(size // 2, -(-len(kept) // 2)))
    return kept


def without_pieces(kept: list[Thing], size: int, first: First[Thing]) -> list[Thing]:
    """Leave out pieces of a size, each once, from the last to the first; something stays."""
    end = len(kept)
    while end > 0:
        cuts = [(max(0, b - size), b) for b in range(end, 0, -size)]
        whole = kept
        found = first(whole[:a] + whole[b:] for a, b in cuts if b - a < len(whole))
        if found is None:
            break
        end, kept = cuts[found[0]][0], found[1]
    return kept
