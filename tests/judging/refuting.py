"""Random formulas without a model, and what our checkers say of a proof that refutes one."""

from collections.abc import Callable, Sequence
from random import Random

import numpy as np
from pysat.solvers import Solver

from harness.judging.checkers.formats import Parts, read_proof
from harness.judging.checkers.proof_text import BadProof
from harness.judging.proof import refutation_fault
from tests.judging.test_backward import VARIABLES, Clause, formula


def fault(
    axioms: Sequence[Clause],
    proof: bytes,
    variables: int = VARIABLES,
    read: Callable[[bytes], Parts] = read_proof,
) -> str:
    """Return why a proof does not refute axioms, '' if it does."""
    flat = np.array([x for clause in axioms for x in (*clause, 0)], np.int64)
    try:
        return refutation_fault(flat, variables, read(proof))
    except BadProof as e:
        return str(e)


def unsatisfiable(random: Random) -> list[list[int]]:
    """Return the first of random formulas that has no model."""
    while True:
        axioms = formula(random)
        with Solver("minisat22", bootstrap_with=axioms) as s:
            if not s.solve():
                return axioms
