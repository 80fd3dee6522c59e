"""Random problems over ranges far from 0, each answered by every backend that takes it, against brute force.

    python benchmarks/ranges.py PROBLEMS [SEED] [BACKEND ...]

It prints, for each backend, how many problems it decided, refused, and gave up, and every wrong answer with its seed.
"""

import sys
from collections import Counter
from collections.abc import Iterator
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

BACKENDS = ("cpsat", "z3:int", "z3:bv", "cvc5:int", "cvc5:bv", "choco", "pumpkin", "toulbar2", "cpmpy:ortools")
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


def outcomes(first: int, problems: int, backends: tuple[str, ...]) -> Iterator[tuple[str, str, int]]:
    """Yield backend, word and seed of each answer."""
    for seed in range(first, first + problems):
        instance = drawn(seed)
        known = right(instance)
        for backend in backends:
            try:
                word = answered(backend, instance, known)
            except Exception as e:  # a fault of the backend is what is sought
                word = f"WRONG: {type(e).__name__}: {e}"
            yield backend, word, seed


def main() -> None:
    problems, first, *backends = sys.argv[1:2] + (sys.argv[2:3] or ["0"]) + sys.argv[3:]
    counts: dict[str, Counter[str]] = {}
    for backend, word, seed in outcomes(int(first), int(problems), tuple(backends) or BACKENDS):
        counts.setdefault(backend, Counter())[word.partition(":")[0]] += 1
        if word.startswith("WRONG"):
            print(f"{backend}, seed {seed}: {word[:300]}", flush=True)
    for backend, found in counts.items():
        print(backend, dict(found))


if __name__ == "__main__":
    main()
