"""Code that is compiled once for all workers: kernels, loops of readers, proof checkers, and the modules of the tests.

Kernels are compiled while the workers collect their tests. Where no test was run before, its module is rewritten and
compiled when it is collected: the first worker does so for the others, which collect after it.
"""

import fcntl
import os
import subprocess
import sys
import tempfile
import time
from functools import cache
from pathlib import Path

PARTS = (
    "from harness.cli import main; main(['compile'])",
    "from harness.judging.checking import compile_loops, compile_sums; compile_loops(); compile_sums()",
)
FIRST = "gw0"  # the worker that collects before the others
COLLECTING_S = 120.0  # what the others wait at most
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


def collected(path: str) -> Path:
    """Return the file that stands there once the first worker has collected its tests."""
    return Path(f"{path}.collected")


def wait_for_modules(path: str) -> None:
    """Wait until the first worker has collected its tests."""
    end = time.monotonic() + COLLECTING_S
    while not collected(path).exists() and time.monotonic() < end:
        time.sleep(0.05)


def end() -> None:
    """Wait for the processes that compile, and remove their files."""
    if STARTED:
        for process in STARTED:
            process.wait()
        for path in (Path(compile_once()), collected(compile_once())):
            path.unlink(missing_ok=True)
