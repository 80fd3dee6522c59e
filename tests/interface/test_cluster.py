"""`harness.run` on a stock Dask cluster of this machine."""

import sys
from pathlib import Path

import pytest

import harness as interface
from harness.runs import runner
from harness.runs.runner import Run
from tests.attacks.planting import wait_for
from tests.clusters import cluster
from tests.conftest import Harness, left_running

pytest.importorskip("distributed", reason="the extra `cluster` is not installed")
pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="processes are found in /proc")]

BOARDS = "#: sudoku 2x2, count 1\n" + ".234341221434321\n" * 3
COLUMNS = ["contender", "puzzle", "status", "verdict", "solutions"]


def test_a_run_on_a_cluster_equals_a_local_run_and_survives_the_loss_of_its_scheduler(
    environment: dict[str, str], harness: Harness, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "boards.txt").write_text(BOARDS)
    contenders = ["native:python", "pysat"]
    local = interface.run("boards.txt", contenders, output="local.sqlite")
    with cluster(tmp_path, environment) as machines:
        machines.worker()
        there = interface.run("boards.txt", contenders, on="s.json", same="cpu", output="there.sqlite")
        lost = pytest.raises(interface.ClusterLost, match=r"scheduler.*: .*lost\.sqlite keeps what was solved")
        with monkeypatch.context() as patches, lost:
            patches.setattr(runner, "COMMIT_S", 0.0)
            patches.setattr(Run, "commit", lambda *committed: machines.scheduler.kill())
            interface.run("boards.txt", contenders, repeats=3, on="s.json", output="lost.sqlite")
    whole = interface.resume("lost.sqlite")
    assert (whole.summary["interrupted"], whole.summary["exit"]) == (False, 0)
    assert there.summary["exit"] == 0
    frames = [results.frame(library="pandas")[COLUMNS].sort_values(COLUMNS[:2]) for results in (local, there)]
    assert frames[0].to_dict("list") == frames[1].to_dict("list")
    assert wait_for(lambda: left_running(environment) == [])
    with pytest.raises(interface.BadUsage, match="is a `dask scheduler` running"):
        interface.run("boards.txt", contenders, on="tcp://127.0.0.1:9", output="none.sqlite")
    assert not (tmp_path / "none.sqlite").exists()
