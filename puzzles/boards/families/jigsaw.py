"""Jigsaw Sudoku: rows, columns and n regions of n squares, of any shape, that the layout's name states.

`jigsaw aaabbbccc...` has one letter per square; squares of a region have the same letter.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from math import isqrt

from puzzles.boards.drawing import Grid, draw_grid
from puzzles.boards.families.latin import build as build_latin
from puzzles.boards.family import Family, no_size, symbols, turned
from puzzles.boards.layout import Layout
from puzzles.errors import BadLayout

LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
MAX_ORDER = 25


def parse_regions(text: str) -> str:
    """Return a map whose regions are lettered from a, in order of appearance. Raises BadLayout."""
    n = isqrt(len(text))
    if not re.fullmatch(r"[0-9A-Za-z]+", text) or n * n != len(text) or n > MAX_ORDER:
        raise BadLayout(
            f"jigsaw {text[:40]!r}: state the region of each square by a letter, n rows of n, up to {MAX_ORDER}"
        )
    marks = dict.fromkeys(text)
    for mark in marks:
        if text.count(mark) != n:
            raise BadLayout(f"jigsaw: region {mark} has {text.count(mark)} squares, not {n}")
    letter = dict(zip(marks, LETTERS, strict=False))
    return "".join(letter[mark] for mark in text)


def build(parameters: str, alphabet: str | None) -> Layout:
    regions = parse_regions(parameters)
    n = isqrt(len(regions))
    plain = build_latin(str(n), alphabet)
    units = [tuple(s for s, mark in enumerate(regions) if mark == letter) for letter in LETTERS[:n]]
    return Layout(
        f"jigsaw {regions}", plain.squares, symbols(n, alphabet), tuple(dict.fromkeys((*plain.units, *units)))
    )


@lru_cache(64)
def grid(name: str) -> Grid:
    """Return the drawing of the layout of a name."""
    regions = tuple(map(LETTERS.index, name.split()[1]))
    return Grid(isqrt(len(regions)), tuple(range(len(regions))), regions)


def draw(layout: Layout, cells: Sequence[str]) -> str:
    return draw_grid(grid(layout.name), cells, {})


FAMILY = Family("jigsaw", "jigsaw REGIONS (a letter per square)", build, no_size, draw, turned)
