"""Worker process: opens a contender on a problem, takes batches, returns outcomes.

Its arguments are three file descriptors (JSON lines in, JSON lines out, shared memory for bulk data) and its folder for
temporary files. The parent redirects stdout and stderr of the solver. Processes that a contender starts in an ask end
with the ask; processes started on opening stay until the worker ends. The file is long because one ask passes through
all of it: opening, warm-up, measured ask, and the reply in shared memory.
"""

import contextlib
import gc
import json
import os
import signal
import sys
import traceback
from collections.abc import Mapping, Sequence, Set
from dataclasses import replace
from pathlib import Path
from time import monotonic_ns  # bound before a plug-in is imported, which may replace it
from time import perf_counter_ns as now
from typing import TYPE_CHECKING, Any

import numpy as np

from backends.contract import registry
from backends.contract.answer import (
    COUNTERS,
    Answer,
    Answers,
    Ask,
    Asks,
    LoadableBackend,
    Pauses,
    Phases,
    Reason,
    Session,
    Status,
)
from backends.contract.checking import check_answers, check_form
from backends.contract.options import base_of
from backends.programs.launching import STARTER, started
from backends.programs.logs import LOGS
from backends.programs.spawner import spawner
from backends.programs.worker_programs import take_programs
from encoders.formula import Unsupported
from encoders.registry import spec
from harness.model.observing.observed import Basis
from harness.model.outcome import OUTSIDE, PHASES, SourceDigest, no_value, unknown_row
from harness.running.control_groups import GroupFiles, ProgramGroup
from harness.running.workers.inside.clocks import cpu_after, cpu_before, cpu_of_children, cpu_pressure, inside_times
from harness.running.workers.inside.opening import Refuted, compile_for, load_code, open_session
from harness.running.workers.inside.replying import ReplyPipe
from harness.running.workers.inside.resources import LimitTooSmall, PeakMeter, limit_memory, names_in, remove_files
from harness.running.workers.problem_file import problem_of
from harness.running.workers.replies import MAX_NUMBER, MAX_TEXT
from harness.running.workers.reports import TOO_LONG, SharedListener, text_of
from harness.running.workers.shared_memory import (
    AGAIN,
    ASIDE,
    ASIDE_CPU,
    DONE,
    FIRST,
    REOPENING,
    SINCE,
    SIZE,
    SPENT,
    SharedBatch,
)
from puzzles.plugins import allow_imports
from puzzles.plugins.text import raised
from puzzles.problem import Problem
from puzzles.problem.columns import index_type, unpack
from puzzles.problem.values import Domains
from puzzles.processes.guarding import LINUX, children, end_children, has_children

if TYPE_CHECKING:
    from harness.running.workers.inside.source import WorkerSource

MAX_MESSAGE, MAX_TRACEBACK, MAX_FRAMES = 600, 1300, 8  # characters of an exception's message and traceback; frames
LONG_CHUNK_NS = 100_000_000  # slower asks of several puzzles make the next chunk smaller
SHORT_CHUNK_NS = 20_000_000  # faster ones make it larger
COLD_NS = 250_000_000  # longer asks are not repeated: a cold process adds 10 to 20 ms
LONG_OPENING_NS = 2_000_000  # the parent hears of a longer opening before the batch that was sent with it begins
LOADED_NS = 20_000_000  # COLD_NS where solving another problem has loaded the code: it adds 0.3 to 1.3 ms
NO_NOTES: Mapping[int, str] = {}
REASONS = {Unsupported: Reason.UNSUPPORTED, MemoryError: Reason.MEMORY}  # reasons by exception of an ask; else ERROR


class Worker:
    """Open session of this process, the shared memory of its batch, and its own folder for temporary files."""

    session: Session
    problem: Problem

    def __init__(self, shared: SharedBatch, folder: Path, programs: Mapping[str, str] = registry.NO_PROGRAMS) -> None:
        self.shared, self.folder, self.programs = shared, folder, programs
        self.kept: Set[int] = set()  # processes that the session keeps
        self.chunk = 1
        self.longest_warmup = COLD_NS
        self.pauses = Pauses()  # pauses of the last ask
        self.traced: set[str] = set()  # messages whose traceback was reported
        self.run = 0  # number of asks with an objective
        self.loaded = False  # True once the code for problems that nobody shares is
        self.limited = False  # True once its memory is
        self.group: GroupFiles | None = None
        self.programs_group: ProgramGroup | None = None
        self.kills = 0  # processes of the group that were killed for lack of memory

    def open(self, command: dict[str, Any]) -> dict[str, Any]:
        """Open the contender on the problem of a file; return its version, nanoseconds of setup, and CPU time."""
        start, cpu = now(), cpu_before(self.kept)
        self.problem = problem_of(command)
        self.command = command
        self.source = open_source(command["source"]) if "source" in command else None
        if hasattr(self, "session"):
            self.session.close()
        else:
            self.backend = registry.find(command["backend"], self.programs, command["seed"])
            self.warmup = command["warmup"]
        first, alone = not hasattr(self, "session"), not self.problem.shared
        if first or (alone and not self.loaded):
            self.loaded = alone  # if it solved boards before, the code for files may be another
            if load_code(self.backend, spec(command["encoding"])) and first and alone:
                self.longest_warmup = LOADED_NS
        if self.problem.shared and command["alone"]:
            before, copy = now(), problem_of(command)
            compile_for(self.backend, copy, command)
            start += now() - before  # it encodes, which is no setup
        self.session = open_session(self.backend, self.problem, command)
        self.note_kept()
        self.amortised = "batch" in self.backend.can
        self.columnar = hasattr(self.session, "ask_many")
        gc.collect()
        gc.freeze()
        gc.enable()
        setup = now() - start
        self.use_group(command["group"])
        if command["memory"] and not self.limited:
            limit_memory(command["memory"], aside=self.group is not None)
            self.limited = True
        self.begin_spawner()
        spent = max(0, cpu_after(self.kept) - cpu)
        return {"version": str(self.backend.version)[:MAX_TEXT], "setup": setup, "spent": spent}

    def reply_to_opening(self, command: dict[str, Any]) -> dict[str, Any]:
        """Open the contender on this worker's cores; return the reply: the result, or the reason why it failed."""
        try:
            pin(command["cpus"])
            return self.open(command)
        except LimitTooSmall as e:
            return {"refused": str(e), "reason": Reason.MEMORY}
        except Unsupported as e:
            return {"refused": str(e)[:MAX_TEXT], "reason": Reason.UNSUPPORTED}
        except Refuted as e:
            return {"refused": str(e)[:MAX_TEXT], "reason": Reason.REFUTED}
        except BaseException as e:
            return {"refused": raised(e)[:MAX_TEXT], "reason": Reason.ERROR}

    def use_group(self, files: Sequence[int] | None) -> None:
        """Take the open files of the control groups of the worker and, if there is one, of its programs."""
        if not files:
            return
        self.group, rest = GroupFiles(*files[:3]), files[3:]
        for fd in files:
            os.set_inheritable(fd, False)
        self.programs_group = ProgramGroup(GroupFiles(*rest[:3]), *rest[3:]) if rest else None
        self.kills = self.oom_kills()

    def begin_spawner(self) -> None:
        """Start the process that starts programs in their group, unless it lives, with the limits of this process."""
        if self.programs_group is None or (STARTER.spawner and STARTER.spawner.alive()):
            return
        if STARTER.spawner:
            STARTER.spawner.close()
        STARTER.spawner = spawner(self.programs_group.join, started)
        if STARTER.spawner is None:
            self.programs_group = None

    def oom_kills(self) -> int:
        """Return the number of processes that the kernel has killed for lack of memory in its groups."""
        groups = (self.group, self.programs_group.files if self.programs_group else None)
        return sum(group.kills() for group in groups if group)

    def killed_for_memory(self) -> bool:
        """Return True if the kernel has killed a process of the group for lack of memory since the last look."""
        before, self.kills = self.kills, self.oom_kills()
        return self.kills > before

    def batch(self, command: dict[str, Any], replies: ReplyPipe) -> None:
        """Solve the batch in shared memory and write every outcome there; reply errors and notes, and the end.

        Replies also wake the parent, which then reads the reports of a search for the best solution.
        """
        n, self.tell = command["n"], lambda: replies.send(reported=1)
        variables, index = len(self.problem.variables), index_type(self.problem)
        sizes = command["words"], command["count"], index, command["digits"], command["warmups"], command["asks"]
        self.shared.map_batch(n, variables, *sizes)
        self.warmup = min(self.warmup, command["warmups"])
        progress = self.shared.progress.data
        domains = None if self.columnar else unpack(self.shared.domains)
        notes: Mapping[int, str] = {}

        def note(at: int, text: str) -> None:
            replies.hold(error=text[:MAX_TEXT], at=at)

        i, cap, until = 0, command["cap"], n  # up to position `until` at most `cap` puzzles per ask
        while i < n:
            if i:
                replies.flush()  # notes outlive the next ask; of the first, the opening may still be held
            cap = cap if i < until else command["cap"]
            size = min(n - i, n if self.amortised else self.chunk, cap) if self.columnar else 1
            LOGS.begin(Path(command["logs"], str(i)) if command["logs"] else None)
            cpu, start = cpu_before(self.kept), now()
            progress[SPENT], progress[SINCE] = cpu, monotonic_ns()
            pressed = cpu_pressure() if self.warmup else 0
            progress[FIRST], progress[SIZE] = i, size  # last: from now on the limit counts
            try:
                if domains is None:
                    notes = self.ask_many(i, size, command, start, cpu)
                else:
                    notes = self.ask(i, domains[i], command, start, cpu)
            except BaseException as e:  # any failure of a solver, sys.exit included, is an outcome
                self.end_rest()
                remove_files(self.folder, self.kept_files)
                if final := size == 1 and not progress[AGAIN]:
                    note(i, self.record_failure(i, e, start, cpu))
                    cpu, start = cpu_before(self.kept), now()  # its row has the time before
                    replies.flush()
                    progress[REOPENING], progress[DONE] = 1, i + 1  # no limit of an ask counts what follows
                self.session = open_session(
                    self.backend, self.problem, self.command
                )  # the old one is in an unknown state
                self.note_kept()
                self.set_aside(start, cpu)
                progress[REOPENING] = 0
                if final:
                    i += 1
                    continue
                if progress[AGAIN]:
                    for k in sorted(notes):
                        note(i + k, notes[k])
                    self.warmup, progress[AGAIN], i = 0, 0, int(progress[DONE])
                    continue
                cap, until = size // 2, i + size
                continue
            progress[DONE] = max(progress[DONE], i + size)
            if self.warmup and self.repeats(now() - start):
                self.shared.keep(i, size)
                if not progress[AGAIN]:
                    self.note_first(slice(i, i + size), pressed)
                self.set_aside(start, cpu)
                progress[AGAIN] = 1
                continue
            progress[AGAIN] = 0
            for k in sorted(notes):
                note(i + k, notes[k])
            i += size
            progress[DONE] = i
        replies.send(done=n)

    def note_first(self, asked: slice, pressed: int | None) -> None:
        """Keep the times of an ask that is repeated; `pressed` is the pressure on cores before it."""
        rows, after = self.shared.rows[asked], cpu_pressure()
        waited = rows["wall"] if pressed is None or after is None else np.minimum(rows["wall"], after - pressed)
        self.shared.firsts[asked] = np.stack([rows["wall"], rows["cpu"], waited], axis=1)

    def set_aside(self, start: int, cpu: int) -> None:
        """Count the time since the start of an ask, or of the following opening, that is in no row."""
        progress = self.shared.progress.data
        progress[ASIDE] += now() - start
        progress[ASIDE_CPU] += max(0, cpu_after(self.kept) - cpu)

    def with_traceback(self, text: str, e: BaseException) -> str:
        """Return the message of an exception and, the first time, the frames below it in which it was raised."""
        if text in self.traced:
            return text
        self.traced.add(text)
        frames = "".join(traceback.format_tb(e.__traceback__, limit=-MAX_FRAMES))
        return f"{text[:MAX_MESSAGE]}\n{frames[-MAX_TRACEBACK:].rstrip()}"

    def repeats(self, nanoseconds: int) -> bool:
        """Return True if the last ask is to be repeated: a short one, among the first of the process.

        The outcome of the repeated ask replaces the first one, which is kept to be judged, unless the repeated ask
        fails. A warm session remembers the puzzle, so it is opened again.
        """
        if nanoseconds > self.longest_warmup:
            self.warmup = 0
        if not self.warmup:
            return False
        self.warmup -= 1
        if self.command["warm"]:
            self.session.close()
            self.session = open_session(self.backend, self.problem, self.command)
            self.note_kept()
        return True

    def end_rest(self) -> bool:
        """End the processes left by an ask, except the session's own; return True if there were any."""
        if (ours := STARTER.spawner) is None:
            return end_children(self.kept)
        left = set(ours.running)
        for pid in left:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
            ours.reap(pid)
        return end_children({*self.kept, ours.pid}) or bool(left)

    def note_kept(self) -> None:
        """Record the contender's processes and files after opening; the clean-up after a failed ask spares them."""
        ours = {STARTER.spawner.pid} if STARTER.spawner else set()
        self.kept = children() - ours if LINUX and has_children() else set()
        self.kept_files = names_in(self.folder)

    def ask(self, i: int, domains: Domains, command: dict[str, Any], start: int, cpu: int) -> Mapping[int, str]:
        """Ask one puzzle, timed around the call; time outside the reported phases counts as solving.

        Returns its note, by position in the ask.
        """
        self.pauses = Pauses()
        self.begin_spawner()
        meter = PeakMeter(self.kept, self.group, self.programs_group) if command["peak"] else None
        if meter:
            cpu, start = cpu_before(self.kept), now()
        path, note = (self.source.path, self.source.note) if self.source else (None, "")
        if path is not None:
            self.pauses = harness_work(self.shared.progress.data)
            self.children_before = cpu_of_children()
        ask = Ask(domains, command["count"], command["limit"], None, bool(command["proofs"]), path, self.pauses)
        if command["digits"]:
            ask = replace(ask, listener=self.listener(i), grace=command["grace"])
        answer = self.session.ask(ask)
        wall, spent = self.charged(start, cpu)
        if self.end_rest():
            _, spent = self.charged(start, cpu)
        check_form(answer, command["count"], len(self.problem.variables))
        if command["digits"]:
            self.state_values(i, answer)
        if command["proofs"] and answer.proof is not None:
            before, begun = cpu_before(self.kept), now()
            Path(command["proofs"], str(i)).write_bytes(answer.proof)
            self.set_aside(begun, before)
        if answer.times and command["asks"]:
            self.shared.times[i] = [*answer.times, *[0] * command["asks"]][: command["asks"]]
        for k, solution in enumerate(answer.solutions):
            self.shared.set_solution(i, k, solution)
        peak, basis = meter.read() if meter else (-1, Basis.UNKNOWN)
        if basis == Basis.GROUP and self.shared.progress[AGAIN]:  # a child of the first ask hides one of the same size
            peak = max(peak, int(self.shared.rows["peak"][i]))
        self.shared.bases[i] = basis
        p = answer.phases or Phases()
        encode, load, decode = int(p.encode), int(p.load), int(p.decode)
        if min(encode, load, decode) < 0 or encode + load + decode > wall:
            encode = load = decode = 0
        counters = [c if 0 <= (c := int(answer.counters.get(name, -1))) < MAX_NUMBER else -1 for name in COUNTERS]
        complete = bool(answer.complete) or answer.status == Status.UNSATISFIABLE
        asked = int(answer.status), int(answer.reason), complete, False, len(answer.solutions), wall, spent
        phases = encode, load, wall - encode - load - decode, decode
        self.shared.set_row(i, (*asked, *phases, *counters, peak, *self.pauses.phases.values()))  # fields of ROW
        return {0: "; ".join(filter(None, (answer.note, note)))} if answer.note or note else NO_NOTES

    def listener(self, i: int) -> SharedListener:
        """Return the listener of the next ask, at a position of the batch."""
        self.run += 1
        progress = self.shared.progress.data
        return SharedListener(
            self.shared.reports, self.run, i, len(self.problem.variables), lambda: progress[SINCE], self.tell
        )

    def state_values(self, i: int, answer: Answer) -> None:
        """Write the values that an answer states: the objective's value and bound, as text."""
        for column, value in ((self.shared.stated, answer.value), (self.shared.bounds, answer.bound)):
            text = b"" if value is None else text_of(int(value))
            column[i] = text if len(text) <= column.itemsize else TOO_LONG

    def charged(self, start: int, cpu: int) -> tuple[int, int]:
        """Return the nanoseconds of wall and CPU time since the start of an ask, without those set apart.

        Of a program that gets the file of its instance, CPU time is that of the program alone.
        """
        wall = now() - start - self.pauses.total
        if self.pauses.counted:
            return wall, max(0, cpu_of_children() - self.children_before)
        return wall, cpu_after(self.kept) - cpu - self.pauses.cpu

    def ask_many(self, i: int, size: int, command: dict[str, Any], start: int, cpu: int) -> Mapping[int, str]:
        """Ask several puzzles in one call, timed by the backend or else by an equal share of the call's time.

        Returns notes by position in the ask.
        """
        shared, count = self.shared, command["count"]
        domains = shared.domains[i : i + size]
        a: Answers = self.session.ask_many(Asks(domains, count, command["limit"]))  # type: ignore[attr-defined]
        wall, spent = now() - start, cpu_after(self.kept) - cpu
        if self.end_rest():
            spent = cpu_after(self.kept) - cpu
        check_answers(a, size, count, len(self.problem.variables))
        found = np.asarray(a.found)
        rows = shared.rows[i : i + size]
        rows["status"], rows["reason"], rows["found"] = a.status, a.reason, found
        rows["complete"] = np.asarray(a.complete, np.bool_) | (np.asarray(a.status) == Status.UNSATISFIABLE)
        inside = None if a.nanoseconds is None else inside_times(np.asarray(a.nanoseconds), size, wall)
        rows["amortised"] = inside is None
        rows["wall"] = wall // size if inside is None else inside
        rows["cpu"] = rows["wall"] * (spent / max(wall, 1))
        for phase in PHASES:
            rows[phase] = rows["wall"] if phase == "solve" else 0
        for counter in COUNTERS:
            known = np.asarray(a.counters.get(counter, -1))
            rows[counter] = np.where((known >= 0) & (known < MAX_NUMBER), known, -1)
        rows["peak"], shared.bases[i : i + size] = -1, Basis.UNKNOWN
        for phase in OUTSIDE:
            rows[phase] = 0
        where = np.repeat(np.arange(i, i + size), found)
        nth = np.arange(len(where)) - np.repeat(np.cumsum(found) - found, found)
        solutions = np.asarray(a.solutions)
        there, none = (solutions >= 0) & (solutions < len(self.problem.values)), no_value(shared.solutions)
        shared.solutions[where, nth] = np.where(there, solutions.astype(shared.solutions.dtype), none)
        if wall < SHORT_CHUNK_NS:
            self.chunk = min(2 * self.chunk, 4096)
        elif wall > LONG_CHUNK_NS:
            self.chunk = max(1, self.chunk // 4)
        return a.notes

    def record_failure(self, i: int, e: BaseException, start: int, cpu: int) -> str:
        """Write the outcome of an ask that raised; return its message."""
        wall, spent = self.charged(start, cpu)
        reason = next((reason for kind, reason in REASONS.items() if isinstance(e, kind)), Reason.ERROR)
        if reason == Reason.ERROR and self.killed_for_memory():
            reason = Reason.MEMORY
        self.shared.set_row(i, unknown_row(reason, wall, spent, tuple(self.pauses.phases.values())))
        self.shared.bases[i] = Basis.UNKNOWN
        text = str(e) if reason == Reason.UNSUPPORTED else raised(e)
        return self.with_traceback(text, e) if reason == Reason.ERROR else text


def open_source(source: dict[str, str]) -> "WorkerSource":
    """Return the file for a program. Raises ChangedFile."""
    from harness.running.workers.inside.source import WorkerSource

    return WorkerSource(SourceDigest(**source))


def harness_work(progress: "memoryview[int]") -> Pauses:
    """Return the object that sets our own work apart in an ask."""
    from harness.running.workers.inside.source import HarnessWork

    return HarnessWork(progress)


def load(name: str, programs: Mapping[str, str] = registry.NO_PROGRAMS) -> None:
    """Import the modules of a built-in backend before there is a problem. Errors are ignored: they recur on opening."""
    with contextlib.suppress(Exception):
        if base_of(name) in registry.BUILT_IN and isinstance(backend := registry.find(name, programs), LoadableBackend):
            backend.load()


def pin(cpus: Sequence[int]) -> None:
    """Confine all threads of this process to some cores, unless there are none, or they are confined already."""
    if cpus and os.sched_getaffinity(0) != set(cpus):
        for thread in os.listdir("/proc/self/task"):
            os.sched_setaffinity(int(thread), cpus)


def main() -> None:
    """Serve commands until their pipe is closed."""
    allow_imports()
    commands_fd, replies_fd, shared_fd = map(int, sys.argv[1:4])
    folder = Path(sys.argv[4])
    for fd in (commands_fd, replies_fd, shared_fd):
        os.set_inheritable(fd, False)
    commands = os.fdopen(commands_fd, "rb")
    worker, replies = Worker(SharedBatch(shared_fd), folder, take_programs(os.environ)), ReplyPipe(replies_fd)
    for line in commands:
        command = json.loads(line.decode())
        if command["do"] == "load":
            pin(command["cpus"])
            load(command["backend"], worker.programs)
            gc.freeze()  # so that the collection when a session is open does not search it
            replies.send(loaded=1)
        elif command["do"] == "open":
            opening = worker.reply_to_opening(command)
            replies.hold(**opening)
            batch = command["batch"] if "setup" in opening else None
            if batch is None or opening["setup"] > LONG_OPENING_NS:
                replies.flush()
            if batch is not None:
                worker.batch(batch, replies)
        else:
            worker.batch(command, replies)
