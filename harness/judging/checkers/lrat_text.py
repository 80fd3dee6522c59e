"""Read proofs in LRAT text: clauses with a number, and hints: numbers of the clauses from which they follow.

    NUMBER LITERALS 0 HINTS 0      a clause is added
    NUMBER d NUMBERS 0             clauses are deleted

The clauses of the formula have the numbers from 1 on. Lines that start with c are comments.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from harness.judging.checkers.compiling import compile_if_possible
from harness.judging.checkers.proof_text import (
    COMMENT,
    DELETION,
    NEWLINE,
    UNENDED,
    UNNAMED,
    VALID,
    Bytes,
    Int32Array,
    ProofText,
    count_words,
    is_blank,
    parts_of_lines,
    read_number,
)


class Lrat(NamedTuple):
    """Steps of a part of a proof, all arrays int32.

    numbers   of each step: the number of the clause that it adds, 0 if it deletes
    literals  of the clauses added, each ended by 0
    hints     of each step, ended by 0: numbers of clauses
    """

    numbers: Int32Array
    literals: Int32Array
    hints: Int32Array


def is_lrat(proof: bytes) -> bool:
    """Return True if the first step of a proof is LRAT; in a step of DRAT only the last word is 0."""
    start = 0
    while start < len(proof):
        end = proof.find(b"\n", start)
        words = proof[start : end if end >= 0 else None].split()
        if words and not words[0].startswith(b"c"):
            return words[1:2] == [b"d"] or words[1:].count(b"0") == 2
        start = end + 1 if end >= 0 else len(proof)
    return False


@compile_if_possible
def parse(
    text: Bytes, numbers: Int32Array, literals: Int32Array, hints: Int32Array
) -> tuple[int, int, int, int, int, int]:
    """Fill the arrays; return how many of each, then VALID or the kind of error, its line, and its position."""
    steps, used, hinted, i, size, line = 0, 0, 0, 0, len(text), 0
    while i < size:
        line += 1
        word, zeros, named, deletes = 0, 0, i, False
        while i < size and text[i] != NEWLINE:
            if is_blank(text[i]):
                i += 1
            elif word == 0 and text[i] == COMMENT:
                while i < size and text[i] != NEWLINE:
                    i += 1
            elif word == 1 and text[i] == DELETION and zeros == 0:
                numbers[steps], zeros, word, i, deletes = 0, 1, 2, i + 1, True
            else:
                first = i
                value, i, error = read_number(text, i)
                if error != VALID or zeros == 2:
                    return steps, used, hinted, error if error != VALID else UNENDED, line, first
                if word == 0:
                    named, numbers[steps] = first, value
                elif zeros == 0:
                    literals[used] = value
                    used += 1
                else:
                    hints[hinted] = value
                    hinted += 1
                zeros += word > 0 and value == 0
                word += 1
        if word > 0:
            if zeros < 2:
                return steps, used, hinted, UNENDED, line, i
            if numbers[steps] <= 0 and not deletes:
                return steps, used, hinted, UNNAMED, line, named
            steps += 1
        i += 1
    return steps, used, hinted, VALID, line, i


def steps_of(text: Bytes) -> tuple[Lrat, int, int, int]:
    """Return the steps of a piece, VALID or the kind of error, its line, and its position."""
    room = count_words(text)
    numbers, literals, hints = (np.empty(room, np.int32) for _ in range(3))
    steps, used, hinted, error, line, at = parse(text, numbers, literals, hints)
    return Lrat(numbers[:steps], literals[:used], hints[:hinted]), error, line, at


def parse_lrat(proof: ProofText) -> Iterator[Lrat]:
    """Yield the steps of a proof, part by part. Raises BadProof."""
    return parts_of_lines(proof, steps_of)
