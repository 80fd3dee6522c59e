"""Text of a matrix, and its CSV table."""

from collections.abc import Sequence
from dataclasses import replace

from harness.reporting.comparing.matrix import Cell, Matrix
from harness.reporting.comparing.measures import NUMBERS
from harness.reporting.printable import MARKDOWN, markdown_text, wrapped
from harness.reporting.results import CLOCK_NAMES
from harness.reporting.tables import csv_value, format_number, format_seconds, format_table, plural


def matrix_text(matrix: Matrix, fmt: str, width: int | None = None) -> str:
    """Return the matrix as text. If it is wider than a terminal of `width` characters it is split."""
    if fmt == "csv":
        return matrix_csv(matrix)
    if fmt == "latex":
        return f"{drawn(matrix, range(len(matrix.cells[0])), fmt)}\n% {caption(matrix)}"
    groups = column_groups(matrix, fmt, width)
    if len(groups) > 1 and len(matrix.cells) > 1 and matrix.reference is None:
        turned = transposed(matrix)
        if len(other := column_groups(turned, fmt, width)) < len(groups):
            matrix, groups = turned, other
    count = f"of {len(matrix.cells[0])}, {plural(len(matrix.cells), 'row')}:\n"
    titles = [f"columns {some[0] + 1} to {some[-1] + 1} {count}" if len(groups) > 1 else "" for some in groups]
    below = markdown_text(caption(matrix)) if fmt in MARKDOWN else wrapped(caption(matrix))
    parts = (title + drawn(matrix, some, fmt) for title, some in zip(titles, groups, strict=True))
    return "\n\n".join([*parts, below])


def drawn(matrix: Matrix, some: Sequence[int], fmt: str) -> str:
    """Return some columns of a matrix as a table."""
    heads = [f"{matrix.pivot.rows} \\ {matrix.pivot.columns}", *(matrix.cells[0][i].column for i in some)]
    rows = [[line[0].row, *(cell_text(matrix, line[i]) for i in some)] for line in matrix.cells]
    return format_table(heads, rows, fmt)


def transposed(matrix: Matrix) -> Matrix:
    """Return a matrix of values with its rows as columns."""
    pivot = matrix.pivot._replace(rows=matrix.pivot.columns, columns=matrix.pivot.rows)

    def turned(cell: Cell) -> Cell:
        marked = replace(cell, best_of_row=cell.best_of_column, best_of_column=cell.best_of_row)
        return replace(marked, row=cell.column, column=cell.row)

    return replace(matrix, pivot=pivot, cells=[list(map(turned, line)) for line in zip(*matrix.cells, strict=True)])


def column_groups(matrix: Matrix, fmt: str, width: int | None) -> list[list[int]]:
    """Split columns into groups, in a terminal as large as fit `width` characters when drawn."""
    groups: list[list[int]] = [[]]
    for column in range(len(matrix.cells[0])):
        if width and fmt == "table" and groups[-1] and drawn(matrix, [*groups[-1], column], fmt).index("\n") > width:
            groups.append([])
        groups[-1].append(column)
    return groups


def cell_text(matrix: Matrix, cell: Cell) -> str:
    """Return a cell: a value or a ratio with its interval, and marks, for which every cell has room."""
    if cell.wrong:
        return "WRONG"
    if cell.by_machine:
        return " / ".join(f"{format_number(ratio)}x" for ratio in cell.by_machine)
    if cell.value is None:
        return "-"
    marks = ("<" if cell.best_of_row else " ") if len(matrix.cells[0]) > 1 and matrix.reference is None else ""
    marks += ("^" if cell.best_of_column else " ") if len(matrix.cells) > 1 else ""
    if matrix.reference is None:
        show = format_seconds if matrix.timed else format_number
        return show(cell.value) + (f" ({cell.measured:,}/{cell.of:,})" if cell.partial else "") + marks
    if cell.row == matrix.reference:
        return f"1x{marks}"
    ends = "?" if cell.low is None or cell.high is None else f"{format_number(cell.low)}, {format_number(cell.high)}"
    return f"{format_number(cell.value)}x [{ends}]{marks}"


def caption(matrix: Matrix) -> str:
    """Return the line below a matrix: the measure, the combination of contenders, and the marks."""
    pivot, several = matrix.pivot, any(len(cell.contenders) > 1 for line in matrix.cells for cell in line)
    parts = [f"{pivot.measure} of {pivot.rows} by {pivot.columns}" + (" (CPU time)" if pivot.clock == "cpu" else "")]
    if matrix.scored:
        counted, every = matrix.scored.counted, matrix.scored.of
        parts += [matrix.scored.described, *[f"{counted:,} of {plural(every, 'instance')} count"] * (counted < every)]
    if matrix.limit:
        parts.append(f"limit {matrix.limit[0]:g} s of {CLOCK_NAMES[matrix.limit[1]]}")
    if matrix.reference is not None:
        parts.append(
            f"ratio to {matrix.reference}, geometric mean over contenders that differ in {pivot.rows} alone"
            " [99 % interval, ? if only one pair]"
        )
        if matrix.machines:
            parts.append(f"a / b: of machine types that do not agree ({'; '.join(matrix.machines)})")
    elif several:
        parts.append(f"{'best' if matrix.scored else 'minimum'} over the contenders of a cell")
    if any(cell.partial for line in matrix.cells for cell in line):
        parts.append("(n/m): of n instances alone, of m that others decided, so not marked beside them")
    lowest = "lowest" if pivot.measure in NUMBERS else "significantly lowest"
    if matrix.scored:
        lowest = "shown to be the best"
    marks = [f"< {lowest} of its row"] * (len(matrix.cells[0]) > 1 and matrix.reference is None)
    marks += [f"^ {lowest} of its column"] * (len(matrix.cells) > 1)
    return "; ".join([*parts, *([", ".join(marks)] if marks else [])])


def matrix_csv(matrix: Matrix) -> str:
    """Return the matrix with plain numbers; with ratios, each column is followed by the two ends of its interval."""
    ends = ("value", "low", "high") if matrix.reference is not None else ("value",)
    heads = [f"{matrix.pivot.rows} \\ {matrix.pivot.columns}"]
    heads += [cell.column + (f" {end}" if end != "value" else "") for cell in matrix.cells[0] for end in ends]
    rows = [
        [line[0].row, *("wrong" if cell.wrong else csv_value(getattr(cell, end)) for cell in line for end in ends)]
        for line in matrix.cells
    ]
    return format_table(heads, rows, "csv")
