"""Windoku, or hyper Sudoku: a 9x9 Sudoku in which four more 3x3 windows hold each value once."""

from itertools import product

from puzzles.boards.families.sudoku import build as build_sudoku
from puzzles.boards.families.sudoku import draw as draw_sudoku
from puzzles.boards.family import Family, no_size, turned
from puzzles.boards.layout import Layout
from puzzles.errors import BadLayout


def build(parameters: str, alphabet: str | None) -> Layout:
    if parameters not in ("", "3x3"):
        raise BadLayout(f"windoku {parameters!r}: it has no parameters but the box 3x3")
    plain = build_sudoku("3x3", alphabet)
    windows = tuple(
        tuple(r * 9 + c for r, c in product(range(top, top + 3), range(left, left + 3)))
        for top, left in product((1, 5), (1, 5))
    )
    return Layout("windoku 3x3", plain.squares, plain.values, plain.units + windows)


FAMILY = Family("windoku", "windoku", build, no_size, draw_sudoku, turned)
