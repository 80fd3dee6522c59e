"""A number of solutions that no memory holds is bad usage, and `count` stops at what memory holds."""

from pathlib import Path

import pytest

from harness.model.outcome import MAX_PLACED
from harness.model.selection import fitting
from tests.conftest import Harness

pytestmark = pytest.mark.usefixtures("forked")

MOST = MAX_PLACED // 81


@pytest.mark.parametrize("words", [("run", "hardest", "-n", "1"), ("solve", "hardest:12")], ids=" ".join)
@pytest.mark.parametrize("count", [MOST + 1, 10**9])
def test_more_solutions_than_memory_holds_are_bad_usage(
    words: tuple[str, ...], count: int, harness: Harness, tmp_path: Path
) -> None:
    done = harness(*words, "-b", "native:python", "--count", str(count))
    message = f"harness: {count} solutions of sudoku 3x3 are too many: at most {MOST} are kept\n"
    assert (done.code, done.out, done.err) == (2, "", message)
    assert not list(tmp_path.rglob("*.sqlite"))


def test_a_count_beyond_all_boards_is_refused_by_its_option(harness: Harness) -> None:
    done = harness("solve", "hardest:12", "-b", "native:python", "--count", str(10**30))
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"harness: argument --count: '{10**30}' is more than 1,000,000,000,000\n")


@pytest.mark.slow
def test_count_stops_at_what_memory_holds(harness: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fitting, "MAX_PLACED", 7 * 16)
    Path("x.txt").write_text("." * 16 + "\n")
    done = harness("count", "x.txt", "-b", "native:python")
    assert done.out == "x.txt:1: native:python: 7 solutions or more (--limit 7)\n"
