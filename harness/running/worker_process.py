"""Worker process as its parent sees it: start it, exchange messages, kill it, report how it ended.

The child leads its own session, so a kill reaches its descendants, and Ctrl-C at the terminal does not reach it.
"""

import contextlib
import json
import os
import resource
import select
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from harness.model.contender import Contender
from harness.running import environment
from harness.running.reaper import MARK, Reaper, kill_group
from harness.running.shared_memory import SharedBatch, create_file
from puzzles.problem import Problem, dump

EXIT_WAIT_S = 0.1  # for the exit of a process that has closed its pipes
NOTICE_PREFIX = "compiling "
MAX_OUTPUT = 8192  # bytes kept of the end of a solver's output
MAXRSS_UNIT = 1 if sys.platform == "darwin" else 1024  # bytes


def readable(fd: int, seconds: float = 0) -> bool:
    """Return True if `fd` is readable within `seconds`; `select` does not support descriptors above 1023."""
    poll = select.poll()
    poll.register(fd, select.POLLIN)
    return bool(poll.poll(seconds * 1000))


def descendant_cpu_seconds(pid: int) -> float:
    """Return the seconds of CPU time of all descendants of a process, ended or running (Linux)."""
    try:
        ended = sum(cpu_seconds(pid)[2:])
        started = [int(p) for f in Path(f"/proc/{pid}/task").glob("*/children") for p in f.read_text().split()]
        return ended + sum(sum(cpu_seconds(p)[:2]) + descendant_cpu_seconds(p) for p in started)
    except OSError:
        return 0.0  # it has just ended: its parent's total includes its time


def cpu_seconds(pid: int) -> list[float]:
    """Return user and system seconds of a process, then those of its children that have ended."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return [int(ticks) / os.sysconf("SC_CLK_TCK") for ticks in fields[11:15]]


class WorkerProcess:
    """Worker of one contender. `problem` is that of the last opening."""

    def __init__(
        self, contender: Contender, reaper: Reaper, python: str = sys.executable, core: int | None = None
    ) -> None:
        self.contender = contender
        self.reaper = reaper
        self.problem: Problem | None = None
        self.repeat = 0
        self.shared = SharedBatch(create_file())
        command_read, self.commands = os.pipe()
        self.replies, reply_write = os.pipe()
        self.output, output_write = os.pipe()
        given = (command_read, reply_write, self.shared.fd)
        # Linux counts what the parent has had at this moment as the child's peak, until the child has more.
        self.inherited_peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * MAXRSS_UNIT
        try:
            self.process = subprocess.Popen(
                [python, "-P", "-m", "harness.running.worker", *map(str, given)],
                pass_fds=given,
                stdin=subprocess.DEVNULL,
                stdout=output_write,
                stderr=output_write,
                start_new_session=True,
                env=environment.variables(python) | {MARK: reaper.token},
            )
        finally:
            for fd in (command_read, reply_write, output_write):
                os.close(fd)
        os.set_blocking(self.replies, False)
        os.set_blocking(self.output, False)
        self.pid = self.process.pid
        reaper.send("+", self.pid)
        if core is not None:
            os.sched_setaffinity(self.pid, {core})
        self.pidfd = os.pidfd_open(self.pid) if hasattr(os, "pidfd_open") else -1
        self.buffer = b""
        self.printed = b""
        self.notices_sent = 0
        self.replies_closed = self.output_closed = False  # by the child

    def open_fds(self) -> list[int]:
        """Return the descriptors to wait for."""
        fds = ((self.replies, self.replies_closed), (self.output, self.output_closed), (self.pidfd, self.pidfd < 0))
        return [fd for fd, closed in fds if not closed]

    def send_command(self, message: dict[str, Any]) -> bool:
        """Send a command; return False if the child has ended."""
        try:
            os.write(self.commands, json.dumps(message).encode() + b"\n")
        except BrokenPipeError:
            return False
        return True

    def open(self, problem: Problem, memory: int, warmup: int) -> bool:
        """Command it to open a session on a problem, then limit its memory to `memory` bytes (0: no limit)."""
        c = self.contender
        text = dump(problem)
        self.shared.write(text)
        self.problem = problem
        order = {"backend": c.backend, "encoding": c.encoding, "at_most_one": c.at_most_one, "warm": c.warm}
        return self.send_command({"do": "open", "problem": len(text), "memory": memory, "warmup": warmup, **order})

    def messages(self) -> list[dict[str, Any]]:
        """Return the replies since the last call. Invalid data in the reply pipe is ignored."""
        self.drain()
        with contextlib.suppress(BlockingIOError):
            while part := os.read(self.replies, 1 << 16):
                self.buffer += part
            self.replies_closed = True
        *lines, self.buffer = self.buffer.split(b"\n")
        found = []
        for line in lines:
            with contextlib.suppress(ValueError):
                message = json.loads(line)
                if isinstance(message, dict):
                    found.append(message)
        return found

    def drain(self) -> None:
        """Read its output and keep the end."""
        with contextlib.suppress(BlockingIOError):
            while part := os.read(self.output, 1 << 16):
                self.printed = (self.printed + part)[-MAX_OUTPUT:]
            self.output_closed = True

    def next_notice(self) -> str:
        """Return the newest unseen line about a slow step, such as a compilation, or ''."""
        lines = [text for text in self.printed.decode(errors="replace").split("\n") if text.startswith(NOTICE_PREFIX)]
        fresh = lines[self.notices_sent :]
        self.notices_sent = len(lines)
        return fresh[-1].strip() if fresh else ""

    def dead(self) -> bool:
        """Return True if the process has ended or closed its reply pipe."""
        if self.replies_closed:
            return True
        if self.pidfd >= 0:
            return readable(self.pidfd)
        return os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None

    def end(self) -> tuple[str, int]:
        """Kill the process group and reap it; return how it ended and its peak memory in bytes."""
        if self.replies_closed and self.pidfd >= 0:  # a process closes its pipes shortly before it has ended
            readable(self.pidfd, EXIT_WAIT_S)
        alive = os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None
        kill_group(self.pid)
        _, status, usage = os.wait4(self.pid, 0)
        self.process.returncode = code = os.waitstatus_to_exitcode(status)
        self.reaper.send("-", self.pid)
        self.drain()
        for fd in (self.replies, self.output, self.pidfd, self.commands, self.shared.fd):
            if fd >= 0:
                os.close(fd)
        if alive:
            how = "closed its reply pipe" if self.replies_closed else "killed"
        else:
            how = f"died of {signal.Signals(-code).name}" if code < 0 else f"exited with code {code}"
        return how, usage.ru_maxrss * MAXRSS_UNIT

    def cpu(self) -> float:
        """Return the seconds of CPU time of the process and its descendants (Linux; elsewhere 0)."""
        if sys.platform != "linux":
            return 0.0
        try:
            own = time.clock_gettime(~self.pid << 3 | 2)  # clock id of another process's CPU time
        except OSError:
            return 0.0
        return own + descendant_cpu_seconds(self.pid)

    def last_line(self) -> str:
        """Return the last nonempty line that it printed, or ''."""
        lines = self.printed.decode(errors="replace").split("\n")
        return next((line.strip() for line in reversed(lines) if line.strip()), "")[:300]
