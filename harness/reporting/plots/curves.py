"""Cactus, score and ECDF plots as figures."""

from typing import Any

import numpy as np
from matplotlib.ticker import FuncFormatter

from harness.reporting.plots.frame import counts, steps
from harness.reporting.plots.request import SHARES, Look, Plot
from harness.reporting.plots.style import (
    GREY,
    add_legend,
    count_axis,
    figure,
    label_ends,
    limit_line,
    number_text,
    set_axis,
    shown,
    style,
    time_text,
)
from harness.reporting.plots.subject import Subject, curves, ranked
from harness.reporting.views.figures.anytime import Band
from harness.reporting.views.figures.definitions import BEST
from harness.reporting.writing.labels import short_names

MARKS = 8  # marks on a curve
MOST_BANDS = 5  # intervals of a plot: more lie on each other
HEIGHT = 0.62  # height relative to the width
BEST_STYLE = {"color": GREY, "linestyle": (0, (1, 1)), "linewidth": 2}


def percent(share: float, _: int | None = None) -> str:
    return f"{100 * share:.3g} %"


def draw(plot: Plot, look: Look, subject: Subject) -> Any:
    """Return the figure of a cactus, score or ecdf plot."""
    found, frame = curves(subject, plot, look)
    shares = plot.kind in SHARES
    made = figure(look.width, look.width * HEIGHT)
    axes = made.add_subplot()
    if plot.kind == "quality":
        set_axis(axes, "x", frame, "gap at the limit", percent)
    else:
        text = number_text if subject.of else time_text
        set_axis(axes, "x" if shares else "y", frame, subject.time, text)
    if shares:
        axes.set(ylim=(0, 1.02), ylabel=subject.share(plot.kind))
        axes.yaxis.set_major_formatter(FuncFormatter(percent))
    else:
        low, high = counts(found)
        axes.set(xlim=(low, high + 0.02 * (high - low)), xlabel=subject.solved(plot.kind))
        count_axis(axes.xaxis)
    if frame.limited:
        limit_line(axes, "x" if shares else "y", subject.limit)
    handles: list[Any] = []
    for i, curve, _ in ranked(subject, plot, found):
        x, y = steps(curve, frame) if shares else (curve.x, np.maximum(curve.y, frame.low))
        if isinstance(curve, Band):
            x, y = x[2:], y[2:]
        if isinstance(curve, Band) and len(handles) < MOST_BANDS:
            band = {"color": style(i)["color"], "alpha": 0.12, "linewidth": 0, "step": "post"}
            axes.fill_between(curve.x, curve.low, curve.high, **band)
        every = max(1, len(x) // MARKS)
        line = (
            BEST_STYLE if curve.name == BEST else style(i) | {"markevery": ((i + 1) * every // (len(found) + 1), every)}
        )
        handles += axes.plot(x, y, **line)
    labels = [f"{shown(curve.name)} ({figure})" for _, curve, figure in ranked(subject, plot, found)]
    if look.legend == "below":
        add_legend(made, handles, labels)
    elif look.legend == "direct":
        names = short_names([curve.name for curve in found])[0]
        ends = [f"{shown(names[curve.name])} ({figure})" for _, curve, figure in ranked(subject, plot, found)]
        label_ends(axes, handles, ends)
    return made
