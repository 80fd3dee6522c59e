"""A file that can't be read is a row of the run: named at once and kept by everything that reads the journal."""

import csv
import json
import sqlite3
from contextlib import closing
from pathlib import Path
from xml.etree import ElementTree

import pytest

from harness.storing.journal import open_journal
from puzzles.readers.malformed import MalformedFile, shown
from tests.conftest import Harness

GOOD, NONE = "p cnf 2 1\n1 2 0\n", "p cnf 1 2\n1 0\n-1 0\n"
BAD = {"b.cnf": "p cnf 2 1\n1 9 0\n", "sub/x.cnf": "p cnf x\n", "sub/y.cnf": "hello\n", "z.cnf": ""}
SOLVER = ("-b", "native:python")


@pytest.fixture
def corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Working directory with a folder of two formulas and four files that are none."""
    for name, text in {"a.cnf": GOOD, "sub/u.cnf": NONE, **BAD}.items():
        (tmp_path / "f" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "f" / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path / "f"


def test_the_other_files_run_and_the_exit_code_is_2(corpus: Path, harness: Harness) -> None:
    done = harness("run", "f", *SOLVER, "-o", "j.sqlite", "--json", "s.json")
    summary = json.loads(Path("s.json").read_text())
    assert (done.code, summary["state"], summary["contenders"][0]["solved"]) == (2, "complete", 2)
    assert [(f["corpus"], f["name"]) for f in summary["malformed"]] == [("f", name) for name in BAD]
    assert summary["malformed"][0]["line"] == 2
    assert "literal 9, but variables are 1 to 2" in summary["malformed"][0]["reason"]
    for lines, start in ((done.err.splitlines(), "note: malformed: "), (done.out.splitlines(), "MALFORMED: ")):
        found = [line.removeprefix(start) for line in lines if line.startswith(start)]
        assert [text.partition(":")[0] for text in found[:3]] == list(BAD)[:3]
        assert found[3:] == ["1 more file with another error"]


def test_errors_are_told_by_reason_with_the_number_of_their_like() -> None:
    literals = [f"{n}.cnf:{n}: literal {n}, but variables are 1 to 2" for n in range(3, 53)]
    others = [f"{name}.cnf: {why}" for name, why in {"x": "is empty", "y": "no line 'p'", "z": "'q' is odd"}.items()]
    assert shown([*literals, *others]) == [
        "3.cnf:3: literal 3, but variables are 1 to 2 (49 more files like this)",
        *others[:2],
        "1 more file with another error",
    ]
    assert shown(["a: one", "b: two", "c: three", "d: four", "e: five"])[3:] == ["2 more files with 2 other errors"]


def test_a_malformed_file_alone_and_a_folder_of_nothing_else_stop_the_run(corpus: Path, harness: Harness) -> None:
    alone = harness("run", "f/b.cnf", *SOLVER, "-o", "j.sqlite")
    assert (alone.code, alone.out) == (2, "")
    assert alone.err.endswith("f/b.cnf:2:3: literal 9, but variables are 1 to 2\n")
    none = harness("run", "f", "--only", "sub/[xy]*", *SOLVER, "-o", "j.sqlite")
    assert (none.code, none.out, Path("j.sqlite").exists()) == (2, "", False)
    assert "f/sub/x.cnf:1:" in none.err
    assert "f/sub/y.cnf:1:" in none.err


def test_what_is_read_of_a_file_before_its_error_is_run_and_said(corpus: Path, harness: Harness) -> None:
    (corpus / "boards.txt").write_text(f"{'.' * 16}\n{'1' + '.' * 15}\nnonsense!\n")
    harness("run", "f", "--only", "boards.txt", *SOLVER, "-o", "j.sqlite")
    with open_journal("j.sqlite") as journal:
        ((_, file),) = journal.corpora.malformed()
        assert [name for name, *_ in journal.instances.listing()] == ["boards.txt:1", "boards.txt:2"]
    assert (file.name, file.line) == ("boards.txt", 3)
    assert file.reason.endswith("(the 2 instances before it are run)")


def test_excluded_files_are_not_read(corpus: Path, harness: Harness) -> None:
    words = [word for name in BAD for word in ("--exclude", name)]
    done = harness("run", "f", *words, *SOLVER, "-o", "j.sqlite")
    assert (done.code, done.err) == (0, "")


@pytest.mark.slow
def test_shards_and_their_merged_journal_keep_malformed_files(corpus: Path, harness: Harness) -> None:
    for k in (1, 2):
        assert harness("run", "f", *SOLVER, "--shard", f"{k}/2", "-o", f"{k}.sqlite").code == 2
    assert harness("merge", "1.sqlite", "2.sqlite", "-o", "all.sqlite").code == 2
    found = []
    for name in ("1", "2", "all"):
        with open_journal(f"{name}.sqlite") as journal:
            found.append(journal.corpora.malformed())
    assert found[0] == found[1] == found[2]
    assert [file.name for _, file in found[2]] == list(BAD)
    (corpus / "z.cnf").write_text("p cnf z\n")
    harness("run", "f", *SOLVER, "--shard", "2/2", "-o", "other.sqlite")
    refused = harness("merge", "1.sqlite", "other.sqlite", "-o", "no.sqlite")
    assert (refused.code, "their malformed files differ" in refused.err) == (2, True)


def test_exports_have_a_row_for_each_contender_and_malformed_file(corpus: Path, harness: Harness) -> None:
    harness("run", "f", "-b", "native:python,pysat", "-o", "j.sqlite")
    harness("export", "j.sqlite", "--format", "csv", "-o", "a.csv")
    with open("a.csv", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["reason"] == "malformed"]
    assert len(rows) == 2 * len(BAD)
    assert {(row["puzzle"], row["status"], row["wall_ns"]) for row in rows} == {(name, "unknown", "") for name in BAD}
    harness("export", "j.sqlite", "--format", "benchexec", "-o", "b")
    for path in Path("b").iterdir():
        states = {run.get("name"): run[0].get("value") for run in ElementTree.parse(path).getroot().iter("run")}
        assert [name for name, state in states.items() if state == "ERROR (malformed)"] == list(BAD)
    assert harness("import", "--format", "csv", "a.csv", "-o", "i.sqlite").code == 0
    with open_journal("j.sqlite") as before, open_journal("i.sqlite") as after:
        assert [file for _, file in after.corpora.malformed()] == [file for _, file in before.corpora.malformed()]
        assert after.instances.size() == before.instances.size() == 2


@pytest.mark.slow
def test_a_golden_file_has_malformed_files_and_tells_when_one_appears(corpus: Path, harness: Harness) -> None:
    golden = ("check", "f", *SOLVER, "--golden", "g.jsonl")
    assert harness(*golden, "--update").code == 2
    states = {e["puzzle"]: e["status"] for e in map(json.loads, Path("g.jsonl").read_text().splitlines())}
    assert states == {"a.cnf": "satisfiable", "sub/u.cnf": "undecided"} | dict.fromkeys(BAD, "malformed")
    assert "6 of 6 instances as in g.jsonl" in harness(*golden).out
    (corpus / "a.cnf").write_text("p cnf 2 1\n1 x 0\n")
    done = harness(*golden)
    assert (done.code, "changed: a.cnf: not in the golden file, and malformed now" in done.out) == (1, True)


@pytest.mark.parametrize("form", ["markdown", "github", "junit"])
def test_reports_of_other_formats_name_malformed_files(corpus: Path, harness: Harness, form: str) -> None:
    harness("run", "f", *SOLVER, "-o", "j.sqlite")
    done = harness("report", "j.sqlite", "--format", form)
    assert (done.code, "literal 9" in done.out, "b.cnf" in done.out) == (2, True, True)


def test_the_page_says_that_files_were_malformed(corpus: Path, harness: Harness) -> None:
    harness("run", "f", *SOLVER, "-o", "j.sqlite")
    with open_journal("j.sqlite") as journal:
        assert journal.corpora.malformed()[0].file == MalformedFile(
            "b.cnf", 2, "column 3: literal 9, but variables are 1 to 2"
        )
    from harness.reporting.frame.reading import open_judged
    from harness.reporting.frame.summary import summarise
    from harness.reporting.page.trust import malformed

    with open_judged("j.sqlite") as run:
        (tile,) = malformed(run.results(), summarise(run.results()))
    assert (tile["mark"], tile["head"]) == ("bad", "4 malformed files")


def test_a_journal_without_the_table_has_no_malformed_files(corpus: Path, harness: Harness) -> None:
    harness("run", "f", *SOLVER, "-o", "j.sqlite")
    with closing(sqlite3.connect("j.sqlite")) as db:
        db.execute("drop table malformed")
    assert harness("report", "j.sqlite").code == 0


def test_a_crafted_row_is_refused(corpus: Path, harness: Harness) -> None:
    harness("run", "f", *SOLVER, "-o", "j.sqlite")
    with closing(sqlite3.connect("j.sqlite")) as db:
        db.execute("update malformed set line = -1")
        db.commit()
    done = harness("report", "j.sqlite")
    assert (done.code, "malformed.line has the value '-1'" in done.err) == (2, True)
