"""Synthetic journals of instances with an objective: values and bounds over time are specified, not run.

The value of a solution is the number that its variables are the binary digits of, so that every value from 0 has one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from backends.contract.answer import Reason, Status
from harness.judging.referee import Referee
from harness.model.lease import Block, Lease, LeaseResult, Place
from harness.model.outcome import NANO, ROW, Batch, Outcomes
from harness.model.settings import RunSettings
from harness.model.trajectory import Step, StepKind, Trajectory
from harness.storing.journal import Journal
from puzzles.objectives.linear import LinearObjective
from puzzles.problem import Instance, Problem
from puzzles.problem.values import Integers, Numbered
from tests.journals import HOST, QUIET, contender

DIGITS = 8
LIMIT = 10.0
VERSIONS: dict[str, str | None] = {"python": "3.11.0"}
LEAST = Problem(
    "least",
    Numbered("x", DIGITS),
    Integers(range(2)),
    (),
    objective=LinearObjective.of({k: 1 << k for k in range(DIGITS)}),
)
MOST = Problem(
    "most",
    Numbered("x", DIGITS),
    Integers(range(2)),
    (),
    objective=LinearObjective.of({k: 1 << k for k in range(DIGITS)}, maximise=True),
)


@dataclass(frozen=True)
class Made:
    """Search of a contender: values and bounds as (seconds, value), and the seconds until it had proved its value.

    Values are as the source states them.
    """

    values: Sequence[tuple[float, int]] = ()
    bounds: Sequence[tuple[float, int]] = ()
    proved: float | None = None


def instances(number: int, maximise: bool = False, names: Sequence[int] = ()) -> list[Instance[Problem]]:
    problem = MOST if maximise else LEAST
    domains = (3,) * DIGITS
    return [Instance(f"made:{i + 1}", problem, domains) for i in names or range(number)]


def optimised(
    path: Path, searches: Mapping[str, Sequence[Made]], maximise: bool = False, names: Sequence[int] = ()
) -> Path:
    """Create a judged journal of one repeat from the searches of each contender, one for each instance.

    `names` are the positions in a longer corpus, whose names the instances have.
    """
    n = len(next(iter(searches.values())))
    with Journal.create(path) as journal:
        journal.corpora.add("made", instances(n, maximise, names))
        journal.contenders.add([contender(name) for name in searches])
        facts = {"state": "complete", "host": HOST, "command": [], "versions": VERSIONS}
        journal.facts.put(settings=RunSettings(limit=LIMIT).as_dict(), **facts)
        journal.places.add([Place(HOST, None, VERSIONS)])
        journal.places.add_samples([(wall, cpu) for wall, cpu in QUIET])
        referee, step = Referee(journal), max(1, min(n, 2000))
        for number, first in enumerate(range(0, n, step), 1):
            block = journal.instances.block(number, first + 1, min(first + step, n))
            parts = (made[first : first + step] for made in searches.values())
            results = tuple(outcomes(block, k, part, -1 if maximise else 1) for k, part in enumerate(parts))
            lease = Lease(block, 0, tuple(range(len(results))))
            result = LeaseResult(lease, 1, number, number + 1, results, samples=())
            journal.leases.add(result, referee.judge_batches(results))
        referee.finalise_verdicts(journal)
    return path


def outcomes(block: Block, number: int, searches: Sequence[Made], sign: int) -> Outcomes:
    """Return the outcomes of a block; a search without a proof ran into the limit."""
    rows, solved, courses = np.zeros(len(searches), ROW), [], {}
    for i, made in enumerate(searches):
        end = LIMIT if made.proved is None else made.proved
        rows["wall"][i] = rows["cpu"][i] = rows["solve"][i] = end * NANO
        rows["status"][i] = Status.SATISFIABLE if made.values else Status.UNKNOWN
        rows["reason"][i] = Reason.NONE if made.proved is not None else Reason.TIMEOUT
        rows["found"][i], rows["complete"][i] = bool(made.values), made.proved is not None
        if made.values:
            solved.append([made.values[-1][1] >> k & 1 for k in range(DIGITS)])
        steps = [Step(round(t * NANO), StepKind.IMPROVED, sign * value) for t, value in made.values]
        steps += [Step(round(t * NANO), StepKind.BOUNDED, sign * bound) for t, bound in made.bounds]
        bound = sign * made.bounds[-1][1] if made.bounds else None
        value = sign * made.values[-1][1] if made.values else None
        courses[i] = Trajectory(tuple(sorted(steps)), value, bound)
    solutions = np.array(solved, np.uint16).reshape(-1, DIGITS)
    batch = Batch(number, 0, block.problem, block.puzzles, block.domains, len(searches))
    return Outcomes(batch, rows, solutions, {}, trajectories=courses)
