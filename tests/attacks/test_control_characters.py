"""Control characters of plug-ins and file names are escaped wherever they are shown; spreadsheets see no formula."""

import csv
import io
import json
from pathlib import Path

import pytest

from harness.model.consent import require_consent
from harness.reporting.writing.printable import csv_cell, printable
from tests.conftest import Harness

pytestmark = pytest.mark.usefixtures("forked")

PAINTED = "\x1b[31m=name.txt"


@pytest.fixture
def journal(tmp_path: Path, harness: Harness) -> Path:
    """Journal of a run whose contender and corpora try to write to the terminal."""
    (tmp_path / PAINTED).write_text("." * 81 + "\n")
    (tmp_path / "=cmd|calc.txt").write_text("." * 81 + "\n")
    done = harness("run", PAINTED, "=cmd|calc.txt", "-b", "bad:painting", "-o", "j.sqlite")
    assert done.code == 4
    assert shown_safely(done.out)
    assert shown_safely(done.err)
    assert "RuntimeError: \\x1b[2J\\x9b31m\\u202egood" in done.out
    return tmp_path / "j.sqlite"


def shown_safely(text: str) -> bool:
    return all(line.isprintable() for line in text.split("\n"))


@pytest.mark.slow
def test_no_control_character_is_printed(journal: Path, harness: Harness) -> None:
    for words in (("report", "--errors"), ("report", "--format", "markdown"), ("report", "--format", "csv")):
        assert shown_safely(harness(words[0], journal, *words[1:]).out), words
    exported = harness("export", journal, "--to", "markdown").out
    assert "second line" in exported
    assert shown_safely(exported)


def test_a_cell_of_an_exported_csv_starts_no_formula_and_json_is_exact(journal: Path, harness: Harness) -> None:
    names, *rows = csv.reader(io.StringIO(harness("export", journal, "--to", "csv").out))
    assert all(cell.isprintable() and not cell.startswith(("=", "+", "-", "@")) for row in rows for cell in row)
    assert {row[names.index("corpus")] for row in rows} == {"\\x1b[31m=name.txt", "'=cmd|calc.txt"}
    exact = json.loads(harness("export", journal, "--to", "json").out)
    assert {row["corpus"] for row in exact} == {PAINTED, "=cmd|calc.txt"}
    assert all("\x1b[2J\x9b31m\u202egood (" in row["detail"] for row in exact)
    assert all(".py:" in row["detail"].partition("\nsecond line")[0] for row in exact)


def test_messages_name_files_without_their_control_characters(harness: Harness, tmp_path: Path) -> None:
    for words in (("run", "\x1b[2J.txt"), ("report", "\x1b[2J\n.sqlite"), ("replay", "\u202e.finding")):
        done = harness(*words)
        assert done.code == 2
        assert len(done.err.splitlines()) == 1
        assert shown_safely(done.err)


@pytest.mark.slow
def test_verbs_of_one_puzzle_name_files_without_their_control_characters(harness: Harness, tmp_path: Path) -> None:
    (tmp_path / PAINTED).write_text("12.23.31.\n")
    (tmp_path / f"{PAINTED}.cnf").write_text("p cnf 1 1\n1 0\n")
    for name in (PAINTED, f"{PAINTED}.cnf"):
        as_ = ("--as", "latin 3") if name == PAINTED else ()
        for verb in ("show", "solve", "count", "trace", "encode"):
            done = harness(verb, name, *as_, *(() if verb in ("show", "encode", "trace") else ("-b", "cpsat")))
            assert shown_safely(done.out + done.err), verb


def test_a_file_that_asks_for_consent_is_named_without_its_control_characters(
    capsys: pytest.CaptureFixture[str],
) -> None:
    require_consent("\x1b[2J.sqlite", {("--program", "mine"): "cat"}, {}, True)
    assert capsys.readouterr().err.startswith("\\x1b[2J.sqlite runs:\n")


def test_printable_text_and_numbers_stay_as_they_are() -> None:
    for text in ("9x9 \N{LATIN SMALL LETTER A WITH DIAERESIS}", "-0.5", "+1e9", "-inf", "a=b", ""):
        assert csv_cell(text) == printable(text) == text
    assert csv_cell("-1+1") == "'-1+1"
    assert printable("a\r\n\u2028\ud800") == "a\\r\\n\\u2028\\ud800"
