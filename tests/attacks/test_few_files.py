"""More contenders than the limit of open files lets stay open run in turns."""

import resource
import subprocess
import sys
from pathlib import Path

import pytest

CAPACITY = """
import resource
from harness.running.blocks import worker_capacity
print(worker_capacity(), resource.getrlimit(resource.RLIMIT_NOFILE)[0])
"""


def limited(soft: int, hard: int, *command: str, folder: Path, environment: dict[str, str]) -> str:
    """Run a command under limits of open files; return what it prints."""
    done = subprocess.run(
        [sys.executable, *command],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard)),
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_limit_of_open_files_is_raised_as_far_as_workers_need(tmp_path: Path, environment: dict[str, str]) -> None:
    found = limited(100, 4096, "-c", CAPACITY, folder=tmp_path, environment=environment)
    assert found == "64 496\n"


@pytest.mark.slow
def test_with_few_open_files_workers_take_turns(tmp_path: Path, environment: dict[str, str]) -> None:
    (tmp_path / "one.txt").write_text("#: sudoku 2x2\n1.34341221434321\n")
    names = ("native:python", "native:norvig", "native:bitset", "pysat", "pysat/minimal", "pysat:minisat22")
    backends = [word for name in names for word in ("-b", name)]
    out = limited(44, 44, "-m", "harness", "run", "one.txt", *backends, folder=tmp_path, environment=environment)
    assert "6 of 6 solutions verified" in out
