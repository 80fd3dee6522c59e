"""A solver that harms the times of others, or improves its own, is noticed: by stops, idle CPU time, and a cache."""

import sys
from pathlib import Path

import pytest

from tests.attacks.planting import SOLUTION, plant
from tests.conftest import Harness

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")


def boards(folder: Path, number: int) -> Path:
    path = folder / "boards.txt"
    path.write_text("#: sudoku 2x2\n" + "1.34341221434321\n" * number)
    return path


@pytest.mark.slow
def test_workers_that_another_contender_stops_are_continued_and_named(harness: Harness, tmp_path: Path) -> None:
    words = ("-b", "neighbours:stopping", "-b", "native:python", "-r", 1, "-t", 20, "--json", "-")
    done = harness("run", boards(tmp_path, 40), *words)
    for name in ("neighbours:stopping", "native:python"):
        assert done.contender(name)["solved"] == 40, done.summary["warnings"]
    (warning,) = [text for text in done.summary["warnings"] if "found stopped by a signal" in text]
    assert warning.startswith("native:python: its processes were found stopped by a signal ")


@pytest.mark.slow
def test_a_contender_that_computes_while_others_are_asked_is_named(harness: Harness, tmp_path: Path) -> None:
    words = ("-b", "neighbours:burning", "-b", "forging:slow", "--json", "-")
    done = harness("run", boards(tmp_path, 40), *words)
    (warning,) = [text for text in done.summary["warnings"] if "while others were asked" in text]
    assert warning.startswith("neighbours:burning used ")


CACHED = """
read board
if [ ! -e "cache-$board" ]; then
    touch "cache-$board"
    i=0; while [ $i -lt 50000 ]; do i=$((i + 1)); done
fi
echo {solution}
"""


@pytest.mark.slow
def test_a_program_that_keeps_answers_on_disk_is_named(harness: Harness, tmp_path: Path) -> None:
    opened = [SOLUTION[:i] + "." + SOLUTION[i + 1 :] for i in range(5)]
    (tmp_path / "boards.txt").write_text("\n".join(["#: sudoku 2x2", *opened, ""]))
    words = ("boards.txt", *plant(tmp_path, "mine", CACHED.format(solution=SOLUTION)), "-w", 0, "--json", "-")
    first = harness("run", *words, "-r", 2, "-o", "first.sqlite").summary
    (warning,) = [text for text in first["warnings"] if "between its processes" in text]
    assert warning.startswith("lines:mine took ")
    second = harness("run", *words, "-o", "second.sqlite").summary
    assert not [text for text in second["warnings"] if "between" in text], "one run alone does not show it"
    for path in tmp_path.glob("cache-*"):
        path.unlink()
    harness("run", *words, "-o", "empty.sqlite")
    compared = harness("compare", "empty.sqlite", "second.sqlite", "--json", "-").summary
    (warning,) = [text for text in compared["warnings"] if "between runs" in text]
    assert warning.startswith("lines:mine is of the same version in both journals, and took ")
