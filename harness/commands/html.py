"""Write the page of `report --html` and `run --html`."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from harness.reporting.frame.entries import Summary
    from harness.reporting.frame.results import Results


def write_page(
    path: str,
    journals: "Sequence[Results]",
    summaries: "Sequence[Summary]",
    selection: Sequence[str] = (),
    logs: str | None = None,
) -> None:
    """Write the page of one journal, or of two (older first); `selection` are the options that chose its part.

    Logs that lie in the folder `logs` are linked, by default those in the folder of their journal. Raises BadUsage.
    """
    from harness.model.errors import BadUsage
    from harness.model.invocation import called
    from harness.reporting.page.report import page
    from harness.reporting.views.comparing.comparison import compared
    from harness.showing.pictures import pictures
    from harness.storing.schema import write_text

    if path == "-":
        raise BadUsage("--html writes a file: name it")
    folder = Path(path).resolve().parent
    ways = (os.path.relpath(results.journal.path.resolve().parent, folder) for results in journals)
    summaries = [s | {"logs_from": Path(way).as_posix()} for s, way in zip(summaries, ways, strict=True)]
    words = ["report", "--html", path, *(str(results.journal.path) for results in journals)]
    words += [*selection, *([] if logs is None else ["--logs", logs])]
    found, result = compared(journals[0], journals[-1]) if comparable(journals) else ([], None)
    pairs = (found[0].before.ids, found[0].after.ids) if len(journals) > 1 else None
    write_text(path, page(journals, summaries, result, pairs, called(*words), pictures, logs))


def comparable(journals: "Sequence[Results]") -> bool:
    """Return True for two journals, and for one journal with a contender in two environments."""
    names = journals[0].by_name
    return len(journals) > 1 or any(name.partition("@")[0] in names for name in names if "@" in name)
