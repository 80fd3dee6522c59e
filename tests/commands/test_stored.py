"""Verbs that work on journals and run no solver."""

import csv
import io
import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from harness.model.outcome import Verdict
from harness.storing.journal import open_journal
from tests.conftest import ROOT, Harness
from tests.journals import make, noisy


def verdicts(path: Path) -> list[int]:
    with open_journal(path) as journal:
        return [int(v) for v in journal.outcomes.columns(0, "verdict")["verdict"]]


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
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("update outcomes set solutions = zeroblob(16) where puzzle = 2")
    db.close()
    done = harness("judge", path)
    assert done.code == 1
    assert "1 verdict revised" in done.out
    assert verdicts(path) == [Verdict.CORRECT, Verdict.WRONG, Verdict.CORRECT, Verdict.CORRECT]


def test_a_stored_solution_with_symbols_that_are_no_values_is_wrong_and_can_be_exported(
    tmp_path: Path, harness: Harness
) -> None:
    path = make(tmp_path / "j.sqlite", {"x": noisy(1, 1, 4)})
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("update outcomes set solutions = ? where puzzle = 2", (b"\xff" * 16,))
    db.close()
    assert harness("report", path, "--json", "-").contender("x")["wrong"] == 1
    rows = json.loads(harness("export", path, "--to", "json").out)
    assert [row["verdict"] for row in rows] == ["correct", "wrong", "correct", "correct"]


def test_judge_again_revises_nothing(tmp_path: Path, harness: Harness) -> None:
    path = make(tmp_path / "j.sqlite", {"x": noisy(1, 2, 4)}, odd={"x": {"unsatisfiable": [1]}})
    assert "0 verdicts revised" in harness("judge", path).out


def test_export_writes_one_row_per_outcome_with_unknown_left_empty(tmp_path: Path, harness: Harness) -> None:
    path = make(tmp_path / "j.sqlite", {"x": noisy(1, 2, 4)}, odd={"x": {"undecided": [1]}})
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("update outcomes set decisions = null, detail = 'a \"quoted\", word' where puzzle = 1")
    db.close()
    rows = list(csv.DictReader(io.StringIO(harness("export", path, "--to", "csv").out, newline="")))
    assert len(rows) == 8
    assert rows[0]["decisions"] == ""
    assert rows[0]["detail"] == 'a "quoted", word'
    assert rows[0]["solutions"] == "1234341221434321"
    assert (rows[1]["status"], rows[1]["reason"], rows[1]["solutions"]) == ("unknown", "timeout", "")
    named = harness("run", "hardest", "-n", 1, "-b", "pysat:minisat22/reduced+ladder", "-t", 7, "-o", "named.sqlite")
    assert named.code == 0
    (row,) = json.loads(harness("export", "named.sqlite", "--to", "json").out)
    parts = {k: row[k] for k in ("backend", "encoding", "at_most_one", "warm", "env", "count", "limit")}
    assert parts == dict(zip(parts, ("pysat:minisat22", "reduced", "ladder", False, "", 1, 7.0), strict=True))
    objects = json.loads(harness("export", path, "--to", "json").out)
    assert objects[0]["decisions"] is None
    assert [o["wall_ns"] for o in objects] == [int(r["wall_ns"]) for r in rows]
    assert len(harness("export", path, "--to", "markdown").out.splitlines()) == 10


@pytest.mark.slow
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
    text = (ROOT / "docs/reference/summary.md").read_text()
    assert sorted(key for key in keys_of(summary) if f"`{key}`" not in text) == []


def test_the_traceback_of_a_plug_in_is_kept_once_and_shown_on_demand(tmp_path: Path, harness: Harness) -> None:
    (tmp_path / "open.txt").write_text(("." * 81 + "\n") * 3)
    ran = harness("run", "open.txt", "-b", "bad:raising", "-o", "j.sqlite")
    wanted = r"bad:raising: open\.txt:1: RuntimeError: nothing is right today \(\S*/misbehaving\.py:[0-9]+\)"
    assert re.search(rf"^trouble: {wanted} \(and 2 more outcomes\)$", ran.out, re.MULTILINE)
    assert "Traceback" not in ran.out
    shown = harness("report", "j.sqlite", "--errors").out
    assert shown.count("raise RuntimeError") == 1
    assert 'misbehaving.py", line' in shown
    assert re.search(rf"{wanted} \(3 times\)", shown)
    with open_journal("j.sqlite") as journal:
        assert [len(row.detail.splitlines()) > 1 for row in journal.outcomes.rows() if row.detail] == [
            True,
            False,
            False,
        ]
