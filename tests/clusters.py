"""Stock Dask clusters for tests: a `dask scheduler`, `dask worker`s and runs, as commands in a folder."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from types import MappingProxyType

from tests.attacks.planting import wait_for

FILE = "s.json"


class Cluster:
    """A scheduler in a folder, and commands that belong to it; all are killed at the end, with what they started.

    Locks on cores are in the folder, so that tests which run at the same time do not wait for each other.
    """

    def __init__(self, folder: Path, environment: dict[str, str], stack: ExitStack) -> None:
        self.folder, self.stack = folder, stack
        (folder / "locks").mkdir()
        self.environment = {**environment, "CROSSCHECK_LOCKS": str(folder / "locks")}
        self.scheduler = self.start("dask", "scheduler", "--scheduler-file", FILE, "--host", "127.0.0.1", "--port", "0")
        assert wait_for((folder / FILE).exists)

    def start(
        self, *words: str, harness: tuple[str, ...] = ("-m",), variables: Mapping[str, str] = MappingProxyType({})
    ) -> "subprocess.Popen[str]":
        """Start a command of Python, in a session of its own, whose notes can be read."""
        errors = subprocess.PIPE if words[0] == "harness" else subprocess.DEVNULL
        process = subprocess.Popen(
            [sys.executable, *harness, *words],
            cwd=self.folder,
            env={**self.environment, **variables},
            stdout=subprocess.DEVNULL,
            stderr=errors,
            text=True,
            start_new_session=True,
        )
        self.stack.enter_context(process)
        self.stack.callback(end, process)
        return process

    def worker(self, *words: str, **variables: str) -> "subprocess.Popen[str]":
        """Start a worker with one thread."""
        options = ("--scheduler-file", FILE, "--nthreads", "1", "--no-dashboard", "--host", "127.0.0.1")
        return self.start("dask", "worker", *options, *words, variables=variables)

    def run(self, *words: str) -> "subprocess.Popen[str]":
        """Begin a run on the cluster."""
        return self.start("harness", "run", *words, "--on", FILE)

    def processes(self, code: str) -> list[int]:
        """Return the processes of this environment whose command line has a text."""
        mark, found = f"CROSSCHECK_TEST={self.environment['CROSSCHECK_TEST']}".encode(), []
        for entry in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                if code.encode() in (entry / "cmdline").read_bytes() and mark in (entry / "environ").read_bytes():
                    found.append(int(entry.name))
        return found


def end(process: "subprocess.Popen[str]") -> None:
    """Kill a command, and what is left of its session."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


@contextmanager
def cluster(folder: Path, environment: dict[str, str]) -> Iterator[Cluster]:
    """A cluster without workers."""
    with ExitStack() as stack:
        yield Cluster(folder, environment, stack)
