"""Removal of clues and merging of cages, many at once, as long as a puzzle stays valid."""

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

T = TypeVar("T")
Cages = list[set[int]]


def thinned(clues: Sequence[T], is_valid: Callable[[list[T]], bool], floor: int = 0) -> list[T]:
    """Leave out each clue, in this order, that the puzzle can spare; return the clues left, at least `floor`."""
    kept = [*range(len(clues))]

    def without(block: Sequence[int]) -> bool:
        nonlocal kept
        out = {*block}
        trial = [i for i in kept if i not in out]
        spared = len(trial) >= floor and is_valid([clues[i] for i in trial])
        kept = trial if spared else kept
        return spared

    in_halves(kept, without)
    return [clues[i] for i in kept]


def merge(
    size: int,
    edges: Sequence[tuple[int, int]],
    fits: Callable[[set[int]], bool],
    is_valid: Callable[[Cages], bool],
) -> Cages:
    """Return cages of `size` squares: single squares, merged over edges in this order where both fit and stay valid."""
    cages: Cages = [{s} for s in range(size)]

    def over(block: Sequence[tuple[int, int]]) -> bool:
        nonlocal cages
        trial = merged(cages, block, fits)
        done = len(trial) == len(cages) or is_valid(trial)
        cages = trial if done else cages
        return done

    in_halves(edges, over)
    return cages


def in_halves(items: Sequence[T], take: Callable[[Sequence[T]], bool]) -> None:
    """Offer the halves of a sequence in order; a block that is not taken is offered in halves again."""
    half = len(items) // 2
    for block in (items[:half], items[half:]):
        if not take(block) and len(block) > 1:
            in_halves(block, take)


def merged(cages: Cages, edges: Iterable[tuple[int, int]], fits: Callable[[set[int]], bool]) -> Cages:
    """Return the cages after merging over edges, where both cages fit together."""
    cage_of = {s: cage for cage in cages for s in cage}
    for s, p in edges:
        both = cage_of[s] | cage_of[p]
        if cage_of[s] is not cage_of[p] and fits(both):
            cage_of |= dict.fromkeys(both, both)
    return list({id(cage): cage for cage in cage_of.values()}.values())
