"""Reader of partial Latin squares (.pls): `order 30`, then 30 rows of 30 numbers, -1 for a hole.

Values are 0 to n - 1.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from puzzles.boards import families
from puzzles.boards.layout import Layout, Puzzle
from puzzles.errors import ParseError, brief
from puzzles.readers.boards.directives import Directives, parse_directives
from puzzles.readers.options import ReaderOptions
from puzzles.readers.source import Source

ORDER = re.compile(r"order\s+([0-9]+)")


@lru_cache(32)
def zero_based(name: str, alphabet: str | None) -> Layout:
    """Return the Latin layout with values 0 to n - 1, unless an alphabet is stated. Raises BadLayout."""
    layout = families.layout(name, alphabet)
    return layout if alphabet else replace(layout, values=tuple(map(str, range(len(layout.values)))))


def read_latin(source: Source, options: ReaderOptions, directives: Directives) -> Iterator[Puzzle]:
    """Yield the Latin squares of a source, usually one. Raises ParseError or BadLayout at source.line."""
    start, layout, domains = 0, None, list[int]()
    for number, raw in source.lines:
        source.line = number
        text = raw.strip()
        if text.startswith("#:"):
            directives = parse_directives(options, text[2:])
        if not text or text[0] == "#":
            continue
        if match := ORDER.fullmatch(text):
            require_complete(start, layout, domains)
            start, domains = source.line, []
            layout = zero_based(f"latin {match[1]}", directives.alphabet)
            if directives.as_ and families.layout(directives.as_).name != layout.name:
                raise ParseError(f"the file holds a {layout.name}, not {brief(directives.as_)}")
            continue
        if layout is None:
            raise ParseError(f"{brief(text)}: expected 'order N' and then its N rows")
        domains += parse_row(text.split(), layout)
        if len(domains) == len(layout.squares):
            yield Puzzle(f"{source.name}:{start}", layout, tuple(domains), directives.count, directives.at_least)
            layout = None
    require_complete(start, layout, domains)


def require_complete(start: int, layout: Layout | None, domains: list[int]) -> None:
    """Raise ParseError if rows are missing."""
    if layout:
        n = len(layout.values)
        raise ParseError(f"{len(domains) // n} rows follow 'order {n}', not {n}: is the file truncated?", start)


def parse_row(words: list[str], layout: Layout) -> list[int]:
    """Return the domains of one row. Raises ParseError."""
    n = len(layout.values)
    if len(words) != n:
        raise ParseError(f"a row of {len(words)} numbers, not {n}")
    for word in words:
        if word != "-1" and not (re.fullmatch(r"[0-9]{1,4}", word) and int(word) < n):
            raise ParseError(f"{brief(word)} is not a value: expected 0 to {n - 1}, or -1 for a hole")
    return [layout.full if word == "-1" else 1 << int(word) for word in words]
