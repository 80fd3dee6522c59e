"""Names of files that are no UTF-8: shown with the byte as \\xNN, and kept as they are where a file is opened again."""

import json
import os
from pathlib import Path

import pytest

from harness.reporting.writing.printable import printable
from puzzles.errors import printable_path
from tests.attacks.planting import BOARDS
from tests.conftest import Harness

FOLDER, FILE = os.fsdecode(b"f\xe9"), os.fsdecode(b"b\xff.cnf")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    try:
        (tmp_path / FOLDER).mkdir()
    except OSError:
        pytest.skip("this file system takes UTF-8 alone")
    (tmp_path / FOLDER / FILE).write_text("p cnf 1 2\n1 0\n-1 0\n")
    (tmp_path / FOLDER / FILE.replace("\udcff", "\udcfe")).write_text("p cnf 1 1\n1 0\n")
    return tmp_path


def test_a_folder_of_such_names_is_run_reported_exported_and_resumed(folder: Path, harness: Harness) -> None:
    journal = os.fsdecode(b"j\xe9.sqlite")
    done = harness("run", FOLDER, "-b", "native:cdcl", "-o", journal, "--html", os.fsdecode(b"p\xe9.html"))
    assert done.code == 0, done.err
    assert (folder / os.fsdecode(b"p\xe9.html")).is_file()
    rows = harness("export", journal, "--to", "csv", "-o", os.fsdecode(b"r\xe9.csv"))
    assert rows.code == 0, rows.err
    text = (folder / os.fsdecode(b"r\xe9.csv")).read_text(encoding="utf-8")
    assert [name in text for name in ("b\\xff.cnf", "b\\xfe.cnf")] == [True, True]
    summary = harness("report", journal, "--json", "-").summary
    assert summary["journal"] == journal  # JSON keeps what opens the file again
    for verb in (("export", "--to", "json"), ("export", "--to", "markdown"), ("report", "--places"), ("judge",)):
        assert harness(verb[0], journal, *verb[1:]).code == 0
    assert harness("run", "--resume", journal).code == 0


@pytest.mark.slow
def test_golden_files_have_such_names(folder: Path, harness: Harness) -> None:
    name, golden = os.fsdecode(b"n\xe9.txt"), os.fsdecode(b"g\xe9.jsonl")
    (folder / name).write_text(BOARDS)
    assert harness("check", FOLDER, name, "-b", "native:cdcl,native:python", "--golden", golden, "--update").code in (
        0,
        4,
    )
    entries = [json.loads(line) for line in (folder / golden).read_text(encoding="utf-8").splitlines()]
    assert {entry["puzzle"] for entry in entries} >= {"b\\xff.cnf", "b\\xfe.cnf", "n\\xe9.txt:2"}
    assert harness("check", FOLDER, name, "-b", "native:cdcl,native:python", "--golden", golden).code in (0, 4)


def test_a_byte_is_shown_in_one_way() -> None:
    assert printable(FILE) == printable_path(FILE) == "b\\xff.cnf"
