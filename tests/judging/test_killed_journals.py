"""Every reader of a journal judges by all evidence in it, also of a killed run, and leaves the file as it is."""

import csv
import io
import json
import os
import re
import shutil
import signal
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

import harness as interface
from harness.judging.merging import merge
from harness.model.outcome import Verdict
from harness.runs.runner import COMMIT_S
from harness.storing.journal import Journal, open_journal
from tests.attacks.planting import plant_python
from tests.conftest import ROOT, Harness
from tests.journals import make, noisy

PUZZLES = 4
WRONG = {("liar", "wrong"): PUZZLES, ("honest", "correct"): PUZZLES}
LIES = {"liar": {"unsatisfiable": range(PUZZLES)}}  # judged before the solutions that refute them


def killed(path: Path) -> Path:
    """Write a journal as a killed run leaves it, with a faster contender that is refuted by a later one."""
    times = {"liar": noisy(1, 1, PUZZLES, factor=0.1), "honest": noisy(2, 1, PUZZLES)}
    make(path, times, odd=LIES, state="running")
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("select verdict, count(*) from outcomes group by 1").fetchall() == [
            (Verdict.CORRECT, PUZZLES),
            (Verdict.UNCERTIFIED, PUZZLES),
        ]
    return path


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    return killed(tmp_path / "killed.sqlite")


def test_readers_of_verdicts_open_journals_in_one_place() -> None:
    opening = {
        path.relative_to(ROOT / "harness").as_posix()
        for path in (ROOT / "harness").rglob("*.py")
        if re.search(r"\bopen_journal\(|\bJournal\.open\(", path.read_text(encoding="utf-8"))
    }
    writers = {"commands/judge.py", "commands/merge.py", "commands/packing.py", "judging/merging.py", "runs/start.py"}
    without_verdicts = {"commands/experiments.py"}  # the command line of a former run
    readers = {"reporting/frame/reading.py", "interface/results.py"}
    assert opening - {"storing/journal.py"} == writers | without_verdicts | readers


def counted(rows: list[tuple[str, str]]) -> dict[tuple[str, str], int]:
    return {row: rows.count(row) for row in rows}


def test_report_ranks_a_refuted_contender_last(journal: Path, harness: Harness) -> None:
    done = harness("report", journal, "--format", "csv")
    table = list(csv.DictReader(io.StringIO(done.out)))
    assert [(row["contender"], row["wrong"]) for row in table] == [("honest", "0"), ("liar", str(PUZZLES))]
    assert done.code == 130


def test_the_page_shows_derived_verdicts(journal: Path, tmp_path: Path, harness: Harness) -> None:
    with closing(sqlite3.connect(journal)) as db:
        db.execute("update meta set value = '\"complete\"' where key = 'state'")
        db.commit()
    page, pages = tmp_path / "page.html", []
    for verb in ("report", "judge", "report"):
        harness(verb, journal, *(("--html", page) if verb == "report" else ()))
        pages.append(page.read_bytes())
    assert pages[0] == pages[2]


@pytest.mark.parametrize("verb", [("export", "--to", "csv"), ("export", "--to", "json"), ("frame",)], ids=" ".join)
def test_rows_have_derived_verdicts(verb: tuple[str, ...], journal: Path, harness: Harness) -> None:
    if verb == ("frame",):
        frame = interface.open(journal).frame(library="pandas")
        found = list(zip(frame["contender"], frame["verdict"], strict=True))
    else:
        text = harness("export", journal, *verb[1:]).out
        rows = list(csv.DictReader(io.StringIO(text))) if "csv" in verb else json.loads(text)
        found = [(row["contender"], row["verdict"]) for row in rows]
    assert counted(found) == WRONG


def test_other_formats_have_derived_verdicts(journal: Path, tmp_path: Path, harness: Harness) -> None:
    table = list(csv.DictReader(io.StringIO(harness("export", journal, "--to", "satcomp").out)))
    assert [(row["liar"], row["vresult"]) for row in table] == [("20.0", "sat")] * PUZZLES  # PAR-2, the limit is 10 s
    latex = harness("export", journal, "--to", "latex").out
    assert latex == harness("report", journal, "--format", "latex").out
    harness("export", journal, "--to", "mkplot", "-o", tmp_path / "plots")
    liar = json.loads((tmp_path / "plots" / "liar.json").read_text(encoding="utf-8"))
    assert not any(run["status"] for run in liar["stats"].values())


def test_compare_says_that_the_other_answers_are_wrong(journal: Path, harness: Harness) -> None:
    done = harness("compare", journal, "--contenders", "honest", "liar", "--json", "-")
    assert len(done.summary["comparisons"][0]["wrong"]) == PUZZLES
    assert done.code == 1


def test_places_counts_derived_verdicts(journal: Path, harness: Harness) -> None:
    (place,) = harness("report", journal, "--places", "--json", "-").summary["places"]
    assert {c["name"]: c["states"] for c in place["contenders"]} == {
        "liar": {"wrong": PUZZLES},
        "honest": {"decided": PUZZLES},
    }


def test_a_baseline_that_is_such_a_journal_is_judged(
    journal: Path, tmp_path: Path, harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("results/baselines").mkdir(parents=True)
    shutil.copy(journal, "results/baselines/old.sqlite")
    names = ("--contenders", "honest", "liar")
    assert (
        len(harness("compare", journal, "--baseline", "old", *names, "--json", "-").summary["comparisons"][0]["wrong"])
        == PUZZLES
    )


def test_the_union_of_such_journals_is_judged(journal: Path, tmp_path: Path) -> None:
    other = make(tmp_path / "other.sqlite", {"third": noisy(3, 1, PUZZLES)})
    with Journal.open(journal) as a, Journal.open(other) as b, merge([a, b], tmp_path / "c.sqlite") as merged:
        query = "select c.name, o.verdict from outcomes o join contenders c on c.id = o.contender"
        found = [(name, Verdict(verdict).name.lower()) for name, verdict in merged.db.execute(query)]
    assert counted(found) == WRONG | {("third", "correct"): PUZZLES}


def test_one_machine_of_such_a_journal_is_judged_by_the_evidence_of_all(tmp_path: Path, harness: Harness) -> None:
    hosts = [{"cpu": "one", "cores": 2}, {"cpu": "two", "cores": 2}]
    times = {"liar": noisy(1, 2, PUZZLES), "honest": noisy(2, 1, PUZZLES)}
    path = make(tmp_path / "j", times, odd=LIES, state="running", hosts=hosts, placed=lambda repeat, _: repeat + 1)
    done = harness("report", path, "--host", "two", "--json", "-")
    assert done.contender("liar")["wrong"] == PUZZLES  # by solutions that were found on the other machine


@pytest.mark.parametrize(
    "verb", [("report",), ("export", "--to", "csv"), ("compare",), ("report", "--places")], ids=" ".join
)
def test_reading_leaves_the_file_as_it_is(verb: tuple[str, ...], journal: Path, harness: Harness) -> None:
    before = journal.read_bytes()
    harness(verb[0], journal, *verb[1:])
    assert journal.read_bytes() == before
    assert [file.name for file in journal.parent.iterdir()] == [journal.name]


def test_a_journal_that_is_being_written_is_judged_and_not_blocked(journal: Path, harness: Harness) -> None:
    with open_journal(journal, write=True) as writer:
        writer.facts.put(state="running")
        assert harness("report", journal, "--json", "-").contender("liar")["wrong"] == PUZZLES
        assert writer.outcomes.columns(0, "verdict")["verdict"].tolist() == [Verdict.UNCERTIFIED] * PUZZLES


def test_verdicts_of_a_complete_journal_are_derived_too(journal: Path, harness: Harness) -> None:
    with closing(sqlite3.connect(journal)) as db:
        db.execute("update meta set value = '\"complete\"' where key = 'state'")
        db.execute("update outcomes set verdict = 1, valid = -1 where contender = 1")
        db.commit()
    rows = csv.DictReader(io.StringIO(harness("export", journal, "--to", "csv").out))
    assert counted([(row["contender"], row["verdict"]) for row in rows]) == WRONG


def test_results_of_python_notice_that_the_run_went_on(journal: Path) -> None:
    results = interface.open(journal)
    with closing(sqlite3.connect(journal)) as db:
        db.execute("insert into leases select null, block, 1, place, began, ended, whole from leases limit 1")
        db.commit()
    with pytest.raises(interface.BadUsage, match="has changed since it was read"):
        results.frame(library="pandas")


@pytest.mark.slow
def test_a_run_that_is_killed_in_the_middle_reports_by_all_evidence(tmp_path: Path, harness_process: Harness) -> None:
    """The liar answers first; the honest contender, slow so that each lease is committed, kills the run at the last."""
    boards = ["1.34341221434321", "12.4341221434321", "123.341221434321", "1234.41221434321"]
    (tmp_path / "four.txt").write_text("#: sudoku 2x2\n" + "\n".join(boards) + "\n")
    lie = "for _ in sys.stdin: print('unsatisfiable', flush=True)"
    honest = f"""
for board in sys.stdin:
    if board.startswith('1234.'):
        stat = open('/proc/self/stat').read()
        guard = os.getppid()
        while True:
            fields = open(f'/proc/{{guard}}/stat').read().rpartition(')')[2].split()
            command = open(f'/proc/{{guard}}/cmdline').read()
            if 'guard' not in command: break
            guard = int(fields[1])
        os.kill(guard, {int(signal.SIGKILL)})
        time.sleep(60)
    time.sleep({COMMIT_S})
    print('1234341221434321', flush=True)
"""
    liar, mine = plant_python(tmp_path, "liar", lie), plant_python(tmp_path, "mine", honest)
    run = harness_process("run", "four.txt", *liar, *mine, "-o", "j.sqlite", "--seed", "1")
    assert run.code == -signal.SIGKILL, run.err
    assert os.path.exists(tmp_path / "j.sqlite-wal")
    done = harness_process("report", "j.sqlite", "--json", "-")
    assert done.contender("lines:liar")["wrong"] == 3
