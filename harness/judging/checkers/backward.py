"""Backward checker of DRAT proofs, by unit propagation.

The proof is first propagated forwards, without checking clauses, up to a contradiction. Then, from the end, each clause
that the contradiction needs (core) must follow from those before: assuming its literals false and propagating ends in a
conflict, whose clauses become core in turn. Clauses outside the core are never checked (Goldberg & Novikov 2003).
Core clauses are propagated first, so that few others become core (Heule, Hunt & Wetzler 2013). Deletions are honoured,
except of a clause that holds the reason of an assignment, as in drat-trim.

A clause that does not follow may be RAT on its first literal as the proof has it, the pivot: each of its resolvents on
the pivot, with all clauses known at that point of the proof, core or not, must follow (Wetzler, Heule & Hunt 2014).
Adding such a clause keeps the formula satisfiable, and so the core, a part of the formula. All loops
are in one file: they are compiled together and share this state.

    value     int8[codes]: 1 true, -1 false, 0 open           trail   int32: true codes, in order
    reason    int64[variables + 1]: clause that made it true, -1 for an assumption
    position  int64[variables + 1]: index in the trail
    watch     uint32[., 2]: clause and another of its literals, by segment: one for each code, with room for each clause
              that has it. Core clauses fill a segment from the left, others from the right. They are visited when the
              code becomes false
    status    int8[clauses]: DEAD (not yet added, or deleted), CORE, and FIRST or SECOND if the clause is in the segment
              of its first or second literal. Dead clauses leave a segment when it is next visited
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from harness.judging.checkers.clause_list import ClauseList
from harness.judging.checkers.compiling import compile_if_possible, compile_inner

Array = npt.NDArray[Any]
DEAD, CORE, FIRST, SECOND = 1, 2, 4, 8
REFUTED, NO_CONTRADICTION = -1, -2
NO_LITERAL = -1
BLOCK = 1 << 20  # literals that are counted at once


class BackwardCheck(NamedTuple):
    """Arrays of a check, described above; `segment` int64[codes + 1] and `counts` int32[2, codes] delimit the segments.

    seen, stack   scratch of the search for core clauses        known   int8: the core of this assignment is complete
    pivot         uint32: first literal of each clause          occurs  uint32: clauses with each code, by segment;
                                                                        listed when the first clause must be RAT
    """

    codes: Array
    start: Array
    status: Array
    value: Array
    trail: Array
    reason: Array
    position: Array
    watch: Array
    segment: Array
    counts: Array
    seen: Array
    stack: Array
    known: Array
    pivot: Array
    occurs: Array


@compile_inner
def assign(s: BackwardCheck, code: int, reason: int, end: int) -> int:
    """Make a literal true; return the new length of the trail."""
    s.value[code] = 1
    s.value[code ^ 1] = -1
    s.reason[code >> 1] = reason
    s.position[code >> 1] = end
    s.trail[end] = code
    return end + 1


@compile_inner
def unassign(s: BackwardCheck, end: int, to: int) -> int:
    """Shorten the trail to length `to`, and return `to`."""
    for i in range(to, end):
        code = s.trail[i]
        s.value[code] = 0
        s.value[code ^ 1] = 0
        s.known[code >> 1] = 0
    return to


@compile_inner
def push(s: BackwardCheck, code: int, core: bool, clause: int, other: int) -> None:
    """Add a clause to the segment of a code."""
    kind = 0 if core else 1
    n = s.counts[kind, code]
    p = s.segment[code] + n if core else s.segment[code + 1] - 1 - n
    s.watch[p, 0] = clause
    s.watch[p, 1] = other
    s.counts[kind, code] = n + 1


@compile_inner
def attach(s: BackwardCheck, clause: int) -> None:
    """Watch the first two literals of a clause with two literals or more."""
    a, status = s.start[clause], s.status[clause]
    if not status & FIRST:
        push(s, s.codes[a], status & CORE != 0, clause, s.codes[a + 1])
    if not status & SECOND:
        push(s, s.codes[a + 1], status & CORE != 0, clause, s.codes[a])
    s.status[clause] = status | FIRST | SECOND


@compile_inner
def propagate(
    begin: int,
    end: int,
    codes: Array,
    start: Array,
    status: Array,
    value: Array,
    trail: Array,
    reason: Array,
    position: Array,
    watch: Array,
    segment: Array,
    counts: Array,
) -> tuple[int, int]:
    """Propagate the trail from position `begin`, core clauses first; return its length, and a conflict or -1.

    The other clauses of a segment are visited up to the first assignment, then core clauses again. One long function,
    since a call in the inner loop would double its cost.
    """
    core = rest = begin
    entry = 0
    while True:
        if core < end:
            false, kind, i = trail[core] ^ 1, 0, 0
            base, step = segment[false], 1
            core += 1
        elif rest < end:
            false, kind, i = trail[rest] ^ 1, 1, entry
            base, step = segment[false + 1] - 1, -1
        else:
            return end, -1
        n, assigned = counts[kind, false], False
        while i < n:
            p = base + step * i
            if value[watch[p, 1]] == 1:
                i += 1
                continue
            clause = watch[p, 0]
            state, a, last = status[clause], start[clause], base + step * (n - 1)
            if state & DEAD:
                status[clause] = state & ~(FIRST if codes[a] == false else SECOND)
                watch[p, 0], watch[p, 1] = watch[last, 0], watch[last, 1]
                n -= 1
                continue
            if codes[a] == false:
                codes[a], codes[a + 1] = codes[a + 1], false
            other = codes[a]
            if value[other] == 1:
                watch[p, 1] = other
                i += 1
                continue
            k, stop = a + 2, start[clause + 1]
            while k < stop and value[codes[k]] == -1:
                k += 1
            found = k < stop
            if found or (kind == 1 and state & CORE):  # leaves: it has an open literal, or became core after it entered
                to = false
                if found:
                    to = codes[k]
                    codes[a + 1], codes[k] = to, false
                watch[p, 0], watch[p, 1] = watch[last, 0], watch[last, 1]
                n -= 1
                if state & CORE:
                    free = segment[to] + counts[0, to]
                    counts[0, to] += 1
                else:
                    free = segment[to + 1] - 1 - counts[1, to]
                    counts[1, to] += 1
                watch[free, 0], watch[free, 1] = clause, other
                if found:
                    continue
            else:
                i += 1
            if value[other] == -1:
                counts[kind, false] = n
                return end, clause
            value[other], value[other ^ 1] = 1, -1
            reason[other >> 1], position[other >> 1] = clause, end
            trail[end] = other
            end += 1
            if kind == 1:
                assigned = True
                break
        counts[kind, false] = n
        if kind == 1:
            entry = i if assigned else 0
            rest += not assigned


@compile_inner
def propagate_state(s: BackwardCheck, begin: int, end: int) -> tuple[int, int]:
    return propagate(
        begin, end, s.codes, s.start, s.status, s.value, s.trail, s.reason, s.position, s.watch, s.segment, s.counts
    )


@compile_inner
def mark(s: BackwardCheck, clause: int, variable: int, top: int, stamp: int) -> None:
    """Mark the clauses behind a conflict, or behind the assignment of a variable if `clause` is -1, as core.

    `top` is the length of the trail without assumptions; `stamp` is different in each call.
    """
    n = 0
    if clause < 0:
        s.stack[0], s.seen[variable], n = variable, stamp, 1
    while n > 0 or clause >= 0:
        if clause < 0:
            n -= 1
            v = s.stack[n]
            clause = s.reason[v]
            if clause < 0 or s.known[v]:
                clause = -1
                continue
            s.known[v] = s.position[v] < top
        s.status[clause] |= CORE
        for i in range(s.start[clause], s.start[clause + 1]):
            v = s.codes[i] >> 1
            if s.seen[v] != stamp:
                s.seen[v] = stamp
                s.stack[n] = v
                n += 1
        clause = -1


@compile_inner
def load_axioms(s: BackwardCheck, axioms: int) -> tuple[int, int]:
    """Attach and propagate the axioms; return the length of the trail, and a conflict or -1."""
    end = 0
    for c in range(axioms):
        if s.start[c + 1] - s.start[c] > 1:
            attach(s, c)
    for c in range(axioms):
        size, code = s.start[c + 1] - s.start[c], s.codes[s.start[c]]
        if size == 0 or (size == 1 and s.value[code] == -1):
            return end, c
        if size == 1 and s.value[code] == 0:
            end = assign(s, code, c, end)
    return propagate_state(s, 0, end)


@compile_inner
def is_reason(s: BackwardCheck, clause: int) -> bool:
    """Return True if the clause made its first literal true; clauses keep a literal that they made true first."""
    a = s.start[clause]
    if a == s.start[clause + 1]:
        return False
    code = s.codes[a]
    return bool(s.value[code] == 1 and s.reason[code >> 1] == clause)


@compile_inner
def add(s: BackwardCheck, clause: int, end: int) -> tuple[int, int]:
    """Add a clause and propagate; return the length of the trail, and a conflict or -1."""
    a, stop, found = s.start[clause], s.start[clause + 1], 0
    s.status[clause] &= ~DEAD
    for k in range(a, stop):
        if s.value[s.codes[k]] != -1:
            s.codes[k], s.codes[a + found] = s.codes[a + found], s.codes[k]
            found += 1
            if found == 2:
                break
    if found == 0:
        return end, clause
    if stop - a > 1:
        attach(s, clause)
    if found == 1 and s.value[s.codes[a]] == 0:
        return propagate_state(s, end, assign(s, s.codes[a], clause, end))
    return end, -1


@compile_inner
def follows(s: BackwardCheck, clause: int, but: int, begin: int, top: int, stamp: int) -> bool:
    """Return True if a clause without the literal `but` follows by unit propagation; mark the clauses that it follows
    from.

    The trail has length `begin`; from `top` on it holds assumptions and their consequences.
    """
    reached, conflict, satisfied = begin, -1, False
    for i in range(s.start[clause], s.start[clause + 1]):
        code = s.codes[i]
        if code == but:
            continue
        if s.value[code] == 1:
            satisfied = True
            mark(s, -1, code >> 1, top, stamp)
            break
        if s.value[code] == 0:
            reached = assign(s, code ^ 1, -1, reached)
    if not satisfied:
        reached, conflict = propagate_state(s, begin, reached)
        if conflict >= 0:
            mark(s, conflict, 0, top, stamp)
    unassign(s, reached, begin)
    return satisfied or conflict >= 0


@compile_if_possible
def list_occurrences(s: BackwardCheck) -> None:
    """List the clauses with each literal, dead ones included."""
    filled = np.zeros_like(s.counts[0])
    for clause in range(len(s.start) - 1):
        for i in range(s.start[clause], s.start[clause + 1]):
            code = s.codes[i]
            s.occurs[s.segment[code] + filled[code]] = clause
            filled[code] += 1


@compile_inner
def is_rat(s: BackwardCheck, clause: int, end: int, stamp: int) -> tuple[bool, int]:
    """Return True if a clause that does not follow is RAT, and the last stamp; mark clauses its resolvents need."""
    if s.start[clause] == s.start[clause + 1]:
        return False, stamp
    pivot, reached, found = s.pivot[clause], end, True
    for i in range(s.start[clause], s.start[clause + 1]):
        if s.value[s.codes[i]] == 0:
            reached = assign(s, s.codes[i] ^ 1, -1, reached)
    reached, _ = propagate_state(s, end, reached)
    for k in range(s.segment[pivot ^ 1], s.segment[(pivot ^ 1) + 1]):
        if not s.status[s.occurs[k]] & DEAD:
            stamp += 1
            found = follows(s, s.occurs[k], pivot ^ 1, reached, end, stamp)
            if not found:
                break
    unassign(s, reached, end)
    return found, stamp


@compile_if_possible
def run(s: BackwardCheck, events: Array, axioms: int, every: bool) -> tuple[int, int]:
    """Check; return REFUTED, NO_CONTRADICTION or a clause that does not follow, and the number of clauses checked."""
    end, conflict = load_axioms(s, axioms)
    if conflict >= 0:
        return -1, 0
    at = 0
    while at < len(events) and conflict < 0:
        event = events[at]
        if event > 0:
            end, conflict = add(s, event - 1, end)
        elif event < 0 and is_reason(s, -event - 1):
            events[at] = 0
        elif event < 0:
            s.status[-event - 1] |= DEAD
        at += 1
    checked, stamp, listed = 0, 1, False
    if conflict >= 0:
        mark(s, conflict, 0, end, stamp)
    elif not every:
        return -2, 0
    while at > 0:
        at -= 1
        event = events[at]
        clause = abs(event) - 1
        if event < 0:
            s.status[clause] &= ~DEAD
            if s.start[clause + 1] - s.start[clause] > 1:
                attach(s, clause)
        elif event > 0:
            if is_reason(s, clause):
                end = unassign(s, end, s.position[s.codes[s.start[clause]] >> 1])
            s.status[clause] |= DEAD
            if every or s.status[clause] & CORE:
                checked, stamp = checked + 1, stamp + 1
                if follows(s, clause, NO_LITERAL, end, end, stamp):
                    continue
                if every:
                    return clause, checked
                if not listed:
                    list_occurrences(s)
                    listed = True
                rat, stamp = is_rat(s, clause, end, stamp)
                if not rat:
                    return clause, checked
    return -1, checked


def check(clauses: ClauseList, every: bool = False) -> tuple[int, int]:
    """Check that a proof refutes its axioms.

    Return REFUTED, NO_CONTRADICTION, or the number of a clause that neither follows nor is RAT; and how many clauses
    were checked. With `every`, all clauses up to a contradiction must follow, and none need be reached: REFUTED then
    says that they do. Literals of `clauses` move within their clauses.
    """
    codes, start, n = clauses.codes, clauses.start, 2 * clauses.variables + 2  # unsigned: Numba then looks for no -1
    status = np.zeros(len(start) - 1, np.int8)
    status[clauses.axioms :] = DEAD
    segment = np.zeros(n + 1, np.int64)
    for at in range(0, len(codes), BLOCK):
        segment[1:] += np.bincount(codes[at : at + BLOCK], minlength=n)
    np.cumsum(segment, out=segment)
    v = clauses.variables + 1
    state = BackwardCheck(
        codes,
        start,
        status,
        value=np.zeros(n, np.int8),
        trail=np.zeros(v, np.int32),
        reason=np.full(v, -1, np.int64),
        position=np.zeros(v, np.int64),
        watch=np.zeros((len(codes), 2), np.uint32),
        segment=segment,
        counts=np.zeros((2, n), np.int32),
        seen=np.zeros(v, np.int64),
        stack=np.zeros(v, np.int32),
        known=np.zeros(v, np.int8),
        pivot=clauses.pivot,
        occurs=np.empty(len(codes), np.uint32),
    )
    result, checked = run(state, clauses.events.copy(), clauses.axioms, every)
    return int(result), int(checked)
