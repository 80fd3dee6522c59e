"""Speed-ups of cores as a figure: instances, geometric means with intervals, and a mark at the factor of cores."""

from typing import Any

import numpy as np
from matplotlib.ticker import LogLocator

from harness.model.errors import BadUsage
from harness.reporting.plots.bars import REST_CM, ROW_CM
from harness.reporting.plots.request import Look, Plot
from harness.reporting.plots.style import BLUE, GREY, figure, shown
from harness.reporting.plots.subject import Subject
from harness.reporting.views.scaling import scaling


def draw(plot: Plot, look: Look, subject: Subject) -> Any:
    """Return the figure of the speed-ups. Raises BadUsage."""
    kept = {c.name for c in subject.columns}
    rows = [s for s in scaling(subject.results) if s.speed_up is not None and s.contender in kept]
    if not rows:
        raise BadUsage("--plot scaling: nothing to draw: no instance was decided with two numbers of cores")
    made = figure(look.width, REST_CM + ROW_CM * max(2, len(rows)))
    axes = made.add_subplot()
    axes.axvline(1, color=GREY, linewidth=0.9, linestyle="--")
    for row, s in enumerate(rows):
        assert s.speed_up is not None
        value, low, high = s.speed_up.values()
        axes.plot(s.each, np.full(len(s.each), row), ".", color=GREY, markersize=2.5, alpha=0.6)
        axes.plot(s.factor, row, "|", color="black", markersize=10)
        if np.isfinite(s.speed_up.high):
            axes.hlines(row, low, high, color=BLUE, linewidth=1.5)
        axes.plot(value, row, "o", color=BLUE, markersize=4)
    axes.set(xscale="log", xlabel="speed-up (95 %)", ylim=(len(rows) - 0.4, -0.6))
    axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.xaxis.set_major_formatter("{x:g}x")
    axes.minorticks_off()
    axes.grid(False, axis="y")
    axes.set_yticks(range(len(rows)), [f"{shown(s.solver, 28)}, {s.cores} cores, {s.status}" for s in rows])
    return made
