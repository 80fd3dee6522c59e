"""Conflict analysis: the clause at the first unique implication point (Zhang et al. 2001), minimised.

Minimisation is that of Soerensson & Biere (2009), as in MiniSat: recursive, but breadth first and so without a stack.
An assumption that is false has a core: the assumptions from which its negation follows (Een & Soerensson 2003).
"""

from backends.native.cdcl import state as at
from backends.native.cdcl.branch import bump
from backends.native.cdcl.explain import explain
from backends.native.cdcl.forget import CORE
from backends.native.cdcl.state import NONE, CdclState
from backends.native.compiling import internal
from puzzles.problem.arrays import Int32Array


@internal
def analyse(s: CdclState, arena: Int32Array, conflict: int) -> tuple[int, int]:
    """Write the learned clause to `s.learned` and return its size and its LBD; the literal to assert is first."""
    size, open_, top, met = 1, 0, s.counts[at.TRAIL] - 1, 0
    c, p = conflict, NONE
    while True:
        end = c + at.LITERALS + arena[c + at.SIZE]
        if arena[c + at.LBD]:
            arena[c + at.USED] = s.counts[at.CONFLICTS]
            if arena[c + at.LBD] > CORE:
                arena[c + at.LBD] = min(arena[c + at.LBD], levels(s, arena, c + at.LITERALS, end))
        for k in range(c + at.LITERALS, end):
            q = arena[k]
            x = q >> 1
            if q != p and not s.seen[x] and s.level[x] > 0:
                s.seen[x] = 1
                if s.counts[at.FOCUSED]:
                    s.met[met] = x
                    met += 1
                else:
                    bump(s, x)
                if s.level[x] == s.counts[at.LEVELS]:
                    open_ += 1
                else:
                    s.learned[size] = q
                    size += 1
        while not s.seen[s.trail[top] >> 1]:
            top -= 1
        p = s.trail[top]
        top -= 1
        c = s.reason[p >> 1]
        s.seen[p >> 1] = 0
        open_ -= 1
        if open_ == 0:
            break
        if c < NONE:
            c = explain(s, arena, p, c)
    s.counts[at.MET], s.learned[0] = met, p ^ 1
    lbd = levels(s, s.learned, 0, size)  # minimisation leaves a literal on each level
    return minimise(s, arena, size), lbd


@internal
def minimise(s: CdclState, arena: Int32Array, size: int) -> int:
    """Remove literals that the other literals imply, by any number of reasons; return the new size.

    What was found to be implied stays marked until the end, and is listed in `s.implied`.
    """
    kept, marked = 1, 0
    for i in range(1, size):  # removed literals move behind the kept ones, so that their marks can be cleared
        q = s.learned[i]
        after = imply(s, arena, q, marked) if s.reason[q >> 1] != NONE else NONE
        if after == NONE:
            s.learned[i], s.learned[kept] = s.learned[kept], q
            kept += 1
        else:
            marked = after
    for i in range(1, size):
        s.seen[s.learned[i] >> 1] = 0
    for i in range(marked):
        s.seen[s.implied[i] >> 1] = 0
    return kept


@internal
def imply(s: CdclState, arena: Int32Array, q: int, marked: int) -> int:
    """Mark what must be false for q to be false, back to marked literals; return their number, or NONE if that fails.

    It fails at a decision, and at a level that the learned clause lacks: no way leads back from there.
    """
    head = after = marked
    while True:
        c = s.reason[q >> 1]
        if c < NONE:
            c = explain(s, arena, q ^ 1, c)
        for k in range(c + at.LITERALS, c + at.LITERALS + arena[c + at.SIZE]):
            p = arena[k]
            x = p >> 1
            if p == q ^ 1 or s.seen[x] or s.level[x] == 0:
                continue
            if s.reason[x] == NONE or s.marks[s.level[x]] != s.counts[at.MARK]:
                for i in range(marked, after):
                    s.seen[s.implied[i] >> 1] = 0
                return NONE
            s.seen[x] = 1
            s.implied[after] = p
            after += 1
        if head == after:
            return after
        q = s.implied[head]
        head += 1


@internal
def levels(s: CdclState, literals: Int32Array, start: int, end: int) -> int:
    """Return the LBD of a clause: the number of decision levels of its literals."""
    s.counts[at.MARK] += 1
    found = 0
    for i in range(start, end):
        d = s.level[literals[i] >> 1]
        if s.marks[d] != s.counts[at.MARK]:
            s.marks[d] = s.counts[at.MARK]
            found += 1
    return found


@internal
def second_to_front(s: CdclState, size: int) -> int:
    """Move a literal of the second highest level to index 1, and return this level; 0 if there is no second literal."""
    if size == 1:
        return 0
    best = 1
    for i in range(2, size):
        if s.level[s.learned[i] >> 1] > s.level[s.learned[best] >> 1]:
            best = i
    s.learned[1], s.learned[best] = s.learned[best], s.learned[1]
    level: int = s.level[s.learned[1] >> 1]
    return level


@internal
def fail(s: CdclState, arena: Int32Array, p: int) -> None:
    """Write the core of the assumption p, which is false, to `s.learned`. All decisions are assumptions."""
    s.learned[0] = p
    size = 1
    if s.level[p >> 1] > 0:
        s.seen[p >> 1] = 1
        for i in range(s.counts[at.TRAIL] - 1, s.limits[0] - 1, -1):
            q = s.trail[i]
            if not s.seen[q >> 1]:
                continue
            s.seen[q >> 1] = 0
            c = s.reason[q >> 1]
            if c == NONE:
                s.learned[size] = q
                size += 1
                continue
            if c < NONE:
                c = explain(s, arena, q, c)
            for k in range(c + at.LITERALS, c + at.LITERALS + arena[c + at.SIZE]):
                x = arena[k] >> 1
                if x != q >> 1 and s.level[x] > 0:
                    s.seen[x] = 1
    s.counts[at.CORE] = size
