"""Cactus, score and ECDF plots as figures."""

from typing import Any

import numpy as np

from harness.reporting.labels import short_names
from harness.reporting.plots.definitions import BEST
from harness.reporting.plots.frame import counts, steps
from harness.reporting.plots.request import Look, Plot
from harness.reporting.plots.style import (
    GREY,
    add_legend,
    count_axis,
    figure,
    label_ends,
    limit_line,
    set_axis,
    shown,
    style,
)
from harness.reporting.plots.subject import Subject, curves, ranked

MARKS = 8  # marks on a curve
HEIGHT = 0.62  # height relative to the width
BEST_STYLE = {"color": GREY, "linestyle": (0, (1, 1)), "linewidth": 2}


def draw(plot: Plot, look: Look, subject: Subject) -> Any:
    """Return the figure of a cactus, score or ecdf plot."""
    found, frame = curves(subject, plot, look)
    shares = plot.kind == "ecdf"
    made = figure(look.width, look.width * HEIGHT)
    axes = made.add_subplot()
    set_axis(axes, "x" if shares else "y", frame, subject.time)
    if shares:
        axes.set(ylim=(0, 1.02), ylabel=f"share of {subject.unit} decided")
    else:
        low, high = counts(found)
        axes.set(xlim=(low, high + 0.02 * (high - low)), xlabel=subject.solved(plot.kind))
        count_axis(axes.xaxis)
    if frame.limited:
        limit_line(axes, "x" if shares else "y", subject.limit)
    handles, labels = [], []
    for i, curve, solved in ranked(subject, found):
        x, y = steps(curve, frame) if shares else (curve.x, np.maximum(curve.y, frame.low))
        every = max(1, len(x) // MARKS)
        line = (
            BEST_STYLE if curve.name == BEST else style(i) | {"markevery": ((i + 1) * every // (len(found) + 1), every)}
        )
        handles += axes.plot(x, y, **line)
        labels.append(f"{shown(curve.name)} ({solved:,})")
    if look.legend == "below":
        add_legend(made, handles, labels)
    elif look.legend == "direct":
        names = short_names([curve.name for curve in found])[0]
        ends = [f"{shown(names[curve.name])} ({solved:,})" for _, curve, solved in ranked(subject, found)]
        label_ends(axes, handles, ends)
    return made
