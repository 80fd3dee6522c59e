"""Batch that a worker solves: its state while it runs, and what stands of its answers when they are collected."""

import contextlib
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from backends.contract.answer import Reason, Status
from harness.model.observing.clocks import Scheduled
from harness.model.observing.observed import Basis, Observed
from harness.model.outcome import Batch, Rows
from harness.model.settings import RunSettings
from harness.model.trajectory import Trajectory
from harness.running.workers.following import Follower, GrowingTrajectory, MistimedReport, stated
from harness.running.workers.limits import BatchWatch, OpeningWatch
from harness.running.workers.standing import Given, earlier_answers, reported, settle, with_faults
from harness.running.workers.worker_process import WorkerProcess
from puzzles.problem.arrays import BoolArray, Int8Array, Solutions

GRACE_SLACK_NS = 100_000_000  # delay allowed for the answer of a terminated program after its grace


class StandingAnswers(NamedTuple):
    """Answers of a batch that stand: solutions, trajectories by position, and notes on what was replaced."""

    solutions: Solutions
    trajectories: dict[int, Trajectory]
    notes: dict[int, str]


@dataclass
class RunningBatch:
    """Batch that a worker solves, or opens its contender for.

    watch     over the opening, then over the batch
    unopened  True until the worker has said that its contender is open
    setup     nanoseconds of an opening that was sent with the batch, and of its CPU time
    follower  of a batch with an objective
    details   notes on outcomes, by position
    waited, stopped  nanoseconds for which the parent only waited, and was stopped, before the batch
    scheduled, cpu   of the worker, before the batch
    """

    batch: Batch
    child: WorkerProcess
    unopened: bool
    watch: OpeningWatch | BatchWatch = field(init=False)
    setup: tuple[int, int] = (0, 0)
    follower: Follower | None = None
    details: dict[int, str] = field(default_factory=dict)
    waited: int = 0
    stopped: int = 0
    scheduled: Scheduled = field(default_factory=Scheduled)
    cpu: float = 0.0

    @property
    def opening(self) -> bool:
        """True while the worker opens its contender."""
        watch = self.watch
        return self.unopened and (isinstance(watch, OpeningWatch) or watch.opens(watch.progress()))

    def in_time(self, rows: Rows, faults: Collection[int], settings: RunSettings) -> StandingAnswers:
        """Turn answers after a limit into timeouts; return the solutions that stand, trajectories, and notes."""
        shared, batch, n = self.child.shared, self.batch, len(rows)
        late = rows["wall"] > settings.limit * 1e9
        if settings.cpu is not None:
            late |= rows["cpu"] > settings.cpu * 1e9
        late &= rows["status"] != Status.UNKNOWN
        given, trajectories = earlier_answers(shared, rows), dict[int, Trajectory]()
        every = shared.solutions[:n].copy() if given or late.any() or self.follower else shared.solutions[:n]
        if self.follower is not None:
            trajectories = self.best_standing(rows, every, late, given, settings)
        elif late.any():
            for i in np.flatnonzero(late).tolist():
                given.setdefault(i, []).append(Given.of(rows[i], every[i]))
            rows["status"][late], rows["reason"][late] = Status.UNKNOWN, Reason.TIMEOUT
            rows["complete"][late], rows["found"][late] = 0, 0
        for i in faults:
            given.pop(i, None)
        notes = settle(batch.problem, batch.domains, rows, every, given, trajectories) if given else {}
        return StandingAnswers(every, trajectories, notes)

    def best_standing(
        self, rows: Rows, every: Solutions, late: BoolArray, given: dict[int, list[Given]], settings: RunSettings
    ) -> dict[int, Trajectory]:
        """Replace answers that are late, or not as good as an improvement, by the best that was reported in time.

        What a terminated program prints within its grace is not late, but proves nothing. What is replaced, and what
        was reported in earlier asks, joins the answers that are `given` beside the last. Returns the trajectories.
        """
        assert self.follower is not None
        shared, trajectories = self.child.shared, dict[int, Trajectory]()
        repeated = shared.read_progress(len(rows)).again
        last_ns = (settings.limit + settings.grace) * 1e9 + GRACE_SLACK_NS
        graced = self.child.prints_late & (rows["wall"] <= last_ns)
        for i in range(len(rows)):
            growing = self.follower.of(i, repeated and i == len(rows) - 1)
            value, bound = stated(shared.stated[i]), stated(shared.bounds[i])
            own, replaced = Given.of(rows[i], every[i], value), False
            if late[i] and graced[i]:
                replaced = bool(rows["complete"][i])
                rows["reason"][i], rows["complete"][i] = Reason.TIMEOUT, 0
            elif late[i] or (growing.beats(value) and not rows["complete"][i]):
                reason, replaced = Reason.TIMEOUT if late[i] else rows["reason"][i], True
                value = growing.stand(rows[i : i + 1], every[i : i + 1, 0], reason)
            trajectories[i] = growing.trajectory(value, None if late[i] else bound)
            if replaced:
                given.setdefault(i, []).append(own)
            for before in self.follower.before.get(i, ()):
                trajectories[i] = with_faults(trajectories[i], before)
                if before.best is not None or before.bound is not None:
                    given.setdefault(i, []).append(reported(before))
        return trajectories

    def add_seen_peaks(self, rows: Rows, bases: Int8Array, observed: Observed) -> None:
        """Raise peaks to the sums seen over several processes; count the processes that peaks cover."""
        assert isinstance(self.watch, BatchWatch)
        for i, group_peak in self.watch.peaks.items():
            if 0 <= i < len(rows) and rows["peak"][i] >= 0 and bases[i] != Basis.SOLVER:
                seen = self.watch.peaks_below[i] if bases[i] == Basis.PROGRAM else group_peak
                rows["peak"][i] = max(rows["peak"][i], seen)
        for basis in (Basis.PROGRAM, Basis.WORKER, Basis.GROUP, Basis.SOLVER):
            observed.count(basis, int(((bases == basis) & (rows["peak"] >= 0)).sum()))

    def last_trajectory(self, position: int) -> GrowingTrajectory | None:
        """Return the reports of an ask whose worker has ended, None without an objective."""
        if self.follower is None:
            return None
        with contextlib.suppress(MistimedReport):  # it is an error already, or the worker was killed
            self.follower.look()
        return self.follower.of(position)
