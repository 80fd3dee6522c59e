"""A formula as a layout: variable x is square x-1 with the values false and true, and the clauses come along.

So a formula alone can be asked of a CNF backend through the same workers, limits and files as any board.
"""

from dataclasses import dataclass
from functools import cached_property

from harness.fuzzing.counting import Counted
from puzzles.layout import Layout, Solution
from puzzles.problem import digest_of

Clauses = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, eq=False)
class Clausal(Layout):
    """A layout without units, whose solutions are the models of `clauses`."""

    clauses: Clauses = ()

    @cached_property
    def digest(self) -> str:
        return digest_of([*self.key[1:], self.clauses])


def clausal(clauses: Clauses) -> Clausal:
    """The variables that the clauses hold, renumbered from 1."""
    used = sorted({abs(x) for clause in clauses for x in clause})
    number = {x: i + 1 for i, x in enumerate(used)}
    renumbered = tuple(tuple(number[x] if x > 0 else -number[-x] for x in clause) for clause in clauses)
    return Clausal("clauses", tuple(f"x{i + 1}" for i in range(len(used))), ("false", "true"), (), renumbered)


def satisfied(clauses: Clauses, solution: Solution) -> bool:
    """Whether an assignment makes every clause true."""
    return all(any((solution[abs(x) - 1] == 1) == (x > 0) for x in clause) for clause in clauses)


def models(layout: Clausal, most: int, nodes: int) -> Counted:
    """Up to `most` models by trying, with unit propagation, within `nodes` branchings."""
    variables = len(layout.squares)
    found: list[Solution] = []
    stack: list[tuple[int, ...]] = [()]
    while stack:
        assumed = stack.pop()
        nodes -= 1
        if nodes < 0:
            return Counted(tuple(found), False)
        true = propagated(layout.clauses, assumed)
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
