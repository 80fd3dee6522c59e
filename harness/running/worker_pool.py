"""Worker pool of a place: solves one batch at a time, with a worker per contender.

    limit   seconds of wall time per puzzle; KILL_GRACE_S later its worker is killed

A worker that ends during a puzzle determines that puzzle's outcome (timeout, memory, crash); a new worker gets the rest
of the batch. If several puzzles were asked at once, they are asked again in halves, down to single puzzles.
This file is the worker state machine; it is long because all of its states are here.
"""

import contextlib
import shutil
import sys
import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from backends.answer import Reason, Status
from harness.model.contender import Contender
from harness.model.errors import BadUsage
from harness.model.outcome import ROW, Batch, Outcomes, Rows, unknown_row
from harness.model.settings import RunSettings
from harness.running.reaper import Reaper, kill_strays
from harness.running.shared_memory import AGAIN, DONE, FIRST, SINCE, SIZE, SPENT
from harness.running.worker_process import WorkerProcess
from puzzles.columns import index_type
from puzzles.problem import Problem

KILL_GRACE_S = 0.1
MAX_OPEN_FAILURES = 3  # in a row, after which a contender is not opened on that problem again
Notify = Callable[[str], None]


def ignore(text: str) -> None:
    """Discard notices."""


@dataclass
class OpenState:
    """Version, nanoseconds of setup and failed openings of a contender, updated during the run.

    warmup    number of warm-ups of each worker, 0 after one has failed
    failures  number of failed openings in a row, by problem       last  reason and message of the last one
    """

    warmup: int = 0
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
        self.details: dict[int, str] = {}
        self.proofs: tempfile.TemporaryDirectory[str] | None = None
        if settings.proof:
            self.proofs = tempfile.TemporaryDirectory(prefix="crosscheck-")
        self.proofs_written: Path | None = None  # by the worker, for the running batch
        self.proofs_taken = 0

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
            child.open(batch.problem, self.settings.memory, state.warmup)
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
        self.details = {}
        self.opening = False
        self.sent = time.monotonic()
        self.drop_written()
        if self.proofs is not None:
            self.proofs_written = Path(tempfile.mkdtemp(prefix="crosscheck-"))
        proofs = str(self.proofs_written) if self.proofs_written is not None else None
        order = {"count": settings.count, "limit": settings.limit, "proofs": proofs}
        order |= {"peak": settings.peak}
        child.send_command({"do": "batch", "n": n, "words": words, "cap": batch.cap, **order})

    def deadline(self) -> float:
        """Return the monotonic time at which the worker is overdue."""
        if self.batch is None:
            return float("inf")
        if self.opening:
            return self.sent + self.settings.opening
        since = int(self.children[self.batch.contender].shared.pulse[SINCE])
        return max(self.sent, since / 1e9) + self.settings.limit + KILL_GRACE_S

    def overspent(self, child: WorkerProcess) -> bool:
        """Return True if the running ask has exceeded its CPU time."""
        if self.settings.cpu is None or self.opening:
            return False
        pulse = child.shared.pulse
        return bool(pulse[SINCE]) and child.cpu() - int(pulse[SPENT]) / 1e9 > self.settings.cpu + KILL_GRACE_S

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
                raise BadUsage(f"{self.contenders[batch.contender].name}: {message['usage']}")
            elif "refused" in message:
                unsupported = "unsupported" in message
                reason = Reason.UNSUPPORTED if unsupported else Reason.ERROR
                yield from self.open_failed(batch, reason, message["refused"])
                return
        if dead or time.monotonic() > self.deadline() or self.overspent(child):
            yield from self.handle_exit(child, batch, dead)

    def handle_exit(self, child: WorkerProcess, batch: Batch, by_itself: bool) -> Iterator[Outcomes]:
        """End a dead or overdue worker: yield its outcomes and the failed one, requeue the rest."""
        overspent = not by_itself and self.overspent(child)
        how, peak = child.end()
        kill_strays(self.reaper.token, self.reaper.groups)
        del self.children[batch.contender]
        self.batch = None
        line = child.last_line()
        reason = self.reason(child, by_itself, peak)
        limit = f"{self.settings.cpu:g} s of CPU time" if overspent else f"{self.settings.limit:g} s"
        text = f"{how}{': ' + line if line else ''}" if by_itself else f"killed after {limit}"
        if self.opening:
            if not by_itself:
                text = f"not open after {self.settings.opening:g} s"
            yield from self.open_failed(batch, reason, text)
            return
        pulse = child.shared.pulse
        n, done, first, size = len(batch.puzzles), int(pulse[DONE]), int(pulse[FIRST]), int(pulse[SIZE])
        done = min(max(done, 0), n)
        if done:
            yield self.collect(child, batch, done)
        if pulse[AGAIN]:
            self.opened[batch.contender].warmup = 0
            self.notify(f"{self.contenders[batch.contender].name}: {text}, in a warm-up: not counted, no more warm-ups")
            if done < n:
                self.waiting.appendleft(batch.part(done, n))
            return
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
        row["peak"] = peak if self.settings.peak else -1
        yield self.outcomes(batch.part(done, done + 1), row, {0: text})
        if done + 1 < n:
            self.waiting.appendleft(batch.part(done + 1, n))

    def reason(self, child: WorkerProcess, by_itself: bool, peak: int) -> Reason:
        """Return TIMEOUT if killed, MEMORY by its output or a peak above half the limit, else CRASH."""
        if not by_itself:
            return Reason.TIMEOUT
        if b"bad_alloc" in child.printed or b"MemoryError" in child.printed:
            return Reason.MEMORY
        own = peak > child.inherited_peak  # and not merely what the parent has had
        return Reason.MEMORY if own and 0 < self.settings.memory < 2 * peak else Reason.CRASH

    def open_failed(self, batch: Batch, reason: Reason, text: str) -> Iterator[Outcomes]:
        """Retry a failed opening; if it is unsupported or was the last try, yield failures for all puzzles."""
        self.batch = None
        child = self.children.pop(batch.contender, None)
        if child is not None and child.process.returncode is None:
            child.end()
        state = self.opened[batch.contender]
        state.last[batch.problem] = reason, text
        tries = MAX_OPEN_FAILURES if reason == Reason.UNSUPPORTED else 1
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
        solutions = child.shared.solutions[:n][np.arange(count) < found[:, None]]
        details = {i: text for i, text in self.details.items() if i < n}
        return Outcomes(batch.part(0, n), rows, solutions, details, self.take_proofs(n))

    def take_proofs(self, n: int) -> dict[int, Path]:
        """Return files with the proofs of the first n puzzles of the batch; delete whatever else the worker wrote."""
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
        self.drop_written()
        if self.proofs is not None:
            self.proofs.cleanup()
