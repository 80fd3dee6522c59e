"""Problems other than boards as clauses: Boolean variables with clauses and linear constraints."""

import numpy as np

from encoders.cnf import Signs, from_clauses
from encoders.formula import Cnf, Unsupported
from encoders.linear import LinearEncoding, clauses_of_rows
from puzzles.constraints.clauses import Clauses, clauses_of
from puzzles.constraints.linear import Linear
from puzzles.problem import Integers, Problem


def to_clauses(problem: Problem, linear: LinearEncoding) -> Cnf:
    """Return a problem as clauses; clauses stay as they are. Raises Unsupported, which names the kinds at fault."""
    flat = clauses_of(problem)
    if flat is not None:
        return from_clauses(flat, len(problem.variables))
    if other := {c.kind: None for c in problem.constraints if not isinstance(c, Clauses | Linear)}:
        raise Unsupported(
            f"as clauses only boards, clauses and linear constraints are supported, not {', '.join(other)}"
        )
    if len(problem.values) != 2 or not isinstance(problem.values, Integers):
        raise Unsupported(f"as clauses only Boolean variables are supported, not {len(problem.values)} values")
    last, parts = len(problem.variables), []
    for part in problem.constraints:
        if isinstance(part, Clauses):
            parts.append(part.flat)
        elif isinstance(part, Linear):
            rows, last = clauses_of_rows(part, problem.values.numbers, linear, last)
            parts.append(np.array([x for row in rows for x in (*row, 0)], np.int32))
    return Cnf(np.concatenate([np.empty(0, np.int32), *parts]).astype(np.int32), last, Signs(len(problem.variables)))
