"""Forward checker of LRAT proofs, in time linear in the clauses that the hints name (Cruz-Filipe et al. 2017).

Each clause comes with hints, numbers of clauses. The literals of the new clause are assumed false; then each hint must
have one literal that is not false, which becomes true, or none, and then the clause follows (RUP). Otherwise the clause
may be RAT on its first literal, the pivot: for each clause with the negated pivot there is a negative hint, and the
hints after it must show that the resolvent follows. Occurrences are counted, so that a missing hint shows without a
search. Deletions are honoured; deletions of unknown clauses are ignored, since they change nothing.

    k       a clause by its index: clauses of the formula, then clauses of the proof in order
    table   int32[power of two]: the clause of each number, by open addressing from its lowest bits, -1 where empty
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from harness.judging.checkers.clause_list import clause_list
from harness.judging.checkers.compiling import compile_if_possible, compile_inner
from harness.judging.checkers.lrat_text import Lrat
from harness.judging.checkers.proof_text import Int32Array, renumber

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

    codes, start   as in ClauseList                          numbers  int32: of each clause
    alive          int8: added and not deleted               table    described above
    value          int8[codes]: 1 true, -1 false, 0 open     trail    int32: true codes, in order
    occurs         int32[codes]: clauses alive with it       counted  int32: last clause that counted this one as a
    hints          int32, as in Lrat                                  resolvent, + 1
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
def add(s: HintedCheck, clause: int) -> None:
    """Register a clause with a new number as known and alive."""
    last = len(s.table) - 1
    at = s.numbers[clause] & last
    while s.table[at] >= 0:
        at = (at + 1) & last
    s.table[at] = clause
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
def run(s: HintedCheck, steps: Array, axioms: int) -> tuple[int, int, int]:
    """Check; return REFUTED or a fault, the clause of the fault, and the position of its hint."""
    for clause in range(axioms):
        add(s, clause)
        if s.start[clause] == s.start[clause + 1]:
            return REFUTED, clause, 0
    clause, at = axioms, 0
    for number in steps:
        if number == 0:
            while s.hints[at] != 0:
                delete(s, find(s, s.hints[at]))
                at += 1
        else:
            if find(s, number) >= 0:
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
    return NO_CONTRADICTION, -1, 0


def lrat_fault(axioms: Int32Array, variables: int, proof: Lrat) -> str:
    """Return the reason why a proof does not refute axioms (flat, 0-ended, numbered from 1); '' if it does."""
    literals, variables = renumber(proof.literals, variables)
    clauses = clause_list(axioms, literals, variables)
    count, codes = len(clauses.start) - 1, 2 * variables + 2
    state = HintedCheck(
        clauses.codes.astype(np.uint32),
        clauses.start,
        numbers=np.concatenate([np.arange(1, clauses.axioms + 1, dtype=np.int32), proof.numbers[proof.numbers > 0]]),
        alive=np.zeros(count, np.int8),
        table=np.full(1 << (3 * count // 2).bit_length(), -1, np.int32),
        value=np.zeros(codes, np.int8),
        trail=np.zeros(variables + 1, np.int32),
        occurs=np.zeros(codes, np.int32),
        counted=np.zeros(count, np.int32),
        hints=proof.hints,
    )
    fault, clause, at = run(state, proof.numbers, clauses.axioms)
    if fault in (REFUTED, NO_CONTRADICTION):
        return FAULTS.get(fault, "")
    return FAULTS[fault].format(number=state.numbers[clause], hint=proof.hints[at])
