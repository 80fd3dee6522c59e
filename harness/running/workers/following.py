"""The parent's side of reports: each improvement is evaluated as soon as it is read, so that only judged ones count.

A report is stamped by its worker. The parent looks at least every LOOK_S, so a stamp is false if it is later than its
reading, or earlier than the look before, which did not find it. By more than SLACK_NS this is an
error of the contender: for the early side it is longer, since a busy host may hold a worker between its stamp and its
report. By less the stamp is moved into that time, so nothing is gained by it.
"""

import time
from dataclasses import dataclass, field, replace

import numpy as np

from backends.contract.answer import Status
from harness.model.outcome import Outcomes, Rows
from harness.model.trajectory import Step, StepKind, Trajectory
from harness.running.workers.reports import Report, Slots, value_of
from puzzles.problem import Problem
from puzzles.problem.arrays import Solutions, UInt64Array
from puzzles.problem.columns import index_type, mask_type, valid
from puzzles.problem.values import Solution

LOOK_S = 0.05  # seconds between looks at the reports of an ask
SLACK_NS = {"before": 250_000_000, "after": 20_000_000}  # tolerance of a stamp
MAX_STEPS = 1 << 17  # steps kept of an ask; further improvements are counted as dropped, but for the last


class MistimedReport(Exception):
    """A report is stamped with a time at which it was not written; the text says how far off."""


@dataclass
class GrowingTrajectory:
    """Reports read so far of one ask: steps, the best solution with its value, the greatest bound.

    limit  nanoseconds after which an improvement is late: it does not stand
    """

    problem: Problem
    domains: UInt64Array  # of the one instance: [1, variables, words]
    limit: float = float("inf")
    run: int = 0
    steps: list[Step] = field(default_factory=list)
    best: Solution | None = None
    value: int | None = None
    claimed: int | None = None
    bound: int | None = None
    dropped: int = 0
    faults: int = 0

    def take(self, report: Report, ns: int, bound: bool) -> None:
        """Add a report at a time since the ask began."""
        if ns > self.limit:
            return
        if bound:
            self.take_bound(report.value, ns)
        elif report.solution is None:
            self.take_claim(report.value, ns)
        else:
            self.take_solution(report, ns, report.solution)

    def take_bound(self, value: int | None, ns: int) -> None:
        if value is not None and (self.bound is None or value > self.bound):
            self.bound = value
            self.add(Step(ns, StepKind.BOUNDED, value))

    def take_claim(self, value: int | None, ns: int) -> None:
        if value is not None and (self.claimed is None or value < self.claimed):
            self.claimed = value
            self.add(Step(ns, StepKind.CLAIMED, value))

    def take_solution(self, report: Report, ns: int, solution: Solution) -> None:
        """Evaluate a solution; keep the best one so far, and the first false one."""
        value = evaluated(self.problem, self.domains, solution)
        if value is None or value != report.value:
            self.faults += 1
            if self.faults == 1:
                stated = report.value if value is None or report.value is not None else value
                self.steps.append(Step(ns, StepKind.IMPROVED, value, stated))
            return
        if self.value is None or value < self.value:
            self.best, self.value = solution, value
            self.add(Step(ns, StepKind.IMPROVED, value))

    def add(self, step: Step) -> None:
        """Keep a step; of too many the last replaces the one before."""
        if len(self.steps) < MAX_STEPS:
            self.steps.append(step)
        else:
            self.steps[-1], self.dropped = step, self.dropped + 1

    def beats(self, value: int | None) -> bool:
        """Return True if a report is better than an answer with this value; None: than an answer without a solution."""
        return self.value is not None and (value is None or self.value < value)

    def stand(self, row: Rows, solution: Solutions, reason: int) -> int | None:
        """Write the best solution in place of an answer, or none, with the reason why nothing better is shown.

        row is ROW[1], solution uint[1, variables]. Returns the value.
        """
        found = self.best is not None
        row["status"] = Status.SATISFIABLE if found else Status.UNKNOWN
        row["found"], row["complete"], row["reason"] = found, 0, reason
        if self.best is not None:
            solution[0] = self.best
        return self.value

    def trajectory(self, stated: int | None = None, bound: int | None = None) -> Trajectory:
        """Return the trajectory, with the statements of the answer."""
        bounds = [b for b in (self.bound, bound) if b is not None]
        return Trajectory(tuple(self.steps), stated, max(bounds, default=None), self.dropped, self.faults)


def evaluated(problem: Problem, domains: UInt64Array, solution: Solution) -> int | None:
    """Return the value of a solution on the instance; None if it does not solve the instance."""
    assert problem.objective is not None
    column = np.array([solution], index_type(problem))
    if not valid(problem, domains.astype(mask_type(problem.values)), column)[0]:
        return None
    return int(problem.objective.values(column, problem)[0])


def with_best(outcomes: Outcomes, growing: GrowingTrajectory) -> Outcomes:
    """Return an outcome without an answer with the best reported solution instead, if there is one."""
    rows, solution = outcomes.rows, np.zeros((1, len(growing.problem.variables)), index_type(growing.problem))
    value = growing.stand(rows, solution, int(rows["reason"][0]))
    return replace(
        outcomes,
        solutions=solution[: len(solution) * int(rows["found"][0])],
        trajectories={0: growing.trajectory(value)},
    )


def stated(cell: bytes) -> int | None:
    """Return the value that an answer states, from its cell in shared memory; None without a possible value."""
    return value_of(bytes(cell)) if cell else None


class Follower:
    """Trajectories of the asks of a batch by position, read from the slots of its worker."""

    def __init__(self, problem: Problem, domains: UInt64Array, limit: float, slots: Slots) -> None:
        self.problem, self.domains, self.limit, self.slots = problem, domains, limit, slots
        self.trajectories: dict[int, GrowingTrajectory] = {}
        self.before: dict[int, list[GrowingTrajectory]] = {}  # of the asks that were repeated, in order
        self.last = {0: 0, 2: 0}  # numbers of the last reports
        self.looked = time.monotonic_ns()
        self.mistimed: dict[int, str] = {}  # positions of asks with a report that is stamped falsely, and how far off

    @property
    def due(self) -> float:
        """Monotonic time of the next look."""
        return self.looked / 1e9 + LOOK_S

    def look(self) -> None:
        """Read new reports. Raises MistimedReport."""
        self.slots.head[0] = self.slots.head[1]  # first: a report that is written from now on is told of
        before, self.looked = self.looked, time.monotonic_ns()
        found = [(report, first > 0) for first in (0, 2) for report in self.slots.read(first, self.last[first])]
        read = time.monotonic_ns()  # a busy host may hold the parent before it reads
        for report, bound in sorted(found, key=lambda one: one[0].ns):
            first = 2 if bound else 0
            lost, self.last[first] = report.number - self.last[first] - 1, report.number
            if not 0 <= report.position < len(self.domains):
                continue
            growing = self.of_report(report)
            growing.dropped += 0 if bound else max(0, lost)
            growing.take(report, max(0, self.timed(report, before, read) - report.since), bound)

    def of_report(self, report: Report) -> GrowingTrajectory:
        """Return the trajectory of a report's ask, a new one if the ask is another than before."""
        at, known = report.position, self.trajectories.get(report.position)
        if known is None or known.run != report.run:
            if known is not None:
                self.before.setdefault(at, []).append(known)
            own = self.domains[at : at + 1]
            self.trajectories[at] = GrowingTrajectory(self.problem, own, self.limit, report.run)
        return self.trajectories[at]

    def timed(self, report: Report, before: int, read: int) -> int:
        """Return the stamp of a report, moved between the last look and its reading. Raises MistimedReport."""
        possible = min(max(report.ns, before), read)
        off = possible - report.ns
        side = "before" if off > 0 else "after"
        if abs(off) > SLACK_NS[side]:
            how = f"{abs(off) / 1e9:.3f} s {side} it was written"
            self.mistimed[report.position] = f"malformed reply: a report is stamped at least {how}"
            raise MistimedReport(f"a report is stamped at least {how}")
        return possible

    def of(self, position: int, repeated: bool = False) -> GrowingTrajectory:
        """Return the trajectory of a position; of an ask that is being repeated, that of the ask before."""
        before = self.before.get(position, ())
        found = (before[-1] if before else None) if repeated else self.trajectories.get(position)
        return found or GrowingTrajectory(self.problem, self.domains[position : position + 1], self.limit)
