"""What was derived from a journal is kept in the user's cache; whatever happens to it, the same is said."""

import errno
import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.judging import judge, referee
from harness.judging.judge import Evidence
from harness.judging.remembered import columns_of, evidence_of, revisions_of
from harness.model.lineage import LineageGroups
from harness.model.outcome import Verdict
from harness.model.quality import Quality, Stated
from harness.reporting.frame.reading import open_judged
from harness.storing import remembering
from harness.storing.journal import open_journal
from harness.storing.remembering import VERDICTS, Derivations, identity
from harness.storing.selection import Revision
from tests.conftest import Done, Harness
from tests.journals import make, noisy
from tests.judging.test_killed_journals import killed

EXIT_WRONG = 1


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache, in which small journals are kept too; its folder of entries."""
    monkeypatch.setattr(remembering, "cache_home", lambda: tmp_path / "cache")
    monkeypatch.setattr(remembering, "LEAST_BYTES", 0)
    return tmp_path / "cache" / "crosscheck" / "verdicts"


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    """A journal whose stored verdicts are not those that all evidence gives."""
    path = killed(tmp_path / "j.sqlite")
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("update meta set value = ? where key = 'state'", ('"complete"',))
    return path


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()} if folder.exists() else set()


def report(harness: Harness, path: Path) -> Done:
    """Report, with an exit code that follows from the derived verdicts alone."""
    done = harness("report", path)
    assert (done.code, done.err) == (EXIT_WRONG, "")
    return done


def forbid_judging(patch: pytest.MonkeyPatch) -> None:
    """Let any check of a solution or a row fail."""

    def forbidden(*_: object) -> None:
        raise AssertionError("judged again")

    for module, name in ((judge, "check"), (judge, "verdicts"), (referee.Referee, "revisions")):
        patch.setattr(module, name, forbidden)
    for name in ("check_structure", "check_content"):
        patch.setattr(f"harness.storing.validation.{name}", forbidden)


def test_a_second_report_judges_nothing_and_says_the_same(
    journal: Path, cache: Path, harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = report(harness, journal)
    kept = names(cache)
    assert len(kept) > 1  # verdicts and columns
    forbid_judging(monkeypatch)
    assert report(harness, journal) == first
    assert names(cache) == kept


def test_a_journal_that_was_changed_is_judged_anew(journal: Path, harness: Harness) -> None:
    report(harness, journal)
    with closing(sqlite3.connect(journal)) as db, db:
        db.execute("update outcomes set solutions = zeroblob(length(solutions)) where solutions is not null")
    with open_judged(journal) as run:
        verdict = run.journal.outcomes.columns(1, "verdict")["verdict"]
    assert run.contenders[1].name == "honest"
    assert set(verdict.tolist()) == {Verdict.WRONG}


def test_another_version_of_the_code_finds_nothing(
    journal: Path, harness: Harness, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, before = report(harness, journal), names(cache)
    monkeypatch.setattr(remembering, "code_digest", lambda: "another")
    assert report(harness, journal) == first
    assert len(names(cache)) == 2 * len(before)


@pytest.mark.parametrize("change", ["empty", "short", "flipped", "other", "directory"])
def test_damaged_entries_are_derived_anew(change: str, journal: Path, harness: Harness, cache: Path) -> None:
    first = report(harness, journal)
    for path in cache.iterdir():
        sound = path.read_bytes()
        if change == "directory":
            path.unlink()
            path.mkdir()
            continue
        wrong = {
            "empty": b"",
            "short": sound[:-1],
            "flipped": sound[:-9] + bytes([sound[-9] ^ 1]) + sound[-8:],
            "other": b"not an entry" * 99,
        }
        path.write_bytes(wrong[change])
    assert report(harness, journal) == first
    if change != "directory":
        assert all(remembering.recalled(name) is not None for name in names(cache))


def test_an_entry_of_a_damaged_journal_is_never_made(journal: Path, harness: Harness, cache: Path) -> None:
    with closing(sqlite3.connect(journal)) as db, db:
        db.execute("update outcomes set status = 99")
    for _ in range(2):
        done = harness("report", journal)
        assert (done.code, len(done.err.splitlines())) == (2, 1)
    assert names(cache) == set()


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EROFS, errno.EACCES])
def test_a_full_or_read_only_disk_changes_nothing(
    code: int, journal: Path, harness: Harness, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = Path.write_bytes

    def failing(path: Path, data: bytes) -> int:
        if code == errno.ENOSPC:
            real(path, data[:100])
        raise OSError(code, "failed")

    monkeypatch.setattr(Path, "write_bytes", failing)
    first = report(harness, journal)
    assert report(harness, journal) == first
    assert names(cache) == set()


def test_a_file_in_place_of_the_cache_changes_nothing(journal: Path, harness: Harness, tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("")
    assert report(harness, journal) == report(harness, journal)


def test_entries_used_longest_ago_make_room(monkeypatch: pytest.MonkeyPatch, cache: Path) -> None:
    columns = {"a": np.zeros(1000, np.int64)}
    remembering.remember("0", columns)
    size = (cache / "0").stat().st_size
    monkeypatch.setattr(remembering, "MAX_BYTES", 3 * size)
    for k in range(1, 5):
        remembering.remember(str(k), columns)
        for age, name in enumerate(sorted(names(cache))):
            os.utime(cache / name, (age, age))
        assert remembering.recalled("0") is not None  # used now
    assert names(cache) == {"0", "3", "4"}
    monkeypatch.setattr(remembering, "MAX_BYTES", size)
    remembering.remember("large", {"a": np.zeros(1000, np.int64)})
    assert "large" not in names(cache)


def test_a_journal_that_others_write_is_not_kept(journal: Path, cache: Path) -> None:
    with open_journal(journal, write=True) as writer:
        writer.facts.put(note="in the log")
        with open_journal(journal) as reader:
            assert reader.memory.key is None
    opened = identity(journal)
    with closing(sqlite3.connect(journal, isolation_level=None)) as db:
        memory = Derivations.of(journal, db, opened)
        assert memory.key is not None
        with closing(sqlite3.connect(journal)) as other, other:
            other.execute("update outcomes set wall = wall + 1")
        memory.keep(VERDICTS, {"a": np.zeros(1)})
        assert names(cache) == set()
        assert Derivations.of(journal, db, opened).key is None  # the file is not the one that was opened


def test_a_journal_that_was_replaced_while_it_was_opened_has_no_key(journal: Path, tmp_path: Path) -> None:
    opened = identity(journal)
    with closing(sqlite3.connect(journal)) as db:
        make(tmp_path / "other.sqlite", {"x": noisy(1, 1, 4)})
        shutil.move(tmp_path / "other.sqlite", journal)
        assert Derivations.of(journal, db, opened).key is None


def test_one_machine_of_several_is_not_kept_under_the_name_of_all(tmp_path: Path, cache: Path) -> None:
    path = make(tmp_path / "j.sqlite", {"x": noisy(1, 2, 4)})
    with open_journal(path) as opened:
        whole = opened.outcomes.columns(0, "puzzle", "wall")
        before = names(cache)
        with opened.selection.of_places([99], loose_samples=True):
            assert len(opened.outcomes.columns(0, "puzzle", "wall")["puzzle"]) == 0
        assert names(cache) == before
        again = opened.outcomes.columns(0, "puzzle", "wall")
    assert all(np.array_equal(whole[name], again[name]) for name in whole)
    assert before


def test_small_journals_are_not_kept(
    journal: Path, harness: Harness, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remembering, "LEAST_BYTES", journal.stat().st_size + 1)
    report(harness, journal)
    assert names(cache) == set()


N = 6
integer = st.integers(-(1 << 63), (1 << 63) - 1)
flags = st.lists(st.booleans(), min_size=N, max_size=N).map(np.array)
numbers = st.lists(integer, min_size=N, max_size=N).map(lambda drawn: np.array(drawn, np.int64))
words = st.lists(st.integers(0, (1 << 64) - 1), min_size=N, max_size=N).map(lambda drawn: np.array(drawn, np.uint64))
quality = st.builds(Quality, flags, numbers)
stated = st.builds(Stated, flags, quality)
GROUPS = LineageGroups((0, 1, 0), np.array([2, 1], np.uint64))
more = st.dictionaries(st.integers(1, N - 1), st.sets(st.integers(0, (1 << 64) - 1), min_size=1), max_size=3)
evidence = st.builds(Evidence, quality, stated, words, words, stated, stated, flags, st.just(GROUPS.independent), more)
rows = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 1), st.integers(1, N - 1)), unique=True, max_size=9)


@given(evidence, rows)
def test_evidence_and_verdicts_are_the_same_after_the_cache(found: Evidence, keys: list[tuple[int, int, int]]) -> None:
    revisions = [
        Revision(c, r, np.array([p]), np.array([-1], np.int32), np.array([Verdict.WRONG], np.int8)) for c, r, p in keys
    ]
    columns = columns_of(found, revisions, GROUPS)
    assert columns is not None
    again = evidence_of(columns, N - 1, GROUPS)
    assert again is not None
    second = columns_of(again, list(revisions_of(columns)), GROUPS)
    assert second is not None
    assert again.more == found.more
    assert {row for each in revisions_of(columns) for row in each.rows()} == {
        row for each in revisions for row in each.rows()
    }
    for name in columns.keys() - {"revised"}:
        assert np.array_equal(columns[name], second[name]), name
    assert evidence_of(columns, N, GROUPS) is None
    assert evidence_of(columns, N - 1, LineageGroups((0, 0, 1), GROUPS.independent)) is None
    assert evidence_of(columns, N - 1, LineageGroups(GROUPS.of, np.array([0, 0], np.uint64))) is None


def test_values_beyond_64_bits_are_not_kept() -> None:
    found = Evidence.empty(2, GROUPS.independent)
    found.add_values(np.array([1]), Quality.of_values([1 << 70]))
    assert columns_of(found, [], GROUPS) is None
