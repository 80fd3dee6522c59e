"""`harness.run` on a cluster: a scheduler and a place of this machine."""

import signal
from contextlib import ExitStack
from pathlib import Path

import pytest

import harness as interface
from harness.runs import runner
from harness.runs.runner import Run
from tests.attacks.planting import wait_for
from tests.clusters import started
from tests.conftest import Harness, left_running

pytest.importorskip("distributed", reason="the extra `cluster` is not installed")
pytest.importorskip("cryptography", reason="the extra `cluster` is not installed")

BOARDS = "#: sudoku 2x2, count 1\n" + ".234341221434321\n" * 3
COLUMNS = ["contender", "puzzle", "status", "verdict", "solutions"]


def test_a_run_on_a_cluster_equals_a_local_run_and_survives_the_loss_of_its_scheduler(
    environment: dict[str, str], harness: Harness, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "boards.txt").write_text(BOARDS)
    contenders = ["native:python", "pysat"]
    local = interface.run("boards.txt", contenders, output="local.sqlite")
    with ExitStack() as stack:
        processes = []
        for verb, *rest in (["scheduler", "--port", "0"], ["place", "--cores", "any"]):
            process = stack.enter_context(started(environment, tmp_path, verb, "--scheduler-file", "s.json", *rest))
            stack.callback(process.kill)
            processes.append(process)
        there = interface.run("boards.txt", contenders, on="dask:s.json", same="cpu", output="there.sqlite")
        scheduler, place = processes
        lost = pytest.raises(interface.ClusterLost, match=r"scheduler.*: .*lost\.sqlite keeps what was solved")
        with monkeypatch.context() as patches, lost:
            patches.setattr(runner, "COMMIT_S", 0.0)
            patches.setattr(Run, "commit", lambda *committed: scheduler.send_signal(signal.SIGKILL))
            interface.run("boards.txt", contenders, repeats=3, on="dask:s.json", output="lost.sqlite")
        place.send_signal(signal.SIGTERM)
        place.communicate(timeout=200)
        assert place.returncode == 0
    whole = interface.resume("lost.sqlite")
    assert (whole.summary["interrupted"], whole.summary["exit"]) == (False, 0)
    assert there.summary["exit"] == 0
    frames = [results.frame(library="pandas")[COLUMNS].sort_values(COLUMNS[:2]) for results in (local, there)]
    assert frames[0].to_dict("list") == frames[1].to_dict("list")
    assert wait_for(lambda: left_running(environment) == [])
    with pytest.raises(interface.BadUsage, match="is the scheduler of this file still running"):
        interface.run("boards.txt", contenders, on="dask:s.json", output="none.sqlite")
    assert not (tmp_path / "none.sqlite").exists()
