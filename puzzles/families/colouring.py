"""Graph colouring: every edge is a unit of two squares, far shorter than the values, so no value must appear in it."""

import re
from collections.abc import Iterable, Sequence
from random import Random

from puzzles.families import BadLayout, Family, columns, symbols
from puzzles.layout import Layout


def colours(parameters: str) -> int:
    """How many colours '4' means."""
    if not re.fullmatch(r"[0-9]{1,4}", parameters) or not 1 <= int(parameters) <= 1000:
        raise BadLayout(f"colouring {parameters!r}: state the number of colours, such as 'colouring 4'")
    return int(parameters)


def graph(count: int, vertices: int, edges: Iterable[tuple[int, int]], alphabet: str | None = None) -> Layout:
    """The layout of a graph whose vertices are numbered from 0; squares are named from 1, as in DIMACS files."""
    units = tuple(dict.fromkeys((min(e), max(e)) for e in edges))
    names = tuple(str(i + 1) for i in range(vertices))
    return Layout(f"colouring {count}", names, symbols(count, alphabet), units)


def build(parameters: str, alphabet: str | None) -> Layout:
    """A colouring has no board of its own: its edges come from the file."""
    colours(parameters)
    raise BadLayout("a colouring needs a graph: read one from a .col file")


def guess(squares: int) -> str | None:
    return None


def draw(layout: Layout, cells: Sequence[str]) -> str:
    """vertex=colour, ten to a line."""
    wide = len(str(len(cells)))
    return columns([f"{n:>{wide}}={c}" for n, c in zip(layout.squares, cells, strict=True)], 10)


def symmetry(layout: Layout, random: Random) -> tuple[int, ...]:
    """A graph's own symmetries are not known; its colours are relabelled by whoever asks."""
    return tuple(range(len(layout.squares)))


FAMILY = Family("colouring", "colouring COLOURS (of a .col graph)", build, guess, draw, symmetry)
