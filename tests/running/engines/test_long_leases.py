"""Turns of a long lease are committed while it runs, so a killed client loses little; and others may take some.

All of them write proofs, which are checked before their turns are committed. The client takes a lease of 2 s for long.
"""

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
from harness.model.outcome import CERTIFIED
from tests.attacks.planting import wait_for
from tests.clusters import cluster
from tests.running.programs import program

WAITS = """
import os, time
if len(sys.argv) < 3:  # a trial, without a proof
    sys.exit()
with open("{folder}/begun", "a") as begun:
    begun.write(".")
    begun.flush()
    number = begun.tell()
while os.path.getsize("{folder}/allowed") < number:
    time.sleep(0.02)
with open(sys.argv[-1], "w") as proof:
    proof.write("0\\n")
print("s UNSATISFIABLE")
"""
IMPATIENT = """
import sys
from harness.cli import main
from harness.running.engines import dask, held

held.LONG_S, dask.PART_S = 2.0, 0.5
sys.exit(main())
"""
CONTRADICTION = "p cnf 1 2\n1 0\n-1 0\n"
NAMES = "abcd"


def ask(folder: Path, query: str) -> list[tuple[int, ...]]:
    """Return rows of the journal, none while there is no journal."""
    try:
        with closing(sqlite3.connect(f"file:{folder / 'j.sqlite'}?mode=ro", uri=True)) as db:
            return db.execute(query).fetchall()
    except sqlite3.OperationalError:
        return []


@pytest.mark.slow
def test_a_killed_client_keeps_complete_turns_and_idle_places_take_the_last(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    words = ["--proof", "-t", "300"]
    for name in NAMES:
        option, command = program(tmp_path, name, WAITS.format(folder=tmp_path))
        words += [option, f"{command} {{cnf}} {{proof}}"]
    names = ",".join(f"dimacs:{name}" for name in NAMES)
    stored = f"select contender, lease, wall from outcomes where proof = {CERTIFIED} order by 1"
    (tmp_path / "no.cnf").write_text(CONTRADICTION)
    begun, allowed = tmp_path / "begun", tmp_path / "allowed"
    allowed.write_text(".")
    with cluster(tmp_path, environment) as machines:
        machines.place()
        first = machines.run("no.cnf", "-b", names, *words, "-o", "j.sqlite", harness=("-c", IMPATIENT))
        assert wait_for(lambda: ask(tmp_path, stored) != [])
        looked = [sys.executable, "-m", "harness", "places", "--on", "dask:s.json"]

        def seen() -> str:
            done = subprocess.run(looked, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
            return done.stdout

        assert wait_for(
            lambda: (
                re.search(r"^j\.sqlite: 1 of 4 outcomes", found := seen(), re.M) is not None
                and ("instance 1, repeat 1, 4 contenders" in found)
            )
        )
        first.kill()
        first.wait()
        kept = ask(tmp_path, stored)
        assert len(kept) == 1
        assert ask(tmp_path, "select whole from leases") == [(PART,)]
        before = begun.stat().st_size
        second = machines.place()
        again = machines.run("--resume", "j.sqlite", "--yes", "--split-tail", harness=("-c", IMPATIENT))
        assert wait_for(lambda: begun.stat().st_size >= before + 2)
        allowed.write_text("." * 100)
        assert again.wait(200) == 0
        found = ask(tmp_path, stored)
        assert [contender for contender, *_ in found] == [0, 1, 2, 3]
        assert set(kept) <= set(found)
        assert sorted(ask(tmp_path, "select whole from leases")) == [(WHOLE,), (PART,), (PART,)]
        assert len({lease for _, lease, _ in found}) == 3
        second.send_signal(signal.SIGTERM)
        assert second.wait(100) == 0
