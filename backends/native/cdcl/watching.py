"""Watches of clauses, in one list for each literal and each of two kinds: binary clauses, and longer ones.

A watch is two words: a clause, and another of its literals. While that is true, the clause itself need not be read; a
binary clause never is, since the other literal says all. List 2p has the longer clauses that watch literal p, list
2p + 1 the binary ones. A list lies in one block of `watches`, behind its number and the words there is room for. One
that is full moves to a larger block at the end; when the end is reached, all blocks move together.
"""

from backends.native.cdcl import state as at
from backends.native.cdcl.state import NONE, CdclState
from backends.native.compiling import inlined, internal
from puzzles.problem.arrays import Int32Array

HEADER, SMALLEST = 2, 8  # words


@inlined
def watch(s: CdclState, which: int, c: int, other: int) -> None:
    """Append a watch to a list. This may move any list."""
    if s.blocks[which] == 0 or s.lengths[which] == s.watches[s.blocks[which] - 1]:
        grow(s, which)
    k = s.blocks[which] + s.lengths[which]
    s.watches[k], s.watches[k + 1] = c, other
    s.lengths[which] += 2


@internal
def attach(s: CdclState, arena: Int32Array, c: int) -> None:
    """Watch the first two literals of a clause."""
    p, q = arena[c + at.LITERALS], arena[c + at.LITERALS + 1]
    binary = arena[c + at.SIZE] == 2
    watch(s, 2 * p + binary, c, q)
    watch(s, 2 * q + binary, c, p)


@internal
def grow(s: CdclState, which: int) -> None:
    """Move a list to a block of twice the size."""
    wanted = max(2 * s.lengths[which], SMALLEST)
    if s.counts[at.FRESH] + HEADER + wanted > s.counts[at.ROOM]:
        compact(s)
    old, new = s.blocks[which], s.counts[at.FRESH] + HEADER
    for i in range(s.lengths[which]):
        s.watches[new + i] = s.watches[old + i]
    if old > 0:
        s.watches[old - 2] = NONE
    s.watches[new - 2], s.watches[new - 1] = which, wanted
    s.blocks[which], s.counts[at.FRESH] = new, new + wanted


@internal
def compact(s: CdclState) -> None:
    """Move all blocks together, without their spare words, and give up those of empty lists."""
    old, new = 0, 0
    while old < s.counts[at.FRESH]:
        which, room = s.watches[old], s.watches[old + 1]
        if which != NONE and s.lengths[which] == 0:
            s.blocks[which] = 0
        elif which != NONE:
            s.watches[new], s.watches[new + 1] = which, s.lengths[which]
            for i in range(HEADER, HEADER + s.lengths[which]):
                s.watches[new + i] = s.watches[old + i]
            s.blocks[which] = new + HEADER
            new += HEADER + s.lengths[which]
        old += HEADER + room
    s.counts[at.FRESH] = new


@internal
def clear(s: CdclState) -> None:
    """Remove all watches."""
    for which in range(4 * s.variables):
        s.blocks[which], s.lengths[which] = 0, 0
    s.counts[at.FRESH] = 0
