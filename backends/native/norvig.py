"""Norvig's solver: candidates as strings of digits in a dict, and two mutually recursive functions.

    s  a square   d  a digit   values  square -> its candidates, such as '1379'

assign(values, s, d) eliminates every other digit from s. eliminate(values, s, d) removes d and propagates: a square
with one digit left eliminates it from its peers, and a digit with one place left in a unit is assigned there (only in
units with as many squares as digits: elsewhere a digit may be absent). Both return False on a contradiction or a
timeout. At the fixpoint the search branches on the square with fewest digits, on copies.

A digit is one character, for any number of values. P. Norvig, "Solving Every Sudoku Puzzle", 2006.
"""

import sys
from collections.abc import Iterator

from backends.native.board import Board
from backends.native.budget import Budget, SearchSession, search_session
from encoders.formula import Formula
from puzzles.layout import Domains, Solution, bits

ONE = 0x31  # code point of the first digit, '1'; the others follow, whatever characters they are
CLOCK_INTERVAL = 4096  # eliminations between two readings of the clock

Values = dict[int, str]


def open(formula: Formula) -> SearchSession:  # noqa: A001 - every variant's module has this name
    """Return a session on a layout; raises Python's recursion limit if the board needs it."""
    session = search_session(formula, search)
    # Propagation recurses as deep as the board has candidates; calls between Python functions take no C stack.
    chain = 2 * session.board.values * len(session.board.peers) + 1000
    sys.setrecursionlimit(max(sys.getrecursionlimit(), chain))
    return session


def search(board: Board, given: Domains, budget: Budget) -> Iterator[Solution]:
    """Yield all solutions, depth first."""
    parsed = parse(board, given, budget)
    if parsed is None:
        return
    values = parsed
    untried: list[tuple[Values, int, str]] = []
    while True:
        if all(len(values[s]) == 1 for s in values):
            yield tuple(ord(values[s]) - ONE for s in values)
        else:
            s = min((s for s in values if len(values[s]) > 1), key=lambda s: len(values[s]))
            budget.add_branches(len(values[s]))
            untried += [(values, s, d) for d in reversed(values[s])]
        while untried:
            before, s, d = untried.pop()
            if not budget.enter_branch():
                return
            values = before.copy()
            if assign(board, values, s, d, budget):
                break
            budget.conflicts += 1
        else:
            return


def parse(board: Board, given: Domains, budget: Budget) -> Values | None:
    """Return the candidates after eliminating all digits outside the domains; None if that fails."""
    digits = "".join(chr(ONE + v) for v in range(board.values))
    values = dict.fromkeys(range(len(given)), digits)
    if len(digits) == 1 and any(board.peers):
        return None  # squares are decided from the start, so no elimination would propagate to their peers
    for s, domain in enumerate(given):
        allowed = {digits[v] for v in bits(domain)}
        if any(d not in allowed and not eliminate(board, values, s, d, budget) for d in digits):
            return None
    return values


def assign(board: Board, values: Values, s: int, d: str, budget: Budget) -> bool:
    """Eliminate all digits but d from s."""
    for other in values[s].replace(d, ""):  # noqa: SIM110 - all() would put a C frame between the two functions
        if not eliminate(board, values, s, other, budget):
            return False
    return True


def eliminate(board: Board, values: Values, s: int, d: str, budget: Budget) -> bool:
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
            places = [p for p in board.units[u] if d in values[p]]
            if not places or (len(places) == 1 and not assign(board, values, places[0], d, budget)):
                return False
    return True
