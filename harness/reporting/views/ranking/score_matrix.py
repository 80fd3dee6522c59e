"""Matrix of a score of `--rank`: a cell has the score of its contender, of several the best.

A cell is marked as best of its row or column if the contenders of all others there are shown to be behind its own, by
the tests of a ranking. Scores against other contenders (borda, minizinc) are against all of the journal.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from harness.reporting.frame.entries import Summary
from harness.reporting.frame.results import Results
from harness.reporting.frame.summary import on_clock
from harness.reporting.views.comparing.matrix import Matrix, MatrixCell, Pivot, Scored, empty_cells, matrix
from harness.reporting.views.comparing.measures import MEASURES
from harness.reporting.views.ranking.named import parsed
from harness.reporting.views.ranking.ranks import scored_columns, standing
from puzzles.problem.arrays import Int64Array


def matrix_of(results: Results, summary: Summary, pivot: Pivot) -> Matrix:
    """Return the matrix of a measure, or of a score. Raises BadUsage if the score does not apply."""
    if pivot.measure in MEASURES:
        return matrix(results, summary, pivot)
    cells = empty_cells([on_clock(c, pivot.clock) for c in summary["contenders"]], pivot)
    scored = fill(cells, results, pivot)
    limits = results.limits
    limit = limits.of(pivot.clock), limits.clock_for(pivot.clock)
    return Matrix(pivot, cells, limit=limit, scored=scored)


def fill(cells: list[list[MatrixCell]], results: Results, pivot: Pivot) -> Scored:
    """Give each cell the best score of its contenders, and mark the best of each row and column."""
    name, limit = parsed(pivot.measure), results.limits.of(pivot.clock)
    c, score, mask = scored_columns(results, name, pivot.clock)
    found = Scored(name.described, score.smaller, score.seconds, int(mask.sum()), results.size)
    if not c.seconds.size:
        return found
    s = standing(c, score, limit)
    values = score.of_means(s.value, c.seconds.shape[1]).tolist()
    position = {contender: i for i, contender in enumerate(c.names)}
    best: dict[tuple[str, str], int] = {}
    for cell in (cell for line in cells for cell in line if not cell.wrong):
        known = [position[contender] for contender in cell.contenders if contender in position]
        if known:
            best[cell.row, cell.column] = first = min(known, key=s.place.tolist().__getitem__)
            cell.value = values[first]
    if s.after is not None:
        for line in cells:
            mark(line, best, s.place, s.after, "best_of_row")
        for column in zip(*cells, strict=True):
            mark(column, best, s.place, s.after, "best_of_column")
    return found


def mark(
    line: Sequence[MatrixCell],
    best: dict[tuple[str, str], int],
    place: Int64Array,
    after: np.ndarray[Any, Any],
    flag: str,
) -> None:
    """Mark the best cell of a line if tests show it to be better than all others."""
    known = [(cell, best[cell.row, cell.column]) for cell in line if (cell.row, cell.column) in best]
    if len(known) < 2:
        return
    first, winner = min(known, key=lambda pair: int(place[pair[1]]))
    if all(after[winner, other] for cell, other in known if cell is not first):
        setattr(first, flag, True)
