"""Analysis of a failed assumption: the assumptions from which its negation follows, a core (Een & Soerensson 2003)."""

from backends.native.cdcl import state as at
from backends.native.cdcl.explain import explain
from backends.native.cdcl.state import NONE, CdclState
from backends.native.compiling import internal
from puzzles.problem.arrays import Int32Array


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
