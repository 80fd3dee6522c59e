"""Outcomes read back as columns and in chunks: the same values that the table holds, however they are packed."""

from itertools import chain, combinations
from pathlib import Path

import numpy as np
import pytest

from backends.contract.answer import Reason, Status
from harness.judging.referee import JUDGED
from harness.model.errors import BadUsage
from harness.model.outcome import FORMULA_CERTIFIED, NO_PROOF, UNCHECKED, Judged, Verdict
from harness.storing import connection, instances, schema
from harness.storing.journal import Journal
from harness.storing.outcomes import leases, table
from harness.storing.outcomes.words import NULLABLE, WORDS
from puzzles.boards.families import layout
from puzzles.problem import Instance
from tests.journals import contender, make, noisy, puzzle
from tests.storing.test_problems import formula

LARGEST: dict[str, int | None] = {
    "verdict": max(Verdict),
    "status": max(Status),
    "reason": max(Reason),
    "complete": 1,
    "amortised": 1,
    "proof": FORMULA_CERTIFIED,
    "found": 2**31 - 1,
    "valid": 2**31 - 1,
    "wall": 2**62 - 1,
    "cpu": 2**62 - 1,
    "decode": 2**62 - 1,
}
LEAST: dict[str, int | None] = {"verdict": 0, "found": 0, "valid": -1, "proof": None, "cpu": None, "wall": 0}


@pytest.fixture
def extreme(tmp_path: Path) -> Journal:
    """Return a journal of two repeats whose first outcomes have the largest, and the least, values."""
    path = make(tmp_path / "j.sqlite", {"a": noisy(1, 2, 5), "b": noisy(2, 2, 5)})
    journal = Journal.open(path, write=True)
    for at, values in enumerate((LARGEST, LEAST), 1):
        sets = ", ".join(f"{name} = ?" for name in values)
        journal.db.execute(f"update outcomes set {sets} where puzzle = ?", (*values.values(), at))
    return journal


def test_columns_are_those_of_the_table_in_every_combination(extreme: Journal) -> None:
    narrow = list(chain.from_iterable(WORDS))
    asked = [*combinations([*narrow, "wall", "cpu"], 2), ("decode",), tuple(reversed(narrow)), (*narrow, *LARGEST)]
    with extreme as journal:
        for names in asked:
            names = tuple(dict.fromkeys(names))
            found = journal.outcomes.columns(1, *names)
            assert set(found) == set(names)
            for name in names:
                value = f"coalesce({name}, -1)" if name in NULLABLE else name
                if name == "proof":  # no row of `proofs` backs its certificates, so they are read as unchecked
                    value = f"case when proof = {FORMULA_CERTIFIED} then {UNCHECKED} else {value} end"
                query = f"select {value} from outcomes where contender = 1 order by repeat, puzzle"
                assert found[name].tolist() == [row for (row,) in journal.db.execute(query)], (name, names)


def test_columns_of_a_contender_without_outcomes_are_empty_and_typed(extreme: Journal) -> None:
    with extreme as journal:
        found = journal.outcomes.columns(7, "puzzle", "status", "wall")
        assert {name: (len(c), c.dtype.name) for name, c in found.items()} == {
            "puzzle": (0, "int64"),
            "status": (0, "int8"),
            "wall": (0, "int64"),
        }


def test_columns_of_more_rows_than_a_step_are_whole(extreme: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table, "FETCHED", 3)
    with extreme as journal:
        assert journal.outcomes.columns(0, "puzzle")["puzzle"].tolist() == [1, 2, 3, 4, 5] * 2


def test_chunks_of_outcomes_are_those_of_the_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(instances, "CHUNK", 2)
    path = make(tmp_path / "j.sqlite", {"a": noisy(1, 2, 9), "b": noisy(2, 1, 9), "c": noisy(3, 2, 9)})
    with Journal.open(path, write=True) as journal:
        journal.contenders.add([contender("without outcomes")])
        journal.corpora.add("large", [formula(0), puzzle(9), formula(1), formula(0)])
        journal.corpora.add("other", [Instance("small", layout("latin 2"), layout("latin 2").open)])
        journal.db.execute("delete from outcomes where puzzle in (3, 4, 8) and contender = 0 and repeat = 0")
        move = "update outcomes set puzzle = ?, found = 0, solutions = null where puzzle = ? and contender = 2"
        journal.db.executemany(move, [(10, 5), (13, 6), (12, 7), (14, 8)])
        measured = "found", "status", "wall"
        expected = journal.db.execute(f"select contender, repeat, puzzle, {', '.join(measured)} from outcomes")
        seen = []
        for chunk in journal.outcomes.stored(measured=measured):
            batch, shown = chunk.batch, chunk.solutions.tolist()
            assert len(batch.puzzles) == len(chunk.rows) == len(batch.domains) <= 2
            assert not chunk.rows["cpu"].any()
            for number, row, domains in zip(batch.puzzles.tolist(), chunk.rows, batch.domains, strict=True):
                seen.append((batch.contender, batch.repeat, number, *(int(row[name]) for name in measured)))
                assert domains[:, 0].tolist() == list(journal.instances.get(number).domains)
                assert journal.instances.get(number).problem == batch.problem
            assert len(shown) == chunk.rows["found"].sum()
        assert sorted(seen) == sorted(expected)


def test_outcomes_of_large_problems_come_last_one_problem_after_the_other(tmp_path: Path) -> None:
    path = make(tmp_path / "j.sqlite", {"a": noisy(1, 1, 4)})
    with Journal.open(path, write=True) as journal:
        journal.corpora.add("large", [formula(0), formula(1), formula(0), puzzle(9)])
        move = "update outcomes set puzzle = ?, found = 0, solutions = null where puzzle = ?"
        journal.db.executemany(move, [(8, 4), (7, 3), (6, 2), (5, 1)])
        order = [chunk.batch.puzzles.tolist() for chunk in journal.outcomes.stored(measured=JUDGED)]
    assert order == [[8], [5], [7], [6]]


def test_a_journal_without_the_table_of_proofs_is_read_and_completed_when_it_is_written(tmp_path: Path) -> None:
    path = make(tmp_path / "j.sqlite", {"a": noisy(1, 1, 3)})
    with Journal.open(path, write=True) as journal:
        journal.db.execute("drop table proofs")
    with Journal.open(path) as journal:
        assert journal.db.execute("select count(*) from proofs").fetchone() == (0,)
        assert journal.db.execute("select 1 from main.sqlite_master where name = 'proofs'").fetchone() is None
    with Journal.open(path, write=True) as journal:
        journal.db.execute(f"insert into main.proofs values (0, 0, 1, '{'a' * 64}', 7)")
    with Journal.open(path) as journal:
        assert journal.db.execute("select size from proofs").fetchall() == [(7,)]
    with Journal.open(path, write=True) as journal:
        journal.db.execute("update proofs set digest = 'short'")
    with pytest.raises(BadUsage, match=r"a damaged one: proofs\.digest has the value 'short'"):
        Journal.open(path)


def test_a_statement_of_ones_own_stores_what_the_general_one_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    odd = {"b": {"wrong": [3], "crashed": [5], "unsatisfiable": [7], "amortised": [True]}}
    stored = []
    for many in (1, 10**9):
        monkeypatch.setattr(connection, "MANY", many)
        path = make(tmp_path / f"{many}.sqlite", {"a": noisy(1, 2, 40), "b": noisy(2, 2, 40)}, odd=odd)
        with Journal.open(path) as journal:
            stored.append(list(journal.db.execute("select * from outcomes order by contender, repeat, puzzle")))
    assert stored[0] == stored[1]
    assert {row[schema.OUTCOME.index("verdict")] for row in stored[0]} >= {Verdict.WRONG, Verdict.ERROR}


def test_columns_with_one_value_are_not_parameters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "MANY", 1)
    with Journal.open(make(tmp_path / "j.sqlite", {"a": noisy(1, 1, 40)})) as journal:
        (first,) = journal.outcomes.stored()
        n = len(first.rows)
        first.rows["wall"], first.rows["cpu"] = range(n), -1
        judged = Judged(first, np.ones(n, np.int32), np.full(n, NO_PROOF, np.int8), np.zeros(n, np.int8))
        row, varying = connection.row_sql(leases.columns_of(7, judged))
    assert row.count("?") == len(varying) < len(schema.OUTCOME)
    assert list(range(n)) in varying


@pytest.mark.parametrize("rows", [1, 59, 60, 61, 99, 100, 149, 150, 310])
def test_rows_are_inserted_in_order_whatever_their_number(tmp_path: Path, rows: int) -> None:
    columns: dict[str, list[object]] = {
        "id": [None] * rows,
        "name": [f"name {i}" for i in range(rows)],
        "digest": ["same"] * rows,
        "content": [i * i if i % 7 else None for i in range(rows)],
        "more": [-3] * rows,
    }
    with Journal.create(tmp_path / "j.sqlite") as journal:
        journal.db.execute("create table t (id integer primary key, name, digest, content, more)")
        journal.connection.insert("t", columns)
        stored = journal.db.execute("select * from t order by id").fetchall()
    del columns["id"]
    assert stored == list(zip(range(1, rows + 1), *columns.values(), strict=True))
