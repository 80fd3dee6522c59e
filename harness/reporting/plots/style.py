"""Look of plots as files: figures for a paper, equal bytes for equal data, harmless names.

Colours are those of M. Okabe and K. Ito (Color Universal Design, 2008) that are visible on white. With line styles and
markers the first 252 contenders differ.
"""

import io
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from math import ceil
from pathlib import Path
from typing import Any

import matplotlib
from matplotlib import font_manager
from matplotlib.axis import Axis
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.ticker import FixedFormatter, FixedLocator, FuncFormatter, LogLocator, MaxNLocator, NullLocator

from harness.model.errors import BadUsage
from harness.reporting.plots.frame import TimeAxis
from harness.reporting.writing.printable import printable, shortened
from puzzles.files import write_file

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
BLUE, VERMILLION, GREY = COLOURS[0], COLOURS[1], "#767676"
LINES = ("-", "--", "-.", ":")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">")
FONT = "DejaVu Sans"  # font that comes with matplotlib
FONTS = {"sans": FONT, "serif": "DejaVu Serif"}
SIZE = 8
SETTINGS = {
    "font.family": FONT,
    "font.size": SIZE,
    "axes.labelsize": SIZE,
    "axes.linewidth": 0.6,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "xtick.labelsize": SIZE - 1,
    "ytick.labelsize": SIZE - 1,
    "legend.fontsize": SIZE - 1,
    "lines.linewidth": 1.1,
    "lines.markersize": 3.5,
    "grid.linewidth": 0.4,
    "grid.color": "#DDDDDD",
    "text.parse_math": False,  # names may contain $
    "axes.unicode_minus": True,
    "pdf.fonttype": 42,  # TrueType, as publishers want
    "svg.fonttype": "path",
    "svg.hashsalt": "crosscheck",  # else its ids are random
    "savefig.dpi": 300,
}
WITHOUT_DATE: dict[str, dict[str, Any]] = {
    "svg": {"Date": None, "Creator": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
    "png": {"Software": None},
}
CM = 1 / 2.54
POWERS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
LONGEST = 44  # characters of a name
UNITS = (("s", 1.0), ("ms", 1e-3), ("us", 1e-6), ("ns", 1e-9))
ROOM_CM = 1.05  # that a label of a time takes
AXIS_SHARE = 0.8


@contextmanager
def settings(font: str = "sans") -> Iterator[None]:
    """Apply our settings for figures, without the user's; `font` is sans, serif or a file. Raises BadUsage."""
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(SETTINGS | {"font.family": family(font)})
        glyphs.cache_clear()
        yield


def family(font: str) -> str:
    """Return the family of a font that comes with matplotlib, or of a file. Raises BadUsage."""
    if font in FONTS:
        return FONTS[font]
    try:
        font_manager.fontManager.addfont(font)
        return str(font_manager.FontProperties(fname=font).get_name())
    except (OSError, RuntimeError) as e:
        raise BadUsage(f"--font {font}: write {', '.join(FONTS)} or the file of a font: {e}") from e


def figure(width: float, height: float) -> Any:
    """Return a figure of a size in cm."""
    made = Figure(figsize=(width * CM, height * CM), layout="constrained")
    FigureCanvasAgg(made)
    return made


def save(made: Any, path: Path) -> None:
    """Write a figure in the format of the file's name. Raises OSError."""
    kind, file = path.suffix.lower().removeprefix("."), io.BytesIO()
    if kind == "pgf":
        from harness.reporting.plots import pgf

        write_file(path, pgf.written(made))
        return
    made.savefig(file, format=kind, metadata=WITHOUT_DATE[kind])
    write_file(path, file.getvalue())


@cache
def glyphs() -> frozenset[int]:
    """Return the characters in the font."""
    return frozenset(font_manager.get_font(font_manager.findfont(matplotlib.rcParams["font.family"][0])).get_charmap())


def shown(name: str, longest: int = LONGEST) -> str:
    """Return a name in characters of the font, shortened in its middle if it is long."""
    text = "".join(c if ord(c) in glyphs() else c.encode("unicode_escape").decode() for c in printable(name))
    return shortened(text, longest)


def style(i: int) -> dict[str, Any]:
    """Return the style of the i-th contender."""
    parts = (COLOURS, LINES, MARKERS)
    return dict(zip(("color", "linestyle", "marker"), (part[i % len(part)] for part in parts), strict=True))


def number_text(value: float, _: int | None = None) -> str:
    """Return a number in the form of axis labels: 0.01, 500, 10⁻⁴."""
    if value == 0 or 0.01 <= abs(value) < 10_000:
        return f"{value:g}"
    mantissa, power = f"{value:.2e}".split("e")
    front = f"{float(mantissa):g}"
    return f"{'' if front == '1' else f'{front}·'}10{str(int(power)).translate(POWERS)}"


def time_text(seconds: float, _: int | None = None) -> str:
    """Return a time in the form of axis labels: 100 ns, 20 ms, 1 s."""
    unit, scale = next(((unit, scale) for unit, scale in UNITS if abs(seconds) >= 0.9999 * scale), ("s", 1.0))
    return f"{float(f'{seconds / scale:.3g}'):,g} {unit}"


def spaced(texts: Sequence[str], centimetres: float) -> list[str]:
    """Return the labels of even ticks below an axis, without those for which there is no room."""
    step = max(1, ceil(len(texts) * ROOM_CM / centimetres))
    return [text if i % step == 0 else "" for i, text in enumerate(texts)]


def set_axis(axes: Any, side: str, frame: TimeAxis, label: str, text: Callable[..., str] = time_text) -> None:
    """Set scale, range, ticks and label of an axis of times, x or y; `text` labels a tick."""
    scale = "log" if frame.log else "linear"
    axes.set(**{f"{side}scale": scale, f"{side}lim": (frame.low, frame.high), f"{side}label": label})
    axis = getattr(axes, f"{side}axis")
    ticks = time_ticks(frame)
    axis.set_major_locator(FixedLocator(ticks))
    axis.set_minor_locator(NullLocator())
    texts = [text(tick) for tick in ticks]
    axis.set_major_formatter(FixedFormatter(spaced(texts, across(axes)) if side == "x" and frame.log else texts))
    axes.grid(True)
    axes.set_axisbelow(True)


def across(axes: Any) -> float:
    """Return the width in cm that an axis below a figure has, beside what stands at its sides."""
    return float(axes.figure.get_size_inches()[0]) / CM * AXIS_SHARE


def time_ticks(frame: TimeAxis) -> list[float]:
    """Return the ticks of an axis of times; a narrow logarithmic axis also has ticks at 2 and 5."""
    if frame.log:
        narrow = frame.high < 200 * frame.low
        ticks = LogLocator(subs=(1.0, 2.0, 5.0) if narrow else (1.0,), numticks=9).tick_values(frame.low, frame.high)
    else:
        ticks = MaxNLocator(6, steps=[1, 2, 5, 10]).tick_values(frame.low, frame.high)
    return [float(t) for t in ticks if frame.low <= t <= frame.high]


def limit_line(axes: Any, side: str, limit: float, place: float | None = None) -> None:
    """Draw the time limit across an axis of times, x or y, or at its position on an axis of positions."""
    line = {"color": GREY, "linestyle": "--", "linewidth": 0.8, "zorder": 1}
    note = {"text": f"limit {time_text(limit)}", "textcoords": "offset points", "annotation_clip": False}
    note |= {"fontsize": SIZE - 2, "color": GREY}
    at = limit if place is None else place
    if side == "x":
        axes.axvline(at, **line)
        axes.annotate(xy=(at, 0), xycoords=("data", "axes fraction"), xytext=(2, 4), rotation=90, **note)
    else:
        axes.axhline(at, **line)
        axes.annotate(xy=(0, at), xycoords=("axes fraction", "data"), xytext=(3, 2), **note)


def count_axis(axis: Axis) -> None:
    """Label an axis of whole numbers."""
    axis.set_major_locator(MaxNLocator(integer=True, steps=[1, 2, 5, 10]))
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))


def add_legend(made: Any, handles: list[Any], labels: list[str]) -> None:
    """Add a legend below the axes, in as many columns as fit, and enlarge the figure by its height."""
    width, height = made.get_size_inches()
    for columns in range(min(4, len(handles)), 0, -1):
        legend = made.legend(
            handles,
            [str(i) for i in range(len(handles))],  # matplotlib leaves out labels that begin with _
            loc="outside lower center",
            ncols=columns,
            frameon=False,
            handlelength=3,
            columnspacing=1.5,
        )
        for text, label in zip(legend.get_texts(), labels, strict=True):
            text.set_text(label)
        box = legend.get_window_extent(made.canvas.get_renderer())
        if box.width <= width * made.dpi or columns == 1:
            break
        legend.remove()
    made.set_size_inches(width, height + box.height / made.dpi)


def label_ends(axes: Any, handles: list[Any], labels: list[str]) -> None:
    """Write names beside the ends of lines, in their colours, as far apart as their letters are high."""
    axes.figure.draw_without_rendering()
    box, high, above = axes.get_window_extent(), SIZE * axes.figure.dpi / 72, float("inf")
    known = [(line, label) for line, label in zip(handles, labels, strict=True) if len(line.get_xdata())]
    ends = [axes.transData.transform((line.get_xdata()[-1], line.get_ydata()[-1]))[1] for line, _ in known]
    for at, (line, label) in sorted(zip(ends, known, strict=True), key=lambda end: -end[0]):
        above = min(above - high, float(min(at, box.y1)))
        place = (1.01, (above - box.y0) / box.height)
        note = axes.annotate(
            "", place, xycoords="axes fraction", va="center", fontsize=SIZE - 1, color=line.get_color()
        )
        note.set_text(label)
