"""Rows of a pseudo-Boolean proof in columns, and the row under construction.

    code         2x for literal x, 2x + 1 for ~x
    entry        one term of a row: `code`, `coefficient`, its row `owner`, and `following`, the entry before it with
                 the same code in a linked row, -1 at the end; `head` has the last entry of each code
    row          entries start[r] to before start[r + 1], greatest coefficient first, all positive: the sum of the
                 coefficients of true literals is at least degree[r]. `dead` if deleted
    slack        int64[rows]: the sum of coefficients of literals that are not false, less the degree. A literal with
                 more than that must be true. Kept for linked rows only: of others propagation has no use
    construction `sum` has the coefficient of each variable, negative for its negation; `touched` the variables with a
                 `mark`; counts[DEGREE] the degree
    items        rows on the stack below the one under construction

All numbers stay within LARGEST, so that no sum of two leaves 64 bits. What would leave it ends the check with OVERFLOW,
and Python integers decide (`exact.py`).
"""

from typing import Any, NamedTuple

import numpy.typing as npt

from harness.judging.checkers.compiling import compile_inner

Array = npt.NDArray[Any]
LARGEST = (1 << 62) - 1
# Ends of a step or of a check.
(
    GOOD,
    OVERFLOW,
    FULL,
    REFUTED,
    NOT_IMPLIED,
    BAD_ID,
    BAD_STEP,
    UNREAD_RULE,
    ASSERTED,
    BETTER,
    OPEN,
    PAUSE,
    FALSE,
    WEAKER,
    COUNT,
    UNEQUAL,
    FAILED,
    UNENDED,
    NO_ORDER,
    UNCOUNTED,
) = range(20)
(
    ROWS,
    IDS,
    TRAIL,
    TOUCHED,
    DEGREE,
    DEPTH,
    BASE,
    BROKEN,
    STALE,
    GUARDED,
    FINAL,
    PLAIN,
    AXIOMS,
    LENIENT,
    KNOWN,
) = range(15)


class Columns(NamedTuple):
    """Arrays of a check, described above.

    where   int32[ids]: the row of each number in the proof, -1 if deleted; core  int8[ids]: 1 if it is in the core
    value   int8[codes]: 1 true, -1 false, 0 open          trail    int32[variables]: true codes, in order
    witness int8[codes]: the same of a substitution
    names   int32[rows]: how many numbers a row has; cores  how many of them are in the core
    shown   int32: rows that propagation showed, by their terms, -1 where there is none (`known.py`)
    labels  int64[names]: the number of each label, 0 without one
    counts  int64: of rows, numbers given, true codes that rows imply, touched variables; the degree; rows on the stack,
            with that under construction; variables up to BASE are the programme's. 1 or 0: BROKEN, rows contradict each
            other; STALE, deleted rows may have implied what is true; GUARDED, the core must be kept; FINAL, a conflict
            ends the check; PLAIN, no witness, order or objective concerns variables that the programme lacks; LENIENT,
            deletions may name what is not there, and leave rows of the programme. The first AXIOMS rows are the
            programme's; KNOWN rows are in `shown`
    """

    code: Array
    coefficient: Array
    following: Array
    owner: Array
    head: Array
    start: Array
    degree: Array
    slack: Array
    dead: Array
    where: Array
    core: Array
    names: Array
    cores: Array
    shown: Array
    labels: Array
    value: Array
    trail: Array
    witness: Array
    sum: Array
    mark: Array
    touched: Array
    item_code: Array
    item_coefficient: Array
    item_start: Array
    item_degree: Array
    counts: Array


@compile_inner
def clear(s: Columns) -> None:
    """Make the row under construction 0 >= 0, and the stack empty."""
    for i in range(s.counts[TOUCHED]):
        v = s.touched[i]
        s.sum[v], s.mark[v] = 0, 0
    s.counts[TOUCHED], s.counts[DEGREE], s.counts[DEPTH] = 0, 0, 0


@compile_inner
def add_term(s: Columns, code: int, a: int) -> bool:
    """Add a term with a > 0 to the row: a literal and its negation add up to 1. Return False on overflow."""
    v = code >> 1
    if s.mark[v] == 0:
        s.mark[v] = 1
        s.touched[s.counts[TOUCHED]] = v
        s.counts[TOUCHED] += 1
    before, signed = s.sum[v], -a if code & 1 else a
    if (before < 0 and signed > 0) or (before > 0 and signed < 0):
        s.counts[DEGREE] -= min(abs(before), a)
    s.sum[v] = before + signed
    return bool(abs(before + signed) <= LARGEST and abs(s.counts[DEGREE]) <= LARGEST)


@compile_inner
def add_degree(s: Columns, degree: int) -> bool:
    """Add to the degree; return False on overflow."""
    s.counts[DEGREE] += degree
    return bool(abs(s.counts[DEGREE]) <= LARGEST)


@compile_inner
def add_row(s: Columns, row: int, k: int) -> bool:
    """Add k > 0 times a row: the sum of two rows holds where both do. Return False on overflow."""
    most, begin, end = LARGEST // k, s.start[row], s.start[row + 1]
    if abs(s.degree[row]) > most or (begin < end and s.coefficient[begin] > most):
        return False
    good = add_degree(s, k * s.degree[row])
    for i in range(begin, end):
        good = add_term(s, s.code[i], k * s.coefficient[i]) and good
    return good


@compile_inner
def ceiling(a: int, k: int) -> int:
    """Return a / k, rounded up, for k > 0."""
    return -((-a) // k)


@compile_inner
def scale(s: Columns, k: int) -> bool:
    """Multiply the row by k >= 0, which keeps its solutions; by 0 it becomes 0 >= 0. Return False on overflow."""
    most = LARGEST // max(k, 1)
    good = bool(abs(s.counts[DEGREE]) <= most)
    for i in range(s.counts[TOUCHED]):
        good = good and bool(abs(s.sum[s.touched[i]]) <= most)
    if good:
        s.counts[DEGREE] *= k
        for i in range(s.counts[TOUCHED]):
            s.sum[s.touched[i]] *= k
    return good


@compile_inner
def divide(s: Columns, k: int) -> None:
    """Divide the row by k > 0 and round up: left sides only grow, and are integers, so the degree may round up too."""
    s.counts[DEGREE] = ceiling(s.counts[DEGREE], k)
    for i in range(s.counts[TOUCHED]):
        v = s.touched[i]
        a = ceiling(abs(s.sum[v]), k)
        s.sum[v] = -a if s.sum[v] < 0 else a


@compile_inner
def saturate(s: Columns) -> None:
    """Lower each coefficient to the degree: one such true literal satisfies the row in either form."""
    most = max(s.counts[DEGREE], 0)
    for i in range(s.counts[TOUCHED]):
        v = s.touched[i]
        s.sum[v] = min(max(s.sum[v], -most), most)


@compile_inner
def weaken(s: Columns, v: int) -> bool:
    """Remove a variable: its term is at most its coefficient, which the degree loses. Return False on overflow."""
    a, s.sum[v] = abs(s.sum[v]), 0
    return add_degree(s, -a)


@compile_inner
def lower(s: Columns, k: int) -> bool:
    """Lower the degree by k >= 0. Return False on overflow."""
    return add_degree(s, -k)


@compile_inner
def round_up(s: Columns, k: int) -> bool:
    """Round as mixed integers are (MIR): the left side grows by the rule, the right side in steps of the remainder.

    With r = degree mod k, a sum of a x with x >= 0 that is at least the degree gives a sum of
    (r floor(a / k) + min(a mod k, r)) x that is at least r ceil(degree / k). Return False on overflow.
    """
    r = s.counts[DEGREE] % k
    r = r if r > 0 else k
    for i in range(s.counts[TOUCHED]):
        v = s.touched[i]
        a = abs(s.sum[v])
        new = r * (a // k) + min(a % k, r)  # at most a, as r is at most k
        s.sum[v] = -new if s.sum[v] < 0 else new
    s.counts[DEGREE] = r * ceiling(s.counts[DEGREE], k)
    return bool(abs(s.counts[DEGREE]) <= LARGEST)


@compile_inner
def in_variables(s: Columns, k: int, rounded: bool) -> bool:
    """Divide, or round as mixed integers are, with variables in place of literals. Return False on overflow.

    A literal ~x is 1 - x, so coefficients may be negative, and the degree is that of the variables.
    """
    for i in range(s.counts[TOUCHED]):
        s.counts[DEGREE] += min(s.sum[s.touched[i]], 0)
        if abs(s.counts[DEGREE]) > LARGEST:
            return False
    r = s.counts[DEGREE] % k
    r = r if r > 0 else k
    s.counts[DEGREE] = (r if rounded else 1) * ceiling(s.counts[DEGREE], k)
    for i in range(s.counts[TOUCHED]):
        v = s.touched[i]
        a = s.sum[v]
        s.sum[v] = r * (a // k) + min(a % k, r) if rounded else ceiling(a, k)
        s.counts[DEGREE] -= min(s.sum[v], 0)
        if abs(s.counts[DEGREE]) > LARGEST:
            return False
    return True


@compile_inner
def negate(s: Columns) -> bool:
    """Turn the row into its negation: at most degree - 1, with every literal negated. Return False on overflow."""
    total = 0
    for i in range(s.counts[TOUCHED]):
        total += abs(s.sum[s.touched[i]])
        if total > LARGEST:
            return False
    for i in range(s.counts[TOUCHED]):
        s.sum[s.touched[i]] *= -1
    s.counts[DEGREE] = total - s.counts[DEGREE] + 1
    return bool(abs(s.counts[DEGREE]) <= LARGEST)


@compile_inner
def sort_entries(s: Columns, begin: int, end: int) -> None:
    """Sort entries by their coefficients, the greatest first, with the gaps of Shell's sort."""
    gap = 1
    while gap < (end - begin) // 9:
        gap = 3 * gap + 1
    while gap > 0:
        for i in range(begin + gap, end):
            code, a, k = s.code[i], s.coefficient[i], i
            while k >= begin + gap and s.coefficient[k - gap] < a:
                s.code[k], s.coefficient[k] = s.code[k - gap], s.coefficient[k - gap]
                k -= gap
            s.code[k], s.coefficient[k] = code, a
        gap //= 3


@compile_inner
def store(s: Columns, linked: bool) -> int:
    """Store the row under construction as the last row. Return GOOD, or FULL or OVERFLOW and store nothing."""
    row = s.counts[ROWS]
    begin = at = s.start[row]
    if begin + s.counts[TOUCHED] > len(s.code):
        return FULL
    least, most, total = LARGEST, 0, 0
    for i in range(s.counts[TOUCHED]):
        v = s.touched[i]
        a = abs(s.sum[v])
        if a > 0:
            s.code[at] = 2 * v + 1 if s.sum[v] < 0 else 2 * v
            s.coefficient[at] = a
            least, most, total = min(least, a), max(most, a), total + a
            if total > LARGEST:
                return OVERFLOW
            at += 1
    if least < most:
        sort_entries(s, begin, at)
    s.start[row + 1], s.degree[row], s.dead[row] = at, s.counts[DEGREE], 0
    s.names[row], s.cores[row] = 0, 0
    s.counts[ROWS] = row + 1
    if linked:
        link(s, row)
    return GOOD


@compile_inner
def link(s: Columns, row: int) -> None:
    """List the terms of a row by their literals, and compute its slack."""
    slack = -s.degree[row]
    for i in range(s.start[row], s.start[row + 1]):
        code = s.code[i]
        s.owner[i], s.following[i], s.head[code] = row, s.head[code], i
        if s.value[code] != -1:
            slack += s.coefficient[i]
    s.slack[row] = slack


@compile_inner
def remove_last(s: Columns) -> None:
    """Remove the last row, with its links if it has any."""
    row = s.counts[ROWS] - 1
    if s.degree[row] > 0 and not s.dead[row]:
        for i in range(s.start[row + 1] - 1, s.start[row] - 1, -1):
            s.head[s.code[i]] = s.following[i]
    s.counts[ROWS] = row
