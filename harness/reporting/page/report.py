"""What the page shows, from the results of one journal or two."""

from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

from harness.reporting.page.columns import journal_columns
from harness.reporting.page.container import Container
from harness.reporting.page.document import document
from harness.reporting.results import Results


def page(journals: Sequence[Results], comparison: dict[str, Any] | None, command: str) -> str:
    """Return the page of journals, the baseline first. `comparison` is that of `compare --json`, if there is one."""
    into = Container()
    header = {
        "journals": [journal_columns(results, into) for results in journals],
        "comparison": comparison,
        "command": command,
        "version": version("crosscheck"),
    }
    return document(into.packed(header))
