"""A side table that this version lacks: stored, read, merged, removed and validated without another schema."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from harness.judging.merging import merge
from harness.judging.referee import Referee
from harness.model.errors import BadUsage
from harness.model.lease import Lease, LeaseResult
from harness.model.outcome import Judged
from harness.storing.journal import Journal
from harness.storing.rules import TEXT, integer
from harness.storing.side_tables import SIDE_TABLES, Cell, ColumnType, SideTable
from tests.journals import make, noisy, outcomes

ALL = "select contender, repeat, puzzle, at, word from words order by contender, repeat, puzzle, at"


def words(judged: Judged) -> Iterator[tuple[int, *tuple[Cell, ...]]]:
    for i, puzzle in enumerate(judged.outcomes.batch.puzzles.tolist()):
        for at in range(puzzle - 1):
            yield i, at, f"word {at} of {puzzle}"


WORDS = SideTable(
    {"at": ColumnType("integer not null", integer(0, 9)), "word": ColumnType("text not null", TEXT)}, words, key=("at",)
)


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(SIDE_TABLES, "words", WORDS)


def expected(contender: int, repeats: int, puzzles: int) -> list[tuple[int, int, int, int, str]]:
    return [
        (contender, repeat, puzzle, at, f"word {at} of {puzzle}")
        for repeat in range(repeats)
        for puzzle in range(1, puzzles + 1)
        for at in range(puzzle - 1)
    ]


@pytest.mark.usefixtures("table")
def test_a_side_table_is_stored_read_and_merged(tmp_path: Path) -> None:
    a, b = make(tmp_path / "a", {"a": noisy(1, 2, 3)}), make(tmp_path / "b", {"b": noisy(2, 2, 3)})
    with Journal.open(a) as one, Journal.open(b) as other, merge([one, other], tmp_path / "c") as merged:
        assert one.db.execute(ALL).fetchall() == expected(0, 2, 3)
        assert merged.db.execute(ALL).fetchall() == expected(0, 2, 3) + expected(1, 2, 3)
    again = make(tmp_path / "again", {"a": noisy(3, 1, 3)})
    with Journal.open(a) as one, Journal.open(again) as other, merge([one, other], tmp_path / "d") as merged:
        assert merged.db.execute(ALL).fetchall() == expected(0, 3, 3)


@pytest.mark.usefixtures("table")
def test_a_bad_value_in_a_side_table_is_refused(tmp_path: Path) -> None:
    path = make(tmp_path / "j", {"a": noisy(1, 1, 3)})
    with Journal.open(path, write=True) as journal:
        journal.db.execute("update words set at = at + 9 where puzzle = 3 and at = 1")
    with pytest.raises(BadUsage, match=r"a damaged one: words\.at has the value '10'"):
        Journal.open(path)


def test_a_journal_without_a_side_table_reads_as_if_it_were_empty(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = make(tmp_path / "j", {"a": noisy(1, 1, 3)})
    monkeypatch.setitem(SIDE_TABLES, "words", WORDS)
    with Journal.open(path) as journal:
        assert journal.db.execute(ALL).fetchall() == []
    other = make(tmp_path / "other", {"b": noisy(2, 1, 3)})
    with Journal.open(path) as one, Journal.open(other) as two, merge([one, two], tmp_path / "c") as merged:
        assert merged.db.execute(ALL).fetchall() == expected(1, 1, 3)


@pytest.mark.usefixtures("table")
def test_rows_of_outcomes_that_run_again_are_replaced(tmp_path: Path) -> None:
    path = make(tmp_path / "j", {"a": noisy(1, 2, 3)})
    with Journal.open(path, write=True) as journal:
        journal.db.execute("update words set word = 'old'")
        journal.db.execute("delete from outcomes where puzzle = 3 and repeat = 1")
        assert journal.leases.run_again() == 1
        block = journal.instances.block(3, 3, 3)
        again = outcomes(block, 0, 1, np.ones(1), np.ones(1))
        journal.leases.add(
            LeaseResult(Lease(block, 1, (0,)), 1, 5, 6, (again,)), Referee(journal).judge_batches([again])
        )
        new = {(puzzle, repeat) for _, repeat, puzzle, _, word in journal.db.execute(ALL) if word != "old"}
        assert new == {(3, 1)}
        assert journal.db.execute(ALL).fetchone()[:4] == (0, 0, 2, 0)
        assert len(journal.db.execute(ALL).fetchall()) == len(expected(0, 2, 3))
