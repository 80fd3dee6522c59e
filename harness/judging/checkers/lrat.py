"""Forward checker of LRAT proofs, in time linear in the clauses that the hints name (Cruz-Filipe et al. 2017).

Each clause comes with hints, numbers of clauses. The literals of the new clause are assumed false; then each hint must
have one literal that is not false, which becomes true, or none, and then the clause follows (RUP). Otherwise the clause
may be RAT on its first literal, the pivot: for each clause with the negated pivot there is a negative hint, and the
hints after it must show that the resolvent follows. Occurrences are counted, so that a missing hint shows without a
search. Deletions are honoured; deletions of unknown clauses are ignored, since they change nothing.

The proof is checked while it is read, part by part. What is kept is 4 bytes for each literal of clauses that are not
deleted, or twice as much, and about 30 for each clause that was ever there.

    k       a clause by its index: clauses of the formula, then clauses of the proof in order
    table   int32[power of two]: the clause of each number, by open addressing from its lowest bits, -1 where empty
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from harness.judging.checkers.clause_list import grown
from harness.judging.checkers.compiling import compile_if_possible, compile_inner
from harness.judging.checkers.lrat_text import Lrat
from harness.judging.checkers.proof_text import Int32Array, Renumbering

Array = npt.NDArray[Any]
REFUTED, NO_CONTRADICTION, UNKNOWN, DELETED, OPEN, UNPROVED, NO_PIVOT, MISSING, REUSED = range(9)
FAULTS = {
    NO_CONTRADICTION: "the proof ends without a contradiction",
    UNKNOWN: "clause {number} of the proof names clause {hint}, which does not exist",
    DELETED: "clause {number} of the proof names clause {hint}, which is deleted",
    OPEN: "clause {number} of the proof: two literals of its hint {hint} are open",
    UNPROVED: "clause {number} of the proof does not follow from its hints",
    NO_PIVOT: "clause {number} of the proof: its hint {hint} lacks the negation of its first literal",
    MISSING: "clause {number} of the proof lacks hints for some clauses with the negation of its first literal",
    REUSED: "clause {number} of the proof has the number of another",
}
PASSED, UNDECIDED = -1, -2  # a conflict; no conflict and no fault


class HintedCheck(NamedTuple):
    """Arrays of a check.

    codes, start   as in ClauseList, with room for more      numbers  int32: of each clause
    alive          int8: added and not deleted               table    described above
    value          int8[codes]: 1 true, -1 false, 0 open     trail    int32: true codes, in order
    occurs         int32[codes]: clauses alive with it       counted  int32: last clause that counted this one as a
    seen           int32[codes]: last clause with it, + 1             resolvent, + 1
    hints          int32, of the part at work, as in Lrat
    """

    codes: Array
    start: Array
    numbers: Array
    alive: Array
    table: Array
    value: Array
    trail: Array
    occurs: Array
    counted: Array
    seen: Array
    hints: Array


@compile_inner
def find(s: HintedCheck, number: int) -> int:
    """Return the clause of a number, or -1."""
    last = len(s.table) - 1
    at = number & last
    while s.table[at] >= 0 and s.numbers[s.table[at]] != number:
        at = (at + 1) & last
    return int(s.table[at])


@compile_inner
def enter(s: HintedCheck, clause: int) -> None:
    """Enter the number of a clause in the table."""
    last = len(s.table) - 1
    at = s.numbers[clause] & last
    while s.table[at] >= 0:
        at = (at + 1) & last
    s.table[at] = clause


@compile_if_possible
def enter_all(s: HintedCheck, clauses: int) -> None:
    """Enter the numbers of all clauses in an empty table."""
    for clause in range(clauses):
        enter(s, clause)


@compile_inner
def store(s: HintedCheck, clause: int, number: int, literals: Array, at: int) -> int:
    """Store the clause that begins at a position of literals, no literal twice; return the position after its 0."""
    end = s.start[clause]
    s.numbers[clause] = number
    while literals[at] != 0:
        code = 2 * literals[at] if literals[at] > 0 else 1 - 2 * literals[at]
        if s.seen[code] != clause + 1:
            s.seen[code], s.codes[end] = clause + 1, code
            end += 1
        at += 1
    s.start[clause + 1] = end
    return at + 1


@compile_inner
def add(s: HintedCheck, clause: int) -> None:
    """Register a stored clause as known and alive."""
    enter(s, clause)
    s.alive[clause] = 1
    for i in range(s.start[clause], s.start[clause + 1]):
        s.occurs[s.codes[i]] += 1


@compile_inner
def delete(s: HintedCheck, clause: int) -> None:
    """Forget a clause, except its number."""
    if clause >= 0 and s.alive[clause]:
        s.alive[clause] = 0
        for i in range(s.start[clause], s.start[clause + 1]):
            s.occurs[s.codes[i]] -= 1


@compile_inner
def falsify(s: HintedCheck, clause: int, end: int, but: int) -> tuple[int, bool]:
    """Assume all literals of a clause but one false; return the trail's length, and True if one of them is true."""
    for i in range(s.start[clause], s.start[clause + 1]):
        code = s.codes[i]
        if code == but:
            continue
        if s.value[code] == 1:
            return end, True
        if s.value[code] == 0:
            s.value[code], s.value[code ^ 1], s.trail[end] = -1, 1, code ^ 1
            end += 1
    return end, False


@compile_inner
def propagate(s: HintedCheck, at: int, end: int) -> tuple[int, int, int]:
    """Follow the positive hints from `at`; return PASSED, UNDECIDED or a fault, its position, the trail's length."""
    while s.hints[at] > 0:
        clause = find(s, s.hints[at])
        if clause < 0 or not s.alive[clause]:
            return UNKNOWN if clause < 0 else DELETED, at, end
        unit = -1
        for i in range(s.start[clause], s.start[clause + 1]):
            code = s.codes[i]
            if s.value[code] != -1:
                if unit >= 0:
                    return OPEN, at, end
                unit = code
        if unit < 0:
            return PASSED, at, end
        if s.value[unit] == 0:
            s.value[unit], s.value[unit ^ 1], s.trail[end] = 1, -1, unit
            end += 1
        at += 1
    return UNDECIDED, at, end


@compile_inner
def undo(s: HintedCheck, end: int, to: int) -> int:
    """Shorten the trail to length `to`, and return `to`."""
    for i in range(to, end):
        s.value[s.trail[i]] = s.value[s.trail[i] ^ 1] = 0
    return to


@compile_inner
def resolvents(s: HintedCheck, clause: int, at: int, end: int) -> tuple[int, int]:
    """Check the RAT hints of a clause; return PASSED or a fault, and its position."""
    pivot, found = s.codes[s.start[clause]], 0
    while s.hints[at] != 0:
        other = find(s, -s.hints[at])
        if other < 0 or not s.alive[other]:
            return UNKNOWN if other < 0 else DELETED, at
        has_pivot = False
        for i in range(s.start[other], s.start[other + 1]):
            has_pivot |= s.codes[i] == pivot ^ 1
        if not has_pivot:
            return NO_PIVOT, at
        found += s.counted[other] != clause + 1
        s.counted[other] = clause + 1
        reached, satisfied = falsify(s, other, end, pivot ^ 1)
        at += 1
        if not satisfied:
            result, at, reached = propagate(s, at, reached)
            if result != PASSED:
                return UNPROVED if result == UNDECIDED else result, at
        undo(s, reached, end)
        while s.hints[at] > 0:
            at += 1
    return PASSED if found == s.occurs[pivot ^ 1] else MISSING, at


@compile_inner
def follows(s: HintedCheck, clause: int, at: int) -> tuple[int, int]:
    """Check a clause with hints from `at` on; return PASSED or a fault, and its position."""
    end, satisfied = falsify(s, clause, 0, -1)
    result = PASSED
    if not satisfied:
        result, at, end = propagate(s, at, end)
        first = s.start[clause]
        if result == UNDECIDED:
            result = UNPROVED
            if first < s.start[clause + 1] and (s.hints[at] < 0 or s.occurs[s.codes[first] ^ 1] == 0):
                result, at = resolvents(s, clause, at, end)
    undo(s, end, 0)
    return result, at


@compile_if_possible
def load(s: HintedCheck, axioms: Array) -> int:
    """Add the clauses of the formula, up to an empty one; return how many."""
    clause, at = 0, 0
    while at < len(axioms):
        at = store(s, clause, clause + 1, axioms, at)
        add(s, clause)
        clause += 1
        if s.start[clause - 1] == s.start[clause]:
            break
    return clause


@compile_if_possible
def run(s: HintedCheck, clause: int, steps: Array, literals: Array) -> tuple[int, int, int]:
    """Check a part, whose first clause has this index; return REFUTED, NO_CONTRADICTION or a fault.

    Also return the clause where the check ended, and the position of its hint.
    """
    at = read = 0
    for number in steps:
        if number == 0:
            while s.hints[at] != 0:
                delete(s, find(s, s.hints[at]))
                at += 1
        else:
            reused = find(s, number) >= 0
            read = store(s, clause, number, literals, read)
            if reused:
                return REUSED, clause, at
            result, fault_at = follows(s, clause, at)
            if result != PASSED:
                return result, clause, fault_at
            if s.start[clause] == s.start[clause + 1]:
                return REFUTED, clause, at
            add(s, clause)
            clause += 1
            while s.hints[at] != 0:
                at += 1
        at += 1
    return NO_CONTRADICTION, clause, 0


def new_check(axioms: int) -> HintedCheck:
    """Return the state without clauses, with a table for those of the formula."""
    narrow, table = np.zeros(0, np.int32), np.full(1 << (2 * axioms + 1).bit_length(), -1, np.int32)
    value, start, codes = np.zeros(0, np.int8), np.zeros(1, np.int64), np.zeros(0, np.uint32)
    return HintedCheck(codes, start, narrow, value, table, value, narrow, narrow, narrow, narrow, narrow)


def with_room(s: HintedCheck, clauses: int, more: int, literals: int, variables: int) -> HintedCheck:
    """Return the state with room for more clauses and literals, for which literals of deleted clauses may go."""
    if s.start[clauses] + literals > len(s.codes):
        s = packed(s, clauses)
        s = s._replace(codes=grown(s.codes, 2 * int(s.start[clauses]) + literals))
    for name in ("numbers", "alive", "counted"):
        s = s._replace(**{name: grown(getattr(s, name), clauses + more)})
    for name in ("value", "occurs", "seen"):
        s = s._replace(**{name: grown(getattr(s, name), 2 * variables + 2)})
    s = s._replace(start=grown(s.start, clauses + more + 1), trail=grown(s.trail, variables + 1))
    if 3 * (clauses + more) > 2 * len(s.table):
        s = s._replace(table=np.full(1 << (2 * (clauses + more)).bit_length(), -1, np.int32))
        enter_all(s, clauses)
    return s


def packed(s: HintedCheck, clauses: int) -> HintedCheck:
    """Return the state without the literals of deleted clauses."""
    start, alive = s.start[: clauses + 1], s.alive[:clauses]
    lengths = np.diff(start)
    codes = s.codes[: start[-1]][np.repeat(alive, lengths) == 1]
    start[1:] = np.cumsum(lengths * alive)
    return s._replace(codes=codes)


def lrat_fault(axioms: Int32Array, variables: int, parts: Iterable[Lrat]) -> str:
    """Return the reason why a proof does not refute axioms (flat, 0-ended, numbered from 1); '' if it does."""
    named, clauses = Renumbering(variables), int(np.count_nonzero(axioms == 0))
    s = with_room(new_check(clauses), 0, clauses, len(axioms), variables)
    clauses = load(s, axioms)
    if clauses and s.start[clauses - 1] == s.start[clauses]:
        return ""
    for part in parts:
        literals = named.of(part.literals)
        s = with_room(s, clauses, len(part.numbers), len(literals), named.variables)._replace(hints=part.hints)
        fault, clauses, at = run(s, clauses, part.numbers, literals)
        if fault == REFUTED:
            return ""
        if fault != NO_CONTRADICTION:
            return FAULTS[fault].format(number=s.numbers[clauses], hint=part.hints[at])
    return FAULTS[NO_CONTRADICTION]
