"""Rows in reverse Polish notation: a stack, whose lowest row is the one under construction.

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
    LARGEST,
    OVERFLOW,
    TOUCHED,
    Columns,
    add_degree,
    add_row,
    add_term,
    ceiling,
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
def push_row(s: Columns, row: int) -> int:
    """Push a row."""
    depth = s.counts[DEPTH]
    s.counts[DEPTH] = depth + 1
    if depth == 0:
        return GOOD if add_row(s, row, 1) else OVERFLOW
    begin, size = s.item_start[depth - 1], s.start[row + 1] - s.start[row]
    if begin + size > len(s.item_code) or depth + 1 >= len(s.item_start):
        return FULL
    for i in range(size):
        s.item_code[begin + i] = s.code[s.start[row] + i]
        s.item_coefficient[begin + i] = s.coefficient[s.start[row] + i]
    s.item_start[depth], s.item_degree[depth - 1] = begin + size, s.degree[row]
    return GOOD


@compile_inner
def push_literal(s: Columns, code: int) -> int:
    """Push `literal >= 0`."""
    depth = s.counts[DEPTH]
    s.counts[DEPTH] = depth + 1
    if depth == 0:
        return GOOD if add_term(s, code, 1) else OVERFLOW
    at = s.item_start[depth - 1]
    if at >= len(s.item_code) or depth + 1 >= len(s.item_start):
        return FULL
    s.item_code[at], s.item_coefficient[at] = code, 1
    s.item_start[depth], s.item_degree[depth - 1] = at + 1, 0
    return GOOD


@compile_inner
def change_item(s: Columns, kind: int, k: int) -> bool:
    """Multiply, divide, saturate or weaken the uppermost item. Return False on overflow."""
    item = s.counts[DEPTH] - 2
    degree, most = s.item_degree[item], LARGEST // k if kind == TIMES else LARGEST
    if abs(degree) > most:
        return False
    if kind == TIMES:
        s.item_degree[item] = degree * k
    elif kind == DIVIDE:
        s.item_degree[item] = ceiling(degree, k)
    for i in range(s.item_start[item], s.item_start[item + 1]):
        a = s.item_coefficient[i]
        if a > most:
            return False
        if kind == TIMES:
            a *= k
        elif kind == DIVIDE:
            a = ceiling(a, k)
        elif kind == SATURATE:
            a = min(a, max(degree, 0))
        elif s.item_code[i] >> 1 == k >> 1:
            s.item_degree[item] -= a
            a = 0
        s.item_coefficient[i] = a
    return bool(abs(s.item_degree[item]) <= LARGEST)


@compile_inner
def change_top(s: Columns, kind: int, k: int) -> bool:
    """Change the uppermost row by the rule of a kind. Return False on overflow."""
    if s.counts[DEPTH] > 1 and kind in (LOWER, ROUND, ROUND_VARIABLES, DIVIDE_VARIABLES):
        return change_item_rarely(s, kind, k)
    if s.counts[DEPTH] > 1:
        return change_item(s, kind, k)
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
def change_item_rarely(s: Columns, kind: int, k: int) -> bool:
    """Change the uppermost item by the rules of which `columns.py` says why they hold. Return False on overflow."""
    item = s.counts[DEPTH] - 2
    begin, end, degree = s.item_start[item], s.item_start[item + 1], s.item_degree[item]
    if kind == LOWER:
        s.item_degree[item] = degree - k
        return bool(abs(degree - k) <= LARGEST)
    signed = kind != ROUND
    for i in range(begin, end):
        degree -= s.item_coefficient[i] if signed and s.item_code[i] & 1 else 0
        if abs(degree) > LARGEST:
            return False
    r = degree % k if degree % k > 0 else k
    degree = ceiling(degree, k) if kind == DIVIDE_VARIABLES else r * ceiling(degree, k)
    for i in range(begin, end):
        a = -s.item_coefficient[i] if signed and s.item_code[i] & 1 else s.item_coefficient[i]
        a = ceiling(a, k) if kind == DIVIDE_VARIABLES else r * (a // k) + min(a % k, r)
        s.item_code[i] = (s.item_code[i] >> 1 << 1) + (a < 0) if signed else s.item_code[i]
        s.item_coefficient[i] = abs(a)
        degree -= min(a, 0)
        if abs(degree) > LARGEST:
            return False
    s.item_degree[item] = degree
    return bool(abs(degree) <= LARGEST)


@compile_inner
def vanish(s: Columns) -> None:
    """Multiply the uppermost row by 0, as RoundingSat does: it becomes 0 >= 0."""
    if s.counts[DEPTH] > 1:
        item = s.counts[DEPTH] - 2
        s.item_coefficient[s.item_start[item] : s.item_start[item + 1]] = 0
        s.item_degree[item] = 0
        return
    s.counts[DEGREE] = 0
    for i in range(s.counts[TOUCHED]):
        s.sum[s.touched[i]] = 0


@compile_inner
def add_top(s: Columns) -> bool:
    """Add the uppermost row to the one below. Return False on overflow."""
    s.counts[DEPTH] -= 1
    item = s.counts[DEPTH] - 1
    if item > 0:
        return join_items(s, item - 1)
    good = add_degree(s, s.item_degree[item])
    for i in range(s.item_start[item], s.item_start[item + 1]):
        if s.item_coefficient[i] > 0:
            good = good and add_term(s, s.item_code[i], s.item_coefficient[i])
    return good


@compile_inner
def join_items(s: Columns, item: int) -> bool:
    """Make an item the sum of itself and the next. Return False on overflow."""
    good, degree = True, s.item_degree[item] + s.item_degree[item + 1]
    begin, end = s.item_start[item], s.item_start[item + 2]
    for i in range(begin, end):
        v = s.item_code[i] >> 1
        before, a = s.other[v], s.item_coefficient[i]
        signed = -a if s.item_code[i] & 1 else a
        if (before < 0 and signed > 0) or (before > 0 and signed < 0):
            degree -= min(abs(before), a)
        s.other[v] = before + signed
        good = good and abs(before + signed) <= LARGEST and abs(degree) <= LARGEST
    at = begin
    for i in range(begin, end):
        v = s.item_code[i] >> 1
        if s.other[v] != 0:
            s.item_code[at], s.item_coefficient[at] = 2 * v + (s.other[v] < 0), abs(s.other[v])
            s.other[v] = 0
            at += 1
    s.item_degree[item], s.item_start[item + 1] = degree, at
    return good and abs(degree) <= LARGEST


@compile_inner
def calculate(s: Columns, words: Array, at: int) -> int:
    """Make the row under construction that of words in reverse Polish notation; return GOOD or a fault."""
    while words[at] & 15 != HEAD and words[at] & 15 != SEMICOLON and words[at] != NUMBER:  # a single 0 ends it too
        kind, value = words[at] & 15, words[at] >> 4
        fault = GOOD
        if kind in (NUMBER, LABEL):
            row, scaled = row_of(s, words[at]), words[at + 1] & 15 == TIMES
            if row < 0:
                fault = BAD_ID
            elif s.counts[DEPTH] == 1 and words[at + 1 + scaled] & 15 == PLUS:  # the usual: added to the lowest at once
                k = words[at + 1] >> 4 if scaled else 1
                fault = BAD_STEP if k < 0 else GOOD if k == 0 or add_row(s, row, k) else OVERFLOW
                at += 1 + scaled
            else:
                fault = push_row(s, row)
        elif kind == LITERAL:
            fault = push_literal(s, value)
        elif kind == PLUS:
            if s.counts[DEPTH] < 2:
                fault = BAD_STEP
            elif not add_top(s):
                fault = OVERFLOW
        elif kind in (TIMES, DIVIDE, SATURATE, WEAKEN, DIVIDE_VARIABLES, ROUND_VARIABLES, ROUND, LOWER):
            if s.counts[DEPTH] < 1 or (kind != SATURATE and value < (kind not in (TIMES, LOWER))):
                fault = BAD_STEP
            elif kind == TIMES and value == 0:
                vanish(s)
            elif not change_top(s, kind, value):
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
