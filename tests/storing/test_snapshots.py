"""A journal that another process is writing is read as it was when it was opened."""

from pathlib import Path

from harness.runs.runner import Run
from harness.storing.journal import open_journal
from tests.journals import make, noisy


def test_outcomes_that_arrive_while_a_journal_is_read_are_not_seen(tmp_path: Path) -> None:
    path = make(tmp_path / "j.sqlite", {"x": noisy(1, 3, 5)})
    with open_journal(path, write=True) as writer, open_journal(path) as journal:
        run = Run(journal).rejudge()
        writer.db.execute("delete from outcomes where repeat = 2")
        assert run.results().contenders[0].contender.name == "x"
        assert writer.db.execute("select count(*) from outcomes").fetchone() == (10,)
        assert journal.db.execute("select count(*) from outcomes").fetchone() == (15,)
    with open_journal(path) as journal:
        assert journal.db.execute("select count(*) from outcomes").fetchone() == (10,)


def test_reading_a_complete_journal_does_not_lock_it(tmp_path: Path) -> None:
    path = make(tmp_path / "j.sqlite", {"x": noisy(1, 3, 5)})
    with open_journal(path) as journal:
        Run(journal).rejudge()
        with open_journal(path, write=True) as writer:
            Run(writer).rejudge(write=True)
