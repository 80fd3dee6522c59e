"""Comparison of a backend with brute force on random small problems, for backends whose enumeration is slow."""

from random import Random

from backends.contract import registry
from backends.contract.answer import Answer, Ask, Reason, Status
from encoders.registry import default
from puzzles.constraints.clauses import Clauses
from puzzles.generating.problems import random_problem
from puzzles.problem import Problem
from puzzles.problem.values import Integers, Numbered
from tests.definitions import solutions

MOST = 30  # solutions asked for


def check_kinds(backend: str, kinds: list[str], seed: int) -> None:
    """Solve a random problem of these kinds for its solutions, all of them if they are fewer than MOST.

    Problems of odd seeds are encoded without their domains.
    """
    instance = random_problem(kinds, Random(f"{seed} {kinds}"))
    right = solutions(instance.problem, instance.domains)
    found = registry.find(backend)
    form = default(found.accepts).formula(instance.problem, None if seed % 2 else instance.domains)
    session = found.open(form)
    answer = session.ask(Ask(instance.domains, MOST))
    session.close()
    assert set(answer.solutions) <= right
    assert len(answer.solutions) == len(set(answer.solutions)) == min(len(right), MOST)
    assert answer.complete == (len(right) < MOST)
    assert answer.status == (Status.SATISFIABLE if right else Status.UNSATISFIABLE)


def assert_stopped(answer: Answer) -> None:
    """Assert that a solver has stopped at the deadline without an answer."""
    assert (answer.status, answer.reason, answer.complete) == (Status.UNKNOWN, Reason.TIMEOUT, False)


def pigeonhole(pigeons: int) -> Problem:
    """Return the clauses of pigeons in holes that are one too few: variable p * holes + h is pigeon p in hole h."""
    holes = pigeons - 1
    rows = [[p * holes + h + 1 for h in range(holes)] for p in range(pigeons)]
    rows += [
        [-(p * holes + h + 1), -(q * holes + h + 1)] for h in range(holes) for q in range(pigeons) for p in range(q)
    ]
    return Problem("pigeonhole", Numbered("x", pigeons * holes), Integers(range(2)), (Clauses.of(rows),))
