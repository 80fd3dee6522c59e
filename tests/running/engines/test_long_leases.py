"""Turns of a long lease are committed while it runs, so a killed client loses little; and others may take some."""

import re
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

pytest.importorskip("distributed", reason="the extra `cluster` is not installed")
pytest.importorskip("cryptography", reason="the extra `cluster` is not installed")

from harness.model.lease import PART, WHOLE
from tests.attacks.planting import wait_for
from tests.clusters import cluster
from tests.running.programs import program

SLEEPS = """
import sys, time
sys.stdin.read()
time.sleep(7)
print("unknown")
"""
NAMES = "abcd"


def ask(folder: Path, query: str) -> list[tuple[int, ...]]:
    """Return rows of the journal, none while there is no journal."""
    try:
        with closing(sqlite3.connect(f"file:{folder / 'j.sqlite'}?mode=ro", uri=True)) as db:
            return db.execute(query).fetchall()
    except sqlite3.OperationalError:
        return []


def test_a_killed_client_keeps_complete_turns_and_idle_places_take_the_last(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    words = [word for name in NAMES for word in program(tmp_path, name, SLEEPS)]
    names = ",".join(f"lines:{name}" for name in NAMES)
    stored = "select contender, lease, wall from outcomes order by 1"
    with cluster(tmp_path, environment) as machines:
        machines.place()
        first = machines.run("hardest", "-n", "1", "-b", names, *words, "-o", "j.sqlite")
        assert wait_for(lambda: ask(tmp_path, stored) != [])
        looked = [sys.executable, "-m", "harness", "places", "--on", "dask:s.json"]

        def seen() -> str:
            done = subprocess.run(looked, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
            return done.stdout

        assert wait_for(lambda: re.search(r"^j\.sqlite: [123] of 4 outcomes", seen(), re.M) is not None)
        assert "instance 1, repeat 1, 4 contenders" in seen()
        first.kill()
        first.wait()
        kept = ask(tmp_path, stored)
        assert ask(tmp_path, "select whole from leases") == [(PART,)]
        second = machines.place()
        again = machines.run("--resume", "j.sqlite", "--yes", "--split-tail")
        assert again.wait(200) == 4
        found = ask(tmp_path, stored)
        assert [contender for contender, *_ in found] == [0, 1, 2, 3]
        assert set(kept) <= set(found)
        assert sorted(ask(tmp_path, "select whole from leases")) == [(WHOLE,), (PART,), (PART,)]
        assert len({lease for _, lease, _ in found}) == 3
        second.send_signal(signal.SIGTERM)
        assert second.wait(100) == 0
