"""`harness.run` on a cluster: a scheduler and a place of this machine."""

import signal
from contextlib import ExitStack
from pathlib import Path

import pytest

import harness as interface
from tests.clusters import started
from tests.conftest import Harness, left_running

pytest.importorskip("distributed", reason="the extra `cluster` is not installed")
pytest.importorskip("cryptography", reason="the extra `cluster` is not installed")

BOARDS = "#: sudoku 2x2, count 1\n" + ".234341221434321\n" * 3
COLUMNS = ["contender", "puzzle", "status", "verdict", "solutions"]


def test_a_run_on_a_cluster_equals_a_local_run(environment: dict[str, str], harness: Harness, tmp_path: Path) -> None:
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
        for process in reversed(processes):
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=30)
            assert process.returncode == 0
    assert there.summary["exit"] == 0
    frames = [results.frame("pandas")[COLUMNS].sort_values(COLUMNS[:2]) for results in (local, there)]
    assert frames[0].to_dict("list") == frames[1].to_dict("list")
    assert left_running(environment) == []
    with pytest.raises(interface.BadUsage, match=r"s\.json: No such file or directory"):
        interface.run("boards.txt", contenders, on="dask:s.json", output="none.sqlite")
    assert not (tmp_path / "none.sqlite").exists()
