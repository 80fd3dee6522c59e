"""Words of a pseudo-Boolean proof as numbers, in pieces of bounded length.

    word   its kind in the lowest four bits; above them the number, the code of a literal: 2x for x, 2x + 1 for ~x, or
           the index of a label
    HEAD   the first word of a statement: its rule in the five bits above the kind, above them the number of its line;
           with LABELLED the second word is the label

An operand that stands before its operator (`3 *`, `2 d`, `x1 w`) becomes one word of the operator's kind. Rules that
the compiled loops take have all their words. A statement of another rule, or with other words, is SLOW: two numbers
say where its text begins and ends, and its variables follow. So do two numbers with RED and deletions.

In versions 1 and 2 a line is a statement; in version 3 `;` ends it, or the keyword that opens a block. x1, x2, ... are
variables by their numbers; other names get numbers from NAMED on, by `WordNames`.
"""

import re
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from harness.judging.checkers.compiling import compile_if_possible, compile_inner
from harness.judging.checkers.proof_text import BadProof, ProofText

Words = npt.NDArray[np.int64]
Array = npt.NDArray[Any]

(
    HEAD,
    NUMBER,
    LITERAL,
    PLUS,
    TIMES,
    DIVIDE,
    SATURATE,
    WEAKEN,
    AT_LEAST,
    SEMICOLON,
    RANGE,
    LABEL,
    DIVIDE_VARIABLES,
    ROUND_VARIABLES,
    ROUND,
    LOWER,
) = range(16)
END, RUP, POL, LOAD, LOAD_ALL, SLOW, RED, DELETE, DELETE_CORE, DELETE_DERIVED = range(10)
NAMED_IDS = 16 + RANGE
LABELLED = 16
KIND_BITS, RULE_BITS = 4, 5
LARGEST = (1 << 58) - 1  # number of a word
NAMED = 1 << 31  # from here on variables are names, by their index
FITS, TOO_LONG, OTHER = range(3)
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
        (packed("red"), RED),
        *((packed(word), DELETE) for word in ("del", "d")),
        (packed("delc"), DELETE_CORE),
        (packed("deld"), DELETE_DERIVED),
    ],
    np.int64,
)
OPERATORS = np.array(
    [
        (packed("+"), PLUS),
        (packed("*"), TIMES),
        (packed("d"), DIVIDE),
        (packed("c"), DIVIDE_VARIABLES),
        (packed("m"), ROUND_VARIABLES),
        (packed("n"), ROUND),
        (packed("-"), LOWER),
        (packed("s"), SATURATE),
        (packed("w"), WEAKEN),
        (packed(">="), AT_LEAST),
        (packed(";"), SEMICOLON),
        (packed(":"), SEMICOLON),
        (packed("range"), RANGE),
        (packed("id"), NAMED_IDS),
    ],
    np.int64,
)
# Keywords that open a block, by their first seven bytes, and how many words the statement has.
OPENING = np.array(
    [
        *((packed(word[:7]), 2) for word in ("proofgoal", "scope", "def_order", "eord_def")),
        *((packed(word[:7]), 1) for word in ("vars", "spec", "def", "transitivity", "reflexivity", "proof")),
    ],
    np.int64,
)
ARROW, SUBPROOF = packed("->"), packed("subproo")


class WordNames(NamedTuple):
    """WordNames and labels by index, `many[0]` in all: the text from `begin` to `end`; `slots` finds them."""

    slots: Array
    begin: Array
    end: Array
    many: Array


def no_names(size: int = 1 << 12) -> WordNames:
    return WordNames(
        np.full(2 * size, -1, np.int32), np.zeros(size, np.int64), np.zeros(size, np.int64), np.zeros(1, np.int64)
    )


@compile_inner
def is_blank(byte: int) -> bool:
    return byte == 32 or byte == 9 or byte == 13 or byte == 10


@compile_inner
def is_letter(byte: int) -> bool:
    return 97 <= byte <= 122 or 65 <= byte <= 90 or byte == 95 or byte == 36


@compile_inner
def pack(text: Array, i: int, end: int) -> int:
    """Return the first seven bytes of a word as one number."""
    found = 0
    for k in range(min(end, i + 7) - 1, i - 1, -1):
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
def word_end(text: Array, i: int, end: int) -> int:
    """Return the end of the word from i on; `;` and `:` are words."""
    if text[i] == 59 or text[i] == 58:
        return i + 1
    while i < end and not is_blank(text[i]) and text[i] != 59 and text[i] != 58:
        i += 1
    return i


@compile_inner
def line_end(text: Array, i: int) -> int:
    while i < len(text) and text[i] != 10:
        i += 1
    return i


@compile_inner
def next_word(text: Array, i: int, end: int, comments: bool) -> int:
    """Return where the next word begins, or `end`."""
    while i < end:
        if comments and text[i] == 37:
            i = min(line_end(text, i), end)
        elif not is_blank(text[i]):
            return i
        else:
            i += 1
    return end


@compile_inner
def interned(text: Array, names: WordNames, begin: int, end: int) -> int:
    """Return the index of a name, a new one if it is new."""
    key = 0
    for i in range(begin, end):
        key = (key * 257 + int(text[i])) & LARGEST
    at = key % len(names.slots)
    while names.slots[at] >= 0:
        k = names.slots[at]
        same = names.end[k] - names.begin[k] == end - begin
        i = 0
        while same and i < end - begin:
            same = text[names.begin[k] + i] == text[begin + i]
            i += 1
        if same:
            return int(k)
        at = at + 1 if at + 1 < len(names.slots) else 0
    k = names.many[0]
    names.slots[at], names.begin[k], names.end[k] = k, begin, end
    names.many[0] = k + 1
    return int(k)


@compile_if_possible
def rehash(text: Array, old: WordNames, new: WordNames) -> None:
    """Enter the names of a table into a larger one."""
    for k in range(old.many[0]):
        interned(text, new, old.begin[k], old.end[k])


@compile_inner
def number(text: Array, i: int, end: int) -> tuple[int, int]:
    """Return the integer of a word, and FITS, TOO_LONG or OTHER."""
    negative = text[i] == 45
    if negative or text[i] == 43:
        i += 1
    if i == end:
        return 0, OTHER
    value = 0
    for k in range(i, end):
        digit = int(text[k]) - 48
        if digit < 0 or digit > 9:
            return 0, OTHER
        if value <= LARGEST:
            value = 10 * value + digit
    if value > LARGEST:
        return 0, TOO_LONG
    return -value if negative else value, FITS


@compile_inner
def literal(text: Array, names: WordNames, i: int, end: int) -> int:
    """Return the word of a literal."""
    negated = text[i] == 126
    i += negated
    if text[i] == 120 and 1 < end - i <= 10 and text[i + 1] != 48:
        value, fault = number(text, i + 1, end)
        if fault == FITS and 48 <= text[i + 1] <= 57:
            return int(2 * value + negated) * 16 + LITERAL
    return int(2 * (NAMED + interned(text, names, i, end)) + negated) * 16 + LITERAL


@compile_inner
def is_literal(text: Array, i: int, end: int) -> bool:
    return is_letter(text[i]) or (text[i] == 126 and i + 1 < end and is_letter(text[i + 1]))


@compile_inner
def word_of(text: Array, names: WordNames, i: int, end: int, operators: bool) -> tuple[int, int]:
    """Return the word from i to end, -1 for an arrow, and FITS, TOO_LONG or OTHER."""
    byte, key = int(text[i]), pack(text, i, end)
    if key == ARROW:
        return -1, FITS
    kind = lookup(OPERATORS, key, -1)
    if kind >= 0 and (operators or kind in (AT_LEAST, SEMICOLON, RANGE, NAMED_IDS)):
        return kind, FITS
    if 48 <= byte <= 57 or byte == 45 or byte == 43:
        value, fault = number(text, i, end)
        return value * 16 + NUMBER, fault
    if byte == 64:
        return interned(text, names, i, end) * 16 + LABEL, FITS
    if is_literal(text, i, end):
        return literal(text, names, i, end), FITS
    return -1, OTHER


@compile_inner
def statement_end(text: Array, i: int, version: int) -> int:
    """Return the end of the statement whose rule begins at i."""
    if version < 3:
        return line_end(text, i)
    most, words, before = 1 << 62, 0, 0
    while True:
        i = next_word(text, i, len(text), True)
        if i == len(text) or text[i] == 59:
            return i
        end = word_end(text, i, len(text))
        key = pack(text, i, end)
        if words == 0:
            most = lookup(OPENING, key, most)
            most = 1 << 62 if most < 1 << 62 and not is_opening(text, i, end) else most
        words += 1
        if words == most or (key == SUBPROOF and end - i == 8 and before == 58):
            return end
        before, i = int(text[i]), end


@compile_inner
def is_opening(text: Array, i: int, end: int) -> bool:
    """Return True if a word whose first seven bytes are those of an opening keyword has its length."""
    size = end - i
    byte = text[i]
    if byte == 112:  # proof, proofgoal
        return size in (5, 9)
    if byte == 116 or byte == 114:  # transitivity, reflexivity
        return size in (12, 11)
    if byte == 100:  # def, def_order
        return size in (3, 9)
    return size in (4, 5, 8)


@compile_inner
def fill(
    text: Array, names: WordNames, words: Words, n: int, i: int, end: int, rule: int, version: int
) -> tuple[int, int]:
    """Add the words of a statement from its second on; return how many there are, and FITS, TOO_LONG or OTHER.

    An arrow, which is not added, stands between a variable and what replaces it.
    """
    arrow = False
    while True:
        i = next_word(text, i, end, version > 2)
        if i >= end:
            return n, OTHER if arrow else FITS
        stop = word_end(text, i, end)
        word, fault = word_of(text, names, i, stop, rule == POL)
        kind, before = word & 15, words[n - 1]
        operator = kind in (TIMES, DIVIDE, WEAKEN, DIVIDE_VARIABLES, ROUND_VARIABLES, ROUND, LOWER)
        if fault == FITS and operator and before & 15 != (LITERAL if kind == WEAKEN else NUMBER):
            fault = OTHER
        if word == -1 and (arrow or rule != RED or before & 15 != LITERAL):
            fault = OTHER
        if (kind == LABEL and version == 1) or (kind == SEMICOLON and rule == POL and version > 2):
            fault = OTHER
        if fault != FITS:
            return n, fault
        arrow = word == -1
        if kind == SEMICOLON and rule == RUP:  # hints follow, which are not needed
            return n, FITS
        if operator and word >= 0:
            words[n - 1] = before - (before & 15) + kind
        elif word != -1:
            words[n] = word
            n += 1
        i = stop


@compile_inner
def fill_slow(text: Array, names: WordNames, words: Words, n: int, i: int, end: int, version: int) -> int:
    """Add where a statement begins and ends, and its variables and labels."""
    words[n], words[n + 1] = i * 16 + NUMBER, end * 16 + NUMBER
    n += 2
    while True:
        i = next_word(text, i, end, version > 2)
        if i >= end:
            return n
        stop = word_end(text, i, end)
        if is_literal(text, i, stop):
            words[n] = literal(text, names, i, stop)
            n += 1
        elif text[i] == 64:
            interned(text, names, i, stop)
        i = stop


@compile_if_possible
def parse(text: Array, i: int, line: int, names: WordNames, words: Words, version: int) -> tuple[int, int, int, bool]:
    """Fill `words` with statements from i on, as many as are sure to fit.

    Return how many words there are, where the text and the line go on, and False if a number is longer than a word.
    """
    n, size = 0, len(text)
    while i < size:
        byte = text[i]
        if byte == 37 or byte == 42:  # a comment
            i = line_end(text, i)
            continue
        if is_blank(byte) or byte == 59 or byte == 58:
            line += byte == 10
            i += 1
            continue
        begin, label = i, -1
        if version > 1 and byte == 64:
            stop = word_end(text, i, size)
            begin = next_word(text, stop, size if version > 2 else line_end(text, i), version > 2)
        end = statement_end(text, begin, version)
        if n + end - i + 8 > len(words) or names.many[0] + end - i >= len(names.begin):
            return n, i, line, True
        if begin > i:
            label = interned(text, names, i, stop)
        stop = word_end(text, begin, end) if begin < end else end
        rule = lookup(RULES, pack(text, begin, stop), SLOW) if stop - begin < 5 else SLOW
        if (rule == LOAD_ALL and version > 1) or (rule == LOAD and version > 1):
            rule = SLOW
        head, fault = n, OTHER
        n += 1
        if label >= 0:
            words[n] = label * 16 + LABEL
            n += 1
        first = n
        if rule != SLOW:
            if rule in (RED, DELETE, DELETE_CORE, DELETE_DERIVED):
                words[n], words[n + 1] = begin * 16 + NUMBER, end * 16 + NUMBER
                n += 2
            n, fault = fill(text, names, words, n, stop, end, rule, version)
            if fault == TOO_LONG:
                return n, i, line, False
            if fault == OTHER or (rule not in (RUP, POL) and parts(words, first + 2, n) > (rule == RED)):
                rule = SLOW
        if version > 2 and end == size:  # no ';' ends it
            n, rule = first, END
        if rule == SLOW:
            n = fill_slow(text, names, words, first, begin, end, version)
        words[head] = ((line << RULE_BITS) + rule + (LABELLED if label >= 0 else 0)) * 16 + HEAD
        while i < end:
            line += text[i] == 10
            i += 1
        i += end < size and text[end] == 59
    return n, i, line, True


@compile_inner
def parts(words: Words, first: int, n: int) -> int:
    """Return how many parts of a statement come after its first."""
    found = 0
    for i in range(first, n - 1):
        found += words[i] & 15 == SEMICOLON
    return found


def version_of(proof: ProofText) -> int:
    """Return the version of a proof, 1 to 3. Raises BadProof."""
    if found := VERSION.match(proof):
        return int(found[1])
    line = proof[:60].split(b"\n")[0].decode("ascii", "backslashreplace")
    raise BadProof(f"line 1 of the proof: {line!r} is no version that is read")
