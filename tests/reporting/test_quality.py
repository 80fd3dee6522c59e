"""Comparison by values of objectives, and who was first."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from backends.contract.answer import Reason
from harness.model.outcome import Verdict
from harness.reporting.views.comparing.quality import sign
from harness.reporting.views.comparing.values import ValuePairs, differences, gap_differences, medians
from tests.conftest import Harness

MODEL = "h 1 2 0\nh 1 3 0\nh 2 3 0\n3 -1 0\n4 -2 0\n5 -3 0\n"  # optimum 7, x1 and x2; first solution 9, x2 and x3


@pytest.fixture
def journal(tmp_path: Path, harness: Harness) -> Path:
    for i in range(3):
        (tmp_path / f"{i}.wcnf").write_text(MODEL.replace("3 -1", f"{3 + i} -1"))
    path = tmp_path / "j.sqlite"
    contenders = "better:late,better:modest,better:honest"
    harness("run", *sorted(tmp_path.glob("*.wcnf")), "-b", contenders, "-t", "1", "-r", "2", "-o", path)
    return path


def compared(harness: Harness, journal: Path, old: str, new: str, *more: str) -> dict[str, Any]:
    done = harness("compare", journal, "--contenders", old, new, "--json", "-", *more)
    found: dict[str, Any] = done.summary["comparisons"][0]
    return found


@pytest.mark.parametrize(
    ("before", "after", "proved", "also", "expected"),
    [
        (5, 5, False, False, 0),
        (5, 6, False, False, 1),
        (6, 5, True, False, -1),
        (None, 5, False, False, -1),
        (5, None, False, False, 1),
        (None, None, True, True, 0),
        (None, None, False, True, -1),
        (-5, -6, False, False, -1),
    ],
)
def test_a_smaller_value_is_better_and_a_proof_that_there_is_none_is_better_than_nothing(
    before: int | None, after: int | None, proved: bool, also: bool, expected: int
) -> None:
    assert sign(before, after, proved, also) == expected
    assert sign(after, before, also, proved) == -expected


def test_nothing_on_both_sides_is_no_comparison() -> None:
    assert np.isnan(sign(None, None, False, False))


@pytest.mark.slow
def test_of_the_same_value_the_side_that_decided_is_first(harness: Harness, journal: Path) -> None:
    found = compared(harness, journal, "better:modest", "better:honest")["values"]
    assert (found["puzzles"], found["same"], found["better"], found["worse"]) == (3, 3, [], [])
    assert found["decided"] == {"both": 0, "before": 0, "after": 3}
    assert found["first"] == {"before": 0, "after": 3}
    assert found["time_to_same"]["pairs"] == 3


@pytest.mark.slow
def test_an_optimum_of_one_repeat_and_a_worse_value_of_another_contradict_nobody(
    harness: Harness, journal: Path
) -> None:
    timeout, unknown = int(Reason.TIMEOUT), int(Verdict.UNKNOWN)
    with closing(sqlite3.connect(journal)) as db:
        where = "where contender = 2 and repeat = 0 and puzzle = 1"  # better:honest
        db.execute(f"update outcomes set complete = 0, reason = {timeout}, verdict = {unknown} {where}")
        db.execute(f"update objectives set value = 9, bound = null {where}")
        db.commit()
    found = compared(harness, journal, "better:honest", "better:modest")
    assert found["conflict"] == []


@pytest.mark.slow
def test_the_table_of_instances_has_values_and_times_and_text_states_them(harness: Harness, journal: Path) -> None:
    found = compared(harness, journal, "better:modest", "better:honest", "--instances")["values"]["instances"]
    assert [row["after"] for row in found] == [7, 8, 9]
    assert {row["first"] for row in found} == {"after"}
    assert all(row["seconds after"] > 0 for row in found)
    shown = harness("compare", journal, "--contenders", "better:modest", "better:honest", "--instances").out
    assert "values: better:modest, better:honest: better on 0, worse on 0, same on 3 of 3 instances" in shown
    assert "better:modest is better on 0 of 3 instances, better:honest on 0" in shown


def pairs(before: list[list[int | None]], after: list[list[int | None]], known: list[int | None]) -> ValuePairs:
    return ValuePairs(before, after, (np.ones((len(before), len(known)), bool), np.ones((len(after), 1), bool)), known)


def test_differences_are_relative_to_the_larger_magnitude_and_medians_count_missing_solutions_as_worst() -> None:
    of = pairs([[100], [100], [101]], [[101], [101], [None]], [100])
    each, repeats = differences(of)
    assert each == pytest.approx([1 / 101])
    assert repeats[:2, 0] == pytest.approx([1 / 101, 1 / 101])
    assert np.isnan(repeats[2, 0])
    assert medians([[1], [None], [None]], np.ones((3, 1), bool)) == [None]
    gaps, by_repeat = gap_differences(of)
    assert gaps == pytest.approx([1 / 101])
    assert by_repeat[2, 0] == pytest.approx(1 - 1 / 101)


def test_values_of_any_size_and_sign_have_a_difference() -> None:
    assert differences(pairs([[10**400]], [[2 * 10**400]], [10**400]))[0] == pytest.approx([0.5])
    assert differences(pairs([[-100]], [[-99]], [-100]))[0] == pytest.approx([0.01])
    assert differences(pairs([[0]], [[0]], [0]))[0].tolist() == [0]
