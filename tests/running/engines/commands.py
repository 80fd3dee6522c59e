"""A scheduler, places and runs as commands, for tests."""

import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path


class Cluster:
    """Commands of one cluster in a folder; all are killed at the end."""

    def __init__(self, folder: Path, environment: dict[str, str], stack: ExitStack) -> None:
        self.folder, self.environment, self.stack = folder, environment, stack
        self.start("scheduler", "--scheduler-file", "s.json", "--port", "0")

    def start(self, *words: str, before: Sequence[str] = (), **variables: str) -> subprocess.Popen[str]:
        """Start a command, which has printed its first line when this returns; `before` are words before its own."""
        command, pipe = [*before, sys.executable, "-m", "harness", *words], subprocess.PIPE
        env = self.environment | variables
        process = subprocess.Popen(command, cwd=self.folder, env=env, stdout=pipe, stderr=subprocess.DEVNULL, text=True)
        self.stack.enter_context(process)
        self.stack.callback(process.kill)
        assert process.stdout is not None
        assert process.stdout.readline()
        return process

    def place(self, before: Sequence[str] = (), **variables: str) -> subprocess.Popen[str]:
        """Start a place that is not pinned."""
        return self.start("place", "--scheduler-file", "s.json", "--cores", "any", before=before, **variables)

    def run(self, *words: str, **variables: str) -> subprocess.Popen[str]:
        """Begin a run on the cluster; its notes can be read."""
        command, pipe = [sys.executable, "-m", "harness", "run", *words, "--on", "dask:s.json"], subprocess.PIPE
        env = self.environment | variables
        process = subprocess.Popen(command, cwd=self.folder, env=env, stdout=subprocess.DEVNULL, stderr=pipe, text=True)
        self.stack.enter_context(process)
        self.stack.callback(process.kill)
        return process


@contextmanager
def cluster(folder: Path, environment: dict[str, str]) -> Iterator[Cluster]:
    """A cluster without places."""
    with ExitStack() as stack:
        yield Cluster(folder, environment, stack)
