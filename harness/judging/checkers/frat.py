"""Read proofs in FRAT (Baek, Carneiro & Heule, LMCS 2022) as proofs in DRAT.

A step begins with a letter and the number of its clause, in binary form too, and ends with 0:

    o NUMBER LITERALS 0      a clause of the formula      a NUMBER LITERALS 0 [l HINTS 0]      a clause is added
    d NUMBER LITERALS 0      a clause is deleted          f NUMBER LITERALS 0                  a clause that is left
    r NUMBERS 0              clauses get other numbers

What is added and deleted is a proof in DRAT about the formula that the judge knows: the clauses that the proof states
of it, numbers and hints are not needed. Exclusive ors (`o x`) are not read.
"""

import re
from collections.abc import Iterator

from harness.judging.checkers.proof_binary import parse_binary_drat
from harness.judging.checkers.proof_text import PIECE, BadProof, Int32Array, ProofText, parse_proof

STEP = re.compile(
    rb"\s*(?:c[^\n]*(?=\n|\Z)|(?P<rule>[oadflr])\s+(?P<number>[0-9]+)(?P<rest>(?:\s+-?[0-9]+)*?)\s+0(?=\s|\Z))"
)
HINTS = re.compile(rb"\s*l(?:\s+-?[0-9]+)*?\s+0(?=\s|\Z)")
VARINT = rb"[\x80-\xff]*[\x01-\x7f]"
BINARY_STEP = re.compile(rb"(?P<rule>[oadflr])(?:(?P<number>%s)(?P<rest>(?:%s)*))?\0" % (VARINT, VARINT))


def parse_frat(proof: ProofText) -> Iterator[Int32Array]:
    """Yield the tokens of a proof in DRAT, part by part. Raises BadProof."""
    lines, at, before = list[bytes](), 0, 0
    while at < len(proof):
        found = HINTS.match(proof, at) or STEP.match(proof, at)
        if found is None:
            if proof[at:].strip():
                line = proof[: len(proof) - len(proof[at:].lstrip())].count(b"\n") + 1
                raise BadProof(f"line {line} of the proof is no step of FRAT that is read")
            break
        at = found.end()
        rule = found.groupdict().get("rule")
        if rule in (b"a", b"d"):
            lines.append(b"%s%s 0\n" % (b"d" if rule == b"d" else b"", b" ".join([b"", *found["rest"].split()])))
        if at - before > PIECE:
            yield from parse_proof(b"".join(lines))
            lines, before = [], at
    yield from parse_proof(b"".join(lines))


def parse_binary_frat(proof: ProofText) -> Iterator[Int32Array]:
    """Yield the tokens of a proof in DRAT, part by part. Raises BadProof."""
    steps, at, before = list[bytes](), 0, 0
    while at < len(proof):
        found = BINARY_STEP.match(proof, at)
        if found is None:
            raise BadProof(f"byte {at + 1} of the proof begins no step of binary FRAT")
        at = found.end()
        if found["rule"] in b"ad":
            if found["number"] is None:
                raise BadProof(f"byte {found.start() + 1} of the proof begins a clause without a number")
            steps.append(found["rule"] + found["rest"] + b"\0")
        if at - before > PIECE:
            yield from parse_binary_drat(b"".join(steps))
            steps, before = [], at
    yield from parse_binary_drat(b"".join(steps))
