"""A contender that reports false times is charged what its calls took, or named and not ranked."""

from pathlib import Path

import numpy as np
import pytest

from harness.running.workers.inside.clocks import CALL_OVERHEAD_NS, inside_times
from tests.conftest import Harness

pytestmark = pytest.mark.usefixtures("forked")


def boards(folder: Path) -> Path:
    path = folder / "boards.txt"
    path.write_text("#: sudoku 2x2, count 1\n" + ".234341221434321\n" * 100)
    return path


@pytest.mark.slow
def test_a_worker_whose_clock_is_patched_is_named_and_not_ranked(harness: Harness, tmp_path: Path) -> None:
    contenders = ("-b", "forging:frozen", "-b", "forging:slow", "-b", "native:python")
    done = harness("run", boards(tmp_path), *contenders, "--json", "-")
    frozen, slow = done.contender("forging:frozen"), done.contender("forging:slow")
    assert (frozen["solved"], frozen["par2"], frozen["seconds"]["median"]) == (100, None, None)
    assert slow["par2"] > 0.03, "this takes as long, and says so"
    (warning,) = [w for w in done.summary["warnings"] if "the parent's clock" in w]
    assert warning.startswith("forging:frozen: its reported times do not match")
    shown = harness("report", done.summary["journal"], "--vbs")
    ranking = [line.split()[0] for line in shown.out.splitlines() if line.startswith(("forging:", "native:"))]
    assert ranking[:3] == ["native:python", "forging:slow", "forging:frozen"]


@pytest.mark.slow
def test_times_that_a_batch_reports_are_charged_with_what_its_call_took(harness: Harness, tmp_path: Path) -> None:
    done = harness("run", boards(tmp_path), "-b", "forging:zero", "-b", "forging:one", "--json", "-")
    for name in ("forging:zero", "forging:one"):
        entry = done.contender(name)
        assert entry["solved"] == 100
        assert entry["par2"] > 0.03, name
        assert entry["amortised"] == (name == "forging:zero")


def test_times_inside_are_taken_if_they_are_positive_and_most_of_the_call() -> None:
    wall = 100 * CALL_OVERHEAD_NS
    most = np.array([wall // 2, wall // 4])
    assert (taken := inside_times(most, 2, wall)) is not None
    assert taken.tolist() == most.tolist()
    few = inside_times(np.array([1, 3]), 2, wall)
    assert few is not None
    assert few.tolist() == [wall // 4, 3 * wall // 4]
    for impossible in ([0, wall // 2], [-5, wall], [wall, wall], [1 << 62, 1 << 62], [wall]):
        assert inside_times(np.array(impossible), 2, wall) is None, impossible
