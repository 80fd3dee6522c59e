"""Reader of OPB, the pseudo-Boolean format, with linear constraints only.

    * #variable= 3 #constraint= 2
    min: +1 x1 +2 x3 ;
    +3 x1 -2 ~x2 >= 2 ;

Coefficients may have any length; `~x2` is 1 - x2. The objective is set aside with a note. An instance with products of
variables, or with the soft constraints of WBO, is unsupported.

statement  its words up to the ';', each with its line and column
plain row  a constraint that is alone on its line, with spaces and short numbers: many are read at once, in columns
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from puzzles.constraints.linear import CODES, COMPARISONS, Linear, Row
from puzzles.errors import ParseError, brief
from puzzles.problem import Instance, Problem, boolean_instance
from puzzles.readers.refusal import Refusal, refused
from puzzles.readers.source import OBJECTIVE, Source

HEADER = re.compile(r"\*\s*#variable=\s*([0-9]{1,12})\s+#constraint=\s*([0-9]{1,12})(\s.*)?", re.ASCII)
SOFT = ("soft:", "[")
WORD = re.compile(r"min:|max:|soft:|[<>!]?=|;|[^\s;<>=!]+|\S", re.ASCII)  # blanks stand between numbers and variables
NUMBER = re.compile(r"[+-]?[0-9]+")
VARIABLE = re.compile(r"~?x[0-9]{1,9}")
PLAIN = re.compile(
    r"\s*+((?:[+-]?[0-9]{1,12}[ \t]+~?x[0-9]{1,9}[ \t]+)++)(>=|<=|!=|=)[ \t]*+([+-]?[0-9]{1,18})[ \t]*+;\s*+",
    re.ASCII,
)
BLOCK_ROWS = 1 << 12
MAX_DIGITS = 4000  # digits of a coefficient: Python converts up to 4,300
MAX_VARIABLES = 1 << 24
Statement = list[tuple[str, int, int]]


class Plain(NamedTuple):
    """A plain row and its line."""

    match: re.Match[str]
    line: int


def read_opb(source: Source) -> Instance[Problem]:
    """Return the instance of a file. Raises ParseError at source.line."""
    try:
        return read_linear(source)
    except Refusal as e:
        return refused(source, e)


def read_linear(source: Source) -> Instance[Problem]:
    """Return the instance of a file. Raises ParseError at source.line, Refusal."""
    stated: tuple[int, int] | None = None
    parts, plain = list[Linear](), list[Plain]()
    lines = comments_removed(source)
    first = source.line
    for statement in statements(lines, source):
        if isinstance(statement, tuple):
            stated, first = statement, source.line
        elif isinstance(statement, re.Match):
            plain.append(Plain(statement, source.line))
            if len(plain) == BLOCK_ROWS:
                parts.append(in_columns(plain, source))
                plain = []
        elif statement[0][0] in ("min:", "max:"):
            source.note(OBJECTIVE)
        elif statement[0][0].startswith(SOFT):
            raise Refusal(["soft constraints (WBO)"])
        else:
            parts.append(in_columns(plain, source))
            parts.append(Linear.of([parse_row(statement, source)]))
            plain = []
    linear = Linear.joined([*parts, in_columns(plain, source)])
    used = int(linear.variables.max(initial=-1)) + 1
    variables, count = stated or (used, len(linear))
    if used > variables:
        raise ParseError(f"variable x{used}, but the header states {variables} variables", first)
    if count != len(linear):
        source.note(f"{len(linear)} constraints, but the header states {count}")
    return boolean_instance(source.name, variables, linear)


def in_columns(rows: Sequence[Plain], source: Source) -> Linear:
    """Return rows that are a line each, read at once. Raises ParseError."""
    if not rows:
        return Linear.of(())
    bodies = [row.match[1] for row in rows]  # so strict that NumPy's reader can't misread them
    numbers = np.fromstring(" ".join(bodies).replace("~x", "-").replace("x", ""), np.int64, sep=" ")  # type: ignore[call-overload,unused-ignore]
    coefficients, signed = numbers[::2], numbers[1::2]
    variables = np.abs(signed) - 1
    if not 0 <= variables.min() <= variables.max() < MAX_VARIABLES:
        found = [parse_row(words_of(row.match[0], row.line)[:-1], source) for row in rows]
        raise AssertionError(f"a variable of {found} is out of range")
    starts = np.cumsum([0, *(body.count("x") for body in bodies)], dtype=np.int64)
    shifts = np.concatenate([[0], np.cumsum(np.where(signed < 0, coefficients, 0))])
    return Linear(
        starts,
        variables.astype(np.int32),
        np.where(signed < 0, -coefficients, coefficients),
        np.array([CODES[row.match[2]] for row in rows], np.uint8),
        np.array([int(row.match[3]) for row in rows], np.int64) - (shifts[starts[1:]] - shifts[starts[:-1]]),
    )


def comments_removed(source: Source) -> Iterator[str | tuple[int, int]]:
    """Yield the text of each line, and the numbers of variables and constraints that the header states."""
    for at, raw in source.lines:
        source.line = at
        if not raw.lstrip().startswith("*"):
            yield raw
        elif match := HEADER.fullmatch(raw.strip()):
            header = int(match[1]), int(match[2])
            if header[0] > MAX_VARIABLES:
                raise ParseError(f"{header[0]} variables: at most {MAX_VARIABLES} are read")
            yield header


def statements(
    lines: Iterator[str | tuple[int, int]], source: Source
) -> Iterator[Statement | re.Match[str] | tuple[int, int]]:
    """Yield statements, which may extend over several lines, plain rows as matches, and the header."""
    words: Statement = []
    for line in lines:
        if isinstance(line, tuple):
            yield line
            continue
        if not words and (match := PLAIN.fullmatch(line)):
            yield match
            continue
        for word in words_of(line, source.line):
            if word[0] != ";":
                words.append(word)
            elif words:
                yield words
                words = []
    if words:
        raise ParseError("the last constraint has no ';' at its end: is the file truncated?", words[0][1])


def words_of(text: str, line: int) -> Statement:
    """Return the words of a line, each with its line and column."""
    return [(match[0], line, match.start() + 1) for match in WORD.finditer(text)]


def parse_row(statement: Statement, source: Source) -> Row:
    """Return one constraint, with each `a ~x` as `a - a x`. Raises ParseError, Refusal."""
    coefficients: list[int] = []
    variables: list[int] = []
    shift, pending = 0, None
    words = iter(statement)
    for word, source.line, column in words:
        if word in COMPARISONS:
            break
        if NUMBER.fullmatch(word):
            if pending is not None:
                raise ParseError(f"{brief(word)} follows a coefficient: expected a variable such as x1", column=column)
            pending = integer(word)
        elif VARIABLE.fullmatch(word):
            if pending is None and coefficients:
                raise Refusal(["products of variables"])
            a, x = 1 if pending is None else pending, int(word.lstrip("~x")) - 1
            if not 0 <= x < MAX_VARIABLES:
                raise ParseError(f"{word}: variables are x1 to x{MAX_VARIABLES}", column=column)
            negated = word.startswith("~")
            coefficients.append(-a if negated else a)
            variables.append(x)
            shift += a if negated else 0
            pending = None
        else:
            expected = ", ".join(COMPARISONS)
            raise ParseError(f"{brief(word)}: expected a coefficient, a variable, or one of {expected}", column=column)
    else:
        raise ParseError(f"a constraint without one of {', '.join(COMPARISONS)}")
    bound = [text for text, _, _ in words]
    if pending is not None or len(bound) != 1 or not NUMBER.fullmatch(bound[0]):
        raise ParseError(f"expected an integer and ';' after {word}, not {brief(' '.join(bound))}", column=column)
    return coefficients, variables, word, integer(bound[0]) - shift


def integer(text: str) -> int:
    """Return the integer of a text. Raises ParseError if it is too long."""
    if len(text) > MAX_DIGITS:
        raise ParseError(f"an integer of {len(text)} digits: at most {MAX_DIGITS} are read")
    return int(text)
