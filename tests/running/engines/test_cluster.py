"""A scheduler, a place and a run on it, as commands: the same rows as of a run on this machine alone."""

import gzip
import os
import re
import signal
import sqlite3
import subprocess
import sys
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

pytest.importorskip("distributed", reason="the extra `cluster` is not installed")
pytest.importorskip("cryptography", reason="the extra `cluster` is not installed")

from tests.attacks.planting import wait_for
from tests.clusters import started
from tests.conftest import Harness, left_running

RUN = ("run", "hardest", "-n", "3", "-b", "native:python,native:norvig", "-r", "2")
SAME = "contender, repeat, puzzle, verdict, valid, status, reason, complete, found, solutions, detail"


def ask(journal: Path, query: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(journal)) as db:
        return db.execute(query).fetchall()


@pytest.mark.slow
def test_a_run_on_a_cluster_equals_a_local_one_and_ctrl_c_ends_all(
    harness: Harness, environment: dict[str, str], tmp_path: Path
) -> None:
    with ExitStack() as stack:
        words = ("scheduler", "--scheduler-file", "s.json", "--port", "0")
        scheduler = stack.enter_context(started(environment, tmp_path, *words))
        stack.callback(scheduler.kill)
        command = [sys.executable, "-m", "harness", *RUN, "--on", "dask:s.json", "-o", "cluster.sqlite"]
        pipe = subprocess.PIPE
        run = subprocess.Popen(command, cwd=tmp_path, env=environment, stdout=pipe, stderr=pipe, text=True)
        stack.enter_context(run)
        stack.callback(run.kill)
        assert run.stderr is not None
        assert run.stderr.readline() == "note: the scheduler has no place: waiting until one joins\n"
        words = ("place", "--scheduler-file", "s.json", "--cores", "any")
        place = stack.enter_context(started(environment, tmp_path, *words))
        stack.callback(place.kill)
        _, notes = run.communicate(timeout=200)
        assert run.returncode == 0
        assert re.fullmatch(r"note: place-[\w.-]+-any-[0-9a-f]+ joined: 1 now\n", notes)

        (tmp_path / "f").mkdir()
        (tmp_path / "f" / "a.cnf").write_text("p cnf 1 1\n1 0\n")
        printing = ("--program", "mine=sh -c 'echo c learned 7; echo s SATISFIABLE; echo v 1 0' {cnf}")
        (tmp_path / "columns.toml").write_text("learned = 'c learned ([0-9]+)'\n")
        kept = ("--keep-logs", "logs", "--log-columns", "columns.toml", "-o", "logged.sqlite")
        again = (*command[:3], "run", "f", "-b", "dimacs:mine", *printing, "--on", "dask:s.json", *kept)
        logged = subprocess.run(again, cwd=tmp_path, env=environment, capture_output=True, text=True)
        assert logged.returncode == 0, logged.stderr

        place.send_signal(signal.SIGINT)
        assert place.communicate(timeout=200) == ("", "harness: interrupted\n")
        scheduler.send_signal(signal.SIGINT)
        assert scheduler.communicate(timeout=200) == ("", "harness: interrupted\n")
        assert (place.returncode, scheduler.returncode) == (130, 130)
    assert wait_for(lambda: left_running(environment) == [])
    assert sorted(os.listdir(tmp_path)) == ["cluster.sqlite", "columns.toml", "f", "logged.sqlite", "logs"]
    assert ask(tmp_path / "logged.sqlite", "select name, value from statistics") == [("learned", 7)]
    ((log,),) = ask(tmp_path / "logged.sqlite", "select out from logs")
    assert gzip.decompress((tmp_path / str(log)).read_bytes()) == b"c learned 7\ns SATISFIABLE\nv 1 0\n"

    assert harness(*RUN, "-o", "local.sqlite").code == 0
    rows = f"select {SAME} from outcomes order by 1, 2, 3"
    assert ask(tmp_path / "cluster.sqlite", rows) == ask(tmp_path / "local.sqlite", rows)
    known = "select count(*) from outcomes o join leases l on l.id = o.lease join places p on p.id = l.place"
    assert ask(tmp_path / "cluster.sqlite", known) == [(12,)]
