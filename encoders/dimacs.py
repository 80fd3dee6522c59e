"""DIMACS CNF, the SAT competition format: 'p cnf VARIABLES CLAUSES', then clauses, each ended by 0."""

from collections.abc import Iterable, Iterator

import numpy as np

from encoders.clause_text import ClauseStyle
from encoders.clause_text import clause_lines as lines_in
from encoders.formula import Cnf, Unsupported

PLAIN = ClauseStyle("", " 0\n", "0\n", false="-")


def body(formula: Cnf) -> bytes:
    """Return the clauses that all puzzles on a layout share, one a line. Raises Unsupported for other constraints."""
    return b"".join(clause_lines(formula))


def clause_lines(formula: Cnf, style: ClauseStyle = PLAIN) -> Iterator[bytes]:
    """Return the lines of the clauses block by block. Raises Unsupported for other constraints."""
    if formula.at_most:
        raise Unsupported("DIMACS has no cardinality constraints: choose another at-most-one encoding")
    return lines_in(formula.clauses.astype(np.int32, copy=False), style)


def dimacs(formula: Cnf, shared: bytes, more: Iterable[Iterable[int]], comments: Iterable[str] = ()) -> bytes:
    """Return a whole file: `shared` is the formula's body, `more` are the clauses of one puzzle."""
    return head(formula, more, comments) + shared


def head(formula: Cnf, more: Iterable[Iterable[int]], comments: Iterable[str] = ()) -> bytes:
    """Return a file up to the formula's body: comments, the header, and the clauses of one puzzle."""
    own = "".join(f"{' '.join(map(str, clause))} 0\n" for clause in more)
    clauses = int(np.count_nonzero(formula.clauses == 0)) + own.count("\n")
    lines = "".join(f"c {comment}".rstrip() + "\n" for comment in comments)
    return f"{lines}p cnf {formula.variables} {clauses}\n{own}".encode()
