"""Output never replaces a journal, and says what is in its way."""

from pathlib import Path

import pytest

from tests.conftest import Harness
from tests.journals import make, noisy

FULL = Path("/dev/full")  # takes no byte


@pytest.mark.parametrize(
    "words",
    [
        ("report", "new.sqlite", "--json", "old.sqlite"),
        ("report", "new.sqlite", "--html", "old.sqlite"),
        ("report", "--html", "old.sqlite", "new.sqlite"),
        ("report", "--html", "old.sqlite", "old.sqlite", "new.sqlite"),
        ("compare", "old.sqlite", "new.sqlite", "--json", "new.sqlite"),
        ("export", "old.sqlite", "--to", "csv", "-o", "old.sqlite"),
        ("export", "old.sqlite", "--to", "parquet", "-o", "old.sqlite"),
        ("export", "old.sqlite", "--to", "aslib", "-o", "new.sqlite"),
        ("encode", "hardest", "-o", "old.sqlite"),
        ("generate", "--as", "latin 3", "-n", "1", "-o", "old.sqlite"),
    ],
    ids=" ".join,
)
def test_no_output_overwrites_a_journal(words: tuple[str, ...], harness: Harness) -> None:
    made = [make(Path(name), {"x": noisy(1, 1, 3)}) for name in ("old.sqlite", "new.sqlite")]
    before = [path.read_bytes() for path in made]
    done = harness(*words)
    assert done.code == 2
    assert "is a journal (SQLite file) and is not overwritten: choose another name" in done.err
    assert done.err.count("\n") == 1
    assert [path.read_bytes() for path in made] == before


@pytest.mark.parametrize("option", ["--json", "--html"])
def test_a_run_that_could_not_write_its_results_does_not_begin(harness: Harness, option: str) -> None:
    make(Path("old.sqlite"), {"x": noisy(1, 1, 3)})
    done = harness("run", "hardest", "-n", "1", "-b", "native", "-o", "new.sqlite", option, "old.sqlite")
    assert done.code == 2
    assert "old.sqlite: is a journal (SQLite file) and is not overwritten" in done.err
    assert not Path("new.sqlite").exists()


def test_a_plot_does_not_overwrite_a_journal_named_like_one(harness: Harness) -> None:
    pytest.importorskip("matplotlib", reason="plots as files")
    path = make(Path("j.svg"), {"x": noisy(1, 1, 3)})
    before = path.read_bytes()
    done = harness("report", path, "--plot", "cactus", "-o", path)
    assert (done.code, path.read_bytes()) == (2, before)
    assert "is not overwritten" in done.err


def test_a_page_needs_a_name(harness: Harness) -> None:
    done = harness("report", make(Path("j.sqlite"), {"x": noisy(1, 1, 3)}), "--html", "-")
    assert (done.code, done.err) == (2, "harness: --html writes a file: name it\n")
    assert not Path("-").exists()


def test_a_format_of_several_files_says_that_a_file_is_in_its_way(harness: Harness) -> None:
    Path("there").write_text("kept")
    done = harness("export", make(Path("j.sqlite"), {"x": noisy(1, 1, 3)}), "--to", "mkplot", "-o", "there")
    assert (done.code, done.err) == (2, "harness: there: is a file, and mkplot writes a folder: choose another name\n")
    assert Path("there").read_text() == "kept"


@pytest.mark.skipif(not FULL.exists(), reason="no /dev/full")
def test_a_full_disk_costs_a_run_its_files_and_not_its_table(harness: Harness) -> None:
    done = harness("run", "hardest", "-n", "1", "-b", "native:python", "-o", "j.sqlite", "--json", FULL, "--html", FULL)
    assert (done.code, done.err) == (2, "harness: /dev/full: No space left on device\n")
    assert "journal:   j.sqlite" in done.out
    done = harness("generate", "--as", "latin 3", "-n", "1", "-o", FULL)
    assert (done.code, done.err) == (2, "harness: can't write /dev/full: No space left on device\n")
