"""A run leaves the process of its caller as it was, and threads do not share the settings of a run."""

import csv
import os
import signal
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest
import tabulate

import harness as interface
from harness.commands import run as verb
from harness.importing.tables import lines
from harness.interface.results import Results
from harness.reporting.writing.table import table_of
from harness.reporting.writing.writers import written
from puzzles.errors import BadInput
from puzzles.plugins.process import PluginProcess
from puzzles.readers.claims import Claim, read_claims
from tests.conftest import Harness

BOARDS = "#: sudoku 2x2, count 1\n.234341221434321\n"
ANSWER = "print('1234341221434321')"
ROWS = "name,time\na,1\nb,2\n"


@pytest.fixture
def boards(harness: Harness, tmp_path: Path) -> Path:
    path = tmp_path / "boards.txt"
    path.write_text(BOARDS)
    return path


@pytest.fixture
def limit() -> Iterator[int]:
    """A limit of cells that the owner of the process has set; too small for any row."""
    before = csv.field_size_limit(1)
    yield 1
    csv.field_size_limit(before)


def state() -> dict[str, Any]:
    """Return what a library could change in its process."""
    return {
        "cells": csv.field_size_limit(),
        "padding": tabulate.MIN_PADDING,
        "variables": dict(os.environ),
        "folder": os.getcwd(),
        "recursion": sys.getrecursionlimit(),
        "handlers": [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGCHLD)],
        "paths": list(sys.path),
    }


def test_run_and_open_leave_the_process_as_it_was(
    boards: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LICENCE", "x")
    program = {"mine": f'{sys.executable} -c "{ANSWER}"'}
    before = state()
    assert before["padding"] == 2, "tabulate's own"
    made = interface.run(boards, "lines:mine", program=program, pass_env=["LICENCE"], output=tmp_path / "a.sqlite")
    assert "lines:mine" in interface.open(made.journal).table()
    assert state() == before


def test_columns_of_a_table_are_as_wide_as_their_texts_whatever_the_process_pads(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(tabulate, "MIN_PADDING", 9)
    assert written(table_of(["ab", "c"], [["x", "12"]]), "table").splitlines() == ["ab   c", "--  --", "x   12"]
    assert written(table_of(["ab", "c"], []), "markdown").splitlines() == ["| ab | c |", "|----|---|"]


def test_reading_csv_neither_takes_nor_leaves_a_limit_of_the_process(tmp_path: Path, limit: int) -> None:
    table, claims = tmp_path / "a.csv", tmp_path / "expected.csv"
    table.write_text(ROWS)
    claims.write_text("file,status\na.cnf,sat\n")
    (tmp_path / "a.cnf").write_text("p cnf 1 0\n")
    rows = lines(str(table))
    assert next(rows) == (1, ["name", "time"])
    assert csv.field_size_limit() == limit  # between two rows too
    assert list(rows) == [(2, ["a", "1"]), (3, ["b", "2"])]
    assert read_claims([claims]) == {tmp_path / "a.cnf": Claim(True)}
    claims.write_text(f"file,status\n{'a' * 200_000},sat\n")
    with pytest.raises(BadInput, match=r"expected\.csv:2: field larger than field limit"):
        read_claims([claims])
    assert csv.field_size_limit() == limit


def test_an_import_does_not_change_which_claims_are_too_long(harness: Harness, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("instance,contender,status,seconds\nx,s,sat,1\n")
    assert harness("import", "--format", "csv", "a.csv", "-t", 9, "-o", "a.sqlite").code == 0
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "a.cnf").write_text("p cnf 1 0\n")
    (tmp_path / "folder" / "expected.csv").write_text(f"file,status\n{'a' * 200_000},sat\n")
    assert "expected.csv:2: field larger than field limit" in harness("run", "folder", "-b", "native:python").err


@pytest.mark.slow
def test_runs_of_two_threads_have_their_own_programs_and_variables(
    boards: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LICENCE", "held")
    both, solve = Barrier(2, timeout=60), verb.solve

    def solve_together(*given: Any) -> str:
        both.wait()
        return solve(*given)

    def run(seen: str, answer: str, pass_env: list[str]) -> Results:
        script = tmp_path / f"{seen}.py"
        script.write_text(f"import os; open('{tmp_path / seen}', 'a').write(os.environ.get('LICENCE', '-'))\n{answer}")
        return interface.run(boards, "lines:mine", program={"mine": f"{sys.executable} {script}"}, pass_env=pass_env)

    monkeypatch.setattr(verb, "solve", solve_together)
    with ThreadPoolExecutor(2) as threads:
        first = threads.submit(run, "first", ANSWER, ["LICENCE"])
        second = threads.submit(run, "second", "print('unknown')", [])
        results = [first.result(), second.result()]
    assert [r.summary["contenders"][0]["solved"] for r in results] == [1, 0]
    assert "held" in (tmp_path / "first").read_text()
    assert set((tmp_path / "second").read_text()) == {"-"}
    assert results[0].journal != results[1].journal


def test_calls_of_threads_to_one_plug_in_process_take_turns() -> None:
    def negated(process: PluginProcess, numbers: range) -> list[int]:
        return [process.call("operator:neg", number) for number in numbers]

    with PluginProcess() as process, ThreadPoolExecutor(4) as threads:
        asked = [range(100 * k, 100 * k + 50) for k in range(4)]
        answers = list(threads.map(lambda numbers: negated(process, numbers), asked))
    assert answers == [[-n for n in numbers] for numbers in asked]
