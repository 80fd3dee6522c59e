"""Binary proofs: read as their text is, refused by byte where damaged, and never believed of a satisfiable formula."""

from collections import Counter
from collections.abc import Iterable
from random import Random
from typing import Any

import pytest

from harness.judging.checkers import frat, proof_binary, proof_text
from harness.judging.checkers.formats import (
    BINARY_DRAT,
    BINARY_FRAT,
    BINARY_LRAT,
    DRAT,
    FRAT,
    LRAT,
    format_of,
    read_proof,
)
from harness.judging.checkers.frat import parse_binary_frat, parse_frat
from harness.judging.checkers.lrat_text import Lrat, parse_lrat
from harness.judging.checkers.proof_binary import parse_binary_drat, parse_binary_lrat
from harness.judging.checkers.proof_text import BadProof, parse_proof
from tests.judging.binary import binary
from tests.judging.lrat import elaborated
from tests.judging.refuting import fault, unsatisfiable
from tests.judging.test_backward import VARIABLES, formula, mutated, text, true_proof

ALL_EIGHT = [[a, 2 * b, 3 * c] for a in (1, -1) for b in (1, -1) for c in (1, -1)]
CADICAL_DRAT = bytes.fromhex(  # of all eight clauses in their order, as CaDiCaL 2.1 writes it
    "61020400 61020500 61030400 61030500 610400 610500 610500 6100 64020400 64020500 64030400 64030500 640400 640500"
)
CADICAL_LRAT = bytes.fromhex(
    "611202040002040061140205000806006116030400 0c0a00 6118030500 0e1000 611a0400 121600 611c0500 141800"
    "611e0500 1c00 612000 1e1a00"
)


def tokens(parts: Iterable[Any]) -> list[int]:
    """Return the tokens of all parts of a proof in DRAT."""
    return [token for part in parts for token in part.tolist()]


def test_the_steps_of_a_proof_are_the_same_in_both_forms() -> None:
    random = Random(2)
    sizes = (1, 63, 64, 8191, 8192, 1 << 20, (1 << 31) - 1)
    steps = [
        (random.random() < 0.7, [random.choice((1, -1)) * random.choice(sizes) for _ in range(random.randrange(5))])
        for _ in range(300)
    ]
    assert tokens(parse_binary_drat(binary(text(steps)))) == tokens(parse_proof(text(steps)))
    lines = b"9 1 -64 0 1 -8192 0\n9 d 1 2 0\n10 0 9 8191 0\n10 d 0\n"
    (binary_part,), (part,) = parse_binary_lrat(binary(lines)), parse_lrat(lines)
    for ours, wanted in zip(binary_part, part, strict=True):
        assert ours.tolist() == wanted.tolist()


def test_a_proof_gets_the_same_verdict_in_both_forms() -> None:
    random, seen = Random(3), Counter[bool]()
    for _ in range(30):
        axioms = formula(random)
        steps = true_proof(axioms, random.choice(("cadical195", "glucose3")))
        for case in (steps, *(mutated(steps, axioms, random) for _ in range(6))):
            why = fault(axioms, text(case))
            assert fault(axioms, binary(text(case))) == why, case
            seen[why == ""] += 1
    assert min(seen[True], seen[False]) > 20


def test_an_lrat_proof_gets_the_same_verdict_in_both_forms() -> None:
    random, seen = Random(4), Counter[bool]()
    while seen.total() < 100:
        axioms = unsatisfiable(random)
        lines = elaborated(axioms, true_proof(axioms, "cadical195")).splitlines(keepends=True)
        at = random.randrange(len(lines))
        for case in (b"".join(lines), b"".join(lines[:at] + lines[at + 1 :])):
            seen[(why := fault(axioms, case)) == ""] += 1
            assert fault(axioms, binary(case)) == why
    assert min(seen[True], seen[False]) > 20


def test_a_proof_is_read_in_parts_as_it_is_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts of some bytes, so that every array grows, and literals of deleted clauses go."""
    random, seen = Random(5), Counter[bool]()
    for _ in range(15):
        axioms = unsatisfiable(random)
        steps = true_proof(axioms, "cadical195")
        lines = elaborated(axioms, steps)
        for case in (lines, lines[: random.randrange(len(lines))].rpartition(b"\n")[0], text(steps)):
            why = fault(axioms, case)
            with monkeypatch.context() as m:
                for module in (proof_text, proof_binary, frat):
                    m.setattr(module, "PIECE", 5)
                assert fault(axioms, case) == fault(axioms, binary(case)) == why
            seen[why == ""] += 1
    assert min(seen[True], seen[False]) > 5


@pytest.mark.parametrize(("proof", "form"), [(CADICAL_DRAT, BINARY_DRAT), (CADICAL_LRAT, BINARY_LRAT)])
def test_a_proof_as_cadical_writes_it_by_default_is_accepted(proof: bytes, form: str) -> None:
    assert format_of(proof) == form
    assert isinstance(next(read_proof(proof)), Lrat) == (form == BINARY_LRAT)
    assert fault(ALL_EIGHT, proof, 3) == ""
    assert fault(ALL_EIGHT[1:], proof, 3) != ""


@pytest.mark.parametrize(
    ("start", "form"),
    [
        (b"", DRAT),
        (b"d 1 2 0\nd 3 4 0\n1 0\n\0", DRAT),  # text, damaged further on
        (b"d\t-1 0\r\n0\n\0", DRAT),
        (b"c \0\n1 0\n", DRAT),
        (b"5 1 0 1 2 0\n\0", LRAT),
        (b"a\0", BINARY_DRAT),
        (b"d05\0a 12\0", BINARY_DRAT),  # bytes that text has too
        (b"d\n \0a\0", BINARY_DRAT),
        (b"a \nd \0a\0", BINARY_DRAT),
        (b"a\x02\x04\0a\x02", BINARY_DRAT),  # cut off by the end of what is looked at
        (b"a\x0a\x02\0\x02\x04\0a\x0c\0\x0a\x06", BINARY_LRAT),
        (b"d\x02\x04\0a\x0a\x02\0\x06\x08\0", BINARY_LRAT),
        (b"a\x0a\x02\0d\x04\0a\x0c\0\x06\0", BINARY_LRAT),  # its first hint, 50, is the byte of a deletion
    ],
)
def test_the_start_of_a_proof_tells_its_format(start: bytes, form: str) -> None:
    assert format_of(start) == form


@pytest.mark.parametrize(
    ("start", "form"),
    [
        (b"o 1  1 2 0\no 2  -1 2 0\na 3  2 0  l 1 2 0\nf 3 2 0\n", FRAT),  # as CaDiCaL writes it
        (b"c by hand\n\n  a 5 1 0\n", FRAT),
        (b"o x 1 1 2 0\n", FRAT),  # an exclusive or, as CryptoMiniSat writes it
        (b"r 1 2 0\r\n", FRAT),
        (b"o\x01\x02\x04\0o\x02\x03\x04\0a\x03\x04\0l\x02\x04\0f\x03\x04\0", BINARY_FRAT),
        (b"o\x81\x01\x02\0a\x82\x01", BINARY_FRAT),  # cut off by the end of what is looked at
        (b"a\x01\x02\x04\0l\x02\0d\x01\x02\x04\0", BINARY_FRAT),
        (b"a\x01\0", BINARY_DRAT),  # damaged
        (b"over and out\n", DRAT),
        (b"d 1 1 2 0\na 2 1 0\n", DRAT),  # a deletion in front, which no clause of FRAT has
    ],
)
def test_frat_is_told_by_its_letters(start: bytes, form: str) -> None:
    assert format_of(start) == form


@pytest.mark.parametrize(
    ("proof", "drat"),
    [
        (b"o 1  1 2 0\no 2  -1 2 0\na 3  2 0  l 1 2 0\nd 1 1 2 0\nf 3 2 0\n", b"2 0\nd 1 2 0\n"),
        (b"c by hand\n\n  a 5 1 -3 0\nl 0\na 6 0\nr 1 2 0\n", b"1 -3 0\n0\n"),
        (b"o\x01\x02\x04\0a\x03\x04\0l\x02\x04\0d\x01\x02\x04\0f\x03\x04\0", b"2 0\nd 1 2 0\n"),
        (b"o\x02\x04\0a\x80\x01\x82\x01\0", b"65 0\n"),
    ],
)
def test_frat_is_read_as_the_clauses_that_it_adds_and_deletes(proof: bytes, drat: bytes) -> None:
    assert tokens(read_proof(proof)) == tokens(read_proof(drat))


@pytest.mark.parametrize(
    "proof", [b"o x 1 1 2 0\n", b"a 1 2 0\nwhat\n", b"a 3 2\n", b"o\x01\x02\0a\0", b"o\x01\x02\0a\x03"]
)
def test_what_is_no_frat_is_not_understood(proof: bytes) -> None:
    with pytest.raises(BadProof):
        list((parse_frat if b"\0" not in proof else parse_binary_frat)(proof))


@pytest.mark.parametrize(
    ("proof", "why"),
    [
        (b"a\x02\0b\x04\0", "byte 4 of the proof is 0x62, where a step begins with 'a' or 'd'"),
        (b"a\x02\0\0", "byte 4 of the proof is 0x00, where a step begins with 'a' or 'd'"),
        (b"a\x02\0a\x04", "the proof ends within a step, after 5 bytes"),
        (b"a\x02\0d", "the proof ends within a step, after 4 bytes"),
        (b"a\x02\0a\x84", "the proof ends within a step, after 5 bytes"),
        (b"a\x01\0", "byte 2 of the proof begins a number without a variable"),
        (b"a\x02\x80\0\0", "byte 3 of the proof begins a number without a variable"),
        (b"a\x80\x80\x80\x80\x10\0", "byte 2 of the proof begins a number beyond 2147483647"),
        (b"a\x82\x80\x80\x80\x80\0\0", "byte 2 of the proof begins a number beyond 2147483647"),
        (b"a\x02" + b"\xff" * 30 + b"\0", "byte 3 of the proof begins a number beyond 2147483647"),
    ],
)
def test_damaged_proofs_are_refused_by_byte(proof: bytes, why: str) -> None:
    with pytest.raises(BadProof) as caught:
        list(parse_binary_drat(proof))
    assert str(caught.value) == why


@pytest.mark.parametrize("proof", [b"a\0\x02\0\x02\0", b"a\x0b\x02\0\x02\0"])
def test_a_clause_of_lrat_needs_a_number(proof: bytes) -> None:
    with pytest.raises(BadProof, match="byte 2 of the proof gives a clause no number above 0"):
        list(parse_binary_lrat(proof))


def damaged(proof: bytes, random: Random) -> bytes:
    """Return a proof with a byte changed, put in or left out, a part doubled, or its end cut off."""
    at, kind, byte = random.randrange(len(proof)), random.randrange(5), random.choice(b"ad\0\x01\x80\xff\x07")
    part = proof[at : at + random.randint(1, 9)]
    cuts = (proof[:at] + bytes([byte]), proof[: at + 1] + bytes([byte]), proof[:at], proof[:at] + part + part, b"")
    return cuts[kind] + proof[at + (kind != 1) :] if kind != 4 else proof[: at + 1]


@pytest.mark.parametrize("lrat", [False, True])
def test_damaged_proofs_certify_no_satisfiable_formula(lrat: bool) -> None:
    random, seen = Random(5), Counter[bool]()
    while seen.total() < 1500:
        axioms = unsatisfiable(random)
        assignment = {random.choice((x, -x)) for x in range(1, VARIABLES + 1)}
        satisfiable = [clause for clause in axioms if assignment.intersection(clause)]
        steps = true_proof(axioms, "cadical195")
        proof = binary(elaborated(axioms, steps) if lrat else text(steps))
        for _ in range(50):
            case = damaged(proof, random)
            assert fault(satisfiable, case) != ""
            seen[fault(axioms, case) == ""] += 1
    assert min(seen[True], seen[False]) > 100
