"""The page of `report --html` and `run --html`, and its comparison of two journals or environments."""

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from harness.reporting.results import Results


def write_page(path: str, journals: "Sequence[Results]") -> None:
    """Write the page of one journal, or of two, the older one first. Raises BadUsage."""
    from harness.model.errors import BadUsage
    from harness.model.invocation import PROGRAM
    from harness.reporting.page.report import page

    words = ["report", "--html", path, *(str(results.journal.path) for results in journals)]
    text = page(journals, comparison(journals), f"{PROGRAM} {shlex.join(words)}")
    try:
        Path(path).write_text(text, encoding="utf-8")
    except OSError as e:
        raise BadUsage(f"{path}: {e.strerror}") from e


def comparison(journals: "Sequence[Results]") -> dict[str, Any] | None:
    """Return what `compare --json` writes of two journals, or of the environments of one; None if it has one alone."""
    from harness.reporting.comparing.comparison import compared

    a, b = journals[0], journals[-1]
    if a is b and not any(c.contender.env and c.contender.name.partition("@")[0] in a.by_name for c in a.contenders):
        return None
    return compared(a, b)[1]
