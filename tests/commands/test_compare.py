"""`compare` names lost puzzles, and reports bad usage in one line."""

import csv
import io
import json
import re
from pathlib import Path

import numpy as np
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


def test_slower_puzzles_are_named_with_their_ratio_and_exit_3(tmp_path: Path, harness: Harness) -> None:
    after = noisy(2, 5, 48)
    after[:, 20:27] *= 113
    path = make(tmp_path / "a.sqlite", {"x": noisy(1, 5, 48), "y": after})
    done = harness("compare", str(path))
    assert done.code == 3
    assert "regressed on 7 instances" in done.out
    (line,) = [line for line in done.out.splitlines() if line.startswith("slower: y: made:")]
    assert line.count("x)") == 5
    assert line.endswith(" and 2 others; --instances has all")
    slower = json.loads(harness("compare", str(path), "--json", "-").out)["comparisons"][0]["slower"]
    assert {s["puzzle"] for s in slower} == {f"made:{i}" for i in range(21, 28)}
    assert all(100 < s["ratio"] < 130 for s in slower)


def test_instances_are_listed_by_ratio_in_every_format(tmp_path: Path, harness: Harness) -> None:
    before = np.full((2, 4), 0.01)
    path = make(tmp_path / "a.sqlite", {"x": before, "y": before * [1, 4, 0.5, 2]}, cpu_times={"y": before * 3})
    shown = harness("compare", str(path), "--instances").out
    assert "wall time by instance: x is faster on 2 of 4 instances, y on 1" in shown
    rows = list(csv.DictReader(io.StringIO(harness("compare", str(path), "--instances", "--format", "csv").out)))
    assert [(r["puzzle"], float(r["ratio"])) for r in rows] == [
        ("made:2", 4),
        ("made:4", 2),
        ("made:1", 1),
        ("made:3", 0.5),
    ]
    found = json.loads(harness("compare", str(path), "--instances", "--time", "cpu", "--json", "-").out)
    assert [row["ratio"] for row in found["comparisons"][0]["instances"]] == pytest.approx([3] * 4)


def test_an_inconclusive_comparison_states_the_repeats_that_would_decide(tmp_path: Path, harness: Harness) -> None:
    path = make(tmp_path / "a.sqlite", {"x": noisy(1, 1), "y": noisy(2, 1, factor=1.1)})
    done = harness("compare", str(path))
    assert done.code == 0
    assert re.search(r"inconclusive: x, y: about \d+ repeats \(-r \d+\) would decide", done.out)
    assert "inconclusive: 1 of 1 comparison, which --strict makes exit 4" in done.out
    summary = harness("compare", path, "--strict", "--format", "github")
    assert summary.code == 4
    assert "<summary>Inconclusive (1 of 1)</summary>" in summary.out
    assert re.search(r"- inconclusive: x, y: about \d+ repeats", summary.out)


def test_a_shift_makes_ratios_those_of_shifted_geometric_means(tmp_path: Path, harness: Harness) -> None:
    times = {"x": np.array([[0.001, 0.001, 1.0, 2.0]]), "y": np.array([[0.004, 0.004, 1.0, 2.0]])}
    path = make(tmp_path / "a.sqlite", times)
    for shift, ratio in ((0, 2.0), (1, (1.004 / 1.001) ** 0.5)):
        done = harness("compare", path, "--shift", shift, "--json", "-").summary
        assert done["shift"] == shift
        assert done["comparisons"][0]["times"]["wall"]["ratio"] == pytest.approx(ratio)
    assert "shifted geometric mean (shift 1 s)" in harness("compare", path, "--shift", 1).out


def verdict_of(path: Path, harness: Harness, *more: object) -> tuple[int, str]:
    """Return the exit code of a comparison of x with y, and the cell of its verdict."""
    done = harness("compare", str(path), "--format", "csv", *more)
    (row,) = csv.DictReader(io.StringIO(done.out.partition("\n\n")[0]))
    return done.code, row["verdict"]


@pytest.mark.parametrize(
    ("odd", "factor", "expected"),
    [
        ({"wrong": [2]}, 0.3, (1, "1 wrong, improved")),
        ({"wrong": [2]}, 1.0, (1, "1 wrong")),
        ({"unsatisfiable": [3]}, 0.3, (1, "1 wrong, improved")),
        ({"undecided": [2, 4]}, 0.3, (3, "2 lost, improved")),
        ({}, 0.3, (0, "improved")),
        ({}, 3.0, (3, "regressed")),
    ],
    ids=str,
)
def test_the_verdict_and_the_exit_code_tell_the_same(
    odd: dict[str, list[int]], factor: float, expected: tuple[int, str], tmp_path: Path, harness: Harness
) -> None:
    x, y = noisy(1, 5, 24), noisy(2, 5, 24, factor=factor)
    assert verdict_of(make(tmp_path / "a.sqlite", {"x": x, "y": y}, odd={"y": odd}), harness) == expected


def test_nothing_to_compare_is_said(tmp_path: Path, harness: Harness) -> None:
    every = {"undecided": list(range(8))}
    path = make(tmp_path / "a.sqlite", {"x": noisy(1, 1, 8), "y": noisy(2, 1, 8)}, odd={"x": every, "y": every})
    assert verdict_of(path, harness) == (4, "nothing to compare")


def test_shares_stay_within_100_percent_and_one_repeat_is_no_repeats(tmp_path: Path, harness: Harness) -> None:
    odd, times = {"x": {"undecided": [0, 1]}, "y": {"undecided": [2]}}, np.full((1, 4), 0.009)
    path = make(tmp_path / "a.sqlite", {"x": times, "y": times}, odd=odd, limit=0.01)
    done = harness("compare", str(path))
    ends = [float(end) for line in done.out.splitlines() if " % [" in line for end in re.findall(r"[+-][0-9.]+", line)]
    assert ends
    assert max(map(abs, ends)) <= 100
    assert "repeats" not in next(line for line in done.out.splitlines() if line.startswith("flipped: "))
