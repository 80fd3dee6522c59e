"""Worker pool of a place: solves one batch at a time, with a worker per contender.

    limit    seconds of wall time per puzzle; KILL_GRACE_S later its worker is killed
    cpu      seconds of CPU time per puzzle, of the worker and all that it started
    memory   bytes that these hold together; looked at as soon as they could have been filled
    opening  seconds of CPU time to open a contender, since a busy machine makes wall time long

A worker that ends during a puzzle determines that puzzle's outcome (timeout, memory, crash); a new worker gets the rest
of the batch. If several puzzles were asked at once, they are asked again in halves, down to single puzzles.
This file is the worker state machine; it is long because all of its states are here.
"""

import sys
import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import numpy as np

from backends.answer import Reason, Status
from backends.descendants import descendants
from backends.process import ran_out_of_memory
from harness.model.contender import Contender
from harness.model.errors import BadUsage
from harness.model.outcome import ROW, Batch, Outcomes, Rows, unknown_row
from harness.model.settings import RunSettings
from harness.running.memory import group_memory
from harness.running.reaper import Reaper
from harness.running.shared_memory import DONE, FIRST, SINCE, SIZE, SPENT
from harness.running.worker_process import WorkerProcess
from puzzles.columns import index_type
from puzzles.problem import Problem

KILL_GRACE_S = 0.1
MAX_OPEN_FAILURES = 3  # in a row, after which a contender is not opened on that problem again
OPEN_WALL = 5  # times the limit of an opening, as wall time, for one that waits
FILL_RATE = 4 << 30  # bytes per second that a process can hardly exceed
LOOK_S, MIN_LOOK_S = 0.05, 0.02  # between looks at the memory, with --peak and at least
LOOK_SHARE = 0.004  # of a core's time that looks may take
Notify = Callable[[str], None]


class Breach(NamedTuple):
    """Limit that a worker has exceeded, as the reason of the outcome and a text."""

    reason: Reason
    text: str


def ignore(text: str) -> None:
    """Discard notices."""


@dataclass
class OpenState:
    """Version, nanoseconds of setup and failed openings of a contender, updated during the run.

    failures  number of failed openings in a row, by problem       last  reason and message of the last one
    """

    version: str = ""
    setup: int = 0
    failures: dict[Problem, int] = field(default_factory=dict)
    last: dict[Problem, tuple[Reason, str]] = field(default_factory=dict)


class WorkerPool:
    """Queue of batches, the one that is running, and the workers."""

    def __init__(
        self,
        contenders: Sequence[Contender],
        settings: RunSettings,
        opened: list[OpenState],
        reaper: Reaper,
        core: int | None = None,
        notify: Notify = ignore,
        max_workers: int = 1,
    ) -> None:
        self.contenders, self.settings, self.opened = contenders, settings, opened
        self.reaper, self.core, self.notify, self.max_workers = reaper, core, notify, max_workers
        self.children: dict[int, WorkerProcess] = {}  # in order of last use
        self.waiting: deque[Batch] = deque()
        self.batch: Batch | None = None
        self.opening = False
        self.sent = 0.0
        self.next_look = float("inf")  # at the limits that need a look at /proc
        self.spent = 0.0  # CPU seconds of the worker before the opening
        self.held = 0  # bytes of memory at the last look
        self.peaks: dict[int, int] = {}  # by position in the batch
        self.details: dict[int, str] = {}
        self.proofs = (
            tempfile.TemporaryDirectory(prefix="proofs-", dir=reaper.folder, ignore_cleanup_errors=True)
            if settings.proof
            else None
        )

    def busy(self) -> bool:
        return self.batch is not None or bool(self.waiting)

    def advance(self) -> Iterator[Outcomes]:
        """Do all work that needs no waiting; yield its outcomes."""
        while True:
            if self.batch is None:
                if not self.waiting:
                    return
                self.batch = self.waiting.popleft()
                if not self.start(self.batch):
                    yield self.unopened_outcomes(self.batch, "no worker could be opened")
                    self.batch = None
                    continue
            before = self.batch
            yield from self.poll(before)
            if self.batch is before:
                return

    def start(self, batch: Batch) -> bool:
        """Send the batch, or first open a worker on its problem; return False after MAX_OPEN_FAILURES."""
        state = self.opened[batch.contender]
        if state.failures.get(batch.problem, 0) >= MAX_OPEN_FAILURES:
            return False
        contender = self.contenders[batch.contender]
        child = self.children.get(batch.contender)
        if child is not None and (child.dead() or child.repeat != batch.repeat):
            child.end()
            del self.children[batch.contender]
            child = None
        if child is None:
            self.make_room()
            python = self.settings.pythons.get(contender.env, sys.executable)
            child = self.children[batch.contender] = WorkerProcess(contender, self.reaper, python, self.core)
            child.repeat = batch.repeat
        self.children[batch.contender] = self.children.pop(batch.contender)
        self.sent = time.monotonic()
        self.opening = child.problem != batch.problem
        if self.opening:
            self.spent = child.cpu()
            self.next_look = self.sent + self.settings.opening
            child.open(batch.problem, self.settings.memory_limit, self.settings.warmup)
        else:
            self.send(child, batch)
        return True

    def make_room(self) -> None:
        """End the least recently used worker if the pool is full."""
        if len(self.children) >= self.max_workers:
            self.children.pop(next(iter(self.children))).end()

    def send(self, child: WorkerProcess, batch: Batch) -> None:
        """Write the batch to the shared memory of the worker and command it to solve it."""
        n, squares, words = batch.domains.shape
        settings = self.settings
        child.shared.map_batch(n, squares, words, settings.count, index_type(batch.problem))
        child.shared.domains[:] = batch.domains
        child.shared.pulse[:] = 0
        self.details, self.peaks, self.held = {}, {}, 0
        self.opening = False
        self.sent = time.monotonic()
        self.next_look = self.sent + MIN_LOOK_S if self.looks() else float("inf")
        proofs = self.proofs and self.proofs.name
        order = {"count": settings.count, "limit": settings.limit, "proofs": proofs}
        order |= {"peak": settings.peak}
        child.send_command({"do": "batch", "n": n, "words": words, "cap": batch.cap, **order})

    def looks(self) -> bool:
        """Return True if asks are limited or measured by what /proc tells."""
        return sys.platform == "linux" and (self.settings.memory_limit > 0 or self.settings.peak)

    def next_event(self) -> float:
        """Return the monotonic time of the next deadline or look, at which `poll` is due."""
        if self.batch is None:
            return float("inf")
        if self.opening:
            return self.next_look
        return min(self.deadline(self.children[self.batch.contender]), self.next_look)

    def deadline(self, child: WorkerProcess) -> float:
        """Return the monotonic time at which the running ask is overdue."""
        since = int(child.shared.pulse[SINCE])
        return max(self.sent, since / 1e9) + self.settings.limit + KILL_GRACE_S

    def breach(self, child: WorkerProcess) -> Breach | None:
        """Return the limit that the worker has exceeded, if any."""
        now, settings = time.monotonic(), self.settings
        if self.opening:
            return self.opening_breach(child, now) if now >= self.next_look else None
        if now > self.deadline(child):
            return Breach(Reason.TIMEOUT, f"killed after {settings.limit:g} s")
        pulse = child.shared.pulse
        spent = child.cpu() - int(pulse[SPENT]) / 1e9 if settings.cpu is not None and pulse[SINCE] else 0.0
        if settings.cpu is not None and spent > settings.cpu + KILL_GRACE_S:
            return Breach(Reason.TIMEOUT, f"killed after {settings.cpu:g} s of CPU time")
        if now >= self.next_look:
            self.look(child, now)
            if 0 < settings.memory_limit < self.held:
                return Breach(
                    Reason.MEMORY,
                    f"killed at {self.held >> 20} MiB of memory, shared memory and child processes included",
                )
        return None

    def opening_breach(self, child: WorkerProcess, now: float) -> Breach | None:
        """Return the limit that the opening has exceeded; else put off the next look to when it can be."""
        limit, cpu, wall = self.settings.opening, child.cpu() - self.spent, now - self.sent
        if sys.platform == "linux" and cpu < limit and wall < OPEN_WALL * limit:
            self.next_look = now + max(MIN_LOOK_S, min(limit - cpu, OPEN_WALL * limit - wall))
            return None
        used = f"{limit:g} s of CPU time" if cpu >= limit else f"{wall:.0f} s with {cpu:.1f} s of CPU time"
        return Breach(Reason.TIMEOUT, f"not open after {used}: raise --open-limit if it needs more")

    def look(self, child: WorkerProcess, now: float) -> None:
        """Measure the memory that the worker and its children hold, and set the time of the next look."""
        at, limit = int(child.shared.pulse[FIRST]), self.settings.memory_limit
        self.held = group_memory(list(descendants(child.pid)), 0 if self.settings.peak else limit)
        if at == int(child.shared.pulse[FIRST]):
            self.peaks[at] = max(self.peaks.get(at, 0), self.held)
        fill = LOOK_S if self.settings.peak else (limit - self.held) / FILL_RATE
        done = time.monotonic()
        self.next_look = done + max(MIN_LOOK_S, fill, (done - now) / LOOK_SHARE)

    def poll(self, batch: Batch) -> Iterator[Outcomes]:
        """Process replies of the worker of the running batch, its end, and its deadlines."""
        child = self.children[batch.contender]
        if self.opening and (line := child.next_notice()):
            self.notify(f"{self.contenders[batch.contender].name}: {line}")
        dead = child.dead()  # tested before reading, so that the final messages are read
        for message in child.messages():
            if "error" in message:
                self.details[int(message["at"])] = str(message["error"])
            elif "done" in message:
                yield self.collect(child, batch, len(batch.puzzles))
                self.batch = None
                return
            elif "opened" in message:
                state = self.opened[batch.contender]
                state.version, state.setup = message["opened"], max(state.setup, message["setup"])
                state.failures.pop(batch.problem, None)
                self.send(child, batch)
            elif "usage" in message:
                if not self.settings.memory:
                    yield from self.open_failed(batch, Reason.MEMORY, message["usage"])
                    return
                raise BadUsage(f"{self.contenders[batch.contender].name}: {message['usage']}")
            elif "refused" in message:
                unsupported = "unsupported" in message
                reason = Reason.UNSUPPORTED if unsupported else Reason.ERROR
                yield from self.open_failed(batch, reason, message["refused"])
                return
        breach = None if dead else self.breach(child)
        if dead or breach:
            yield from self.handle_exit(child, batch, breach)

    def handle_exit(self, child: WorkerProcess, batch: Batch, breach: Breach | None) -> Iterator[Outcomes]:
        """End a dead worker, or one in breach: yield its outcomes and the failed one, requeue the rest."""
        how, peak = child.end()
        del self.children[batch.contender]
        self.batch = None
        line = child.last_line()
        reason, text = breach or (self.reason_of_death(child, peak), f"{how}{': ' + line if line else ''}")
        if self.opening:
            yield from self.open_failed(batch, reason, text)
            return
        pulse = child.shared.pulse
        n, done, first, size = len(batch.puzzles), int(pulse[DONE]), int(pulse[FIRST]), int(pulse[SIZE])
        done = min(max(done, 0), n)
        if done:
            yield self.collect(child, batch, done)
        if done == n:
            return
        if size > 1 and first == done:
            stop = min(n, done + size)
            if stop < n:
                self.waiting.appendleft(batch.part(stop, n))
            self.waiting.appendleft(batch.part(done, stop, size // 2))
            return
        elapsed = time.monotonic_ns() - (int(pulse[SINCE]) or int(self.sent * 1e9))
        row = np.array([unknown_row(reason, elapsed, -1)], dtype=ROW)
        row["peak"] = max(peak, self.peaks.get(done, -1)) if self.settings.peak else -1
        yield self.outcomes(batch.part(done, done + 1), row, {0: text})
        if done + 1 < n:
            self.waiting.appendleft(batch.part(done + 1, n))

    def reason_of_death(self, child: WorkerProcess, peak: int) -> Reason:
        """Return MEMORY by its output or a peak above half the limit, else CRASH."""
        if ran_out_of_memory(child.printed):
            return Reason.MEMORY
        own = peak > child.inherited_peak  # and not merely what the parent has had
        return Reason.MEMORY if own and 0 < self.settings.memory_limit < 2 * peak else Reason.CRASH

    def open_failed(self, batch: Batch, reason: Reason, text: str) -> Iterator[Outcomes]:
        """Retry an opening that failed by an error; after the last try yield failures for all puzzles."""
        self.batch = None
        child = self.children.pop(batch.contender, None)
        if child is not None and child.process.returncode is None:
            child.end()
        state = self.opened[batch.contender]
        state.last[batch.problem] = reason, text
        tries = MAX_OPEN_FAILURES if reason in (Reason.UNSUPPORTED, Reason.TIMEOUT) else 1
        state.failures[batch.problem] = state.failures.get(batch.problem, 0) + tries
        if state.failures[batch.problem] < MAX_OPEN_FAILURES:
            self.waiting.appendleft(batch)
        else:
            yield self.unopened_outcomes(batch, text, reason)

    def unopened_outcomes(self, batch: Batch, text: str, reason: Reason = Reason.ERROR) -> Outcomes:
        """Return outcomes of puzzles for which no worker could be opened."""
        reason, text = self.opened[batch.contender].last.get(batch.problem, (reason, text))
        rows = np.array([unknown_row(reason, 0, 0)] * len(batch.puzzles), dtype=ROW)
        return self.outcomes(batch, rows, dict.fromkeys(range(len(rows)), f"could not be opened: {text}"))

    def collect(self, child: WorkerProcess, batch: Batch, n: int) -> Outcomes:
        """Return the first n outcomes from shared memory; an answer after the limit is a timeout."""
        rows = child.shared.rows[:n].copy()
        late = rows["wall"] > self.settings.limit * 1e9
        if self.settings.cpu is not None:
            late |= rows["cpu"] > self.settings.cpu * 1e9
        late &= rows["status"] != Status.UNKNOWN
        rows["status"][late], rows["reason"][late] = Status.UNKNOWN, Reason.TIMEOUT
        rows["complete"][late], rows["found"][late] = 0, 0
        count = self.settings.count
        found = np.clip(rows["found"], 0, count)
        rows["found"] = found
        for i, held in self.peaks.items():
            if i < n and rows["peak"][i] >= 0:
                rows["peak"][i] = max(rows["peak"][i], held)
        solutions = child.shared.solutions[:n][np.arange(count) < found[:, None]]
        details = {i: text for i, text in self.details.items() if i < n}
        return Outcomes(batch.part(0, n), rows, solutions, details, self.take_proofs(n))

    def take_proofs(self, n: int) -> dict[int, bytes]:
        """Return the proofs of the first n puzzles of the batch, and delete all proof files of the worker."""
        if self.proofs is None:
            return {}
        found = {}
        for path in Path(self.proofs.name).iterdir():
            if int(path.name) < n:
                found[int(path.name)] = path.read_bytes()
            path.unlink()
        return found

    def outcomes(self, batch: Batch, rows: Rows, details: dict[int, str]) -> Outcomes:
        """Return outcomes without solutions."""
        none = np.empty((0, batch.domains.shape[1]), dtype=index_type(batch.problem))
        return Outcomes(batch, rows, none, details)

    def reap_idle(self) -> None:
        """Reap workers that ended while idle."""
        at = self.batch.contender if self.batch is not None else None
        for contender in [c for c, child in self.children.items() if c != at and child.dead()]:
            self.children.pop(contender).end()

    def collect_finished(self) -> Iterator[Outcomes]:
        """Yield the finished outcomes of the running batch that are not yet collected."""
        if self.batch is None or self.opening:
            return
        child = self.children[self.batch.contender]
        done = min(max(int(child.shared.pulse[DONE]), 0), len(self.batch.puzzles))
        if done:
            yield self.collect(child, self.batch, done)
        self.batch = None

    def close(self) -> None:
        """End all workers."""
        for child in self.children.values():
            child.end()
        self.children.clear()
        if self.proofs is not None:
            self.proofs.cleanup()
