"""`solve`: its last line."""

import numpy as np
import pytest

from harness.commands.solve import counted
from harness.model.outcome import ROW
from tests.conftest import ROOT, Harness

BOARDS = ROOT / "docs" / "classics" / "boards.txt"


@pytest.mark.parametrize(
    ("backend", "words"), [("native:norvig", "25 decisions, 10 conflicts, "), ("native:subsets", "0 decisions, 0 conf")]
)
def test_solve_states_decisions_and_conflicts(harness: Harness, backend: str, words: str) -> None:
    done = harness("solve", f"{BOARDS}:4", "-b", backend)
    assert f", 1 solution, there may be more, {words}" in done.out.replace("no others", "there may be more")


def test_counters_that_a_backend_lacks_are_left_out() -> None:
    row = np.zeros((), ROW)
    row["decisions"], row["conflicts"] = 1, -1
    assert counted(row) == ["1 decision"]
