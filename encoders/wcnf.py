"""WCNF as the MaxSAT Evaluation has it since 2022: hard clauses 'h LITERALS 0', soft ones 'WEIGHT LITERALS 0'.

The format has no constants: `c offset N` states what the value of a solution is beyond the weights of false clauses.
"""

from collections.abc import Iterable

import numpy as np

from encoders.dimacs import body
from encoders.formula import Cnf, Unsupported, Wcnf

LARGEST_WEIGHT = (1 << 63) - 1
LARGEST_SUM = (1 << 64) - 2

NOTHING = "1 1 -1 0\n"  # a soft clause that is always true, for readers that take a file without soft clauses to decide


def weighted(formula: Cnf | Wcnf) -> Wcnf:
    """Return a formula with its objective, that of clauses alone without soft ones."""
    return Wcnf(formula, np.empty(0, np.int32), np.empty(0, np.int64)) if isinstance(formula, Cnf) else formula


def check_weights(formula: Wcnf) -> None:
    """Raise Unsupported if the format has no such weights."""
    weights = formula.weights.tolist()
    if max(weights, default=0) > LARGEST_WEIGHT or sum(weights) > LARGEST_SUM:
        raise Unsupported("WCNF has no weights from 2^63 and no sums of weights from 2^64 - 1")


def shared_lines(formula: Cnf | Wcnf) -> bytes:
    """Return the lines of hard and soft clauses. Raises Unsupported if the format can't state them."""
    if isinstance(formula, Cnf):
        return hard_lines(body(formula))
    check_weights(formula)
    soft = "".join(f"{' '.join(map(str, (weight, *row)))} 0\n" for weight, row in formula.soft_rows())
    return hard_lines(body(formula.hard)) + (soft or NOTHING).encode()


def hard_lines(clauses: bytes) -> bytes:
    """Return lines of clauses as hard ones."""
    return b"h " + clauses[:-1].replace(b"\n", b"\nh ") + b"\n" if clauses else b""


def wcnf(formula: Cnf | Wcnf, shared: bytes, more: Iterable[Iterable[int]], comments: Iterable[str] = ()) -> bytes:
    """Return a whole file: `shared` are the formula's lines, `more` the hard clauses of one instance."""
    head = "".join(f"c {comment}".rstrip() + "\n" for comment in comments)
    if isinstance(formula, Wcnf) and formula.offset:
        head += f"c offset {formula.offset}\n"
    own = "".join(f"h {' '.join(map(str, (*clause, 0)))}\n" for clause in more)
    return f"{head}{own}".encode() + shared
