"""Warm-up: the first ask of a process is repeated if it is short, and nothing of that is lost or charged."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.conftest import Done, Harness

pytestmark = pytest.mark.usefixtures("forked")

PUZZLES = (
    "#: sudoku 2x2\n" + "1.3.\n..1.\n.1.3\n3.2.\n".replace("\n", "") + "\n" + "1234341221434321\n.234341221434321\n"
)
Rows = list[tuple[int, int | None, int | None, str | None]]


def solved(harness: Harness, folder: Path, *arguments: str) -> tuple[Done, Rows]:
    """Run three puzzles; return reason, asks of the process and of the session, and detail of each outcome."""
    (folder / "p.txt").write_text(PUZZLES)
    done = harness("run", "p.txt", *arguments, "-o", "j.sqlite")
    with closing(sqlite3.connect(folder / "j.sqlite")) as db:
        return done, db.execute("select reason, decisions, conflicts, detail from outcomes order by puzzle").fetchall()


def test_the_first_ask_is_repeated_and_only_the_last_counts(tmp_path: Path, harness: Harness) -> None:
    _, rows = solved(harness, tmp_path, "-b", "asked:counts")
    assert [decisions for _, decisions, _, _ in rows] == [2, 3, 4]


@pytest.mark.parametrize(("number", "asks"), [("0", [1, 2, 3]), ("3", [4, 5, 6])])
def test_the_number_of_warm_ups_is_an_option(tmp_path: Path, harness: Harness, number: str, asks: list[int]) -> None:
    _, rows = solved(harness, tmp_path, "-b", "asked:counts", "-w", number)
    assert [decisions for _, decisions, _, _ in rows] == asks


def test_a_long_first_ask_is_not_repeated(tmp_path: Path, harness: Harness) -> None:
    _, rows = solved(harness, tmp_path, "-b", "asked:slow")
    assert [decisions for _, decisions, _, _ in rows] == [1, 2, 3]


def test_a_warm_session_does_not_remember_its_warm_up(tmp_path: Path, harness: Harness) -> None:
    _, rows = solved(harness, tmp_path, "-b", "asked:counts+warm")
    assert [(decisions, conflicts) for _, decisions, conflicts, _ in rows] == [(2, 1), (3, 2), (4, 3)]


def test_each_repeat_has_its_warm_up_and_the_journal_says_so(tmp_path: Path, harness: Harness) -> None:
    _, rows = solved(harness, tmp_path, "-b", "asked:counts", "-r", "2")
    assert [decisions for _, decisions, _, _ in rows] == [2, 2, 3, 3, 4, 4]
    with closing(sqlite3.connect(tmp_path / "j.sqlite")) as db:
        ((warmup,),) = db.execute("select value ->> '$.warmup' from meta where key = 'settings'")
    assert warmup == 1


@pytest.mark.parametrize("trick", ["dies_second", "hangs_second", "raises_second"])
def test_a_failure_of_a_warm_up_is_not_charged_and_hides_no_failure_of_a_real_ask(
    tmp_path: Path, harness: Harness, trick: str
) -> None:
    done, rows = solved(harness, tmp_path, "-b", f"asked:{trick}", "-t", "2")
    first, second, third = rows
    assert (first[0], first[1], first[3]) == (0, 1, None)
    if trick == "raises_second":  # in one process, whose later asks are fine
        assert (second[1], third[1]) == (3, 4)
    else:  # a new process without a warm-up: its second ask fails and counts
        assert (second[0], second[1]) == (0, 1)
        assert third[0] in (1, 3)
        assert f"note: asked:{trick}: " in done.err
        assert "in a warm-up: not counted" in done.err


def test_a_failure_of_the_first_ask_is_an_outcome(tmp_path: Path, harness: Harness) -> None:
    _, rows = solved(harness, tmp_path, "-b", "asked:dies_first")
    assert [reason for reason, *_ in rows] == [3, 3, 3]
