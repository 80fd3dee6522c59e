"""Runs on a stock Dask cluster: rows as of a local run, whatever its members suffer."""

import gzip
import json
import os
import signal
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest

pytest.importorskip("distributed", reason="the extra `cluster` is not installed")
from harness.model.host import PLACE_CORES, cores
from harness.model.lease import PART, WHOLE
from tests.attacks.planting import wait_for
from tests.clusters import cluster
from tests.conftest import Harness, left_running
from tests.programs import SUDOKU

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="processes are found in /proc")]
SAME = "contender, repeat, puzzle, verdict, valid, status, reason, complete, found, solutions, detail"
ROWS = f"select {SAME} from outcomes order by 1, 2, 3"
WAITS = SUDOKU.replace("    print(solve", "    __import__('time').sleep(0.2); print(solve")
LONG_S = 200


def ask(journal: Path, query: str) -> list[tuple[object, ...]]:
    """Return rows of a journal, none while there is no journal."""
    try:
        with closing(sqlite3.connect(f"file:{journal}?mode=ro", uri=True)) as db:
            return db.execute(query).fetchall()
    except sqlite3.OperationalError:
        return []


def slow(folder: Path) -> tuple[str, ...]:
    """Return a run of 66 outcomes that takes some seconds."""
    (folder / "slow.py").write_text(WAITS)
    program = ("--program", f"slow={sys.executable} {folder / 'slow.py'}")
    return "hardest", "-b", "lines:slow,native:python", *program, "-r", "3", "-w", "0", "-t", "60"


def leases(journal: Path) -> int:
    """Return the number of leases of a journal."""
    return len(ask(journal, "select id from leases"))


def test_a_run_equals_a_local_one_with_logs_and_nothing_is_left(
    harness: Harness, environment: dict[str, str], tmp_path: Path
) -> None:
    (tmp_path / "f").mkdir()
    (tmp_path / "f" / "a.cnf").write_text("p cnf 1 1\n1 0\n")
    (tmp_path / "columns.toml").write_text("learned = 'c learned ([0-9]+)'\n")
    printing = ("--program", "mine=sh -c 'echo c learned 7; echo s SATISFIABLE; echo v 1 0' {cnf}")
    words = ("f", "-b", "dimacs:mine", *printing, "--keep-logs", "logs", "--log-columns", "columns.toml", "--sandbox")
    with cluster(tmp_path, environment) as machines:
        machines.worker()
        run = machines.run("hardest", "-n", "3", "-b", "native:python,native:norvig", "-r", "2", "-o", "there.sqlite")
        _, notes = run.communicate(timeout=LONG_S)
        assert (run.returncode, "1 place joined: 1 now" in notes) == (0, True), notes
        logged = machines.run(*words, "-o", str(tmp_path.parent / "logged.sqlite"))
        _, notes = logged.communicate(timeout=LONG_S)
        assert logged.returncode == 0 or "not to be had" in notes, notes
    assert wait_for(lambda: left_running(environment) == [])
    if logged.returncode == 0:
        logged_journal = tmp_path.parent / "logged.sqlite"
        assert ask(logged_journal, "select name, value from statistics") == [("learned", 7)]
        ((log,),) = ask(logged_journal, "select out from logs")
        assert gzip.decompress((logged_journal.parent / str(log)).read_bytes()).startswith(b"c learned 7\n")
    done = harness("run", "hardest", "-n", 3, "-b", "native:python,native:norvig", "-r", 2, "-o", "local.sqlite")
    assert done.code == 0
    assert ask(tmp_path / "there.sqlite", ROWS) == ask(tmp_path / "local.sqlite", ROWS)
    known = "select count(*) from outcomes o join leases l on l.id = o.lease join places p on p.id = l.place"
    assert ask(tmp_path / "there.sqlite", known) == [(12,)]


def test_nothing_is_lost_or_doubled_by_the_loss_of_a_child_a_worker_the_run_and_the_scheduler(
    harness: Harness, environment: dict[str, str], tmp_path: Path
) -> None:
    words, journal = slow(tmp_path), tmp_path / "there.sqlite"
    with cluster(tmp_path, environment) as machines:
        machines.worker()
        run = machines.run(*words, "-o", "there.sqlite")
        for code in ("place_process", "multiprocessing.spawn"):
            before = leases(journal)
            assert wait_for(lambda before=before: leases(journal) > before, LONG_S)  # type: ignore[misc]
            for pid in machines.processes(code):
                os.kill(pid, signal.SIGKILL)
        before = leases(journal)
        assert wait_for(lambda: leases(journal) > before, LONG_S)
        run.kill()
        assert wait_for(lambda: machines.processes("place_process") == [])
        again = machines.run("--resume", "there.sqlite", "--yes")
        kept = leases(journal)
        assert wait_for(lambda: leases(journal) > kept, LONG_S)
        machines.scheduler.kill()
        _, notes = again.communicate(timeout=LONG_S)
        assert again.returncode == 130
        assert "--resume goes on with it" in notes
    assert harness("run", "--resume", "there.sqlite", "--yes").code == 0
    assert harness("run", *words, "-o", "local.sqlite").code == 0
    assert ask(journal, ROWS) == ask(tmp_path / "local.sqlite", ROWS)
    assert ask(journal, "select count(*) from leases group by block, repeat having count(*) > 1") == []
    assert wait_for(lambda: left_running(environment) == [])


def test_complete_batches_of_a_long_lease_are_kept_when_the_run_is_killed(
    environment: dict[str, str], tmp_path: Path
) -> None:
    """A program answers once its file is there: the first batch is committed while the second runs."""
    (tmp_path / "no.cnf").write_text("p cnf 1 2\n1 0\n-1 0\n")
    words = ["--program", "a=sh -c 'echo s UNSATISFIABLE' {cnf}"]
    words += ["--program", f"b=sh -c 'until test -e {tmp_path}/go; do sleep 0.1; done; echo s UNSATISFIABLE' {{cnf}}"]
    impatient = ("-c", "from harness.running.engines import dask; dask.LONG_S = dask.PART_S = 0.5\n"
                 "import sys; from harness.cli import main; sys.exit(main())")  # fmt: skip
    journal, whole = tmp_path / "j.sqlite", "select whole from leases order by 1"
    with cluster(tmp_path, environment) as machines:
        machines.worker()
        options = ("-b", "dimacs:a,dimacs:b", *words, "-t", "300", "-w", "0", "--seed", "2", "-o", "j.sqlite")
        first = machines.start("run", "no.cnf", *options, "--on", "s.json", harness=impatient)
        done = wait_for(lambda: ask(journal, whole) == [(PART,)], 60)
        first.kill()
        (tmp_path / "go").touch()
        again = machines.run("--resume", "j.sqlite", "--yes")
        _, notes = again.communicate(timeout=LONG_S)
        assert again.returncode == 0, notes
    assert done
    assert ask(journal, whole) == [(WHOLE,), (PART,)]
    assert ask(journal, "select count(*) from outcomes") == [(2,)]


def test_a_worker_with_another_package_is_refused_by_name(environment: dict[str, str], tmp_path: Path) -> None:
    other = tmp_path / "other" / "numpy-0.1.dist-info"
    other.mkdir(parents=True)
    (other / "METADATA").write_text("Metadata-Version: 2.1\nName: numpy\nVersion: 0.1\n")
    with cluster(tmp_path, environment) as machines:
        machines.worker(PYTHONPATH=str(tmp_path / "other"))
        run = machines.run("hardest", "-n", "1", "-b", "native:python", "-o", "j.sqlite")
        assert run.stderr is not None
        lines = iter(run.stderr.readline, "")
        refused = next(line for line in lines if "refused" in line)
        assert "numpy: " in refused
        assert "0.1 there" in refused
        run.send_signal(signal.SIGINT)
        assert run.wait(LONG_S) == 130


@pytest.mark.skipif(len(cores()) < 2, reason="needs two cores")
def test_two_places_of_two_cores_run_leases(environment: dict[str, str], tmp_path: Path) -> None:
    """The workers have locks of their own, as on two machines: this one may have no more cores."""
    with cluster(tmp_path, environment) as machines:
        for name in ("a", "b"):
            (tmp_path / name).mkdir()
            machines.worker("--nthreads", str(len(cores())), CROSSCHECK_LOCKS=str(tmp_path / name))
        words = list(slow(tmp_path))
        words[2] = "lines:slow[cores=2],native:python"
        run = machines.run(*words, "-o", "j.sqlite")
        _, notes = run.communicate(timeout=LONG_S)
        assert run.returncode == 0, notes
    found = ask(tmp_path / "j.sqlite", "select distinct p.id, p.host from places p join leases l on l.place = p.id")
    assert len(found) == 2 * (len(cores()) // 2)
    assert {len(json.loads(str(host))[PLACE_CORES].split(",")) for _, host in found} == {2}
