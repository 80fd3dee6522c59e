"""Formulas as problems: variable x is x-1 of a problem with the values false and true, under clauses alone.

So a formula by itself can be asked of a CNF backend through the same workers, limits and files as any board.
"""

from collections.abc import Iterable

from harness.fuzzing.counting import Counted
from puzzles.constraints import clauses as constraint
from puzzles.problem import Domains, Problem, Solution

Clauses = tuple[tuple[int, ...], ...]


def clausal(clauses: Clauses) -> Problem:
    """The variables that the clauses hold, renumbered from 1."""
    used = sorted({abs(x) for clause in clauses for x in clause})
    number = {x: i + 1 for i, x in enumerate(used)}
    renumbered = [[number[x] if x > 0 else -number[-x] for x in clause] for clause in clauses]
    return formula("clauses", tuple(f"x{i + 1}" for i in range(len(used))), renumbered)


def formula(name: str, variables: tuple[str, ...], clauses: Iterable[Iterable[int]]) -> Problem:
    """The problem of these clauses."""
    return Problem(name, variables, ("false", "true"), (constraint.Clauses.of(clauses),))


def rows_of(problem: Problem) -> Clauses | None:
    """The clauses of a formula one by one; None of a board."""
    flat = constraint.clauses_of(problem)
    return None if flat is None else constraint.Clauses(flat).rows


def models(clauses: Clauses, domains: Domains, most: int, nodes: int) -> Counted:
    """Up to `most` models within these domains by trying, with unit propagation, within `nodes` branchings."""
    variables = len(domains)
    found: list[Solution] = []
    given = tuple(x if mask == 2 else -x for x, mask in enumerate(domains, 1) if mask in (1, 2))
    stack: list[tuple[int, ...]] = [given] if all(domains) else []
    while stack:
        assumed = stack.pop()
        nodes -= 1
        if nodes < 0:
            return Counted(tuple(found), False)
        true = propagated(clauses, assumed)
        if true is None:
            continue
        free = next((x for x in range(1, variables + 1) if x not in true and -x not in true), None)
        if free is None:
            found.append(tuple(int(x in true) for x in range(1, variables + 1)))
            if len(found) == most:
                return Counted(tuple(found), False)
            continue
        stack += [(*true, -free), (*true, free)]
    return Counted(tuple(found), True)


def propagated(clauses: Clauses, assumed: tuple[int, ...]) -> set[int] | None:
    """All literals that follow from the assumed ones by unit propagation; None on a contradiction."""
    true = set(assumed)
    changed = True
    while changed:
        changed = False
        for clause in clauses:
            if any(x in true for x in clause):
                continue
            left = [x for x in clause if -x not in true]
            if not left:
                return None
            if len(left) == 1:
                true.add(left[0])
                changed = True
    return true
