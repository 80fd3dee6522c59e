"""Page of one journal, or of two that are compared."""

from collections.abc import Sequence
from typing import Any

from harness.model.errors import BadUsage
from harness.model.release import installed
from harness.reporting.frame.entries import ComparisonResult, Summary
from harness.reporting.frame.results import Results
from harness.reporting.page.columns import first_screen, journal_columns
from harness.reporting.page.container import Container
from harness.reporting.page.document import document
from harness.reporting.page.drawings import Draw
from harness.reporting.page.groups import group_part, matrix_part, scaling_part, statistics_part
from harness.reporting.page.scores import score_part
from harness.reporting.page.searches import search_part
from harness.reporting.views.comparing.comparison_text import machine_notes
from harness.reporting.views.comparing.headline import headline
from harness.reporting.writing.labels import short_names
from puzzles.problem.arrays import Int64Array

MAX_RESULTS = 12_000_000  # outcomes of a journal: about 80 MB of page, which a browser still opens
Pairs = tuple[Int64Array, Int64Array]


def page(
    journals: Sequence[Results],
    summaries: Sequence[Summary],
    comparison: ComparisonResult | None,
    pairs: Pairs | None,
    command: str,
    draw: Draw,
    logs: str | None = None,
) -> str:
    """Return the page of journals with their summaries, the baseline first; `draw` draws an instance. Raises BadUsage.

    comparison  data of `compare --json`, if any; its remarks on machine types join its warnings
    pairs       ids of the common instances in each journal
    logs        folder whose logs are linked, those of the journals if None
    """
    for results in journals:
        if results.size * len(results.contenders) > MAX_RESULTS:
            raise BadUsage(
                f"{results.journal.path}: {results.size:,} instances x {len(results.contenders):,} contenders: a page"
                f" holds up to {MAX_RESULTS:,} results; use the table, --matrix or `export`"
            )
    if comparison is not None:
        notes = [line for c in comparison["comparisons"] for line in machine_notes(c)]
        comparison = comparison | {"warnings": [*comparison["warnings"], *notes]}
    into = Container()
    header = {
        "journals": [journal(*each, draw, into, logs) for each in zip(journals, summaries, strict=True)],
        "comparison": comparison,
        "headline": comparison and headline(comparison, short_names(list(journals[-1].by_name))[0]),
        "pairs": pairs and [into.add(ids - 1) for ids in pairs],
        "command": command,
        "version": installed() or "",
    }
    return document(into.packed(header))


def journal(results: Results, summary: Summary, draw: Draw, into: Container, logs: str | None) -> dict[str, Any]:
    """Return a journal's part of the header."""
    columns = journal_columns(results, summary, draw, into, logs)
    parts = {"searches": search_part(results, into), "groups": group_part(results), "numbers": statistics_part(results)}
    parts |= {"matrix": matrix_part(summary["contenders"]), "scores": score_part(results)}
    parts |= {"scaling": scaling_part(results)}
    return columns | parts | first_screen(results, summary)
