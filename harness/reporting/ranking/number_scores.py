"""Ranking by a number that contenders count or print, such as conflicts: its mean, the smaller the better.

Instances count that every contender with the number decided. Times do not matter.
"""

from collections.abc import Sequence

import numpy as np

from harness.model.errors import BadUsage
from harness.reporting.log_statistics import by_instance, require_known
from harness.reporting.ranking.scores import Score
from harness.reporting.results import Results
from harness.reporting.statistics import Floats
from puzzles.problem.arrays import BoolArray


def numbers(results: Results, name: str) -> dict[str, Floats]:
    """Return float64[n] by contender that has the number, NaN where not decided or not known. Raises BadUsage."""
    require_known(results.journal, name, "--rank")
    every = {who: np.where(c.decided, by_instance(results, c, name), np.nan) for who, c in results.by_name.items()}
    found = {who: values[1:] for who, values in every.items() if not np.isnan(values[1:]).all()}
    if not found:
        raise BadUsage(f"--rank {name}: no contender has this number of an instance that it decided")
    return found


def score_of_number(results: Results, name: str, contenders: Sequence[str]) -> tuple[Score, BoolArray]:
    """Return the score of contenders with this number, and bool[n], the instances that count. Raises BadUsage."""
    every = numbers(results, name)
    values = np.array([every[who] for who in contenders])
    mask: BoolArray = np.asarray(~np.isnan(values).any(axis=0))
    if not mask.any():
        raise BadUsage(f"--rank {name}: no instance has this number from all contenders that have some: leave out some")
    points = values[:, mask]
    most = float(points.max())
    return Score(lambda _: points, lambda *_: most, smaller=True, timed=False, alone=True), mask
