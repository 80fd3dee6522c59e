"""Problems of a journal: compressed if large, loaded one at a time, refused if damaged."""

import sqlite3
import weakref
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from harness.model.errors import BadUsage
from harness.storing import problems as stored
from harness.storing.journal import Journal
from puzzles.boards.families import layout
from puzzles.constraints.clauses import Clauses
from puzzles.problem import Instance, Problem, boolean_instance
from puzzles.problem.dumped import dump
from tests.journals import BOARD, puzzle

LITERALS = 40_000


def formula(seed: int) -> Instance[Problem]:
    """Return an instance of random clauses that takes 160 kB."""
    flat = np.random.default_rng(seed).integers(1, 1000, LITERALS, np.int32)
    flat[3::4] = 0
    return boolean_instance(f"{seed}.cnf", 1000, Clauses(flat))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return a journal of a board and three large formulas."""
    path = tmp_path / "j.sqlite"
    with Journal.create(path) as journal:
        journal.corpora.add("corpus", [puzzle(1), *map(formula, range(3)), formula(0)])
    return path


def contents(path: Path) -> list[bytes]:
    """Return the stored content of each problem."""
    db = sqlite3.connect(path)
    found = [bytes(content) for (content,) in db.execute("select content from problems order by id")]
    db.close()
    return found


def test_large_problems_are_stored_compressed_and_boards_as_before(path: Path) -> None:
    board, *large = contents(path)
    assert board == dump(BOARD)
    assert [zlib.decompress(content) for content in large] == [dump(formula(i).problem) for i in range(3)]


def test_a_journal_returns_what_was_stored(path: Path) -> None:
    with Journal.open(path) as journal:
        every: list[Instance[Any]] = [puzzle(1), *map(formula, range(3)), formula(0)]
        for number, one in enumerate(every, 1):
            assert (journal.instances.get(number).problem, journal.instances.get(number).domains) == (
                one.problem,
                one.domains,
            )
        assert journal.instances.block(1, 2, 5).puzzles.tolist() == [2]
        assert [(outline.name, outline.variables, n) for outline, n in journal.instances.problem_counts()] == [
            (BOARD.name, len(BOARD.variables), 1),
            ("0.cnf", 1000, 2),
            ("1.cnf", 1000, 1),
            ("2.cnf", 1000, 1),
        ]


def test_a_layout_so_large_that_it_is_compressed_is_read_back(tmp_path: Path) -> None:
    board = layout("latin 64")
    with Journal.create(tmp_path / "j.sqlite") as journal:
        journal.corpora.add("corpus", [Instance("large", board, board.open)])
        assert journal.problems.compressed
    with Journal.open(tmp_path / "j.sqlite") as journal:
        assert journal.instances.get(1).problem == board


def test_a_journal_with_uncompressed_problems_is_read(path: Path) -> None:
    db = sqlite3.connect(path)
    for i in range(3):
        db.execute("update problems set content = ? where id = ?", (dump(formula(i).problem), i + 2))
    db.commit()
    db.close()
    with Journal.open(path) as journal:
        assert [problem for problem, _ in journal.instances.counted_problems()][1:] == [
            formula(i).problem for i in range(3)
        ]


def test_only_the_last_large_problems_stay_in_memory(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored, "KEPT_BYTES", 5 * LITERALS)
    with Journal.open(path) as journal:
        for number in range(1, 6):
            journal.instances.get(number)
            assert len(journal.problems.kept) <= 2


def test_a_corpus_of_large_problems_is_stored_one_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored, "KEPT_BYTES", 0)
    problems: list[weakref.ref[Problem]] = []

    def instances() -> Iterator[Instance[Problem]]:
        for i in range(5):
            assert sum(problem() is not None for problem in problems) <= 1
            one = formula(i)
            problems.append(weakref.ref(one.problem))
            yield one
            del one

    with Journal.create(tmp_path / "j.sqlite") as journal:
        assert journal.corpora.add("corpus", instances()) == 5


@pytest.mark.parametrize(
    ("damage", "why"),
    [
        (lambda raw: raw[: len(raw) // 2], "cut off"),
        (lambda raw: raw + b"x", "cut off"),
        (lambda raw: raw[:900] + bytes(1) + raw[901:], "Error -3"),
        (lambda raw: zlib.compress(dump(formula(8).problem)), "another digest"),
        (lambda raw: zlib.compress(zlib.decompress(raw)[:-4]), "damaged one"),
    ],
)
def test_a_damaged_problem_is_refused_in_one_line_when_it_is_loaded(
    path: Path,
    damage: Callable[[bytes], bytes],
    why: str,
) -> None:
    db = sqlite3.connect(path)
    (raw,) = db.execute("select content from problems where id = 2").fetchone()
    db.execute("update problems set content = ? where id = 2", (damage(raw),))
    db.commit()
    db.close()
    with pytest.raises(BadUsage, match=why) as refused, Journal.open(path) as journal:
        journal.instances.get(2)
    assert len(str(refused.value).splitlines()) == 1


def test_a_problem_that_grows_without_end_is_refused(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored, "MAX_CONTENT", 100_000)
    with pytest.raises(BadUsage, match="grows without end"), Journal.open(path) as journal:
        journal.instances.get(2)
    with pytest.raises(BadUsage, match="more than a journal stores"), Journal.create(path.with_name("k")) as journal:
        journal.corpora.add("corpus", [formula(1)])
