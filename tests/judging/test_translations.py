"""Translations evaluated without solvers: right ones allow what brute force finds, planted faults are found."""

from collections.abc import Iterator
from importlib.util import find_spec
from itertools import product
from random import Random
from shutil import which

import numpy as np
import pytest

from harness.judging.translations import TRANSLATIONS, evaluate
from harness.model.lineage import WRITERS, lineage_of
from harness.model.patterns import parse
from puzzles.generating.problems import KINDS, OBJECTIVES, random_problem, reified_problem
from puzzles.problem import Instance, Problem
from puzzles.problem.values import Solution, bits
from tests.definitions import solutions

SLOW = ("minizinc:mine/alldifferent", "xcsp3:mine/alldifferent")  # a process reads or compiles what is written
NAMES = (
    *("choco/alldifferent", "pumpkin/alldifferent", "toulbar2/alldifferent", "fzn:mine/alldifferent"),
    *("highs/alldifferent", "z3:int/alldifferent", "z3:bv/alldifferent", "native:lazy/alldifferent"),
    *("pysat:cadical195/order", "pysat:cadical195/direct", "pysat:cadical195/log", "cpmpy:ortools/alldifferent"),
    *SLOW,
)
MISSING = {"cpmpy": not find_spec("cpmpy"), "xcsp3": not find_spec("pycsp3"), "minizinc": not which("minizinc")}


def named(names: tuple[str, ...]) -> list[object]:
    gone = [pytest.mark.skipif(MISSING.get(name.partition(":")[0], False), reason="not installed") for name in names]
    return [pytest.param(name, marks=mark) for name, mark in zip(names, gone, strict=True)]


def drawn(seed: int) -> Instance[Problem]:
    """Draw a reified problem, or one of a kind or two, some with an objective."""
    random = Random(seed)
    if seed % 3 == 0:
        return reified_problem(random)
    goal = random.choice(sorted(OBJECTIVES)) if seed % 3 == 1 else ""
    return random_problem(random.sample(sorted(KINDS), random.choice((1, 1, 2))), random, goal)


def assignments(instance: Instance[Problem], most: int) -> Iterator[Solution]:
    every = list(product(*map(bits, instance.domains)))
    yield from Random(len(every)).sample(every, min(most, len(every)))


def value_of(problem: Problem, solution: Solution) -> int:
    assert problem.objective is not None
    found: int = problem.objective.values(np.array([solution], np.uint16), problem).tolist()[0]
    return found


def faults(name: str, instance: Instance[Problem], most: int = 12) -> tuple[int, list[str]]:
    """Return how many assignments are evaluated, and which of them otherwise than by brute force."""
    contender, (problem, domains) = parse(name), (instance.problem, instance.domains)
    translation = TRANSLATIONS[lineage_of(contender.backend, contender.encoding).encoder]
    right, known, wrong = solutions(problem, domains), 0, list[str]()
    for assignment in assignments(instance, most):
        found = evaluate(translation, contender, problem, domains, assignment)
        known += found.allowed is not None
        value = value_of(problem, assignment) if found.value is not None and assignment in right else found.value
        if found.allowed not in (None, assignment in right) or found.value != value:
            wrong.append(f"{problem}: {assignment} is {found}, of value {value}")
    return known, wrong


@pytest.mark.parametrize("name", named(NAMES))
def test_a_translation_allows_the_solutions_of_brute_force(name: str) -> None:
    seeds = range(6) if name in SLOW else range(60)
    found = [faults(name, drawn(seed), 4 if name in SLOW else 12) for seed in seeds]
    assert [text for _, wrong in found for text in wrong] == []
    assert sum(known for known, _ in found) > 0
