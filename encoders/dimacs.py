"""DIMACS CNF, the SAT competition format: 'p cnf VARIABLES CLAUSES', then clauses, each ended by 0."""

from collections.abc import Iterable

import numpy as np

from encoders.formula import Cnf, Unsupported


def body(formula: Cnf) -> bytes:
    """Return the clauses that all puzzles on a layout share, one a line. Raises Unsupported for other constraints."""
    if formula.at_most:
        raise Unsupported("DIMACS has no cardinality constraints: choose another at-most-one encoding")
    ends = np.flatnonzero(formula.clauses == 0)
    if np.any(np.diff(ends, prepend=-1) == 1):  # an empty clause
        return "".join(f"{' '.join(map(str, (*clause, 0)))}\n" for clause in formula.clause_lists()).encode()
    text = " ".join(map(str, formula.clauses.tolist())).replace(" 0 ", " 0\n")
    return f"{text}\n".encode() if text else b""


def dimacs(formula: Cnf, shared: bytes, more: Iterable[Iterable[int]], comments: Iterable[str] = ()) -> bytes:
    """Return a whole file: `shared` is the formula's body, `more` are the clauses of one puzzle."""
    own = "".join(f"{' '.join(map(str, clause))} 0\n" for clause in more)
    clauses = int((formula.clauses == 0).sum()) + own.count("\n")
    head = "".join(f"c {comment}".rstrip() + "\n" for comment in comments)
    return f"{head}p cnf {formula.variables} {clauses}\n{own}".encode() + shared
