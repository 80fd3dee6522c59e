"""LaTeX: the ranking of the contenders, as `report --format latex` prints it."""

from typing import TextIO

from harness.judging.referee import Referee
from harness.reporting.frame.results import aggregate
from harness.reporting.frame.summary import summarise
from harness.reporting.views.ranking.paper_table import paper_table
from harness.storing.journal import Journal


def write_latex(journal: Journal, file: TextIO) -> None:
    """Write the table of all contenders."""
    referee = Referee(journal)
    referee.rejudge(journal, write=False)
    file.write(paper_table(summarise(aggregate(journal, referee)), "wall") + "\n")
