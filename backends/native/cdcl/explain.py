"""Explanations of literals that groups and sums imply: clauses behind the last one in the arena, each used once.

A literal that a group excludes has one reason, the true literal of its group. A literal that a row needs is explained
by upper bounds of other chains, literals that were false before: each loses some weight, and together they lose more
than the row can bear. Excess loss is given back, so that the explanation is short and weak (Katsirelos & Bacchus 2005;
Feydy & Stuckey 2009).
"""

from backends.native.cdcl import state as at
from backends.native.cdcl.state import NONE, CdclState
from backends.native.compiling import inlined, internal
from puzzles.problem.arrays import Int32Array


@inlined
def by_literal(p: int) -> int:
    """Return the code of the reason 'the true literal p excludes it' of a literal."""
    return -2 - 2 * p


@inlined
def by_row(r: int) -> int:
    """Return the code of the reason 'row r needs it' of a literal."""
    return -3 - 2 * r


@internal
def explain(s: CdclState, arena: Int32Array, p: int, reason: int) -> int:
    """Write false literals that imply p, or a contradiction if p is NONE, by its reason; return the clause."""
    c: int = s.counts[at.TOP]
    code, arena[c + at.LBD] = -2 - reason, 0
    if code & 1:
        arena[c + at.SIZE] = explain_row(s, arena, p, code >> 1, c + at.LITERALS)
        if s.counts[at.REASONS]:
            keep_reason(s, arena, p, c)
    else:
        arena[c + at.SIZE], arena[c + at.LITERALS] = 1, (code >> 1) ^ 1
    return c


@inlined
def explain_row(s: CdclState, arena: Int32Array, p: int, r: int, out: int) -> int:
    """Write the explanation of p from `out` on and return its size."""
    limit = s.counts[at.TRAIL] if p == NONE else s.position[p >> 1]
    spare, own = -s.whole[r] - 1, NONE  # spare: what the false literals lose more than they must
    for t in range(s.rows[r], s.rows[r + 1]):
        first, after = s.chains[t], s.chains[t + 1]
        full, k = s.weights[after - 1], first
        while k < after and s.literals[k] != p and not was_false(s, s.literals[k], limit):
            k += 1
        if k < after:
            spare += full - (s.weights[k - 1] if k > first else 0)
            if s.literals[k] == p:
                own = t
    size = 0
    for t in range(s.rows[r + 1] - 1, s.rows[r] - 1, -1):
        if t == own:
            continue
        first, after = s.chains[t], s.chains[t + 1]
        full, k = s.weights[after - 1], first
        while k < after and not was_false(s, s.literals[k], limit):
            k += 1
        if k == after:
            continue
        if s.level[s.literals[k] >> 1] == 0:
            if s.counts[at.REASONS]:
                arena[out + size] = s.literals[k]
                size += 1
            continue
        lost = full - (s.weights[k - 1] if k > first else 0)
        best, least = k, lost
        for j in range(k + 1, after):
            less = full - s.weights[j - 1]
            if lost - less > spare:
                break
            if was_false(s, s.literals[j], limit):
                best, least = j, less
        if lost <= spare:
            spare -= lost
            continue
        spare -= lost - least
        arena[out + size] = s.literals[best]
        size += 1
    return size


@inlined
def keep_reason(s: CdclState, arena: Int32Array, p: int, c: int) -> None:
    """Keep an explanation of p for the proof."""
    end, size = s.counts[at.EXPLAINED], arena[c + at.SIZE]
    if p == NONE:  # the row is false by itself
        return
    if end + size + 2 > s.counts[at.REASONS]:
        s.counts[at.LOST] = 1
        return
    s.reasons[end] = dimacs(p)
    for i in range(size):
        s.reasons[end + 1 + i] = dimacs(arena[c + at.LITERALS + i])
    s.reasons[end + 1 + size] = 0
    s.counts[at.EXPLAINED] = end + size + 2


@inlined
def dimacs(p: int) -> int:
    """Return a literal as DIMACS has it."""
    return -(p >> 1) - 1 if p & 1 else (p >> 1) + 1


@internal
def explain_root(s: CdclState, arena: Int32Array) -> None:
    """Keep the explanations of the literals that rows need at the root, for the proof."""
    for i in range(s.counts[at.ROOTED], s.counts[at.TRAIL]):
        reason = s.reason[s.trail[i] >> 1]
        if reason < NONE:
            explain(s, arena, s.trail[i], reason)
    s.counts[at.ROOTED] = s.counts[at.TRAIL]


@inlined
def was_false(s: CdclState, q: int, limit: int) -> bool:
    """Return True if a literal has been false since before that index of the trail."""
    false: bool = s.value[q] == -1 and s.position[q >> 1] < limit
    return false
