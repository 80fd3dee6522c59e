"""Reference solver, written to be read: constraint propagation and depth-first search on bit masks.

Norvig's algorithm ("Solving Every Sudoku Puzzle", 2006) on any layout. Two rules, repeated until nothing changes:

    naked single   a decided value is removed from all peers of its square
    hidden single  a value with one square left in a unit is placed there; only in units with as many squares as values,
                   since elsewhere a value may be absent

Then the search branches on the first square with fewest values, its values in order. A contradiction is a value, False.
The search keeps its own stack, so its depth is not limited by recursion. Problems that are not boards are solved in the
same way by the propagators of their constraints (`propagation/`).

    s  a square   p  a peer   u  a unit   d  a domain, as bits   v  one bit, a value
"""

from collections.abc import Iterator

from backends.contract.answer import Session
from backends.native import propagation
from backends.native.board import LayoutTables
from backends.native.budget import Budget, search_session
from backends.native.propagation.search import branch
from backends.native.propagation.store import Scale
from encoders.formula import Constraints, Formula
from puzzles.problem.values import Domains, Solution


def open(formula: Formula) -> Session:  # noqa: A001 - every variant's module has this name
    """Return a session on a layout, or on any problem by the propagators of its constraints. Raises Unsupported."""
    return propagation.open(formula) if isinstance(formula, Constraints) else search_session(formula, search)


def search(board: LayoutTables, given: Domains, budget: Budget) -> Iterator[Solution]:
    """Yield all solutions, depth first, until the budget is used up."""
    domains = list(given)
    known = [s for s, d in enumerate(domains) if d.bit_count() == 1]
    if not all(domains) or not propagate(board, domains, known, set(range(len(board.units))), budget):
        return

    def assign(domains: list[int], s: int, v: int) -> bool:
        domains[s] = v
        return propagate(board, domains, [s], set(board.units_of[s]), budget)

    yield from branch(domains, range(len(domains)), assign, budget, Scale(range(board.values)))


def propagate(board: LayoutTables, domains: list[int], known: list[int], touched: set[int], budget: Budget) -> bool:
    """Apply both rules in place until nothing changes. False if a square has no value left, or a value no square.

    `known` holds decided squares not yet propagated to their peers, `touched` units to search for hidden singles.
    """
    units_of = board.units_of
    while known or touched:
        while known:
            s = known.pop()
            v = domains[s]
            for p in board.peers[s]:
                d = domains[p]
                if d & v:
                    d ^= v
                    if not d:
                        return False
                    domains[p] = d
                    budget.propagations += 1
                    touched.update(units_of[p])
                    if not d & (d - 1):
                        known.append(p)
        if touched and not hidden_singles(board, domains, touched.pop(), known, touched, budget):
            return False
    return True


def hidden_singles(
    board: LayoutTables, domains: list[int], u: int, known: list[int], touched: set[int], budget: Budget
) -> bool:
    """Place the hidden singles of one unit. False on a contradiction, such as fewer values than squares."""
    unit = board.units[u]
    once = twice = 0  # values with at least one square, at least two
    for s in unit:
        d = domains[s]
        twice |= once & d
        once |= d
    if once.bit_count() < len(unit):
        return False
    single = once & ~twice
    if not single or u not in board.permutations:
        return True
    for s in unit:
        d = domains[s]
        v = d & single
        if v and v != d:
            if v & (v - 1):
                return False  # two values have only this square
            domains[s] = v
            budget.propagations += d.bit_count() - 1
            touched.update(board.units_of[s])
            known.append(s)
    return True
