"""Value and bound over time on one instance as a figure: values solid with marks, bounds dotted, a proof as a dot."""

from typing import Any

from matplotlib.ticker import FuncFormatter

from harness.model.errors import BadUsage
from harness.reporting.frame.results import CLOCK_NAMES
from harness.reporting.plots.frame import MARGIN, TimeAxis
from harness.reporting.plots.request import Look, Plot
from harness.reporting.plots.style import GREY, add_legend, figure, limit_line, set_axis, shown, style
from harness.reporting.plots.subject import Subject, searched
from harness.reporting.statistics.courses import Course

HEIGHT = 0.62  # height relative to the width
REFUTED = "#8B0000"
BEYOND = 3  # bounds farther from the best value than this multiple of the farthest value are cut off


def draw(plot: Plot, look: Look, subject: Subject) -> Any:
    """Return the figure of an instance. Raises BadUsage."""
    of, at = searched(subject, plot.kind), position(subject, plot.names[0])
    best, results = of.known[at], subject.results
    if best is None or not of.goal[at]:
        raise BadUsage(f"--plot course: {plot.names[0]}: nothing to draw: no solution of an objective is known")
    outline = results.journal.problems.outlines[int(results.listed.problems[at])]
    sign = outline.sign
    bounds = [c.best.bounds.get(at + 1, ()) for name, c in results.by_name.items() if c.best and name in names(subject)]
    courses = [row[at].course for row in of.rows]
    times = [step.seconds for course in (*courses, *bounds) for step in course if step.seconds > 0]
    frame = TimeAxis(min([*times, of.limit / 10]) / MARGIN, of.limit * MARGIN, True, True)
    made = figure(look.width, look.width * HEIGHT)
    axes = made.add_subplot()
    set_axis(axes, "x", frame, CLOCK_NAMES["wall"])
    limit_line(axes, "x", of.limit)
    axes.axhline(sign * best, color=GREY, linestyle="--", linewidth=0.8)
    handles = []
    for i, (row, course, raised) in enumerate(zip(of.rows, courses, bounds, strict=True)):
        end, colour = row[at].end if row[at].proved else of.limit, style(i)["color"]
        point = {"marker": style(i)["marker"], "markersize": 4, "markevery": list(range(len(course)))}
        handles += axes.step(*corners(course, end, sign), where="post", color=colour, **point)
        refuted = tuple(step for step in raised if step.value > best)
        for steps, paint in ((raised[: len(raised) - len(refuted)], colour), (refuted, REFUTED)):
            axes.step(*corners(steps, end, sign), where="post", color=paint, linestyle=":")
        if row[at].proved and row[at].value is not None:
            axes.plot([end], [sign * float(row[at].value or 0)], "o", color=colour)
    farthest = max((abs(step.value - best) for course in courses for step in course), default=1) or 1
    low, high = axes.get_ylim()
    middle, room = sign * float(best), BEYOND * float(farthest)
    axes.set(ylim=(max(low, middle - room), min(high, middle + room)), ylabel=f"value, {outline.objective}d")
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.6g}"))
    if look.legend != "none":
        add_legend(made, handles, [shown(name) for name in names(subject)])
    return made


def names(subject: Subject) -> list[str]:
    return [c.name for c in subject.columns]


def position(subject: Subject, name: str) -> int:
    """Return the position of an instance. Raises BadUsage."""
    names = subject.results.listed.names
    if name not in names:
        raise BadUsage(f"--plot course:{name}: {subject.results.journal.path} has no such instance")
    return names.index(name)


def corners(steps: Course, end: float, sign: int) -> tuple[list[float], list[float]]:
    """Return the corners of steps, the last one up to an end."""
    if not steps:
        return [], []
    last = max(end, steps[-1].seconds)
    return [*(s.seconds for s in steps), last], [*(sign * float(s.value) for s in steps), sign * float(steps[-1].value)]
