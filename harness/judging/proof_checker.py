"""Checks of a lease's proofs, in a process of its own with limits of time, memory and size.

The proofs of a lease are checked after its last contender, on the core of its place, when nothing is measured there.
So a check runs beside measured work only as the work of another place does. A proof stays in its file: the checking
process reads it, and the parent sees only the outcome. Ctrl-C ends a check at once; what is left is unchecked.
"""

import contextlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from backends.answer import Int8Array, Int32Array
from harness.judging.judge import check
from harness.model.contender import Contender
from harness.model.outcome import NO_PROOF, UNCHECKED, Outcomes
from harness.model.settings import RunSettings
from harness.running import environment
from harness.running.reaper import MARK, Reaper, kill_group
from puzzles.columns import unpack
from puzzles.problem import Problem, dump

MAX_BYTES = 1 << 30  # of a proof
MAX_MEMORY = 2 << 30  # bytes of data of the checking process
MAX_REPLY = 1 << 16
INTERRUPTED = "interrupted"


@dataclass(frozen=True)
class Job:
    """Check of one proof; its result goes to position `at` of the outcomes."""

    outcomes: Outcomes
    at: int
    solutions: list[list[int]]

    def record(self, outcome: int, why: str) -> None:
        """Store the result in the outcomes, and delete the proof."""
        assert self.outcomes.proved is not None
        self.outcomes.proved[self.at] = outcome
        self.outcomes.details.pop(self.at, None)
        if why:
            self.outcomes.details[self.at] = f"proof {'unchecked' if outcome == UNCHECKED else 'refused'}: {why}"
        with contextlib.suppress(OSError):
            self.outcomes.proofs[self.at].unlink()


def unchecked(outcomes: Outcomes, valid: Int32Array, why: str) -> Outcomes:
    """Return the outcomes with the proofs of complete answers whose solutions are valid as unchecked."""
    proved: Int8Array = np.full(len(outcomes.rows), NO_PROOF, np.int8)
    for i in outcomes.proofs:
        if valid[i] >= 0 and outcomes.rows["complete"][i]:
            proved[i] = UNCHECKED
            outcomes.details[i] = f"proof unchecked: {why}"
    return replace(outcomes, proved=proved)


def jobs_of(outcomes: Outcomes) -> list[Job]:
    """Return the checks of the unchecked proofs."""
    found = outcomes.rows["found"]
    start = np.cumsum(found) - found
    return [
        Job(outcomes, i, outcomes.solutions[start[i] : start[i] + found[i]].tolist())
        for i in np.flatnonzero(outcomes.proved == UNCHECKED).tolist()
    ]


class CheckingProcess:
    """Checking process as its parent sees it. `problem` is that of the last job."""

    def __init__(self, reaper: Reaper, core: int | None) -> None:
        self.reaper = reaper
        self.problem: Problem | None = None
        self.folder = tempfile.TemporaryDirectory(dir=reaper.folder, ignore_cleanup_errors=True)
        self.process = subprocess.Popen(
            [sys.executable, *environment.import_flags(), "-m", "harness.judging.checking", str(MAX_MEMORY)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            env=environment.variables(folder=reaper.folder) | {MARK: reaper.new_mark()},
        )
        reaper.send("+", self.process.pid)
        if core is not None:
            with contextlib.suppress(ProcessLookupError):
                os.sched_setaffinity(self.process.pid, {core})
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.commands, self.replies = self.process.stdin, self.process.stdout
        os.set_blocking(self.replies.fileno(), False)
        self.buffer = b""

    def send(self, contender: Contender, job: Job) -> None:
        """Command it to check a proof."""
        batch = job.outcomes.batch
        file = None
        if self.problem != batch.problem:
            file = Path(self.folder.name, "problem")
            file.write_bytes(dump(batch.problem))
            self.problem = batch.problem
        (domains,) = unpack(batch.domains[job.at : job.at + 1])
        order = {
            "problem": None if file is None else str(file),
            "encoding": contender.encoded,
            "domains": domains,
            "solutions": job.solutions,
            "proof": str(job.outcomes.proofs[job.at]),
        }
        with contextlib.suppress(BrokenPipeError):
            self.commands.write(json.dumps(order).encode() + b"\n")
            self.commands.flush()

    def reply(self) -> bytes | None:
        """Return the next line, None if there is none yet. Raises EOFError if the process has ended."""
        while b"\n" not in self.buffer:
            part = self.replies.read(MAX_REPLY)
            if part is None:
                return None
            if not part:
                raise EOFError
            self.buffer += part
        line, _, self.buffer = self.buffer.partition(b"\n")
        return line

    def end(self) -> None:
        """Kill and reap it."""
        kill_group(self.process.pid)
        self.process.wait()
        self.reaper.send("-", self.process.pid)
        with contextlib.suppress(BrokenPipeError):
            self.commands.close()
        self.replies.close()
        self.folder.cleanup()


class ProofChecker:
    """Checks of one place: `begin` with the outcomes of a lease, then `advance` until it returns True.

    `keep` receives the outcomes before their checks, to keep copies of the proofs.
    """

    def __init__(
        self,
        contenders: Sequence[Contender],
        settings: RunSettings,
        keep: Callable[[Outcomes], object] | None,
        reaper: Reaper,
        core: int | None,
    ) -> None:
        self.contenders, self.settings, self.keep = contenders, settings, keep
        self.reaper, self.core = reaper, core
        self.waiting: deque[Job] = deque()
        self.job: Job | None = None
        self.child: CheckingProcess | None = None
        self.opened = False
        self.until = float("inf")

    def begin(self, outcomes: list[Outcomes]) -> None:
        """Take the proofs of a lease; replaces its outcomes, in which the results will appear."""
        for i, some in enumerate(outcomes):
            if self.keep is not None:
                self.keep(some)
            batch = some.batch
            valid = check(batch.problem, batch.domains, some.rows["found"], some.solutions)
            outcomes[i] = unchecked(some, valid, INTERRUPTED)
            self.waiting.extend(jobs_of(outcomes[i]))

    def advance(self) -> bool:
        """Do all work that needs no waiting; return True if no check is left."""
        while self.job is not None or self.waiting:
            if self.job is None:
                self.start(self.waiting.popleft())
            elif not self.poll(self.job):
                return False
        return True

    def start(self, job: Job) -> None:
        """Start a check, and first a process if there is none."""
        try:
            size = job.outcomes.proofs[job.at].stat().st_size
        except OSError as e:
            job.record(UNCHECKED, f"error: {e.strerror}")
            return
        if size > MAX_BYTES:
            job.record(UNCHECKED, f"size: it has {size >> 20} MiB, more than {MAX_BYTES >> 20}")
            return
        self.job = job
        if self.child is None:
            self.child, self.opened = CheckingProcess(self.reaper, self.core), False
            self.until = time.monotonic() + self.settings.opening
        else:
            self.send(self.child, job)

    def send(self, child: CheckingProcess, job: Job) -> None:
        self.until = time.monotonic() + self.settings.proof_limit
        child.send(self.contenders[job.outcomes.batch.contender], job)

    def poll(self, job: Job) -> bool:
        """Look at the running check; return False if it needs waiting."""
        assert self.child is not None
        try:
            line = self.child.reply()
        except EOFError:
            self.finish(job, f"error: the checking process ended with {self.child.process.wait()}")
            return True
        if line is None:
            if time.monotonic() <= self.until:
                return False
            limit = self.settings.proof_limit if self.opened else self.settings.opening
            self.finish(job, f"time: more than {limit:g} s" + (" (--proof-limit)" if self.opened else " to start"))
        elif not self.opened:
            self.opened = True
            self.send(self.child, job)
        else:
            result = json.loads(line)
            job.record(result["outcome"], result["why"])
            self.job = None
        return True

    def finish(self, job: Job, why: str) -> None:
        """Leave a proof unchecked and end the process."""
        job.record(UNCHECKED, why)
        self.close()

    def open_fds(self) -> list[int]:
        """Return the descriptors to wait for."""
        return [self.child.replies.fileno()] if self.child is not None and self.job is not None else []

    def deadline(self) -> float:
        """Return the monotonic time at which the check is overdue."""
        return float("inf") if self.job is None else self.until

    def close(self) -> None:
        """End the process; the running check has no result."""
        self.job = None
        if self.child is not None:
            self.child.end()
            self.child = None
