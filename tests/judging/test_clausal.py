"""Proofs about clauses as pseudo-Boolean proofs: what the checker of clauses certifies, rows show too."""

import numpy as np
import pytest

from harness.judging.checkers.clausal import check_as_rows
from harness.model.outcome import CERTIFIED, UNCHECKED
from puzzles.problem.arrays import Int64Array

SQUARE = np.array([1, 2, 0, 1, -2, 0, -1, 2, 0, -1, -2, 0])


@pytest.mark.parametrize(
    ("clauses", "proof", "outcome"),
    [
        (SQUARE, b"1 0\n0\n", CERTIFIED),
        (SQUARE, b"5 1 0 1 2 0\n6 0 5 3 4 0\n", CERTIFIED),  # LRAT
        (SQUARE, b"1 0\nd 1 2 0\n0\n", CERTIFIED),
        (SQUARE, b"9 1 0\n1 0\n", CERTIFIED),  # a variable that the formula lacks
        (SQUARE, b"3 0\n", UNCHECKED),
        (SQUARE[:9], b"1 0\n0\n", UNCHECKED),
        (SQUARE, b"nonsense\n", UNCHECKED),
    ],
)
def test_steps_of_a_proof_follow_as_rows(clauses: Int64Array, proof: bytes, outcome: int) -> None:
    found, why = check_as_rows(clauses, 2, proof)
    assert (found, bool(why)) == (outcome, outcome != CERTIFIED)
