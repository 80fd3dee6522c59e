"""Jigsaw Sudoku: a full Sudoku grid, whose boxes trade squares, and whose givens are opened at random."""

from random import Random

from puzzles.boards.families import layout
from puzzles.boards.families.jigsaw import LETTERS
from puzzles.boards.families.sudoku import parse_box
from puzzles.generating.generate import Oracle, dig, givens
from puzzles.generating.grids import full_grid
from puzzles.generating.regions import traded_regions
from puzzles.problem.values import Domains

KINDS = {"easy": "count 1", "minimal": "count 1"}


def make(parameters: str, kind: str, random: Random, oracle: Oracle) -> str:
    """Make a jigsaw of the size of a Sudoku with these boxes; singles solve an easy one, as in generate.py."""
    rows, columns = parse_box(parameters, "jigsaw")
    n = rows * columns
    grid = full_grid(layout(f"sudoku {rows}x{columns}"), random)
    boxes = [s // n // rows * rows + s % n // columns for s in range(n * n)]
    board = layout("jigsaw " + "".join(LETTERS[k] for k in traded_regions(grid, boxes, n, random)))

    def is_valid(trial: Domains) -> bool:
        return oracle.effort(board, trial, 1) == 0 if kind == "easy" else oracle.count(board, trial, 2) == 1

    dug = dig(board, givens(grid), random, is_valid, n * n * 2 // 5 if kind == "easy" else 0)
    return f"{board.name} {''.join(board.values[d.bit_length() - 1] if d.bit_count() == 1 else '.' for d in dug)}"
