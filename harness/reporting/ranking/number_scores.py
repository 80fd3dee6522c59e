"""Ranking by a number that contenders count or print, such as conflicts: its mean, the smaller the better.

Instances count that every contender with the number decided. Times do not matter.
"""

import numpy as np

from harness.model.errors import BadUsage
from harness.reporting.comparing.measures import OBJECTIVE_SCORES, SCORES
from harness.reporting.log_statistics import by_instance, names_of
from harness.reporting.ranking.scores import Score
from harness.reporting.results import Results
from harness.reporting.statistics import Floats
from puzzles.problem.arrays import BoolArray

MEANING = "mean over the instances that all contenders with the number decided; less is better"


def numbers(results: Results, name: str) -> dict[str, Floats]:
    """Return float64[n] by contender that has the number, NaN where not decided or not known. Raises BadUsage."""
    known = names_of(results.journal)
    if name not in known:
        scores = ", ".join((*SCORES, *OBJECTIVE_SCORES))
        raise BadUsage(
            f"{name!r} is no score: choose from {scores}, or a number that contenders count: {', '.join(known)}"
        )
    every = {who: np.where(c.decided, by_instance(results, c, name), np.nan) for who, c in results.by_name.items()}
    found = {who: values[1:] for who, values in every.items() if not np.isnan(values[1:]).all()}
    if not found:
        raise BadUsage(f"--rank {name}: no contender has this number of an instance that it decided")
    return found


def score_of_number(values: Floats) -> tuple[Score, BoolArray]:
    """Return the score of numbers, float64[contenders, n], and bool[n], the instances that count. Raises BadUsage."""
    mask: BoolArray = np.asarray(~np.isnan(values).any(axis=0))
    if not mask.any():
        raise BadUsage("no instance has this number from every contender that has some: leave out contenders")
    points = values[:, mask]
    most = float(points.max())
    return Score(lambda _: points, lambda *_: most, smaller=True, timed=False, alone=True), mask
