"""Worker pool of a place: solves one batch at a time, with a worker per contender.

A worker that ends during a puzzle determines that puzzle's outcome (timeout, memory, crash); a new worker gets the rest
of the batch. If several puzzles were asked at once, they are asked again in halves, down to single puzzles.
This file is the worker state machine; it is long because it holds all states.
"""

import math
import time
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from backends.contract.answer import Reason
from backends.contract.cores import cores_of
from backends.programs.process import ran_out_of_memory
from harness.model.host import cores
from harness.model.observing.observed import Basis
from harness.model.observing.presence import PRESENCE
from harness.model.outcome import OUTSIDE, ROW, Batch, Outcomes, no_value, unknown_row, without_solutions
from harness.model.settings import wanted
from harness.running.cores import Cpus
from harness.running.workers.descendants import Usage
from harness.running.workers.following import Follower, GrowingTrajectory, MistimedReport, with_best
from harness.running.workers.limits import BatchWatch, Breach, OpeningWatch
from harness.running.workers.open_workers import OpenWorkers
from harness.running.workers.problem_file import GIVEN, ProblemFile
from harness.running.workers.replies import (
    Done,
    Failed,
    MalformedReply,
    NotOpened,
    Opened,
    Reported,
    row_faults,
)
from harness.running.workers.reports import asks_of, digits_of
from harness.running.workers.run_context import RunContext
from harness.running.workers.running_batch import RunningBatch
from harness.running.workers.standing import earlier_faults
from harness.running.workers.worker_process import WorkerProcess
from harness.running.workers.written_files import WrittenFiles
from puzzles.problem.columns import index_type
from puzzles.processes.guarding import LINUX

MAX_OPEN_FAILURES = 3  # failures in a row after which a contender is not opened again on that problem
GROWTH = 16 << 20  # bytes that the parent may grow by while it starts a child, in another thread too

# Reasons of failed openings, and but for the last of asks that raised.
FAILURES = (Reason.UNSUPPORTED, Reason.ERROR, Reason.MEMORY, Reason.REFUTED)
MIN_LOOKS = 3  # least number of looks at the threads of a contender
MORE_THREADS = (
    "{several} of its threads ran at once, but it has {cores}: state more, as in cpsat[cores=4] (--no-pin: all)"
)


class WorkerPool:
    """Queue of batches, the running batch, and the workers.

    Workers solve on cores of `cpus`, as many as their contender has, and load their code on `load_cpus`, () for any.
    """

    def __init__(self, context: RunContext, cpus: Cpus = (), load_cpus: Cpus = ()) -> None:
        self.context, self.workers = context, OpenWorkers(context, cpus, load_cpus)
        self.contenders, self.settings, self.opened = context.contenders, context.settings, context.opened
        self.reaper, self.notify = context.reaper, context.notify
        self.waiting: deque[Batch] = deque()
        self.running: RunningBatch | None = None
        self.paused = False  # True while no batch may begin
        self.waited = 0  # nanoseconds for which the parent only waited
        self.file = ProblemFile(self.reaper.folder / GIVEN)
        self.files = WrittenFiles(self.reaper.folder, self.settings.proof, self.context.keep is not None)

    def busy(self) -> bool:
        return self.running is not None or bool(self.waiting)

    def begin(self, batches: Iterable[Batch]) -> None:
        """Queue the batches of a lease, and start the missing workers.

        These load their code side by side, and no other worker of the place runs meanwhile.
        """
        self.waiting.extend(batches)
        for batch in self.waiting:
            self.workers.load(batch)

    def advance(self) -> Iterator[Outcomes]:
        """Do all work that needs no waiting; yield its outcomes."""
        while self.workers.loaded():
            if self.running is None:
                if self.paused or not self.waiting:
                    return
                batch = self.waiting.popleft()
                self.running = self.start(batch)
                if self.running is None:
                    yield self.unopened_outcomes(batch, "no worker could be opened")
                    continue
                return  # its worker has hardly begun
            before = self.running
            yield from self.poll(before)
            if self.running is before:
                return

    def start(self, batch: Batch) -> RunningBatch | None:
        """Send the batch, or first open a worker on its problem. None after MAX_OPEN_FAILURES failures."""
        state = self.opened[batch.contender]
        if state.failures.get(batch.problem.digest, 0) >= MAX_OPEN_FAILURES:
            return None
        child = self.workers.used(batch)
        run = RunningBatch(batch, child, child.problem != batch.problem or child.source != batch.source)
        if not run.unopened:
            self.send(run)
            return run
        file = self.workers.written(batch, lambda: self.file.given(batch.problem))
        usage, at_once = self.workers.note_rest(batch.contender, child), child.opens_quickly(batch)
        run.watch = opening = OpeningWatch(child, self.settings, usage.cpu)
        order = self.prepared(run, usage, opening) if at_once else None
        child.open(file, batch, self.settings.memory_limit, state.warmup, order)
        return run

    def send(self, run: RunningBatch) -> None:
        """Command a worker to solve the batch."""
        usage = self.workers.note_rest(run.batch.contender, run.child)
        run.child.send_command({"do": "batch", **self.prepared(run, usage)})

    def prepared(self, run: RunningBatch, usage: Usage, opening: OpeningWatch | None = None) -> dict[str, Any]:
        """Write the batch to the shared memory of the worker, and begin to watch over it; return its order."""
        batch, child = run.batch, run.child
        n, squares, words = batch.domains.shape
        settings = self.settings
        digits = digits_of(batch.problem)
        count = wanted(batch.problem, settings)
        warmups = self.opened[batch.contender].warmup
        asks = asks_of(batch.problem)
        child.shared.map_batch(n, squares, words, count, index_type(batch.problem), digits, warmups, asks)
        child.shared.times[:] = 0
        child.shared.domains[:] = batch.domains
        child.shared.progress[:] = child.shared.kept[:] = 0
        child.shared.firsts[:] = 0
        run.follower = self.follow(child, batch) if digits else None
        run.watch = BatchWatch(child, settings, n, opening)
        run.setup = 0, 0
        run.waited = self.waited
        self.files.drop()
        self.workers.written(batch, child.restore_folder)
        self.workers.written(batch, lambda: self.files.begin(child))
        folders = {"proofs": self.files.proofs, "logs": self.files.logs}
        order: dict[str, Any] = {"count": count, "limit": settings.limit}
        order |= {name: None if folder is None else str(folder) for name, folder in folders.items()}
        order |= {"peak": settings.peak, "digits": digits, "asks": asks}
        order |= {"grace": settings.grace, "warmups": warmups}
        run.scheduled, run.cpu = child.scheduled(usage), usage.cpu
        PRESENCE.look()
        run.stopped = PRESENCE.stopped
        return {"n": n, "words": words, "cap": batch.cap, **order}

    def follow(self, child: WorkerProcess, batch: Batch) -> Follower:
        """Return a reader of the reports of a batch, which has an objective."""
        child.shared.reports.clear()
        child.shared.stated[:] = child.shared.bounds[:] = b""
        return Follower(batch.problem, batch.domains, self.settings.limit * 1e9, child.shared.reports)

    def due(self) -> float:
        """Return the monotonic time at which `poll` must look at the worker's limits."""
        run = self.running
        watches = self.workers.loading.values() if run is None else [run.watch]
        looks = [run.follower] if run is not None and run.follower and not run.opening else []
        return min((watch.due for watch in (*watches, *looks)), default=float("inf"))

    def poll(self, run: RunningBatch) -> Iterator[Outcomes]:
        """Process replies of the running batch's worker, its end, and its deadlines."""
        batch, child = run.batch, run.child
        if child.printed and run.opening and (line := child.next_notice()):
            self.notify(f"{self.contenders[batch.contender].name}: {line}")
        dead = child.dead()  # tested before reading, so that the final messages are read
        try:
            if run.follower and not run.opening:
                run.follower.look()
            yield from self.receive(run)
        except (MalformedReply, MistimedReport) as e:
            yield from self.handle_exit(run, Breach(Reason.ERROR, f"malformed reply: {e}"))
            return
        if self.running is run:
            breach = None if dead else run.watch.breach()
            if not dead and run.watch.stopped:
                self.opened[batch.contender].observed.stopped += run.watch.stopped
                run.watch.stopped = 0
            if dead or breach:
                yield from self.handle_exit(run, breach)

    def receive(self, run: RunningBatch) -> Iterator[Outcomes]:
        """Process the replies that have arrived, up to one that ends the batch. Raises MalformedReply."""
        batch, child, n = run.batch, run.child, len(run.batch.puzzles)
        for reply in child.replies.read():
            match reply:
                case Failed(at, text) if not run.opening and next(reversed(run.details), -1) < at < n:
                    run.details[at] = text
                case Reported(_) if run.follower and not run.opening:
                    run.follower.look()
                case Done(done) if not run.unopened and done == n:
                    if run.follower:
                        run.follower.look()
                    self.running = None
                    outcomes = self.collect(run, n)
                    self.compare_clocks(run, outcomes)
                    yield outcomes
                    return
                case Opened(version, setup, spent) if run.unopened:
                    state = self.opened[batch.contender]
                    state.version, state.setup = version, max(state.setup, setup)
                    state.failures.pop(batch.problem.digest, None)
                    run.unopened, run.setup = False, (setup, spent)
                    if child.group:
                        child.group.limit(self.settings.memory_limit)
                    if isinstance(run.watch, OpeningWatch):
                        child.usage()  # a fresh one: that before the opening may count as recent
                        self.send(run)
                    elif run.watch.opening is not None:
                        run.watch.asks()
                case NotOpened(reason, text) if run.unopened and reason in FAILURES:
                    yield from self.open_failed(batch, Reason(reason), text)
                    return
                case _:
                    raise MalformedReply(f"unexpected {reply}"[:200])

    def compare_clocks(self, run: RunningBatch, outcomes: Outcomes) -> None:
        """Add a batch to the clocks of its contender, unless its worker was ended for a malformed outcome.

        No clock checks a batch during which the parent was stopped.
        """
        PRESENCE.look()
        child, rows, contender, waited = run.child, outcomes.rows, run.batch.contender, self.waited - run.waited
        if self.workers.children.get(contender) is not child:
            return
        progress, usage, clocks = child.shared.read_progress(len(rows)), child.usage(), self.opened[contender].clocks
        child.rested = time.monotonic_ns(), usage.cpu
        self.opened[contender].observed.add_repeated(child.shared.firsts, rows["wall"], rows["cpu"])
        if stopped := PRESENCE.stopped - run.stopped:
            clocks.add_unchecked(len(rows), stopped)
            return
        cpu = np.maximum(rows["cpu"], 0).sum()
        outside = sum(int(rows[phase].sum()) for phase in OUTSIDE)
        reported = run.setup[0] + progress.aside + int(rows["wall"].sum()) + outside
        spent = run.setup[1] + progress.aside_cpu + int(cpu) + outside
        usable = len(child.cpus) or max(1, len(cores()))
        excused = child.scheduled(usage).excused(run.scheduled, reported, usable)
        counted = int(1e9 * (usage.cpu - run.cpu)) if LINUX else spent
        clocks.add(rows.size, math.prod(outcomes.batch.domains.shape[:2]), reported, max(0, waited - excused))
        clocks.add_cpu(spent, counted, usable * reported)

    def handle_exit(self, run: RunningBatch, breach: Breach | None) -> Iterator[Outcomes]:
        """End a worker that died or broke a limit. Yield its outcomes and the failed one; queue the rest again."""
        batch, child, opening = run.batch, run.child, run.opening
        how, peak = child.end()
        del self.workers.children[batch.contender]
        self.running = None
        line = child.telling_line()
        if breach:
            reason, text, cpu = breach
        else:
            reason, text, cpu = self.reason_of_death(child, peak), f"{how}{': ' + line if line else ''}", -1
        if opening:
            yield from self.open_failed(batch, reason, text)
            return
        n = len(batch.puzzles)
        progress = child.shared.read_progress(n)
        done, size = progress.done, min(progress.size, batch.cap)
        if done:
            yield self.collect(run, done)
        if progress.again and self.opened[batch.contender].warmup:
            self.opened[batch.contender].warmup = 0
            self.notify(f"{self.contenders[batch.contender].name}: {text}, in a warm-up: not counted, no more warm-ups")
            if done < n:
                self.waiting.appendleft(batch.part(done, n))
            return
        if done == n:
            return
        if done and progress.reopening and (breach is None or breach.reason != Reason.ERROR):
            self.notify(f"{self.contenders[batch.contender].name}: {text}, while it was opened again: started anew")
            self.waiting.appendleft(batch.part(done, n))
            return
        if size > 1 and progress.first == done:
            stop = done + size
            if stop < n:
                self.waiting.appendleft(batch.part(stop, n))
            self.waiting.appendleft(batch.part(done, stop, size // 2))
            return
        elapsed = time.monotonic_ns() - (progress.since or int(run.watch.sent * 1e9))
        row = np.array([unknown_row(reason, elapsed, cpu)], dtype=ROW)
        growing = run.last_trajectory(done)
        if self.settings.peak and child.group:
            row["peak"] = child.highest
            self.opened[batch.contender].observed.count(Basis.SOLVER, 1)
        elif self.settings.peak and isinstance(run.watch, BatchWatch):
            seen = run.watch.peaks.get(done, 0)
            row["peak"] = max(peak, seen) if self.own_peak(child, peak) or not seen else seen
            self.opened[batch.contender].observed.count(Basis.GROUP, 1)
        failed = without_solutions(batch.part(done, done + 1), row, {0: text})
        failed = replace(failed, logs={i - done: stem for i, stem in self.files.log_stems(done, done + 1)})
        yield failed if growing is None else with_best(failed, growing)
        if done + 1 < n:
            self.waiting.appendleft(batch.part(done + 1, n))

    @property
    def growing(self) -> GrowingTrajectory | None:
        """Reports so far of the only ask of the running batch; None without an objective, or before the ask."""
        run = self.running
        return None if run is None or run.follower is None or run.opening else run.follower.of(0)

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
        self.running = None
        child = self.workers.children.pop(batch.contender, None)
        if child is not None and child.process.returncode is None:
            child.end()
        state, problem = self.opened[batch.contender], batch.problem.digest
        state.last[problem] = reason, text
        if reason == Reason.REFUTED:  # an answer, not a failure to open
            yield self.unopened_outcomes(batch, text, reason)
            return
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
        why = text if reason == Reason.REFUTED else f"could not be opened: {text}"
        return without_solutions(batch, rows, dict.fromkeys(range(len(rows)), why))

    def collect(self, run: RunningBatch, n: int) -> Outcomes:
        """Return the first n outcomes from shared memory; an answer after the limit is a timeout.

        A worker with a malformed outcome is replaced.
        """
        batch, child = run.batch, run.child
        child.shared.restore_size()
        self.note_threads(run)
        rows = child.shared.rows[:n].copy()
        elapsed = int(1e9 * (time.monotonic() - run.watch.sent))
        count = wanted(batch.problem, self.settings)
        faults = row_faults(rows, count, elapsed, outside=child.reads_file)
        faults |= earlier_faults(child.shared, n, count, elapsed, child.reads_file)
        if run.follower is not None:
            faults |= {i: text for i, text in run.follower.mistimed.items() if i < n}
        if faults:
            rows[list(faults)] = np.array([unknown_row(Reason.ERROR, 0, -1)] * len(faults), ROW)
            if self.workers.children.pop(batch.contender, None) is not None:
                child.end()
        every, trajectories, notes = run.in_time(rows, faults, self.settings)
        if self.settings.peak:
            run.add_seen_peaks(rows, child.shared.bases[:n], self.opened[batch.contender].observed)
        shown = np.arange(count) < rows["found"][:, None]
        solutions = every[shown]
        if len(solutions):
            solutions[solutions >= len(batch.problem.values)] = no_value(solutions)
        details = {i: text for i, text in run.details.items() if i < n} | faults
        details |= {i: "; ".join(filter(None, (details.get(i), note))) for i, note in notes.items()}
        proofs = self.files.take_proofs(n)
        logs = dict(self.files.log_stems(0, n))
        times = dict(enumerate(child.shared.times[:n].clip(0).copy())) if child.shared.times.size else {}
        own = batch.part(0, n), rows, solutions, details, proofs
        return Outcomes(*own, trajectories=trajectories, logs=logs, times=times)

    def note_threads(self, run: RunningBatch) -> None:
        """Note once that a contender has more threads than cores, if most looks have found more."""
        contender = run.batch.contender
        state = self.opened[contender]
        if not self.workers.cpus or isinstance(run.watch, OpeningWatch) or state.looks < 0:
            return
        state.looks, state.parallel = state.looks + run.watch.looks, state.parallel + run.watch.parallel
        if state.looks >= MIN_LOOKS and 2 * state.parallel > state.looks:
            state.looks, state.observed.crowded = -1, state.observed.crowded + 1
            name, has = self.contenders[contender].name, cores_of(self.contenders[contender].backend)
            several, number = ("several", "one core") if has == 1 else (f"more than {has}", f"{has} cores")
            self.notify(f"{name}: {MORE_THREADS.format(several=several, cores=number)}")

    def reap_idle(self) -> None:
        """End workers that ended, or sent replies, while idle."""
        self.workers.reap_idle(None if self.running is None else self.running.batch.contender)

    def collect_finished(self) -> Iterator[Outcomes]:
        """Yield the finished outcomes of the running batch that are not yet collected."""
        run = self.running
        if run is None or run.opening:
            return
        done = run.child.shared.read_progress(len(run.batch.puzzles)).done
        if done:
            yield self.collect(run, done)
        self.running = None

    def close(self) -> None:
        """End all workers."""
        self.workers.close()
        self.file.remove()
        self.files.close()
