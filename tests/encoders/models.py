"""Enumeration of the models of a formula, projected onto its squares."""

from pysat.solvers import Solver

from backends.pysat.handle import clauses_of
from encoders.formula import Cnf
from encoders.registry import spec
from puzzles.layout import Domains, Layout, Solution


def encoded(name: str, layout: Layout, domains: Domains | None = None) -> Cnf:
    """Return the CNF formula of the encoding with this name."""
    formula = spec(name).formula(layout, domains)
    assert isinstance(formula, Cnf)
    return formula


def models(formula: Cnf, domains: Domains) -> set[frozenset[tuple[int, int]]]:
    """Return each model as its set of placed (square, value); a square may have several, or none."""
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
