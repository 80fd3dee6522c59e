"""A run on its journal: solve, judge, finalise the verdicts, aggregate, summarise. Every verb over journals goes here.

Run(journal).solve()    leases out, results back, judged and committed one by one
Run(journal).rejudge()  the same evidence from what is stored, without solving
.finish(state)          verdicts brought up to all evidence; the run's state stored
.results()              everything that tables, summaries and pages are drawn from
"""

from collections.abc import Iterator, Mapping
from typing import Any

from harness.judging.referee import Referee
from harness.model.host import cores, host, versions
from harness.model.lease import LeaseResult, Place
from harness.reporting.results import Results, aggregate
from harness.reporting.summary import summarise
from harness.running import reference
from harness.running.dealer import Pace, deal
from harness.running.environment import recorded_variables
from harness.running.scramble import unscrambled
from harness.running.supervisor import Supervisor
from harness.running.worker_pool import Notify, ignore
from harness.storing.journal import Journal

SHOWN_S = 0.2  # seconds between two steps of progress


class Run:
    """A journal and its referee."""

    def __init__(self, journal: Journal) -> None:
        self.journal, self.settings = journal, journal.settings()
        self.contenders = journal.contenders()
        self.referee = Referee(journal)

    def solve(self, notify: Notify = ignore) -> Iterator[int]:
        """Run every lease that the journal does not hold yet; yields numbers of outcomes as they come.

        When this ends, by itself or from outside, everything that had come is judged and committed.
        """
        journal, settings = self.journal, self.settings
        if journal.repeats():
            self.referee.rejudge(journal, write=True)
        pace = Pace(journal.size(), len(self.contenders))
        leases = deal(journal.block, journal.spans(), journal.whole_leases(), settings, pace)
        places = self.places()
        journal.add_samples(reference.measure())
        supervisor = Supervisor(self.contenders, settings, places, notify)
        try:
            came: list[int] = []
            for result in supervisor.run(reference.sampled(leases), came.append):
                self.commit(result)
                pace.update(result)
                yield sum(came)
                came.clear()
        finally:
            for unfinished in supervisor.close():
                self.commit(unfinished)
            journal.add_samples(reference.measure())
            for number, state in enumerate(supervisor.opened):
                if state.version:
                    journal.set_opened(number, state.version, state.setup)

    def places(self) -> Mapping[int, int | None]:
        """A core for each job by id of its place, the last first: systems keep their own work on the first."""
        free = cores() if self.settings.pin else []
        chosen = [free[-1 - job] if job < len(free) else None for job in range(self.settings.jobs)]
        here, now = host(), versions()
        return dict(
            zip(
                self.journal.add_places([Place(here, core, now, recorded_variables()) for core in chosen]),
                chosen,
                strict=True,
            )
        )

    def commit(self, result: LeaseResult) -> None:
        """Judge what came of a lease, and store it."""
        outcomes = result.outcomes
        if self.settings.scramble:
            outcomes = tuple(unscrambled(some, self.settings.seed) for some in outcomes)
        self.journal.add(result, [self.referee.judge_batch(some) for some in outcomes])

    def rejudge(self, write: bool = False) -> "Run":
        """Take in everything that is stored; with `write`, store what the judge now says of the solutions."""
        self.referee.rejudge(self.journal, write)
        return self

    def finish(self, state: str) -> None:
        """Bring the verdicts up to all evidence, and store how the run ended."""
        self.referee.finalise_verdicts(self.journal)
        self.journal.put(state=state)

    def results(self) -> Results:
        """Everything that tables, summaries and comparisons are drawn from."""
        return aggregate(self.journal, self.referee)

    def summary(self) -> dict[str, Any]:
        """The summary, as docs/summary.md describes it."""
        return summarise(self.results())
