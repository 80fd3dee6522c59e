"""`generate` shows how far it is, and a killed one leaves nothing."""

import argparse
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from harness.commands import generate
from tests.conftest import Harness


@pytest.mark.parametrize(
    ("words", "number"),
    [
        (["--as", "killer 3x3", "-n", "3"], 3),
        (["--as", "sudoku 2x2"], 10),
        (["sudoku-25.txt"], 12),
        (["killer.txt", "-n", "2"], 8),
        (["myciel3.col"], 0),
    ],
)
def test_the_number_of_puzzles_is_known_before(words: list[str], number: int) -> None:
    parser = argparse.ArgumentParser()
    generate.add_arguments(parser)
    assert generate.number_of_puzzles(parser.parse_args(words)) == number


def test_puzzles_are_counted_as_they_are_made(
    tmp_path: Path, harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("harness.commands.progress.LOG_S", 0.0)
    done = harness("generate", "--as", "sudoku 2x2", "-n", "3", "-o", tmp_path / "a.txt")
    lines = done.err.splitlines()
    said = dict.fromkeys(line.partition(" puzzles")[0] for line in lines)
    assert [*said] == [f"note: progress: {n} of 3" for n in range(4)]
    assert any(line.endswith(" of 16 squares open") for line in lines)
    assert len([line for line in (tmp_path / "a.txt").read_text().splitlines() if not line.startswith("#")]) == 3


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_killed_command_leaves_no_part(tmp_path: Path, number: signal.Signals) -> None:
    script = (
        "import sys, time, pathlib; from harness.commands.generate import write_lines\n"
        "def lines():\n    yield 'a'\n    print(flush=True)\n    time.sleep(100)\n"
        "write_lines(pathlib.Path(sys.argv[1]), lines())\n"
    )
    with subprocess.Popen([sys.executable, "-c", script, tmp_path / "a.txt"], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.send_signal(number)
    assert list(tmp_path.iterdir()) == []
