"""Killer Sudoku: cages of one square, merged at random as long as the solution is unique."""

from collections.abc import Callable
from random import Random

from puzzles.boards.killer import Killer, board, text
from puzzles.families import layout
from puzzles.families.sudoku import parse_box
from puzzles.generating.generate import Oracle
from puzzles.generating.grids import full_grid
from puzzles.generating.regions import neighbours
from puzzles.layout import Solution

KINDS = {"easy": "count 1", "minimal": "count 1", "hard": "count 1"}
MOST = {"easy": 3, "minimal": 5, "hard": 8}  # squares of a cage
Cages = list[set[int]]


def make(parameters: str, kind: str, random: Random, oracle: Oracle) -> str:
    """Make a killer Sudoku without givens; no two of its cages can be merged, within the size that the kind allows."""
    box = parse_box(parameters)
    plain = layout(f"sudoku {box[0]}x{box[1]}")
    n = box[0] * box[1]
    grid = full_grid(plain, random)

    def is_unique(cages: Cages) -> bool:
        return oracle.count(*board(killer(box, grid, cages)), 2) == 1

    edges = [(s, p) for s in range(n * n) for p in neighbours(s, n, n) if s < p]
    random.shuffle(edges)
    return text(killer(box, grid, merge([{s} for s in range(n * n)], edges, grid, MOST[kind], is_unique)))


def killer(box: tuple[int, int], grid: Solution, cages: Cages) -> Killer:
    """Return the puzzle of a grid and its cages."""
    placed = sorted(tuple(sorted(cage)) for cage in cages)
    return Killer(box, (0,) * len(grid), tuple((cage, sum(grid[s] + 1 for s in cage)) for cage in placed))


def merge(
    cages: Cages, edges: list[tuple[int, int]], grid: Solution, most: int, is_valid: Callable[[Cages], bool]
) -> Cages:
    """Merge the cages on both sides of edges, many at once, while they are valid."""
    half = len(edges) // 2
    pending = [edges[half:], edges[:half]]
    while pending:
        block = pending.pop()
        trial = merged(cages, block, grid, most)
        if len(trial) == len(cages):
            continue
        if is_valid(trial):
            cages = trial
        elif len(block) > 1:
            half = len(block) // 2
            pending += [block[half:], block[:half]]
    return cages


def merged(cages: Cages, edges: list[tuple[int, int]], grid: Solution, most: int) -> Cages:
    """Return the cages after merging over edges, where their values differ and the size allows it."""
    cage_of = {s: cage for cage in cages for s in cage}
    for s, p in edges:
        both = cage_of[s] | cage_of[p]
        if cage_of[s] is not cage_of[p] and len({grid[q] for q in both}) == len(both) <= most:
            cage_of |= dict.fromkeys(both, both)
    return list({id(cage): cage for cage in cage_of.values()}.values())
