"""Sudoku-X: Sudoku whose two main diagonals hold each value once too."""

from puzzles.boards.families.sudoku import build as build_sudoku
from puzzles.boards.families.sudoku import draw as draw_sudoku
from puzzles.boards.family import Family, no_size, turned
from puzzles.boards.layout import Layout


def build(parameters: str, alphabet: str | None) -> Layout:
    plain = build_sudoku(parameters, alphabet)
    n = len(plain.values)
    diagonals = (tuple(i * (n + 1) for i in range(n)), tuple((i + 1) * (n - 1) for i in range(n)))
    units = tuple(dict.fromkeys((*plain.units, *diagonals)))
    return Layout(plain.name.replace("sudoku", "sudoku-x"), plain.squares, plain.values, units)


FAMILY = Family("sudoku-x", "sudoku-x ROWSxCOLUMNS (of a box; 3x3 if left out)", build, no_size, draw_sudoku, turned)
