"""Matrix as a figure: a heat map with the texts that its table has."""

from typing import Any

import numpy as np
from matplotlib.colors import LogNorm, Normalize
from matplotlib.patches import Rectangle
from matplotlib.ticker import FuncFormatter

from harness.model.errors import BadUsage
from harness.reporting.plots.frame import TimeAxis
from harness.reporting.plots.request import Look
from harness.reporting.plots.style import CM, GREY, SIZE, figure, number_text, shown, time_text, time_ticks
from harness.reporting.views.comparing.matrix import Matrix
from harness.reporting.views.comparing.matrix_text import matrix_cell
from harness.reporting.writing.table import Unit

COLOURS = "cividis_r"  # made for colour blindness; the least is the lightest
ROW_CM = 0.55
REST_CM = 1.8
LETTER_CM = 0.13
TEXT_CM = 0.9  # width of a cell from which its text is drawn
DARK = 0.55  # position in the colours from which text on them is white


def draw(matrix: Matrix, look: Look) -> Any:
    """Return the figure of a matrix. Raises BadUsage."""
    values = np.array([[np.nan if c.value is None else c.value for c in line] for line in matrix.cells], np.float64)
    known = values[np.isfinite(values)]
    if not len(known):
        raise BadUsage(f"--plot matrix: nothing to draw: no cell has a value of {matrix.pivot.measure}")
    scale = colour_scale(known, look.log is not False)
    rows, across = values.shape
    heads = [shown(cell.column, 28) for cell in matrix.cells[0]]
    head = max(map(len, heads)) * LETTER_CM
    upright = head > look.width * 0.6 / across
    made = figure(look.width, REST_CM + ROW_CM * max(2, rows) + head * upright)
    axes = made.add_subplot()
    edges = np.arange(across + 1) - 0.5, np.arange(rows + 1) - 0.5
    image = axes.pcolormesh(*edges, np.ma.masked_invalid(values), cmap=COLOURS, norm=scale, antialiased=False)
    axes.invert_yaxis()  # the first row is on top
    axes.set_xticks(range(across), heads, rotation=90 if upright else 0)
    axes.set_yticks(range(rows), [shown(line[0].row, 28) for line in matrix.cells])
    axes.set(xlabel=matrix.pivot.columns, ylabel=matrix.pivot.rows)
    axes.tick_params(length=0)
    bar = made.colorbar(image, ax=axes, label=measure(matrix), ticks=scale_ticks(scale))
    bar.ax.minorticks_off()
    bar.ax.yaxis.set_major_formatter(FuncFormatter(time_text if matrix.timed else number_text))
    made.draw_without_rendering()
    wide = axes.get_window_extent().width / made.dpi / CM / across >= TEXT_CM
    write_cells(axes, matrix, scale, wide)
    return made


def colour_scale(known: Any, log: bool) -> Normalize:
    """Return the scale of colours, logarithmic only if all values are above 0."""
    low, high = float(known.min()), float(known.max())
    if log and low > 0:
        return LogNorm(low, high) if low < high else LogNorm(low / 2, low * 2)
    return Normalize(low, high if high > low else low + 1)


def scale_ticks(scale: Normalize) -> list[float]:
    """Return the ticks of a scale."""
    low, high = float(scale.vmin or 0.0), float(scale.vmax or 0.0)
    return time_ticks(TimeAxis(low, high, isinstance(scale, LogNorm), False))


def measure(matrix: Matrix) -> str:
    """Return the label of the colours."""
    pivot = matrix.pivot
    clock = " of CPU time" if pivot.clock == "cpu" else ""
    name = "PAR-2" if pivot.measure == "par2" else pivot.measure
    return f"{name}{clock}" if matrix.reference is None else f"{name}{clock}, ratio to {shown(matrix.reference, 28)}"


def write_cells(axes: Any, matrix: Matrix, scale: Normalize, wide: bool) -> None:
    """Write the value into each cell with enough room, and hatch cells with wrong answers."""
    for i, line in enumerate(matrix.cells):
        for j, cell in enumerate(line):
            if cell.wrong:
                axes.add_patch(
                    Rectangle((j - 0.5, i - 0.5), 1, 1, fill=False, hatch="////", edgecolor=GREY, linewidth=0)
                )
            if wide and cell.contenders:
                dark = cell.value is not None and scale(cell.value) > DARK
                text = matrix_cell(matrix, cell).text(Unit.NONE).split(" [")[0].rstrip(" <^")
                box = {"facecolor": "white", "edgecolor": "none", "pad": 0.8} if cell.wrong else None
                colour = "white" if dark else "black"
                axes.text(j, i, text, ha="center", va="center", fontsize=SIZE - 2, color=colour, bbox=box)
