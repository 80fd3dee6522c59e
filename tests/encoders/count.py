"""Counting: the solutions of a board by trying everything, and the models of a formula projected onto its squares."""

from collections.abc import Iterator

from pysat.solvers import Solver

from backends.pysat.handle import clauses_of
from encoders.formula import Cnf
from puzzles.check import violations
from puzzles.layout import Domains, Layout, Solution, bits


def by_trying(layout: Layout, domains: Domains) -> set[Solution]:
    """Every solution, by filling the squares one after another."""

    def fill(filled: Solution) -> Iterator[Solution]:
        if len(filled) == len(domains):
            yield filled
            return
        s = len(filled)
        taken = {filled[p] for p in layout.peers[s] if p < s}
        for v in bits(domains[s]):
            if v not in taken:
                yield from fill((*filled, v))

    found = set(fill(()))
    assert not any(violations(layout, domains, solution) for solution in list(found)[:20])
    return found


def models(formula: Cnf, domains: Domains) -> set[frozenset[tuple[int, int]]]:
    """Every model as the set of (square, value) that it places; a square may hold several, or none."""
    places = [(s, v) for s, row in enumerate(formula.literal) for v in range(len(row))]
    found = set()
    with Solver("minicard", bootstrap_with=clauses_of(formula)) as solver:
        for literals, k in formula.at_most:
            solver.add_atmost(list(literals), k)
        for s, v in places:
            if not domains[s] >> v & 1:
                solver.add_clause([-formula.literal[s][v]])
        while solver.solve():
            true = {x for x in solver.get_model() if x > 0}
            placed = frozenset((s, v) for s, v in places if formula.literal[s][v] in true)
            found.add(placed)
            solver.add_clause([-x if x in true else x for x in (formula.literal[s][v] for s, v in places)])
    return found


def as_places(solutions: set[Solution]) -> set[frozenset[tuple[int, int]]]:
    return {frozenset(enumerate(solution)) for solution in solutions}
