"""Lines of OPB and WBO: comments, the header, statements, and plain rows, of which many are read at once."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from puzzles.constraints.linear import CODES, Linear
from puzzles.errors import ParseError
from puzzles.readers.opb.sums import MAX_VARIABLES, Statement, parse_constraint
from puzzles.readers.opb.syntax import Beyond, modern, words_of
from puzzles.readers.source import Source

HEADER = re.compile(r"\*\s*(?:#|nb)variable=\s*([0-9]{1,12})\s+(?:#|nb)constraint=\s*([0-9]{1,12})(\s.*)?", re.ASCII)
STRICT = re.compile(r"\* #variable= [0-9]+ #constraint= [0-9]+( #product= [0-9]+ sizeproduct= [0-9]+)?\s*", re.ASCII)
PLAIN = re.compile(
    r"\s*+((?:[+-]?[0-9]{1,12}[ \t]+~?x[1-9][0-9]{0,8}[ \t]+)++)(>=|<=|!=|=)[ \t]*+([+-]?[0-9]{1,18})[ \t]*+;\s*+",
    re.ASCII,
)


Header = tuple[int, int]
Scan = Callable[[bytes, int], tuple[int, int]]  # of a text, and where in it: where it ended, and the lines it read


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
    if variables.max() >= MAX_VARIABLES:
        found = [parse_constraint(words_of(row.match[0], row.line)[:-1], source, len) for row in rows]
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


def scanned(texts: Iterator[tuple[int, str]], scan: Scan, pending: Sequence[object]) -> Iterator[tuple[int, str]]:
    """Yield the numbered lines that the scan does not read; the scan reads no line while words are pending."""
    for line, text in texts:
        raw, at = text.encode(), 0
        while at < len(raw):
            if not pending:
                at, lines = scan(raw, at)
                line += lines
                if at >= len(raw):
                    break
            end = raw.find(b"\n", at) % (len(raw) + 1)
            yield line, raw[at:end].decode()
            at, line = end + 1, line + 1


def header_of(text: str) -> Header | None:
    """Return the numbers of variables and constraints that a comment states, if it is a header. Raises ParseError."""
    if not (match := HEADER.fullmatch(text.strip())):
        return None
    header = int(match[1]), int(match[2])
    if header[0] > MAX_VARIABLES:
        raise ParseError(f"{header[0]} variables: at most {MAX_VARIABLES} are read")
    return header


def statements(source: Source, scan: Scan | None, beyond: Beyond) -> Iterator[Statement | re.Match[str] | Header]:
    """Yield statements, which may extend over several lines, plain rows as matches, and the header.

    With a scan, source.texts are read, and the scan takes most plain rows. Raises ParseError.
    """
    words = list[tuple[str, int, int]]()
    lines = source.lines if scan is None or source.texts is None else scanned(source.texts, scan, words)
    strict = False
    for at, text in lines:
        source.line = at
        if text.lstrip().startswith("*"):
            strict |= at == 1 and STRICT.fullmatch(text) is not None
            if words or not text.startswith("*"):
                beyond.add("comments that begin inside a line or statement")
            if header := header_of(text):
                yield header
            continue
        if not words and (match := PLAIN.fullmatch(text)):
            yield match
            continue
        for word in words_of(text, at):
            if word[0] == "*" and not words:
                beyond.add("comments that begin inside a line or statement")
                break
            if word[0] != ";":
                words.append(word)
            elif words:
                yield modern(words, beyond)
                words.clear()
    if words:
        raise ParseError("the last constraint has no ';' at its end: is the file truncated?", words[0][1])
    if not strict:
        beyond.add("a file that does not begin with '* #variable= N #constraint= M'")
