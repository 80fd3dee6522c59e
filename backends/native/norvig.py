"""Norvig's solver: candidates as strings of digits in a dict, and two mutually recursive functions.

    s  a square   d  a digit   values  square -> its candidates, such as '1379'

assign(values, s, d) eliminates every other digit from s. eliminate(values, s, d) removes d and propagates: a square
with one digit left eliminates it from its peers, and a digit with one square left in a unit is assigned there (only in
units with as many squares as digits: elsewhere a digit may be absent). Both return False on a contradiction or a
timeout. At the fixpoint the search branches on the square with fewest digits, on copies. `trace` yields every step as
an event: the search takes the solutions from it, and `harness trace` prints the rest.

A digit is one character, for any number of values. P. Norvig, "Solving Every Sudoku Puzzle", 2006.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from backends.native.board import LayoutTables
from backends.native.budget import Budget
from backends.native.splitting import Branch, Contradiction, Path, Solved, Split
from puzzles.problem.values import Domains, Solution, bits

ONE = 0x31  # code point of the first digit, '1'; the others follow, whatever characters they are
CLOCK_INTERVAL = 4096  # eliminations between two readings of the clock

Values = dict[int, str]


@dataclass(frozen=True)
class Propagated:
    """Propagation of the givens, or of the last guess of the path, is done; `after` may be contradictory."""

    path: Path
    before: Values
    after: Values


Event = Propagated | Contradiction | Split | Branch | Solved


def search(board: LayoutTables, given: Domains, budget: Budget) -> Iterator[Solution]:
    """Yield all solutions, depth first."""
    for event in trace(board, given, budget):
        if isinstance(event, Solved):
            yield tuple(v for (v,) in event.grid)


def trace(board: LayoutTables, given: Domains, budget: Budget) -> Iterator[Event]:
    """Yield the events of the search."""
    chain = 2 * board.values * len(board.peers) + 1000  # propagation recurses as deep as the board has candidates
    path: Path = ()
    before = {s: "".join(chr(ONE + v) for v in bits(domain)) for s, domain in enumerate(given)}
    with recursion(chain):
        values, sound = parse(board, given, budget)
    untried: list[tuple[Values, Path]] = []
    while not budget.exhausted:
        yield Propagated(path, before, values)
        if not sound:
            budget.conflicts += bool(path)
            yield contradiction(board, values, path)
        elif all(len(values[s]) == 1 for s in values):
            yield Solved(path, [frozenset((ord(values[s]) - ONE,)) for s in values])
        else:
            s = min((s for s in values if len(values[s]) > 1), key=lambda s: len(values[s]))
            options = tuple(ord(d) - ONE for d in values[s])
            yield Split(path, s, options)
            budget.open_branches += len(options)
            untried += [(values, (*path, (s, v))) for v in reversed(options)]
        if not untried or not budget.enter_branch():
            return
        before, path = untried.pop()
        yield Branch(path)
        s, v = path[-1]
        values = before.copy()
        with recursion(chain):
            sound = assign(board, values, s, chr(ONE + v), budget)


@contextmanager
def recursion(depth: int) -> Iterator[None]:
    """Raise Python's recursion limit to a depth, if it is lower; calls between Python functions take no C stack."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, depth))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)  # a parser written in C would overflow the stack with a high limit


def contradiction(board: LayoutTables, values: Values, path: Path) -> Contradiction:
    """Return the failure of propagation: a square without digits, or a unit where a digit has no square, or two."""
    if empty := tuple(s for s in values if not values[s]):
        return Contradiction(path, None, frozenset(), empty)
    for u, unit in enumerate(board.units):
        for v in range(board.values):
            left = [s for s in unit if chr(ONE + v) in values[s]]
            if not left and u in board.permutations:
                return Contradiction(path, u, frozenset((v,)), ())
            if len(equal := tuple(s for s in left if len(values[s]) == 1)) > 1:
                return Contradiction(path, u, frozenset((v,)), equal)
    raise AssertionError("propagation failed without a contradiction")


def parse(board: LayoutTables, given: Domains, budget: Budget) -> tuple[Values, bool]:
    """Return the candidates after eliminating all digits outside the domains, and False if that fails."""
    digits = "".join(chr(ONE + v) for v in range(board.values))
    values = dict.fromkeys(range(len(given)), digits)
    if len(digits) == 1 and any(board.peers):
        return values, False  # squares are decided from the start, so no elimination would propagate to their peers
    for s, domain in enumerate(given):
        allowed = {digits[v] for v in bits(domain)}
        if any(d not in allowed and not eliminate(board, values, s, d, budget) for d in digits):
            return values, False
    return values, True


def assign(board: LayoutTables, values: Values, s: int, d: str, budget: Budget) -> bool:
    """Eliminate all digits but d from s."""
    for other in values[s].replace(d, ""):  # noqa: SIM110 - all() would put a C frame between the two functions
        if not eliminate(board, values, s, other, budget):
            return False
    return True


def eliminate(board: LayoutTables, values: Values, s: int, d: str, budget: Budget) -> bool:
    """Remove d from s and propagate."""
    if d not in values[s]:
        return True
    values[s] = values[s].replace(d, "")
    budget.propagations += 1
    if not values[s] or (budget.propagations % CLOCK_INTERVAL == 0 and budget.out_of_time()):
        return False
    if len(values[s]) == 1:
        for p in board.peers[s]:
            if not eliminate(board, values, p, values[s], budget):
                return False
    for u in board.units_of[s]:
        if u in board.permutations:
            left = [p for p in board.units[u] if d in values[p]]
            if not left or (len(left) == 1 and not assign(board, values, left[0], d, budget)):
                return False
    return True
