"""Pipes and devices in place of files, claims of huge counts, and disks that are full."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import Harness
from tests.journals import make, noisy

FULL = """
import resource, sys
from harness.cli import main
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), resource.RLIM_INFINITY))
sys.exit(main(sys.argv[2:]))
"""


@pytest.mark.parametrize(
    "words",
    [
        ("run", "pipe", "-b", "native:python"),
        ("solve", "pipe"),
        ("run", "/dev/zero", "-b", "native:python"),
        ("check", "hardest", "--golden", "pipe"),
        ("replay", "pipe"),
        ("export", "pipe", "--to", "dimacs"),
        ("report", "pipe"),
        ("run", "--resume", "pipe"),
    ],
    ids=" ".join,
)
def test_a_pipe_or_device_in_place_of_a_file_is_refused(words: tuple[str, ...], harness: Harness) -> None:
    os.mkfifo("pipe")
    done = harness(*words)
    assert done.code == 2
    assert len(done.err.splitlines()) == 1


@pytest.mark.slow
def test_a_resume_does_not_open_a_pipe_that_its_journal_names_as_corpus(tmp_path: Path, harness: Harness) -> None:
    os.mkfifo("pipe")
    (tmp_path / "board.txt").write_text("." * 81 + "\n")
    assert harness("run", "board.txt", "-b", "native:python", "-o", "j.sqlite").code == 0
    (tmp_path / "board.txt").unlink()
    (tmp_path / "pipe").rename("board.txt")
    assert harness("run", "--resume", "j.sqlite").code in (0, 2)


@pytest.mark.slow
def test_a_claim_beyond_32_bits_is_a_claim_like_any_other(tmp_path: Path, harness: Harness) -> None:
    (tmp_path / "board.txt").write_text(f"#: sudoku 3x3, count 2147483648\n{'.' * 81}\n")
    done = harness("run", "board.txt", "-b", "native:python", "--json", "-")
    assert (done.code, done.err) == (0, "")
    (tmp_path / "board.txt").write_text(f"#: sudoku 3x3, count 999999999999999999\n{'.' * 81}\n")
    assert harness("run", "board.txt", "-b", "native:python", "--count", 2).code == 0


def full_disk(size: int, environment: dict[str, str], folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a command that can write files of so many bytes."""
    command = [sys.executable, "-c", FULL, str(size), *words]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=100)


@pytest.mark.slow
@pytest.mark.parametrize("size", [0, 40_000, 60_000])
def test_a_run_on_a_full_disk_leaves_nothing_or_what_a_resume_understands(
    size: int, tmp_path: Path, environment: dict[str, str], harness: Harness
) -> None:
    words = ("run", "hardest", "-n", "10", "-b", "native:python", "-o", "j.sqlite")
    done = full_disk(size, environment, tmp_path, *words)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1, done.stderr
    if (tmp_path / "j.sqlite").exists():
        assert harness("run", "--resume", "j.sqlite").code == 0
    else:
        assert list(tmp_path.iterdir()) == []


def test_a_journal_without_its_log_has_the_run_so_far(tmp_path: Path, harness: Harness) -> None:
    from harness.storing.journal import Journal
    from tests.journals import contender, puzzle

    with Journal.create(tmp_path / "j.sqlite") as journal:
        assert "interrupted while loading" in refused_copy(tmp_path, harness)
        journal.corpora.add("made", [puzzle(0)])
        journal.contenders.add([contender("x")])
        sound = make(tmp_path / "other.sqlite", {"x": noisy(1, 1, 1)})
        with Journal.open(sound) as other:
            journal.facts.put(**other.facts.all())
        (tmp_path / "copy.sqlite").write_bytes((tmp_path / "j.sqlite").read_bytes())
        assert harness("report", "copy.sqlite").code == 0


def refused_copy(folder: Path, harness: Harness) -> str:
    """Copy the journal's file alone, as a backup does, and return why it is refused."""
    (folder / "copy.sqlite").write_bytes((folder / "j.sqlite").read_bytes())
    return harness("report", "copy.sqlite").err
