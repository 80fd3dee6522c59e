"""Steps of a pseudo-Boolean proof, in columns.

    held   the programme's rows, the bound, and the rows of the proof that are not deleted

Each step keeps this true: if the programme has a solution that satisfies the bound, then some assignment satisfies all
rows held. So a conflict shows that there is no such solution. Why a step keeps it true stands in its docstring.
"""

from harness.judging.checkers.compiling import compile_if_possible, compile_inner
from harness.judging.checkers.pseudo_boolean.columns import (
    ASSERTED,
    AXIOMS,
    BAD_ID,
    BAD_STEP,
    BASE,
    BETTER,
    BOUND,
    DEGREE,
    GOOD,
    IDS,
    NOT_FRESH,
    NOT_IMPLIED,
    OPEN,
    OVERFLOW,
    PARTIAL,
    ROWS,
    TOUCHED,
    UNREAD_RULE,
    UNSHOWN,
    Columns,
    add_degree,
    add_row,
    add_term,
    clear,
    negate,
    remove_last,
    store,
    weaken,
)
from harness.judging.checkers.pseudo_boolean.known import held, terms_in
from harness.judging.checkers.pseudo_boolean.propagation import conflicts, refutes, settle
from harness.judging.checkers.pseudo_boolean.stack import calculate, row_of
from harness.judging.checkers.pseudo_boolean.words import (
    ASSERT,
    AT_LEAST,
    CONTRADICTION,
    DELETE,
    END,
    HEAD,
    LITERAL,
    LOAD,
    LOAD_ALL,
    NUMBER,
    POL,
    RANGE,
    RED,
    RUP,
    SEMICOLON,
    SOLUTION,
    Array,
)


@compile_inner
def read_row(s: Columns, words: Array, at: int) -> tuple[int, int]:
    """Make the row under construction that of words; return the position after it, and GOOD or a fault."""
    clear(s)
    good = True
    while words[at] & 15 == NUMBER and words[at + 1] & 15 == LITERAL:
        a, code = words[at] >> 4, words[at + 1] >> 4
        if a < 0:  # a literal is 1 less its negation
            a, code = -a, code ^ 1
            good = good and add_degree(s, a)
        if a > 0:
            good = good and add_term(s, code, a)
        at += 2
    if words[at] & 15 != AT_LEAST or words[at + 1] & 15 != NUMBER:
        return at, BAD_STEP
    good = good and add_degree(s, words[at + 1] >> 4)
    return at + 2, GOOD if good else OVERFLOW


@compile_inner
def name(s: Columns, row: int) -> None:
    """Give a row the next number."""
    s.names[row] += 1
    s.where[s.counts[IDS]] = row
    s.counts[IDS] += 1


@compile_inner
def hold(s: Columns) -> int:
    """Hold the row under construction, and propagate it; one that always holds is stored alone."""
    linked, row = s.counts[DEGREE] > 0, s.counts[ROWS]
    fault = store(s, linked)
    if fault != GOOD:
        return fault
    name(s, row)
    return settle(s, row) if linked else GOOD


@compile_inner
def follows(s: Columns) -> int:
    """Return GOOD if the row under construction follows: its negation and the rows held propagate to a conflict."""
    if s.counts[DEGREE] <= 0:
        return GOOD
    if not negate(s):
        return OVERFLOW
    found, fault = refutes(s)
    negate(s)
    return fault if fault != GOOD or found else NOT_IMPLIED


@compile_inner
def implied(s: Columns, words: Array, at: int) -> int:
    """Hold a row that follows by propagation, so that every assignment which satisfies the rows held satisfies it.

    If the same row is held already, it gets another number.
    """
    at, fault = read_row(s, words, at)
    if fault != GOOD:
        return fault
    row, place = held(s)
    if row >= 0:
        name(s, row)
        return GOOD
    fault, row = follows(s), s.counts[ROWS]
    if fault != GOOD:
        return fault
    fault = hold(s)
    if s.counts[ROWS] > row:
        s.shown[place] = row
    return fault


@compile_inner
def calculated(s: Columns, words: Array, at: int) -> int:
    """Hold a row that is calculated from rows held, by rules that keep every assignment."""
    clear(s)
    fault = calculate(s, words, at)
    return hold(s) if fault == GOOD else fault


@compile_inner
def is_weaker(s: Columns, row: int) -> bool:
    """Return True if the row under construction has the terms of a row, and at most its degree."""
    return terms_in(s, row) and s.counts[DEGREE] <= s.degree[row]


@compile_inner
def asserted(s: Columns, words: Array, at: int) -> int:
    """Hold a row that the proof asserts if the bound implies it, as it is weaker, or if it follows by propagation."""
    at, fault = read_row(s, words, at)
    if fault == GOOD and not (s.counts[BOUND] and is_weaker(s, s.counts[AXIOMS])):
        fault = follows(s)
        fault = ASSERTED if fault == NOT_IMPLIED else fault
    return hold(s) if fault == GOOD else fault


@compile_inner
def loaded(s: Columns, words: Array, at: int, every: bool) -> int:
    """Give a row of the programme, or each of them, its number: all are held from the start."""
    if every:
        for row in range(s.counts[AXIOMS]):
            name(s, row)
        return GOOD
    if words[at] & 15 != NUMBER or not 0 < words[at] >> 4 <= s.counts[AXIOMS]:
        return BAD_ID
    name(s, (words[at] >> 4) - 1)
    return GOOD


@compile_inner
def deleted(s: Columns, words: Array, at: int) -> int:
    """Delete rows of the proof: with fewer rows held, the same assignment satisfies them. Unknown ones are left.

    A row is deleted with the last of its numbers.
    """
    span = words[at] & 15 == RANGE
    at += span
    if span and (words[at] & 15 != NUMBER or words[at + 1] & 15 != NUMBER):
        return BAD_STEP
    first, last = words[at] >> 4, (words[at + 1] >> 4) - 1 if span else 0
    while words[at] & 15 == NUMBER:
        if not span:
            first = last = words[at] >> 4
        for number in range(max(first, 1), min(last, s.counts[IDS]) + 1):
            row = s.where[number - 1]
            s.where[number - 1] = -1
            if row >= s.counts[AXIOMS] + s.counts[BOUND]:
                s.names[row] -= 1
                s.dead[row] = s.names[row] == 0
        if span:
            return GOOD
        at += 1
    return GOOD if words[at] & 15 == HEAD or words[at] & 15 == SEMICOLON else UNREAD_RULE


@compile_inner
def set_witness(s: Columns, words: Array, at: int, solution: bool) -> int:
    """Read literals that are true, or variables and their values; return the position after them, -1 for none."""
    while words[at] & 15 == LITERAL:
        code = words[at] >> 4
        if not solution:
            if words[at + 1] & 15 != NUMBER or not 0 <= words[at + 1] >> 4 <= 1 or code & 1:
                return -1
            code ^= 1 - (words[at + 1] >> 4)
            at += 1
        s.witness[code], s.witness[code ^ 1] = 1, -1
        at += 1
    return at if words[at] & 15 == HEAD or words[at] & 15 == SEMICOLON else -1


@compile_inner
def clear_witness(s: Columns, words: Array, at: int) -> None:
    """Forget a witness whose words begin there."""
    while words[at] & 15 == LITERAL or words[at] & 15 == NUMBER:
        if words[at] & 15 == LITERAL:
            code = words[at] >> 4
            s.witness[code], s.witness[code ^ 1] = 0, 0
        at += 1


@compile_inner
def improved(s: Columns, words: Array, at: int) -> int:
    """Hold the row of solutions better than one that the proof gives: as this one is no better than the best known, the
    bound implies the row, be the solution right or wrong.
    """
    row, total, whole = s.counts[AXIOMS], 0, True
    good = set_witness(s, words, at, True) >= 0
    if not good or not s.counts[BOUND]:
        clear_witness(s, words, at)
        return BETTER if good else BAD_STEP
    for i in range(s.start[row], s.start[row + 1]):
        true = s.witness[s.code[i]]
        whole = whole and true != 0
        if true == 1:
            total += s.coefficient[i]
    clear_witness(s, words, at)
    if not whole:
        return PARTIAL
    if total >= s.degree[row]:
        return BETTER
    clear(s)
    if not add_row(s, row, 1) or not add_degree(s, total + 1 - s.degree[row]):
        return OVERFLOW
    number = s.counts[ROWS]
    fault = store(s, False)  # the bound propagates all that this row does
    if fault == GOOD:
        name(s, number)
    return fault


@compile_inner
def substitute(s: Columns) -> bool:
    """Apply the witness to the row under construction. Return False on overflow."""
    good = True
    for i in range(s.counts[TOUCHED]):
        v = s.touched[i]
        true = s.witness[2 * v] if s.sum[v] > 0 else s.witness[2 * v + 1]
        if true == 1:
            good = good and weaken(s, v)
        elif true == -1:
            s.sum[v] = 0
    return good


@compile_inner
def survives(s: Columns) -> int:
    """Return GOOD if the row under construction, substituted, follows from the rows held and the last, assumed."""
    if not substitute(s):
        return OVERFLOW
    if s.counts[DEGREE] <= 0:
        return GOOD
    if not negate(s):
        return OVERFLOW
    fault = store(s, True)
    if fault != GOOD:
        return fault
    found = conflicts(s, 2)
    remove_last(s)
    return GOOD if found else NOT_IMPLIED


@compile_inner
def survivors(s: Columns, words: Array, begin: int, at: int) -> int:
    """Return GOOD if all rows held survive a substitution, beside the negated row at `begin`, which is stored last.

    Only those that have a literal which becomes false can fail to.
    """
    own = s.counts[ROWS] - 1
    _, fault = read_row(s, words, begin)
    if fault == GOOD:
        fault = survives(s)
    while fault == GOOD and words[at] & 15 == LITERAL:
        code = words[at] >> 4
        i = s.head[code ^ 1 if s.witness[code] == 1 else code]
        while i >= 0 and fault == GOOD:
            row = s.owner[i]
            if row != own and not s.dead[row]:
                clear(s)
                fault = survives(s) if add_row(s, row, 1) else OVERFLOW
            i = s.following[i]
        at += 2
    return fault


@compile_inner
def is_fresh(s: Columns, words: Array, at: int) -> bool:
    """Return True if the variables of a witness are none of the programme's, and no row implies their values."""
    fresh = words[at] & 15 == LITERAL
    while words[at] & 15 == LITERAL:
        code = words[at] >> 4
        fresh = fresh and code >> 1 > s.counts[BASE] and s.value[code] == 0
        at += 2
    return bool(fresh)


@compile_inner
def redundant(s: Columns, words: Array, begin: int) -> int:
    """Hold a row with a witness over fresh variables: an assignment that breaks the row satisfies it and all rows held
    once the witness's values replace its own, so some assignment satisfies all of them.
    """
    at, fault = read_row(s, words, begin)
    if fault != GOOD:
        return fault
    at += words[at] & 15 == SEMICOLON
    if set_witness(s, words, at, False) < 0:
        clear_witness(s, words, at)
        return UNREAD_RULE
    fault = NOT_FRESH
    if is_fresh(s, words, at):
        fault = OVERFLOW if not negate(s) else store(s, True)
        if fault == GOOD:
            fault = survivors(s, words, begin, at)
            fault = UNSHOWN if fault == NOT_IMPLIED else fault
            remove_last(s)
    clear_witness(s, words, at)
    if fault == GOOD:
        _, fault = read_row(s, words, begin)
    return hold(s) if fault == GOOD else fault


@compile_inner
def step(s: Columns, words: Array, at: int) -> int:
    """Take the step whose first word is at a position; return GOOD, REFUTED at a conflict, or a fault."""
    rule = (words[at] >> 4) & 31
    at += 1
    if rule == POL:
        return calculated(s, words, at)
    if rule == RUP:
        return implied(s, words, at)
    if rule in (LOAD, LOAD_ALL):
        return loaded(s, words, at, rule == LOAD_ALL)
    if rule == SOLUTION:
        return improved(s, words, at)
    if rule == RED:
        return redundant(s, words, at)
    if rule == DELETE:
        return deleted(s, words, at)
    if rule == ASSERT:
        return asserted(s, words, at)
    if rule == CONTRADICTION:
        return OPEN if words[at] & 15 == NUMBER and row_of(s, words[at] >> 4) >= 0 else BAD_ID
    return OPEN if rule == END else UNREAD_RULE


@compile_if_possible
def hold_rows(s: Columns, codes: Array, coefficients: Array, start: Array, degrees: Array) -> int:
    """Hold the rows of a programme, and its bound last, without numbers; return GOOD, REFUTED or a fault."""
    for row in range(len(degrees)):
        clear(s)
        for i in range(start[row], start[row + 1]):
            add_term(s, codes[i], coefficients[i])
        s.counts[DEGREE] += degrees[row]
        linked = s.counts[DEGREE] > 0
        fault = store(s, linked)
        if fault == GOOD and linked:
            fault = settle(s, row)
        if fault != GOOD:
            return fault
    return GOOD


@compile_if_possible
def run(s: Columns, words: Array, at: int) -> tuple[int, int]:
    """Take all steps from a position on, up to a conflict; return REFUTED or a fault, and the position of its step."""
    while True:
        fault = step(s, words, at)
        if fault != GOOD:
            return fault, at
        at += 1
        while words[at] & 15 != HEAD:
            at += 1
