"""Pure functions from raw times to figures. Times are nanoseconds in, seconds out."""

from dataclasses import dataclass

import numpy as np

from backends.answer import BoolArray, Int64Array

NANO = 1e9


@dataclass(frozen=True)
class PerPuzzle:
    """One contender's outcomes, one row a puzzle: repeats are folded, the median time and the worst verdict.

    puzzles  int64[n], ascending       wall  float64[n], seconds
    """

    puzzles: Int64Array
    wall: "np.ndarray[tuple[int], np.dtype[np.float64]]"


def median_by_puzzle(puzzles: Int64Array, values: Int64Array) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
    """The median over repeats, puzzles ascending; `puzzles` and `values` go side by side."""
    order = np.lexsort((values, puzzles))
    sorted_puzzles, sorted_values = puzzles[order], values[order].astype(np.float64)
    starts = np.flatnonzero(np.diff(sorted_puzzles, prepend=-1))
    counts = np.diff(starts, append=len(sorted_puzzles))
    low, high = starts + (counts - 1) // 2, starts + counts // 2
    result: np.ndarray[tuple[int], np.dtype[np.float64]] = (sorted_values[low] + sorted_values[high]) / 2
    return result


def any_by_puzzle(puzzles: Int64Array, flags: BoolArray, size: int) -> BoolArray:
    """Of puzzles 1..size: whether any repeat has the flag; index 0 is unused."""
    result = np.zeros(size + 1, np.bool_)
    result[puzzles[flags]] = True
    return result


def spread(seconds: "np.ndarray[tuple[int], np.dtype[np.float64]]") -> dict[str, float | None]:
    """total, median, mean, p95 and max, or None for each where there is nothing."""
    if not len(seconds):
        return dict.fromkeys(("total", "median", "mean", "p95", "max"))
    return {
        "total": float(seconds.sum()),
        "median": float(np.median(seconds)),
        "mean": float(seconds.mean()),
        "p95": float(np.quantile(seconds, 0.95)),
        "max": float(seconds.max()),
    }


def par(
    seconds: "np.ndarray[tuple[int], np.dtype[np.float64]]", puzzles: int, limit: float, factor: int
) -> float | None:
    """Mean of the time where solved and of `factor` times the limit where not; `seconds` are those of the solved."""
    return float((seconds.sum() + factor * limit * (puzzles - len(seconds))) / puzzles) if puzzles else None
