"""`solve`: its last line."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from harness.commands.solve import counted
from harness.model.outcome import ROW
from tests.conftest import ROOT, Harness

BOARDS = ROOT / "docs" / "classics" / "boards.txt"


@pytest.mark.parametrize(
    ("backend", "words"), [("native:norvig", "25 decisions, 10 conflicts, "), ("native:subsets", "0 decisions, 0 conf")]
)
def test_solve_states_decisions_and_conflicts(harness: Harness, backend: str, words: str) -> None:
    done = harness("solve", f"{BOARDS}:4", "-b", backend)
    assert f", 1 solution, there may be more, {words}" in done.out.replace("no others", "there may be more")


def test_counters_that_a_backend_lacks_are_left_out() -> None:
    row = np.zeros((), ROW)
    row["decisions"], row["conflicts"] = 1, -1
    assert counted(row) == ["1 decision"]


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79", "stdin:1: "),
        ("?", "stdin:1: "),
    ],
)
def test_standard_input_has_one_name(environment: dict[str, str], text: str, where: str) -> None:
    words = [sys.executable, "-m", "harness", "solve", "-", "-b", "native:python"]
    done = subprocess.run(words, input=text, env=environment, cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert where in done.stdout + done.stderr
    assert "/dev/stdin" not in done.stdout + done.stderr


def test_a_folder_that_takes_no_journal_names_the_option(
    harness: Harness, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "results").write_text("a file where the folder is to be")
    monkeypatch.chdir(tmp_path)
    done = harness("run", "hardest", "-n", "1", "-b", "native:python")
    assert done.code == 2
    assert "write the journal to another folder, with -o FILE" in done.err


@pytest.mark.slow
def test_the_first_solve_says_that_it_compiles(environment: dict[str, str], tmp_path: Path) -> None:
    pytest.importorskip("numba")
    words = [sys.executable, "-m", "harness", "solve", "hardest", "-b", "native:dlx"]
    environment = environment | {"XDG_CACHE_HOME": str(tmp_path)}
    done = subprocess.run(words, env=environment, cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert "note: native:dlx: compiling " in done.stderr


def test_the_last_line_says_that_a_file_has_fewer_clauses_than_its_header(harness: Harness, tmp_path: Path) -> None:
    (tmp_path / "cut.cnf").write_text("p cnf 3 2\n1 2 0\n")
    done = harness("solve", "cut.cnf", "-b", "native:python")
    assert done.out.endswith("; 1 clause, but the header states 2\n"), done.out


@pytest.mark.parametrize(
    ("name", "why"),
    [("m.py", "a Python program"), ("m.pbtxt", "a model of OR-Tools"), ("m.foo", "begins like no format that is read")],
)
def test_a_file_of_no_known_format_is_no_mistyped_board(name: str, why: str, harness: Harness, tmp_path: Path) -> None:
    (tmp_path / name).write_text("variables { domain: 0 }\n")
    done = harness("solve", name)
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert why in done.err
