"""Rows that propagation has shown, found again by their terms.

Solvers log what they learn by probing each time they meet it, so most rows that a proof shows by propagation are held
already: then nothing need be propagated, and the row held gets another number. Thus neither the lists of literals nor
the time of a step grows with repetitions.
"""

from harness.judging.checkers.compiling import compile_inner
from harness.judging.checkers.pseudo_boolean.columns import DEGREE, ROWS, TOUCHED, Columns

CODES, COEFFICIENTS = 65_521, 1_000_003  # primes; a sum of their products fits 64 bits


@compile_inner
def place(s: Columns) -> int:
    """Return where the table has the row under construction, whatever the order of its terms."""
    total = s.counts[DEGREE] % COEFFICIENTS
    for i in range(s.counts[TOUCHED]):
        v = s.touched[i]
        if s.sum[v] != 0:
            code = 2 * v + (s.sum[v] < 0)
            total += (code % CODES) * COEFFICIENTS + abs(s.sum[v]) % COEFFICIENTS
    return int(total % len(s.shown))


@compile_inner
def terms_in(s: Columns, row: int) -> bool:
    """Return True if the row under construction has the terms of a row held."""
    size = 0
    for i in range(s.counts[TOUCHED]):
        size += s.sum[s.touched[i]] != 0
    same = size == s.start[row + 1] - s.start[row]
    for i in range(s.start[row], s.start[row + 1]):
        a = -s.coefficient[i] if s.code[i] & 1 else s.coefficient[i]
        same = same and s.sum[s.code[i] >> 1] == a
    return bool(same)


@compile_inner
def held(s: Columns) -> tuple[int, int]:
    """Return the held row that equals the row under construction, -1 without one, and its place in the table."""
    at = place(s)
    while s.shown[at] >= 0:
        row = s.shown[at]
        if row < s.counts[ROWS] and not s.dead[row] and s.degree[row] == s.counts[DEGREE] and terms_in(s, row):
            return int(row), at
        at = at + 1 if at + 1 < len(s.shown) else 0
    return -1, at
