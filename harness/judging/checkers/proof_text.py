"""Read proofs: DRAT as text, one line per step.

A line is a clause, literals ended by 0, which is added; or `d` and a clause, which is deleted. Lines that start with c
are comments.

    tokens   int32: the literals of each line, then 0 for an addition or DELETED for a deletion
    part     what a piece of the text states, of whole lines; a proof is read part by part, and its text may be a file
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from harness.judging.checkers.compiling import compile_if_possible

Int32Array = npt.NDArray[np.int32]
Int64Array = npt.NDArray[np.int64]
Bytes = npt.NDArray[np.uint8]
ProofText = bytes | mmap
Part = TypeVar("Part")
PIECE = 1 << 22  # bytes that are read at once
DELETED = -(2**31)
LARGEST = 2**31 - 1  # variable, as in the DIMACS format
NEWLINE, SPACE, ZERO, NINE, MINUS, COMMENT, DELETION = 10, 32, 48, 57, 45, 99, 100
VALID, JUNK, UNENDED, TOO_LARGE, UNNAMED = range(5)


class BadProof(ValueError):
    """Proof that is not understood, which refutes nobody: it is unchecked. The text says where."""


@compile_if_possible
def is_blank(byte: int) -> bool:
    """Return True for a space, tab or carriage return."""
    return byte == 32 or byte == 9 or byte == 13


@compile_if_possible
def read_number(text: Bytes, i: int) -> tuple[int, int, int]:
    """Read the number at i, up to a blank or the line's end; return it, its end, and VALID or the kind of error."""
    size, value, negative = len(text), 0, text[i] == MINUS
    i += negative
    if i == size or text[i] < ZERO or text[i] > NINE:
        return 0, i, JUNK
    while i < size and ZERO <= text[i] <= NINE:
        value = 10 * value + int(text[i]) - ZERO
        if value > LARGEST:
            return 0, i, TOO_LARGE
        i += 1
    if i < size and text[i] != NEWLINE and not is_blank(text[i]):
        return 0, i, JUNK
    return -value if negative else value, i, VALID


@compile_if_possible
def parse(text: Bytes, tokens: Int32Array) -> tuple[int, int, int, int]:
    """Fill `tokens`; return how many, then VALID or the kind of error, its line, and its position in the text."""
    n, i, size, line = 0, 0, len(text), 0
    while i < size:
        line += 1
        while i < size and is_blank(text[i]):
            i += 1
        end, began, ended = 0, False, False
        if i < size and text[i] == COMMENT:
            while i < size and text[i] != NEWLINE:
                i += 1
        elif i < size and text[i] == DELETION:
            end, began, i = -(2**31), True, i + 1
        while i < size and text[i] != NEWLINE:
            if is_blank(text[i]):
                i += 1
                continue
            first, began = i, True
            if ended:
                return n, UNENDED, line, first
            value, i, error = read_number(text, i)
            if error != VALID:
                return n, error, line, first
            ended = value == 0
            tokens[n] = end if ended else value
            n += 1
        if began and not ended:
            return n, UNENDED, line, i
        i += 1
    return n, VALID, line, i


def count_words(text: Bytes) -> int:
    """Return an upper bound on the number of words of a text."""
    separators = text <= SPACE
    return int((separators[1:] & ~separators[:-1]).sum()) + 2


def text_of(path: Path) -> ProofText:
    """Return the text of a file, of which only what is being read takes memory."""
    with path.open("rb") as file:
        return mmap(file.fileno(), 0, access=ACCESS_READ) if path.stat().st_size else b""


def piece(proof: ProofText, begin: int, end: int) -> Bytes:
    """Return the bytes of a part of the text, which is not copied."""
    return np.frombuffer(proof, np.uint8, min(end, len(proof)) - begin, begin)


def parts_of_lines(proof: ProofText, read: Callable[[Bytes], tuple[Part, int, int, int]]) -> Iterator[Part]:
    """Yield the parts of a text that `read` returns, each with VALID or the kind of error, its line, and its position.

    Raises BadProof.
    """
    begin = line = 0
    while True:
        end = proof.find(b"\n", begin + PIECE) + 1 or len(proof)
        part, error, lines, at = read(piece(proof, begin, end))
        if error != VALID:
            raise parse_fault(proof, error, line + lines, begin + at)
        yield part
        begin, line = end, line + lines
        if end == len(proof):
            return


def tokens_of(text: Bytes) -> tuple[Int32Array, int, int, int]:
    """Return the tokens of a piece, VALID or the kind of error, its line, and its position."""
    tokens = np.empty(count_words(text), np.int32)
    n, error, line, at = parse(text, tokens)
    return tokens[:n], error, line, at


def parse_proof(proof: ProofText) -> Iterator[Int32Array]:
    """Yield the tokens of a proof, part by part. Raises BadProof."""
    return parts_of_lines(proof, tokens_of)


def line_of(proof: ProofText, number: int) -> bytes:
    """Return the line of a number, from 1 on; b'' beyond the last one."""
    at = 0
    for _ in range(number - 1):
        at = proof.find(b"\n", at) + 1
        if not at:
            return b""
    end = proof.find(b"\n", at)
    return proof[at : end if end >= 0 else len(proof)]


def lines_in(proof: ProofText) -> int:
    """Return the number of lines."""
    ends = sum(proof[at : at + PIECE].count(b"\n") for at in range(0, len(proof), PIECE))
    return ends + (proof[-1:] not in (b"", b"\n"))


def parse_fault(proof: ProofText, error: int, line: int, at: int) -> BadProof:
    """Return the exception for an error at a position of the text."""
    word = proof[at : at + 60].split(maxsplit=1)[:1]
    shown = ascii(b"".join(word).decode("latin-1"))
    if error == JUNK:
        return BadProof(f"line {line} of the proof is not a clause: {shown} is no number")
    if error == TOO_LARGE:
        return BadProof(f"line {line} of the proof names {shown}, beyond {LARGEST}")
    if error == UNNAMED:
        return BadProof(f"line {line} of the proof gives its clause the number {shown}")
    return BadProof(f"line {line} of the proof is not one clause ended by 0")


@dataclass
class Renumbering:
    """Numbers of variables outside the formula: from `variables` + 1 on, which rises, as parts name them."""

    variables: int
    others: Int64Array = field(default_factory=lambda: np.zeros(0, np.int64))  # in ascending order
    numbers: Int64Array = field(default_factory=lambda: np.zeros(0, np.int64))  # of each

    def __post_init__(self) -> None:
        self.own = self.variables

    def of(self, tokens: Int32Array) -> Int32Array:
        """Return the tokens of a part with the new numbers."""
        size = np.abs(tokens)  # DELETED stays negative
        outside = size > self.own
        if not outside.any():
            return tokens
        named = size[outside].astype(np.int64)
        new = np.setdiff1d(named, self.others)
        at = np.searchsorted(self.others, new)
        self.others = np.insert(self.others, at, new)
        self.numbers = np.insert(self.numbers, at, np.arange(self.variables + 1, self.variables + len(new) + 1))
        self.variables += len(new)
        renumbered = tokens.copy()
        renumbered[outside] = self.numbers[np.searchsorted(self.others, named)] * np.sign(tokens[outside])
        return renumbered
