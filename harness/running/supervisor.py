"""Supervisor: run leases at places and yield their results, each lease as a whole."""

import select
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import TracebackType
from typing import Protocol, Self

from harness.model.contender import Contender
from harness.model.lease import Lease, LeaseResult
from harness.model.outcome import Outcomes
from harness.model.settings import RunSettings
from harness.running.dealer import worker_capacity
from harness.running.environment import temporary_folder
from harness.running.reaper import Reaper
from harness.running.workers.worker_pool import Notify, OpenState, WorkerPool, ignore

MAX_WAIT_S = 1.0  # at a time: a wait that is longer was a suspended process, and does not count as waiting
NEVER = float("inf")
POLL_S = 0.05  # between polls if the system can't signal the end of a process
UNPINNED: Mapping[int, int | None] = {0: None}


class LeaseChecker(Protocol):
    """Work of a place on the outcomes of a lease after its last contender: checks of proofs."""

    def begin(self, outcomes: list[Outcomes]) -> None: ...
    def advance(self) -> bool: ...
    def open_fds(self) -> list[int]: ...
    def deadline(self) -> float: ...
    def close(self) -> None: ...


class Supervisor:
    """Places with workers, each running one lease at a time; close it, or use it in a with statement.

    `places` maps the id of each place to its core, None for any. `notify` receives reasons for slow openings. `checker`
    makes the checker of a place from the reaper and its core.
    """

    def __init__(
        self,
        contenders: Sequence[Contender],
        settings: RunSettings,
        places: Mapping[int, int | None] = UNPINNED,
        notify: Notify = ignore,
        checker: Callable[[Reaper, int | None], LeaseChecker] | None = None,
    ) -> None:
        self.opened = [OpenState(settings.warmup) for _ in contenders]
        self.reaper = Reaper(temporary_folder())
        max_workers = max(1, worker_capacity() // len(places))
        self.pools = {
            place: WorkerPool(contenders, settings, self.opened, self.reaper, core, notify, max_workers)
            for place, core in places.items()
        }
        self.checkers = {} if checker is None else {place: checker(self.reaper, core) for place, core in places.items()}
        self.running: dict[int, RunningLease] = {}

    def run(self, leases: Iterator[Lease], progress: Callable[[int], object] = int) -> Iterator[LeaseResult]:
        """Run all leases and yield results on completion. `progress` receives numbers of new outcomes."""
        while True:
            idle = True
            for place, pool in self.pools.items():
                for result in self.advance(place, pool, leases, progress):
                    idle = False
                    yield result
            if not self.running:
                return
            if idle:
                wait(list(self.pools.values()), list(self.checkers.values()))

    def advance(
        self, place: int, pool: WorkerPool, leases: Iterator[Lease], progress: Callable[[int], object]
    ) -> Iterator[LeaseResult]:
        """Do all work at a place that needs no waiting; yield the results of completed leases."""
        while True:
            if place not in self.running:
                lease = next(leases, None)
                if lease is None:
                    return
                self.running[place] = RunningLease(lease, place)
                pool.waiting.extend(lease.batches())
            for outcomes in pool.advance():
                self.running[place].outcomes.append(outcomes)
                progress(len(outcomes.rows))
            if pool.busy() or not self.checked(place):
                return
            yield self.running.pop(place).result(whole=True)

    def checked(self, place: int) -> bool:
        """Check the outcomes of the lease at a place; return False if that needs waiting."""
        checker, lease = self.checkers.get(place), self.running[place]
        if checker is None:
            return True
        if not lease.solved:
            lease.solved = True
            checker.begin(lease.outcomes)
        return checker.advance()

    def close(self) -> list[LeaseResult]:
        """End all workers; return the partial results of running leases."""
        for checker in self.checkers.values():
            checker.close()
        for place, pool in self.pools.items():
            if place in self.running:
                self.running[place].outcomes += pool.collect_finished()
            pool.close()
        self.reaper.close()
        unfinished = [r.result(whole=False) for r in self.running.values() if r.outcomes]
        self.running.clear()
        return unfinished

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class RunningLease:
    """Lease running at a place, and its outcomes so far."""

    def __init__(self, lease: Lease, place: int) -> None:
        self.lease, self.place, self.began = lease, place, time.time_ns()
        self.outcomes: list[Outcomes] = []
        self.solved = False  # by all contenders

    def result(self, whole: bool) -> LeaseResult:
        """Return the result up to now."""
        return LeaseResult(self.lease, self.place, self.began, time.time_ns(), tuple(self.outcomes), whole)


def wait(pools: Sequence[WorkerPool], checkers: Sequence[LeaseChecker] = ()) -> None:
    """Sleep until a worker replies, prints, ends, or reaches its deadline, or a checker does."""
    for pool in pools:
        pool.reap_idle()
    children = [child for pool in pools for child in pool.children.values()]
    due = min(*(pool.due() for pool in pools), *(c.deadline() for c in checkers), NEVER) - time.monotonic()
    timeout = min(max(0.0, due) + 0.001, MAX_WAIT_S)
    if any(child.pidfd < 0 for child in children) or any(pool.settings.cpu is not None for pool in pools):
        timeout = min(timeout, POLL_S)
    poll = select.poll()
    for fd in (*(fd for child in children for fd in child.open_fds()), *(fd for c in checkers for fd in c.open_fds())):
        poll.register(fd, select.POLLIN)
    began = time.monotonic_ns()
    poll.poll(timeout * 1000)
    waited = min(time.monotonic_ns() - began, int(timeout * 1e9))
    for pool in pools:
        pool.waited += waited
    for child in children:
        child.drain()
