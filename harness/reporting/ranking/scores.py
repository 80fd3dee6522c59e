"""Scores by which the field ranks solvers, each as points by contender and instance.

    seconds  float64[contenders, instances], NaN where not decided (timeout, error, wrong, not asked)
    limit    seconds per instance, of the clock that the seconds are of
    points   float64[contenders, instances]; the score is their mean over instances, or their sum

par2, par10       time, or 2 (10) times the limit where not decided. PAR-2 ranks the SAT competitions since 2017; PAR-10
                  is of F. Hutter, H. Hoos, K. Leyton-Brown, T. Stützle, ParamILS, JAIR 36, 2009.
solved            instances decided; equal numbers by the time spent on them, as in the pseudo-Boolean competitions.
borda             "complete scoring procedure" of the MiniZinc challenge for satisfaction problems: of two contenders
                  that decided an instance, each gets the other's share of their times, 1/2 each if both are 0; if one
                  decided it, it gets 1; if none did, both get 0. Rules of 2024, "Assessment",
                  https://www.minizinc.org/challenge/2024/rules. There times are cut to whole seconds.
vbs               marginal contribution: how much worse PAR-2 of the virtual best is without the contender. L. Xu,
                  F. Hutter, H. Hoos, K. Leyton-Brown, Evaluating component solver contributions, SAT 2012.
shapley           mean of what the contender adds to those before it, over all their orders. A. Fréchette, L. Kotthoff,
                  T. Michalak, T. Rahwan, H. Hoos, K. Leyton-Brown, Using the Shapley value to analyze algorithm
                  portfolios, AAAI 2016. A coalition is worth the PAR-2 that its virtual best saves.
shapley-solved    the same if a coalition is worth the instances that its members decide.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from harness.reporting.ranking.differences import MOST_TESTED
from harness.reporting.statistics import Floats, marginal, penalised

STEP = 0.01  # of the factor by which slopes are measured
MOST_STEPS = 200_000_000  # contenders cubed times instances, for slopes


@dataclass(frozen=True)
class Score:
    """Points of a score, and how they are added up.

    smaller  the smaller score is better             asked    a mean over the instances asked, else over all
    sums     the sum over instances, no mean         seconds  the score is a time, else a number
    timed    it needs times that can be trusted      most     the most points on an instance: of limit, contenders
    alone    the times of others do not matter
    """

    points: Callable[[Floats, float], Floats]
    most: Callable[[float, int], float]
    smaller: bool = False
    asked: bool = False
    sums: bool = False
    seconds: bool = False
    timed: bool = True
    alone: bool = False


def solved(seconds: Floats, _: float) -> Floats:
    """Return 1 where decided, else 0."""
    found: Floats = (~np.isnan(seconds)).astype(np.float64)
    return found


def borda(seconds: Floats, _: float) -> Floats:
    """Return the points against all other contenders."""
    decided, times = ~np.isnan(seconds), np.nan_to_num(seconds)
    points = np.zeros_like(times)
    for i, mine in enumerate(times):
        both = times + mine
        share = np.divide(times, both, out=np.full_like(both, 0.5), where=both > 0)
        gained = np.where(decided, share, 1.0) * decided[i]
        points[i] = gained.sum(axis=0) - gained[i]
    return points


def shapley(worth: Floats) -> Floats:
    """Return the Shapley values by instance, if a coalition is worth the most that one of its members is.

    Of `worth`, 0 or more, each rise above the next smaller one is shared by all that reach it.
    """
    order = worth.argsort(axis=0)
    rises = np.diff(np.take_along_axis(worth, order, axis=0), axis=0, prepend=0)
    shares = np.cumsum(rises / np.arange(len(worth), 0, -1)[:, None], axis=0)
    values = np.empty_like(worth)
    np.put_along_axis(values, order, shares, axis=0)
    return values


def saved(seconds: Floats, limit: float) -> Floats:
    """Return the seconds of PAR-2 that a contender alone saves."""
    found: Floats = 2 * limit - penalised(seconds, limit)
    return found


def sort_keys(score: Score, seconds: Floats, points: Floats, share: float) -> Floats:
    """Return points by which the smaller mean is better; equal numbers of instances are told apart by their time.

    `share` is that of a second: so little that all times together are less than one instance.
    """
    found: Floats = points if score.smaller else -points
    return found + np.nan_to_num(seconds) * share if score is SCORE["solved"] else found


def share_of_time(seconds: Floats) -> float:
    """Return what a second counts for between contenders that decided as many instances."""
    most = float(np.nan_to_num(seconds).max(initial=0.0))
    return 1 / (most * max(1, len(seconds.T)) + 1)


def slopes(score: Score, seconds: Floats, asked: Floats, limit: float) -> Floats:
    """Return float64[contenders, contenders]: how much a factor exp(e) on the times of d changes the key of c, per e.

    It is measured with e = STEP, of many contenders on a part of the instances, and unknown (0) of too many.
    """
    share, n = share_of_time(seconds), len(seconds)
    if not score.alone:
        every = -(-seconds.size * n**2 // MOST_STEPS)
        seconds, asked = seconds[:, ::every], asked[:, ::every]
    keys, counts = sort_keys(score, seconds, score.points(seconds, limit), share), np.maximum(asked.sum(axis=1), 1)

    def change(times: Floats) -> Floats:
        moved = (sort_keys(score, times, score.points(times, limit), share) - keys) * asked
        found: Floats = moved.sum(axis=1) / counts / STEP
        return found

    if score.alone:
        return np.diag(change(seconds * (1 + STEP)))
    found = np.zeros((n, n))
    for d in range(n) if n <= MOST_TESTED else ():
        moved = seconds.copy()
        moved[d] *= 1 + STEP
        found[:, d] = change(moved)
    return found


def par(factor: int) -> Score:
    """Return the score PAR-k."""
    return Score(
        partial(penalised, factor=factor),
        lambda limit, _: factor * limit,
        smaller=True,
        asked=True,
        seconds=True,
        alone=True,
    )


SCORE = {
    "par2": par(2),
    "par10": par(10),
    "solved": Score(solved, lambda *_: 1, sums=True, timed=False, alone=True),
    "borda": Score(borda, lambda _, contenders: contenders - 1, sums=True),
    "vbs": Score(marginal, lambda limit, _: 2 * limit, seconds=True),
    "shapley": Score(lambda seconds, limit: shapley(saved(seconds, limit)), lambda limit, _: 2 * limit, seconds=True),
    "shapley-solved": Score(
        lambda seconds, limit: shapley(solved(seconds, limit)), lambda *_: 1, sums=True, timed=False
    ),
}
