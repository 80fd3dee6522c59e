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
from puzzles.objectives.queries import Array, QueryScript
from puzzles.problem import Instance, Problem

APPLICATION = "the application"
SAID_UNSATISFIABLE = "it is said to be unsatisfiable"


class GivenAnswers(NamedTuple):
    """Answers of a contender or the application: what they save, as they claim, and as right models show, int[asks]."""

    name: str
    claims: Array
    shown: Array


def scripts_of(journal: Journal) -> Iterator[tuple[int, QueryScript]]:
    """Yield the query scripts among the instances of a journal, with their ids."""
    for puzzle in np.flatnonzero(journal.instances.scripts).tolist():
        script = journal.instances.get(puzzle).problem.objective
        if isinstance(script, QueryScript):
            yield puzzle, script


def given_answers(journal: Journal, referee: Referee, puzzle: int, script: QueryScript) -> Iterator[GivenAnswers]:
    """Yield the answers to a script: of the application, and of all contenders and repeats."""
    none = np.zeros_like(script.claimed)
    yield GivenAnswers(APPLICATION, script.claimed, none)
    for outcomes in journal.outcomes.stored(puzzle):
        for solution in outcomes.solutions:
            shown = none.copy()
            shown[script.every - 1 :: script.every] = script.judged(solution).saved
            yield GivenAnswers(referee.contenders[outcomes.batch.contender].name, script.claims(solution), shown)


def refutation(
    journal: Journal, referee: Referee, contender: int, puzzle: int, instance: Instance[Problem], wrong: WrongAnswer
) -> Refutation | None:
    """Return the reason why an answer to a script is wrong, by its first wrong ask; None if no ask tells."""
    script, name = instance.problem.objective, referee.contenders[contender].name
    assert isinstance(script, QueryScript)
    for solution in wrong.solutions:
        if fault := script.judged(np.array(solution)).fault:
            return Refutation(fault)
        own, found = script.claims(np.array(solution)), list[tuple[int, str]]()
        for other in given_answers(journal, referee, puzzle, script):
            better = other.claims if other.name == APPLICATION else other.shown
            for i in np.flatnonzero((own >= 0) & (better > own))[:1].tolist():
                claim = f"its {answer(script, i, own[i])} is not the least" if own[i] else SAID_UNSATISFIABLE
                model = f"a model of {answer(script, i, better[i])}" if script.weighted else "a model"
                by = "is the application's answer" if other.name == APPLICATION else f"by {other.name} was checked"
                found.append((i + 1, f"{claim}, but {model} {by}"))
        if found:
            number, why = min(found, key=lambda one: one[0])
            return Refutation(f"wrong at ask {number}: {why}", True)
    cores = (why for row in journal.proofs.all(puzzle) for who, why in inconsistencies(row.detail) if who == name)
    return next((Refutation(why) for why in cores), None)


def disagreements(journal: Journal, referee: Referee) -> Iterator[Disagreement]:
    """Yield the asks whose answers differ although no verdict says who is wrong, one for each set of contenders."""
    wrong = {(puzzle, who) for puzzle, who, verdict in journal.answers.disputes() if verdict == Verdict.WRONG}
    for puzzle, script in scripts_of(journal):
        convicted = {referee.contenders[who].name for at, who in wrong if at == puzzle}
        every = [one for one in given_answers(journal, referee, puzzle, script) if one.name not in convicted]
        yield from differing(puzzle, journal.instances.name(puzzle), script, every)


def differing(puzzle: int, instance: str, script: QueryScript, every: list[GivenAnswers]) -> Iterator[Disagreement]:
    """Yield the asks to which the answers differ."""
    most = np.maximum.reduce([one.claims for one in every])
    split = np.logical_or.reduce([(one.claims >= 0) & (one.claims < most) for one in every])
    asks = defaultdict[tuple[tuple[tuple[str, tuple[str, ...]], ...], bool], list[int]](list)
    for i in np.flatnonzero(split).tolist():
        names = defaultdict[int, dict[str, None]](dict)
        for one in every:
            if one.claims[i] >= 0:
                names[int(one.claims[i])][one.name] = None
        said = tuple((answer(script, i, saved), tuple(names[saved])) for saved in sorted(names, reverse=True))
        asks[said, any(one.shown[i] >= most[i] for one in every)].append(i + 1)
    for (said, shown), numbers in asks.items():
        more = f" and {len(numbers) - 1} more" if len(numbers) > 1 else ""
        first, *rest = (f"{what} says {', '.join(who)}" for what, who in said)
        why = "; ".join([first + ", whose model was checked" * shown, *rest])
        blamed = tuple(dict.fromkeys(name for _, who in said[shown:] for name in who))
        alarm = Alarm.CONFLICT if not shown else Alarm.CORPUS if blamed == (APPLICATION,) else Alarm.WRONG
        contenders = tuple(name for name in blamed if name != APPLICATION)
        yield Disagreement(puzzle, instance, contenders, f"ask {numbers[0]}{more}: {why}", alarm)


def answer(script: QueryScript, i: int, saved: int) -> str:
    """Return an answer to an ask in words."""
    if not saved:
        return "unsatisfiable"
    return f"cost {1 + script.totals[i] - saved}" if script.weighted else "satisfiable"
