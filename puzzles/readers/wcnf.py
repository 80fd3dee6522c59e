"""Reader of WCNF: weighted clauses, of which the hard ones are the constraints and the soft ones an objective.

    p wcnf 3 4 16        the older format: a clause whose weight is the top, 16, is hard; without a top all are soft
    16 1 -2 0
    3 -1 0

    h 1 -2 0             the newer one: hard clauses begin with h
    3 -1 0

The objective is set aside with a note. Each clause is on a line of its own. A block's clauses are read at once, as in
`cnf.py`; `h` is read as the weight -1.
"""

import re
from typing import BinaryIO, NamedTuple

import numpy as np
import numpy.typing as npt

from puzzles.constraints.clauses import Clauses
from puzzles.errors import ParseError
from puzzles.problem import Instance, Problem, boolean_instance
from puzzles.readers.cnf import BLOCK_BYTES, COMMENT, MAX_VARIABLES, shown, whole_lines
from puzzles.readers.integers import BEYOND, BLANKS, WORD, Int64Array, integer, integers
from puzzles.readers.source import OBJECTIVE, Source

HEADER = re.compile(
    rb"^[ \t]*p[ \t]+wcnf[ \t]+([0-9]{1,12})[ \t]+([0-9]{1,12})(?:[ \t]+([0-9]{1,20}))?[ \t\r]*$", re.MULTILINE
)
HARD = re.compile(rb"^[ \t]*h(?=[ \t])", re.MULTILINE)
NEGATIVE = re.compile(rb"^[ \t]*-", re.MULTILINE)
WEIGHT = re.compile(rb"0*+([1-9][0-9]*)")


class Header(NamedTuple):
    """Header of a file of the older format; `top` is None if all clauses are soft."""

    variables: int
    clauses: int
    top: int | None


def read_wcnf(file: BinaryIO, source: Source) -> Instance[Problem]:
    """Return the instance of a file. Raises ParseError at source.line, BadInput, OSError."""
    header: Header | None = None
    parts, used, count, soft = [np.empty(0, np.int32)], 0, 0, 0
    for block in whole_lines(iter(lambda: file.read(BLOCK_BYTES), b""), source):
        text = COMMENT.sub(b"", block)
        if not count and header is None and (match := HEADER.search(text)):
            header = stated(match, source)
            text = text[: match.start()] + text[match.end() :]
        found = numbers(text, header, source)
        hard, kept = hard_clauses(found, header)
        parts.append(kept)
        used = max(used, int(np.abs(found[found_literals(found)]).max(initial=0)))
        count, soft = count + len(hard), soft + int(np.count_nonzero(~hard))
    if header is not None and count != header.clauses:
        source.note(f"{count} clauses, but the header states {header.clauses}")
    if soft:
        source.note(OBJECTIVE)
    return boolean_instance(source.name, used if header is None else header.variables, Clauses(np.concatenate(parts)))


def stated(match: re.Match[bytes], source: Source) -> Header:
    """Return the header. Raises ParseError."""
    top = None if match[3] is None else int(match[3])
    if int(match[1]) > MAX_VARIABLES:
        raise ParseError(f"{int(match[1])} variables: at most {MAX_VARIABLES} are read")
    return Header(int(match[1]), int(match[2]), top)


def numbers(text: bytes, header: Header | None, source: Source) -> Int64Array:
    """Return the numbers of a block's clauses. Raises ParseError with the line of the first that is wrong."""
    if header is None:
        unmarked = HARD.sub(b"-1 ", text)
    elif header.top is not None and header.top >= BEYOND:
        unmarked = re.sub(rb"^[ \t]*%d(?=[ \t])" % header.top, b"-1 ", text, flags=re.MULTILINE)
    else:
        unmarked = text
    most = MAX_VARIABLES if header is None else header.variables
    found = integers(unmarked)
    if found is None or NEGATIVE.search(text):
        raise wrong_clause(text, header, most, source.line)
    if not len(found):
        return found
    lines = sum(1 for line in unmarked.split(b"\n") if not line.isspace() and line)
    ends = np.flatnonzero(found == 0)
    whole = len(ends) == lines and ends[-1] == len(found) - 1 and np.all(np.diff(ends, prepend=-1) > 1)
    if not whole or np.abs(found[found_literals(found)]).max(initial=0) > most:
        raise wrong_clause(text, header, most, source.line)
    return found


def found_literals(found: Int64Array) -> npt.NDArray[np.bool_]:
    """Return True for each number that is a literal, not a weight or the 0 after a clause."""
    literal: npt.NDArray[np.bool_] = found != 0
    literal[:1] = False
    literal[1:] &= found[:-1] != 0
    return literal


def hard_clauses(found: Int64Array, header: Header | None) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.int32]]:
    """Return for each clause whether it is hard, and the hard ones without their weights, each ended by 0."""
    ends = np.flatnonzero(found == 0)
    starts = np.concatenate([[0], ends[:-1] + 1])[: len(ends)]
    weights = found[starts]
    hard = weights == -1
    if header is not None and header.top is not None:
        hard |= weights >= min(header.top, 10**18)
    kept = np.repeat(hard, ends - starts + 1)
    kept[starts] = False
    return hard, found[kept].astype(np.int32)


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
    return ParseError("expected a clause that ends in 0 on each line", first)


def wrong_weight(word: bytes, header: Header | None) -> str:
    """Return the reason why a word is no weight of a clause, or ''."""
    if header is None and word == b"h":
        return ""
    if not (match := WEIGHT.fullmatch(word)):
        return f"{shown(word)} is not a weight{'' if header else ' or h'}"
    if integer(word) is None and not (header and word == b"%d" % (header.top or 0)):
        return f"a weight of {len(match[1])} digits: at most 18 are read"
    return ""
