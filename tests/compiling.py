"""Kernels, loops of readers and proof checkers, compiled once for all workers while these collect their tests."""

import fcntl
import os
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

PARTS = (
    "from harness.cli import main; main(['compile'])",
    "from harness.judging.checking import compile_loops, compile_sums; compile_loops(); compile_sums()",
)
NULL = subprocess.DEVNULL
STARTED: list[subprocess.Popen[bytes]] = []


@cache
def compile_once() -> str:
    """Start to compile all that is not cached; return a file that is locked until it is done."""
    fd, path = tempfile.mkstemp(prefix="compiling-")
    fcntl.flock(fd, fcntl.LOCK_EX)  # held by the processes, which inherit it
    root = Path(__file__).resolve().parent.parent
    STARTED.extend(
        subprocess.Popen([sys.executable, "-c", part], cwd=root, pass_fds=[fd], stdin=NULL, stdout=NULL, stderr=NULL)
        for part in PARTS
    )
    os.close(fd)
    return path


def wait_for(path: str) -> None:
    """Wait until all is compiled."""
    with open(path) as file:
        fcntl.flock(file, fcntl.LOCK_SH)


def end() -> None:
    """Wait for the processes that compile, and remove their file."""
    if STARTED:
        for process in STARTED:
            process.wait()
        Path(compile_once()).unlink(missing_ok=True)
