"""File of a dumped problem in the run's folder, which the workers of a place read when they open their contenders.

It is written once for all contenders of a lease, and sent by path and digest. A contender can change or delete any
file of the run, so the parent writes the file again if it has changed, and a worker checks the digest of the content.
A small problem needs no file: its content is sent.
"""

import contextlib
import hashlib
import itertools
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from puzzles.problem import Problem
from puzzles.problem.dumped import dump
from puzzles.stored import load

GIVEN = "given"  # folder of a run's folder with the files that the parent writes for workers
NUMBERS = itertools.count()  # of the files of this process
SENT_BYTES = 1 << 12  # largest content that is sent itself: a pipe holds several


class ChangedFile(Exception):
    """A file differs from what was written, or read before."""


@dataclass(frozen=True)
class Written:
    """Problem with the file that holds it, the digest of the file, and its state after it was written."""

    problem: Problem
    path: Path
    digest: str
    state: tuple[int, ...]

    @property
    def order(self) -> dict[str, str]:
        """Parts of a command that a worker reads the problem from."""
        return {"problem": str(self.path), "digest": self.digest}


@dataclass(frozen=True)
class SentProblem:
    """Small problem with its content."""

    problem: Problem
    content: bytes

    @property
    def order(self) -> dict[str, str]:
        """Parts of a command that a worker reads the problem from."""
        return {"content": self.content.decode("latin-1")}


class ProblemFile:
    """File of a place; it holds one problem at a time."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.written: Written | None = None
        self.sent: SentProblem | None = None  # the last small problem

    def given(self, problem: Problem) -> Written | SentProblem:
        """Return a problem as it is given to workers. Raises OSError if its file can't be written."""
        if self.sent is not None and self.sent.problem is problem:
            return self.sent
        if self.holds(problem):
            return self.of(problem)
        content = dump(problem)
        if len(content) > SENT_BYTES:
            return self.of(problem, content)
        self.sent = SentProblem(problem, content)
        return self.sent

    def holds(self, problem: Problem) -> bool:
        """Return True if the file holds this problem, or has held it before it was changed."""
        return self.written is not None and self.written.problem is problem

    def of(self, problem: Problem, content: bytes | None = None) -> Written:
        """Return the file that holds this problem, of this content. Raises OSError if it can't be written."""
        current = self.written
        if current is None or current.problem is not problem or current.state != state_of(current.path):
            self.remove()
            current = self.written = write(problem, self.folder, content)
        return current

    def remove(self) -> None:
        """Delete the file."""
        if self.written is not None:
            self.written.path.unlink(missing_ok=True)
            self.written = None


def write(problem: Problem, folder: Path, content: bytes | None = None) -> Written:
    """Write a problem, with its content if that is known, to a new file. Raises OSError."""
    content = dump(problem) if content is None else content
    number, path = new_file(folder)
    try:
        with os.fdopen(number, "wb") as file:
            file.write(content)
    except OSError:
        path.unlink(missing_ok=True)
        raise
    return Written(problem, path, digest_of_file(content), state_of(path))


def new_file(folder: Path) -> tuple[int, Path]:
    """Create and open a file that only this user reads, and its folder if there is none. Raises OSError."""
    while True:
        path = folder / f"problem-{next(NUMBERS)}"
        try:
            return os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, 0o600), path
        except FileNotFoundError:
            folder.mkdir(0o700, parents=True, exist_ok=True)
        except FileExistsError:  # a contender has made it
            continue


def digest_of_file(content: bytes) -> str:
    """Return the digest that is sent with the path of a file."""
    return hashlib.blake2b(content, digest_size=16).hexdigest()


def state_of(path: Path) -> tuple[int, ...]:
    """Return numbers that change with a file, () without one; no program can set the last number."""
    with contextlib.suppress(OSError):
        found = path.lstat()
        return found.st_ino, found.st_size, found.st_ctime_ns
    return ()


def problem_of(order: Mapping[str, Any]) -> Problem:
    """Return the problem of a command. Raises ChangedFile, OSError."""
    if "content" in order:
        return load(order["content"].encode("latin-1"))
    return read_problem(order["problem"], order["digest"])


def read_problem(path: str, digest: str) -> Problem:
    """Return the problem of a file. Raises ChangedFile, OSError."""
    content = Path(path).read_bytes()
    if digest_of_file(content) != digest:
        raise ChangedFile("another process has changed the file of its problem")
    return load(content)
