"""A place where one batch at a time is solved, with a worker for each contender.

    limit   seconds of wall time that a puzzle has; KILL_GRACE_S later its worker is killed

A worker that ends under a puzzle is that puzzle's outcome (timeout, memory, crash); the rest of its batch goes to a
new worker. Where several puzzles were asked at once, they are asked again, half as many at once, until one is left.
What a worker may come to is one small machine, all of whose states are here side by side: hence the length.
"""

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
from harness.running.shared_memory import DONE, FIRST, SINCE, SIZE, SPENT
from harness.running.worker_process import WorkerProcess
from puzzles.columns import index_type
from puzzles.problem import Problem

KILL_GRACE_S = 0.1
MAX_OPEN_FAILURES = 3  # failed ones in a row that end a contender on a layout
Notify = Callable[[str], None]


def ignore(text: str) -> None:
    """Nobody wants to be told."""


@dataclass
class OpenState:
    """What is known of a contender once a worker of it was opened: filled in as the run goes.

    failures  openings that failed, in a row, by layout       last  why, and in which words
    """

    version: str = ""
    setup: int = 0
    failures: dict[Problem, int] = field(default_factory=dict)
    last: dict[Problem, tuple[Reason, str]] = field(default_factory=dict)


class WorkerPool:
    """One batch at a time, and the workers for it."""

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
        self.children: dict[int, WorkerProcess] = {}  # that asked last comes last
        self.waiting: deque[Batch] = deque()
        self.batch: Batch | None = None
        self.opening = False
        self.sent = 0.0
        self.details: dict[int, str] = {}
        self.proofs = tempfile.TemporaryDirectory(prefix="proofs-") if settings.proof else None

    def busy(self) -> bool:
        return self.batch is not None or bool(self.waiting)

    def advance(self) -> Iterator[Outcomes]:
        """Do whatever can be done now without waiting, and give the outcomes that came of it."""
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
        """Send the batch, opening a worker on its layout first where there is none; False once that is hopeless."""
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
            child.open(batch.problem, self.settings.memory, self.settings.warmup)
        else:
            self.send(child, batch)
        return True

    def make_room(self) -> None:
        """End the worker that was asked longest ago, where there are as many as may be."""
        if len(self.children) >= self.max_workers:
            self.children.pop(next(iter(self.children))).end()

    def send(self, child: WorkerProcess, batch: Batch) -> None:
        """Lay the batch on the worker's board and tell it."""
        n, squares, words = batch.domains.shape
        settings = self.settings
        child.shared.map_batch(n, squares, words, settings.count, index_type(batch.problem))
        child.shared.domains[:] = batch.domains
        child.shared.pulse[:] = 0
        self.details = {}
        self.opening = False
        self.sent = time.monotonic()
        proofs = self.proofs and self.proofs.name
        order = {"count": settings.count, "limit": settings.limit, "proofs": proofs}
        order |= {"peak": settings.peak}
        child.send_command({"do": "batch", "n": n, "words": words, "cap": batch.cap, **order})

    def deadline(self) -> float:
        """When the worker must have moved on, on the monotonic clock."""
        if self.batch is None:
            return float("inf")
        if self.opening:
            return self.sent + self.settings.opening
        since = int(self.children[self.batch.contender].shared.pulse[SINCE])
        return max(self.sent, since / 1e9) + self.settings.limit + KILL_GRACE_S

    def overspent(self, child: WorkerProcess) -> bool:
        """Whether the ask under way has used up its CPU time."""
        if self.settings.cpu is None or self.opening:
            return False
        pulse = child.shared.pulse
        return bool(pulse[SINCE]) and child.cpu() - int(pulse[SPENT]) / 1e9 > self.settings.cpu + KILL_GRACE_S

    def poll(self, batch: Batch) -> Iterator[Outcomes]:
        """See what the worker of the batch under way has done, or has done to itself."""
        child = self.children[batch.contender]
        if self.opening and (line := child.next_notice()):
            self.notify(f"{self.contenders[batch.contender].name}: {line}")
        dead = child.dead()  # asked before reading, so that its last words are read
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
        """The worker died or must: keep what it finished, blame what it was at, and put the rest back."""
        overspent = not by_itself and self.overspent(child)
        how, peak = child.end()
        kill_strays(self.reaper.token, self.reaper.groups)
        del self.children[batch.contender]
        self.batch = None
        words = child.last_line()
        reason = self.reason(child, by_itself, peak)
        limit = f"{self.settings.cpu:g} s of CPU time" if overspent else f"{self.settings.limit:g} s"
        text = f"{how}{': ' + words if words else ''}" if by_itself else f"killed after {limit}"
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
        """Why a worker ended: memory, by what it printed or by a peak above half the limit, else a crash."""
        if not by_itself:
            return Reason.TIMEOUT
        if b"bad_alloc" in child.printed or b"MemoryError" in child.printed:
            return Reason.MEMORY
        return Reason.MEMORY if 0 < self.settings.memory < 2 * peak else Reason.CRASH

    def open_failed(self, batch: Batch, reason: Reason, text: str) -> Iterator[Outcomes]:
        """An opening failed: try again, unless it was refused, and after the last time say so for every puzzle."""
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
        """Outcomes of puzzles that no worker could be opened for."""
        reason, text = self.opened[batch.contender].last.get(batch.problem, (reason, text))
        rows = np.array([unknown_row(reason, 0, 0)] * len(batch.puzzles), dtype=ROW)
        return self.outcomes(batch, rows, dict.fromkeys(range(len(rows)), f"could not be opened: {text}"))

    def collect(self, child: WorkerProcess, batch: Batch, n: int) -> Outcomes:
        """The first n outcomes from the board; an answer after the limit is a timeout."""
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

    def take_proofs(self, n: int) -> dict[int, bytes]:
        """The proofs that the worker left for the first n puzzles of the batch; all that it left are taken away."""
        if self.proofs is None:
            return {}
        found = {}
        for path in Path(self.proofs.name).iterdir():
            if int(path.name) < n:
                found[int(path.name)] = path.read_bytes()
            path.unlink()
        return found

    def outcomes(self, batch: Batch, rows: Rows, details: dict[int, str]) -> Outcomes:
        """Outcomes without solutions."""
        none = np.empty((0, batch.domains.shape[1]), dtype=index_type(batch.problem))
        return Outcomes(batch, rows, none, details)

    def reap_idle(self) -> None:
        """Reap workers that died while they had nothing to do."""
        at = self.batch.contender if self.batch is not None else None
        for contender in [c for c, child in self.children.items() if c != at and child.dead()]:
            self.children.pop(contender).end()

    def collect_finished(self) -> Iterator[Outcomes]:
        """Outcomes of the batch under way that its worker has finished, and nobody has taken yet."""
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
