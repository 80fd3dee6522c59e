"""Random problems of every kind of constraint against brute force, for backends that take them."""

from collections.abc import Sequence
from random import Random

from backends.contract import registry
from backends.contract.answer import Answer, Ask, Unsupported
from encoders.direct import constraints
from puzzles.constraints.all_different import AllDifferent
from puzzles.constraints.linear import Linear
from puzzles.generating.problems import random_problem
from puzzles.problem import Constraint, Instance, Problem
from puzzles.problem.values import Integers, Numbered
from tests.definitions import solutions

ALL = 5000  # more than any of the small problems has


def answered(backend: str, instance: Instance[Problem], count: int = ALL, seconds: float = 100.0) -> Answer:
    session = registry.find(backend).open(constraints(instance.problem, instance.domains))
    try:
        return session.ask(Ask(instance.domains, count, seconds))
    finally:
        session.close()


def faults_of_kinds(backend: str, kinds: Sequence[str], seeds: Sequence[int], most: int = ALL) -> list[str]:
    """Return how answers differ from brute force: one problem for each seed, of up to `most` solutions."""
    found = []
    for seed in seeds:
        instance = random_problem(list(kinds), Random(seed))
        right = solutions(instance.problem, instance.domains)
        if len(right) > most:
            continue
        try:
            answer = answered(backend, instance, len(right) + 1)
        except Unsupported:
            continue
        if set(answer.solutions) != right or len(answer.solutions) != len(right) or not answer.complete:
            found.append(
                f"{kinds} seed {seed}: {len(answer.solutions)} solutions, not {len(right)}: {answer.status.name}"
            )
    return found


def alone(constraint: Constraint, *numbers: int) -> Instance[Problem]:
    """Return a problem of one constraint over two variables, which take these numbers."""
    problem = Problem("alone", Numbered("x", 2), Integers(numbers), (constraint,))
    return Instance("alone", problem, problem.open)


def hard_pigeons(birds: int) -> Instance[Problem]:
    """Return a problem without solutions that takes long: each pair of birds differs, and they lack one number."""
    pairs = tuple((a, b) for b in range(birds) for a in range(b))
    parts = AllDifferent(pairs), Linear.of([([1] * birds, range(birds), ">=", birds)])
    problem = Problem("pigeons", Numbered("x", birds), Integers(range(birds - 1)), parts)
    return Instance("pigeons", problem, problem.open)
