"""Formulas as problems with clauses as constraints: literal x is variable x-1, of value false or true.

A CNF backend can thus solve a formula by itself through the same workers, limits and files as any board.
"""

from collections.abc import Iterable

from harness.fuzzing.counting import Enumeration
from puzzles.constraints import clauses as constraint
from puzzles.problem import Problem
from puzzles.problem.values import Domains, Solution

Clauses = tuple[tuple[int, ...], ...]


def clause_problem(clauses: Clauses) -> Problem:
    """Return the problem of these clauses, with their variables renumbered from 1."""
    used = sorted({abs(x) for clause in clauses for x in clause})
    number = {x: i + 1 for i, x in enumerate(used)}
    renumbered = [[number[x] if x > 0 else -number[-x] for x in clause] for clause in clauses]
    return named_clause_problem("clauses", tuple(f"x{i + 1}" for i in range(len(used))), renumbered)


def named_clause_problem(name: str, variables: tuple[str, ...], clauses: Iterable[Iterable[int]]) -> Problem:
    """Return the problem of these clauses, over variables with these names."""
    return Problem(name, variables, ("false", "true"), (constraint.Clauses.of(clauses),))


def clauses_of_problem(problem: Problem) -> Clauses | None:
    """Return the clauses of a formula as tuples, or None for a board."""
    flat = constraint.clauses_of(problem)
    return None if flat is None else constraint.Clauses(flat).rows


def enumerate_models(clauses: Clauses, domains: Domains, most: int, nodes: int) -> Enumeration:
    """Find up to `most` models within the domains, by unit propagation and at most `nodes` branchings."""
    variables = len(domains)
    found: list[Solution] = []
    given = tuple(x if mask == 2 else -x for x, mask in enumerate(domains, 1) if mask in (1, 2))
    stack: list[tuple[int, ...]] = [given] if all(domains) else []
    while stack:
        assumed = stack.pop()
        nodes -= 1
        if nodes < 0:
            return Enumeration(tuple(found), False)
        true = propagate(clauses, assumed)
        if true is None:
            continue
        free = next((x for x in range(1, variables + 1) if x not in true and -x not in true), None)
        if free is None:
            found.append(tuple(int(x in true) for x in range(1, variables + 1)))
            if len(found) == most:
                return Enumeration(tuple(found), False)
            continue
        stack += [(*true, -free), (*true, free)]
    return Enumeration(tuple(found), True)


def propagate(clauses: Clauses, assumed: tuple[int, ...]) -> set[int] | None:
    """Return all literals that follow from the assumed ones by unit propagation, or None on a conflict."""
    true = set(assumed)
    changed = True
    while changed:
        changed = False
        for clause in clauses:
            if any(x in true for x in clause):
                continue
            undecided = [x for x in clause if -x not in true]
            if not undecided:
                return None
            if len(undecided) == 1:
                true.add(undecided[0])
                changed = True
    return true
