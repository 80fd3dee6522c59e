"""Tables as clauses, which propagate fully.

An allowed tuple has a literal, which implies the tuple's values; a value implies one of the tuples with it (Bacchus
2007). In a table of two variables, a value implies one of its partners instead. A forbidden tuple is a clause.

Before that, tuples lose what the domains exclude, and domains what no tuple has, while a round takes a tenth of all
tuples: the 362,880 orders of nine values become a few hundred in a row of a Sudoku. The clauses propagate the rest.
"""

import math
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from backends.native.lazy.literals import Literals, NumberColumns
from puzzles.constraints.linear import COMPARISONS, Linear
from puzzles.constraints.table import STAR, Table
from puzzles.problem.arrays import BoolArray, Int64Array

LESS = 0.9  # part of all tuples that a round leaves at most, or there is no further one


class ScopeRows(NamedTuple):
    """One scope of a table, and the tuples that the domains allow."""

    scope: Sequence[int]
    rows: Int64Array
    positive: bool


class ScopeColumn(NamedTuple):
    """One variable of a scope: its numbers, their literals, and for each tuple the index of its number, -1 for any."""

    literals: Int64Array
    indices: Int64Array


def narrowed(
    tables: Sequence[Table], sums: Sequence[Linear], columns: NumberColumns
) -> tuple[list[ScopeRows], NumberColumns]:
    """Return the scopes with the tuples that are left, and the domains with the numbers that are.

    Sums of one variable count as tables. Where a scope has no tuple left the domains stay as they were.
    """
    scopes = [ScopeRows(scope, table.rows, table.positive) for table in tables for scope in table.scopes]
    singles = list(single_terms(sums, {x for part in scopes for x in part.scope}, columns))
    found = [*singles, *scopes]
    kept = np.ones(len(columns.numbers), np.bool_)
    changed: set[int] | None = {x for part in found for x in part.scope}
    before = math.inf
    while changed and (size := sum(len(part.rows) for part in found)) < LESS * before:
        changed, before = narrow(found, changed, columns, kept), size
        if changed is None:
            kept[:] = True
    return [fitting(part, columns, kept) for part in found[len(singles) :]], columns.only(kept)


def narrow(found: list[ScopeRows], due: set[int], columns: NumberColumns, kept: BoolArray) -> set[int] | None:
    """Narrow the scopes of variables that are due, in place. Returns those that lose numbers; None if no tuple fits."""
    changed = set[int]()
    for k, part in enumerate(found):
        if not due.isdisjoint(part.scope):
            found[k] = fitting(part, columns, kept)
            if part.positive and not len(found[k].rows):
                return None
            if part.positive:
                changed.update(unsupported(found[k], columns, kept))
    return changed


def fitting(part: ScopeRows, columns: NumberColumns, kept: BoolArray) -> ScopeRows:
    """Return a scope with the tuples whose numbers are all kept."""
    rows = part.rows
    for i, x in enumerate(part.scope):
        own = columns.numbers[columns.part(x)][kept[columns.part(x)]]
        fits = (own[np.minimum(np.searchsorted(own, rows[:, i]), len(own) - 1)] == rows[:, i]) | (rows[:, i] == STAR)
        rows = rows if fits.all() else rows[fits]
    return part._replace(rows=rows)


def unsupported(part: ScopeRows, columns: NumberColumns, kept: BoolArray) -> Iterator[int]:
    """Keep the numbers that some tuple of a scope has; yield the variables that lose others."""
    for x, numbers in dict(zip(part.scope, part.rows.T, strict=True)).items():
        before = kept[columns.part(x)].copy()
        used = np.zeros(np.count_nonzero(before), np.bool_)
        used[np.searchsorted(columns.numbers[columns.part(x)][before], numbers)] = True
        if not used.all() and not (numbers == STAR).any():
            kept[columns.part(x)][before] = used
            yield x


def single_terms(sums: Sequence[Linear], variables: Collection[int], columns: NumberColumns) -> Iterator[ScopeRows]:
    """Yield the sums of one of the variables, as tables of one column."""
    for linear in sums if variables else ():
        for r in np.flatnonzero(np.diff(linear.starts) == 1).tolist():
            if (x := int(linear.variables[linear.starts[r]])) in variables:
                own, compare = columns.numbers[columns.part(x)], COMPARISONS[tuple(COMPARISONS)[linear.comparisons[r]]]
                fits = compare(linear.coefficients[linear.starts[r]] * own.astype(object), linear.bounds[r])
                yield ScopeRows((x,), own[fits.astype(np.bool_), None], True)


def columns_of(part: ScopeRows, lits: Literals) -> list[ScopeColumn]:
    """Return the columns of the tuples of a scope."""
    return [
        ScopeColumn(
            np.array(lits.equal(x), np.int64), np.where(column == STAR, -1, np.searchsorted(lits.own(x), column))
        )
        for x, column in zip(part.scope, part.rows.T, strict=True)
    ]


def add_table(part: ScopeRows, lits: Literals) -> None:
    """Add the clauses of a scope."""
    columns = columns_of(part, lits)
    if not part.positive:
        add_forbidden(columns, lits)
    elif len(columns) == 2 and not any((c.indices < 0).any() for c in columns):
        for this, other in (columns, columns[::-1]):
            add_supports(this, other.literals[other.indices], lits)
    else:
        add_tuples(columns, lits)


def add_forbidden(columns: list[ScopeColumn], lits: Literals) -> None:
    """Add a clause for each tuple."""
    literals = np.stack([np.where(c.indices < 0, 0, -c.literals[c.indices]) for c in columns], 1)
    ended = np.concatenate([literals, np.zeros((len(literals), 1), np.int64)], 1)
    kept = ended != 0
    kept[:, -1] = True
    lits.parts.append(ended[kept].astype(np.int32))


def add_tuples(columns: list[ScopeColumn], lits: Literals) -> None:
    """Add a literal for each tuple, and the clauses that define it."""
    tuples = lits.last + 1 + np.arange(len(columns[0].indices))
    lits.last += len(tuples)
    for column in columns:
        fixed = column.indices >= 0
        own = tuples[fixed]
        implied = np.stack([-own, column.literals[column.indices[fixed]], np.zeros_like(own)], 1)
        lits.parts.append(implied.ravel().astype(np.int32))
        add_supports(column, tuples, lits)


def add_supports(column: ScopeColumn, supports: Int64Array, lits: Literals) -> None:
    """Add clauses for each value: it implies the support of one of its tuples, or of a tuple with a star."""
    values, own = np.arange(len(column.literals)), np.flatnonzero(column.indices >= 0)
    anyhow = supports[column.indices < 0]
    rows = [values, np.repeat(values, len(anyhow)), column.indices[own], values]
    members = [-column.literals, np.tile(anyhow, len(values)), supports[own], np.zeros_like(values)]
    lits.parts.append(np.concatenate(members)[np.argsort(np.concatenate(rows), kind="stable")].astype(np.int32))
