"""Steps of a pseudo-Boolean proof that are most of it, in columns; `machine.py` takes the others.

    held   the programme's rows and the rows of the proof that are not deleted

Each step keeps this true: if the programme has a solution that is better than every solution whose better ones the
proof asks for, then some assignment satisfies all rows held. Why a step keeps it true stands in its docstring.
"""

from harness.judging.checkers.compiling import compile_if_possible, compile_inner
from harness.judging.checkers.pseudo_boolean.columns import (
    AXIOMS,
    BAD_ID,
    BAD_STEP,
    BASE,
    BROKEN,
    COUNT,
    DEGREE,
    GOOD,
    GUARDED,
    IDS,
    KNOWN,
    LENIENT,
    NOT_IMPLIED,
    OVERFLOW,
    PAUSE,
    PLAIN,
    REFUTED,
    ROWS,
    STALE,
    TOUCHED,
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
from harness.judging.checkers.pseudo_boolean.known import held
from harness.judging.checkers.pseudo_boolean.propagation import conflicts, refresh, refutes, settle
from harness.judging.checkers.pseudo_boolean.stack import calculate, numbered
from harness.judging.checkers.pseudo_boolean.words import (
    AT_LEAST,
    DELETE,
    DELETE_CORE,
    DELETE_DERIVED,
    HEAD,
    LABEL,
    LABELLED,
    LITERAL,
    LOAD,
    LOAD_ALL,
    NAMED_IDS,
    NUMBER,
    POL,
    RANGE,
    RED,
    RUP,
    SEMICOLON,
    Array,
)

HOLD, ASSUME, FOLLOWS = range(3)


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
    s.core[s.counts[IDS]] = 0
    s.counts[IDS] += 1


@compile_inner
def to_core(s: Columns, number: int) -> None:
    """Move the row of a number to the core."""
    if not s.core[number - 1]:
        s.core[number - 1] = 1
        s.cores[s.where[number - 1]] += 1


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
    if s.counts[DEGREE] <= 0 or s.counts[BROKEN]:
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
    if fault != GOOD or words[at] & 15 not in (HEAD, SEMICOLON):
        return fault if fault != GOOD else BAD_STEP
    row, place = held(s)
    if row >= 0:
        name(s, row)
        return GOOD
    fault, row = follows(s), s.counts[ROWS]
    if fault != GOOD:
        return fault
    fault = hold(s)
    if s.counts[ROWS] > row and 2 * s.counts[KNOWN] < len(s.shown):
        s.shown[place] = row
        s.counts[KNOWN] += 1
    return fault


@compile_inner
def calculated(s: Columns, words: Array, at: int) -> int:
    """Hold a row that is calculated from rows held, by rules that keep every assignment."""
    clear(s)
    fault = calculate(s, words, at)
    return hold(s) if fault == GOOD else fault


@compile_inner
def loaded(s: Columns, words: Array, at: int, every: bool) -> int:
    """Give a row of the programme, or each of them, the next number (version 1): all are held from the start."""
    if every:
        if words[at] & 15 not in (HEAD, NUMBER):
            return BAD_STEP
        if words[at] & 15 == NUMBER and words[at] >> 4 not in (0, s.counts[AXIOMS]):
            return COUNT
        for row in range(s.counts[AXIOMS]):
            name(s, row)
        return GOOD
    if words[at] & 15 != NUMBER or not 0 < words[at] >> 4 <= s.counts[AXIOMS]:
        return BAD_ID
    name(s, (words[at] >> 4) - 1)
    return GOOD


@compile_inner
def forget(s: Columns, number: int) -> None:
    """Delete a number; with fewer rows held, the same assignment satisfies them. A row goes with its last number."""
    row = s.where[number - 1]
    s.where[number - 1] = -1
    s.names[row] -= 1
    s.cores[row] -= s.core[number - 1]
    s.core[number - 1] = 0
    s.dead[row] = s.names[row] == 0 and not (s.counts[LENIENT] and row < s.counts[AXIOMS])
    s.counts[STALE] |= s.dead[row]


@compile_inner
def deleted(s: Columns, words: Array, at: int, rule: int) -> int:
    """Delete rows; PAUSE where an order or a strict core needs rows of the core."""
    if words[at] == RANGE:
        if words[at + 1] & 15 != NUMBER or words[at + 2] & 15 != NUMBER or words[at + 1] < 0 or words[at + 2] < 0:
            return PAUSE
        if words[at + 3] & 15 not in (HEAD, SEMICOLON):
            return PAUSE
        for number in range(max(words[at + 1] >> 4, 1), min(words[at + 2] >> 4, s.counts[IDS] + 1)):
            if s.where[number - 1] >= 0:
                if s.counts[GUARDED] and s.core[number - 1]:
                    return PAUSE
                forget(s, number)
        return GOOD
    at += words[at] == NAMED_IDS
    begin = at
    while words[at] & 15 in (NUMBER, LABEL) and words[at] != NUMBER:
        number = numbered(s, words[at])
        if number == 0 and not s.counts[LENIENT]:
            return BAD_ID
        core = number > 0 and s.core[number - 1] == 1
        if (rule == DELETE_CORE and not core) or (rule == DELETE_DERIVED and core):
            return BAD_ID
        if core and s.counts[GUARDED]:
            return PAUSE
        at += 1
    if words[at + (words[at] == NUMBER)] & 15 not in (HEAD, SEMICOLON) or words[begin] & 15 == HEAD:
        return PAUSE
    for k in range(begin, at):
        number = numbered(s, words[k])
        if number > 0:
            forget(s, number)
    return GOOD


@compile_inner
def set_witness(s: Columns, words: Array, at: int) -> int:
    """Read variables and their values; return the position after them, -1 for other words."""
    while words[at] & 15 == LITERAL:
        code = words[at] >> 4
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
    fault = store(s, s.counts[DEGREE] > 0)
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
    once the witness's values replace its own, so some assignment satisfies all of them. PAUSE at another witness.
    """
    if s.counts[STALE]:
        refresh(s)
    at, fault = read_row(s, words, begin)
    if fault != GOOD:
        return fault
    at += words[at] & 15 == SEMICOLON
    if not s.counts[PLAIN] or set_witness(s, words, at) < 0:
        clear_witness(s, words, at)
        return PAUSE
    fault = PAUSE
    if is_fresh(s, words, at):
        fault = OVERFLOW if not negate(s) else store(s, s.counts[DEGREE] > 0)
        if fault == GOOD:
            fault = survivors(s, words, begin, at)
            fault = PAUSE if fault == NOT_IMPLIED else fault
            remove_last(s)
    clear_witness(s, words, at)
    if fault == GOOD:
        _, fault = read_row(s, words, begin)
    return hold(s) if fault == GOOD else fault


@compile_if_possible
def step(s: Columns, words: Array, at: int) -> int:
    """Take the step whose first word is at a position; return GOOD, REFUTED at a final conflict, PAUSE or a fault."""
    rule, label = (words[at] >> 4) & 15, -1
    if words[at] >> 4 & LABELLED:
        at += 1
        label = words[at] >> 4
    at += 1
    if rule == POL:
        fault = calculated(s, words, at)
    elif rule == RUP:
        fault = implied(s, words, at)
    elif rule in (LOAD, LOAD_ALL):
        fault = loaded(s, words, at, rule == LOAD_ALL)
    elif rule == RED:
        fault = redundant(s, words, at + 2)
    elif rule in (DELETE, DELETE_CORE, DELETE_DERIVED):
        fault = deleted(s, words, at + 2, rule)
    else:
        fault = PAUSE
    if fault == GOOD and label >= 0:
        s.labels[label] = s.counts[IDS]
    return fault


@compile_if_possible
def run(s: Columns, words: Array, at: int, end: int) -> tuple[int, int]:
    """Take all steps from a position on; return the first result that is not GOOD, and its position, or GOOD."""
    while at < end:
        fault = step(s, words, at)
        if fault != GOOD:
            return fault, at
        at += 1
        while at < end and words[at] & 15 != HEAD:
            at += 1
    return GOOD, at


@compile_if_possible
def put(s: Columns, codes: Array, coefficients: Array, degree: int, rule: int) -> int:
    """Make a row that under construction, and HOLD it, ASSUME it as the last row, or see if it FOLLOWS."""
    clear(s)
    for i in range(len(codes)):
        if not add_term(s, codes[i], coefficients[i]):
            return OVERFLOW
    if not add_degree(s, degree):
        return OVERFLOW
    if rule == HOLD:
        return hold(s)
    if rule == FOLLOWS:
        return follows(s)
    return store(s, s.counts[DEGREE] > 0)


@compile_if_possible
def hold_rows(s: Columns, codes: Array, coefficients: Array, start: Array, degrees: Array, numbers: bool) -> int:
    """Hold the rows of a programme, as its core, with numbers or without. Return GOOD, REFUTED or a fault."""
    for row in range(s.counts[ROWS], len(degrees)):
        clear(s)
        for i in range(start[row], start[row + 1]):
            add_term(s, codes[i], coefficients[i])
        s.counts[DEGREE] += degrees[row]
        linked = s.counts[DEGREE] > 0
        fault = store(s, linked)
        if fault != GOOD:
            return fault
        s.cores[row] = 1
        if numbers:
            name(s, row)
            s.core[s.counts[IDS] - 1] = 1
        if linked and settle(s, row) != GOOD:
            return REFUTED
    return GOOD


@compile_if_possible
def forget_number(s: Columns, number: int) -> None:
    """Delete a number."""
    forget(s, number)


@compile_if_possible
def all_to_core(s: Columns, numbers: Array) -> None:
    """Move the rows of numbers to the core."""
    for number in numbers:
        if s.where[number - 1] >= 0:
            to_core(s, number)
