"""Linear constraints as rows of the solver: sums of chains, with positive weights, at least a bound.

Rows are normalised in columns, all at once. A row that is satisfied by the first literal of any of its chains is a
clause.

    term      a coefficient and a variable of a row    range  what the term adds at most above its least number
    row       for each term, the number of its row     need   for each row, what its terms must add at least
    chains    offsets of the terms' chains in `literals` and `weights`, one more than there are terms
    literals  of all chains, one after another         weights  what the term has added once the literal is true
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from backends.native.cdcl.rules import LARGEST_SUM, Sums, internal
from backends.native.lazy.literals import TRUE, Literals
from puzzles.constraints.linear import CODES, Linear, Row, merged
from puzzles.problem.arrays import Int32Array, Int64Array
from puzzles.problem.values import WORD

INEXACT = 2.0**100  # doubles of sums below tell whether they differ by LARGEST_SUM


class Terms(NamedTuple):
    """Terms of rows with `>=`: no variable twice in a row, no coefficient 0."""

    row: Int64Array
    variable: Int64Array
    coefficient: Int64Array
    bound: Int64Array  # per row


def count_unequal(linear: Linear) -> int:
    """Return an upper bound on the auxiliary Booleans of `split_unequal`."""
    return int(np.count_nonzero(linear.comparisons == CODES["!="]))


def split_unequal(linear: Linear, lits: Literals, spare: int) -> list[Row]:
    """Return two rows for each row with `!=`; the auxiliary Booleans are the variables from `spare` on.

    A Boolean says on which side of the bound the sum is. Sums of one or two variables become clauses instead.
    """
    rows: list[Row] = []
    for r in np.flatnonzero(linear.comparisons == CODES["!="]).tolist():
        coefficients, xs, _, bound = linear.rows[r]
        terms = merged(zip(coefficients, xs, strict=True))
        if len(terms) <= 2:
            forbid(terms, bound, lits)
            continue
        ends = [sorted(a * int(lits.own(x)[i]) for i in (0, -1)) for x, a in terms.items()]
        above = max(bound + 1 - sum(low for low, _ in ends), 0)
        below = max(sum(high for _, high in ends) - bound + 1, 0)
        rows.append(([*terms.values(), -above], [*terms, spare], ">=", bound + 1 - above))
        rows.append(([*terms.values(), -below], [*terms, spare], "<=", bound - 1))
        spare += 1
    return rows


def forbid(terms: dict[int, int], bound: int, lits: Literals) -> None:
    """Add a clause for each assignment in which a sum of at most two variables equals the bound."""
    columns = [
        {a * number: equal for number, equal in zip(lits.own(x).tolist(), lits.equal(x), strict=True)}
        for x, a in terms.items()
    ]
    left, right = columns + [{0: TRUE}] * (2 - len(columns))
    for number, equal in left.items():
        if bound - number in right:
            lits.add((-equal, -right[bound - number]))


def is_long(linear: Linear, low: npt.NDArray[np.float64], high: npt.NDArray[np.float64]) -> bool:
    """Return True if what a row adds to its least sum, or lacks there, may exceed LARGEST_SUM, by ends of variables.

    Sums themselves may: they are stored less their least, which 64 bits hold though a part of it wraps around.
    """
    x, row, bounds = linear.variables, rows_of_terms(linear), linear.bounds.astype(np.float64)
    a = linear.coefficients.astype(np.float64)
    spans = np.bincount(row, np.abs(a) * (high - low)[x], len(linear))
    ends = a * np.where(a > 0, low[x], high[x])
    stored = 2 * spans + np.abs(bounds - np.bincount(row, ends, len(linear)))
    inexact = np.abs(bounds) + np.bincount(row, np.abs(ends), len(linear)) >= INEXACT
    return bool((inexact | (stored >= LARGEST_SUM)).any())


def wrapped(numbers: npt.NDArray[Any]) -> Int64Array:
    """Return numbers modulo 2 ** 64."""
    if numbers.dtype != object:
        return numbers.astype(np.int64)
    return np.array([n & WORD for n in numbers.tolist()], np.uint64).view(np.int64)


def rows_of_terms(linear: Linear) -> Int64Array:
    """Return the row of each term."""
    return np.repeat(np.arange(len(linear)), np.diff(linear.starts))


def terms_of(linear: Linear) -> Terms:
    """Return the terms of the rows: those with `!=` left out, those with `<=` negated, those with `=` as two rows."""
    codes, row = linear.comparisons, rows_of_terms(linear)
    upper = (codes == CODES["<="]) | (codes == CODES["="])
    lower = (codes == CODES[">="]) | (codes == CODES["="])
    parts = []
    for sign, rows in ((1, lower), (-1, upper)):
        at, name = rows[row], np.cumsum(rows) - 1
        coefficients, bounds = wrapped(linear.coefficients[at]), wrapped(linear.bounds[rows])
        parts.append((name[row[at]], linear.variables[at].astype(np.int64), sign * coefficients, sign * bounds))
    (row0, x0, a0, b0), (row1, x1, a1, b1) = parts
    row, x, a = np.concatenate([row0, row1 + len(b0)]), np.concatenate([x0, x1]), np.concatenate([a0, a1])
    order = np.lexsort((x, row))
    row, x, a = row[order], x[order], a[order]
    first = np.flatnonzero(np.diff(row, prepend=-1) | np.diff(x, prepend=-1))
    sums = np.add.reduceat(a, first) if len(a) else a
    keep = sums != 0
    return Terms(row[first][keep], x[first][keep], sums[keep], np.concatenate([b0, b1]))


def add_sums(terms: Terms, lits: Literals) -> Sums:
    """Return rows as sums of chains, with weights cut off at the bound; rows that are clauses go to `lits`."""
    low, high = lits.numbers[lits.starts[terms.variable]], lits.numbers[lits.starts[terms.variable + 1] - 1]
    need = terms.bound.copy()
    np.subtract.at(need, terms.row, terms.coefficient * np.where(terms.coefficient > 0, low, high))
    range_ = np.minimum(np.abs(terms.coefficient) * (high - low), need[terms.row])
    kept = np.flatnonzero(range_ > 0)  # others are fixed, or their rows always hold
    kept = kept[np.lexsort((-range_[kept], terms.row[kept]))]
    row, x, a = terms.row[kept], terms.variable[kept], terms.coefficient[kept]
    lengths = lits.sizes[x] - 1
    chains = np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)])
    term = np.repeat(np.arange(len(kept)), lengths)
    step = np.arange(chains[-1]) - chains[term]
    rising = a[term] > 0
    link = np.where(rising, step, lengths[term] - 1 - step)  # index of the literal in the variable's chain
    literals = (lits.first[x][term] + link) * np.where(rising, 1, -1)
    number = lits.numbers[lits.starts[x][term] + np.where(rising, link + 1, link)]
    origin = np.where(a > 0, low[kept], high[kept])
    weights = np.minimum(a[term] * (number - origin[term]), need[row][term])
    least = np.full(len(need), LARGEST_SUM)
    np.minimum.at(least, row, weights[chains[:-1]])
    clausal = (need > 0) & (least >= need)  # also the rows without terms, which are empty clauses
    add_clauses(row, literals[chains[:-1]], np.flatnonzero(clausal), lits)
    return sums_of(row, chains, literals, weights, np.where(clausal, 0, need))


def add_clauses(row: Int64Array, literals: Int64Array, clausal: Int64Array, lits: Literals) -> None:
    """Add each row of `clausal` as a clause of its literals."""
    at = np.isin(row, clausal)
    rows, members = np.concatenate([row[at], clausal]), np.concatenate([literals[at], np.zeros_like(clausal)])
    lits.parts.append(members[np.argsort(rows, kind="stable")].astype(np.int32))


def sums_of(row: Int64Array, chains: Int64Array, literals: Int64Array, weights: Int64Array, need: Int64Array) -> Sums:
    """Return the rows with `need` above 0 as the solver stores them; the others hold from the start."""
    term = need[row] > 0
    counts = np.bincount(row[term], minlength=len(need))
    used = np.flatnonzero(need > 0)
    lengths = np.diff(chains)
    literal = np.repeat(term, lengths)
    last = weights[chains[1:] - 1]
    slack = -need
    np.add.at(slack, row[term], last[term])
    return Sums(
        ends(counts[used]),
        ends(lengths[term]),
        internal(literals[literal]),
        weights[literal],
        slack[used],
    )


def ends(lengths: npt.NDArray[np.integer]) -> Int32Array:
    """Return 0 and the running sums of lengths."""
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)]).astype(np.int32)
