"""Run on a journal: solve, judge, finalise verdicts, as a reader of its results.

Run(journal).solve()    hand out leases, judge and commit their results one by one
.finish(state)          update verdicts to all evidence and store the state of the run
.results()              data of tables, summaries and pages
"""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING

from backends.contract.cores import cores_of
from harness.model.contender import Contender
from harness.model.errors import BadUsage, JournalLost
from harness.model.host import cores
from harness.model.lease import CHANGED, LATE_ANSWERS, REFUSED_PLACES, LeaseResult, instances_of
from harness.model.observing.clocks import Clocks
from harness.model.observing.observed import Observed
from harness.model.outcome import Outcomes
from harness.model.settings import Cluster, RunSettings
from harness.reporting.frame.reading import JudgedJournal
from harness.running import reference
from harness.running.blocks import Pace, deal, longest_first
from harness.running.cores import Cpus, allot, usable_cores
from harness.running.dealer import Dealer, Engine
from harness.running.engines.local import LocalPlaces
from harness.running.sources import files_by_format, with_sources
from harness.running.workers.run_context import Notify, OpenState, ignore
from harness.storing.journal import Journal

if TYPE_CHECKING:
    from harness.running.logs.keeping import RequestedLogs
    from harness.running.workers.run_context import MakeChecker
    from harness.running.workers.sandboxes import Sandboxes

COMMIT_S = 0.25  # seconds between commits, unless a lease takes longer: a killed run loses no more of complete leases


class Run(JudgedJournal):
    """Journal that a run writes, and its referee."""

    def __init__(self, journal: Journal) -> None:
        super().__init__(journal)
        self.noted = False  # True once it is noted that others write the journal

    def solve(
        self,
        notify: Notify = ignore,
        progress: Callable[[int], object] = int,
        keep_proofs: Path | None = None,
        cluster: Cluster | None = None,
        logs: "RequestedLogs | None" = None,
    ) -> Iterator[int]:
        """Run every lease that the journal does not hold yet, yielding the number of outcomes of each.

        `progress` is called with numbers of outcomes as they arrive, before their lease is complete. `keep_proofs` is a
        folder for copies of proofs and their formulas, and `logs` states what becomes of programs' outputs. Short
        leases are judged and committed together; when the generator ends or is closed, every outcome that has arrived
        is. Raises BadUsage, ClusterLost, JournalLost.
        """
        journal, settings = self.journal, self.settings
        missing = journal.leases.missing(journal.leases.whole())
        if journal.outcomes.repeats():
            self.referee.rejudge(journal, write=missing > 0)
        if not missing:
            return
        parts = journal.instances.parts()
        engine = self.engine(cluster, notify, progress, keep_proofs, logs)
        pace = Pace(instances_of(parts), len(self.contenders), engine.lease_size)
        fetch = with_sources(journal.instances.block, journal.facts.all())
        spans, durations = journal.leases.spans(), None
        if cluster is not None:
            parts, durations = (
                longest_first(parts, spans, journal.instances.sizes_of_lone_problems()),
                journal.leases.durations,
            )
        leased, finished = journal.leases.whole(), journal.leases.finished_contenders()
        leases = deal(fetch, parts, spans, leased, settings, pace, finished, durations)
        dealer = Dealer(engine, leases, self.admission(engine, pace, cluster), notify)
        arrived, committed = list[Sequence[LeaseResult]](), 0.0  # not committed yet; monotonic time of the last commit
        try:
            journal.places.add_samples(reference.measure())
            for results in dealer.run():
                arrived.append(results)
                if time.monotonic() - committed >= COMMIT_S:
                    ready, arrived = arrived, []
                    self.commit(ready)
                    committed = time.monotonic()
                    self.check_journal(notify)
                pace.update(results[-1])
                yield sum(len(some.rows) for result in results for some in result.outcomes)
        finally:
            self.commit([*arrived, *([unfinished] for unfinished in dealer.close())])
            journal.places.add_samples(reference.measure())
            self.store_opened(engine.opened())
            if dealer.late or dealer.refused:
                late = journal.facts.get(LATE_ANSWERS, 0) + dealer.late
                journal.facts.put(
                    **{LATE_ANSWERS: late, REFUSED_PLACES: journal.facts.get(REFUSED_PLACES, []) + dealer.refused}
                )

    def engine(
        self,
        cluster: Cluster | None,
        notify: Notify,
        progress: Callable[[int], object],
        keep_proofs: Path | None,
        logs: "RequestedLogs | None",
    ) -> Engine:
        """Return the places of a cluster, or those of this machine. Raises BadUsage."""
        settings, contenders = self.settings, self.contenders
        own = self.journal.path, contenders, self.journal.instances.name, notify, settings.programs
        keep = logs.keeper(*own) if logs else None
        if cluster is None:
            checker = self.proof_checker(keep_proofs, notify) if settings.proof else None
            inside = self.sandboxes() if settings.sandbox else None
            cpus = job_cpus(settings, contenders)
            return LocalPlaces(contenders, settings, cpus, notify, progress, checker, inside, keep)
        if not self.journal.leases.may_be_cut:
            raise BadUsage(f"{self.journal.path}: made before runs had clusters: resume it without --on")
        from harness.running.engines.dask import DaskPlaces

        return DaskPlaces(cluster, contenders, settings, notify, progress, keep)

    def proof_checker(self, keep: Path | None, notify: Notify) -> "MakeChecker":
        """Return the function that makes a checker of proofs, which keeps copies in a folder, if one is given."""
        from harness.judging.kept_proofs import KeptProofs
        from harness.judging.proof_checker import ProofChecker

        kept = KeptProofs(keep, self.contenders, self.journal.instances.name, notify) if keep else None
        return partial(ProofChecker, self.contenders, self.settings, kept)

    def sandboxes(self) -> "Sandboxes":
        """Return the sandboxes of --sandbox, with the files that programs read."""
        from harness.running.workers.sandboxes import Sandboxes

        return Sandboxes(self.settings, files_by_format(self.journal.facts.all()))

    def admission(self, engine: Engine, pace: Pace, cluster: Cluster | None) -> Callable[[str], int | str]:
        """Return the function that stores a joining place and returns its number, or the reason to refuse it."""
        same_cpu = cluster is not None and cluster.same_cpu

        def admit(place: str) -> int | str:
            facts = engine.facts(place)
            cpus = {str(known.host["cpu"]) for known in self.journal.places.all()} if same_cpu else set()
            if cpus - {facts.host["cpu"]}:
                return f"another processor, {facts.host['cpu']}, not {', '.join(sorted(cpus))} (--same cpu)"
            pace.places += 1
            return self.journal.places.add([facts])[0]

        return admit

    def store_opened(self, states: Sequence[OpenState]) -> None:
        """Store the reports of workers (versions, setup, clocks) and the observations of them."""
        facts = self.journal.facts.all()
        before, seen = Clocks.stored(facts), Observed.stored(facts)
        sums, sums_observed = {}, {}
        for number, state in enumerate(states):
            if state.version:
                self.journal.contenders.set_opened(number, state.version, state.setup)
            name = self.contenders[number].name
            sums[name] = asdict(before.get(name, Clocks()).plus(state.clocks))
            sums_observed[name] = asdict(seen.get(name, Observed()).plus(state.observed))
        self.journal.facts.put(**{Clocks.key: sums, Observed.key: sums_observed})

    def commit(self, leases: Sequence[Sequence[LeaseResult]]) -> None:
        """Judge the outcomes of leases together, and store them in one transaction."""
        outcomes = [self.unscrambled(result) for results in leases for result in results]
        judged = iter(self.referee.judge_batches(list(chain.from_iterable(outcomes))))
        self.journal.leases.add_all(
            [[(r, list(islice(judged, len(r.outcomes)))) for r in results] for results in leases]
        )

    def check_journal(self, notify: Notify) -> None:
        """Note once that others have written the journal. Raises JournalLost if it was moved, replaced or deleted."""
        journal = self.journal
        if journal.watch and journal.watch.changes and not self.noted:
            self.noted = True
            notify(f"{journal.path}: another program writes to it while the run does, against its lock")
        if journal.lost:
            raise JournalLost(f"{journal.path} was deleted, moved or replaced while the run wrote it")

    def unscrambled(self, result: LeaseResult) -> tuple[Outcomes, ...]:
        """Return the outcomes of one place, on the instances of the journal."""
        if not self.settings.scramble:
            return result.outcomes
        from harness.running.scramble import unscrambled

        return tuple(unscrambled(batch, self.settings.seed) for batch in result.outcomes)

    def finish(self, state: str, notify: Notify = ignore) -> None:
        """Update the verdicts to all evidence and store the state of the run; save the journal if it is lost.

        If others have written the journal, leases that lack outcomes will be run again. Raises BadUsage.
        """
        journal = self.journal
        self.referee.finalise_verdicts(journal)
        changes = (journal.watch.changes if journal.watch else 0) + journal.lost
        if changes:
            missing = journal.leases.run_again() + journal.leases.missing(journal.leases.all())
            if state == "complete" and missing:
                state = "interrupted"
            journal.facts.put(**{CHANGED: journal.facts.get(CHANGED, 0) + changes})
        journal.facts.put(state=state)
        if journal.lost:
            before, saved = journal.path, journal.save_lost()
            notify(f"{before} is gone or another file: what the run holds is saved as {saved}")


def job_cpus(settings: RunSettings, contenders: Sequence[Contender]) -> list[Cpus]:
    """Return the cores of each job, as many as the largest contender has; () for any."""
    if not settings.pin or not cores():
        return [()] * settings.jobs
    return allot(usable_cores(), settings.jobs, max(cores_of(c.backend) for c in contenders))
