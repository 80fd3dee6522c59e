"""Merging journals: contenders, repeats, and verdicts by the evidence of both."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from harness.judging.merging import merge
from harness.model.errors import BadUsage
from harness.model.outcome import Verdict
from harness.storing.journal import open_journal
from tests.journals import OTHER_SETTINGS, QUIET, make, noisy, puzzle


def verdicts(path: Path) -> list[int]:
    with open_journal(path) as journal:
        return [int(v) for v in journal.outcomes.columns(0, "verdict")["verdict"]]


def merged(tmp_path: Path, a: Path, b: Path) -> Path:
    with open_journal(a) as left, open_journal(b) as right, merge([left, right], tmp_path / "c"):
        return tmp_path / "c"


def test_merge_joins_contenders_and_appends_repeats(tmp_path: Path) -> None:
    a = make(tmp_path / "a", {"x": noisy(1, 2, 4)})
    b = make(tmp_path / "b", {"y": noisy(2, 1, 4), "x": noisy(3, 1, 4)})
    with open_journal(merged(tmp_path, a, b)) as journal:
        assert [c.name for c in journal.contenders.all()] == ["x", "y"]
        assert len(journal.outcomes.columns(0, "wall")["wall"]) == 12
        assert len(journal.outcomes.columns(1, "wall")["wall"]) == 4
        assert journal.places.samples() == [tuple(s) for s in QUIET + QUIET]


def test_merge_keeps_two_versions_as_two_contenders(tmp_path: Path) -> None:
    a = make(tmp_path / "a", {"x": noisy(1, 1, 4)})
    b = make(tmp_path / "b", {"x": noisy(2, 1, 4)}, contender_versions={"x": "solver 2.0"})
    with open_journal(merged(tmp_path, a, b)) as journal:
        assert [c.name for c in journal.contenders.all()] == ["x", "x@solver-2.0"]


def test_merge_judges_by_the_evidence_of_both(tmp_path: Path) -> None:
    a = make(tmp_path / "a", {"x": noisy(1, 1, 4)}, odd={"x": {"unsatisfiable": [2]}})
    assert verdicts(a)[2] == Verdict.UNCERTIFIED
    assert verdicts(merged(tmp_path, a, make(tmp_path / "b", {"y": noisy(2, 1, 4)})))[2] == Verdict.WRONG


@pytest.mark.parametrize(
    ("other", "why"),
    [
        ({"limit": 5.0}, "limit differs"),
        ({"count": 2}, "count differs"),
        *(({key: value}, f"they differ in {key}") for key, value in OTHER_SETTINGS.items()),
        ({"versions": {"python": "3.12.0"}}, "their Python differs"),
        ({"puzzles": [puzzle(i + 1) for i in range(4)]}, "differs between"),
        ({"puzzles": [puzzle(i) for i in range(4)] * 2}, "corpora differ"),
    ],
    ids=lambda x: x if isinstance(x, str) else "",
)
def test_merge_refuses_different_runs_and_writes_nothing(tmp_path: Path, other: dict[str, object], why: str) -> None:
    a = make(tmp_path / "a", {"x": noisy(1, 1, 4)})
    n = len(other.get("puzzles", range(4)))  # type: ignore[arg-type]
    b = make(tmp_path / "b", {"y": noisy(2, 1, n)}, **other)  # type: ignore[arg-type]
    with pytest.raises(BadUsage, match=why):
        merged(tmp_path, a, b)
    assert not [p for p in tmp_path.iterdir() if p.name.startswith("c")]


def test_merge_refuses_the_same_run_twice(tmp_path: Path) -> None:
    a = make(tmp_path / "a", {"x": noisy(1, 1, 4)})
    with pytest.raises(BadUsage, match="same run"):
        merged(tmp_path, a, a)


@pytest.mark.parametrize(
    ("mine", "other", "merged_origins"),
    [
        ("", "sha256:1", ["sha256:1"]),  # a journal of before takes what the other has recorded
        ("sha256:1", "", ["sha256:1"]),
        ("sha256:1", "sha256:1", ["sha256:1"]),
        ("sha256:1", "sha256:2", ["sha256:1", "sha256:2"]),
    ],
)
def test_contenders_of_other_origins_stay_two_and_unrecorded_ones_are_completed(
    tmp_path: Path, mine: str, other: str, merged_origins: list[str]
) -> None:
    for name, origins in (("a", mine), ("b", other)):
        path = make(tmp_path / name, {"x": noisy(len(name + origins) + ord(name), 1, 4)})
        with closing(sqlite3.connect(path)) as db, db:
            change = f"json_set(fields, '$.origins', '{origins}')" if origins else "json_remove(fields, '$.origins')"
            db.execute(f"update contenders set fields = {change}")
    with open_journal(merged(tmp_path, tmp_path / "a", tmp_path / "b")) as journal:
        assert [c.origins for c in journal.contenders.all()] == merged_origins
