"""Mistyped arguments and exhausted resources: one line that says what to do, never a traceback."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from puzzles.formats import ReaderOptions
from tests.boards import EASY, EQUAL_GIVENS
from tests.conftest import ROOT, Harness
from tests.effort import slow_after


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize(
    "words",
    [
        ("list", "--corpora"),
        ("show", EASY),
        ("solve", EASY, "-b", "native:python"),
        ("run", "hardest", "-n", "1", "-b", "native:python"),
        ("generate", "easy", "-n", "1"),
        ("generate", "easy", "-n", "1", "-o", "/dev/full"),
        ("encode", EASY, "-o", "/dev/full"),
        ("run", "hardest", "-n", "1", "-b", "native:python", "--json", "/dev/full"),
    ],
    ids=" ".join,
)
def test_output_to_a_full_disk_is_one_line_and_exit_2(
    tmp_path: Path, environment: dict[str, str], words: tuple[str, ...]
) -> None:
    with Path("/dev/full").open("wb") as full:
        command = [sys.executable, "-m", "harness", *words]
        done = subprocess.run(command, cwd=tmp_path, env=environment, stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 2, done.stderr
    assert "No space left on device" in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.slow
def test_a_disk_that_fills_while_puzzles_are_loaded_is_reported(tmp_path: Path, environment: dict[str, str]) -> None:
    import resource

    (tmp_path / "many.txt").write_text("#: sudoku 3x3\n" + f"{EASY}\n" * 5000)

    def bound() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))

    command = [sys.executable, "-m", "harness", "run", "many.txt", "-b", "native:python", "-o", "j.sqlite"]
    done = subprocess.run(command, cwd=tmp_path, env=environment, preexec_fn=bound, capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr.startswith("harness: j.sqlite: ")
    assert "rollback" not in done.stderr


@pytest.mark.slow
def test_a_closed_output_pipe_gives_no_traceback(tmp_path: Path, environment: dict[str, str]) -> None:
    command = [sys.executable, "-m", "harness", "list"]
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(command, cwd=tmp_path, env=environment, stdout=write, stderr=subprocess.PIPE, text=True)
    os.close(write)
    assert done.returncode == 2
    assert done.stderr == ""


@pytest.mark.parametrize("verb", ["run", "show"])
def test_a_journal_as_a_corpus_names_the_verb_that_reads_it(harness: Harness, tmp_path: Path, verb: str) -> None:
    assert harness("run", "hardest:4", "-b", "native:python", "-o", "j.sqlite").code == 0
    done = harness(verb, "j.sqlite")
    assert (done.code, done.out) == (2, "")
    assert done.err == "harness: j.sqlite: an SQLite file, not puzzles: if it is a journal, `report` reads it\n"


def test_a_puzzle_is_found_by_file_and_line(harness: Harness, tmp_path: Path) -> None:
    (tmp_path / "two.txt").write_text(f"# easy\n{EASY}\n\n{'.' * 81}\n")
    drawn = harness("show", "two.txt", "-n", 2).out
    assert harness("show", "two.txt:4").out == drawn
    assert harness("show", "two.txt:2").out == harness("show", EASY).out == harness("show", f"{EASY}:1").out
    done = harness("solve", "two.txt:3")
    assert (done.code, done.err) == (2, "harness: two.txt: no puzzle starts on line 3; the first is two.txt:2\n")
    assert harness("show", "hardest:4").out == harness("show", "hardest").out


@pytest.mark.parametrize(
    ("typed", "text"),
    [
        (EASY[:-1], "puzzle:1: 80 characters: a 9x9 board has 81"),
        ("53.", "puzzle:1: 3 characters: a 9x9 board has 81"),
        (EASY[:-1] + "Q", "'Q' (square I9) is not a value: sudoku 3x3 has 1 to 9"),
        ("hardst", "did you mean hardest or hard?"),
        ("hardst.txt", "did you mean hardest or hard?"),
        ("missing.txt", "list --corpora`"),
        ("nothing", "list --corpora`"),
        ("unsat_missing.mzn", "unsat_missing.mzn: no such file"),
        ("schedule_all.mzn", "schedule_all.mzn: no such file"),
        ("", "'': no such file"),
        ("no/such/place.txt:7", "no/such/place.txt:7: no such file"),
    ],
)
def test_mistyped_puzzles_and_mistyped_names_get_different_messages(harness: Harness, typed: str, text: str) -> None:
    for verb in ("show", "solve", "trace"):
        done = harness(verb, typed)
        assert done.code == 2
        assert text in done.err
        assert len(done.err.splitlines()) == 1


def test_small_boards_can_be_typed_if_their_layout_is_stated() -> None:
    from harness.model.reading import read_puzzle

    assert read_puzzle("1........", ReaderOptions("latin 3")).problem.name == "latin 3"


def test_a_directory_is_not_a_journal(harness: Harness, tmp_path: Path) -> None:
    done = harness("report", tmp_path)
    assert (done.code, done.err) == (2, f"harness: {tmp_path}: is a directory, not a journal\n")


def test_peak_memory_of_a_dead_worker_is_shown_only_with_peak(harness: Harness, tmp_path: Path) -> None:
    (tmp_path / "open.txt").write_text("." * 81 + "\n")
    words = ("run", "open.txt", "-b", "bad:segfault")
    assert "peak" not in harness(*words).out
    assert "peak of" in harness(*words, "--peak").out


def test_report_prints_the_same_matrix_as_run(harness: Harness) -> None:
    words = ("run", "hardest", "-n", 1, "-b", "native:python", "-b", "native:norvig", "-o", "j.sqlite")
    ran = harness(*words, "--pivot", "backend,warmth").out
    drawn = harness("report", "j.sqlite", "--pivot", "backend,warmth").out
    assert ran.split("\n\n")[-2:] == drawn.split("\n\n")[-2:]
    assert "backend \\ warmth" in drawn


def test_the_matrix_is_printed_alone_on_demand(harness: Harness) -> None:
    words = ("run", "hardest", "-n", 1, "-b", "native:python,native:norvig", "-o", "j.sqlite")
    ran = harness(*words, "--matrix-only").out
    assert ran.startswith("encoding \\ backend")
    assert harness("report", "j.sqlite", "--matrix-only").out == ran
    assert harness("report", "j.sqlite", "--matrix").out.endswith(f"\n\n{ran}")


@pytest.mark.parametrize("columns", slow_after(1, [80, 120]))
def test_a_report_fits_the_terminal_and_breaks_between_words(
    harness: Harness, tmp_path: Path, environment: dict[str, str], columns: int
) -> None:
    assert harness("run", "hardest", "-n", 2, "-b", "native:python,bad:raising,bad:abort", "-o", "j.sqlite").code == 4
    whole = harness("report", "j.sqlite").out
    master, terminal = os.openpty()
    command = [sys.executable, "-m", "harness", "report", "j.sqlite"]
    subprocess.run(command, cwd=tmp_path, env=environment | {"COLUMNS": str(columns)}, stdout=terminal)
    os.close(terminal)
    with os.fdopen(master, "rb") as file:
        shown = file.read1().decode().replace("\r\n", "\n")
    assert max(map(len, shown.splitlines())) <= columns
    facts = [text[text.index("agreement:") :] for text in (whole, shown)]
    assert facts[1].count("\n") > facts[0].count("\n")
    assert facts[0].split() == facts[1].split()


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ["utf-8", "ascii"])
def test_non_ascii_names_and_values_are_written_in_any_locale(
    tmp_path: Path, environment: dict[str, str], encoding: str
) -> None:
    name = os.fsencode(tmp_path) + b"/n\xc3\xa4me \xff.txt"
    Path(os.fsdecode(name)).write_text(f"#: sudoku 3x3, alphabet abcdefgh\u00e4\n{'.' * 81}\n", encoding="utf-8")
    environment |= {"PYTHONIOENCODING": encoding}
    for words, code in ((["run"], 0), (["solve"], 10), (["show"], 0)):
        more = [] if words == ["show"] else ["-b", "native:python"]
        command: list[str | bytes] = [sys.executable, "-m", "harness", *words, name, *more]
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True)
        assert done.returncode == code, done.stderr
        assert done.stderr == b""
    (journal,) = (tmp_path / "results").glob("*.sqlite")
    command = [sys.executable, "-m", "harness", "report", os.fsencode(journal)]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    "words",
    [("run", "hardest", "--save-baseline", "x"), ("check", "hardest", "--golden", "results/baselines", "--update")],
    ids=lambda words: words[0],
)
def test_an_unwritable_result_is_reported_before_the_run(
    harness: Harness, tmp_path: Path, words: tuple[str, ...]
) -> None:
    (tmp_path / "results" / "baselines" / "x.sqlite").mkdir(parents=True)
    done = harness(*words, "-b", "native:python")
    assert done.code == 2
    assert done.out == ""
    assert "irectory" in done.err
    assert len(done.err.splitlines()) == 1
    assert not list((tmp_path / "results").glob("*.sqlite"))


def test_solve_names_the_clash_of_equal_givens(harness: Harness) -> None:
    done = harness("solve", EQUAL_GIVENS, "-b", "native:python")
    assert (done.code, done.out.splitlines()[1]) == (20, "It has no solution: row A has 5 twice, in A1 and A2.")


def test_combinations_that_a_glob_skips_are_reported_with_reasons() -> None:
    from harness.model.contender import resolve

    contenders, (note,) = resolve(["pysat:glucose4/*"])
    assert len(contenders) == 7
    assert note.startswith("pysat:glucose4/*: 4 of 11 combinations skipped: pysat:glucose4 takes no ")
    assert note.count("; ") == 3


@pytest.mark.parametrize("words", [("run", "hardest"), ("solve", EASY), ("list",)], ids=" ".join)
def test_an_interpreter_without_our_packages_is_named(tmp_path: Path, words: tuple[str, ...]) -> None:
    command = [sys.executable, "-S", "-m", "harness", *words]  # -S: as an interpreter outside the environment
    done = subprocess.run(command, cwd=tmp_path, env={"PYTHONPATH": str(ROOT)}, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"harness: {sys.executable} has no package ")
    assert ". .venv/bin/activate" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_former_verb_names_the_command_in_its_place(harness: Harness) -> None:
    assert "it is now `python -m harness report JOURNAL --places`" in harness("places", "j.sqlite").err
    assert "it is now `dask worker`" in harness("place").err
