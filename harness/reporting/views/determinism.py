"""Audit of determinism: what differs between repeats of one contender on one instance, with the same seed.

    status    satisfiable, unsatisfiable, optimal, or the reason for an undecided answer
    value     of the objective, of the solution given
    solution  digest of the values of all solutions given
    counters  decisions, conflicts, propagations and restarts, where the backend has them

Undecided repeats and other values without a proof are only listed. Statuses that contradict each other, and other
proved values, are disagreements, which the judge settles by a witness: they are among the wrong answers too.
"""

import hashlib
from collections import defaultdict
from collections.abc import Sequence
from typing import Any, NamedTuple

from backends.contract.answer import COUNTERS, Reason, Status
from harness.model.errors import BadUsage
from harness.model.outcome import Outcomes, counted_status
from harness.reporting.frame.results import Results
from harness.reporting.writing.fitting import shorten_names
from harness.reporting.writing.table import Column, ResultTable, Unit, table_of
from harness.storing.outcomes.objectives import Statement
from puzzles.errors import plural
from puzzles.objectives import stated

MEASURED = ("status", "reason", "complete", "found", *COUNTERS)
UNDECIDED, OPTIMAL = "undecided", "optimal"
MOST_SHOWN = 20
DIGITS = 12  # of a digest


class RepeatAnswer(NamedTuple):
    """Answer of one repeat; counters by name."""

    status: str
    decided: bool
    value: str
    solution: str
    counters: dict[str, int]


class RepeatDifference(NamedTuple):
    """Field that differs between the repeats of a contender on an instance, and what each repeat has."""

    contender: str
    instance: str
    field: str
    values: tuple[str, ...]
    contradiction: bool = False


class Audited(NamedTuple):
    """Instances that a contender was asked several times, and the differences."""

    contender: str
    instances: int
    differences: tuple[RepeatDifference, ...]

    def number(self, field: str) -> int:
        """Return the number of instances that differ in a field; of `contradiction` those that cannot both be right."""
        found = [d for d in self.differences if d.field == field or (field == "contradiction" and d.contradiction)]
        return len({d.instance for d in found})


def audit(results: Results) -> list[Audited]:
    """Return what differs, by contender. Raises BadUsage if the run has one repeat, or repeats are not alike."""
    settings, journal = results.settings, results.journal
    if settings.repeats < 2 or settings.scramble or settings.draw_seeds:
        raise BadUsage("an audit of determinism needs repeats with the same seed: run --audit-determinism 5")
    answers = defaultdict[tuple[int, int], list[RepeatAnswer]](list)
    for outcomes in journal.outcomes.stored(measured=MEASURED):
        batch, first, last = outcomes.batch, int(outcomes.batch.puzzles[0]), int(outcomes.batch.puzzles[-1])
        values = journal.objectives.statements(batch.contender, batch.repeat, first, last)
        for puzzle, answer in zip(batch.puzzles.tolist(), answers_of(outcomes, values), strict=True):
            answers[batch.contender, puzzle].append(answer)
    found = []
    for c in results.contenders:
        of = {puzzle: each for (number, puzzle), each in sorted(answers.items()) if number == c.number}
        several = {journal.instances.name(puzzle): each for puzzle, each in of.items() if len(each) > 1}
        name = c.contender.name
        differing = tuple(d for instance, each in several.items() for d in differences(name, instance, each))
        found.append(Audited(name, len(several), differing))
    return found


def answers_of(outcomes: Outcomes, values: dict[int, Statement]) -> list[RepeatAnswer]:
    """Return the answers of a batch; `values` are those of the objective, by instance."""
    found, goal, at = [], outcomes.batch.problem.objective, 0
    for puzzle, row in zip(outcomes.batch.puzzles.tolist(), outcomes.rows, strict=True):
        solutions, status = outcomes.solutions[at : at + int(row["found"])], counted_status(row)
        at += int(row["found"])
        value = values[puzzle].value if puzzle in values else None
        optimal = goal is not None and row["complete"] and len(solutions) and status == Status.SATISFIABLE
        decided = status != Status.UNKNOWN and (goal is None or bool(row["complete"]))
        reason = Reason(int(row["reason"]))
        words = OPTIMAL if optimal else (reason if status == Status.UNKNOWN and reason else status).name.lower()
        digest = hashlib.sha256(solutions.astype("<u8").tobytes()).hexdigest()[:DIGITS] if len(solutions) else ""
        counters = {name: int(row[name]) for name in COUNTERS if row[name] >= 0}
        found.append(
            RepeatAnswer(
                words, decided, str(stated(goal, value)) if goal and value is not None else "", digest, counters
            )
        )
    return found


def differences(contender: str, instance: str, each: Sequence[RepeatAnswer]) -> list[RepeatDifference]:
    """Return the fields in which the answers of repeats differ, those of the search among decided ones alone."""
    decided = [answer for answer in each if answer.decided]
    found = []

    def compare(field: str, values: Sequence[str], contradiction: bool = False) -> None:
        if len(set(values)) > 1:
            found.append(RepeatDifference(contender, instance, field, tuple(values), contradiction))

    if len(decided) < len(each) and decided:
        compare(UNDECIDED, [answer.status for answer in each])
    compare("status", [answer.status for answer in decided], contradiction=True)
    compare("value", [answer.value for answer in each if answer.value], len({a.value for a in decided if a.value}) > 1)
    compare("solution", [answer.solution for answer in decided])
    for name in COUNTERS:
        compare(name, [str(answer.counters[name]) for answer in decided if name in answer.counters])
    return found


def audit_tables(found: Sequence[Audited], every: bool) -> list[ResultTable]:
    """Return the numbers of instances that differ, by contender, and what differs: the first ones, or `every` one."""
    fields = (UNDECIDED, "status", "value", "solution", *COUNTERS)
    columns = [Column("contender", names=True), *(Column(name, Unit.COUNT) for name in ("instances", "alike", *fields))]
    rows = [
        [
            *(a.contender, a.instances, a.instances - len({d.instance for d in a.differences})),
            *map(a.number, (*fields, "contradiction")),
        ]
        for a in found
    ]
    notes = (
        "alike: the same in all repeats; then the numbers of instances that differ. Undecided: in some repeats alone",
        "contradict: statuses or proved values that cannot both be right; they are wrong answers above",
    )
    numbers = table_of((*columns, Column("contradict", Unit.COUNT)), rows, narrow=(shorten_names,), notes=notes)
    listed = [d for a in found for d in a.differences]
    shown = listed if every else listed[:MOST_SHOWN]
    more = (f"{plural(len(listed) - len(shown), 'more difference')}: --json has all",) if listed != shown else ()
    heads = (Column("contender", names=True), "instance", "differs", "by repeat")
    cells = [[d.contender, d.instance, d.field, " ".join(d.values)] for d in shown]
    title = "" if listed else "audit: nothing differs between repeats"
    return [numbers, table_of(heads, cells, title=title, left=4, narrow=(shorten_names,), notes=more)]


def as_data(found: Sequence[Audited]) -> list[dict[str, Any]]:
    """Return the audit as JSON-compatible data."""
    return [
        {
            "contender": a.contender,
            "instances": a.instances,
            "differences": [d._asdict() | {"values": list(d.values)} for d in a.differences],
        }
        for a in found
    ]
