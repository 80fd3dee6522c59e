"""Place: a core of a machine, or several, with workers, which runs one lease at a time without blocking."""

import select
import time
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from itertools import chain

from harness.model.host import PLACE_CORES, host, versions
from harness.model.lease import INTERRUPTED, PART, WHOLE, Lease, LeaseResult, Place, Sample
from harness.model.observing.presence import PRESENCE
from harness.model.outcome import Outcomes
from harness.running.blocks import worker_capacity
from harness.running.cores import Cpus, kind_of
from harness.running.environment import recorded_variables
from harness.running.workers.run_context import LeaseChecker, RunContext
from harness.running.workers.worker_pool import WorkerPool
from harness.running.workers.worker_process import WorkerProcess

MAX_WAIT_S = 1.0  # longest single wait
NEVER = float("inf")
POLL_S = 0.05  # seconds between polls if the system can't signal the end of a process


def facts(cpus: Cpus, pass_env: Sequence[str] = (), salt: str = "") -> Place:
    """Return cores of this machine in the journal's form, with the variables of --pass-env."""
    several = {PLACE_CORES: ",".join(map(str, cpus))} if len(cpus) > 1 else {}
    machine, kind = host(), kind_of(cpus)
    if kind:
        machine["cpu"] = f"{machine['cpu']}, {kind}"
    return Place(machine | several, cpus[0] if cpus else None, versions(), recorded_variables(pass_env, salt))


class LeaseRunner:
    """Workers, checker and reference work of a place.

    `alone`: no other place of the run shares the machine, so workers may load their code on all cores.
    """

    def __init__(self, context: RunContext, cpus: Cpus, alone: bool = False) -> None:
        self.pool = WorkerPool(context, cpus, () if alone else cpus)
        self.keep = context.keep or (lambda outcomes: outcomes)
        self.checker = context.checker(context.reaper, cpus[0] if cpus else None) if context.checker else None
        self.sampler = context.sampler
        self.lease: Lease | None = None
        self.samples: tuple[Sample, ...] = ()
        self.began = self.started = 0  # nanoseconds: since the epoch, and monotonic
        self.outcomes: list[Outcomes] = []
        self.begun = self.checked = 0  # numbers of outcomes, the first ones, whose checks have begun, and are done

    def begin(self, lease: Lease) -> None:
        """Take a lease, after the end of the previous one."""
        self.samples = self.sampler.sample()
        self.lease, self.outcomes, self.begun, self.checked = lease, [], 0, 0
        self.pool.paused = False
        self.began, self.started = time.time_ns(), time.monotonic_ns()
        self.pool.begin(lease.batches())

    def advance(self, progress: Callable[[int], object] = int) -> LeaseResult | None:
        """Do all work that needs no waiting; return the result when the lease is complete.

        `progress` receives numbers of new outcomes.
        """
        while True:
            for outcomes in self.pool.advance():
                self.outcomes.append(self.keep(outcomes))
                progress(len(outcomes.rows))
                contender = outcomes.batch.contender
                self.pool.paused = self.checker is not None and contender in self.complete_contenders(self.outcomes)
            if (self.pool.busy() and not self.pool.paused) or not self.check():
                return None
            if not self.pool.busy():
                return self.result(WHOLE)
            self.pool.paused = False

    def check(self) -> bool:
        """Check the outcomes so far; return False while checks are running."""
        if self.checker is not None and self.begun < len(self.outcomes):
            new = self.outcomes[self.begun :]
            self.checker.begin(new)
            self.outcomes[self.begun :] = new
            self.begun = len(self.outcomes)
        if self.checker is not None and not self.checker.advance():
            return False
        self.checked = len(self.outcomes)
        return True

    def result(self, whole: int) -> LeaseResult:
        """Return the outcomes of the lease so far, and end it."""
        assert self.lease is not None
        lease, self.lease = self.lease, None
        return LeaseResult(lease, 0, self.began, self.now(), tuple(self.outcomes), whole, self.samples)

    def now(self) -> int:
        """Return the time since the epoch, whatever has happened to the clock since the lease began."""
        return self.began + time.monotonic_ns() - self.started

    def part(self, known: Collection[int]) -> LeaseResult | None:
        """Return the outcomes of complete, checked batches of the lease that are not known; None if there are none."""
        if self.lease is None:
            return None
        done = self.outcomes if self.checker is None else self.outcomes[: self.checked]
        new = self.complete_contenders(done) - set(known)
        outcomes = tuple(some for some in done if some.batch.contender in new)
        return LeaseResult(self.lease, 0, self.began, self.now(), outcomes, PART) if new else None

    def complete_contenders(self, outcomes: Sequence[Outcomes]) -> set[int]:
        """Return the contenders with an outcome of every instance of the lease."""
        assert self.lease is not None
        done = Counter[int]()
        for some in outcomes:
            done[some.batch.contender] += len(some.rows)
        return {contender for contender, number in done.items() if number == len(self.lease.block.puzzles)}

    def wait(self, longest: float = MAX_WAIT_S) -> None:
        """Sleep until there may be work that needs no waiting, at most `longest` seconds."""
        wait_all([self], longest)

    def close(self) -> LeaseResult | None:
        """End all workers; return the partial result of a running lease, if any."""
        if self.checker is not None:
            self.checker.close()
        if self.lease is not None:
            self.outcomes += map(self.keep, self.pool.collect_finished())
        self.pool.close()
        return self.result(INTERRUPTED) if self.lease is not None and self.outcomes else None


def workers_of_place(places: int) -> int:
    """Return the largest number of workers of a place, for the number of places of the machine."""
    return max(1, worker_capacity() // places)


def wait(pools: Sequence[WorkerPool], checkers: Sequence[LeaseChecker] = (), longest: float = MAX_WAIT_S) -> None:
    """Sleep until a worker or checker replies, prints, ends or reaches its deadline, at most `longest`."""
    for pool in pools:
        pool.reap_idle()
    children = [child for pool in pools for child in pool.workers.children.values()]
    due = min(*(pool.due() for pool in pools), *(c.deadline() for c in checkers), NEVER) - time.monotonic()
    timeout = min(max(0.0, due) + 0.001, longest)
    if any(child.pidfd < 0 for child in children) or any(pool.settings.cpu is not None for pool in pools):
        timeout = min(timeout, POLL_S)
    poll = select.poll()
    watched: list[WorkerProcess | LeaseChecker] = [*children, *checkers]
    for fd in chain.from_iterable(one.open_fds() for one in watched):
        poll.register(fd, select.POLLIN)
    waited = PRESENCE.wait(poll, timeout)
    for pool in pools:
        pool.waited += waited
    for child in children:
        child.drain()


def wait_all(runners: Sequence[LeaseRunner], longest: float = MAX_WAIT_S) -> None:
    """Sleep until one of the places may have work that needs no waiting, at most `longest` seconds."""
    checkers = [runner.checker for runner in runners if runner.checker is not None]
    wait([runner.pool for runner in runners], checkers, longest)
