"""Worker pool of a place: solves one batch at a time, with a worker per contender.

A worker that ends during a puzzle determines that puzzle's outcome (timeout, memory, crash); a new worker gets the rest
of the batch. If several puzzles were asked at once, they are asked again in halves, down to single puzzles.
This file is the worker state machine; it is long because it holds all states.
"""

import contextlib
import math
import os
import shutil
import signal
import tempfile
import time
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from backends.contract.answer import Reason, Status
from backends.contract.cores import cores_of
from backends.programs.process import ran_out_of_memory
from harness.model.contender import Contender
from harness.model.errors import BadUsage
from harness.model.host import cores
from harness.model.observing.clocks import Clocks, Scheduled
from harness.model.observing.observed import Basis, Observed
from harness.model.observing.presence import PRESENCE
from harness.model.outcome import OUTSIDE, ROW, Batch, Outcomes, Rows, no_value, unknown_row, without_solutions
from harness.model.settings import RunSettings, wanted
from harness.model.trajectory import Trajectory
from harness.running.cores import Cpus
from harness.running.reaper import Reaper
from harness.running.workers.descendants import Usage
from harness.running.workers.following import Follower, GrowingTrajectory, MistimedReport, stated, with_best
from harness.running.workers.limits import BatchWatch, Breach, OpeningWatch
from harness.running.workers.problem_file import GIVEN, ProblemFile
from harness.running.workers.replies import (
    Done,
    Failed,
    Loaded,
    MalformedReply,
    NotOpened,
    Opened,
    Reported,
    row_faults,
)
from harness.running.workers.reports import digits_of
from harness.running.workers.worker_process import WorkerProcess
from puzzles.problem.arrays import BoolArray, Int8Array, Solutions
from puzzles.problem.columns import index_type
from puzzles.processes.guarding import LINUX

if TYPE_CHECKING:
    from harness.running.workers.boundaries import Boundaries

MAX_OPEN_FAILURES = 3  # failures in a row after which a contender is not opened again on that problem
GRACE_SLACK_NS = 100_000_000  # delay allowed for the answer of a terminated program after its grace
GROWTH = 16 << 20  # bytes that the parent may grow by while it starts a child, in another thread too

FAILURES = (Reason.UNSUPPORTED, Reason.ERROR, Reason.MEMORY)  # reasons of failed openings, and of asks that raised
MIN_LOOKS = 3  # least number of looks at the threads of a contender
MORE_THREADS = (
    "{several} of its threads ran at once, but it has {cores}: state more, as in cpsat[cores=4] (--no-pin: all)"
)
Notify = Callable[[str], None]
Made = TypeVar("Made")


def ignore(text: str) -> None:
    """Discard a notice."""


@dataclass
class OpenState:
    """Version, nanoseconds of setup and failed openings of a contender, updated during the run.

    warmup    number of warm-ups of each worker, 0 after one has failed
    failures  number of failed openings in a row, by digest of the problem     last  reason and message of the last
    clocks    times that its workers reported, and for which the parent waited
    observed  observations of its processes by the parent
    looks, parallel  looks at its threads while it solved, and looks that found several running
    """

    warmup: int = 0
    version: str = ""
    setup: int = 0
    failures: dict[str, int] = field(default_factory=dict)
    last: dict[str, tuple[Reason, str]] = field(default_factory=dict)
    clocks: Clocks = field(default_factory=Clocks)
    observed: Observed = field(default_factory=Observed)
    looks: int = 0
    parallel: int = 0


class WorkerPool:
    """Queue of batches, the running batch, and the workers.

    Workers solve on cores of `cpus`, as many as their contender has, and load their code on `load_cpus`, () for any.
    """

    def __init__(
        self,
        contenders: Sequence[Contender],
        settings: RunSettings,
        opened: list[OpenState],
        reaper: Reaper,
        cpus: Cpus = (),
        notify: Notify = ignore,
        max_workers: int = 1,
        load_cpus: Cpus = (),
        boundaries: "Boundaries | None" = None,
        logs: bool = False,
    ) -> None:
        self.contenders, self.settings, self.opened = contenders, settings, opened
        self.reaper, self.cpus, self.notify, self.max_workers = reaper, cpus, notify, max_workers
        self.load_cpus, self.boundaries, self.logs = load_cpus, boundaries, logs
        self.logs_written: Path | None = None  # what the programs of the running batch have printed
        self.children: dict[int, WorkerProcess] = {}  # children in order of last use
        self.waiting: deque[Batch] = deque()
        self.paused = False  # True while no batch may begin
        self.batch: Batch | None = None
        self.watch: OpeningWatch | BatchWatch  # of the batch
        self.loading: dict[int, OpeningWatch] = {}  # workers that are loading their code
        self.not_loaded: set[int] = set()  # contenders that took too long, and are opened without that step
        self.waited = self.waited_before = 0  # nanoseconds for which the parent only waited: in all, before the batch
        self.stopped_before = 0  # nanoseconds for which it was stopped, before the batch
        self.scheduled_before, self.cpu_before = Scheduled(), 0.0  # of the worker, before the batch
        self.unopened = False  # True until the worker of the batch has said that its contender is open
        self.setup = 0, 0  # nanoseconds of an opening that was sent with its batch, and of its CPU time
        self.follower: Follower | None = None  # follower of a batch with an objective
        self.details: dict[int, str] = {}
        self.file = ProblemFile(reaper.folder / GIVEN)
        self.proofs: tempfile.TemporaryDirectory[str] | None = None
        if settings.proof:
            self.proofs = tempfile.TemporaryDirectory(dir=reaper.folder, ignore_cleanup_errors=True)
        self.proofs_written: Path | None = None  # proofs that the worker has written for the running batch
        self.proofs_taken = 0

    def busy(self) -> bool:
        return self.batch is not None or bool(self.waiting)

    def not_begun(self) -> list[int]:
        """Return the contenders whose batch waits, in the order of their turns."""
        running = -1 if self.batch is None else self.batch.contender
        return [batch.contender for batch in self.waiting if batch.contender != running]

    def drop(self, contenders: Collection[int]) -> None:
        """Take the batches of contenders that have not begun out of the queue."""
        self.waiting = deque(batch for batch in self.waiting if batch.contender not in contenders)

    def begin(self, batches: Iterable[Batch]) -> None:
        """Queue the batches of a lease, and start the missing workers.

        These load their code side by side, and no other worker of the place runs meanwhile.
        """
        self.waiting.extend(batches)
        for batch in self.waiting:
            lacking = batch.contender not in self.not_loaded and self.usable(batch) is None
            if lacking and len(self.children) < self.max_workers:
                child = self.new_worker(batch)
                self.loading[batch.contender] = OpeningWatch(child, self.settings)
                child.load(self.load_cpus)

    def loaded(self) -> bool:
        """Return True when no worker is loading code. Restart workers that ended or take too long."""
        for contender, watch in list(self.loading.items()):
            child = self.children[contender]
            dead = child.dead()
            try:
                replies = list(child.replies.read())
            except MalformedReply:
                dead = True
            breach = None if dead or replies else watch.breach()
            if breach:
                self.not_loaded.add(contender)
                self.notify(f"{self.contenders[contender].name}: {breach.text}; it is opened once more")
            if dead or replies or breach:
                del self.loading[contender]
                if dead or replies != [Loaded(1)]:
                    self.children.pop(contender).end()
        return not self.loading

    def advance(self) -> Iterator[Outcomes]:
        """Do all work that needs no waiting; yield its outcomes."""
        while self.loaded():
            if self.batch is None:
                if self.paused or not self.waiting:
                    return
                self.batch = self.waiting.popleft()
                if not self.start(self.batch):
                    yield self.unopened_outcomes(self.batch, "no worker could be opened")
                    self.batch = None
                    continue
                return  # its worker has hardly begun
            before = self.batch
            yield from self.poll(before)
            if self.batch is before:
                return

    def start(self, batch: Batch) -> bool:
        """Send the batch, or first open a worker on its problem. False after MAX_OPEN_FAILURES failures."""
        state = self.opened[batch.contender]
        if state.failures.get(batch.problem.digest, 0) >= MAX_OPEN_FAILURES:
            return False
        child = self.usable(batch)
        if child is None:
            self.make_room()
            child = self.new_worker(batch)
        self.children[batch.contender] = self.children.pop(batch.contender)
        self.unopened = child.problem != batch.problem or child.source != batch.source
        if not self.unopened:
            self.send(child, batch)
            return True
        file = self.written(batch, lambda: self.file.given(batch.problem))
        usage, at_once = self.note_rest(batch.contender, child), child.opens_quickly(batch)
        self.watch = opening = OpeningWatch(child, self.settings, usage.cpu)
        order = self.prepared(child, batch, usage, opening) if at_once else None
        child.open(file, batch, self.settings.memory_limit, state.warmup, order)
        return True

    def usable(self, batch: Batch) -> WorkerProcess | None:
        """Return the worker of the batch's contender; end one that ended, spoke while idle, or is of another repeat."""
        child = self.children.get(batch.contender)
        if child is not None and (child.dead() or child.replies.unread() or child.repeat != batch.repeat):
            self.retire(batch.contender)
            child = None
        return child

    def new_worker(self, batch: Batch) -> WorkerProcess:
        """Start a worker for the contender of a batch."""
        given = self.contenders[batch.contender], self.reaper, self.settings, self.cpus
        child = self.written(batch, lambda: WorkerProcess(*given, self.boundaries, self.logs))
        child.repeat = batch.repeat
        self.children[batch.contender] = child
        return child

    def written(self, batch: Batch, write: Callable[[], Made]) -> Made:
        """Call a function that writes files; if it fails, remove other contenders' files first. Raises BadUsage."""
        try:
            return write()
        except OSError:
            for contender in [c for c in self.children if c != batch.contender]:
                self.loading.pop(contender, None)
                self.retire(contender)
        try:
            return write()
        except OSError as e:
            raise BadUsage(f"{self.reaper.folder}: {e.strerror}: workers need files in it") from e

    def make_room(self) -> None:
        """End the least recently used worker if the pool is full."""
        if len(self.children) >= self.max_workers:
            self.retire(next(iter(self.children)))

    def retire(self, contender: int) -> None:
        """End the idle worker of a contender."""
        child = self.children.pop(contender)
        if child.rested is not None and not child.dead():
            self.note_rest(contender, child)
        PRESENCE.look()
        child.end()  # which may wait for its guard
        PRESENCE.mark()

    def note_rest(self, contender: int, child: WorkerProcess) -> Usage:
        """Return the usage of an idle worker. Add its usage since its last ask, and continue it if it is stopped."""
        idle = child.rested is not None and len(self.contenders) > 1
        usage, observed = child.usage() if idle else child.recent_usage(), self.opened[contender].observed
        observed.stopped += len(usage.stopped)
        for pid in {child.worker_pid, *usage.stopped} - {0}:  # a stop may be on its way to a worker
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGCONT)
        if idle and child.rested is not None:
            since, cpu = child.rested
            observed.idle += time.monotonic_ns() - since
            observed.idle_cpu += max(0, int(1e9 * (usage.cpu - cpu)))
        child.rested = None
        return usage

    def send(self, child: WorkerProcess, batch: Batch) -> None:
        """Command a worker to solve the batch."""
        usage = self.note_rest(batch.contender, child)
        child.send_command({"do": "batch", **self.prepared(child, batch, usage)})

    def prepared(
        self, child: WorkerProcess, batch: Batch, usage: Usage, opening: OpeningWatch | None = None
    ) -> dict[str, Any]:
        """Write the batch to the shared memory of the worker, and begin to watch over it; return its order."""
        n, squares, words = batch.domains.shape
        settings = self.settings
        digits = digits_of(batch.problem)
        count = wanted(batch.problem, settings)
        child.shared.map_batch(n, squares, words, count, index_type(batch.problem), digits)
        child.shared.domains[:] = batch.domains
        child.shared.pulse[:] = 0
        child.shared.firsts[:] = 0
        self.follower = self.follow(child, batch) if digits else None
        self.details = {}
        self.watch = BatchWatch(child, settings, n, opening)
        self.setup = 0, 0
        self.waited_before = self.waited
        self.drop_written()
        self.drop_logs()
        self.written(batch, child.restore_folder)
        if self.proofs is not None:
            self.proofs_written = self.written(batch, lambda: self.new_proofs(child))
        if self.logs:
            self.logs_written = self.written(batch, child.log_folder)
        folders = {"proofs": self.proofs_written, "logs": self.logs_written}
        order: dict[str, Any] = {"count": count, "limit": settings.limit}
        order |= {name: None if folder is None else str(folder) for name, folder in folders.items()}
        order |= {"peak": settings.peak, "digits": digits, "grace": settings.grace}
        self.scheduled_before, self.cpu_before = child.scheduled(usage), usage.cpu
        PRESENCE.look()
        self.stopped_before = PRESENCE.stopped
        return {"n": n, "words": words, "cap": batch.cap, **order}

    def follow(self, child: WorkerProcess, batch: Batch) -> Follower:
        """Return a reader of the reports of a batch, which has an objective."""
        child.shared.reports.clear()
        child.shared.stated[:] = child.shared.bounds[:] = b""
        return Follower(batch.problem, batch.domains, self.settings.limit * 1e9, child.shared.reports)

    def new_proofs(self, child: WorkerProcess) -> Path:
        """Create a folder for proofs of a batch. Raises OSError."""
        assert self.proofs is not None
        Path(self.proofs.name).mkdir(0o700, exist_ok=True)  # any contender can delete it
        return child.proof_folder()

    def due(self) -> float:
        """Return the monotonic time at which `poll` must look at the worker's limits."""
        watches = [self.watch] if self.batch is not None else self.loading.values()
        looks = [self.follower] if self.follower and self.batch is not None and not self.opening else []
        return min((watch.due for watch in (*watches, *looks)), default=float("inf"))

    def poll(self, batch: Batch) -> Iterator[Outcomes]:
        """Process replies of the running batch's worker, its end, and its deadlines."""
        child = self.children[batch.contender]
        if child.printed and self.opening and (line := child.next_notice()):
            self.notify(f"{self.contenders[batch.contender].name}: {line}")
        dead = child.dead()  # tested before reading, so that the final messages are read
        try:
            if self.follower and not self.opening:
                self.follower.look()
            yield from self.receive(child, batch)
        except (MalformedReply, MistimedReport) as e:
            yield from self.handle_exit(child, batch, Breach(Reason.ERROR, f"malformed reply: {e}"))
            return
        if self.batch is batch:
            breach = None if dead else self.watch.breach()
            if not dead and self.watch.stopped:
                self.opened[batch.contender].observed.stopped += self.watch.stopped
                self.watch.stopped = 0
            if dead or breach:
                yield from self.handle_exit(child, batch, breach)

    @property
    def opening(self) -> bool:
        """True while the worker of the running batch opens its contender."""
        watch = self.watch
        return self.unopened and (isinstance(watch, OpeningWatch) or watch.opens(watch.pulse()))

    def receive(self, child: WorkerProcess, batch: Batch) -> Iterator[Outcomes]:
        """Process the replies that have arrived, up to one that ends the batch. Raises MalformedReply."""
        n = len(batch.puzzles)
        for reply in child.replies.read():
            match reply:
                case Failed(at, text) if not self.opening and next(reversed(self.details), -1) < at < n:
                    self.details[at] = text
                case Reported(_) if self.follower and not self.opening:
                    self.follower.look()
                case Done(done) if not self.unopened and done == n:
                    if self.follower:
                        self.follower.look()
                    self.batch = None
                    outcomes = self.collect(child, batch, n)
                    self.compare_clocks(child, outcomes)
                    yield outcomes
                    return
                case Opened(version, setup, spent) if self.unopened:
                    state = self.opened[batch.contender]
                    state.version, state.setup = version, max(state.setup, setup)
                    state.failures.pop(batch.problem.digest, None)
                    self.unopened, self.setup = False, (setup, spent)
                    if child.group:
                        child.group.limit(self.settings.memory_limit)
                    if isinstance(self.watch, OpeningWatch):
                        child.usage()  # a fresh one: that before the opening may count as recent
                        self.send(child, batch)
                    elif self.watch.opening is not None:
                        self.watch.asks()
                case NotOpened(reason, text) if self.unopened and reason in FAILURES:
                    yield from self.open_failed(batch, Reason(reason), text)
                    return
                case _:
                    raise MalformedReply(f"unexpected {reply}"[:200])

    def compare_clocks(self, child: WorkerProcess, outcomes: Outcomes) -> None:
        """Add a batch to the clocks of its contender, unless its worker was ended for a malformed outcome.

        No clock checks a batch during which the parent was stopped.
        """
        PRESENCE.look()
        rows, contender, waited = outcomes.rows, outcomes.batch.contender, self.waited - self.waited_before
        if self.children.get(contender) is not child:
            return
        pulse, usage, clocks = child.shared.read_pulse(len(rows)), child.usage(), self.opened[contender].clocks
        child.rested = time.monotonic_ns(), usage.cpu
        self.opened[contender].observed.add_repeated(child.shared.firsts, rows["wall"], rows["cpu"])
        if stopped := PRESENCE.stopped - self.stopped_before:
            clocks.add_unchecked(len(rows), stopped)
            return
        cpu = np.maximum(rows["cpu"], 0).sum()
        outside = sum(int(rows[phase].sum()) for phase in OUTSIDE)
        reported = self.setup[0] + pulse.aside + int(rows["wall"].sum()) + outside
        spent = self.setup[1] + pulse.aside_cpu + int(cpu) + outside
        usable = len(child.cpus) or max(1, len(cores()))
        excused = child.scheduled(usage).excused(self.scheduled_before, reported, usable)
        counted = int(1e9 * (usage.cpu - self.cpu_before)) if LINUX else spent
        clocks.add(rows.size, math.prod(outcomes.batch.domains.shape[:2]), reported, max(0, waited - excused))
        clocks.add_cpu(spent, counted, usable * reported)

    def handle_exit(self, child: WorkerProcess, batch: Batch, breach: Breach | None) -> Iterator[Outcomes]:
        """End a dead worker, or one in breach. Yield its outcomes and the failed one; requeue the rest."""
        opening = self.opening
        how, peak = child.end()
        del self.children[batch.contender]
        self.batch = None
        line = child.telling_line()
        if breach:
            reason, text, cpu = breach
        else:
            reason, text, cpu = self.reason_of_death(child, peak), f"{how}{': ' + line if line else ''}", -1
        if opening:
            yield from self.open_failed(batch, reason, text)
            return
        n = len(batch.puzzles)
        pulse = child.shared.read_pulse(n)
        done, size = pulse.done, min(pulse.size, batch.cap)
        if done:
            yield self.collect(child, batch, done)
        if pulse.again and self.opened[batch.contender].warmup:
            self.opened[batch.contender].warmup = 0
            self.notify(f"{self.contenders[batch.contender].name}: {text}, in a warm-up: not counted, no more warm-ups")
            if done < n:
                self.waiting.appendleft(batch.part(done, n))
            return
        if done == n:
            return
        if done and pulse.reopening and (breach is None or breach.reason != Reason.ERROR):
            self.notify(f"{self.contenders[batch.contender].name}: {text}, while it was opened again: started anew")
            self.waiting.appendleft(batch.part(done, n))
            return
        if size > 1 and pulse.first == done:
            stop = done + size
            if stop < n:
                self.waiting.appendleft(batch.part(stop, n))
            self.waiting.appendleft(batch.part(done, stop, size // 2))
            return
        elapsed = time.monotonic_ns() - (pulse.since or int(self.watch.sent * 1e9))
        row = np.array([unknown_row(reason, elapsed, cpu)], dtype=ROW)
        growing = self.last_trajectory(done)
        if self.settings.peak and child.group:
            row["peak"] = child.highest
            self.opened[batch.contender].observed.count(Basis.SOLVER, 1)
        elif self.settings.peak and isinstance(self.watch, BatchWatch):
            seen = self.watch.peaks.get(done, 0)
            row["peak"] = max(peak, seen) if self.own_peak(child, peak) or not seen else seen
            self.opened[batch.contender].observed.count(Basis.GROUP, 1)
        failed = without_solutions(batch.part(done, done + 1), row, {0: text})
        failed = replace(failed, logs={i - done: stem for i, stem in self.log_stems(done, done + 1)})
        yield failed if growing is None else with_best(failed, growing)
        if done + 1 < n:
            self.waiting.appendleft(batch.part(done + 1, n))

    @property
    def growing(self) -> GrowingTrajectory | None:
        """Reports so far of the only ask of the running batch; None without an objective, or before the ask."""
        return None if self.follower is None or self.batch is None or self.opening else self.follower.of(0)

    def last_trajectory(self, position: int) -> GrowingTrajectory | None:
        """Return the reports of an ask whose worker has ended, None without an objective."""
        if self.follower is None:
            return None
        with contextlib.suppress(MistimedReport):  # it is an error already, or the worker was killed
            self.follower.look()
        return self.follower.of(position)

    def reason_of_death(self, child: WorkerProcess, peak: int) -> Reason:
        """Return MEMORY if the kernel or its output says so, or its peak is above half the limit, else CRASH."""
        if child.killed_for_memory or ran_out_of_memory(child.printed):
            return Reason.MEMORY
        own = self.own_peak(child, peak)
        return Reason.MEMORY if own and 0 < self.settings.memory_limit < 2 * peak else Reason.CRASH

    def own_peak(self, child: WorkerProcess, peak: int) -> bool:
        """Return True if a peak is of the worker or its children, and not inherited from the parent."""
        return peak > child.inherited_peak + GROWTH

    def open_failed(self, batch: Batch, reason: Reason, text: str) -> Iterator[Outcomes]:
        """Retry an opening that failed by an error; after the last try yield failures for all puzzles."""
        self.batch = None
        child = self.children.pop(batch.contender, None)
        if child is not None and child.process.returncode is None:
            child.end()
        state, problem = self.opened[batch.contender], batch.problem.digest
        state.last[problem] = reason, text
        tries = MAX_OPEN_FAILURES if reason in (Reason.UNSUPPORTED, Reason.TIMEOUT, Reason.MEMORY) else 1
        state.failures[problem] = state.failures.get(problem, 0) + tries
        if state.failures[problem] < MAX_OPEN_FAILURES:
            self.waiting.appendleft(batch)
        else:
            yield self.unopened_outcomes(batch, text, reason)

    def unopened_outcomes(self, batch: Batch, text: str, reason: Reason = Reason.ERROR) -> Outcomes:
        """Return outcomes of puzzles for which no worker could be opened."""
        reason, text = self.opened[batch.contender].last.get(batch.problem.digest, (reason, text))
        rows = np.array([unknown_row(reason, 0, 0)] * len(batch.puzzles), dtype=ROW)
        return without_solutions(batch, rows, dict.fromkeys(range(len(rows)), f"could not be opened: {text}"))

    def collect(self, child: WorkerProcess, batch: Batch, n: int) -> Outcomes:
        """Return the first n outcomes from shared memory; an answer after the limit is a timeout.

        A worker with a malformed outcome is replaced.
        """
        child.shared.restore_size()
        self.note_threads(batch.contender)
        rows = child.shared.rows[:n].copy()
        elapsed = int(1e9 * (time.monotonic() - self.watch.sent))
        count = wanted(batch.problem, self.settings)
        faults = row_faults(rows, count, elapsed, outside=child.reads_file)
        if self.follower is not None:
            faults |= {i: text for i, text in self.follower.mistimed.items() if i < n}
        if faults:
            rows[list(faults)] = np.array([unknown_row(Reason.ERROR, 0, -1)] * len(faults), ROW)
            if self.children.pop(batch.contender, None) is not None:
                child.end()
        late = rows["wall"] > self.settings.limit * 1e9
        if self.settings.cpu is not None:
            late |= rows["cpu"] > self.settings.cpu * 1e9
        late &= rows["status"] != Status.UNKNOWN
        every = child.shared.solutions[:n]
        if self.follower is not None:
            every, trajectories = self.best_standing(child, rows, late)
        else:
            trajectories = {}
            if late.any():
                rows["status"][late], rows["reason"][late] = Status.UNKNOWN, Reason.TIMEOUT
                rows["complete"][late], rows["found"][late] = 0, 0
        if self.settings.peak:
            self.add_seen_peaks(rows, child.shared.bases[:n], self.opened[batch.contender].observed)
        shown = np.arange(count) < rows["found"][:, None]
        solutions = every[shown]
        if len(solutions):
            solutions[solutions >= len(batch.problem.values)] = no_value(solutions)
        details = {i: text for i, text in self.details.items() if i < n} | faults
        proofs = self.take_proofs(n)
        logs = dict(self.log_stems(0, n))
        return Outcomes(batch.part(0, n), rows, solutions, details, proofs, trajectories=trajectories, logs=logs)

    def log_stems(self, first: int, stop: int) -> Iterator[tuple[int, Path]]:
        """Yield positions of the batch, and the stem of the files of what their programs have printed."""
        if self.logs_written is not None:
            yield from ((i, self.logs_written / str(i)) for i in range(first, stop))

    def best_standing(
        self, child: WorkerProcess, rows: Rows, late: BoolArray
    ) -> tuple[Solutions, dict[int, Trajectory]]:
        """Replace answers that are late, or not as good as an improvement, by the best that was reported in time.

        What a terminated program prints within its grace is not late, but proves nothing. Returns the solutions of each
        row, and the trajectories.
        """
        assert self.follower is not None
        shared, repeated = child.shared, child.shared.read_pulse(len(rows)).again
        every, trajectories = shared.solutions[: len(rows)].copy(), dict[int, Trajectory]()
        graced = child.prints_late & (
            rows["wall"] <= (self.settings.limit + self.settings.grace) * 1e9 + GRACE_SLACK_NS
        )
        for i in range(len(rows)):
            growing = self.follower.of(i, repeated and i == len(rows) - 1)
            value, bound = stated(shared.stated[i]), stated(shared.bounds[i])
            if late[i] and graced[i]:
                rows["reason"][i], rows["complete"][i] = Reason.TIMEOUT, 0
            elif late[i] or (growing.beats(value) and not rows["complete"][i]):
                reason = Reason.TIMEOUT if late[i] else rows["reason"][i]
                value = growing.stand(rows[i : i + 1], every[i : i + 1, 0], reason)
            trajectories[i] = growing.trajectory(value, None if late[i] else bound)
        return every, trajectories

    def add_seen_peaks(self, rows: Rows, bases: Int8Array, observed: Observed) -> None:
        """Raise peaks to the sums seen over several processes; count the processes that peaks cover."""
        assert isinstance(self.watch, BatchWatch)
        for i, held in self.watch.peaks.items():
            if 0 <= i < len(rows) and rows["peak"][i] >= 0 and bases[i] != Basis.SOLVER:
                seen = self.watch.peaks_below[i] if bases[i] == Basis.PROGRAM else held
                rows["peak"][i] = max(rows["peak"][i], seen)
        for basis in (Basis.PROGRAM, Basis.WORKER, Basis.GROUP, Basis.SOLVER):
            observed.count(basis, int(((bases == basis) & (rows["peak"] >= 0)).sum()))

    def note_threads(self, contender: int) -> None:
        """Note once that a contender has more threads than cores, if most looks have found more."""
        state = self.opened[contender]
        if not self.cpus or isinstance(self.watch, OpeningWatch) or state.looks < 0:
            return
        state.looks, state.parallel = state.looks + self.watch.looks, state.parallel + self.watch.parallel
        if state.looks >= MIN_LOOKS and 2 * state.parallel > state.looks:
            state.looks = -1
            name, has = self.contenders[contender].name, cores_of(self.contenders[contender].backend)
            several, number = ("several", "one core") if has == 1 else (f"more than {has}", f"{has} cores")
            self.notify(f"{name}: {MORE_THREADS.format(several=several, cores=number)}")

    def take_proofs(self, n: int) -> dict[int, Path]:
        """Return files with the proofs of the first n puzzles of the batch; delete the other files of the worker."""
        if self.proofs is None or self.proofs_written is None:
            return {}
        found = {}
        for i in range(n):
            path = self.proofs_written / str(i)
            if path.is_file() and not path.is_symlink():
                self.proofs_taken += 1
                with contextlib.suppress(OSError):
                    found[i] = path.rename(Path(self.proofs.name, f"{self.proofs_taken}.proof"))
        self.drop_written()
        return found

    def drop_written(self) -> None:
        """Delete the folder for the worker's proofs."""
        if self.proofs_written is not None:
            shutil.rmtree(self.proofs_written, ignore_errors=True)
            self.proofs_written = None

    def drop_logs(self) -> None:
        """Delete the folder of what programs have printed."""
        if self.logs_written is not None:
            shutil.rmtree(self.logs_written, ignore_errors=True)
            self.logs_written = None

    def reap_idle(self) -> None:
        """End workers that ended, or sent replies, while idle."""
        at = self.batch.contender if self.batch is not None else None
        idle = [(c, child) for c, child in self.children.items() if c != at and c not in self.loading]
        for contender in [c for c, child in idle if child.dead() or child.replies.unread()]:
            self.retire(contender)

    def collect_finished(self) -> Iterator[Outcomes]:
        """Yield the finished outcomes of the running batch that are not yet collected."""
        if self.batch is None or self.opening:
            return
        child = self.children[self.batch.contender]
        done = child.shared.read_pulse(len(self.batch.puzzles)).done
        if done:
            yield self.collect(child, self.batch, done)
        self.batch = None

    def close(self) -> None:
        """End all workers."""
        for contender in list(self.children):
            self.retire(contender)
        self.file.remove()
        self.drop_written()
        self.drop_logs()
        if self.proofs is not None:
            self.proofs.cleanup()
