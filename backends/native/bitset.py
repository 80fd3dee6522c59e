"""The algorithm of `splitting`, with candidate sets as bit masks.

It applies the same rules in the same order, so both make the same decisions; only the cost of set operations differs.
Two masks find hidden singles: `once` has the values seen at least once in a unit, `twice` the values seen again.

    s  a square   u  a unit   d  a domain, as bits   v  one bit, a value   grid  [square] -> its domain
"""

from collections import defaultdict
from collections.abc import Iterator

from backends.native.board import LayoutTables
from backends.native.budget import Budget
from backends.native.propagation.search import branch
from backends.native.propagation.store import Scale
from puzzles.problem.values import Domains, Solution


def search(board: LayoutTables, given: Domains, budget: Budget) -> Iterator[Solution]:
    """Yield all solutions, depth first."""
    grid = list(given)
    if not run_rounds(board, grid, budget):
        return

    def assign(grid: list[int], s: int, v: int) -> bool:
        grid[s] = v
        return run_rounds(board, grid, budget)

    yield from branch(grid, range(len(grid)), assign, budget, Scale(range(board.values)))


def run_rounds(board: LayoutTables, grid: list[int], budget: Budget) -> bool:
    """Apply rounds in place until a round changes nothing. False on a contradiction or a timeout."""
    before = None
    while before != grid:
        before = grid.copy()
        if budget.out_of_time() or not all(grid) or not advance(board, grid, budget):
            return False
    return True


def advance(board: LayoutTables, grid: list[int], budget: Budget) -> bool:
    """Apply one round in place. False if a value has no square left, or k squares share fewer candidates."""
    for u, unit in enumerate(board.units):
        if u in board.permutations and not hidden_singles(board, grid, unit, budget):
            return False
        equal: dict[int, list[int]] = defaultdict(list)
        for s in unit:
            equal[grid[s]].append(s)
        for d, squares in equal.items():
            if len(squares) > d.bit_count():
                return False
            if len(squares) == d.bit_count():
                for s in unit:
                    if s not in squares and grid[s] & d:
                        if not grid[s] & ~d:
                            return False
                        budget.propagations += (grid[s] & d).bit_count()
                        grid[s] &= ~d
    return True


def hidden_singles(board: LayoutTables, grid: list[int], unit: tuple[int, ...], budget: Budget) -> bool:
    """Fix every value with one square left in `unit`, in place. False if a value has no square left."""
    once = twice = 0
    for s in unit:
        twice |= once & grid[s]
        once |= grid[s]
    single = once & ~twice
    for s in unit:
        v = grid[s] & single
        if v and grid[s] & (grid[s] - 1):
            budget.propagations += grid[s].bit_count() - 1
            grid[s] = v & -v
    return once.bit_count() == board.values
