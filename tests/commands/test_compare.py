"""`compare` names lost puzzles, and reports bad usage in one line."""

import json
from pathlib import Path

import pytest

from tests.conftest import Harness
from tests.journals import make, noisy


def test_compare_names_lost_puzzles_and_exits_3(tmp_path: Path, harness: Harness) -> None:
    times = noisy(1, repeats=1, puzzles=8)
    a = make(tmp_path / "a.sqlite", {"x": times})
    b = make(tmp_path / "b.sqlite", {"x": times}, odd={"x": {"undecided": [2]}})
    done = harness("compare", str(a), str(b))
    assert done.code == 3
    assert "lost: x: made:3" in done.out
    shown = harness("compare", str(a), str(b), "--json", "-")
    assert json.loads(shown.out)["comparisons"][0]["lost"] == ["made:3"]


@pytest.mark.parametrize(
    "arguments",
    [["nowhere"], ["a.sqlite", "--baseline", "none"], ["a.sqlite", "--baseline", "../x"], ["a.sqlite"] * 3],
    ids=" ".join,
)
def test_bad_usage_is_one_line(tmp_path: Path, harness: Harness, arguments: list[str]) -> None:
    make(tmp_path / "a.sqlite", {"x": noisy(1, 1, 4)})
    done = harness("compare", *arguments)
    assert done.code == 2
    assert done.err.count("\n") == 1
