"""Table of a matrix."""

from dataclasses import replace

from harness.reporting.frame.results import CLOCK_NAMES
from harness.reporting.views.comparing.matrix import Matrix, MatrixCell
from harness.reporting.views.comparing.measures import COUNTED, NUMBERS
from harness.reporting.writing.fitting import split
from harness.reporting.writing.numbers import format_number, format_ratio
from harness.reporting.writing.table import Cell, Column, ResultTable, Unit, table_of
from harness.reporting.writing.writers import written
from puzzles.errors import plural


def matrix_text(matrix: Matrix, fmt: str, width: int | None = None) -> str:
    """Return the matrix as text. If it is wider than a terminal of `width` characters it is turned or split."""
    table = matrix_table(matrix)
    if fmt != "table" or not width:
        return written(table, fmt)
    parts = split(table, width)
    if len(parts) > 1 and len(matrix.cells) > 1 and matrix.reference is None:
        turned = split(matrix_table(transposed(matrix)), width)
        parts = turned if len(turned) < len(parts) else parts
    return "\n\n".join(written(part, fmt) for part in parts)


def matrix_table(matrix: Matrix) -> ResultTable:
    """Return a matrix as a table."""
    heads = [Column(cell.column, unit_of(matrix), interval=matrix.reference is not None) for cell in matrix.cells[0]]
    rows = [[line[0].row, *(matrix_cell(matrix, cell) for cell in line)] for line in matrix.cells]
    below = caption(matrix)
    corner = f"{matrix.pivot.rows} \\ {matrix.pivot.columns}"
    return table_of((corner, *heads), rows, caption=below, comments=(below,))


def transposed(matrix: Matrix) -> Matrix:
    """Return a matrix of values with its rows as columns."""
    pivot = matrix.pivot._replace(rows=matrix.pivot.columns, columns=matrix.pivot.rows)

    def turned(cell: MatrixCell) -> MatrixCell:
        marked = replace(cell, best_of_row=cell.best_of_column, best_of_column=cell.best_of_row)
        return replace(marked, row=cell.column, column=cell.row)

    return replace(matrix, pivot=pivot, cells=[list(map(turned, line)) for line in zip(*matrix.cells, strict=True)])


def unit_of(matrix: Matrix) -> Unit:
    """Return the unit of a matrix's values."""
    return Unit.SECONDS if matrix.timed else Unit.NUMBER


def matrix_cell(matrix: Matrix, cell: MatrixCell) -> Cell:
    """Return a cell: a value or a ratio with its interval, and marks, for which every cell has room."""
    if cell.wrong:
        return Cell("wrong", "WRONG", "wrong", "wrong")
    if cell.by_machine:
        return Cell(cell.value, " / ".join(map(format_ratio, cell.by_machine)), cell.low, cell.high)
    if cell.value is None:
        return Cell(None, "-")
    marks = ("<" if cell.best_of_row else " ") if len(matrix.cells[0]) > 1 and matrix.reference is None else ""
    marks += ("^" if cell.best_of_column else " ") if len(matrix.cells) > 1 else ""
    if matrix.reference is None:
        words = unit_of(matrix).text(cell.value) + (f" ({cell.measured:,}/{cell.of:,})" if cell.partial else "")
    elif cell.row == matrix.reference:
        words = "1x"
    else:
        ends = "?" if cell.low is None or cell.high is None else ", ".join(map(format_number, (cell.low, cell.high)))
        words = f"{format_ratio(cell.value)} [{ends}]"
    return Cell(cell.value, words, cell.low, cell.high, marks)


def caption(matrix: Matrix) -> str:
    """Return the line below a matrix: the measure, the combination of contenders, and the marks."""
    pivot, several = matrix.pivot, any(len(cell.contenders) > 1 for line in matrix.cells for cell in line)
    summed = "total " if pivot.measure in COUNTED else ""
    clock = " (CPU time)" if pivot.clock == "cpu" else ""
    parts = [f"{summed}{pivot.measure} of {pivot.rows} by {pivot.columns}{clock}"]
    if matrix.scored:
        counted, every = matrix.scored.counted, matrix.scored.of
        parts.append(matrix.scored.described)
        if counted < every:
            parts.append(f"{counted:,} of {plural(every, 'instance')} count")
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
    marks = [f"< {lowest} of its row"] if len(matrix.cells[0]) > 1 and matrix.reference is None else []
    marks += [f"^ {lowest} of its column"] if len(matrix.cells) > 1 else []
    return "; ".join([*parts, *([", ".join(marks)] if marks else [])])
