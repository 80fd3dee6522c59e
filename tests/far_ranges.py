"""Random problems over ranges far from 0, and a word for a backend's answer to one, against brute force."""

from random import Random

import numpy as np

from backends.contract.answer import OPTIMISE, Ask, Reason, Status
from backends.contract.registry import find
from encoders.formula import Unsupported
from encoders.registry import default
from harness.judging.exhaustive import right_assignments
from puzzles.generating.problems import ranged_problem
from puzzles.problem import Instance, Problem
from puzzles.problem.values import Solution

COUNT, SECONDS, NODES = 300, 5.0, 1000


def drawn(seed: int) -> Instance[Problem]:
    """Return the problem of a seed; every third has an objective."""
    random = Random(f"ranges {seed}")
    return ranged_problem(random, random.choice(("linear", "expression")) if seed % 3 == 0 else "")


def right(instance: Instance[Problem]) -> set[Solution]:
    """Return all solutions, those of the best value if there is an objective."""
    problem = instance.problem
    found = right_assignments(problem, instance.domains, NODES)
    assert found is not None
    if problem.objective is not None and len(found):
        values = problem.objective.values(found, problem)
        found = found[np.asarray(values == min(values.tolist()), np.bool_)]
    return set(map(tuple, found.tolist()))


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
