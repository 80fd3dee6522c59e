"""Candidate sets updated in rounds, and branching on copies of the grid at the fixpoint.

A round applies two rules to every unit:

    naked set      k squares with the same k candidates use them up: they are removed from the unit's other squares
    hidden single  a value with one square left in the unit is placed there (in units with as many squares as values)

A round goes through the units in the order of the layout (rows, columns, boxes) and changes the grid in place: in each
unit first all hidden singles, as counted before the first of them is placed, then all naked sets. So a unit sees the
changes of earlier units, and one round does more than a text whose rounds apply all changes at once, or one rule after
the other: its boards between the first and the last differ from those of such a text. The order matters to naked sets:
three squares with 123 are a set, but no longer once another unit has taken 3 from one of them. The search completes the
deduction, so solutions do not depend on the order.

Rounds repeat until a round changes nothing. Then the grid is split on the first square with fewest candidates, one copy
per candidate, solved depth first. `trace` yields every step as an event: the search takes the solutions from it, and
`harness trace` prints the rest.

    s  a square   u  a unit   v  a value   grid  [square] -> its candidates; not modified after it was in an event
"""

from collections import defaultdict
from collections.abc import Generator, Iterator
from dataclasses import dataclass

from backends.native.board import LayoutTables
from backends.native.budget import Budget
from puzzles.problem.values import Domains, Solution, bits

Candidates = frozenset[int]
Grid = list[Candidates]
Path = tuple[tuple[int, int], ...]  # the (square, value) of every split above, outermost first


@dataclass(frozen=True)
class ChangedRound:
    """A round that changed the grid; `number` counts from the last branch, from 1."""

    path: Path
    number: int
    before: Grid
    after: Grid


@dataclass(frozen=True)
class Contradiction:
    """Unit `u` has no square left for `values`, or its `squares` share fewer `values` than squares.

    If `u` is None, `squares` had no candidate from the start.
    """

    path: Path
    u: int | None
    values: Candidates
    squares: tuple[int, ...]


@dataclass(frozen=True)
class Split:
    """A split on `square`, which has fewest candidates: one branch per value, in order."""

    path: Path
    square: int
    values: tuple[int, ...]


@dataclass(frozen=True)
class Branch:
    """A branch entered; the last step of its path is the new guess."""

    path: Path


@dataclass(frozen=True)
class Solved:
    """A solution: every square has one candidate."""

    path: Path
    grid: Grid


Event = ChangedRound | Contradiction | Split | Branch | Solved


def search(board: LayoutTables, given: Domains, budget: Budget) -> Iterator[Solution]:
    """Yield all solutions, depth first."""
    for event in trace(board, given, budget):
        if isinstance(event, Solved):
            yield tuple(next(iter(candidates)) for candidates in event.grid)


def trace(board: LayoutTables, given: Domains, budget: Budget) -> Iterator[Event]:
    """Yield the events of the search until every branch is explored or the budget is used up."""
    grid = [frozenset(bits(d)) for d in given]
    path: Path = ()
    branches: list[tuple[Grid, Path]] = []
    while True:
        settled = yield from run_rounds(board, grid, path, budget)
        if budget.exhausted:
            return
        if settled is None:
            budget.conflicts += bool(path)
        else:
            s = min((s for s, c in enumerate(settled) if len(c) > 1), key=lambda s: len(settled[s]), default=None)
            if s is None:
                yield Solved(path, settled)
            else:
                values = tuple(sorted(settled[s]))
                yield Split(path, s, values)
                budget.open_branches += len(values)
                branches += [(settled, (*path, (s, v))) for v in reversed(values)]
        if not branches or not budget.enter_branch():
            return
        before, path = branches.pop()
        s, v = path[-1]
        grid = [*before[:s], frozenset((v,)), *before[s + 1 :]]
        yield Branch(path)


def run_rounds(board: LayoutTables, grid: Grid, path: Path, budget: Budget) -> Generator[Event, None, Grid | None]:
    """Apply rounds until a round changes nothing. Returns the grid, or None on a contradiction or a timeout."""
    if not all(grid):
        yield Contradiction(path, None, frozenset(), tuple(s for s, c in enumerate(grid) if not c))
        return None
    number = 0
    while not budget.out_of_time():
        after = grid.copy()
        contradiction = advance(board, after, path, budget)
        if after != grid:
            number += 1
            yield ChangedRound(path, number, grid, after)
        if contradiction:
            yield contradiction
            return None
        if after == grid:
            return grid
        grid = after
    return None


def advance(board: LayoutTables, grid: Grid, path: Path, budget: Budget) -> Contradiction | None:
    """Apply one round in place. Returns the contradiction, if any."""
    for u, unit in enumerate(board.units):
        if u in board.permutations:
            lost = hidden_singles(board, grid, u, budget)
            if lost:
                return Contradiction(path, u, lost, ())
        equal: dict[Candidates, list[int]] = defaultdict(list)
        for s in unit:
            equal[grid[s]].append(s)
        for candidates, squares in equal.items():
            if len(squares) > len(candidates):
                return Contradiction(path, u, candidates, tuple(squares))
            if len(squares) == len(candidates):
                for s in unit:
                    if s not in squares and grid[s] & candidates:
                        if grid[s] <= candidates:
                            return Contradiction(path, u, candidates, (*squares, s))
                        budget.propagations += len(grid[s] & candidates)
                        grid[s] -= candidates
    return None


def hidden_singles(board: LayoutTables, grid: Grid, u: int, budget: Budget) -> Candidates:
    """Place every value with one square left in unit `u`, in place. Returns the values without a square."""
    squares_of: dict[int, list[int]] = {v: [] for v in range(board.values)}
    for s in board.units[u]:
        for v in grid[s]:
            squares_of[v].append(s)
    for v, where in squares_of.items():
        if len(where) == 1 and len(grid[where[0]]) > 1:
            budget.propagations += len(grid[where[0]]) - 1
            grid[where[0]] = frozenset((v,))
    return frozenset(v for v, where in squares_of.items() if not where)
