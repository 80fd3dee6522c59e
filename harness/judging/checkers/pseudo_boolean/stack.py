"""Rows in reverse Polish notation: a stack of items, above which is the row under construction.

All rules keep the rows' common solutions: sums, positive multiples, division, saturation, weakening (Cook, Coullard &
Turan 1987), and `literal >= 0`, which always holds.
"""

from harness.judging.checkers.compiling import compile_inner
from harness.judging.checkers.pseudo_boolean.columns import (
    BAD_ID,
    BAD_STEP,
    DEGREE,
    DEPTH,
    FULL,
    GOOD,
    IDS,
    OVERFLOW,
    TOUCHED,
    Columns,
    add_degree,
    add_row,
    add_term,
    clear,
    divide,
    in_variables,
    lower,
    round_up,
    saturate,
    scale,
    weaken,
)
from harness.judging.checkers.pseudo_boolean.words import (
    DIVIDE,
    DIVIDE_VARIABLES,
    HEAD,
    LABEL,
    LITERAL,
    LOWER,
    NUMBER,
    PLUS,
    ROUND,
    ROUND_VARIABLES,
    SATURATE,
    SEMICOLON,
    TIMES,
    WEAKEN,
    Array,
)


@compile_inner
def numbered(s: Columns, word: int) -> int:
    """Return the number that a word names: a negative one counts from the last, a label has its own; 0 without one."""
    number = int(s.labels[word >> 4]) if word & 15 == LABEL else word >> 4
    number = number + s.counts[IDS] + 1 if number < 0 else number
    return int(number) if 0 < number <= s.counts[IDS] and s.where[number - 1] >= 0 else 0


@compile_inner
def row_of(s: Columns, word: int) -> int:
    """Return the row of the number that a word names, -1 without one."""
    number = numbered(s, word)
    return int(s.where[number - 1]) if number > 0 else -1


@compile_inner
def put_aside(s: Columns) -> int:
    """Make the row under construction an item of the stack, and begin another. Return GOOD or FULL."""
    depth = s.counts[DEPTH]
    at = s.item_start[depth - 1]
    if at + s.counts[TOUCHED] > len(s.item_code) or depth + 1 >= len(s.item_start):
        return FULL
    for i in range(s.counts[TOUCHED]):
        v = s.touched[i]
        if s.sum[v] != 0:
            s.item_code[at], s.item_coefficient[at] = 2 * v + (s.sum[v] < 0), abs(s.sum[v])
            at += 1
    s.item_start[depth], s.item_degree[depth - 1] = at, s.counts[DEGREE]
    clear(s)
    s.counts[DEPTH] = depth
    return GOOD


@compile_inner
def add_item(s: Columns) -> bool:
    """Add the uppermost item to the row under construction. Return False on overflow."""
    s.counts[DEPTH] -= 1
    item = s.counts[DEPTH] - 1
    good = add_degree(s, s.item_degree[item])
    for i in range(s.item_start[item], s.item_start[item + 1]):
        good = good and add_term(s, s.item_code[i], s.item_coefficient[i])
    return good


@compile_inner
def add_operand(s: Columns, word: int, k: int) -> int:
    """Add k times what a word names, a row or `literal >= 0`; return GOOD or a fault."""
    if k < 0:
        return BAD_STEP
    if word & 15 == LITERAL:
        return GOOD if k == 0 or add_term(s, word >> 4, k) else OVERFLOW
    row = row_of(s, word)
    if row < 0:
        return BAD_ID
    return GOOD if k == 0 or add_row(s, row, k) else OVERFLOW


@compile_inner
def change(s: Columns, kind: int, k: int) -> bool:
    """Change the row under construction by the rule of a kind. Return False on overflow."""
    if kind == LOWER:
        return lower(s, k)
    if kind == ROUND:
        return round_up(s, k)
    if kind in (ROUND_VARIABLES, DIVIDE_VARIABLES):
        return in_variables(s, k, kind == ROUND_VARIABLES)
    if kind == TIMES:
        return scale(s, k)
    if kind == WEAKEN:
        return weaken(s, k >> 1)
    if kind == DIVIDE:
        divide(s, k)
    else:
        saturate(s)
    return True


@compile_inner
def calculate(s: Columns, words: Array, at: int) -> int:
    """Make the row under construction that of words in reverse Polish notation; return GOOD or a fault."""
    while words[at] & 15 != HEAD and words[at] & 15 != SEMICOLON and words[at] != NUMBER:  # a single 0 ends it too
        kind, value = words[at] & 15, words[at] >> 4
        fault = GOOD
        if kind in (NUMBER, LABEL, LITERAL):
            scaled = words[at + 1] & 15 == TIMES
            if s.counts[DEPTH] > 0 and words[at + 1 + scaled] & 15 == PLUS:  # the usual: no item is needed
                fault = add_operand(s, words[at], words[at + 1] >> 4 if scaled else 1)
                at += 1 + scaled
            else:
                fault = put_aside(s) if s.counts[DEPTH] > 0 else GOOD
                s.counts[DEPTH] += 1
                fault = add_operand(s, words[at], 1) if fault == GOOD else fault
        elif kind == PLUS:
            if s.counts[DEPTH] < 2:
                fault = BAD_STEP
            elif not add_item(s):
                fault = OVERFLOW
        elif kind in (TIMES, DIVIDE, SATURATE, WEAKEN, DIVIDE_VARIABLES, ROUND_VARIABLES, ROUND, LOWER):
            if s.counts[DEPTH] < 1 or (kind != SATURATE and value < (kind not in (TIMES, LOWER))):
                fault = BAD_STEP
            elif not change(s, kind, value):
                fault = OVERFLOW
        else:
            fault = BAD_STEP
        if fault != GOOD:
            return fault
        at += 1
    at += words[at] == NUMBER
    while words[at] & 15 == SEMICOLON:
        at += 1
    return GOOD if s.counts[DEPTH] == 1 and words[at] & 15 == HEAD else BAD_STEP
