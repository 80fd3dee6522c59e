"""Plots in the terminal: the plots of files, drawn with characters on a coarse grid."""

import string
from collections.abc import Callable

import numpy as np

from harness.model.errors import BadUsage
from harness.reporting.frame.results import CLOCK_NAMES, State
from harness.reporting.plots.canvas import Canvas, Charset, Label, cell, charset, framed
from harness.reporting.plots.frame import MARGIN, TimeAxis, counts, lanes
from harness.reporting.plots.request import SHARES, Look, Plot
from harness.reporting.plots.subject import Subject, curves, points, ranked
from harness.reporting.statistics.estimates import Floats
from harness.reporting.views.figures.definitions import BEST, Bar, Curve, Scatter
from harness.reporting.writing.numbers import format_seconds
from harness.reporting.writing.printable import printable, terminal_width
from puzzles.errors import plural

HEIGHT = 20
WIDTH, LEAST_WIDTH = 80, 40
LETTERS = string.ascii_lowercase
NAME = 30  # characters of a name beside a bar
ELSEWHERE = {
    "matrix": "--matrix prints a table",
    "scaling": "--matrix cores prints a table",
    "course": "--html has it too",
    "compare": "`compare --instances` prints a table",
}


def draw(plot: Plot, look: Look, subject: Subject) -> str:
    """Return a plot as text. Raises BadUsage."""
    if plot.kind in ELSEWHERE:
        raise BadUsage(f"--plot {plot.kind} needs a file, -o PATH; {ELSEWHERE[plot.kind]}")
    width, chars = max(LEAST_WIDTH, terminal_width() or WIDTH), charset()
    if plot.kind == "par2":
        lines = bars(subject, width, chars)
    elif plot.kind == "scatter":
        lines = scattered(plot, look, subject, width, chars)
    else:
        lines = lined(plot, look, subject, width, chars)
    return "\n".join(lines)


def percent(share: float) -> str:
    return f"{100 * share:g} %"


def ticks(frame: TimeAxis, text: Callable[[float], str] = format_seconds) -> list[Label]:
    """Return labels of an axis of times or gaps: decades, or quarters of a linear axis."""
    if frame.log:
        powers = np.arange(np.ceil(np.log10(frame.low)), np.floor(np.log10(frame.high)) + 1)
        times = (10.0**powers).tolist() or [frame.low * MARGIN]
    else:
        times = [frame.high / MARGIN * quarter / 4 for quarter in range(5)]
    return [(frame.at(t), text(t)) for t in times]


def number_ticks(low: float, high: float) -> list[Label]:
    """Return labels of an axis of whole numbers, at most five."""
    numbers = sorted({round(low + (high - low) * quarter / 4) for quarter in range(5)})
    return [((number - low) / (high - low), f"{number:,}") for number in numbers]


def lined(plot: Plot, look: Look, subject: Subject, width: int, chars: Charset) -> list[str]:
    """Return a cactus, score or ecdf plot: a letter for each contender, in the order of the legend."""
    found, frame = curves(subject, plot, look)
    shares = plot.kind in SHARES
    canvas, ends = Canvas(width - 10, HEIGHT), counts(found)
    order = ranked(subject, plot, found)
    letters = iter(LETTERS)
    shown = order[: len(LETTERS)]
    named = [("*" if c.name == BEST else next(letters), c, figure) for _, c, figure in shown]
    if frame.limited:
        limit(canvas, frame.at(subject.limit), shares, chars)
    for letter, curve, _ in reversed(named):
        for u, v in zip(*traced(curve, frame, ends, plot.kind, canvas.width), strict=True):
            canvas.put(u, v, letter)
    by_number = number_ticks(*ends)
    by_share = [(i / 4, f"{i / 4:.0%}") for i in range(5)]
    across = ticks(frame, percent if plot.kind == "quality" else subject.text)
    left, below = (by_share, across) if shares else (across, by_number)
    by = "gap at the limit" if plot.kind == "quality" else subject.time
    title = f"{subject.share(plot.kind)} by {by}" if shares else f"{subject.time} by {subject.solved(plot.kind)}"
    legend = [f"  {letter}  {short(curve.name, width - 16)} ({figure})" for letter, curve, figure in named]
    more = (
        [f"     and {plural(len(order) - len(shown), 'more contender')}: -o draws all"]
        if len(order) > len(shown)
        else []
    )
    return [title, *framed(canvas, chars, left, below), *legend, *more]


def limit(canvas: Canvas, place: float, upright: bool, chars: Charset) -> None:
    """Draw the time limit."""
    steps = np.linspace(0, 1, canvas.height if upright else canvas.width)
    for step in steps:
        canvas.put(*((place, step, chars.side) if upright else (step, place, chars.limit)))


def traced(curve: Curve, frame: TimeAxis, ends: tuple[float, float], kind: str, columns: int) -> tuple[Floats, Floats]:
    """Return the positions of a curve in each column of the canvas that it crosses."""
    if not len(curve.x):
        return np.zeros(0), np.zeros(0)
    u = (np.arange(columns) + 0.5) / columns
    if kind in SHARES:
        x, y = np.append(-1.0, frame.place(curve.x)), np.append(float(kind == "gap"), curve.y)
        return u, y[np.searchsorted(x, u, side="right") - 1]
    x, y = (curve.x - ends[0]) / (ends[1] - ends[0]), frame.place(curve.y)
    first, last = cell(x[0], columns), cell(x[-1], columns)
    return u[first : last + 1], np.interp(u[first : last + 1], x, y)


def scattered(plot: Plot, look: Look, subject: Subject, width: int, chars: Charset) -> list[str]:
    """Return a scatter; rows above the frame and columns beside it count undecided instances."""
    found, frame = points(subject, plot, look)
    canvas = Canvas(min(width - 24, 3 * HEIGHT), HEIGHT)
    for step in np.linspace(0, 1, canvas.width):
        canvas.put(step, step, "/")
    both = (found.x_state == State.DECIDED) & (found.y_state == State.DECIDED)
    u, v = frame.place(found.x), frame.place(found.y)
    (canvas.dots if chars.dots else canvas.heaps)(u[both], v[both])
    lines = framed(canvas, chars, ticks(frame, subject.text), ticks(frame, subject.text))
    gutter = lines[0].index(chars.side)
    above = [
        f"{state.name.lower():>{gutter - 1}} {chars.side}{row_of(u[found.y_state == state], canvas.width)}".rstrip()
        for state in reversed(lanes(found, 1))
    ]
    beside = [row_of(v[found.x_state == state], canvas.height)[::-1] for state in lanes(found, 0)]
    full = gutter + 1 + canvas.width
    for i in range(HEIGHT * bool(beside)):
        lines[i] = f"{lines[i]:{full}} {chars.side} {' '.join(column[i] for column in beside)}".rstrip()
    if beside:
        lines[HEIGHT] += "   " + " ".join(state.name[0].lower() for state in lanes(found, 0))
    a, b = (short(name, width // 2 - 16) for name in (found.a, found.b))
    return [f"{b} (up) by {a} (right), {subject.time}", *above, *lines, *notes(found, subject, width)]


def row_of(places: Floats, size: int) -> str:
    """Return the number of positions in each of `size` cells as one character, + for more than 9."""
    numbers = np.bincount([cell(place, size) for place in places.tolist()], minlength=size)
    return "".join(" " if n == 0 else str(n) if n < 10 else "+" for n in numbers.tolist())


def notes(found: Scatter, subject: Subject, width: int) -> list[str]:
    """Return the lines below a scatter: numbers of undecided instances by state."""
    lines = []
    for name, states in ((found.a, found.x_state), (found.b, found.y_state)):
        numbers = [(s.name.lower(), int((states == s).sum())) for s in State if s != State.DECIDED]
        some = ", ".join(f"{number:,} {state}" for state, number in numbers if number)
        lines += [f"  {short(name, width // 2)} alone undecided: {some}"] if some else []
    corner = [f"{n:,} {a.name.lower()} and {b.name.lower()}" for (a, b), n in found.corner.items()]
    return lines + ([f"  {subject.unit} that neither decided: {', '.join(corner)}"] if corner else [])


def bars(subject: Subject, width: int, chars: Charset) -> list[str]:
    """Return PAR-2 as bars, with the ends of their intervals."""
    found = subject.bars
    top = max((bar.value for bar in found if bar.value is not None), default=0.0)
    texts = [value_text(bar) for bar in found]
    names = [short(bar.name) for bar in found]
    room = max(5, width - max(map(len, names)) - max(map(len, texts)) - 4)
    lines = [f"PAR-2 of {CLOCK_NAMES[subject.clock]} [95 % interval] (decided/asked)"]
    for bar, name, text in zip(found, names, texts, strict=True):
        drawn = block((bar.value or 0.0) / top if top else 0.0, room, chars)
        lines.append(f"{name:>{max(map(len, names))}} {chars.side}{drawn:{room}} {text}")
    return lines


def value_text(bar: Bar) -> str:
    """Return the value of a bar, its interval, and the numbers of instances."""
    ends = (
        "no times"
        if bar.value is None
        else f"{format_seconds(bar.value)} [{format_seconds(bar.low)}, {format_seconds(bar.high)}]"
    )
    return f"{ends} ({bar.solved:,}/{bar.asked:,})"


def block(share: float, room: int, chars: Charset) -> str:
    """Return a bar for a share of the room, to an eighth of a character where such characters can be written."""
    steps = len(chars.eighths)
    full, rest = divmod(round(share * room * steps), steps)
    return chars.bar * full + (chars.eighths[rest] if rest else "")


def short(name: str, longest: int = NAME) -> str:
    """Return a name on one line, shortened in its middle if it is long."""
    text = printable(name)
    half = longest // 2 - 1
    return text if len(text) <= longest else f"{text[:half]}..{text[-half:]}"
