"""Unit propagation of linked rows: a literal whose coefficient exceeds the slack of its row must be true."""

from harness.judging.checkers.compiling import compile_inner
from harness.judging.checkers.pseudo_boolean.columns import GOOD, REFUTED, ROWS, TRAIL, Columns, remove_last, store


@compile_inner
def imply(s: Columns, row: int, end: int) -> int:
    """Make the open literals true without which a row can't hold; return the new length of the trail."""
    slack, i = s.slack[row], s.start[row]
    while i < s.start[row + 1] and s.coefficient[i] > slack:
        code = s.code[i]
        if s.value[code] == 0:
            s.value[code], s.value[code ^ 1], s.trail[end] = 1, -1, code
            end += 1
        i += 1
    return end


@compile_inner
def propagate(s: Columns, end: int) -> tuple[bool, int, int]:
    """Propagate the trail from TRAIL on; return True at a conflict, how many codes are counted in slacks, its length.

    Entries of deleted rows are taken out of their lists.
    """
    at = s.counts[TRAIL]
    while at < end:
        false = s.trail[at] ^ 1
        at += 1
        conflict, before, i = False, -1, s.head[false]
        while i >= 0:
            row, after = s.owner[i], s.following[i]
            if s.dead[row]:
                if before < 0:
                    s.head[false] = after
                else:
                    s.following[before] = after
                i = after
                continue
            s.slack[row] -= s.coefficient[i]
            if s.slack[row] < 0:
                conflict = True
            elif not conflict and s.coefficient[s.start[row]] > s.slack[row]:
                end = imply(s, row, end)
            before, i = i, after
        if conflict:
            return True, at, end
    return False, at, end


@compile_inner
def undo(s: Columns, counted: int, end: int) -> None:
    """Make the codes of the trail from TRAIL on open again; those before `counted` are counted in slacks."""
    for at in range(s.counts[TRAIL], end):
        code = s.trail[at]
        s.value[code], s.value[code ^ 1] = 0, 0
        if at < counted:
            i = s.head[code ^ 1]
            while i >= 0:
                s.slack[s.owner[i]] += s.coefficient[i]
                i = s.following[i]


@compile_inner
def settle(s: Columns, row: int) -> int:
    """Propagate a linked row that holds, for good; return REFUTED at a conflict, else GOOD."""
    if s.slack[row] < 0:
        return REFUTED
    conflict, counted, end = propagate(s, imply(s, row, s.counts[TRAIL]))
    s.counts[TRAIL] = end
    return REFUTED if conflict or counted < end else GOOD


@compile_inner
def conflicts(s: Columns, rows: int) -> bool:
    """Return True if the last `rows` rows, assumed, and the others lead to a conflict; nothing is kept of it."""
    end = s.counts[TRAIL]
    for row in range(s.counts[ROWS] - rows, s.counts[ROWS]):
        if s.slack[row] < 0:
            undo(s, s.counts[TRAIL], end)
            return True
        end = imply(s, row, end)
    conflict, counted, end = propagate(s, end)
    undo(s, counted, end)
    return conflict


@compile_inner
def refutes(s: Columns) -> tuple[bool, int]:
    """Return True if the row under construction, assumed, leads to a conflict; and GOOD, FULL or OVERFLOW."""
    fault = store(s, True)
    if fault != GOOD:
        return False, fault
    found = conflicts(s, 1)
    remove_last(s)
    return found, GOOD
