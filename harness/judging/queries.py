"""Answers to query scripts: which ask is wrong, and asks that contenders or the application answer otherwise.

A model that was checked refutes who says that its ask is unsatisfiable. Statuses of asks without one are compared:
where they differ, and nothing tells which is right, that is a conflict.
"""

from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from harness.judging.alarms import Alarm, Disagreement
from harness.judging.referee import Referee
from harness.judging.refuted_optima import Refutation
from harness.model.certification import inconsistencies
from harness.model.outcome import Verdict
from harness.storing.journal import Journal
from harness.storing.outcomes.answers import WrongAnswer
from puzzles.labels import QUERIES
from puzzles.objectives.queries import SATISFIABLE, UNSATISFIABLE, QueryScript
from puzzles.problem import Instance, Problem
from puzzles.problem.arrays import BoolArray

APPLICATION = "the application"


class GivenAnswers(NamedTuple):
    """Answers of a contender or the application: bool[asks] each; `shown` are those with a right model."""

    name: str
    satisfiable: BoolArray
    unsatisfiable: BoolArray
    shown: BoolArray


def scripts_of(journal: Journal) -> Iterator[tuple[int, QueryScript]]:
    """Yield the query scripts among the instances of a journal, with their ids."""
    for puzzle in np.flatnonzero(journal.instances.having(lambda outline: outline.label == QUERIES)).tolist():
        script = journal.instances.get(puzzle).problem.objective
        if isinstance(script, QueryScript):
            yield puzzle, script


def given_answers(journal: Journal, referee: Referee, puzzle: int, script: QueryScript) -> Iterator[GivenAnswers]:
    """Yield the answers to a script: of the application, and of all contenders and repeats."""
    none = np.zeros(len(script), np.bool_)
    yield GivenAnswers(APPLICATION, script.expected == SATISFIABLE, script.expected == UNSATISFIABLE, none)
    for outcomes in journal.outcomes.stored(puzzle):
        for solution in outcomes.solutions:
            answered, shown = script.answered(solution), none.copy()
            satisfied = script.judged(solution).satisfied
            shown[script.every - 1 :: script.every][: len(satisfied)] = satisfied
            name = referee.contenders[outcomes.batch.contender].name
            yield GivenAnswers(name, answered.satisfiable, answered.unsatisfiable, shown)


def refutation(
    journal: Journal, referee: Referee, contender: int, puzzle: int, instance: Instance[Problem], wrong: WrongAnswer
) -> Refutation | None:
    """Return the reason why an answer to a script is wrong, by its first wrong ask; None if no ask tells."""
    script, name = instance.problem.objective, referee.contenders[contender].name
    assert isinstance(script, QueryScript)
    for solution in wrong.solutions:
        if fault := script.judged(np.array(solution)).fault:
            return Refutation(fault)
        own = script.answered(np.array(solution)).satisfiable
        found = list[tuple[int, str]]()
        for other in given_answers(journal, referee, puzzle, script):
            claimed = other.satisfiable if other.name == APPLICATION else other.shown
            said = "is the application's answer" if other.name == APPLICATION else f"by {other.name} was checked"
            what = "that it is satisfiable" if other.name == APPLICATION else "a model"
            found += [(i + 1, f"{what} {said}") for i in np.flatnonzero(claimed & ~own)[:1].tolist()]
        if found:
            number, why = min(found, key=lambda one: one[0])
            return Refutation(f"wrong at ask {number}: it is said to be unsatisfiable, but {why}", True)
    cores = (why for row in journal.proofs.all(puzzle) for who, why in inconsistencies(row.detail) if who == name)
    return next((Refutation(why) for why in cores), None)


def disagreements(journal: Journal, referee: Referee) -> Iterator[Disagreement]:
    """Yield the asks whose answers differ although no verdict says who is wrong, one for each set of contenders."""
    wrong = {(puzzle, who) for puzzle, who, verdict in journal.answers.disputes() if verdict == Verdict.WRONG}
    for puzzle, script in scripts_of(journal):
        convicted = {referee.contenders[who].name for at, who in wrong if at == puzzle}
        every = [one for one in given_answers(journal, referee, puzzle, script) if one.name not in convicted]
        yield from differing(puzzle, journal.instances.name(puzzle), every)


def differing(puzzle: int, instance: str, every: list[GivenAnswers]) -> Iterator[Disagreement]:
    """Yield the asks that some answers call satisfiable, and others unsatisfiable."""
    split = np.logical_or.reduce([one.satisfiable for one in every])
    split &= np.logical_or.reduce([one.unsatisfiable for one in every])
    asks = defaultdict[tuple[tuple[str, ...], tuple[str, ...], bool], list[int]](list)
    for i in np.flatnonzero(split).tolist():
        yes = tuple(dict.fromkeys(one.name for one in every if one.satisfiable[i]))
        no = tuple(dict.fromkeys(one.name for one in every if one.unsatisfiable[i]))
        asks[yes, no, any(one.shown[i] for one in every)].append(i + 1)
    for (yes, no, shown), numbers in asks.items():
        more = f" and {len(numbers) - 1} more" if len(numbers) > 1 else ""
        checked = ", whose model was checked" if shown else ""
        why = f"ask {numbers[0]}{more}: satisfiable says {', '.join(yes)}{checked}; unsatisfiable says {', '.join(no)}"
        who = no if shown else (*yes, *no)
        alarm = Alarm.CONFLICT if not shown else Alarm.CORPUS if who == (APPLICATION,) else Alarm.WRONG
        yield Disagreement(puzzle, instance, tuple(name for name in who if name != APPLICATION), why, alarm)
