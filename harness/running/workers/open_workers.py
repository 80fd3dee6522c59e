"""Workers of a place that stay open between batches, one for each contender, by the time of their last use."""

import contextlib
import os
import signal
import time
from collections.abc import Callable
from typing import TypeVar

from harness.model.errors import BadUsage
from harness.model.observing.presence import PRESENCE
from harness.model.outcome import Batch
from harness.running.cores import Cpus
from harness.running.workers.descendants import Usage
from harness.running.workers.limits import OpeningWatch
from harness.running.workers.replies import Loaded, MalformedReply
from harness.running.workers.run_context import RunContext
from harness.running.workers.worker_process import WorkerProcess

Made = TypeVar("Made")


class OpenWorkers:
    """Workers, which solve on cores of `cpus`, and load their code on `load_cpus`, () for any."""

    def __init__(self, context: RunContext, cpus: Cpus, load_cpus: Cpus) -> None:
        self.context, self.cpus, self.load_cpus = context, cpus, load_cpus
        self.contenders, self.opened = context.contenders, context.opened
        self.children: dict[int, WorkerProcess] = {}  # in order of last use
        self.loading: dict[int, OpeningWatch] = {}  # workers that are loading their code
        self.not_loaded: set[int] = set()  # contenders that took too long, and are opened without that step

    def load(self, batch: Batch) -> None:
        """Start the worker of a batch's contender if it lacks and there is room; it loads its code beside others."""
        lacking = batch.contender not in self.not_loaded and self.usable(batch) is None
        if lacking and len(self.children) < self.context.max_workers:
            child = self.new(batch)
            self.loading[batch.contender] = OpeningWatch(child, self.context.settings)
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
                self.context.notify(f"{self.contenders[contender].name}: {breach.text}; it is opened once more")
            if dead or replies or breach:
                del self.loading[contender]
                if dead or replies != [Loaded(1)]:
                    self.children.pop(contender).end()
        return not self.loading

    def usable(self, batch: Batch) -> WorkerProcess | None:
        """Return the worker of the batch's contender; end one that ended, spoke while idle, or is of another repeat."""
        child = self.children.get(batch.contender)
        if child is not None and (child.dead() or child.replies.unread() or child.repeat != batch.repeat):
            self.retire(batch.contender)
            child = None
        return child

    def used(self, batch: Batch) -> WorkerProcess:
        """Return the worker of the batch's contender as the one used last, a new one if there is none."""
        child = self.usable(batch)
        if child is None:
            self.make_room()
            child = self.new(batch)
        self.children[batch.contender] = self.children.pop(batch.contender)
        return child

    def new(self, batch: Batch) -> WorkerProcess:
        """Start a worker for the contender of a batch."""
        contender = self.contenders[batch.contender]
        child = self.written(batch, lambda: WorkerProcess(self.context, contender, self.cpus))
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
            raise BadUsage(f"{self.context.reaper.folder}: {e.strerror}: workers need files in it") from e

    def make_room(self) -> None:
        """End the least recently used worker if the pool is full."""
        if len(self.children) >= self.context.max_workers:
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

    def reap_idle(self, at: int | None) -> None:
        """End workers that ended, or sent replies, while idle; that of contender `at` is not."""
        idle = [(c, child) for c, child in self.children.items() if c != at and c not in self.loading]
        for contender in [c for c, child in idle if child.dead() or child.replies.unread()]:
            self.retire(contender)

    def close(self) -> None:
        """End all workers."""
        for contender in list(self.children):
            self.retire(contender)
