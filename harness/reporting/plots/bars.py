"""PAR-2 as a figure: a bar for each contender, the best at the top; on a logarithmic axis, which has no 0, points."""

from typing import Any

import numpy as np

from harness.reporting.frame.results import CLOCK_NAMES
from harness.reporting.plots.frame import MARGIN, TimeAxis
from harness.reporting.plots.request import Look, Plot
from harness.reporting.plots.style import BLUE, GREY, SIZE, figure, set_axis, shown
from harness.reporting.plots.subject import Subject
from harness.reporting.writing.numbers import format_seconds

ROW_CM = 0.48
REST_CM = 1.4
FARTHEST = 2  # an interval beyond this multiple of the largest PAR-2 is cut off, with an arrow


def draw(plot: Plot, look: Look, subject: Subject) -> Any:
    """Return the figure of PAR-2."""
    bars = subject.bars
    made = figure(look.width, REST_CM + ROW_CM * max(2, len(bars)))
    axes = made.add_subplot()
    rows = np.arange(len(bars))
    known = [(row, bar.value, bar.low, bar.high) for row, bar in enumerate(bars) if bar.value is not None]
    at, value, low, high = np.array(known, np.float64).reshape(-1, 4).T
    log = bool(look.log) and bool((high > 0).any())
    top = min(float(high.max(initial=1e-9)), FARTHEST * float(value.max(initial=1e-9)))
    bottom = float(low[low > 0].min(initial=top))
    frame = TimeAxis(bottom / MARGIN, top * MARGIN, True, False) if log else TimeAxis(0.0, top * 1.05, False, False)
    set_axis(axes, "x", frame, f"PAR-2 of {CLOCK_NAMES[subject.clock]}, with 95 % interval")
    axes.grid(False, axis="y")
    if not log:
        axes.barh(at, value, height=0.62, color=BLUE, alpha=0.45)
    else:
        axes.plot(value, at, linestyle="", marker="o", color=BLUE)
    axes.hlines(at, np.maximum(low, frame.low), np.minimum(high, frame.high), color="black", linewidth=0.9)
    beyond = high > frame.high
    axes.plot(np.full(int(beyond.sum()), frame.high), at[beyond], ">", color="black", markersize=3, clip_on=False)
    axes.set_yticks(rows, [shown(bar.name, 40) for bar in bars])
    axes.set_ylim(len(bars) - 0.4, -0.6)
    for row, bar in enumerate(bars):
        text = "no times" if bar.value is None else f"{format_seconds(bar.value)}  ({bar.solved:,}/{bar.asked:,})"
        axes.annotate(
            text, (1.025, row), xycoords=("axes fraction", "data"), va="center", fontsize=SIZE - 1.5, color=GREY
        )
    return made
