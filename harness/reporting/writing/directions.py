"""Which value of a number is the better one: the only table of it, for all that mark, order or fold values.

Scores state theirs with their definition (harness/reporting/views/ranking/scores.py, objective_scores.py).
"""

from collections.abc import Iterable
from enum import IntEnum

from harness.model.outcome import OUTSIDE, PHASES


class Direction(IntEnum):
    """Sign by which values are compared: the largest value times it is the best; 0 if none is better."""

    LESS = -1
    NEITHER = 0
    MORE = 1


VERSUS = "vs best"  # begins a column of each machine type
DECIDED = ("solved", "sat", "unsat", "certified", "formula certified", "optimal", "infeasible", "best")
FAILED = ("timeout", "memory", "unknown", "unsupported", "error", "wrong", "bad proof", "unchecked", "no proof")
SECONDS = ("median", "mean", "p95", "max", "total", "CPU", "wall", "PAR-2", "to best", *PHASES, *OUTSIDE)
DIRECTIONS = {
    **dict.fromkeys((*DECIDED, "puzzles/s"), Direction.MORE),
    **dict.fromkeys((*FAILED, *SECONDS, VERSUS, "peak", "none", "gap", "dropped"), Direction.LESS),
    **dict.fromkeys(("feasible", "improvements", "cores", "CPU/wall"), Direction.NEITHER),
}


def direction(column: str) -> Direction:
    """Return the direction of a column of a report."""
    return DIRECTIONS[VERSUS if column.startswith(f"{VERSUS} ") else column]


def best(column: str, values: Iterable[float]) -> float | None:
    """Return the best value of a column, None without values, or if none is better."""
    sign = direction(column)
    return max(values, key=lambda value: sign * value, default=None) if sign else None
