"""Backends that lose a part of what they are given: one for each kind of constraint and each encoding on each axis.

partial:KIND       native:python without the last row of the last constraint of that kind
partial:AXIS=NAME  clauses of that encoding without one of the last ones, for minisat22; on the axis of at-most-one
                   encodings, without the last clause of each group, for minicard
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np

from backends.contract import registry
from backends.contract.answer import Session
from encoders.at_most_one import AT_MOST_ONE
from encoders.axes import Axes
from encoders.formula import AllDifferent, Cnf, Constraints, Formula, Unsupported
from encoders.kinds.tables import TABLES
from encoders.linear import LINEAR
from encoders.lowering import to_clauses
from encoders.variables import VARIABLES
from harness.fuzzing.reducing.parts import row_names, rows_of, with_rows
from puzzles.constraints.linear import Linear
from puzzles.constraints.table import Table
from puzzles.generating.problems import KINDS
from puzzles.problem import Constraint

Loss = Callable[[Constraints], Session]


def without_row(kind: str, formula: Constraints) -> Session:
    """Open native:python on the constraints without one row."""
    last = max((i for i, c in enumerate(formula.constraints) if c.kind == kind), default=None)
    kept = list(formula.constraints)
    if last is not None:
        kept[last : last + 1] = shorter(kept[last])
    return registry.find("native:python").open(replace(formula, constraints=tuple(kept)))


def shorter(constraint: Constraint) -> Sequence[Constraint]:
    """Return a constraint without its last row, or nothing if it has one row."""
    name = next(iter(row_names(constraint)), "")
    rows = rows_of(constraint, name) if name else ()
    return [with_rows(constraint, name, rows[:-1])] if len(rows) > 1 else []


def without_clause(axis: str, name: str, formula: Constraints) -> Session:
    """Open minisat22 on the clauses of an encoding without one clause."""
    needed = {"linear": Linear, "table": Table}.get(axis, object)
    cnf = to_clauses(formula, replace(Axes(), **{axis: name}))
    if any(isinstance(c, needed) for c in formula.constraints):
        cnf = lossy(cnf)
    return registry.find("pysat:minisat22").open(cnf)


def lossy(formula: Cnf) -> Cnf:
    """Leave out the last clause of those in the second half that are not of one literal."""
    rows = formula.clause_lists()
    at = next((i for i in range(len(rows) - 1, len(rows) // 2 - 1, -1) if len(rows[i]) > 1), None)
    kept = rows if at is None else rows[:at] + rows[at + 1 :]
    return replace(formula, clauses=np.array(list(chain.from_iterable([*row, 0] for row in kept)), np.int32))


def without_exclusion(name: str, formula: Constraints) -> Session:
    """Open minicard on clauses in which each group of an at-most-one encoding lacks its last clause."""
    right = AT_MOST_ONE[name]
    AT_MOST_ONE[name] = lambda n: replace(right(n), clauses=right(n).clauses[:-1], native=False)
    try:
        cnf = to_clauses(formula, Axes(at_most_one=name))
    finally:
        AT_MOST_ONE[name] = right
    return registry.find("pysat:minicard").open(cnf)


@dataclass(frozen=True)
class Partial:
    name: str
    loss: Loss
    version: str = "1.0"
    accepts: frozenset[type] = frozenset({AllDifferent, Constraints})
    can: frozenset[str] = frozenset({"count", "domains"})

    def open(self, formula: Formula) -> Session:
        if not isinstance(formula, Constraints):
            raise Unsupported(f"{self.name} takes no boards")
        return self.loss(formula)


def backends() -> list[Partial]:
    axes: dict[str, Sequence[str]] = {"variables": list(VARIABLES), "linear": list(LINEAR), "table": list(TABLES)}
    kinds = [Partial(f"partial:{kind}", lambda f, kind=kind: without_row(kind, f)) for kind in KINDS]  # type: ignore[misc]
    encodings = [
        Partial(f"partial:{axis}={name}", lambda f, axis=axis, name=name: without_clause(axis, name, f))  # type: ignore[misc]
        for axis, names in axes.items()
        for name in names
    ]
    exclusions = [
        Partial(f"partial:at-most-one={name}", lambda f, name=name: without_exclusion(name, f))  # type: ignore[misc]
        for name in AT_MOST_ONE
    ]
    return [*kinds, *encodings, *exclusions]
