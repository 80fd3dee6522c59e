"""A solver that disturbs other contenders is noticed: it stops their workers, or computes while they are asked."""

import sys
from pathlib import Path

import pytest

from tests.conftest import Harness

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")


def boards(folder: Path, number: int) -> Path:
    path = folder / "boards.txt"
    path.write_text("#: sudoku 2x2\n" + "1.34341221434321\n" * number)
    return path


def test_workers_that_another_contender_stops_are_continued_and_named(harness: Harness, tmp_path: Path) -> None:
    words = ("-b", "neighbours:stopping", "-b", "native:python", "-r", 1, "-t", 20, "--json", "-")
    done = harness("run", boards(tmp_path, 40), *words)
    for name in ("neighbours:stopping", "native:python"):
        assert done.contender(name)["solved"] == 40, done.summary["warnings"]
    (warning,) = [text for text in done.summary["warnings"] if "found stopped by a signal" in text]
    assert warning.startswith("native:python: its processes were found stopped by a signal ")


def test_a_contender_that_computes_while_others_are_asked_is_named(harness: Harness, tmp_path: Path) -> None:
    words = ("-b", "neighbours:burning", "-b", "forging:slow", "--json", "-")
    done = harness("run", boards(tmp_path, 40), *words)
    (warning,) = [text for text in done.summary["warnings"] if "while others were asked" in text]
    assert warning.startswith("neighbours:burning used ")
