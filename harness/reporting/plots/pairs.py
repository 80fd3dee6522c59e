"""Two contenders as figures: the scatter of their times, and the ratios by instance."""

from collections.abc import Callable
from typing import Any

import numpy as np
from matplotlib.lines import Line2D

from harness.reporting.frame.results import CLOCK_NAMES, State
from harness.reporting.plots.frame import MARGIN, TimeAxis, lanes
from harness.reporting.plots.ratios import compare
from harness.reporting.plots.request import Look, Plot
from harness.reporting.plots.style import (
    BLUE,
    GREY,
    SIZE,
    VERMILLION,
    across,
    add_legend,
    count_axis,
    figure,
    limit_line,
    number_text,
    set_axis,
    shown,
    spaced,
    time_text,
    time_ticks,
)
from harness.reporting.plots.subject import Subject, nothing, pair, points
from harness.reporting.statistics.estimates import Floats
from harness.reporting.views.figures.definitions import Scatter

DIAGONALS = (1, 2, 10, 100)
LANE_STYLES = {
    State.TIMEOUT: ("^", "#56B4E9"),
    State.MEMORY: ("s", "#009E73"),
    State.ERROR: ("D", "#E69F00"),
    State.UNSUPPORTED: ("P", "#CC79A7"),
    State.UNKNOWN: ("v", GREY),
    State.PROOFLESS: ("p", GREY),
    State.WRONG: ("X", VERMILLION),
}
LANE = 0.06  # height of a lane, of the axis of times
MANY = 5000  # points, from which they are an image in a vector file
SMALL = {"fontsize": SIZE - 2, "color": GREY}
RATIO_HEIGHT = 0.55  # height relative to the width


def draw_scatter(plot: Plot, look: Look, subject: Subject) -> Any:
    """Return the figure of a scatter: undecided instances in lanes beyond the limit, one for each state."""
    found, frame = points(subject, plot, look)
    made = figure(look.width, look.width)
    axes = made.add_subplot()
    axes.set_aspect("equal")
    for side, axis in (("x", 0), ("y", 1)):
        lane_axis(axes, side, frame, lanes(found, axis), number_text if subject.of else time_text)
        axes.set(**{f"{side}label": f"{shown((found.a, found.b)[axis])}: {subject.time}"})
        if frame.limited:
            limit_line(axes, side, subject.limit, frame.at(subject.limit))
    diagonals(axes, frame)
    draw_points(axes, found, frame)
    if found.corner:
        corner(axes, found)
        axes.set_title(f"numbers: {subject.unit} that neither decided", loc="right", **SMALL)
    return made


def lane_axis(
    axes: Any, side: str, frame: TimeAxis, named: list[State], text: Callable[[float], str] = time_text
) -> None:
    """Label an axis of positions by times or numbers, and by the states of the lanes beyond them."""
    times = [t for t in time_ticks(frame) if t <= frame.high / (MARGIN if frame.log else 1)]
    texts = [text(t) for t in times]
    shown_texts = spaced(texts, across(axes)) if side == "x" and frame.log else texts
    ticks = dict(zip(map(frame.at, times), shown_texts, strict=True))
    ticks |= {lane_place(i): state.name.lower() for i, state in enumerate(named)}
    axes.set(**{f"{side}lim": (0, lane_place(len(named) - 0.3) if named else 1.0)})
    axis = getattr(axes, f"{side}axis")
    axis.set_ticks(list(ticks), list(ticks.values()))
    for label in axis.get_ticklabels()[len(times) :]:
        label.set_rotation(90 if side == "x" else 0)


def lane_place(lane: float) -> float:
    """Return the position of a lane; the first lane has number 0."""
    return 1 + LANE * (lane + 0.5)


def diagonals(axes: Any, frame: TimeAxis) -> None:
    """Draw lines of equal ratio, labelled at their ends."""
    for factor in DIAGONALS:
        x = np.array([frame.low, frame.high / factor])
        if x[0] >= x[1]:
            continue
        at, above = frame.place(x), frame.place(x * factor)
        for u, v, end in ((at, above, (-10, -10)), (above, at, (-12, -8))):
            axes.plot(u, v, color=GREY, linewidth=0.5, linestyle="-" if factor == 1 else ":", zorder=1)
            if factor > 1:
                axes.annotate(
                    f"{factor}×", (u[1], v[1]), end, textcoords="offset points", ha="right", va="top", **SMALL
                )


def draw_points(axes: Any, found: Scatter, frame: TimeAxis) -> None:
    """Draw the instances that at least one contender decided; those undecided by one lie in its lanes."""
    places = [np.nan_to_num(frame.place(times), nan=0.0) for times in (found.x, found.y)]
    alpha = 0.8 if len(found.ids) <= 200 else 0.4 if len(found.ids) <= MANY else 0.15
    look = {"linestyle": "", "markeredgewidth": 0, "rasterized": len(found.ids) > MANY, "zorder": 3, "clip_on": False}
    both = (found.x_state == State.DECIDED) & (found.y_state == State.DECIDED)
    axes.plot(places[0][both], places[1][both], marker="o", color=BLUE, alpha=alpha, **look)
    for axis, states in ((0, found.x_state), (1, found.y_state)):
        for lane, state in enumerate(lanes(found, axis)):
            here, marker, colour = states == state, *LANE_STYLES[state]
            at = [places[k][here] for k in (0, 1)]
            at[axis] = np.full(int(here.sum()), lane_place(lane))
            axes.plot(*at, marker=marker, color=colour, alpha=max(alpha, 0.4), **look)


def corner(axes: Any, found: Scatter) -> None:
    """Write the number of instances that neither contender decided where their lanes meet."""
    rows = [{state: lane_place(i) for i, state in enumerate(lanes(found, axis))} for axis in (0, 1)]
    for (a, b), number in found.corner.items():
        axes.text(rows[0][a], rows[1][b], compact(number), ha="center", va="center", fontsize=SIZE - 2.5)


def compact(number: int) -> str:
    """Return a number in at most four characters."""
    return str(number) if number < 10_000 else f"{number // 1000}k"


def draw_ratios(plot: Plot, look: Look, subject: Subject) -> Any:
    """Return the figure of the ratios b / a by instance, sorted."""
    found = compare(*pair(subject, plot))
    n = len(found.ids)
    if not n:
        raise nothing(subject, f"in a time that the clock shows, {found.a} and {found.b} both")
    made = figure(look.width, look.width * RATIO_HEIGHT)
    axes = made.add_subplot()
    x = np.arange(1, n + 1)
    axes.set(xlim=(0.5 - 0.01 * n, n + 0.5 + 0.01 * n), xlabel=f"{subject.unit} that both decided, by ratio")
    count_axis(axes.xaxis)
    set_axis(
        axes,
        "y",
        ratio_frame(found.ratio, look.log is not False),
        f"{CLOCK_NAMES[subject.clock]}, ratio b / a",
        number_text,
    )
    axes.axhline(1, color=GREY, linewidth=0.8)
    marks = {"linestyle": "", "markersize": 3 if n < 500 else 1.5, "rasterized": n > MANY}
    slower, faster = found.ratio > 1, found.ratio < 1
    groups = [
        (slower, "v", VERMILLION, "a is faster"),
        (faster, "^", BLUE, "b is faster"),
        (~slower & ~faster, "o", GREY, "equal"),
    ]
    groups = [group for group in groups if group[0].any()]
    handles = [axes.plot(x[at], found.ratio[at], marker=m, color=colour, **marks)[0] for at, m, colour, _ in groups]
    labels = [f"{text} ({int(at.sum()):,})" for at, *_, text in groups]
    names = [("a", found.a, found.lost), ("b", found.b, found.gained)]
    labels += [f"{side} = {shown(name)}, alone {len(alone):,}" for side, name, alone in names]
    add_legend(made, [*handles, *[Line2D([], [], linestyle="")] * 2], labels)
    return made


def ratio_frame(ratios: Floats, log: bool) -> TimeAxis:
    """Return the axis of ratios, which covers at least 1/2 to 2."""
    low, high = min(0.5, float(ratios.min())), max(2.0, float(ratios.max()))
    return TimeAxis(low / 1.2, high * 1.2, True, False) if log else TimeAxis(0.0, high * 1.05, False, False)
