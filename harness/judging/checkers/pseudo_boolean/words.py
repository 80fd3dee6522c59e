"""Words of a pseudo-Boolean proof as numbers, one step a line.

    word   its kind in the lowest four bits; above them the number, or the code of a literal: 2x for x, 2x + 1 for ~x
    HEAD   the first word of a line: its rule in the lowest five bits above the kind, above them the number of the line

An operand that stands before its operator (`3 *`, `2 d`, `x1 w`) becomes one word of the operator's kind. Comments,
assertions about what the proof says already, and levels, which only delete, are left out. A line that is not understood
is the last one, as UNREAD: so is one of version 3 that is not one statement, which `;` ends there.

From version 2 on the rows of the formula have their numbers from the start, and `f` states how many they are.
"""

import re
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from harness.judging.checkers.compiling import compile_if_possible, compile_inner
from harness.judging.checkers.proof_text import BadProof

Words = npt.NDArray[np.int64]
Array = npt.NDArray[Any]

HEAD, NUMBER, LITERAL, PLUS, TIMES, DIVIDE, SATURATE, WEAKEN, AT_LEAST, SEMICOLON, RANGE, OTHER = range(12)
END, RUP, POL, LOAD, LOAD_ALL, SOLUTION, RED, DELETE, ASSERT, CONTRADICTION, UNREAD = range(11)
SKIPPED = 31
KIND_BITS, RULE_BITS = 4, 5
LARGEST = (1 << 58) - 1  # number of a word
LARGEST_VARIABLE = (1 << 31) - 1
FITS, TOO_LONG, JUNK = range(3)
START = b"pseudo-Boolean proof version "
VERSION = re.compile(re.escape(START) + rb"([123])\.[0-9]+\s*;?\s*(?=\n|\Z)")


def packed(text: str) -> int:
    """Return a word of up to eight bytes as one number."""
    return int.from_bytes(text.encode(), "little")


RULES = np.array(
    [
        *((packed(word), RUP) for word in ("rup", "u")),
        *((packed(word), POL) for word in ("pol", "p")),
        (packed("l"), LOAD),
        (packed("f"), LOAD_ALL),
        *((packed(word), SOLUTION) for word in ("soli", "o")),
        (packed("red"), RED),
        *((packed(word), DELETE) for word in ("del", "d")),
        (packed("a"), ASSERT),
        (packed("c"), CONTRADICTION),
        *((packed(word), SKIPPED) for word in ("e", "core", "#", "w", "output", "end")),
    ],
    np.int64,
)
OPERATORS = np.array(
    [
        (packed("+"), PLUS),
        (packed("*"), TIMES),
        (packed("d"), DIVIDE),
        (packed("s"), SATURATE),
        (packed("w"), WEAKEN),
        (packed(">="), AT_LEAST),
        (packed(";"), SEMICOLON),
        (packed("range"), RANGE),
    ],
    np.int64,
)
ARROW, ID = packed("->"), packed("id")


class ProofWords(NamedTuple):
    """Words of a proof; `fits` is False if a number is longer than a word holds, and then they are not complete."""

    words: Words
    fits: bool


@compile_inner
def is_blank(byte: int) -> bool:
    return byte == 32 or byte == 9 or byte == 13


@compile_inner
def pack(text: Array, i: int, end: int) -> int:
    """Return the bytes of a word as one number, -1 if they are more than seven."""
    if end - i > 7:
        return -1
    found = 0
    for k in range(end - 1, i - 1, -1):
        found = found * 256 + int(text[k])
    return found


@compile_inner
def lookup(table: Array, key: int, other: int) -> int:
    """Return the value of a key in a table of pairs."""
    for i in range(len(table)):
        if table[i, 0] == key:
            return int(table[i, 1])
    return other


@compile_inner
def number(text: Array, i: int, end: int) -> tuple[int, int]:
    """Return the integer of a word, and FITS, TOO_LONG or JUNK."""
    negative = text[i] == 45
    if negative or text[i] == 43:
        i += 1
    if i == end:
        return 0, JUNK
    value = 0
    for k in range(i, end):
        digit = int(text[k]) - 48
        if digit < 0 or digit > 9:
            return 0, JUNK
        if value <= LARGEST:
            value = 10 * value + digit
    if value > LARGEST:
        return 0, TOO_LONG
    return -value if negative else value, FITS


@compile_inner
def word_of(text: Array, i: int, end: int) -> tuple[int, int]:
    """Return the word from i to end, -1 for one without a meaning, and FITS, TOO_LONG or JUNK."""
    byte = int(text[i])
    if 48 <= byte <= 57 or ((byte == 45 or byte == 43) and end - i > 1 and text[i + 1] != 62):
        value, fault = number(text, i, end)
        return value * 16 + NUMBER, fault
    negated = byte == 126
    k = i + 1 if negated else i
    if k + 1 < end and text[k] == 120 and 48 <= text[k + 1] <= 57:
        value, fault = number(text, k + 1, end)
        if fault == TOO_LONG or value > LARGEST_VARIABLE or value == 0:
            fault = JUNK
        return (2 * value + (1 if negated else 0)) * 16 + LITERAL, fault
    key = pack(text, i, end)
    if key in (ARROW, ID):
        return -1, FITS
    return lookup(OPERATORS, key, OTHER), FITS


@compile_inner
def is_statement(text: Array, i: int) -> bool:
    """Return True if the line from i on ends with its only ';'."""
    ends, last = 0, 0
    while i < len(text) and text[i] != 10:
        ends += text[i] == 59
        last = last if is_blank(text[i]) else int(text[i])
        i += 1
    return ends == 1 and last == 59


@compile_if_possible
def parse(text: Array, words: Words, version: int) -> tuple[int, bool]:
    """Fill `words`; return how many, and False if a number is longer than a word holds."""
    n, i, size, line = 0, 0, len(text), 0
    if version > 1:
        words[0], n = ((1 << RULE_BITS) + LOAD_ALL) * 16 + HEAD, 1
    while i < size:
        line += 1
        first, rule, head = True, SKIPPED, n
        while i < size and text[i] != 10:
            if is_blank(text[i]):
                i += 1
                continue
            end = i
            while end < size and text[end] != 10 and not is_blank(text[end]):
                end += 1
            if end - i > 1 and text[end - 1] == 59:  # a ';' without a blank before it
                end -= 1
            if first:
                first = False
                if text[i] != 42 and text[i] != 37:  # no comment
                    rule = lookup(RULES, pack(text, i, end), UNREAD)
                    if rule == LOAD_ALL and version > 1:
                        rule = SKIPPED
                    if version > 2 and not is_statement(text, i):
                        rule = UNREAD
                if rule != SKIPPED:
                    head = n
                    words[n] = ((line << RULE_BITS) + rule) * 16 + HEAD
                    n += 1
            elif rule != SKIPPED and rule != UNREAD:
                word, fault = word_of(text, i, end)
                if fault == TOO_LONG:
                    return n, False
                kind, before = word & 15, words[n - 1]
                operator = kind in (TIMES, DIVIDE, WEAKEN)
                if fault == JUNK or (operator and before & 15 != (LITERAL if kind == WEAKEN else NUMBER)):
                    words[head], n, i, rule = ((line << RULE_BITS) + UNREAD) * 16 + HEAD, head + 1, size, UNREAD
                    break
                if operator:
                    words[n - 1] = before - (before & 15) + kind
                elif word != -1:
                    words[n] = word
                    n += 1
            i = end
        i += 1
    words[n] = ((line + 1 << RULE_BITS) + END) * 16 + HEAD
    return n + 1, True


def version_of(proof: bytes) -> int:
    """Return the version of a proof, 1 to 3. Raises BadProof."""
    if found := VERSION.match(proof):
        return int(found[1])
    line = proof[:60].split(b"\n")[0].decode("ascii", "backslashreplace")
    raise BadProof(f"line 1 of the proof: {line!r} is no version that is read")


def parse_words(proof: bytes) -> ProofWords:
    """Return the words of a proof after its first line. Raises BadProof."""
    version = version_of(proof)
    text = np.frombuffer(proof, np.uint8).copy()
    text[: (proof + b"\n").index(b"\n")] = ord("*")  # its first line is a comment
    blank = (text == 32) | (text == 10) | (text == 9) | (text == 13) | (text == 59)
    words = np.empty(int(np.count_nonzero(blank)) + 4, np.int64)
    n, fits = parse(text, words, version)
    return ProofWords(words[:n], bool(fits))
