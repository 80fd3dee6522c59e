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
Game = list[Candidates]
Path = tuple[tuple[int, int], ...]  # the (square, value) of every split above, outermost first


@dataclass(frozen=True)
class Round:
    """A round that changed something, the `number`-th since the last split."""

    path: Path
    number: int
    before: Game
    after: Game


@dataclass(frozen=True)
class Broken:
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
    game: Game


Event = Round | Broken | Split | Branch | Solved


def open(formula: Formula) -> SearchSession:  # noqa: A001 - the name that every variant's module gives
    """A session on a layout."""
    return search_session(formula, search)


def search(board: Board, given: Domains, budget: Budget) -> Iterator[Solution]:
    """All solutions, depth first."""
    for event in play(board, given, budget):
        if isinstance(event, Solved):
            yield tuple(next(iter(candidates)) for candidates in event.game)


def play(board: Board, given: Domains, budget: Budget) -> Iterator[Event]:
    """The whole game, told event by event, until every branch is explored or the budget is used up."""
    game = [frozenset(bits(d)) for d in given]
    path: Path = ()
    branches: list[tuple[Game, Path]] = []
    while True:
        settled = yield from settle(board, game, path, budget)
        if budget.spent:
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
                budget.split(len(values))
                branches += [(settled, (*path, (s, v))) for v in reversed(values)]
        if not branches or not budget.take():
            return
        before, path = branches.pop()
        s, v = path[-1]
        game = [*before[:s], frozenset((v,)), *before[s + 1 :]]
        yield Branch(path)


def settle(board: Board, game: Game, path: Path, budget: Budget) -> Generator[Event, None, Game | None]:
    """Rounds until one changes nothing; the game then, or None where it broke or time was up."""
    if not all(game):
        yield Broken(path, None, frozenset(), tuple(s for s, c in enumerate(game) if not c))
        return None
    number = 0
    while not budget.late():
        after = game.copy()
        broken = advance(board, after, path, budget)
        if after != game:
            number += 1
            yield Round(path, number, game, after)
        if broken:
            yield broken
            return None
        if after == game:
            return game
        game = after
    return None


def advance(board: Board, game: Game, path: Path, budget: Budget) -> Broken | None:
    """One round, in place; where and why the game broke, if it did."""
    for u, unit in enumerate(board.units):
        if u in board.permutations:
            lost = last_places(board, game, u, budget)
            if lost:
                return Broken(path, u, lost, ())
        equal: dict[Candidates, list[int]] = defaultdict(list)
        for s in unit:
            equal[game[s]].append(s)
        for candidates, squares in equal.items():
            if len(squares) > len(candidates):
                return Broken(path, u, candidates, tuple(squares))
            if len(squares) == len(candidates):
                for s in unit:
                    if s not in squares and game[s] & candidates:
                        if game[s] <= candidates:
                            return Broken(path, u, candidates, (*squares, s))
                        budget.propagations += len(game[s] & candidates)
                        game[s] -= candidates
    return None


def last_places(board: Board, game: Game, u: int, budget: Budget) -> Candidates:
    """Put every value with one place left in unit `u` there, in place; the values that have none."""
    places: dict[int, list[int]] = {v: [] for v in range(board.values)}
    for s in board.units[u]:
        for v in game[s]:
            places[v].append(s)
    for v, where in places.items():
        if len(where) == 1 and len(game[where[0]]) > 1:
            budget.propagations += len(game[where[0]]) - 1
            game[where[0]] = frozenset((v,))
    return frozenset(v for v, where in places.items() if not where)
