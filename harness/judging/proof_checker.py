"""Checks of a lease's proofs, in a process of its own with limits of time, memory and size.

The proofs of a batch of a lease are checked before the next batch begins, on the core of its place, when nothing is
measured there. So a check disturbs measured work only as another place does. A proof stays in its file: the checking
process reads it, and the parent sees only the outcome. Ctrl-C ends a check at once; the remaining proofs are unchecked.
Each check may take the whole limit, which is one of CPU time, since a busy machine makes wall time long.
"""

import json
import tempfile
from collections import deque
from collections.abc import Sequence
from pathlib import Path

from backends.contract.answer import Status
from backends.programs.backend import format_of
from backends.programs.protocols import WRITTEN_TO_PROVE
from encoders.formula import Cnf
from encoders.registry import spec
from harness.judging.checking_process import CheckingProcess
from harness.judging.judge import check
from harness.judging.kept_proofs import KeptProofs
from harness.judging.proof_job import FORMULA, INTERRUPTED, OURS, SECOND, Job, Opinion, jobs_of, unchecked
from harness.model.contender import Contender
from harness.model.outcome import UNCHECKED, Batch, Outcomes
from harness.model.settings import RunSettings
from harness.model.trajectory import NOTHING
from harness.running.reaper import Reaper
from harness.running.workers.cpu_limit import MIN_IDLE_S, WALL, CpuLimit
from puzzles.objectives.models import ModelCount
from puzzles.problem.columns import unpack

MAX_BYTES = 1 << 30  # bytes of a proof
SOURCES = {"native": "original", "pumpkin": "flat"}  # of backends whose proofs are about the instance's rows, or posts


def source_of(backend: str, batch: Batch, solutions: Sequence[object]) -> str:
    """Return the form in which a backend received the sums of an instance for its last search.

    A program gets the file of its instance, but a written WCNF, and a written file for each further solution.
    """
    if own := SOURCES.get(backend.partition(":")[0]):
        return own
    form, source = format_of(backend), batch.source
    given = source is not None and source.format == form and form not in WRITTEN_TO_PROVE
    if given and (batch.problem.objective is not None or not solutions):
        return "original"
    return "written" if form else "rows"


def counted(outcomes: Outcomes, at: int) -> int | None:
    """Return the value of the number of models that an outcome states, None of any other."""
    goal = outcomes.batch.problem.objective
    if goal is None or goal.kind != ModelCount.kind:
        return None
    unsatisfiable = outcomes.rows["status"][at] == Status.UNSATISFIABLE
    return 0 if unsatisfiable else outcomes.trajectories.get(at, NOTHING).stated


class ProofChecker:
    """Checks of one place: `begin` with the outcomes of a batch of a lease, then `advance` until it returns True.

    `kept` receives copies of proofs and formulas. With `twice` a second checker of ours checks each proof too.
    """

    def __init__(
        self,
        contenders: Sequence[Contender],
        settings: RunSettings,
        kept: KeptProofs | None,
        reaper: Reaper,
        core: int | None,
        twice: bool = False,
    ) -> None:
        self.contenders, self.settings, self.kept = contenders, settings, kept
        self.checks = (FORMULA, OURS, *([SECOND] if twice else []), *settings.checkers)
        self.reaper, self.core = reaper, core
        self.folder = tempfile.TemporaryDirectory(dir=reaper.folder, ignore_cleanup_errors=True)
        self.formula = Path(self.folder.name, "formula")
        self.sums = any(spec(c.encoded).encoding.formula is not Cnf for c in contenders)
        self.waiting: deque[Job] = deque()
        self.job: Job | None = None
        self.child: CheckingProcess | None = None
        self.opened = False
        self.watch: CpuLimit | None = None  # of the process

    def begin(self, outcomes: list[Outcomes]) -> None:
        """Take the proofs of some outcomes; results will appear in these outcomes."""
        for i, some in enumerate(outcomes):
            batch = some.batch
            valid = check(batch.problem, batch.domains, some.rows["found"], some.solutions)
            outcomes[i] = unchecked(some, valid, INTERRUPTED)
            self.waiting.extend(jobs_of(outcomes[i], self.checks))

    def advance(self) -> bool:
        """Do all work that needs no waiting; return True if no check is left."""
        while self.job is not None or self.waiting:
            if self.job is None:
                self.start(self.waiting.popleft())
            elif not self.poll(self.job):
                return False
        return True

    def start(self, job: Job) -> None:
        """Start the checks of a proof."""
        self.formula.unlink(missing_ok=True)
        if self.kept is not None:
            self.kept.keep_proof(job.outcomes, job.at)
        try:
            size = job.proof.stat().st_size
        except OSError as e:
            job.add(Opinion(FORMULA, UNCHECKED, f"error: {e.strerror}"))
        else:
            if size > MAX_BYTES:
                why = f"size: it has {size >> 20} MiB, more than {MAX_BYTES >> 20}"
                job.add(Opinion(FORMULA, UNCHECKED, why))
        self.job = job
        self.go_on(job)

    def go_on(self, job: Job) -> None:
        """Start the next check of a proof, and a process if there is none; store the result after the last check."""
        if not job.checks:
            job.finish()
            self.job = None
        elif self.child is None:
            self.child = CheckingProcess(self.reaper, self.core, self.settings, self.sums)
            self.opened = False
            self.watch = CpuLimit(self.child.cpu, self.settings.opening)
        else:
            self.send(self.child, job)

    def send(self, child: CheckingProcess, job: Job) -> None:
        """Command the next check."""
        name, limit, proof = job.checks[0], self.settings.proof_limit, str(job.proof)
        self.watch = CpuLimit(child.cpu, limit)
        if name == FORMULA:
            batch = job.outcomes.batch
            contender = self.contenders[batch.contender]
            (domains,) = unpack(batch.domains[job.at : job.at + 1])
            order = {
                "encoding": contender.encoded,
                "domains": domains,
                "solutions": job.solutions,
                "number": counted(job.outcomes, job.at),
                "source": source_of(contender.backend, batch, job.solutions),
                "write": str(self.formula) if self.kept or self.settings.checkers else None,
            }
            child.send_formula(batch.problem, order)
        elif name in (OURS, SECOND):
            child.send({"do": "proof" if name == OURS else "second", "proof": proof})
        else:
            files = {"formula": str(self.formula), "proof": proof}
            child.send({"do": "checker", "name": name, **files, "seconds": WALL * max(limit, MIN_IDLE_S)})

    def poll(self, job: Job) -> bool:
        """Look at the running check; return False if it needs waiting."""
        assert self.child is not None
        try:
            line = self.child.reply()
        except EOFError:
            self.fail(job, f"error: the checking process ended with {self.child.child.process.wait()}")
            return True
        if line is None:
            if not (used := self.watch.exceeded() if self.watch else ""):
                return False
            self.fail(
                job, f"time: more than {used}" + (" (--proof-limit)" if self.opened else " to start (--open-limit)")
            )
        elif not self.opened:
            self.opened = True
            self.send(self.child, job)
        else:
            if job.checks[0] == FORMULA and self.kept is not None:
                self.kept.keep_formula(job.outcomes, job.at, self.formula)
            job.add(Opinion(job.checks[0], **json.loads(line)))
            self.go_on(job)
        return True

    def fail(self, job: Job, why: str) -> None:
        """End the process, which overran or failed, and go on with the next check in another process."""
        if not self.opened:
            job.checks = deque(list(job.checks)[:1])
        job.add(Opinion(job.checks[0], UNCHECKED, why))
        if job.checks and job.checks[0] == SECOND:  # which needs the formula in the new process
            job.checks.appendleft(FORMULA)
        self.end_process()
        self.go_on(job)

    def open_fds(self) -> list[int]:
        """Return the descriptors to wait for."""
        return [self.child.replies] if self.child is not None and self.job is not None else []

    def deadline(self) -> float:
        """Return the monotonic time at which the check may be overdue."""
        return float("inf") if self.job is None or self.watch is None else self.watch.due

    def end_process(self) -> None:
        """End the checking process."""
        if self.child is not None:
            self.child.end()
            self.child = None

    def close(self) -> None:
        """End the process; the running check has no result."""
        self.job = None
        self.end_process()
        self.folder.cleanup()
