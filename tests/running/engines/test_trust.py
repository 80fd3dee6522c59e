"""Harm done by contenders and places of a cluster stays where it arises; a solver is started as it is locally."""

import json
import re
import signal
import sqlite3
import subprocess
import sys
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("distributed", reason="the extra `cluster` is not installed")
pytest.importorskip("cryptography", reason="the extra `cluster` is not installed")

from backends.contract.answer import Reason, Status
from tests.clusters import cluster
from tests.running.programs import HOARDS, KILLS_ITS_PLACE, SEES, program
from tests.running.test_solver_surroundings import seen

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")


def ask(journal: Path, query: str) -> list[tuple[Any, ...]]:
    """Return rows of a journal."""
    with closing(sqlite3.connect(journal)) as db:
        return db.execute(query).fetchall()


def ends(journal: Path) -> dict[str, Counter[tuple[int, int]]]:
    """Return how often each contender's outcomes have which status and reason."""
    found: dict[str, Counter[tuple[int, int]]] = {}
    for name, *end in ask(
        journal, "select c.name, o.status, o.reason from outcomes o join contenders c on c.id = o.contender"
    ):
        found.setdefault(name, Counter())[end[0], end[1]] += 1
    return found


def test_a_run_goes_on_without_places_that_differ_and_without_those_that_a_contender_kills(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    texts = {"sees": SEES, "kills": KILLS_ITS_PLACE, "hoards": HOARDS}
    options = ["-m", "500", *(word for name, text in texts.items() for word in program(tmp_path, name, text))]
    place_sees, local_sees = tmp_path / "place.json", tmp_path / "local.json"
    other = tmp_path / "other" / "python_sat-0.9.dist-info"
    other.mkdir(parents=True)
    (other / "METADATA").write_text("Metadata-Version: 2.1\nName: python-sat\nVersion: 0.9\n")
    with cluster(tmp_path, environment) as machines:
        machines.place(PYTHONPATH=f"{other.parent}:{environment['PYTHONPATH']}")
        contenders = "native:python,lines:kills,lines:hoards,lines:sees"
        run = machines.run("hardest", "-n", "1", "-b", contenders, *options, "-o", "cluster.sqlite")
        assert run.stderr is not None
        refusal = next(line for line in run.stderr if "refused" in line)
        place = machines.place(CROSSCHECK_TEST_FILE=str(place_sees))
        _, rest = run.communicate(timeout=200)
        place.send_signal(signal.SIGTERM)
        assert place.wait(200) == 0

    (stored,) = json.loads(ask(tmp_path / "cluster.sqlite", "select value from meta where key = 'refused'")[0][0])
    place_name, _, why = stored.partition(": ")
    assert refusal == f"note: {place_name} refused: {why}\n"
    assert re.fullmatch(r"python-sat: [0-9.a-z]+ here, 0\.9 there", why)

    found = ends(tmp_path / "cluster.sqlite")
    assert found["native:python"] == {(Status.SATISFIABLE, Reason.NONE): 1}
    assert found["lines:kills"] == {(Status.UNKNOWN, Reason.CRASH): 1}
    assert found["lines:hoards"] == {(Status.UNKNOWN, Reason.MEMORY): 1}
    assert found["lines:sees"].total() == 1
    assert not {reason for _, reason in found["lines:sees"]} & {Reason.CRASH}
    ((why,),) = ask(tmp_path / "cluster.sqlite", "select detail from outcomes where reason = 3")
    assert why.startswith("took its place down: ")
    assert rest.count(": lost: ") == 3

    command = [sys.executable, "-m", "harness", "run", "hardest", "-n", "1", "-b", "lines:sees", *options, "--no-pin"]
    local = environment | {"CROSSCHECK_TEST_FILE": str(local_sees)}
    subprocess.run([*command, "-o", "l.sqlite"], cwd=tmp_path, env=local, capture_output=True, check=False)
    assert seen(place_sees) == seen(local_sees)
