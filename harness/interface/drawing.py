"""Plots of results, drawn as `report --plot` draws them (docs/reference/plots.md)."""

import os
from pathlib import Path
from tempfile import TemporaryDirectory

from harness.commands.given import print_note
from harness.interface.display import Drawing
from harness.reporting.frame.entries import Summary
from harness.reporting.frame.results import Results
from harness.reporting.plots import files
from harness.reporting.plots.request import Look, pair_outputs
from harness.reporting.plots.subject import subject
from harness.reporting.views.comparing.matrix import default_pivot, matrix
from harness.reporting.views.comparing.measures import FOLDS


def draw(results: Results, summary: Summary, plot: str, look: Look, output: str | os.PathLike[str] | None) -> Drawing:
    """Return the plot that --plot names as SVG, also written to `output`; print notes on it. Raises BadUsage."""
    [(chosen, path)] = pair_outputs([plot], [] if output is None else [os.fspath(output)])
    shown = subject(results, look.clock)
    for note in shown.notes:
        print_note(note)
    square = matrix(results, summary, default_pivot(FOLDS[0], look.clock)) if chosen.kind == "matrix" else None
    with TemporaryDirectory() as folder:
        drawn = Path(folder, "plot.svg")
        for file in filter(None, (drawn, path)):
            files.write(chosen, look, shown, square, file)
        return Drawing(drawn.read_text(encoding="utf-8"))
