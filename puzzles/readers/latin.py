"""Partial Latin squares (.pls): `order 30`, then 30 rows of 30 numbers from 0, -1 for a hole. Values are 0 to n - 1."""

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from puzzles import families
from puzzles.layout import Layout, Puzzle
from puzzles.readers.source import Flaw, Source, brief
from puzzles.readers.terms import Options, Terms, stated

ORDER = re.compile(r"order\s+(\d+)")


@lru_cache(32)
def from_zero(name: str, alphabet: str | None) -> Layout:
    """A Latin square whose values are 0 to n - 1. Raises BadLayout."""
    layout = families.layout(name, alphabet)
    return layout if alphabet else replace(layout, values=tuple(map(str, range(len(layout.values)))))


def squares(source: Source, options: Options, terms: Terms) -> Iterator[Puzzle]:
    """The squares of a source, mostly one. Raises Flaw or BadLayout at source.line."""
    start, layout, domains = 0, None, list[int]()
    for number, raw in source.lines:
        source.line = number
        text = raw.strip()
        if text.startswith("#:"):
            terms = stated(options, text[2:])
        if not text or text[0] == "#":
            continue
        if match := ORDER.fullmatch(text):
            must_be_done(start, layout, domains)
            start, domains = source.line, []
            layout = from_zero(f"latin {match[1]}", terms.alphabet)
            if terms.as_ and families.layout(terms.as_).name != layout.name:
                raise Flaw(f"the file holds a {layout.name}, not {brief(terms.as_)}")
            continue
        if layout is None:
            raise Flaw(f"{brief(text)}: expected 'order N' and then its N rows")
        domains += row(text.split(), layout)
        if len(domains) == len(layout.squares):
            yield Puzzle(f"{source.name}:{start}", layout, tuple(domains), terms.count, terms.at_least)
            layout = None
    must_be_done(start, layout, domains)


def must_be_done(start: int, layout: Layout | None, domains: list[int]) -> None:
    """Raises Flaw where rows are lacking."""
    if layout:
        n = len(layout.values)
        raise Flaw(f"{len(domains) // n} rows follow 'order {n}', not {n}: is the file truncated?", start)


def row(words: list[str], layout: Layout) -> list[int]:
    """The domains of one row. Raises Flaw."""
    n = len(layout.values)
    if len(words) != n:
        raise Flaw(f"a row of {len(words)} numbers, not {n}")
    for word in words:
        if word != "-1" and not (re.fullmatch(r"[0-9]{1,4}", word) and int(word) < n):
            raise Flaw(f"{brief(word)} is no value: expected 0 to {n - 1}, or -1 for a hole")
    return [layout.full if word == "-1" else 1 << int(word) for word in words]
