"""Anti-knight Sudoku: squares a knight's move apart differ too."""

from puzzles.boards.families.sudoku import build as build_sudoku
from puzzles.boards.families.sudoku import draw as draw_sudoku
from puzzles.boards.family import Family, no_size, turned
from puzzles.boards.layout import Layout

LEAPS = ((1, -2), (1, 2), (2, -1), (2, 1))  # rows and columns of the moves downwards


def build(parameters: str, alphabet: str | None) -> Layout:
    plain = build_sudoku(parameters, alphabet)
    n = len(plain.values)
    moves = ((s, r, s % n + c) for s in range(n * n) for r, c in LEAPS)
    pairs = [(s, s + r * n + c - s % n) for s, r, c in moves if 0 <= c < n and s // n + r < n]
    return Layout(plain.name.replace("sudoku", "anti-knight"), plain.squares, plain.values, (*plain.units, *pairs))


FAMILY = Family(
    "anti-knight", "anti-knight ROWSxCOLUMNS (of a box; 3x3 if left out)", build, no_size, draw_sudoku, turned
)
