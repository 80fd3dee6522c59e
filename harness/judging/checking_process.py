"""Checking process as its parent sees it. The parent starts its guard, which ends all processes of the checks."""

import contextlib
import json
import os
import sys
import tempfile
import time
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from harness.judging.checkers.compiling import cache_directory
from harness.judging.checkers.external import named_checkers
from harness.model.errors import BadUsage
from harness.model.settings import RunSettings
from harness.running import environment
from harness.running.reaper import END_WAIT_S, MARK, Reaper, kill_marked
from harness.running.workers.cpu_limit import CpuLimit
from harness.running.workers.descendants import group_usage
from puzzles.problem import Problem
from puzzles.problem.dumped import dump
from puzzles.processes.child import ServingChild

PACKAGE = "harness.judging.checkers"
MAX_MEMORY = 2 << 30  # bytes of data of the checking process, and of each process of another checker
SEND_S = 60.0  # seconds for sending a command
LOOK_S = 0.1  # seconds between looks at the limit of a start


@cache
def announce(sums: bool) -> None:
    """Say on standard error that the checkers are compiled, if Numba is installed and its cache has none of them."""
    try:
        folder = cache_directory(version("numba"))
    except PackageNotFoundError:
        return
    if folder is None or not next(folder.glob(f"{PACKAGE}.{'pseudo_boolean.*' if sums else 'backward'}"), None):
        print("compiling the checkers of proofs (only once, may take a minute) ...", file=sys.stderr)


class CheckingProcess:
    """Process of a place, with the checkers of the user. `problem` is that of the last formula.

    With `sums` it prepares for pseudo-Boolean proofs before its first check.
    """

    def __init__(self, reaper: Reaper, core: int | None, settings: RunSettings, sums: bool = False) -> None:
        announce(sums)
        self.reaper, self.mark = reaper, reaper.new_mark()
        self.problem: Problem | None = None
        self.folder = tempfile.TemporaryDirectory(dir=reaper.folder, ignore_cleanup_errors=True)
        words = [str(MAX_MEMORY), json.dumps(dict(settings.checkers)), *(["sums"] if sums else [])]
        self.child = ServingChild(
            [sys.executable, *environment.import_flags(), "-m", "harness.judging.checking", *words],
            environment.variables(folder=reaper.folder, pass_env=settings.pass_env) | {MARK: self.mark},
        )
        self.pid, self.replies, self.reply = self.child.process.pid, self.child.replies, self.child.line
        reaper.send("+", self.pid)
        if core is not None:
            with contextlib.suppress(ProcessLookupError):
                os.sched_setaffinity(self.pid, {core})

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
        self.child.send(json.dumps(order).encode() + b"\n", time.monotonic() + SEND_S)

    def cpu(self) -> float:
        """Return the seconds of CPU time of the process and of all that it has started (Linux; elsewhere 0)."""
        return group_usage(self.pid).cpu

    def end(self) -> None:
        """End the process and everything that it started."""
        if not self.child.end(END_WAIT_S):
            kill_marked(self.mark)
        self.reaper.send("-", self.pid)
        self.folder.cleanup()


def try_checkers(settings: RunSettings) -> None:
    """Try the user's checkers on small proofs, in a process with as long to start as a worker. Raises BadUsage."""
    checkers, seconds = settings.checkers, settings.opening
    if not named_checkers(checkers):
        return
    reaper = Reaper(environment.temporary_folder())
    child = CheckingProcess(reaper, None, settings)
    try:
        watch, line = CpuLimit(child.cpu, seconds), None
        while line is None and not watch.exceeded():
            line = child.child.awaited(time.monotonic() + LOOK_S)
    except (EOFError, OverflowError):
        line = None
    finally:
        child.end()
        reaper.close()
    if line is None:
        raise BadUsage(f"--checker: no checker could be tried within {seconds:g} s of CPU time")
    for name, fault in json.loads(line).items():
        if fault:
            raise BadUsage(f"--checker {name}={checkers[name]}: {fault}")
