"""Optimisers with one planted fault each, which `fuzz` must find and class and `shrink` must minimise.

Each is a realistic mistake in an optimiser that otherwise tries all assignments, as `bettering` does. Values here are
those of the objective as it is minimised. SIGNATURES has the class of each fault.
"""

import struct
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product
from typing import Any

import numpy as np

from backends.contract.answer import Answer, Ask, Session, Status
from encoders.formula import AllDifferent, Constraints, Formula, Unsupported
from puzzles.objectives.linear import LinearObjective
from puzzles.objectives.soft import SoftClauses
from puzzles.problem import Objective, Problem
from puzzles.problem.values import Integers, Solution, bits

Found = list[tuple[int, Solution]]  # values and solutions


@dataclass(frozen=True)
class Space:
    """All assignments of an ask, and those that are solutions."""

    goal: Objective
    problem: Problem
    rows: Any
    right: Any

    def value(self, solution: Solution) -> int:
        return int(self.goal.values(np.array([solution], np.uint16), self.problem)[0])

    def found(self, goal: Objective | None = None) -> Found:
        """Return all solutions in the order of the search, with their values by another objective or their own."""
        rows = self.rows[self.right]
        values = (goal or self.goal).values(rows, self.problem).tolist()
        return list(zip(values, map(tuple, rows.tolist()), strict=True))


def space(formula: Constraints, ask: Ask) -> Space:
    names = [f"x{i}" for i in range(formula.variables)]
    assert formula.objective is not None
    problem = Problem("", names, Integers(formula.numbers), formula.constraints)
    rows = np.array(list(product(*(list(bits(mask)) for mask in ask.domains))), np.uint16).reshape(-1, len(names))
    right = np.ones(len(rows), np.bool_)
    for constraint in formula.constraints:
        right &= constraint.satisfied(rows, problem)
    return Space(formula.objective, problem, rows, right)


def improvements(found: Found) -> Found:
    """Return the solutions that are better than all before."""
    kept: Found = []
    for value, solution in found:
        if not kept or value < kept[-1][0]:
            kept.append((value, solution))
    return kept


def optimum(found: Found, bound: int | None = None, complete: bool = True) -> Answer:
    """Return the best of these solutions as the best of all, or that there is none."""
    if not found:
        return Answer(Status.UNSATISFIABLE, complete=True)
    value, solution = min(found)
    return Answer(Status.SATISFIABLE, (solution,), complete, value=value, bound=bound)


def exact(s: Space, chosen: Found) -> Answer:
    """Return the solution that is chosen by other values, with its right value."""
    return optimum([(s.value(solution), solution) for _, solution in [min(chosen)]] if chosen else [])


def off_by_one(s: Space, ask: Ask) -> Answer:
    """Ask for solutions that are better by more than one, and call the last one the best."""
    kept: Found = []
    for value, solution in s.found():
        if not kept or value < kept[-1][0] - 1:
            kept.append((value, solution))
    return optimum(kept)


def early_stop(s: Space, ask: Ask) -> Answer:
    """Call the second improvement the best."""
    return optimum(improvements(s.found())[:2])


def wrapped(width: int) -> Callable[[Space, Ask], Answer]:
    """Compare values as signed numbers of this many bits."""

    def wrap(value: int) -> int:
        half = 1 << width - 1
        return (value + half) % (1 << width) - half

    def answer(s: Space, ask: Ask) -> Answer:
        return exact(s, [(wrap(value), solution) for value, solution in s.found()])

    return answer


def single(s: Space, ask: Ask) -> Answer:
    """Compare values as floats of 24 bits."""
    return exact(s, [(rounded("f", value), solution) for value, solution in s.found()])  # type: ignore[misc]


def double(s: Space, ask: Ask) -> Answer:
    """Compare values as floats of 53 bits."""
    return exact(s, [(rounded("d", value), solution) for value, solution in s.found()])  # type: ignore[misc]


def rounded(code: str, value: int) -> float:
    try:
        return float(struct.unpack(code, struct.pack(code, value))[0])
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")


def saturated(s: Space, ask: Ask) -> Answer:
    """Cut values at 2^62, which stands for infinity."""
    top = 1 << 62
    return exact(s, [(max(-top, min(top, value)), solution) for value, solution in s.found()])


def unsound_bound(s: Space, ask: Ask) -> Answer:
    """State a bound of one more than the best value, if there are two solutions or more, and answer rightly."""
    found = s.found()
    answer = optimum(found)
    if len(found) > 1:
        ask.bounded(min(found)[0] + 1)
    return answer


def wrong_core(s: Space, ask: Ask) -> Answer:
    """Raise the bound by the greatest weight of a core, not the least; the first solution at the bound is the best."""
    if not isinstance(s.goal, SoftClauses):
        return optimum(s.found())
    weights, false = s.goal.weights.tolist(), s.goal.false(s.rows[s.right], s.problem)
    bound, left = 0, list(range(len(weights)))
    while (core := a_core(false, left)) and len(false):
        bound += max(weights[i] for i in core)
        left = [i for i in left if i not in core]
    found = improvements(s.found())
    at = [one for one in found if one[0] <= bound]
    return optimum(at[:1] or found)


def a_core(false: Any, left: Sequence[int]) -> tuple[int, ...]:
    """Return the first of the smallest sets of soft clauses of which every solution makes one false, or ()."""
    sets: Iterator[tuple[int, ...]] = (c for n in range(1, len(left) + 1) for c in combinations(left, n))
    return next((core for core in sets if false[:, core].any(axis=1).all()), ())


def stale_incumbent(s: Space, ask: Ask) -> Answer:
    """Report the best solution, and return the one before as the best."""
    found = improvements(s.found())
    for value, solution in found:
        ask.improved(value, solution)
    return optimum(found[:-1] or found)


def lost_offset(s: Space, ask: Ask) -> Answer:
    """State the value without the offset of a sum."""
    answer = optimum(s.found())
    if isinstance(s.goal, LinearObjective) and answer.value is not None:
        return replace(answer, value=answer.value - s.goal.offset)
    return answer


def lost_term(s: Space, ask: Ask) -> Answer:
    """Minimise a sum without its last term."""
    if not isinstance(s.goal, LinearObjective):
        return optimum(s.found())
    short = replace(s.goal, coefficients=s.goal.coefficients[:-1], variables=s.goal.variables[:-1])
    return exact(s, s.found(short))


def absolute(s: Space, ask: Ask) -> Answer:
    """Minimise a sum of the sizes of coefficients."""
    if not isinstance(s.goal, LinearObjective):
        return optimum(s.found())
    return exact(s, s.found(replace(s.goal, coefficients=np.abs(s.goal.coefficients))))


def turned(s: Space, ask: Ask) -> Answer:
    """Minimise what the source maximises."""
    return exact(s, [(-value if s.goal.maximise else value, solution) for value, solution in s.found()])


def empty_clause(s: Space, ask: Ask) -> Answer:
    """Leave out the cost of empty soft clauses."""
    answer = optimum(s.found())
    if isinstance(s.goal, SoftClauses) and answer.value is not None:
        return replace(answer, value=answer.value - sum(weight for weight, row in s.goal.rows if not row))
    return answer


def merged(s: Space, ask: Ask) -> Answer:
    """Keep one of the soft clauses with the same literals."""
    if not isinstance(s.goal, SoftClauses):
        return optimum(s.found())
    once = {tuple(row): weight for weight, row in s.goal.rows}
    return exact(s, s.found(SoftClauses.of([(weight, list(row)) for row, weight in once.items()])))


def no_better(s: Space, ask: Ask) -> Answer:
    """Say that there is no solution if the first one is the best: the search for a better one ends unsatisfiable."""
    found = improvements(s.found())
    return Answer(Status.UNSATISFIABLE, complete=True) if len(found) == 1 else optimum(found)


def unchecked(s: Space, ask: Ask) -> Answer:
    """Report the first assignment before its constraints are checked, if it is no solution."""
    if len(s.rows) and not s.right[0]:
        first = tuple(s.rows[0].tolist())
        ask.improved(s.value(first), first)
    return optimum(s.found())


def hard_last(s: Space, ask: Ask) -> Answer:
    """Minimise without the last constraint."""
    kept = replace(s, right=np.ones(len(s.rows), np.bool_))
    for constraint in s.problem.constraints[:-1]:
        kept.right[:] &= constraint.satisfied(s.rows, s.problem)
    return optimum(kept.found())


def gives_up(s: Space, ask: Ask) -> Answer:
    """Give no proof where more than four values improve."""
    found = improvements(s.found())
    return optimum(found, complete=False) if len(found) > 4 else optimum(found)


FAULTS: dict[str, Callable[[Space, Ask], Answer]] = {
    **{
        f.__name__: f
        for f in (
            *(off_by_one, early_stop, single, double, saturated, unsound_bound, wrong_core, stale_incumbent),
            *(
                lost_offset,
                lost_term,
                turned,
                absolute,
                empty_clause,
                merged,
                no_better,
                unchecked,
                hard_last,
                gives_up,
            ),
        )
    },
    **{f"wrap{width}": wrapped(width) for width in (8, 16, 31, 32, 63, 64)},
}
SIGNATURES = dict.fromkeys(FAULTS, "not optimal") | {
    "unsound_bound": "false bound",
    "stale_incumbent": "worse than reported",
    "lost_offset": "wrong value",
    "empty_clause": "wrong value",
    "no_better": "unsatisfiable",
    "unchecked": "false improvement",
    "hard_last": "wrong solution",
    "gives_up": "undecided",
}


@dataclass(frozen=True)
class Searching:
    formula: Constraints
    fault: Callable[[Space, Ask], Answer]

    def ask(self, ask: Ask) -> Answer:
        return self.fault(space(self.formula, ask), ask)

    def close(self) -> None:
        """Hold nothing."""


@dataclass(frozen=True)
class Astray:
    """Backend with one fault."""

    name: str
    version: str = "1"
    accepts: frozenset[type] = frozenset({AllDifferent, Constraints})
    can: frozenset[str] = frozenset({"optimise", "only optimise", "domains"})

    def open(self, formula: Formula) -> Session:
        if not isinstance(formula, Constraints) or formula.objective is None:
            raise Unsupported(f"{self.name} takes objectives")
        return Searching(formula, FAULTS[self.name.partition(":")[2]])


def backends() -> list[Astray]:
    return [Astray(f"astray:{name}") for name in FAULTS]
