"""A cluster on this machine for the benchmarks: scheduler, `place` commands, a run, and what they leave behind.

All processes carry a mark in their environment, by which those are found that no running command answers for.
"""

import os
import signal
import sqlite3
import subprocess
import sys
import time
import uuid
from collections.abc import Sequence
from contextlib import closing, suppress
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MARK = "CROSSCHECK_BENCHMARK"
PLACE_CODE = b"place_process"  # in the command line of a place's process


class Cluster:
    """Commands by name, with options that all of them take; `prefix` starts one elsewhere, as in another namespace."""

    def __init__(self, folder: Path, options: Sequence[str] = ()) -> None:
        self.folder, self.options = folder, options
        self.file = folder / "scheduler.json"
        self.mark = uuid.uuid4().hex
        self.roots: dict[str, subprocess.Popen[bytes]] = {}

    def start(self, name: str, *words: str, prefix: Sequence[str] = ()) -> "subprocess.Popen[bytes]":
        """Start a command of the harness; its output goes to a file of that name."""
        command = [*prefix, sys.executable, "-m", "harness", *words]
        environment = dict(os.environ, **{MARK: self.mark})
        with (self.folder / f"{name}.log").open("ab") as log:
            process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=log, stderr=log)
        self.roots[name] = process
        return process

    def start_scheduler(self, *words: str, prefix: Sequence[str] = ()) -> None:
        """Start the scheduler, and wait until it listens."""
        self.file.unlink(missing_ok=True)
        words = ("scheduler", "--scheduler-file", str(self.file), "--port", "0", *self.options, *words)
        self.start("scheduler", *words, prefix=prefix)
        wait_until(self.file.exists, 120)

    def start_place(self, name: str, prefix: Sequence[str] = ()) -> None:
        """Start a `place` command with one place."""
        words = ("place", "--scheduler-file", str(self.file), "--cores", "any", *self.options)
        self.start(name, *words, prefix=prefix)

    def start_run(self, journal: Path, words: Sequence[str], prefix: Sequence[str] = ()) -> "subprocess.Popen[bytes]":
        """Start a run, or resume it if it had begun."""
        if resumable(journal):
            words = ("run", "--resume", str(journal), "--yes")
        else:
            for suffix in ("", "-wal", "-shm"):
                journal.with_name(journal.name + suffix).unlink(missing_ok=True)
            words = (*words, "-o", str(journal))
        return self.start("run", *words, "--on", f"dask:{self.file}", *self.options, prefix=prefix)

    def log(self, name: str) -> str:
        """Return what a command has printed."""
        return (self.folder / f"{name}.log").read_text(errors="replace")

    def alive(self, name: str) -> bool:
        """Return True if a command runs."""
        return name in self.roots and self.roots[name].poll() is None

    def places(self) -> list[int]:
        """Return the processes of places."""
        return [pid for pid in self.marked() if PLACE_CODE in command_line(pid)]

    def marked(self) -> dict[int, int]:
        """Return all processes of this cluster, with their parents."""
        wanted, found = f"{MARK}={self.mark}".encode(), {}
        for entry in Path("/proc").glob("[0-9]*"):
            with suppress(OSError, IndexError, ValueError):
                if wanted in (entry / "environ").read_bytes():
                    found[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
        return found

    def strays(self) -> set[int]:
        """Return the processes below no running command, and what places hold without a run."""
        parents = self.marked()
        roots = [process.pid for name, process in self.roots.items() if self.alive(name)]
        left = set(parents) - below(roots, parents)
        if not self.alive("run"):
            places = [pid for pid in parents if PLACE_CODE in command_line(pid)]
            left |= below(places, parents) - set(places)
        return left

    def seconds_to_clean(self, longest: float = 30.0) -> float:
        """Return after how long there are no strays, infinity if there still are some after `longest`."""
        start = time.monotonic()
        while left := self.strays():
            if time.monotonic() - start > longest:
                for pid in left:
                    print(pid, command_line(pid).replace(b"\0", b" ")[:120].decode(errors="replace"), flush=True)
                return float("inf")
            time.sleep(0.1)
        return time.monotonic() - start

    def stop(self) -> None:
        """Kill everything."""
        for process in self.roots.values():
            with suppress(ProcessLookupError):
                process.kill()
            process.wait()
        for pid in self.marked():
            kill(pid)


def end_on_sigterm() -> None:
    """Let SIGTERM end this process as an exception, so that what it started is stopped."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))


def kill(pid: int, number: int = signal.SIGKILL) -> None:
    """Send a signal to a process, which may be gone."""
    with suppress(ProcessLookupError):
        os.kill(pid, number)


def below(roots: Sequence[int], parents: dict[int, int]) -> set[int]:
    """Return these processes and all below them."""
    found = set(roots)
    while more := {pid for pid, parent in parents.items() if parent in found} - found:
        found |= more
    return found


def command_line(pid: int) -> bytes:
    """Return the command line of a process, nothing if it is gone."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def wait_until(holds: object, longest: float) -> bool:
    """Wait until a function returns True; return False if it does not in time."""
    assert callable(holds)
    end = time.monotonic() + longest
    while not holds():
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


def resumable(path: Path) -> bool:
    """Return True if the puzzles of a journal are stored."""
    return path.exists() and count(path, "select count(*) from meta where key = 'state'") > 0


def count(path: Path, query: str) -> int:
    """Return the number that a query of a journal returns, 0 if it can't be asked now."""
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as db:
            return int(db.execute(query).fetchone()[0])
    except sqlite3.Error:
        return 0


def leases(path: Path) -> int:
    """Return the number of leases in a journal."""
    return count(path, "select count(*) from leases")


def blamed(path: Path) -> int:
    """Return the number of outcomes that took their place down, by the journal."""
    return count(path, "select count(*) from outcomes where detail like 'took its place down%'")


def without_place(path: Path) -> int:
    """Return the number of outcomes whose place is unknown."""
    return count(
        path,
        "select count(*) from outcomes o where not exists (select 1 from leases l join places p on p.id = l.place"
        " where l.id = o.lease)",
    )
