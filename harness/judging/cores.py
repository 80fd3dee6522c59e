"""Cores of answers to a query script as a script of their own, which a solver of another lineage is asked.

It has the same clauses, and each core as the assumptions of an ask. A model that satisfies a core is checked, and shows
that the core is too small.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from harness.model.outcome import Outcomes
from puzzles.objectives.asks import QueryAsk, core_of
from puzzles.objectives.queries import QueryScript, problem_of
from puzzles.problem import Instance, Problem
from puzzles.problem.arrays import Solutions

CHECKERS = ("queries:native", "queries:cadical195", "queries:z3")  # the first of another lineage is asked
AskChecker = Callable[[Instance[Problem]], Outcomes]


class StatedCore(NamedTuple):
    """Assumptions that contradict the clauses up to the ask of a number, as is stated."""

    number: int
    literals: tuple[int, ...]

    def too_small(self, checker: str) -> str:
        """Return the words on a core that a model of a checker satisfies."""
        words = " ".join(map(str, self.literals)) or "of no assumption"
        return f"wrong at ask {self.number}: its core {words} is too small: a model of {checker} satisfies it"


def stated_cores(script: QueryScript, solution: Solutions) -> list[StatedCore]:
    """Return the cores that answers to a script state, by the numbers of their asks."""
    answered, kept = script.answered(solution), range(script.every - 1, len(script), script.every)
    return [
        StatedCore(i + 1, tuple(core_of(answered.rows[i // script.every], script.asks[i].assumptions)))
        for i in kept
        if answered.unsatisfiable[i]
    ]


def checked_cores(
    script: QueryScript, cores: Sequence[StatedCore], ask: AskChecker
) -> tuple[set[StatedCore], set[StatedCore]]:
    """Return the cores that a checked model satisfies, and those that a checker finds unsatisfiable.

    The cores are in the order of their numbers.
    """
    asked = QueryScript.of(asks_of(script, cores), script.variables)
    asked = replace(asked, model=script.model, domains=script.domains)
    problem = problem_of(asked, "cores")
    satisfiable, unsatisfiable = set[StatedCore](), set[StatedCore]()
    for solution in ask(Instance("cores", problem, problem.open)).solutions:
        judged, answered = asked.judged(solution), asked.answered(solution)
        models = np.flatnonzero((judged.saved > 0) & answered.satisfiable[asked.every - 1 :: asked.every]).tolist()
        satisfiable = {cores[(k + 1) * asked.every - 1] for k in models}
        unsatisfiable = {cores[i] for i in np.flatnonzero(answered.unsatisfiable).tolist() if not judged.fault}
    return satisfiable, unsatisfiable


def asks_of(script: QueryScript, cores: Sequence[StatedCore]) -> Iterator[QueryAsk]:
    """Yield the asks of cores, which are in the order of their numbers, with the clauses before each."""
    number = 0
    for core in cores:
        clauses = [clause for ask in script.asks[number : core.number] for clause in ask.clauses]
        number = core.number
        yield QueryAsk(clauses, list(core.literals))
