"""`harness.run` on a cluster: a scheduler and a place of this machine."""

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

import harness as interface
from tests.conftest import Harness, left_running

pytest.importorskip("distributed", reason="the extra `cluster` is not installed")
pytest.importorskip("cryptography", reason="the extra `cluster` is not installed")

BOARDS = "#: sudoku 2x2, count 1\n" + ".234341221434321\n" * 3
COLUMNS = ["contender", "puzzle", "status", "verdict", "solutions"]


@pytest.fixture
def processes(environment: dict[str, str], tmp_path: Path) -> Iterator[dict[str, subprocess.Popen[str]]]:
    """A scheduler whose file is s.json, and one place; each has said that it is ready."""
    options = {"scheduler": ["--port", "0"], "place": ["--cores", "any"]}
    started = {}
    with ExitStack() as stack:
        for verb, rest in options.items():
            words = [sys.executable, "-m", "harness", verb, "--scheduler-file", "s.json", *rest]
            process = subprocess.Popen(words, cwd=tmp_path, env=environment, stdout=subprocess.PIPE, text=True)
            stack.enter_context(process)
            stack.callback(process.kill)
            assert process.stdout is not None
            assert process.stdout.readline()
            started[verb] = process
        yield started


def test_a_run_on_a_cluster_equals_a_local_run(
    processes: dict[str, subprocess.Popen[str]], environment: dict[str, str], harness: Harness, tmp_path: Path
) -> None:
    (tmp_path / "boards.txt").write_text(BOARDS)
    contenders = ["native:python", "pysat"]
    local = interface.run("boards.txt", contenders, output="local.sqlite")
    there = interface.run("boards.txt", contenders, on="dask:s.json", same="cpu", output="there.sqlite")
    assert there.summary["exit"] == 0
    frames = [results.frame("pandas")[COLUMNS].sort_values(COLUMNS[:2]) for results in (local, there)]
    assert frames[0].to_dict("list") == frames[1].to_dict("list")
    processes["place"].send_signal(signal.SIGTERM)
    assert processes["place"].wait(timeout=30) == 0
    processes["scheduler"].send_signal(signal.SIGTERM)
    assert processes["scheduler"].wait(timeout=30) == 0
    assert left_running(environment) == []
    with pytest.raises(interface.BadUsage, match=r"s\.json: No such file or directory"):
        interface.run("boards.txt", contenders, on="dask:s.json", output="none.sqlite")
    assert not (tmp_path / "none.sqlite").exists()
