"""Searches for the best solution as columns of the page, and the curves of plots/anytime.py.

Values have the sign of the source. Those that a column can't hold stand as text in `big`, by their position.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from harness.reporting.frame.objectives import ObjectiveResults
from harness.reporting.frame.results import Results
from harness.reporting.frame.searches import Searches, searches
from harness.reporting.page.container import Container, zigzag
from harness.reporting.statistics.courses import Integers
from harness.reporting.views.figures import anytime
from harness.reporting.views.figures.definitions import Curve
from harness.storing.problems import MAXIMISE
from puzzles.problem.arrays import BoolArray, Int64Array

MOST_IN_COLUMN = 1 << 50  # values below fit a column
MOST_DIFFERENT = 6  # instances that are drawn at once
MOST_REFUTED = 3  # of them with a refuted bound
POINTS = 200  # of a curve
DIGITS = 6
MICRO = 1e6


def maximised(results: Results) -> BoolArray:
    """Return bool[n], True where the source of an instance maximises."""
    outlines = results.journal.problems.outlines
    found: BoolArray = np.array([outlines[p].objective == MAXIMISE for p in results.listed.problems.tolist()])
    return found


def add_values(values: Integers, into: Container) -> dict[str, Any]:
    """Add a column of values of any size; return its index, and as texts the values that the column can't hold."""
    large = (np.abs(values) >= MOST_IN_COLUMN).astype(np.bool_)
    small: Int64Array = np.where(large, 0, values).astype(np.int64)
    big = {int(i): str(values[i]) for i in np.flatnonzero(large)}
    return {"held": into.add(zigzag(small)), "big": big}


def course_columns(best: ObjectiveResults, maximise: BoolArray, into: Container) -> dict[str, Any]:
    """Add the steps of a contender by instance and time; `kind` is 0 for a value and 1 for a bound."""
    both = best.courses, best.bounds
    at = np.concatenate([of.instance for of in both]) - 1
    seconds, values = (np.concatenate([getattr(of, name) for of in both]) for name in ("seconds", "value"))
    kinds = np.repeat((0, 1), [len(of.instance) for of in both])
    order = np.lexsort((seconds, at))
    return {
        "count": into.add(np.bincount(at, minlength=len(maximise))),
        "micro": into.add(np.rint(seconds[order] * MICRO).astype(np.int64)),
        "kind": into.add(kinds[order]),
        "value": add_values((np.where(maximise[at], -1, 1) * values)[order], into),
    }


def search_part(results: Results, into: Container) -> dict[str, Any] | None:
    """Return the part of the header on searches, None without objectives; the curves are of the whole journal."""
    if results.best_known is None:
        return None
    names, maximise = list(results.by_name), maximised(results)
    of = searches(results, names, "wall")
    bands, means = anytime.gap_by_time(of, names)
    different = anytime.most_different(of, means, MOST_DIFFERENT)
    wrong = sorted({refuted.puzzle - 1 for refuted in results.refuted_bounds})
    return {
        "sense": into.add(np.where(of.goal, 1 + maximise, 0)),
        "some": into.add(of.some),
        "known": add_values(np.where(maximise, -1, 1) * of.best, into),
        "courses": [course_columns(c.best, maximise, into) for c in results.contenders if c.best],
        "gap": [band_of(band) for band in bands],
        **curves_of(of, names),
        "different": list(dict.fromkeys([*wrong[:MOST_REFUTED], *different]))[:MOST_DIFFERENT],
        "percent": float(anytime.PERCENT),
    }


def curves_of(of: Searches, names: Sequence[str]) -> dict[str, Any]:
    """Return the curves of shares by kind."""
    found = {
        "proved": anytime.proved_by_time(of, names),
        "quality": anytime.quality(of, names),
        "target": anytime.target(of, names),
    }
    return {kind: [curve_of(curve) for curve in curves] for kind, curves in found.items()}


def curve_of(curve: Curve) -> dict[str, list[float]]:
    """Return the points of a curve; if there are many, only those that are drawn."""
    step = max(1, -(-len(curve.x) // POINTS))
    kept = sorted({*range(0, len(curve.x), step), len(curve.x) - 1} - {-1})
    return {"x": rounded(curve.x[kept]), "y": rounded(curve.y[kept])}


def band_of(band: anytime.Band) -> dict[str, list[float]]:
    return {"x": rounded(band.x), "y": rounded(band.y), "low": rounded(band.low), "high": rounded(band.high)}


def rounded(values: Iterable[float]) -> list[float]:
    return [float(f"{value:.{DIGITS}g}") for value in values]
