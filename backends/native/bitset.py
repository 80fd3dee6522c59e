"""The rounds of `splitting`, with a set of candidates as the bits of an integer.

The same rules in the same order, so both take the same decisions; what differs is what a set operation costs. Counting
places goes without counting: `once` gathers the values seen at least once in a unit, `twice` those seen again.

    s  a square   u  a unit   d  a domain, as bits   v  one bit, a value   game  [square] -> its domain
"""

from collections import defaultdict
from collections.abc import Iterator

from backends.native.board import Board
from backends.native.budget import Budget, SearchSession, search_session
from encoders.formula import Formula
from puzzles.layout import Domains, Solution

Game = list[int]


def open(formula: Formula) -> SearchSession:  # noqa: A001 - the name that every variant's module gives
    """A session on a layout."""
    return search_session(formula, search)


def search(board: Board, given: Domains, budget: Budget) -> Iterator[Solution]:
    """All solutions, depth first."""
    game = list(given)
    branches: list[tuple[Game, int, int]] = []  # a settled game, the square and value of the split
    while True:
        if settle(board, game, budget):
            s = min((s for s, d in enumerate(game) if d & (d - 1)), key=lambda s: game[s].bit_count(), default=None)
            if s is None:
                yield tuple(d.bit_length() - 1 for d in game)
            else:
                budget.split(game[s].bit_count())
                branches += [(game, s, 1 << v) for v in reversed(range(board.values)) if game[s] >> v & 1]
        elif budget.spent:
            return
        else:
            budget.conflicts += budget.decisions > 0
        if not branches or not budget.take():
            return
        before, s, v = branches.pop()
        game = before.copy()
        game[s] = v


def settle(board: Board, game: Game, budget: Budget) -> bool:
    """Rounds until one changes nothing, in place; False where the game broke or time was up."""
    before = None
    while before != game:
        before = game.copy()
        if budget.late() or not all(game) or not advance(board, game, budget):
            return False
    return True


def advance(board: Board, game: Game, budget: Budget) -> bool:
    """One round, in place; False where a unit has no place left for a value, or squares with too few."""
    for u, unit in enumerate(board.units):
        if u in board.permutations and not last_places(board, game, unit, budget):
            return False
        equal: dict[int, list[int]] = defaultdict(list)
        for s in unit:
            equal[game[s]].append(s)
        for d, squares in equal.items():
            if len(squares) > d.bit_count():
                return False
            if len(squares) == d.bit_count():
                for s in unit:
                    if s not in squares and game[s] & d:
                        if not game[s] & ~d:
                            return False
                        budget.propagations += (game[s] & d).bit_count()
                        game[s] &= ~d
    return True


def last_places(board: Board, game: Game, unit: tuple[int, ...], budget: Budget) -> bool:
    """Put every value with one place left in `unit` there, in place; False where one has none."""
    once = twice = 0
    for s in unit:
        twice |= once & game[s]
        once |= game[s]
    single = once & ~twice
    for s in unit:
        v = game[s] & single
        if v and game[s] & (game[s] - 1):
            budget.propagations += game[s].bit_count() - 1
            game[s] = v & -v
    return once == board.full
