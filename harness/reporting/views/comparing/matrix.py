"""Matrix of a measure: one field of the contenders as rows, another as columns.

If every cell has one contender, it shows the contender's value. If cells have several, their values can't be compared:
a cell shows the ratio to a reference row, the geometric mean over pairs of contenders that differ only in the row's
field. A value is marked as lowest only if it differs significantly from the others of its row or column.

On several machine types there is one ratio, the mean, if the types agree, else a ratio for each type.
"""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

import numpy as np

from harness.model.errors import BadUsage
from harness.reporting.frame.entries import ContenderEntry, Summary, field_of
from harness.reporting.frame.results import ContenderResults, Results
from harness.reporting.frame.summary import on_clock
from harness.reporting.statistics.estimates import Floats, Ratio, mean_interval, widen, worker_margin
from harness.reporting.statistics.pooling import AGREE, pool
from harness.reporting.views.comparing.measures import (
    DEFAULT_MEASURE,
    DEFAULT_PIVOT,
    FIELDS,
    MEASURES,
    NUMBERS,
    PARTS,
    SCALING,
    TIMES,
    score_name,
)
from puzzles.problem.arrays import BoolArray

OF_ALL = {"par2", "unsolved"}  # measures of all instances asked; the others are of those decided
AXES = {"family", "at-most-one", "linear", "table"}  # fields of an encoding
TINY_S = 1e-9  # a phase may take no time


class Pivot(NamedTuple):
    """Matrix that the arguments ask for. `fold` is "ratio" or "min", for cells with several contenders."""

    measure: str
    rows: str
    columns: str
    fold: str = "ratio"
    clock: str = "wall"


@dataclass
class MatrixCell:
    """Contenders at one place. `low` and `high`: interval of a ratio; `best_of_...`: significantly the lowest.

    by_machine  ratios by machine type, in order, if the types do not agree; then there is no `value`
    measured    number of instances behind the value, `of` those of the whole matrix; a mark needs equal instances
    """

    row: str
    column: str
    contenders: list[str] = field(default_factory=list)
    wrong: bool = False
    value: float | None = None
    low: float | None = None
    high: float | None = None
    best_of_row: bool = False
    best_of_column: bool = False
    by_machine: tuple[float, ...] = ()
    measured: int | None = None
    of: int | None = None

    @property
    def partial(self) -> bool:
        """True if the value covers fewer instances than other cells do."""
        return self.measured is not None and self.of is not None and self.measured < self.of


class Scored(NamedTuple):
    """Score of a matrix, in words; `counted` are the instances that count for it, of all those `of` the journal."""

    described: str
    smaller: bool
    seconds: bool
    counted: int
    of: int


@dataclass(frozen=True)
class Matrix:
    """Cells by row and column. `reference` is the row that ratios refer to, None if cells show values.

    limit   limit in seconds for PAR-2 and scores, and its clock; None for other measures
    scored  the score that cells show, None for a measure
    """

    pivot: Pivot
    cells: list[list[MatrixCell]]
    reference: str | None = None
    machines: tuple[str, ...] = ()
    limit: tuple[float, str] | None = None
    scored: Scored | None = None

    @property
    def timed(self) -> bool:
        """True if cells show seconds."""
        return self.reference is None and (self.scored.seconds if self.scored else self.pivot.measure in TIMES)

    def as_dict(self) -> dict[str, Any]:
        """Return the matrix as `--json` writes it."""
        cells = [asdict(cell) for line in self.cells for cell in line if cell.contenders]
        if not self.machines:
            for cell in cells:
                del cell["by_machine"]
        limit = self.limit and dict(zip(("seconds", "clock"), self.limit, strict=True))
        return self.pivot._asdict() | {"limit": limit, "reference": self.reference, "cells": cells}


def requested(
    measure: str | None, fields: str | None, fold: str = "ratio", only: bool = False, clock: str = "wall"
) -> Pivot | None:
    """Return the matrix that the arguments ask for, None without one, and for the scaling report. Raises BadUsage."""
    if measure == SCALING and fields is not None:
        raise BadUsage(f"--matrix {SCALING} has rows and columns of its own: leave out --pivot")
    if measure == SCALING or (measure is None and fields is None and not only):
        return None
    if measure is not None and measure not in MEASURES:
        try:
            score_name(measure)
        except ValueError:
            raise BadUsage(
                f"--matrix {measure}: known are {', '.join(MEASURES)}, {SCALING}, and scores of --rank"
            ) from None
    return Pivot(measure or DEFAULT_MEASURE, *parse_pivot(fields or DEFAULT_PIVOT), fold, clock)


def default_pivot(fold: str, clock: str) -> Pivot:
    """Return the matrix for arguments that ask for no particular one."""
    return Pivot(DEFAULT_MEASURE, *parse_pivot(DEFAULT_PIVOT), fold, clock)


def parse_pivot(text: str) -> tuple[str, str]:
    """Parse 'ROWS,COLUMNS' into two fields. Raises BadUsage."""
    down, _, across = text.partition(",")
    if not {down, across} <= set(FIELDS) or down == across:
        raise BadUsage(f"--pivot {text!r} is not ROWS,COLUMNS, two of {', '.join(FIELDS)}")
    if "encoding" in (down, across) and {down, across} & AXES:
        raise BadUsage(f"--pivot {text!r}: an encoding is a family with its axes: use at-most-one,family")
    return down, across


def matrix(results: Results, summary: Summary, pivot: Pivot) -> Matrix:
    """Return the matrix of a summary of `results`."""
    entries = {c["name"]: on_clock(c, pivot.clock) for c in summary["contenders"]}
    cells = empty_cells(list(entries.values()), pivot)
    clock, limits = clock_of(pivot), results.limits
    limit = (limits.of(clock), limits.clock_for(clock)) if pivot.measure == "par2" else None
    if pivot.fold == "ratio" and any(len(cell.contenders) > 1 for line in cells for cell in line):
        parts = [m["contenders"] for m in summary.get("machines", ())] or [summary["contenders"]]
        by_part = [{c["name"]: on_clock(c, pivot.clock) for c in part} for part in parts]
        several = tuple(map(str, results.machines)) if results.strata else ()
        return Matrix(pivot, cells, fill_ratios(cells, by_part, results, pivot), several, limit)
    fill_values(cells, entries, results, pivot)
    return Matrix(pivot, cells, limit=limit)


def empty_cells(entries: Sequence[ContenderEntry], pivot: Pivot) -> list[list[MatrixCell]]:
    """Return the cells with their contenders, without values."""
    down, across = FIELDS[pivot.rows], FIELDS[pivot.columns]
    rows, columns = (dict.fromkeys(map(text, entries)) for text in (down, across))
    cells = {row: {column: MatrixCell(row, column) for column in columns} for row in rows}
    for c in entries:
        cell = cells[down(c)][across(c)]
        cell.contenders.append(c["name"])
        cell.wrong |= bool(c["wrong"])
    return [list(line.values()) for line in cells.values()]


def fill_values(
    cells: list[list[MatrixCell]], entries: dict[str, ContenderEntry], results: Results, pivot: Pivot
) -> None:
    """Give each cell the lowest value of its contenders, and mark the lowest of each row and column."""
    value = MEASURES[pivot.measure]
    best: dict[tuple[str, str], str] = {}
    for cell in (cell for line in cells for cell in line if not cell.wrong):
        found = {name: v for name in cell.contenders if (v := value(entries[name])) is not None}
        if found:
            best[cell.row, cell.column] = name = min(found, key=lambda name: found[name])
            cell.value = found[name]

    sets = {place: instances_of(results.by_name[name], pivot) for place, name in best.items()}
    every = np.logical_or.reduce(list(sets.values())) if sets else np.zeros(0, np.bool_)
    for cell in (cell for line in cells for cell in line if (cell.row, cell.column) in sets):
        cell.measured, cell.of = int(sets[cell.row, cell.column].sum()), int(every.sum())

    def alike(line: Sequence[MatrixCell]) -> list[MatrixCell]:
        """Return the cells that were measured on all instances of their line."""
        known = [cell for cell in line if cell.value is not None]
        every = np.logical_or.reduce([sets[cell.row, cell.column] for cell in known]) if known else None
        return [cell for cell in known if (sets[cell.row, cell.column] == every).all()]

    def lower(a: MatrixCell, b: MatrixCell) -> bool:
        if pivot.measure in NUMBERS:  # counted, not measured
            return (a.value or 0) < (b.value or 0)
        x, y = (best[cell.row, cell.column] for cell in (a, b))
        ratios = [log_ratio(part, x, y, pivot) for part in results.strata or (results,)]
        pooled = pool(ratios).ratio if len(ratios) > 1 else ratios[0]
        return all(r.low > 0 for r in ([pooled] if pooled else ratios))

    for line in cells:
        if (winner := lowest(alike(line), lower)) is not None:
            winner.best_of_row = True
    for column in zip(*cells, strict=True):
        if (winner := lowest(alike(column), lower)) is not None:
            winner.best_of_column = True


def instances_of(c: ContenderResults, pivot: Pivot) -> BoolArray:
    """Return bool[n], the instances that a measure covers: those asked, or those decided."""
    return c.asked if pivot.measure in OF_ALL else c.decided


def lowest(cells: Sequence[MatrixCell], lower: Callable[[MatrixCell, MatrixCell], bool]) -> MatrixCell | None:
    """Return the cell with the lowest value if it is `lower` than all others, at least one; else None."""
    known = [cell for cell in cells if cell.value is not None]
    if len(known) < 2:
        return None
    first = min(known, key=lambda cell: cell.value or 0.0)
    return first if all(lower(first, cell) for cell in known if cell is not first) else None


def log_ratio(results: Results, a: str, b: str, pivot: Pivot) -> Ratio:
    """Return the ratio b / a of two contenders, paired over instances; the interval includes workers' variation."""
    sides = [results.by_name[name] for name in (a, b)]
    x, y = (instance_seconds(side, pivot, results.limits.of(clock_of(pivot))) for side in sides)
    both = ~np.isnan(x) & ~np.isnan(y)
    mean, low, high = mean_interval(np.log(np.maximum(y[both], TINY_S) / np.maximum(x[both], TINY_S)))
    effects = [side.times[clock_of(pivot)].effects for side in sides]
    n = min(map(len, effects))
    difference = effects[1][:n] - effects[0][:n]
    return widen(Ratio(mean, low, high, int(both.sum())), worker_margin(difference[~np.isnan(difference)]))


def clock_of(pivot: Pivot) -> str:
    """Return the clock of the measure."""
    return "cpu" if pivot.measure == "cpu" else pivot.clock


def instance_seconds(c: ContenderResults, pivot: Pivot, limit: float) -> Floats:
    """Return float64[n], seconds of a measure by instance; for par2, twice the limit where run and undecided."""
    if pivot.measure in c.phases:
        return c.phases[pivot.measure]
    seconds = c.times[clock_of(pivot)].seconds
    penalised: Floats = np.where(c.asked & ~c.decided, 2 * limit, seconds)
    return penalised if pivot.measure == "par2" else seconds


def fill_ratios(
    cells: list[list[MatrixCell]], entries: Sequence[dict[str, ContenderEntry]], results: Results, pivot: Pivot
) -> str:
    """Give each cell its ratio to the row with the most contenders; mark the lowest; return that row.

    Only contenders measured on the same instances are compared. `entries` has the contenders by machine type.
    """
    value, others = MEASURES[pivot.measure], set().union(*PARTS.values()) - PARTS[pivot.rows]
    # values of each cell's contenders, on each machine type, by what they have beside the row's field
    known: dict[tuple[str, str], dict[tuple[Any, ...], list[float]]] = {}
    sets: dict[tuple[str, str], dict[tuple[Any, ...], bytes]] = {}
    for cell in (cell for line in cells for cell in line if not cell.wrong):
        peers = {tuple(field_of(entries[0][n], part) for part in sorted(others)): n for n in cell.contenders}
        some = {peer: [v for of in entries if (v := value(of[n]))] for peer, n in peers.items()}
        sets[cell.row, cell.column] = {
            peer: instances_of(results.by_name[n], pivot).tobytes() for peer, n in peers.items()
        }
        known[cell.row, cell.column] = {peer: values for peer, values in some.items() if len(values) == len(entries)}

    def by_machine(a: MatrixCell, b: MatrixCell) -> Floats:
        """Return log(b / a) of the contenders in both: float64[machine types, contenders]."""
        x, y = (known.get((cell.row, cell.column), {}) for cell in (a, b))
        of, on = (sets.get((cell.row, cell.column), {}) for cell in (a, b))
        both = [peer for peer in x if peer in y and of[peer] == on[peer]]
        logs: Floats = np.log([[y[peer][i] / x[peer][i] for peer in both] for i in range(len(entries))])
        return logs

    def ratios(a: MatrixCell, b: MatrixCell) -> Floats:
        """Return log(b / a) of the contenders in both, the mean over machine types; none if the types differ."""
        logs = by_machine(a, b)
        return logs.mean(axis=0) if agree(logs) else np.empty(0)

    widest = max(cells, key=lambda line: sum(len(cell.contenders) for cell in line))
    for line in cells:
        for cell, base in zip(line, widest, strict=True):
            logs, apart = ratios(base, cell), by_machine(base, cell)
            if cell is base:
                cell.value = 1.0 if apart.size else None
            elif len(logs):
                mean, low, high = mean_interval(logs)
                cell.value = float(np.exp(mean))
                if len(logs) > 1:
                    cell.low, cell.high = float(np.exp(low)), float(np.exp(high))
            elif apart.size:
                cell.by_machine = tuple(np.exp(apart.mean(axis=1)).tolist())
    for column in zip(*cells, strict=True):
        winner = lowest(column, lambda a, b: len(logs := ratios(a, b)) > 1 and mean_interval(logs)[1] > 0)
        if winner is not None:
            winner.best_of_column = True
    return widest[0].row


def agree(logs: Floats) -> bool:
    """Return True if no machine type in logs[types, contenders] is far from the mean: Student's test with Bonferroni's
    correction.

    The contenders are the same on all types, so only differences between types count. With one contender there are none
    to test.
    """
    types, contenders = logs.shape
    if types == 1:
        return True
    if contenders < 2:
        return False
    ends = [mean_interval(row, 1 - AGREE / types) for row in logs - logs.mean(axis=0)]
    return all(low <= 0 <= high for _, low, high in ends)
