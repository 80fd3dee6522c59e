"""Choice of the next variable in focused mode: the open one that took part in a conflict last (VMTF, Ryan 2004).

The queue is a linked list with stamps (Biere & Froehlich 2015, "Evaluating CDCL Variable Scoring Schemes"). All
variables in front of SOUGHT have values.
"""

from backends.native.cdcl import state as at
from backends.native.cdcl.state import NONE, CdclState
from backends.native.compiling import inlined, internal


@internal
def newest(s: CdclState) -> int:
    """Return the open variable nearest to the front, or NONE."""
    x: int = s.counts[at.SOUGHT]
    while x != NONE and s.value[2 * x] != 0:
        x = s.older[x]
    if x != NONE:
        s.counts[at.SOUGHT] = x
    return x


@inlined
def reopen(s: CdclState, x: int) -> None:
    """Let the next search begin no later than at a variable that has lost its value."""
    if s.stamp[x] > s.stamp[s.counts[at.SOUGHT]]:
        s.counts[at.SOUGHT] = x


@internal
def to_front(s: CdclState) -> None:
    """Move the variables of a conflict to the front, in the order that they have in the queue, before it is undone."""
    sort(s, s.counts[at.MET])
    for i in range(s.counts[at.MET]):
        x, front = s.met[i], s.counts[at.FRONT]
        s.counts[at.STAMPED] += 1
        s.stamp[x] = s.counts[at.STAMPED]
        if x != front:
            older, newer = s.older[x], s.newer[x]
            if s.counts[at.SOUGHT] == x:
                s.counts[at.SOUGHT] = older if older != NONE else newer
            s.older[newer] = older
            if older != NONE:
                s.newer[older] = newer
            s.newer[front], s.older[x], s.newer[x] = x, front, NONE
            s.counts[at.FRONT] = x


@internal
def sort(s: CdclState, size: int) -> None:
    """Sort the variables of a conflict by their stamps (Shell 1959)."""
    gap = size // 2
    while gap > 0:
        for i in range(gap, size):
            x, k = s.met[i], i
            while k >= gap and s.stamp[s.met[k - gap]] > s.stamp[x]:
                s.met[k] = s.met[k - gap]
                k -= gap
            s.met[k] = x
        gap = gap * 4 // 9 if gap > 2 else gap - 1
