"""Plots as files, drawn by matplotlib."""

from pathlib import Path
from typing import Any

from harness.model.errors import BadUsage
from harness.reporting.plots.request import Look, Plot
from harness.reporting.plots.subject import Subject
from harness.reporting.views.comparing.matrix import Matrix
from harness.storing.schema import as_bad_usage, refuse_journal
from puzzles.packages import install

INSTALL = f"plots as files need matplotlib: {install('matplotlib')}"


def write(plot: Plot, look: Look, subject: Subject, matrix: Matrix | None, path: Path) -> None:
    """Draw a plot and write it to a file, in the format of its name. Raises BadUsage."""
    try:
        from harness.reporting.plots import style
    except ImportError as e:
        raise BadUsage(INSTALL) from e
    with style.settings(look.font):
        made = draw(plot, look, subject, matrix)
        with as_bad_usage(path):
            refuse_journal(path)
            style.save(made, path)


def draw(plot: Plot, look: Look, subject: Subject, matrix: Matrix | None) -> Any:
    """Return the figure of a plot."""
    from harness.reporting.plots import bars, course, curves, heat, pairs, scaling

    if matrix is not None:
        return heat.draw(matrix, look)
    by_kind = {"par2": bars.draw, "scatter": pairs.draw_scatter, "compare": pairs.draw_ratios, "course": course.draw}
    by_kind |= {"scaling": scaling.draw}
    return by_kind.get(plot.kind, curves.draw)(plot, look, subject)
