"""Clauses of WCNF, one per line, read many at once; and the error of the first line that is no clause.

    h 1 -2 0      a hard clause
    3 -1 0        a soft clause, of weight 3

numbers  all numbers of a text, h among them as 0
first    the index of a line's first number, its weight; `end` is one after the index of its last, the 0
"""

import re
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from puzzles.errors import ParseError
from puzzles.problem.arrays import BoolArray, Int32Array, Int64Array
from puzzles.readers.cnf import MAX_VARIABLES, shown
from puzzles.readers.compiled.growing import Growing
from puzzles.readers.compiled.loading import Loop
from puzzles.readers.integers import BLANKS, WORD, integer, integers

MAX_WEIGHT = (1 << 63) - 1
WEIGHT = re.compile(rb"[0-9]+")
HARD_AS_ZERO = bytes.maketrans(b"h", b"0")
BLANK, NEWLINE, HARD = b" \nh"


class Header(NamedTuple):
    """Header of a file of the older format; `top` is None if all clauses are soft."""

    variables: int
    clauses: int
    top: int | None


class WeightedClauses(NamedTuple):
    """Clauses of a text: the hard ones, and the soft ones with their weights; each clause is ended by 0.

    `used` is the greatest variable, `clauses` the number of clauses, those of weight 0 included.
    """

    hard: Int32Array
    soft: Int32Array
    weights: Int64Array
    used: int
    clauses: int


class Lines(NamedTuple):
    """Lines of clauses; `literals` holds their numbers, with 0 in place of each weight."""

    literals: Int32Array
    firsts: npt.NDArray[np.intp]
    lengths: npt.NDArray[np.intp]
    weights: Int64Array
    hard: BoolArray


NONE = WeightedClauses(np.empty(0, np.int32), np.empty(0, np.int32), np.empty(0, np.int64), 0, 0)


class GatheredClauses:
    """Clauses of a file so far, as in WeightedClauses."""

    def __init__(self) -> None:
        self.hard, self.soft, self.weights = Growing(np.int32), Growing(np.int32), Growing(np.int64)
        self.used = self.clauses = 0

    def add(self, found: WeightedClauses) -> None:
        """Add the clauses of a text."""
        self.hard.append(found.hard)
        self.soft.append(found.soft)
        self.weights.append(found.weights)
        self.used, self.clauses = max(self.used, found.used), self.clauses + found.clauses

    def scan(self, loop: Loop, text: bytes, header: Header | None) -> bool:
        """Add the clauses of a text by the compiled loop; return False, and add none, if anything is not in order."""
        top = None if header is None else header.top
        digits = b"" if top is None or top <= MAX_WEIGHT else b"%d" % top
        limits = (
            header.variables if header else MAX_VARIABLES,
            header is not None,
            -1 if digits or top is None else top,
        )
        most, counts = len(text) // 2 + 1, np.empty(4, np.int64)
        targets = [part.room(most) for part in (self.hard, self.soft, self.weights)]
        clauses = loop(text, len(text), *limits, digits, len(digits), *targets, counts.ctypes.data)
        if clauses < 0:
            return False
        hard, soft, weights, used = counts.tolist()
        self.hard.used += hard
        self.soft.used += soft
        self.weights.used += weights
        self.used, self.clauses = max(self.used, used), self.clauses + clauses
        return True


def hard_and_soft(text: bytes, header: Header | None, line: int) -> WeightedClauses:
    """Return the clauses of a text that begins at a line. Raises ParseError with the first line that is wrong."""
    most, top = (MAX_VARIABLES, None) if header is None else (header.variables, header.top)
    if not text or text.isspace():
        return NONE
    marked = text
    if top is not None and top > MAX_WEIGHT:
        marked = re.sub(rb"^[ \t\r]*0*%d(?=[ \t\r])" % top, b"h", text, flags=re.MULTILINE)
    found = None if header and b"h" in text else split(marked, most)
    if found is None:
        raise wrong_clause(text, header, most, line)
    literals, firsts, lengths, weights, hard = found
    if top is not None and top <= MAX_WEIGHT:
        hard = weights >= top
    kept = np.ones(len(literals), np.bool_)
    kept[firsts] = False
    used = max(int(literals.max(initial=0)), -int(literals.min(initial=0)))
    if hard.all():
        return WeightedClauses(literals[kept], NONE.soft, NONE.weights, used, len(firsts))
    soft = ~hard & (weights > 0)
    of_hard, of_soft = np.repeat(hard, lengths), np.repeat(soft, lengths)
    return WeightedClauses(literals[kept & of_hard], literals[kept & of_soft], weights[soft], used, len(firsts))


def split(text: bytes, most: int) -> Lines | None:
    """Return the lines of a text, or None if one is no clause with a weight or h and variables up to `most`."""
    numbers = integers(text.translate(HARD_AS_ZERO), MAX_WEIGHT + 1)
    if numbers is None:
        return None
    codes = np.frombuffer(text, np.uint8)
    blank = codes <= BLANK
    begins = ~blank
    begins[1:] &= blank[:-1]
    at = np.flatnonzero(begins)
    ends = np.concatenate([np.searchsorted(at, np.flatnonzero(codes == NEWLINE)), [len(at)]])
    ends = ends[np.diff(ends, prepend=0) > 0]
    firsts = np.concatenate([[0], ends[:-1]])
    hard, weights = codes[at[firsts]] == HARD, numbers[firsts]
    numbers[firsts] = 0
    sound = (
        np.all(ends - firsts >= 2)
        and not numbers[ends - 1].any()
        and np.count_nonzero(numbers == 0) == 2 * len(ends)
        and -most <= numbers.min(initial=0) <= numbers.max(initial=0) <= most
        and text.count(b"h") == np.count_nonzero(hard)
        and np.all(codes[at[firsts[hard]] + 1] <= BLANK)
        and weights.min(initial=0) >= 0
        and are_exact(weights, at[firsts], text)
    )
    return Lines(numbers.astype(np.int32), firsts, ends - firsts, weights, hard) if sound else None


def are_exact(weights: Int64Array, at: npt.NDArray[np.intp], text: bytes) -> bool:
    """Return False if a weight, read as the greatest, is greater; `at` is where in the text each begins."""
    longest = at[weights == MAX_WEIGHT].tolist()
    words = (WORD.match(text, start) for start in longest)
    return all(word is not None and word[0].lstrip(b"0") == b"%d" % MAX_WEIGHT for word in words)


def wrong_clause(text: bytes, header: Header | None, variables: int, first: int) -> ParseError:
    """Return the error of the first line that is not a clause."""
    for at, line in enumerate(text.split(b"\n"), first):
        words = [(match[0], match.start() + 1) for match in WORD.finditer(line)]
        if not words:
            continue
        (weight, start), *literals = words
        if b"p" in line.split():
            return ParseError(f"{shown(line.strip(BLANKS))}: expected 'p wcnf VARIABLES CLAUSES [TOP]', once", at)
        if why := wrong_weight(weight, header):
            return ParseError(why, at, start)
        for word, column in literals:
            if (number := integer(word)) is None:
                return ParseError(f"{shown(word)} is not a literal", at, column)
            if abs(number) > variables:
                return ParseError(f"literal {number}, but variables are 1 to {variables}", at, column)
        if [i for i, (word, _) in enumerate(literals, 1) if int(word) == 0] != [len(literals)]:
            return ParseError("expected a clause that ends in 0 on each line", at)
    raise AssertionError("every line is a clause")


NEGATIVE, FRACTION = re.compile(rb"-[0-9]++"), re.compile(rb"-?[0-9]*+[./][0-9]++")
NEGATIVE_ADVICE = (
    ": a negative weight, which is not read; for a clause of one literal write the negated literal with the positive "
    "weight: all costs are greater by it then"
)
FRACTION_ADVICE = ": a fraction, and weights are whole numbers: multiply all of them, and the top, by the same number"


def wrong_weight(word: bytes, header: Header | None) -> str:
    """Return the reason why a word is no weight of a clause, or ''."""
    if header is None and word == b"h":
        return ""
    if not WEIGHT.fullmatch(word):
        advice = NEGATIVE_ADVICE if NEGATIVE.fullmatch(word) else FRACTION_ADVICE if FRACTION.fullmatch(word) else ""
        return f"{shown(word)} is not a weight{'' if header else ' or h'}{advice}"
    digits = word.lstrip(b"0")
    if len(digits) > 20 or (int(digits or b"0") > MAX_WEIGHT and not (header and int(digits) == header.top)):
        return f"weight {shown(digits)}: at most {MAX_WEIGHT} is read"
    return ""
