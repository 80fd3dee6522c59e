"""Verbs that work on journals and run no solver."""

import csv
import io
import json
import sqlite3
from pathlib import Path

import pytest

from harness.judging.merging import merge
from harness.model.errors import BadUsage
from harness.model.outcome import Verdict
from harness.reporting import advice
from harness.reporting.results import aggregate
from harness.storing.journal import Journal, open_journal
from tests.conftest import ROOT, Harness
from tests.journals import QUIET, make, noisy, puzzle


def verdicts(path: Path) -> list[int]:
    with open_journal(path) as journal:
        return [int(v) for v in journal.columns(0, "verdict")["verdict"]]


def test_report_draws_the_table_from_the_journal_alone(tmp_path: Path, harness: Harness) -> None:
    path = make(tmp_path / "j.sqlite", {"x": noisy(1, 2, 6), "y": noisy(2, 2, 6)}, odd={"y": {"undecided": [0]}})
    done = harness("report", path, "--json", "-", "--vbs")
    assert done.code == 4
    assert [(c["name"], c["solved"]) for c in done.summary["contenders"]] == [("x", 6), ("y", 5)]
    assert sum(c["wins"] for c in done.summary["portfolio"]["contenders"]) == 6
    assert done.summary["contenders"][1]["par10"] > done.summary["contenders"][1]["par2"] > 3


def test_report_does_not_change_the_journal(tmp_path: Path, harness: Harness) -> None:
    path = make(tmp_path / "j.sqlite", {"x": noisy(1, 1, 4)})
    before = path.read_bytes()
    assert harness("report", path).code == 0
    assert path.read_bytes() == before


def test_judge_refutes_a_tampered_solution(tmp_path: Path, harness: Harness) -> None:
    path = make(tmp_path / "j.sqlite", {"x": noisy(1, 1, 4)})
    with sqlite3.connect(path) as db:
        db.execute("update outcomes set solutions = zeroblob(16) where puzzle = 2")
    db.close()
    done = harness("judge", path)
    assert done.code == 1
    assert "1 verdict revised" in done.out
    assert verdicts(path) == [Verdict.CORRECT, Verdict.WRONG, Verdict.CORRECT, Verdict.CORRECT]


def test_judge_again_revises_nothing(tmp_path: Path, harness: Harness) -> None:
    path = make(tmp_path / "j.sqlite", {"x": noisy(1, 2, 4)}, odd={"x": {"unsatisfiable": [1]}})
    assert "0 verdicts revised" in harness("judge", path).out


def merged(tmp_path: Path, a: Path, b: Path) -> Path:
    with open_journal(a) as left, open_journal(b) as right, merge(left, right, tmp_path / "c"):
        return tmp_path / "c"


def test_merge_joins_contenders_and_appends_repeats(tmp_path: Path) -> None:
    a = make(tmp_path / "a", {"x": noisy(1, 2, 4)})
    b = make(tmp_path / "b", {"y": noisy(2, 1, 4), "x": noisy(3, 1, 4)})
    with open_journal(merged(tmp_path, a, b)) as journal:
        assert [c.name for c in journal.contenders()] == ["x", "y"]
        assert len(journal.columns(0, "wall")["wall"]) == 12
        assert len(journal.columns(1, "wall")["wall"]) == 4
        assert journal.samples() == [tuple(s) for s in QUIET + QUIET]


def test_merge_keeps_two_versions_as_two_contenders(tmp_path: Path) -> None:
    a = make(tmp_path / "a", {"x": noisy(1, 1, 4)})
    b = make(tmp_path / "b", {"x": noisy(2, 1, 4)}, contender_versions={"x": "solver 2.0"})
    with open_journal(merged(tmp_path, a, b)) as journal:
        assert [c.name for c in journal.contenders()] == ["x", "x@solver-2.0"]


def test_merge_judges_by_the_evidence_of_both(tmp_path: Path) -> None:
    a = make(tmp_path / "a", {"x": noisy(1, 1, 4)}, odd={"x": {"unsatisfiable": [2]}})
    assert verdicts(a)[2] == Verdict.UNCERTIFIED
    assert verdicts(merged(tmp_path, a, make(tmp_path / "b", {"y": noisy(2, 1, 4)})))[2] == Verdict.WRONG


@pytest.mark.parametrize(
    ("other", "why"),
    [
        ({"limit": 5.0}, "limit differs"),
        ({"count": 2}, "count differs"),
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


def test_export_writes_one_row_per_outcome_with_unknown_left_empty(tmp_path: Path, harness: Harness) -> None:
    path = make(tmp_path / "j.sqlite", {"x": noisy(1, 2, 4)}, odd={"x": {"undecided": [1]}})
    with sqlite3.connect(path) as db:
        db.execute("update outcomes set decisions = null, detail = 'a \"quoted\", word' where puzzle = 1")
    db.close()
    rows = list(csv.DictReader(io.StringIO(harness("export", path, "--to", "csv").out, newline="")))
    assert len(rows) == 8
    assert rows[0]["decisions"] == ""
    assert rows[0]["detail"] == 'a "quoted", word'
    assert rows[0]["solutions"] == "1234341221434321"
    assert (rows[1]["status"], rows[1]["reason"], rows[1]["solutions"]) == ("unknown", "timeout", "")
    objects = json.loads(harness("export", path, "--to", "json").out)
    assert objects[0]["decisions"] is None
    assert [o["wall_ns"] for o in objects] == [int(r["wall_ns"]) for r in rows]
    assert len(harness("export", path, "--to", "markdown").out.splitlines()) == 10


def test_compare_takes_a_saved_baseline(tmp_path: Path, harness: Harness) -> None:
    corpus = tmp_path / "one.txt"
    corpus.write_text("#: sudoku 2x2\n1...\n..2.\n.3..\n...4\n")
    run = ("run", corpus, "-b", "native:python", "-r", "2")
    assert harness(*run, "--save-baseline", "../nowhere").code == 2
    assert harness(*run, "--save-baseline", "mine", "-o", "a.sqlite").code == 0
    assert harness(*run, "-o", "b.sqlite").code == 0
    done = harness("compare", "b.sqlite", "--baseline", "mine")
    assert done.code == 0, done.err
    assert "native:python" in done.out


@pytest.mark.parametrize("verb", [("report",), ("judge",), ("export", "--to", "csv"), ("compare",)], ids=lambda v: v[0])
def test_a_damaged_journal_is_reported_in_one_line(tmp_path: Path, harness: Harness, verb: tuple[str, ...]) -> None:
    path = make(tmp_path / "j.sqlite", {"x": noisy(1, 5, 100)})
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 3] + b"\xff" * (len(whole) // 3) + whole[len(whole) * 2 // 3 :])
    done = harness(*verb, path)
    assert done.code == 2
    assert done.err.count("\n") == 1
    assert str(path) in done.err


def test_every_warning_has_an_observation_and_an_advice(tmp_path: Path) -> None:
    loud = [[1_000_000, 1_000_000], [2_000_000, 1_000_000]] * 10
    path = make(
        tmp_path / "a",
        {"waits": noisy(1, 1, 4), "threads": noisy(2, 1, 4), "quick": noisy(3, 1, 4) * 1e-5, "fine": noisy(4, 1, 4)},
        cpu_times={"waits": noisy(1, 1, 4) / 2, "threads": noisy(2, 1, 4) * 2},
        reference=loud,
        hosts=[{"cpu": "one", "cores": 2}, {"cpu": "two"}],
    )
    with Journal.open(path) as journal:
        results = aggregate(journal)
        found = advice.run_warnings(results)
        assert list(advice.contender_warnings("fine", results.by_name["fine"])) == []
    starts = (
        "noisy host",
        "the journals come from different machines",
        "waits waited",
        "threads used 2.0",
        "quick takes",
    )
    assert len(found) == len(starts)
    assert all(text.startswith(start) and ":" in text for text, start in zip(found, starts, strict=True))


def test_a_quiet_run_has_no_warnings(tmp_path: Path) -> None:
    with Journal.open(make(tmp_path / "a", {"x": noisy(1)})) as journal:
        results = aggregate(journal)
        assert advice.run_warnings(results) == []
        assert advice.comparison_warnings(results, results, 100) == []


def keys_of(data: object) -> set[str]:
    """Return all keys of nested dictionaries and lists, but not those of host, versions and counters."""
    if isinstance(data, list):
        return set().union(*map(keys_of, data))
    if not isinstance(data, dict):
        return set()
    skipped = ("host", "versions", "counters")
    return set(data).union(*(keys_of(value) for key, value in data.items() if key not in skipped))


def test_docs_of_the_summary_name_every_key(tmp_path: Path, harness: Harness) -> None:
    times = noisy(1, 1, 4)
    odd = {"x": {"unsatisfiable": [0]}, "y": {"undecided": [1]}, "z": {"crashed": [2]}}
    path = make(tmp_path / "j.sqlite", {"x": times, "y": times, "z": times}, odd=odd)
    summary = harness("report", path, "--json", "-", "--vbs").summary
    agreement = summary["agreement"]
    assert (agreement["agreed"], agreement["outvoted"], len(agreement["disagreements"])) == (3, 1, 1)
    text = (ROOT / "docs" / "summary.md").read_text()
    assert sorted(key for key in keys_of(summary) if f"`{key}`" not in text) == []
