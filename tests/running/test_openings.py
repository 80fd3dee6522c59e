"""An opening is limited by its CPU time, so a busy machine loses nothing; a wait ends later, and none is retried."""

import sys
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from harness.model.settings import RunSettings
from harness.running.workers import cpu_limit
from harness.running.workers.cpu_limit import WALL
from harness.running.workers.limits import OpeningWatch
from harness.running.workers.worker_process import WorkerProcess
from tests.conftest import Harness

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads CPU times from /proc")


@pytest.mark.slow
def test_an_opening_that_computes_too_long_is_tried_once_and_names_the_option(
    harness: Harness, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cpu_limit, "WALL", 1000)
    (tmp_path / "one.txt").write_text("#: sudoku 2x2\n1.34341221434321\n")
    done = harness("run", "one.txt", "-b", "bad:computes", "--open-limit", 1, "--json", "-")
    (trouble,) = done.contender("bad:computes")["trouble"]
    assert trouble["why"] == (
        "could not be opened: not open after 1 s of CPU time: raise --open-limit if it needs more"
    )
    assert (tmp_path / "opened").read_text() == "once\n"


@pytest.mark.parametrize(
    ("cpu", "late", "ended"),
    [(0.5, 3.0, False), (1.1, 1.2, True), (0.5, WALL + 1.0, True), (0.5, 10.0, False), (0.0, 3.0, True)],
)
def test_an_opening_ends_by_its_cpu_time_or_if_it_waits_or_far_later(cpu: float, late: float, ended: bool) -> None:
    used = iter([0.0, cpu])
    watch = OpeningWatch(cast(WorkerProcess, SimpleNamespace(cpu=lambda: next(used))), RunSettings(opening=1.0))
    watch.cpu.began -= late
    watch.cpu.looked -= late
    watch.cpu.due -= late
    breach = watch.breach()
    assert (breach is not None) == ended
    assert breach is None or "--open-limit" in breach.text
