"""Reading of a journal: results and summary, with each verdict derived again from all its evidence.

All that read verdicts open journals by `open_judged`, and so need nothing of what runs solvers.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self

from harness.judging.referee import Referee
from harness.reporting.frame.entries import Summary
from harness.reporting.frame.results import Results, aggregate
from harness.reporting.frame.summary import summarise
from harness.storing.journal import Journal, open_journal


class JudgedJournal:
    """Journal and its referee."""

    def __init__(self, journal: Journal) -> None:
        self.journal, self.settings = journal, journal.facts.settings()
        self.contenders = journal.contenders.all()
        self.referee = Referee(journal)

    def rejudge(self, write: bool = False) -> Self:
        """Judge all stored outcomes again; let further queries show the new verdicts, or with `write` store them."""
        self.referee.rejudge(self.journal, write)
        return self

    def results(self) -> Results:
        """Return the data of tables, summaries and comparisons."""
        return aggregate(self.journal, self.referee)

    def summary(self) -> Summary:
        """Return the summary that docs/reference/summary.md describes."""
        return summarise(self.results())


@contextmanager
def open_judged(path: Path | str) -> Iterator[JudgedJournal]:
    """Open a journal for reading, with each verdict derived again from all its evidence. Raises BadUsage.

    Stored verdicts may be outdated: a killed or running run stored them with less evidence, and an older version judged
    differently.
    """
    with open_journal(path) as journal:
        yield JudgedJournal(journal).rejudge()
