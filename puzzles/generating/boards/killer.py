"""Killer Sudoku: cages of one square, merged at random as long as the solution is unique."""

from random import Random

from puzzles.boards.families import layout
from puzzles.boards.families.sudoku import parse_box
from puzzles.boards.kinds.killer import Killer, board, text
from puzzles.generating.generate import Oracle
from puzzles.generating.grids import full_grid
from puzzles.generating.regions import edges
from puzzles.generating.thinning import Cages, merge
from puzzles.problem.values import Solution

KINDS = {"easy": "count 1", "minimal": "count 1", "hard": "count 1"}
MOST = {"easy": 3, "minimal": 5, "hard": 8}  # squares of a cage


def make(parameters: str, kind: str, random: Random, oracle: Oracle) -> str:
    """Make a killer Sudoku without givens; no two of its cages can be merged, within the size that the kind allows."""
    box = parse_box(parameters, "killer")
    plain = layout(f"sudoku {box[0]}x{box[1]}")
    grid = full_grid(plain, random)

    def fits(cage: set[int]) -> bool:
        return len({grid[s] for s in cage}) == len(cage) <= MOST[kind]

    def is_unique(cages: Cages) -> bool:
        oracle.tell(f"{len(cages):,} cages of {len(grid):,} squares")
        return oracle.count(*board(killer(box, grid, cages)), 2) == 1

    return text(killer(box, grid, merge(len(grid), edges(len(plain.values), random), fits, is_unique)))


def killer(box: tuple[int, int], grid: Solution, cages: Cages) -> Killer:
    """Return the puzzle of a grid and its cages."""
    placed = sorted(tuple(sorted(cage)) for cage in cages)
    return Killer(box, (0,) * len(grid), tuple((cage, sum(grid[s] + 1 for s in cage)) for cage in placed))
