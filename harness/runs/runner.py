"""Run on a journal: solve, judge, finalise verdicts, aggregate, summarise. Journal commands use it.

Run(journal).solve()    hand out leases, judge and commit their results one by one
Run(journal).rejudge()  rebuild the same evidence from the stored outcomes, without solving
.finish(state)          update verdicts to all evidence and store the state of the run
.results()              data of tables, summaries and pages
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from harness.judging.kept_proofs import KeptProofs
from harness.judging.proof_checker import ProofChecker
from harness.judging.referee import Referee
from harness.model import clocks
from harness.model.host import cores, host, versions
from harness.model.lease import LeaseResult, Place, instances_of
from harness.reporting.results import Results, aggregate
from harness.reporting.summary import summarise
from harness.running import reference
from harness.running.dealer import Pace, deal
from harness.running.environment import recorded_variables
from harness.running.scramble import unscrambled
from harness.running.sources import with_sources
from harness.running.supervisor import Supervisor
from harness.running.workers.worker_pool import Notify, ignore
from harness.storing.journal import Journal


class Run:
    """Journal and its referee."""

    def __init__(self, journal: Journal) -> None:
        self.journal, self.settings = journal, journal.settings()
        self.contenders = journal.contenders()
        self.referee = Referee(journal)

    def solve(
        self, notify: Notify = ignore, progress: Callable[[int], object] = int, keep_proofs: Path | None = None
    ) -> Iterator[int]:
        """Run every lease that the journal does not hold yet, yielding the number of outcomes of each.

        `progress` is called with numbers of outcomes as they arrive, before their lease is complete. `keep_proofs` is a
        folder for copies of proofs and their formulas. When the generator ends or is closed, every outcome that has
        arrived is judged and committed.
        """
        journal, settings = self.journal, self.settings
        if journal.repeats():
            self.referee.rejudge(journal, write=True)
        parts = journal.parts()
        pace = Pace(instances_of(parts), len(self.contenders))
        fetch = with_sources(journal.block, journal.meta())
        leases = deal(fetch, parts, journal.spans(), journal.whole_leases(), settings, pace)
        places = self.places()
        journal.add_samples(reference.measure())
        kept = KeptProofs(keep_proofs, self.contenders, journal.name, notify) if keep_proofs else None
        checker = partial(ProofChecker, self.contenders, settings, kept) if settings.proof else None
        supervisor = Supervisor(self.contenders, settings, places, notify, checker)
        try:
            for result in supervisor.run(reference.sampled(leases), progress):
                self.commit(result)
                pace.update(result)
                yield sum(len(some.rows) for some in result.outcomes)
        finally:
            for unfinished in supervisor.close():
                self.commit(unfinished)
            journal.add_samples(reference.measure())
            before = clocks.stored(journal.meta())
            sums = {}
            for number, state in enumerate(supervisor.opened):
                if state.version:
                    journal.set_opened(number, state.version, state.setup)
                name = self.contenders[number].name
                sums[name] = asdict(before.get(name, clocks.Clocks()).plus(state.clocks))
            journal.put(**{clocks.KEY: sums})

    def places(self) -> Mapping[int, int | None]:
        """Return the core of each job by place id, highest core first: system work mostly runs on the lowest."""
        free = cores() if self.settings.pin else []
        chosen = [free[-1 - job] if job < len(free) else None for job in range(self.settings.jobs)]
        here, now = host(), versions()
        ids = self.journal.add_places([Place(here, core, now, recorded_variables()) for core in chosen])
        return dict(zip(ids, chosen, strict=True))

    def commit(self, result: LeaseResult) -> None:
        """Judge the outcomes of a lease and store them."""
        outcomes = result.outcomes
        if self.settings.scramble:
            outcomes = tuple(unscrambled(batch, self.settings.seed) for batch in outcomes)
        self.journal.add(result, [self.referee.judge_batch(batch) for batch in outcomes])

    def rejudge(self, write: bool = False) -> "Run":
        """Judge all stored outcomes again; with `write`, store the new verdicts."""
        self.referee.rejudge(self.journal, write)
        return self

    def finish(self, state: str) -> None:
        """Update the verdicts to all evidence and store how the run ended."""
        self.referee.finalise_verdicts(self.journal)
        self.journal.put(state=state)

    def results(self) -> Results:
        """Return the data of tables, summaries and comparisons."""
        return aggregate(self.journal, self.referee)

    def summary(self) -> dict[str, Any]:
        """Return the summary that docs/summary.md describes."""
        return summarise(self.results())
