"""Plain backtracking: the first open square, the values that its peers allow, no propagation.

`conflicts` counts wrong guesses: guesses undone without a solution below them. The recursion is written with a stack,
since boards can have more squares than Python allows frames.

    s  a square   v  one bit, a value   grid  [square] -> its value, 0 while open
"""

from collections.abc import Iterator
from dataclasses import dataclass

from backends.native.board import LayoutTables
from backends.native.budget import Budget
from puzzles.problem.values import Domains, Solution


@dataclass(frozen=True)
class Guess:
    """A value for the first open square.

    value    one bit
    untried  the values that its peers allow, without those tried before, as bits
    depth    number of guesses, this one included
    """

    square: int
    value: int
    untried: int
    depth: int


@dataclass(frozen=True)
class DeadEnd:
    """A square for which its peers allow no value, after so many guesses; the last of them is undone."""

    square: int
    depth: int


@dataclass(frozen=True)
class Filled:
    """A solution: the bit of each square."""

    grid: tuple[int, ...]


Event = Guess | DeadEnd | Filled


def search(board: LayoutTables, given: Domains, budget: Budget) -> Iterator[Solution]:
    """Yield all solutions in lexicographic order."""
    for event in trace(board, given, budget, told=False):
        if isinstance(event, Filled):
            yield tuple(v.bit_length() - 1 for v in event.grid)


def trace(board: LayoutTables, given: Domains, budget: Budget, told: bool = True) -> Iterator[Event]:
    """Yield the guesses, dead ends and solutions of the search in order; without `told` only solutions."""
    grid = [0] * len(given)
    order = [s for s, d in enumerate(given) if d.bit_count() > 1]
    for s, d in enumerate(given):
        if d.bit_count() <= 1:
            if not allowed(board, grid, s, d):
                yield DeadEnd(s, 0)
                return
            grid[s] = d
    untried: list[int] = []  # values not yet tried of each filled square, in order
    fruitful = 0  # length of the prefix of these squares whose values have a solution below them
    while True:
        if len(untried) == len(order):
            fruitful = len(order)
            yield Filled(tuple(grid))
        else:
            s = order[len(untried)]
            untried.append(allowed(board, grid, s, given[s]))
            budget.open_branches += untried[-1].bit_count()
            if told and not untried[-1]:
                yield DeadEnd(s, len(untried) - 1)
        while untried:
            at = len(untried) - 1
            s = order[at]
            if grid[s]:
                budget.conflicts += at >= fruitful
                fruitful = min(fruitful, at)
                grid[s] = 0
            if untried[-1]:
                break
            untried.pop()
        else:
            return
        if not budget.enter_branch():
            return
        grid[s] = untried[-1] & -untried[-1]
        if told:
            yield Guess(s, grid[s], untried[-1], len(untried))
        untried[-1] ^= grid[s]


def allowed(board: LayoutTables, grid: list[int], s: int, domain: int) -> int:
    """Return the values of `domain` that no peer of `s` holds."""
    for p in board.peers[s]:
        domain &= ~grid[p]
    return domain
