"""Enumeration of the models of a formula, projected onto its squares."""

from pysat.solvers import Solver

from backends.pysat.handle import clauses_of
from encoders.formula import Cnf
from encoders.registry import spec
from puzzles.boards.layout import Layout
from puzzles.problem.values import Domains, Solution


def encoded(name: str, layout: Layout, domains: Domains | None = None) -> Cnf:
    """Return the CNF formula of the encoding with this name."""
    formula = spec(name).formula(layout, domains)
    assert isinstance(formula, Cnf)
    return formula


def models(formula: Cnf, domains: Domains) -> set[frozenset[tuple[int, int]]]:
    """Return each model as its set of placed (square, value); a square may have several, or none."""
    candidates = [(s, v) for s, row in enumerate(formula.literal) for v in range(len(row))]
    literals = [formula.literal[s][v] for s, v in candidates]
    found = set()
    with Solver("minicard", bootstrap_with=clauses_of(formula)) as solver:
        for group, k in formula.at_most:
            solver.add_atmost(list(group), k)
        for s, v in candidates:
            if not domains[s] >> v & 1:
                solver.add_clause([-formula.literal[s][v]])
        while solver.solve():
            positive = {x for x in solver.get_model() if x > 0}
            true = [(x in positive) if x > 0 else (-x not in positive) for x in literals]
            found.add(frozenset(place for place, held in zip(candidates, true, strict=True) if held))
            solver.add_clause([-x if held else x for x, held in zip(literals, true, strict=True)])
    return found


def as_places(solutions: set[Solution]) -> set[frozenset[tuple[int, int]]]:
    return {frozenset(enumerate(solution)) for solution in solutions}
