"""Choice of the next variable: the open one of highest activity (VSIDS, as in MiniSat), from a binary heap."""

from backends.native.cdcl import state as at
from backends.native.cdcl.state import NONE, CdclState
from backends.native.compiling import inlined

DECAY = 0.95  # factor of activities, per conflict
RESCALE = 1e100


@inlined
def rise(s: CdclState, i: int) -> None:
    """Restore the heap's order upwards from index i."""
    x = s.heap[i]
    while i > 0:
        up = (i - 1) >> 1
        if s.activity[s.heap[up]] >= s.activity[x]:
            break
        s.heap[i] = s.heap[up]
        s.slot[s.heap[i]] = i
        i = up
    s.heap[i] = x
    s.slot[x] = i


@inlined
def insert(s: CdclState, x: int) -> None:
    """Put a variable into the heap if it is not there."""
    if s.slot[x] == NONE:
        s.heap[s.counts[at.HEAP]] = x
        s.counts[at.HEAP] += 1
        rise(s, s.counts[at.HEAP] - 1)


@inlined
def pop(s: CdclState) -> int:
    """Remove the variable of highest activity and return it."""
    found: int = s.heap[0]
    s.slot[found] = NONE
    s.counts[at.HEAP] -= 1
    n = s.counts[at.HEAP]
    if n > 0:
        x, i = s.heap[n], 0
        while True:
            down = 2 * i + 1
            if down >= n:
                break
            if down + 1 < n and s.activity[s.heap[down + 1]] > s.activity[s.heap[down]]:
                down += 1
            if s.activity[s.heap[down]] <= s.activity[x]:
                break
            s.heap[i] = s.heap[down]
            s.slot[s.heap[i]] = i
            i = down
        s.heap[i] = x
        s.slot[x] = i
    return found


@inlined
def most_active(s: CdclState) -> int:
    """Remove variables from the heap up to an open one, and return that, or NONE."""
    while s.counts[at.HEAP] > 0:
        x = pop(s)
        if s.value[2 * x] == 0:
            return x
    return NONE


@inlined
def bump(s: CdclState, x: int) -> None:
    """Raise the activity of a variable that took part in a conflict."""
    s.activity[x] += s.increment[0]
    if s.activity[x] > RESCALE:
        for y in range(s.variables):
            s.activity[y] /= RESCALE
        s.increment[0] /= RESCALE
    if s.slot[x] != NONE:
        rise(s, s.slot[x])
