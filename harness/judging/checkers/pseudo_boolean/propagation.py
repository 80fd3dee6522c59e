"""Unit propagation of linked rows: a literal whose coefficient exceeds the slack of its row must be true."""

from harness.judging.checkers.compiling import compile_if_possible, compile_inner
from harness.judging.checkers.pseudo_boolean.columns import (
    BROKEN,
    DEGREE,
    FINAL,
    GOOD,
    IDS,
    KNOWN,
    REFUTED,
    ROWS,
    STALE,
    TRAIL,
    Array,
    Columns,
    link,
    remove_last,
    store,
)


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
    """Propagate a linked row that holds, for good; at a conflict return REFUTED if that is final, else note it."""
    if s.counts[BROKEN]:
        return GOOD
    conflict = s.slack[row] < 0
    if not conflict:
        conflict, counted, end = propagate(s, imply(s, row, s.counts[TRAIL]))
        if conflict:
            undo(s, counted, end)
        else:
            s.counts[TRAIL] = end
    s.counts[BROKEN] = conflict
    return REFUTED if conflict and s.counts[FINAL] else GOOD


@compile_inner
def conflicts(s: Columns, rows: int) -> bool:
    """Return True if the last `rows` rows, assumed, and the others lead to a conflict; nothing is kept of it."""
    if s.counts[BROKEN]:
        return True
    end = s.counts[TRAIL]
    for row in range(s.counts[ROWS] - rows, s.counts[ROWS]):
        if s.degree[row] <= 0:
            continue
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
    fault = store(s, s.counts[DEGREE] > 0)
    if fault != GOOD:
        return False, fault
    found = conflicts(s, 1)
    remove_last(s)
    return found, GOOD


@compile_if_possible
def refresh(s: Columns) -> None:
    """Link all rows that are held anew, and forget what only deleted rows imply."""
    s.counts[STALE], s.counts[BROKEN], s.counts[TRAIL] = 0, 0, 0
    s.head[:] = -1
    s.value[:] = 0
    for row in range(s.counts[ROWS]):
        if not s.dead[row] and s.degree[row] > 0:
            link(s, row)
    for row in range(s.counts[ROWS]):
        if not s.dead[row] and s.degree[row] > 0:
            settle(s, row)


@compile_if_possible
def compact(s: Columns) -> None:
    """Move the rows that are held together, so that deleted ones take no room. No block may be open.

    Numbers go with their rows. What propagation has shown is forgotten but for literals that are true.
    """
    rows, kept = s.counts[ROWS], 0
    for row in range(rows):
        begin, end = s.start[row], s.start[row + 1]
        s.slack[row] = kept  # where the row goes, until it is linked
        if s.dead[row]:
            continue
        at = s.start[kept]
        for i in range(begin, end):
            s.code[at], s.coefficient[at] = s.code[i], s.coefficient[i]
            at += 1
        s.start[kept + 1], s.degree[kept], s.dead[kept] = at, s.degree[row], 0
        s.names[kept], s.cores[kept] = s.names[row], s.cores[row]
        kept += 1
    for number in range(s.counts[IDS]):
        if s.where[number] >= 0:
            s.where[number] = s.slack[s.where[number]]
    s.counts[ROWS], s.counts[KNOWN] = kept, 0
    s.head[:] = -1
    s.shown[:] = -1
    for row in range(kept):
        if s.degree[row] > 0:
            link(s, row)


@compile_if_possible
def assumed(s: Columns, rows: int, true: Array) -> tuple[bool, int]:
    """Return True if the last rows, assumed, lead to a conflict; else fill `true` with the codes that are true then."""
    if s.counts[BROKEN]:
        return True, 0
    begin, end, conflict = s.counts[TRAIL], s.counts[TRAIL], False
    for row in range(s.counts[ROWS] - rows, s.counts[ROWS]):
        if s.degree[row] > 0 and not conflict:
            conflict = s.slack[row] < 0
            end = end if conflict else imply(s, row, end)
    counted = begin
    if not conflict:
        conflict, counted, end = propagate(s, end)
    true[:end] = s.trail[:end]
    undo(s, counted, end)
    return conflict, end


@compile_if_possible
def leave(s: Columns, rows: int, trail: int, ids: int, broken: int) -> None:
    """Remove the rows after the first `rows`, and what they imply; the numbers after the first `ids` have no row."""
    end, s.counts[TRAIL] = s.counts[TRAIL], trail
    undo(s, end, end)
    while s.counts[ROWS] > rows:
        remove_last(s)
    for number in range(ids, s.counts[IDS]):
        row = s.where[number]
        if 0 <= row < rows:
            s.names[row] -= 1
        s.where[number], s.core[number] = -1, 0
    s.counts[BROKEN] = broken
