"""Candidate sets, updated in rounds, and the whole game split in copies where the rounds stop.

A round goes once through every unit and applies two rules:

    used up     k squares with the same k candidates use them up: no other square of the unit may hold one
    last place  a candidate with one place left in the unit goes there (where there are as many squares as values)

Rounds repeat until one changes nothing. Then the game is split on the first square with fewest candidates, into one
copy for each of them, and each copy is played the same way, first branch first. `play` tells what happens as it
happens: the search takes the solutions from it, and `harness trace` shows the rest.

    s  a square   u  a unit   v  a value   game  [square] -> its candidates; never changed once it has been told of
"""

from collections import defaultdict
from collections.abc import Generator, Iterator
from dataclasses import dataclass

from backends.native.board import Board
from backends.native.budget import Budget, SearchSession, search_session
from encoders.formula import Formula
from puzzles.layout import Domains, Solution, bits

Candidates = frozenset[int]
Grid = list[Candidates]
Path = tuple[tuple[int, int], ...]  # the (square, value) of every split above, outermost first


@dataclass(frozen=True)
class Round:
    """A round that changed something, the `number`-th since the last split."""

    path: Path
    number: int
    before: Grid
    after: Grid


@dataclass(frozen=True)
class Contradiction:
    """Unit `u` has no place left for `values`; or its `squares` have only `values` between them, which are too few.

    Without a unit, `squares` had no candidate from the start.
    """

    path: Path
    u: int | None
    values: Candidates
    squares: tuple[int, ...]


@dataclass(frozen=True)
class Split:
    """The rounds stopped, and `square` has fewest candidates: one branch for each, in order."""

    path: Path
    square: int
    values: tuple[int, ...]


@dataclass(frozen=True)
class Branch:
    """A branch is entered: the last step of its path is tried."""

    path: Path


@dataclass(frozen=True)
class Solved:
    """Every square has one candidate."""

    path: Path
    grid: Grid


Event = Round | Contradiction | Split | Branch | Solved


def open(formula: Formula) -> SearchSession:  # noqa: A001 - the name that every variant's module gives
    """A session on a layout."""
    return search_session(formula, search)


def search(board: Board, given: Domains, budget: Budget) -> Iterator[Solution]:
    """All solutions, depth first."""
    for event in trace(board, given, budget):
        if isinstance(event, Solved):
            yield tuple(next(iter(candidates)) for candidates in event.grid)


def trace(board: Board, given: Domains, budget: Budget) -> Iterator[Event]:
    """The whole game, told event by event, until every branch is explored or the budget is used up."""
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
                budget.add_branches(len(values))
                branches += [(settled, (*path, (s, v))) for v in reversed(values)]
        if not branches or not budget.enter_branch():
            return
        before, path = branches.pop()
        s, v = path[-1]
        grid = [*before[:s], frozenset((v,)), *before[s + 1 :]]
        yield Branch(path)


def run_rounds(board: Board, grid: Grid, path: Path, budget: Budget) -> Generator[Event, None, Grid | None]:
    """Rounds until one changes nothing; the game then, or None where it broke or time was up."""
    if not all(grid):
        yield Contradiction(path, None, frozenset(), tuple(s for s, c in enumerate(grid) if not c))
        return None
    number = 0
    while not budget.out_of_time():
        after = grid.copy()
        contradiction = advance(board, after, path, budget)
        if after != grid:
            number += 1
            yield Round(path, number, grid, after)
        if contradiction:
            yield contradiction
            return None
        if after == grid:
            return grid
        grid = after
    return None


def advance(board: Board, grid: Grid, path: Path, budget: Budget) -> Contradiction | None:
    """One round, in place; where and why the game broke, if it did."""
    for u, unit in enumerate(board.units):
        if u in board.permutations:
            lost = last_places(board, grid, u, budget)
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


def last_places(board: Board, grid: Grid, u: int, budget: Budget) -> Candidates:
    """Put every value with one place left in unit `u` there, in place; the values that have none."""
    places: dict[int, list[int]] = {v: [] for v in range(board.values)}
    for s in board.units[u]:
        for v in grid[s]:
            places[v].append(s)
    for v, where in places.items():
        if len(where) == 1 and len(grid[where[0]]) > 1:
            budget.propagations += len(grid[where[0]]) - 1
            grid[where[0]] = frozenset((v,))
    return frozenset(v for v, where in places.items() if not where)
