"""Lines of OPB and WBO: comments, the header, statements, and plain rows, of which many are read at once."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from puzzles.constraints.linear import CODES, Linear
from puzzles.errors import ParseError
from puzzles.readers.opb.sums import MAX_VARIABLES, Statement, parse_constraint
from puzzles.readers.source import Source

HEADER = re.compile(r"\*\s*#variable=\s*([0-9]{1,12})\s+#constraint=\s*([0-9]{1,12})(\s.*)?", re.ASCII)
WORD = re.compile(
    r"min:|max:|soft:|[<>!]?=|[;\[\]]|[^\s;<>=!\[\]]+|\S", re.ASCII
)  # blanks stand between numbers and variables
PLAIN = re.compile(
    r"\s*+((?:[+-]?[0-9]{1,12}[ \t]+~?x[0-9]{1,9}[ \t]+)++)(>=|<=|!=|=)[ \t]*+([+-]?[0-9]{1,18})[ \t]*+;\s*+",
    re.ASCII,
)


class PlainRow(NamedTuple):
    """A plain row and its line."""

    match: re.Match[str]
    line: int


def in_columns(rows: Sequence[PlainRow], source: Source) -> Linear:
    """Return rows that are a line each, read at once. Raises ParseError."""
    bodies = [row.match[1] for row in rows]  # so strict that NumPy's reader can't misread them
    numbers = np.fromstring(" ".join(bodies).replace("~x", "-").replace("x", ""), np.int64, sep=" ")  # type: ignore[call-overload,unused-ignore]
    coefficients, signed = numbers[::2], numbers[1::2]
    variables = np.abs(signed) - 1
    if not 0 <= variables.min() <= variables.max() < MAX_VARIABLES:
        found = [parse_constraint(words_of(row.match[0], row.line)[:-1], source) for row in rows]
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
    words = list[tuple[str, int, int]]()
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


def words_of(text: str, line: int) -> list[tuple[str, int, int]]:
    """Return the words of a line, each with its line and column."""
    return [(match[0], line, match.start() + 1) for match in WORD.finditer(text)]
