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


@pytest.mark.parametrize(
    ("trick", "why"),
    [
        ("denies_first", "says unsatisfiable but gives a solution: one ask was answered differently: unsatisfiable"),
        ("errs_first", "its solution is wrong: "),
        ("denies_and_gives_up", "says that no solution exists, but 1 was found and checked"),
    ],
)
def test_a_wrong_answer_to_a_warm_up_is_wrong(tmp_path: Path, harness: Harness, trick: str, why: str) -> None:
    done, rows = solved(harness, tmp_path, "-b", f"asked:{trick}", "-b", "native:python")
    assert f"WRONG: asked:{trick}: p.txt:2: {why}" in done.out
    assert (done.code, [decisions for _, decisions, _, _ in rows[::2]]) == (1, [2, 3, 4])  # the counts of the last ask


def test_a_wrong_answer_to_the_problem_that_loads_the_code_is_wrong(tmp_path: Path, harness: Harness) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.cnf").write_text("p cnf 1 1\n1 0\n")
    done = harness("run", "a.cnf", "b.cnf", "-b", "asked:denies_clauses/direct")
    why = "of the variable x alone, with the clause (x), which loads its code, it says unsatisfiable"
    assert f"WRONG: asked:denies_clauses/direct: a.cnf: {why}" in done.out
    assert done.code == 1


def test_a_program_that_is_wrong_at_its_first_call_is_wrong(tmp_path: Path, harness: Harness) -> None:
    program, calls = tmp_path / "first", tmp_path / "calls"
    script = (
        '[ -f "$1" ] || exit 1',  # a question for its version
        f"if [ -e {calls} ]; then echo s SATISFIABLE; echo v 1 0; exit 10; fi",
        f"touch {calls}; echo s UNSATISFIABLE; exit 20",
    )
    program.write_text("\n".join(("#!/bin/sh", *script)))
    program.chmod(0o755)
    for name in ("a", "b"):
        (tmp_path / f"{name}.cnf").write_text("p cnf 1 1\n1 0\n")
    done = harness(
        "run", "a.cnf", "b.cnf", "-b", "dimacs:first", "-b", "native", "--program", f"first={program} {{cnf}}"
    )
    assert "WRONG: dimacs:first/extended: a.cnf: says " in done.out  # unsatisfiable and a solution, or nothing
    assert done.code == 1
