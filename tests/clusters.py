"""Commands of a cluster for tests."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path


def started(environment: dict[str, str], folder: Path, *words: str) -> subprocess.Popen[str]:
    """A command that has printed its first line."""
    pipe = subprocess.PIPE
    command = [sys.executable, "-m", "harness", *words]
    process = subprocess.Popen(command, cwd=folder, env=environment, stdout=pipe, stderr=pipe, text=True)
    assert process.stdout is not None
    assert process.stdout.readline()
    return process


class Cluster:
    """A scheduler in a folder, and commands that belong to it, all with these options; they are killed at the end."""

    def __init__(self, folder: Path, environment: dict[str, str], stack: ExitStack, options: tuple[str, ...]) -> None:
        self.folder, self.environment, self.stack, self.options = folder, environment, stack, options
        self.start(environment, "scheduler", "--scheduler-file", "s.json", "--port", "0")

    def start(self, environment: dict[str, str], *words: str) -> subprocess.Popen[str]:
        """Start a command that has printed its first line."""
        process = self.stack.enter_context(started(environment, self.folder, *words, *self.options))
        self.stack.callback(process.kill)
        return process

    def place(self, **variables: str) -> subprocess.Popen[str]:
        """Start a place that is not pinned, with these variables besides."""
        return self.start(self.environment | variables, "place", "--scheduler-file", "s.json", "--cores", "any")

    def run(self, *words: str, harness: tuple[str, ...] = ("-m", "harness")) -> subprocess.Popen[str]:
        """Begin a run on the cluster, whose notes can be read; `harness` are Python's words for the command line."""
        command, pipe = [sys.executable, *harness, "run", *words, "--on", "dask:s.json"], subprocess.PIPE
        command += self.options
        process = subprocess.Popen(
            command, cwd=self.folder, env=self.environment, stdout=subprocess.DEVNULL, stderr=pipe, text=True
        )
        self.stack.enter_context(process)
        self.stack.callback(process.kill)
        return process


@contextmanager
def cluster(folder: Path, environment: dict[str, str], *options: str) -> Iterator[Cluster]:
    """A cluster without places."""
    with ExitStack() as stack:
        yield Cluster(folder, environment, stack, options)
