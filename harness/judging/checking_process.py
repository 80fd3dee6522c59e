"""Checking process as its parent sees it. The parent starts its guard, which ends all processes of the checks."""

import contextlib
import json
import os
import select
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from harness.judging.checkers.external import named_checkers
from harness.model.errors import BadUsage
from harness.model.settings import RunSettings
from harness.running import environment
from harness.running.reaper import END_WAIT_S, MARK, Reaper, kill_group, kill_marked
from harness.running.workers.cpu_limit import CpuLimit
from harness.running.workers.descendants import group_usage
from puzzles.problem import Problem
from puzzles.problem.dumped import dump

MAX_MEMORY = 2 << 30  # bytes of data of the checking process, and of each process of another checker
MAX_REPLY = 1 << 16


class CheckingProcess:
    """Process of a place, with the checkers of the user. `problem` is that of the last formula.

    With `sums` it prepares for pseudo-Boolean proofs before its first check.
    """

    def __init__(self, reaper: Reaper, core: int | None, settings: RunSettings, sums: bool = False) -> None:
        self.reaper, self.mark = reaper, reaper.new_mark()
        self.problem: Problem | None = None
        self.folder = tempfile.TemporaryDirectory(dir=reaper.folder, ignore_cleanup_errors=True)
        words = [str(MAX_MEMORY), json.dumps(dict(settings.checkers)), *(["sums"] if sums else [])]
        self.process = subprocess.Popen(
            [sys.executable, *environment.import_flags(), "-m", "harness.judging.checking", *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            env=environment.variables(folder=reaper.folder, pass_env=settings.pass_env) | {MARK: self.mark},
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

    def send_formula(self, problem: Problem, order: dict[str, Any]) -> None:
        """Command it to build the formula of an instance; send the problem if it differs from the last one."""
        file = None
        if self.problem != problem:
            file = Path(self.folder.name, "problem")
            file.write_bytes(dump(problem))
            self.problem = problem
        self.send({"do": "formula", "problem": None if file is None else str(file), **order})

    def send(self, order: dict[str, Any]) -> None:
        """Send a command."""
        with contextlib.suppress(BrokenPipeError):
            self.commands.write(json.dumps(order).encode() + b"\n")
            self.commands.flush()

    def cpu(self) -> float:
        """Return the seconds of CPU time of the process and of all that it has started (Linux; elsewhere 0)."""
        return group_usage(self.process.pid).cpu

    def reply(self) -> bytes | None:
        """Return the next line, None if no line has arrived. Raises EOFError if the process has ended."""
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
        """End the process and everything that it started."""
        with contextlib.suppress(BrokenPipeError):
            self.commands.close()
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.process.pid, signal.SIGCONT)
        try:
            self.process.wait(END_WAIT_S)
        except subprocess.TimeoutExpired:
            kill_group(self.process.pid)
            self.process.wait()
            kill_marked(self.mark)
        self.reaper.send("-", self.process.pid)
        self.replies.close()
        self.folder.cleanup()


def try_checkers(settings: RunSettings) -> None:
    """Try the user's checkers on small proofs, in a process with as long to start as a worker. Raises BadUsage."""
    checkers, seconds = settings.checkers, settings.opening
    if not named_checkers(checkers):
        return
    reaper = Reaper(environment.temporary_folder())
    child = CheckingProcess(reaper, None, settings)
    try:
        poll, watch, line = select.poll(), CpuLimit(child.cpu, seconds), None
        poll.register(child.replies.fileno(), select.POLLIN)
        while line is None and not watch.exceeded():
            poll.poll(100)
            line = child.reply()
    except EOFError:
        line = None
    finally:
        child.end()
        reaper.close()
    if line is None:
        raise BadUsage(f"--checker: no checker could be tried within {seconds:g} s of CPU time")
    for name, fault in json.loads(line).items():
        if fault:
            raise BadUsage(f"--checker {name}={checkers[name]}: {fault}")
