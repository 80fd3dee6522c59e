"""Removal of clues and merging of cages, many at once, as long as a puzzle stays valid."""

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

T = TypeVar("T")
Cages = list[set[int]]


def thinned(clues: Sequence[T], is_valid: Callable[[list[T]], bool], floor: int = 0) -> list[T]:
    """Leave out each clue, in this order, that the puzzle can spare; return the clues left, at least `floor`."""
    kept = list(range(len(clues)))
    half = len(kept) // 2
    pending = [kept[half:], kept[:half]]
    while pending:
        block = pending.pop()
        trial = [i for i in kept if i not in set(block)]
        if len(trial) >= floor and is_valid([clues[i] for i in trial]):
            kept = trial
        elif len(block) > 1 and len(kept) > floor:
            half = len(block) // 2
            pending += [block[half:], block[:half]]
    return [clues[i] for i in kept]


def merge(
    size: int,
    edges: Sequence[tuple[int, int]],
    fits: Callable[[set[int]], bool],
    is_valid: Callable[[Cages], bool],
) -> Cages:
    """Return cages of `size` squares: single squares, merged over edges in this order where both fit and stay valid."""
    cages: Cages = [{s} for s in range(size)]
    half = len(edges) // 2
    pending = [edges[half:], edges[:half]]
    while pending:
        block = pending.pop()
        trial = merged(cages, block, fits)
        if len(trial) == len(cages):
            continue
        if is_valid(trial):
            cages = trial
        elif len(block) > 1:
            half = len(block) // 2
            pending += [block[half:], block[:half]]
    return cages


def merged(cages: Cages, edges: Iterable[tuple[int, int]], fits: Callable[[set[int]], bool]) -> Cages:
    """Return the cages after merging over edges, where both cages fit together."""
    cage_of = {s: cage for cage in cages for s in cage}
    for s, p in edges:
        both = cage_of[s] | cage_of[p]
        if cage_of[s] is not cage_of[p] and fits(both):
            cage_of |= dict.fromkeys(both, both)
    return list({id(cage): cage for cage in cage_of.values()}.values())
