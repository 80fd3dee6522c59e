"""A place that is stopped in good order finishes its lease, and no lease of it counts as lost."""

import signal
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest

pytest.importorskip("distributed", reason="the extra `cluster` is not installed")
pytest.importorskip("cryptography", reason="the extra `cluster` is not installed")

from tests.attacks.planting import wait_for
from tests.clusters import cluster
from tests.running.programs import program

SLEEPS = """
import sys, time
sys.stdin.read()
time.sleep(1.5)
print("s UNKNOWN")
"""


@pytest.mark.slow
def test_sigterm_lets_a_lease_end_and_a_second_one_aborts_it(tmp_path: Path, environment: dict[str, str]) -> None:
    words = program(tmp_path, "sleeps", SLEEPS)
    with cluster(tmp_path, environment) as machines:
        first = machines.place()
        run = machines.run("hardest", "-n", "6", "-b", "lines:sleeps", *words, "-o", "j.sqlite")
        assert run.stderr is not None
        wait_for_workers(first.pid)
        first.send_signal(signal.SIGTERM)
        assert first.wait(100) == 0
        assert wait_for(lambda: rows(tmp_path, "select 1 from leases") != [])
        second = machines.place()
        wait_for_workers(second.pid)
        second.send_signal(signal.SIGTERM)
        second.send_signal(signal.SIGTERM)
        assert second.wait(100) == 0
        machines.place()
        notes = [line for line in run.stderr if "waiting until" not in line and " joined: " not in line]
        assert run.wait(200) == 4
    assert [note.partition(": lost: ")[2] for note in notes] == ["it was stopped\n"] * 2
    assert rows(tmp_path, "select count(*) from outcomes") == [(6,)]
    assert rows(tmp_path, "select detail from outcomes where detail like 'took its place%'") == []


def rows(folder: Path, query: str) -> list[tuple[object, ...]]:
    """Return rows of the journal."""
    with closing(sqlite3.connect(folder / "j.sqlite")) as db:
        return db.execute(query).fetchall()


def wait_for_workers(place: int) -> None:
    """Wait until the program runs below a place command."""
    deadline = time.monotonic() + 100
    while time.monotonic() < deadline:
        for entry in Path("/proc").glob("[0-9]*"):
            try:
                words = (entry / "cmdline").read_bytes()
                above = ancestors(int(entry.name))
            except (OSError, ValueError):
                continue
            asks_for_version = b"--version" in words or b"harness.running.asking" in words
            if b"sleeps" in words and not asks_for_version and place in above:
                return
        time.sleep(0.05)
    raise TimeoutError


def ancestors(pid: int) -> list[int]:
    """Return the processes above one."""
    found = []
    while pid > 1:
        pid = int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
        found.append(pid)
    return found
