"""Numbers of models: what refutes them, which disagree, and which break an identity.

Nobody shows the models of a count. A count is refuted by more checked models, by exhaustive search, and by the claim of
a corpus; numbers of one contender that break an identity (identities.py) are inconsistent, whichever is
wrong. Counts that differ, with nothing to tell which is right, are a conflict, not a vote.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from harness.judging.alarms import Alarm, Disagreement
from harness.judging.referee import Referee
from harness.judging.refuted_optima import Refutation
from harness.model.certification import EXHAUSTIVE, inconsistencies
from harness.model.contender import Contender
from harness.model.lineage import lineage
from harness.storing.journal import Journal
from puzzles.errors import plural
from puzzles.objectives import stated
from puzzles.objectives.models import ModelCount
from puzzles.problem import Instance, Problem


class StatedCount(NamedTuple):
    """Number that a contender has stated, as the value of the objective: exact, or an estimate."""

    contender: int
    exact: bool
    value: int | None


def counts_of(journal: Journal, contenders: Iterable[int], first: int, last: int) -> dict[int, list[StatedCount]]:
    """Return the numbers of a range of instances, by id: those of contenders, of all repeats."""
    found = defaultdict[int, list[StatedCount]](list)
    for contender in contenders:
        for repeat in range(journal.outcomes.repeats()):
            c = journal.outcomes.columns(contender, "puzzle", "status", "complete", "reason", repeat=repeat)
            own = journal.objectives.statements(contender, repeat, first, last)
            inside = (c["puzzle"] >= first) & (c["puzzle"] <= last)
            for i in np.flatnonzero(inside & (c["status"] != 0) & (c["reason"] == 0)).tolist():
                puzzle = int(c["puzzle"][i])
                value = own[puzzle].value if puzzle in own else None
                found[puzzle].append(StatedCount(contender, bool(c["complete"][i]), value))
    return found


def disagreements(journal: Journal, referee: Referee) -> Iterator[Disagreement]:
    """Yield contenders whose numbers do not fit each other or chance, and counts that differ."""
    if not journal.facts.settings().count_models:
        return
    for row in journal.proofs.all():
        instance = journal.instances.name(row.puzzle)
        for name, why in inconsistencies(row.detail):
            yield Disagreement(row.puzzle, instance, (name,), why, Alarm.INCONSISTENT)
    every = counts_of(journal, range(len(referee.contenders)), 1, journal.instances.size())
    for puzzle, counts in sorted(every.items()):
        yield from conflict(journal, referee, puzzle, [one for one in counts if one.exact])


def conflict(journal: Journal, referee: Referee, puzzle: int, exact: Sequence[StatedCount]) -> Iterator[Disagreement]:
    """Yield the conflict of exact counts of an instance of which none is known to be right."""
    said = defaultdict[int | None, dict[str, int]](dict)
    for contender, _, value in exact:
        said[value][referee.contenders[contender].name] = contender
    goal = journal.instances.get(puzzle).problem.objective
    if len(said) < 2 or goal is None or bool(referee.evidence.proved()[puzzle]) or referee.claims.stated.given[puzzle]:
        return
    parts = [
        f"{0 if value is None else stated(goal, value)} say{'s' * (len(names) == 1)} {', '.join(names)}"
        f" ({plural(lineages([referee.contenders[c] for c in names.values()]), 'lineage')})"
        for value, names in said.items()
    ]
    who = tuple(dict.fromkeys(name for names in said.values() for name in names))
    why = f"counts differ: {'; '.join(parts)}: --certify asks further, and votes do not count"
    yield Disagreement(puzzle, journal.instances.name(puzzle), who, why, Alarm.CONFLICT)


def lineages(contenders: Sequence[Contender]) -> int:
    """Return the number of contenders that share no part of their solvers, those that do as one."""
    found = list[frozenset[str]]()
    for parts in (lineage(contender).parts for contender in contenders):
        alike = [other for other in found if not parts.isdisjoint(other)]
        found = [other for other in found if other not in alike] + [parts.union(*alike)]
    return len(found)


def refutation(
    journal: Journal, referee: Referee, contender: int, instance: Instance[Problem], puzzle: int
) -> Refutation:
    """Return the reason why a count is wrong."""
    goal, evidence = instance.problem.objective, referee.evidence
    assert isinstance(goal, ModelCount)
    values = {one.value for one in counts_of(journal, [contender], puzzle, puzzle)[puzzle] if one.exact}
    says = f"counts {', '.join(str(0 if v is None else stated(goal, v)) for v in values) or 'no model'}"
    found = evidence.verified[[puzzle]].values[0]
    facts = (("found", None if found is None else str(found)),)
    if not values:
        return Refutation("its estimates are beyond their error more often than chance allows")
    if evidence.certified.given[puzzle]:
        exact = 0 if found is None else stated(goal, found)
        searched = any(row.prover == EXHAUSTIVE for row in journal.proofs.all(puzzle))
        by = "exhaustive search counts" if searched else "a checked circuit gives"
        return Refutation(f"{says}, but {by} {exact}", False, facts)
    if found is not None and any(v is None or v > found for v in values):
        return Refutation(f"{says}, but {stated(goal, found)} were found and checked", False, facts)
    if puzzle in referee.inconsistent.get(contender, ()):
        return Refutation("its counts are inconsistent")
    claim = 0 if instance.optimum is None else stated(goal, instance.optimum)
    return Refutation(f"{says}, but the corpus claims {claim}{' or more' if instance.at_least else ''}")
