"""Formats of proofs, told by their beginning: pseudo-Boolean, or DRAT, LRAT or FRAT as text or binary.

Pseudo-Boolean proofs are about sums, and `pseudo_boolean/` reads them; `flat/` reads DRCP, and `frat.py` says what FRAT
is.
"""

import re
from collections.abc import Callable, Iterator

from harness.judging.checkers.frat import parse_binary_frat, parse_frat
from harness.judging.checkers.lrat_text import Lrat, is_lrat, parse_lrat
from harness.judging.checkers.proof_binary import (
    is_binary,
    is_binary_drat,
    is_binary_lrat,
    parse_binary_drat,
    parse_binary_lrat,
)
from harness.judging.checkers.proof_text import BadProof, Int32Array, ProofText, parse_proof
from harness.judging.checkers.pseudo_boolean.words import START as PSEUDO_BOOLEAN

START = 1 << 20  # bytes that tell the format
DRAT, LRAT, BINARY_DRAT, BINARY_LRAT = "DRAT", "LRAT", "binary DRAT", "binary LRAT"
FRAT, BINARY_FRAT = "FRAT", "binary FRAT"
NUMBERED = (LRAT, BINARY_LRAT)  # which name the clauses of the formula by their order
PBP = "PBP"  # pseudo-Boolean proofs, which are about sums
DRCP = "DRCP"  # proofs about flat programs of constraints
Parts = Iterator[Lrat] | Iterator[Int32Array]
READ: dict[str, Callable[[ProofText], Parts]] = {
    DRAT: parse_proof,
    LRAT: parse_lrat,
    BINARY_DRAT: parse_binary_drat,
    BINARY_LRAT: parse_binary_lrat,
    FRAT: parse_frat,
    BINARY_FRAT: parse_binary_frat,
}


FRAT_STEP = re.compile(rb"(?:[ \t\r]*(?:c[^\n]*)?\n)*[ \t]*[oaflr](?:[ \t]+x)?[ \t]+[0-9]+(?=[ \t\r\n])")
DRCP_STEP = re.compile(rb"\s*(?:a [0-9]+ \[|[in] [0-9]+ |c UNSAT\s|c -?[0-9]+\s)")
UNREAD = {
    PBP: "format: a pseudo-Boolean proof, which is about rows",
    DRCP: "format: a proof about constraints, but the solver received clauses",
}
BINARY_FRAT_STEPS = re.compile(rb"(?:[ad][^\0]*\0)*[oflr][^\0]*\0(?:[oadflr][^\0]*\0)*(?:[oadflr][^\0]*)?")


def is_frat(start: bytes) -> bool:
    """Return True if a proof with this beginning is FRAT as text: no step of DRAT or LRAT has its first letter."""
    return FRAT_STEP.match(start) is not None


def is_binary_frat(start: bytes) -> bool:
    """Return True if a proof with this beginning, no DRAT or LRAT, is binary FRAT: a step is of FRAT alone."""
    return BINARY_FRAT_STEPS.fullmatch(start) is not None


def format_of(start: bytes) -> str:
    """Return the format of a proof with this beginning."""
    if start.startswith(PSEUDO_BOOLEAN):
        return PBP
    if DRCP_STEP.match(start):
        return DRCP
    if is_binary(start):
        if is_binary_lrat(start):
            return BINARY_LRAT
        return BINARY_FRAT if is_binary_frat(start) and not is_binary_drat(start) else BINARY_DRAT
    if is_frat(start):
        return FRAT
    if is_binary_frat(start):
        return BINARY_FRAT
    return LRAT if is_lrat(start) else DRAT


def read_proof(proof: ProofText) -> Parts:
    """Return the steps of a proof in LRAT, or the tokens of a proof in DRAT, part by part. Raises BadProof."""
    form = format_of(proof[:START])
    if form in UNREAD:
        raise BadProof(UNREAD[form])
    return READ[form](proof)
