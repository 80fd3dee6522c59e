"""Formats of proofs, by what a proof starts with: DRAT or LRAT, as text or binary."""

from collections.abc import Callable

from harness.judging.checkers.lrat_text import Lrat, is_lrat, parse_lrat
from harness.judging.checkers.proof_binary import is_binary, is_binary_lrat, parse_binary_drat, parse_binary_lrat
from harness.judging.checkers.proof_text import Int32Array, parse_proof

START = 1 << 20  # bytes that tell the format
DRAT, LRAT, BINARY_DRAT, BINARY_LRAT = "DRAT", "LRAT", "binary DRAT", "binary LRAT"
READ: dict[str, Callable[[bytes], Lrat | Int32Array]] = {
    DRAT: parse_proof,
    LRAT: parse_lrat,
    BINARY_DRAT: parse_binary_drat,
    BINARY_LRAT: parse_binary_lrat,
}


def format_of(start: bytes) -> str:
    """Return the format of a proof that starts so."""
    if is_binary(start):
        return BINARY_LRAT if is_binary_lrat(start) else BINARY_DRAT
    return LRAT if is_lrat(start) else DRAT


def read_proof(proof: bytes) -> Lrat | Int32Array:
    """Return the steps of a proof: those of LRAT, or the tokens of DRAT. Raises BadProof."""
    return READ[format_of(proof[:START])](proof)
