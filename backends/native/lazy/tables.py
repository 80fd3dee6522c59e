"""Tables as clauses, which propagate fully.

An allowed tuple has a literal, which implies the tuple's values; a value implies one of the tuples with it (Bacchus
2007). In a table of two variables, a value implies one of its partners instead. A forbidden tuple is a clause. Tuples
with numbers outside the domains are left out first.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from backends.native.lazy.literals import Literals
from puzzles.constraints.table import STAR, Table
from puzzles.problem.arrays import Int64Array


class ScopeColumn(NamedTuple):
    """One variable of a scope: its numbers, their literals, and for each tuple the index of its number, -1 for any."""

    literals: Int64Array
    indices: Int64Array


def add_table(table: Table, lits: Literals) -> None:
    """Add the clauses of all scopes."""
    for scope in table.scopes:
        columns = possible(table.rows, scope, lits)
        if not table.positive:
            add_forbidden(columns, lits)
        elif len(columns) == 2 and not any((c.indices < 0).any() for c in columns):
            for this, other in (columns, columns[::-1]):
                add_supports(this, other.literals[other.indices], lits)
        else:
            add_tuples(columns, lits)


def possible(rows: Int64Array, scope: Sequence[int], lits: Literals) -> list[ScopeColumn]:
    """Return the columns of tuples, without those that the domains exclude."""
    kept, columns = np.ones(len(rows), np.bool_), []
    for x, numbers in zip(scope, rows.T, strict=True):
        own, star = lits.own(x), numbers == STAR
        indices = np.minimum(np.searchsorted(own, numbers), len(own) - 1)
        kept &= star | (own[indices] == numbers)
        columns.append(ScopeColumn(np.array(lits.equal(x), np.int64), np.where(star, -1, indices)))
    return [ScopeColumn(c.literals, c.indices[kept]) for c in columns]


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
