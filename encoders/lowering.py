"""Constraints of several kinds as clauses: Boolean variables with clauses and linear constraints."""

import numpy as np

from encoders.cnf import Signs
from encoders.formula import Cnf, Constraints, Unsupported
from encoders.linear import LinearEncoding, clauses_of_rows
from puzzles.constraints.clauses import Clauses
from puzzles.constraints.linear import Linear


def to_clauses(form: Constraints, linear: LinearEncoding) -> Cnf:
    """Return constraints as clauses; clauses stay as they are. Raises Unsupported, which names what is at fault."""
    if other := [kind for kind in form.kinds() if kind not in (Clauses.kind, Linear.kind)]:
        what = ", ".join(other)
        raise Unsupported(f"as clauses only boards, clauses and linear constraints are supported, not {what}")
    if len(form.numbers) != 2:
        raise Unsupported(f"as clauses only Boolean variables are supported, not {len(form.numbers)} values")
    last, parts = form.variables, [np.empty(0, np.int32)]
    for part in form.constraints:
        if isinstance(part, Clauses):
            parts.append(part.flat.astype(np.int32, copy=False))
        elif isinstance(part, Linear):
            rows, last = clauses_of_rows(part, form.numbers, linear, last)
            parts.append(np.array([x for row in rows for x in (*row, 0)], np.int32))
    return Cnf(np.concatenate(parts), last, Signs(form.variables))
