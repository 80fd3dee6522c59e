"""KenKen: cages of one square, merged at random as long as the solution is unique."""

from math import prod
from random import Random

from puzzles.boards.kinds._notation import parse_size
from puzzles.boards.kinds.kenken import Cage, Kenken, board, text
from puzzles.generating.generate import Oracle
from puzzles.generating.grids import latin_grid
from puzzles.generating.regions import edges
from puzzles.generating.thinning import Cages, merge
from puzzles.problem.values import Solution

KINDS = {"easy": "count 1", "minimal": "count 1"}
MOST = {"easy": 3, "minimal": 5}  # squares of a cage
MAX_ORDER = 9


def make(parameters: str, kind: str, random: Random, oracle: Oracle) -> str:
    """Make a KenKen; no two of its cages can be merged, within the size that the kind allows."""
    n = parse_size([parameters], "kenken", MAX_ORDER)
    grid = latin_grid(n, random)
    tastes = [random.sample("+*-/", 4) for _ in grid]  # the operators that a cage prefers, by its first square

    def puzzle(cages: Cages) -> Kenken:
        placed = sorted(tuple(sorted(cage)) for cage in cages)
        return Kenken(n, tuple(clued(cage, grid, tastes[cage[0]]) for cage in placed))

    def is_unique(cages: Cages) -> bool:
        oracle.tell(f"{len(cages):,} cages of {len(grid):,} squares")
        return oracle.count(*board(puzzle(cages)), 2) == 1

    return text(puzzle(merge(n * n, edges(n, random), lambda cage: len(cage) <= MOST[kind], is_unique)))


def clued(squares: tuple[int, ...], grid: Solution, taste: list[str]) -> Cage:
    """Return a cage with the first possible operator of a preference."""
    numbers = sorted((grid[s] + 1 for s in squares), reverse=True)
    possible = {"+": sum(numbers)}
    if len(numbers) > 1:
        possible["*"] = prod(numbers)
    if len(numbers) == 2:
        possible["-"] = numbers[0] - numbers[1]
        if numbers[0] % numbers[1] == 0:
            possible["/"] = numbers[0] // numbers[1]
    operator = next(op for op in taste if op in possible)
    return squares, possible[operator], operator
