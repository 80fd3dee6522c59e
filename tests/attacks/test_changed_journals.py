"""A solver that writes, deletes or replaces the journal of its own run is noticed, and no answer is lost silently."""

import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest

from harness.storing.journal import Journal
from harness.storing.lock import WriteLock
from tests.attacks.planting import outcomes, plant_python
from tests.conftest import Harness
from tests.journals import make, noisy

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="files that are open can't be deleted elsewhere")

SOLUTION = "1234341221434321"
BOARDS = [SOLUTION[:i] + "." + SOLUTION[i + 1 :] for i in range(3)]
REPEATS = 2
ASKS = len(BOARDS) * REPEATS
PYTHON = f"""
import sqlite3, shutil, subprocess
asked = 0
for board in sys.stdin:
    if not os.path.exists('done') and rows() > 0:
        open('done', 'w').close()
        ATTACK
    print('{SOLUTION}', flush=True)
"""
ROWS = """
def rows():
    with sqlite3.connect('file:j.sqlite?mode=ro', uri=True) as db:
        return db.execute('select count(*) from outcomes').fetchone()[0]
"""
DELETE_ROWS = (
    "db = sqlite3.connect('j.sqlite', isolation_level=None); db.execute('delete from outcomes where repeat = 0');"
    " db.close()"
)
FORGE = (
    "db = sqlite3.connect('j.sqlite', isolation_level=None); db.execute('update outcomes set wall = 1, cpu = 1');"
    " db.close()"
)
REMOVE = "[os.remove(name) for name in ('j.sqlite', 'j.sqlite-wal', 'j.sqlite-shm') if os.path.exists(name)]"
REMOVE_LOG = "os.remove('j.sqlite-wal')"
REPLACE = "open('other', 'w').write('mine'); os.replace('other', 'j.sqlite')"
MOVE = "os.rename('j.sqlite', 'k.sqlite')"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "six.txt").write_text("#: sudoku 2x2\n" + "\n".join(BOARDS) + "\n")
    return tmp_path


def attacked(harness: Harness, folder: Path, attack: str) -> tuple[int, str]:
    """Run a contender that attacks its journal once it has outcomes; return exit code and what the run said."""
    script = ROWS + PYTHON.replace("ATTACK", attack)
    done = harness("run", "six.txt", *plant_python(folder, "evil", script), "-r", REPEATS, "-o", "j.sqlite")
    assert (folder / "done").exists(), done.err
    return done.code, done.err + done.out


@pytest.mark.slow
def test_outcomes_deleted_by_sql_are_named_and_run_again(folder: Path, harness: Harness) -> None:
    code, said = attacked(harness, folder, DELETE_ROWS)
    assert code == 130
    assert "j.sqlite: another program writes to it while the run does, against its lock\n" in said
    assert len(outcomes(folder / "j.sqlite", "wall")) < ASKS
    report = harness("report", "j.sqlite", "--json", "-")
    assert (report.summary["state"], report.summary["changed"]) == ("interrupted", 1)
    again = harness("run", "--resume", "j.sqlite", "--yes")
    assert len(outcomes(folder / "j.sqlite", "wall")) == ASKS
    assert again.code == 2  # complete, but not what the run alone wrote
    assert "was written, deleted or replaced by another program" in again.out


@pytest.mark.slow
def test_forged_times_are_not_believed_silently(folder: Path, harness: Harness) -> None:
    code, said = attacked(harness, folder, FORGE)
    assert code == 2
    assert "against its lock" in said
    assert "trust neither its times" in harness("report", "j.sqlite").out


@pytest.mark.slow
@pytest.mark.parametrize("attack", [REMOVE, REMOVE_LOG, REPLACE, MOVE], ids=["removed", "log", "replaced", "moved"])
def test_what_a_lost_journal_held_is_saved_and_the_run_goes_on_from_there(
    attack: str, folder: Path, harness: Harness
) -> None:
    code, said = attacked(harness, folder, attack)
    assert code == 130
    assert "j.sqlite was deleted, moved or replaced while the run wrote it" in said
    assert "what the run holds is saved as j-saved.sqlite\n" in said
    saved = outcomes(folder / "j-saved.sqlite", "valid")
    assert 0 < len(saved) < ASKS
    assert {valid for _, valid in saved} == {1}
    if attack == REPLACE:
        assert (folder / "j.sqlite").read_text() == "mine"
    assert harness("run", "--resume", "j-saved.sqlite", "--yes").code == 2
    assert len(outcomes(folder / "j-saved.sqlite", "valid")) == ASKS


@pytest.mark.slow
def test_a_journal_that_is_lost_with_its_folder_is_saved_there(tmp_path: Path, harness: Harness) -> None:
    (tmp_path / "six.txt").write_text("#: sudoku 2x2\n" + "\n".join(BOARDS) + "\n")
    script = (
        f"import shutil\nfor board in sys.stdin:\n    shutil.rmtree('out', True)\n    print('{SOLUTION}', flush=True)"
    )
    done = harness("run", "six.txt", *plant_python(tmp_path, "evil", script), "-o", "out/j.sqlite")
    assert done.code == 130
    assert "saved as out/j-saved.sqlite" in done.err
    assert len(outcomes(tmp_path / "out/j-saved.sqlite", "valid")) >= 1


def test_the_log_and_the_lock_of_another_journal_under_the_name_stay(tmp_path: Path) -> None:
    path = tmp_path / "j.sqlite"
    first = Journal.create(path)
    first.facts.put(state="running")
    for file in tmp_path.iterdir():
        file.unlink()
    with Journal.create(path) as second:
        second.facts.put(state="running")
        with first:
            assert first.lost
        assert not second.lost
        assert sorted(file.name for file in tmp_path.iterdir()) == [
            *("j.sqlite", "j.sqlite-lock", "j.sqlite-shm", "j.sqlite-wal")
        ]
    assert [file.name for file in tmp_path.iterdir()] == ["j.sqlite"]


def test_readers_and_commits_of_the_run_are_no_changes(tmp_path: Path, harness: Harness) -> None:
    path = make(tmp_path / "j.sqlite", {"x": noisy(1, 1, 3)})
    with Journal.open(path, write=True) as journal:
        assert journal.watch
        for state in ("running", "interrupted", "complete"):
            journal.facts.put(state=state)
            assert harness("report", path).code in (0, 130)
        with closing(sqlite3.connect(path)) as db:
            db.execute("select count(*) from outcomes").fetchall()
        journal.facts.put(state="complete")
        assert (journal.watch.changes, journal.lost) == (0, False)


def test_a_lock_that_was_deleted_and_taken_by_another_is_not_removed(tmp_path: Path) -> None:
    first = WriteLock.acquire(tmp_path / "j.sqlite")
    first.path.unlink()
    second = WriteLock.acquire(tmp_path / "j.sqlite")
    first.release()
    assert second.path.exists()
    second.release()
