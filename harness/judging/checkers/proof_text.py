"""Read proofs: DRAT as text, one line per step.

A line is a clause, literals ended by 0, which is added; or `d` and a clause, which is deleted. Lines that start with c
are comments.

    tokens   int32: the literals of each line, then 0 for an addition or DELETED for a deletion
"""

import numpy as np
import numpy.typing as npt

from harness.judging.checkers.compiling import compile_if_possible

Int32Array = npt.NDArray[np.int32]
Bytes = npt.NDArray[np.uint8]
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


def parse_proof(proof: bytes) -> Int32Array:
    """Return the tokens of a proof. Raises BadProof."""
    text = np.frombuffer(proof, np.uint8)
    tokens = np.empty(count_words(text), np.int32)
    n, error, line, at = parse(text, tokens)
    if error == VALID:
        return tokens[:n].copy()
    raise parse_fault(proof, error, line, at)


def parse_fault(proof: bytes, error: int, line: int, at: int) -> BadProof:
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


def renumber(tokens: Int32Array, variables: int) -> tuple[Int32Array, int]:
    """Renumber variables outside the formula from `variables` + 1 on; return the new tokens and the last variable."""
    size = np.where(tokens == DELETED, 0, np.abs(tokens))
    others = np.unique(size[size > variables])
    if not len(others):
        return tokens, variables
    named = variables + 1 + np.searchsorted(others, size)
    new = np.where(size > variables, np.sign(tokens) * named, tokens)
    return new.astype(np.int32), variables + len(others)
