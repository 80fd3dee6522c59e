"""Read binary proofs, which most solvers write unless told otherwise: steps of DRAT or of LRAT.

    a LITERALS 0      in LRAT  a NUMBER LITERALS 0 HINTS 0      a clause is added
    d LITERALS 0      in LRAT  d NUMBERS 0                      clauses are deleted

`a` and `d` are one byte. All else are numbers, x as 2x and -x as 2x + 1, in groups of seven bits, the lowest first; the
high bit of a byte is set if another group follows. The results are those of the readers of text.
"""

import re
from collections.abc import Callable, Iterator

import numpy as np

from harness.judging.checkers.compiling import compile_if_possible
from harness.judging.checkers.lrat_text import Lrat
from harness.judging.checkers.proof_text import (
    DELETED,
    DELETION,
    JUNK,
    LARGEST,
    PIECE,
    TOO_LARGE,
    UNENDED,
    UNNAMED,
    VALID,
    BadProof,
    Bytes,
    Int32Array,
    Part,
    ProofText,
    piece,
)

ADDITION = 97
NO_STEP = 5  # error, beside those of text
TEXT_DELETION = re.compile(rb"d[ \t]+(?:-?[0-9]+[ \t]+)*0[ \t\r]*\n")


def is_binary(start: bytes) -> bool:
    """Return True if a proof with this beginning is binary: it has a null byte, or a deletion that ends no line."""
    return start[:1] in (b"a", b"d") and b"\0" in start and not TEXT_DELETION.match(start)


@compile_if_possible
def read_number(data: Bytes, i: int) -> tuple[int, int, int]:
    """Read the number at i; return it, its end, and VALID or the kind of error."""
    code, shift, first = 0, 0, i
    while i < len(data) and shift < 35:
        byte = int(data[i])
        code |= (byte & 127) << shift
        shift, i = shift + 7, i + 1
        if byte < 128:
            value = code >> 1
            if value > LARGEST:
                return 0, first, TOO_LARGE
            if value == 0 and i - first + code > 1:
                return 0, first, JUNK
            return -value if code & 1 else value, i, VALID
    return 0, first, TOO_LARGE if shift >= 35 else UNENDED


@compile_if_possible
def read_list(data: Bytes, i: int, numbers: Int32Array, n: int) -> tuple[int, int, int]:
    """Append the numbers at i, and the 0 after them, to the first n numbers; return the new n, the end, and VALID."""
    while True:
        value, i, error = read_number(data, i)
        if error != VALID:
            return n, i, error
        numbers[n] = value
        n += 1
        if value == 0:
            return n, i, VALID


@compile_if_possible
def parse_drat(data: Bytes, tokens: Int32Array) -> tuple[int, int, int, int]:
    """Fill `tokens`; return how many, where whole steps end, then VALID or the kind of error, and its position."""
    n, i = 0, 0
    while i < len(data):
        kind = data[i]
        if kind != ADDITION and kind != DELETION:
            return n, i, NO_STEP, i
        read, end, error = read_list(data, i + 1, tokens, n)
        if error != VALID:
            return n, i, error, end
        n, i = read, end
        if kind == DELETION:
            tokens[n - 1] = DELETED
    return n, i, VALID, i


@compile_if_possible
def parse_lrat(
    data: Bytes, numbers: Int32Array, literals: Int32Array, hints: Int32Array
) -> tuple[int, int, int, int, int, int]:
    """Fill the arrays; return how many of each, where whole steps end, VALID or the kind of error, and its position."""
    steps, used, hinted, begin = 0, 0, 0, 0
    while begin < len(data):
        kind = data[begin]
        if kind != ADDITION and kind != DELETION:
            return steps, used, hinted, begin, NO_STEP, begin
        i, number, error, read = begin + 1, 0, VALID, used
        if kind == ADDITION:
            number, i, error = read_number(data, i)
            if error == VALID and number <= 0:
                return steps, used, hinted, begin, UNNAMED, begin + 1
            if error == VALID:
                read, i, error = read_list(data, i, literals, used)
        end = hinted
        if error == VALID:
            end, i, error = read_list(data, i, hints, hinted)
        if error != VALID:
            return steps, used, hinted, begin, error, i
        numbers[steps] = number
        steps, used, hinted, begin = steps + 1, read, end, i
    return steps, used, hinted, begin, VALID, begin


def is_binary_drat(start: bytes) -> bool:
    """Return True if the beginning of a binary proof is DRAT."""
    data = np.frombuffer(start, np.uint8)
    *_, error, _ = parse_drat(data, np.empty(len(data), np.int32))
    return error in (VALID, UNENDED)


def is_binary_lrat(start: bytes) -> bool:
    """Return True if the beginning of a binary proof is LRAT, and not DRAT: LRAT steps begin with a number."""
    if is_binary_drat(start):
        return False
    data = np.frombuffer(start, np.uint8)
    tokens, hints, numbers = (np.empty(len(data), np.int32) for _ in range(3))
    *_, lrat, _ = parse_lrat(data, numbers, tokens, hints)
    return lrat in (VALID, UNENDED)


def parts_of_bytes(proof: ProofText, read: Callable[[Bytes], tuple[Part, int, int, int]]) -> Iterator[Part]:
    """Yield the parts that `read` returns, each with its end, VALID or the kind of error, and its position.

    Raises BadProof.
    """
    begin, size = 0, PIECE
    while True:
        part, end, error, at = read(piece(proof, begin, begin + size))
        last = begin + size >= len(proof)
        if error != VALID and (error != UNENDED or last):
            raise binary_fault(proof, error, begin + at)
        yield part
        if last:
            return
        begin, size = begin + end, PIECE if end else 2 * size


def tokens_of(data: Bytes) -> tuple[Int32Array, int, int, int]:
    """Return the tokens of a piece, where whole steps end, VALID or the kind of error, and its position."""
    tokens = np.empty(int((data < 128).sum()), np.int32)
    n, end, error, at = parse_drat(data, tokens)
    return tokens[:n], end, error, at


def steps_of(data: Bytes) -> tuple[Lrat, int, int, int]:
    """Return the steps of a piece, where whole ones end, VALID or the kind of error, and its position."""
    room = int((data < 128).sum())
    numbers, literals, hints = (np.empty(room, np.int32) for _ in range(3))
    steps, used, hinted, end, error, at = parse_lrat(data, numbers, literals, hints)
    return Lrat(numbers[:steps], literals[:used], hints[:hinted]), end, error, at


def parse_binary_drat(proof: ProofText) -> Iterator[Int32Array]:
    """Yield the tokens of a proof, part by part. Raises BadProof."""
    return parts_of_bytes(proof, tokens_of)


def parse_binary_lrat(proof: ProofText) -> Iterator[Lrat]:
    """Yield the steps of a proof, part by part. Raises BadProof."""
    return parts_of_bytes(proof, steps_of)


def binary_fault(proof: ProofText, error: int, at: int) -> BadProof:
    """Return the exception for an error at a position of the proof."""
    if error == UNENDED:
        return BadProof(f"the proof ends within a step, after {len(proof):,} bytes")
    faults = {
        NO_STEP: f"is {proof[at]:#04x}, where a step begins with 'a' or 'd'",
        JUNK: "begins a number without a variable",
        TOO_LARGE: f"begins a number beyond {LARGEST}",
        UNNAMED: "gives a clause no number above 0",
    }
    return BadProof(f"byte {at + 1:,} of the proof {faults[error]}")
