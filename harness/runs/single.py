"""One contender asked about single instances, by a worker that stays open between them.

asker   worker of the contender, its limits, and the folder of its files
growing  values that the running ask has reported, as the judge evaluated them
"""

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from backends.contract.answer import Status
from harness.judging.proof_checker import ProofChecker
from harness.model.contender import Contender
from harness.model.lease import Block, Lease, LeaseResult
from harness.model.outcome import Outcomes, SourceDigest
from harness.model.settings import RunSettings
from harness.running.engines.local import LocalPlaces
from harness.running.place import LeaseRunner
from harness.running.sources import original_of
from harness.running.workers.following import LOOK_S, GrowingTrajectory
from harness.running.workers.run_context import Notify, ignore
from puzzles.closing import Closing
from puzzles.problem import Instance
from puzzles.problem.columns import pack


class Asker(Closing):
    """Worker of one contender, which starts with the first ask. It has to be closed.

    The first ask takes the start of a process and its imports; later ones take milliseconds beside the solver's own
    time.
    """

    def __init__(self, contender: Contender, settings: RunSettings, notify: Notify = ignore) -> None:
        self.contender, self.settings, self.notify = contender, settings, notify
        self.places: LocalPlaces | None = None
        self.asked = self.answered = 0

    def ask(self, instance: Instance[Any], original: SourceDigest | None = None) -> Outcomes:
        """Return the outcome of one instance, which a program may get as its original file."""
        *_, outcomes = self.search(instance, original)
        assert isinstance(outcomes, Outcomes)
        self.answered += int((outcomes.rows["status"] != Status.UNKNOWN).sum())
        return outcomes

    def search(
        self, instance: Instance[Any], original: SourceDigest | None = None
    ) -> Iterator[GrowingTrajectory | Outcomes]:
        """Yield the reports of an ask each time that its best value has improved, and last its outcome.

        The worker is ended if the caller leaves before that.
        """
        runner = self.runner()
        self.asked += 1
        domains = pack(instance.problem, [instance.domains])
        block = Block(self.asked, instance.problem, np.array([1]), domains, original)
        runner.begin(Lease(block, 0, (0,)))
        best: int | None = None
        result: LeaseResult | None = None
        try:
            while (result := runner.advance()) is None:
                growing = runner.pool.growing
                if growing is not None and growing.value is not None and growing.value != best:
                    best = growing.value
                    yield growing
                runner.wait(LOOK_S)
        finally:
            if result is None:
                self.close()
        yield from result.outcomes

    def runner(self) -> LeaseRunner:
        """Return the place, opened if it is not."""
        if self.places is None:
            checker = partial(ProofChecker, [self.contender], self.settings, None) if self.settings.proof else None
            self.places = LocalPlaces([self.contender], self.settings, notify=self.notify, checker=checker)
        (runner,) = self.places.runners.values()
        return runner

    def close(self) -> None:
        """End the worker and remove its files; a later ask starts another one."""
        if self.places is not None:
            self.places.close()
            self.places = None


def ask(instance: Instance[Any], contender: Contender, settings: RunSettings, notify: Notify) -> Outcomes:
    """Return the outcome of one instance, by a worker for it alone; a program of its format gets its file."""
    with Asker(contender, settings, notify) as asker:
        return asker.ask(instance, original_of(instance, contender.backend))
