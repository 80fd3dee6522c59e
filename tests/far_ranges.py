"""Random problems over ranges far from 0, and a word for a backend's answer to one, against brute force."""

from dataclasses import replace
from random import Random

import numpy as np

from backends.contract.answer import OPTIMISE, Ask, Reason, Status
from backends.contract.registry import find
from encoders.formula import Unsupported
from encoders.registry import default
from harness.judging.exhaustive import right_assignments
from puzzles.constraints.expression import Expression
from puzzles.constraints.linear import Linear, Row
from puzzles.generating.problems import ranged_problem
from puzzles.objectives.expression import ExpressionObjective
from puzzles.problem import Instance, Problem
from puzzles.problem.values import IntegerRange, Solution, bounded, ends_of

COUNT, SECONDS, NODES = 300, 5.0, 1000


def drawn(seed: int) -> Instance[Problem]:
    """Return the problem of a seed; every third has an objective."""
    random = Random(f"ranges {seed}")
    return ranged_problem(random, random.choice(("linear", "expression")) if seed % 3 == 0 else "")


def right(instance: Instance[Problem], more: int = 0) -> set[Solution]:
    """Return all solutions, those of the best value if there is an objective; with `more`, of the widened instance."""
    problem = instance.problem
    found = right_assignments(problem, instance.domains, NODES)
    assert found is not None
    if problem.objective is not None and len(found):
        values = problem.objective.values(found, problem)
        found = found[np.asarray(values == min(values.tolist()), np.bool_)]
    shift = more if widened(instance, more) is not instance else 0
    return {tuple(v + shift for v in row) for row in found.tolist()}


def widened(instance: Instance[Problem], more: int) -> Instance[Problem]:
    """Return an instance with the same solutions: at both ends of domains `more` numbers, which rows exclude."""
    problem, rows = instance.problem, list[Row]()
    assert isinstance(problem.values, IntegerRange)
    numbers = problem.values.numbers
    values = IntegerRange(range(numbers[0] - more, numbers[-1] + more + 1))
    ends = [ends_of(domain, problem.values) for domain in instance.domains]
    for x, (first, last) in enumerate(ends):
        rows += [([1], [x], ">=", numbers[first]), ([1], [x], "<=", numbers[last])]
    wide = replace(problem, values=values, constraints=(*problem.constraints, Linear.of(rows)))
    parts = (*wide.constraints, wide.objective)
    if any(isinstance(part, Expression | ExpressionObjective) and part.too_long(wide) for part in parts):
        return instance
    return Instance(instance.name, wide, tuple(bounded(first, last + 2 * more) for first, last in ends))


def answered(backend: str, instance: Instance[Problem], known: set[Solution]) -> str:
    """Return the word for the answer of a backend: right, refused, undecided or WRONG with its reason."""
    problem, solver = instance.problem, find(backend)
    if problem.objective is not None and OPTIMISE not in solver.can:
        return "no objectives"
    count = 1 if problem.objective is not None else COUNT
    try:
        session = solver.open(default(solver.accepts).formula(problem, instance.domains))
    except Unsupported:
        return "refused"
    try:
        answer = session.ask(Ask(instance.domains, count, SECONDS))
    except Unsupported:
        return "refused"
    finally:
        session.close()
    found = set(answer.solutions)
    if not found <= known:
        return f"WRONG: shows {sorted(found - known)[:2]}"
    if answer.reason in (Reason.TIMEOUT, Reason.STUCK) or answer.status == Status.UNKNOWN:
        return "undecided"
    complete = answer.complete or len(found) >= count
    missing = len(found) < (min(1, len(known)) if problem.objective is not None else len(known))
    return "WRONG: shows too few" if complete and missing else "right" if complete else "undecided"
