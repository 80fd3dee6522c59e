"""A journal that another process is writing is read as it was when it was opened."""

import sqlite3
from pathlib import Path

from harness.runs.runner import Run
from harness.storing.journal import open_journal
from tests.journals import make, noisy


def test_outcomes_that_arrive_while_a_journal_is_read_are_not_seen(tmp_path: Path) -> None:
    path = make(tmp_path / "j.sqlite", {"x": noisy(1, 3, 5)})
    with open_journal(path) as journal, sqlite3.connect(path) as writer:
        run = Run(journal).rejudge()
        writer.execute("delete from outcomes where repeat = 2")
        writer.commit()
        assert run.results().contenders[0].contender.name == "x"
        assert journal.db.execute("select count(*) from outcomes").fetchone() == (15,)
    with open_journal(path) as journal:
        assert journal.db.execute("select count(*) from outcomes").fetchone() == (10,)
