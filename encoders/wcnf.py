"""WCNF as the MaxSAT Evaluation has it since 2022: hard clauses 'h LITERALS 0', soft ones 'WEIGHT LITERALS 0'.

The format has no constants: `c offset N` states what the value of a solution is beyond the weights of false clauses.
"""

from collections.abc import Iterable, Iterator
from itertools import chain

import numpy as np

from encoders.clause_text import ClauseStyle
from encoders.dimacs import clause_lines
from encoders.formula import Cnf, Unsupported, Wcnf
from puzzles.constraints.clauses import clause_blocks

HARD = ClauseStyle("h ", " 0\n", "h 0\n", false="-")
LARGEST_WEIGHT = (1 << 63) - 1
LARGEST_SUM = (1 << 64) - 2

NOTHING = (
    b"1 1 -1 0\n"  # a soft clause that is always true, for readers that take a file without soft clauses to decide
)


def weighted(formula: Cnf | Wcnf) -> Wcnf:
    """Return a formula with its objective; a formula of clauses alone has no soft clauses."""
    return Wcnf(formula, np.empty(0, np.int32), np.empty(0, np.int64)) if isinstance(formula, Cnf) else formula


def check_weights(formula: Wcnf) -> None:
    """Raise Unsupported if the format has no such weights."""
    weights = formula.weights.tolist()
    if max(weights, default=0) > LARGEST_WEIGHT or sum(weights) > LARGEST_SUM:
        raise Unsupported("WCNF has no weights from 2^63 and no sums of weights from 2^64 - 1")


def shared_lines(formula: Cnf | Wcnf) -> bytes:
    """Return the lines of hard and soft clauses. Raises Unsupported if the format can't state them."""
    return b"".join(line_blocks(formula))


def line_blocks(formula: Cnf | Wcnf) -> Iterator[bytes]:
    """Return the lines of hard and soft clauses block by block. Raises Unsupported if the format can't state them."""
    if isinstance(formula, Cnf):
        return clause_lines(formula, HARD)
    check_weights(formula)
    soft = soft_blocks(formula) if len(formula.weights) else iter([NOTHING])
    return chain(clause_lines(formula.hard, HARD), soft)


def soft_blocks(formula: Wcnf) -> Iterator[bytes]:
    """Yield the lines of soft clauses block by block."""
    done = 0
    for rows in clause_blocks(formula.soft):
        weights = formula.weights[done : done + len(rows)].tolist()
        lines = [f"{' '.join(map(str, (weight, *row)))} 0\n" for weight, row in zip(weights, rows, strict=True)]
        yield "".join(lines).encode()
        done += len(rows)


def wcnf(formula: Cnf | Wcnf, shared: bytes, more: Iterable[Iterable[int]], comments: Iterable[str] = ()) -> bytes:
    """Return a whole file: `shared` are the formula's lines, `more` the hard clauses of one instance."""
    return head(formula, more, comments) + shared


def head(formula: Cnf | Wcnf, more: Iterable[Iterable[int]], comments: Iterable[str] = ()) -> bytes:
    """Return a file up to the formula's lines: comments, the constant, and the hard clauses of one instance."""
    lines = "".join(f"c {comment}".rstrip() + "\n" for comment in comments)
    if isinstance(formula, Wcnf) and formula.offset:
        lines += f"c offset {formula.offset}\n"
    own = "".join(f"h {' '.join(map(str, (*clause, 0)))}\n" for clause in more)
    return f"{lines}{own}".encode()
