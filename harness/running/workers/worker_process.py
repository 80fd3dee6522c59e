"""Worker process as its parent sees it: start it, exchange messages, end it, report how it ended.

The parent starts the worker's guard. It leads a session of its own, so Ctrl-C at the terminal does not reach it, and it
ends with all processes of the worker when the command pipe is closed.
"""

import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from backends.contract.cores import cores_of
from backends.contract.seeds import drawn
from backends.programs.backend import format_of, program_of, told_to_print
from backends.programs.telling import telling_line
from backends.programs.worker_programs import programs_variable
from harness.model.contender import Contender
from harness.model.observing.clocks import Scheduled
from harness.model.observing.presence import scheduled_ns
from harness.model.outcome import Batch, SourceDigest
from harness.running import environment
from harness.running.control_groups import WorkerGroup
from harness.running.cores import Cpus
from harness.running.reaper import END_WAIT_S, MARK, kill_group, kill_marked
from harness.running.workers.descendants import Usage, descendant_usage
from harness.running.workers.guard import GROUP
from harness.running.workers.problem_file import SentProblem, Written
from harness.running.workers.replies import Replies, read_available, readable
from harness.running.workers.run_context import RunContext
from harness.running.workers.shared_memory import SharedBatch, create_file
from puzzles.problem import Problem
from puzzles.processes.guarding import children

EXIT_WAIT_S = 0.2  # seconds for the exit of a process that has closed its pipes
NOTICE_PREFIX = "compiling "
RECENT_NS = 10_000_000  # age of a usage in place of a new look, which takes as long as a quick opening
MAX_OUTPUT = 8192  # bytes kept of the end of a solver's output
MAXRSS_UNIT = 1 if sys.platform == "darwin" else 1024  # bytes


class WorkerProcess:
    """Worker of one contender, with its own folder for temporary files. Raises OSError if the folder can't be made.

    `problem` and `source` are those of the last opening. The worker lives within a sandbox, if there are some.
    """

    def __init__(self, context: RunContext, contender: Contender, cpus: Cpus = ()) -> None:
        settings, reaper, sandboxes = context.settings, context.reaper, context.sandboxes
        logs = context.keep is not None
        python = settings.pythons.get(contender.env, sys.executable)
        self.contender, self.settings = contender, settings
        self.reaper = reaper
        self.cpus = cpus[: cores_of(contender.backend)]
        self.problem: Problem | None = None
        self.source: SourceDigest | None = None
        self.repeat = 0
        self.rested: tuple[int, float] | None = None  # monotonic ns, seconds of CPU time: when its last batch ended
        self.seen = -RECENT_NS, Usage()  # monotonic ns of the last look at its usage, and that
        self.mark = reaper.new_mark()
        reaper.folder.mkdir(0o700, exist_ok=True)  # any contender can delete it
        self.folder = tempfile.mkdtemp(prefix="worker-", dir=reaper.folder)
        self.proofs = f"{self.folder}-proofs"
        self.logs = f"{self.folder}-logs"  # outlives the worker: its parent reads it then
        for path, wanted in ((self.proofs, settings.proof), (self.logs, logs)):
            if wanted:
                os.mkdir(path, 0o700)
        commands = {**settings.programs, **(told_to_print(contender.backend, settings.programs) if logs else {})}
        written = (self.folder, self.proofs, *([self.logs] if logs else []))
        around = sandboxes.of(contender, reaper.folder, written) if sandboxes else None
        self.shared = SharedBatch(create_file())
        command_read, self.commands = os.pipe()
        reply_read, reply_write = os.pipe()
        self.output, output_write = os.pipe()
        given = [command_read, reply_write, self.shared.fd]
        self.group: WorkerGroup | None = None
        if reaper.group:
            measured = settings.peak and bool(program_of(contender.backend))
            self.group = WorkerGroup.create(reaper.group / os.path.basename(self.folder), programs=measured)
        self.killed_for_memory, self.highest = 0, 0  # of its group, once it has ended
        within = [around.file()] if around else []
        flags = ["-P"] if around else environment.import_flags()  # the working folder may not be there
        # Linux counts what the parent has had at this moment as the child's peak, until the child has more.
        self.inherited_peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * MAXRSS_UNIT
        try:
            self.process = subprocess.Popen(
                [
                    *(python, *flags, "-m", "harness.running.workers.guard"),
                    *(*map(str, given), self.folder, *map(str, within)),
                ],
                pass_fds=[*given, *within, *(self.group.descriptors if self.group else ())],
                stdin=subprocess.DEVNULL,
                stdout=output_write,
                stderr=output_write,
                start_new_session=True,
                env=environment.variables(python, reaper.folder, settings.pass_env)
                | {"TMPDIR": self.folder, MARK: self.mark}
                | ({GROUP: str(self.group.joined)} if self.group else {})
                | environment.threads(cores_of(contender.backend))
                | programs_variable(program_of(contender.backend), commands),
            )
        finally:
            for fd in (command_read, reply_write, output_write, *within):
                os.close(fd)
        self.replies = Replies(reply_read)
        os.set_blocking(self.output, False)
        self.pid = self.process.pid
        self.guarded: int | None = None  # the child of the inner guard, once asked for; 0 if there is not one
        reaper.send("+", self.pid)
        self.pidfd = os.pidfd_open(self.pid) if hasattr(os, "pidfd_open") else -1
        self.printed = b""
        self.notices_sent = 0
        self.output_closed = False  # True once the child has closed it

    def restore_folder(self) -> None:
        """Create the worker's folder again, if a contender has deleted it. Raises OSError."""
        if os.path.isdir(self.folder):
            return
        self.reaper.folder.mkdir(0o700, exist_ok=True)
        os.makedirs(self.folder, 0o700, exist_ok=True)

    def proof_folder(self) -> Path:
        """Create a folder in which the worker writes the proofs of a batch. Raises OSError."""
        os.makedirs(self.proofs, 0o700, exist_ok=True)  # any contender can delete it
        return Path(tempfile.mkdtemp(dir=self.proofs))

    def log_folder(self) -> Path:
        """Create a folder in which the worker writes what the programs of a batch print. Raises OSError."""
        os.makedirs(self.logs, 0o700, exist_ok=True)
        return Path(tempfile.mkdtemp(dir=self.logs))

    def open_fds(self) -> list[int]:
        """Return the descriptors to wait for."""
        fds = [] if self.replies.closed else [self.replies.fd]
        if not self.output_closed:
            fds.append(self.output)
        if self.pidfd >= 0:
            fds.append(self.pidfd)
        return fds

    def send_command(self, message: dict[str, Any]) -> bool:
        """Send a command; return False if the child has ended."""
        try:
            os.write(self.commands, json.dumps(message).encode() + b"\n")
        except BrokenPipeError:
            return False
        return True

    def opens_quickly(self, batch: Batch) -> bool:
        """Return True if the contender can be opened on a batch's problem and asked by one command.

        It has been opened before, and its limits need nothing of the parent in between.
        """
        return self.problem is not None and not batch.problem.shared and self.group is None

    def open(
        self, file: Written | SentProblem, batch: Batch, memory: int, warmup: int, order: dict[str, Any] | None = None
    ) -> bool:
        """Command the worker to open a session on a batch's problem, then to limit its memory (0: no limit).

        The file of the instance goes to a program that reads its format. With the `order` of the batch, the worker
        begins it at once.
        """
        c, source = self.contender, batch.source
        self.problem, self.source = file.problem, source
        opening = {"backend": c.backend, "encoding": c.encoded, "warm": c.warm, "cpus": self.cpus, "memory": memory}
        opening |= {**file.order, "alone": batch.alone, "warmup": warmup, "batch": order}
        if source and self.reads_file:
            opening |= {"source": source.__dict__}
        opening |= {"seed": drawn(self.settings.seed, batch.repeat) if self.settings.draw_seeds else None}
        opening |= {"group": self.group.descriptors if self.group else None}
        return self.send_command({"do": "open", **opening})

    @property
    def reads_file(self) -> bool:
        """True if the contender is a program that gets the file of the instance."""
        return self.source is not None and self.source.format == format_of(self.contender.backend)

    @property
    def prints_late(self) -> bool:
        """True if the contender is a program, which is terminated at the limit of a search for the best solution."""
        return (
            bool(program_of(self.contender.backend)) and self.problem is not None and self.problem.objective is not None
        )

    def load(self, cpus: Cpus) -> bool:
        """Command the worker to load the contender's code, on some cores or on any."""
        return self.send_command({"do": "load", "backend": self.contender.backend, "cpus": cpus})

    def drain(self) -> None:
        """Read the worker's output and keep the end."""
        part, self.output_closed = read_available(self.output)
        self.printed = (self.printed + part)[-MAX_OUTPUT:]

    def next_notice(self) -> str:
        """Return the newest unseen line about a slow step, such as a compilation, or ''."""
        lines = [text for text in self.printed.decode(errors="replace").split("\n") if text.startswith(NOTICE_PREFIX)]
        fresh = lines[self.notices_sent :]
        self.notices_sent = len(lines)
        return fresh[-1].strip() if fresh else ""

    def dead(self) -> bool:
        """Return True if the process has ended or closed its reply pipe."""
        if self.replies.closed:
            return True
        if self.pidfd >= 0:
            return readable(self.pidfd)
        return os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None

    def end(self) -> tuple[str, int]:
        """End the worker and all its processes; return how it ended, and the peak memory of its largest process."""
        for guard in (self.pid, *children(self.pid)):
            os.kill(guard, signal.SIGCONT)
        if self.replies.closed and self.pidfd >= 0:  # a process closes its pipes shortly before it has ended
            readable(self.pidfd, EXIT_WAIT_S)
        alive = os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None
        os.close(self.commands)
        guarded = alive and self.pidfd >= 0 and readable(self.pidfd, END_WAIT_S)
        kill_group(self.pid)
        _, status, usage = os.wait4(self.pid, 0)
        self.process.returncode = code = os.waitstatus_to_exitcode(status)
        if code == -signal.SIGKILL and not guarded:  # perhaps the guard was killed
            kill_marked(self.mark)
        self.reaper.send("-", self.pid)
        if self.group:
            self.killed_for_memory, self.highest = self.group.kills(), self.group.peak()
            self.group.remove()
        for folder in (self.folder, self.proofs):
            shutil.rmtree(folder, ignore_errors=True)
        self.drain()
        self.shared.close()
        for fd in (self.replies.fd, self.output, self.pidfd):
            if fd >= 0:
                os.close(fd)
        if alive and code == -signal.SIGKILL:
            how = "closed its reply pipe" if self.replies.closed else "killed"
        else:  # by itself, even if its guard had not ended yet
            how = f"died of {signal.Signals(-code).name}" if code < 0 else f"exited with code {code}"
        return how, usage.ru_maxrss * MAXRSS_UNIT

    def cpu(self) -> float:
        """Return the seconds of CPU time of the worker and its descendants (Linux; elsewhere 0)."""
        return self.usage().cpu

    def usage(self) -> Usage:
        """Return CPU time and stopped processes of the worker and its descendants (Linux; elsewhere none)."""
        self.seen = time.monotonic_ns(), descendant_usage(self.pid)
        return self.seen[1]

    def recent_usage(self) -> Usage:
        """Return the usage of a moment ago, unless a process was stopped then, else that of now."""
        at, usage = self.seen
        return usage if not usage.stopped and time.monotonic_ns() - at < RECENT_NS else self.usage()

    @property
    def worker_pid(self) -> int:
        """Process id of the worker, the only child of its guard; 0 if the guard did not have exactly one child."""
        if self.guarded is None:
            self.guarded = only_child(only_child(self.pid))  # the guards are one below the other
        return self.guarded

    def scheduled(self, usage: Usage) -> Scheduled:
        """Return the kernel's counts for a worker with this usage (Linux; elsewhere zeros)."""
        if not self.worker_pid:
            return Scheduled()
        ran, queued = scheduled_ns(self.worker_pid)
        return Scheduled(queued, int(1e9 * usage.cpu) - ran)

    def telling_line(self) -> str:
        """Return the line that tells most of what the worker printed, or ''."""
        return telling_line(self.printed)


def only_child(pid: int) -> int:
    """Return the only child of a process; 0 if there is none, or several: a contender can hand children to a guard."""
    below = children(pid) if pid else set()
    return below.pop() if len(below) == 1 else 0
