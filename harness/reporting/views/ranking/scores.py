"""Scores by which the field ranks solvers, each as points by contender and instance.

    points   float64[contenders, instances]; the score is their mean over instances, or their sum

par2, par10       time, or 2 (10) times the limit where not decided. PAR-2 ranks the SAT competitions since 2017; PAR-10
                  is of F. Hutter, H. Hoos, K. Leyton-Brown, T. Stützle, ParamILS, JAIR 36, 2009.
sgm               shifted geometric mean exp(mean(log(time + s))) - s of times, the limit where not decided: neither the
                  shortest nor the longest times dominate. H. Mittelmann, Benchmarks for optimization software; M. R.
                  Bussieck, S. P. Dirkse, S. Vigerske, PAVER 2.0, J. Global Optimization 59, 2014 (s = 10 seconds).
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
from dataclasses import dataclass, replace

import numpy as np

from harness.reporting.statistics.differences import MOST_TESTED
from harness.reporting.statistics.estimates import Floats, marginal, penalised
from harness.reporting.views.comparing.measures import SHIFT
from puzzles.problem.arrays import Int64Array

STEP = 0.01  # change of the factor by which slopes are measured
MOST_STEPS = 200_000_000  # contenders cubed times instances, for slopes


@dataclass(frozen=True)
class Performance:
    """Data for a score, in columns; a score takes the columns that it needs.

    seconds  float64[contenders, instances], NaN where not decided (timeout, error, wrong, not asked)
    limit    seconds per instance, of the clock that the seconds are of
    """

    seconds: Floats
    limit: float


@dataclass(frozen=True)
class Score:
    """Points of a score, and how they are added up.

    unfit    why some instances have no points, which are NaN; '' if all have points
    smaller  the smaller score is better             asked    a mean over the instances asked, else over all
    sums     a sum over instances, else a mean        seconds  the score is a time, else a number
    timed    it needs trusted times                   most     most points per instance, from limit and contenders
    alone    the times of others do not matter        ties     equal scores are ordered by the time of what was decided
    beyond   int64[contenders], numbers of answers beyond the margin of the score, None without one
    shift    seconds: the points are log(1 + time / shift), and the score is a shifted geometric mean
    """

    points: Callable[[Performance], Floats]
    most: Callable[[float, int], float]
    smaller: bool = False
    unfit: str = ""
    asked: bool = False
    sums: bool = False
    seconds: bool = False
    timed: bool = True
    alone: bool = False
    ties: bool = False
    shift: float = 0.0
    beyond: Int64Array | None = None

    def of_means(self, points: Floats, instances: int) -> Floats:
        """Return the score for each mean of points over so many instances."""
        if self.shift:
            return self.shift * np.expm1(points)
        return points * (instances if self.sums else 1)


def solved(of: Performance) -> Floats:
    """Return 1 where decided, else 0."""
    found: Floats = (~np.isnan(of.seconds)).astype(np.float64)
    return found


def borda(of: Performance) -> Floats:
    """Return the points against all other contenders."""
    decided, times = ~np.isnan(of.seconds), np.nan_to_num(of.seconds)
    points = np.zeros_like(times)
    for i, mine in enumerate(times):
        both = times + mine
        share = np.divide(times, both, out=np.full_like(both, 0.5), where=both > 0)
        gained = np.where(decided, share, 1.0) * decided[i]
        points[i] = gained.sum(axis=0) - gained[i]
    return points


def shapley(worth: Floats) -> Floats:
    """Return the Shapley values by instance, if the worth of a coalition is that of its best member.

    Each step of `worth`, 0 or more, above the next smaller one is shared by all contenders that reach it.
    """
    order = worth.argsort(axis=0)
    rises = np.diff(np.take_along_axis(worth, order, axis=0), axis=0, prepend=0)
    shares = np.cumsum(rises / np.arange(len(worth), 0, -1)[:, None], axis=0)
    values = np.empty_like(worth)
    np.put_along_axis(values, order, shares, axis=0)
    return values


def saved(of: Performance) -> Floats:
    """Return the seconds of PAR-2 that a single contender saves."""
    found: Floats = 2 * of.limit - penalised(of.seconds, of.limit)
    return found


def sort_keys(score: Score, seconds: Floats, points: Floats, share: float) -> Floats:
    """Return points by which the smaller mean is better; equal numbers of instances are ordered by time.

    `share` is the weight of a second: so small that all times together weigh less than one instance.
    """
    found: Floats = points if score.smaller else -points
    return found + np.nan_to_num(seconds) * share if score.ties else found


def share_of_time(seconds: Floats) -> float:
    """Return the weight of a second between contenders that decided equally many instances."""
    most = float(np.fmax.reduce(seconds, axis=None, initial=0.0))  # without NaN
    return 1 / (most * max(1, len(seconds.T)) + 1)


def slopes(score: Score, of: Performance, asked: Floats) -> Floats:
    """Return float64[contenders, contenders]: the change of the key of c, per e, by a factor exp(e) on the times of d.

    It is measured with e = STEP; for many contenders on a part of the instances, and for too many not at all (0).
    """
    share, n = share_of_time(of.seconds), len(of.seconds)
    if not score.alone:
        every = -(-of.seconds.size * n**2 // MOST_STEPS)
        of, asked = replace(of, seconds=of.seconds[:, ::every]), asked[:, ::every]
    counts = np.maximum(asked.sum(axis=1), 1)

    def keys(times: Floats) -> Floats:
        return sort_keys(score, times, score.points(replace(of, seconds=times)), share)

    before = keys(of.seconds)

    def change(times: Floats) -> Floats:
        found: Floats = ((keys(times) - before) * asked).sum(axis=1) / counts / STEP
        return found

    if score.alone:
        return np.diag(change(of.seconds * (1 + STEP)))
    found = np.zeros((n, n))
    for d in range(n) if n <= MOST_TESTED else ():
        moved = of.seconds.copy()
        moved[d] *= 1 + STEP
        found[:, d] = change(moved)
    return found


def par(factor: int) -> Score:
    """Return the score PAR-k."""
    return Score(
        lambda of: penalised(of.seconds, of.limit, factor),
        lambda limit, _: factor * limit,
        smaller=True,
        asked=True,
        seconds=True,
        alone=True,
    )


def shifted(shift: float) -> Score:
    """Return the shifted geometric mean of times, with a shift in seconds."""
    return Score(
        lambda of: np.log1p(penalised(of.seconds, of.limit, 1) / shift),
        lambda limit, _: float(np.log1p(limit / shift)),
        smaller=True,
        asked=True,
        seconds=True,
        alone=True,
        shift=shift,
    )


SCORE = {
    "par2": par(2),
    "par10": par(10),
    "sgm": shifted(SHIFT),
    "solved": Score(solved, lambda *_: 1, sums=True, timed=False, alone=True, ties=True),
    "borda": Score(borda, lambda _, contenders: contenders - 1, sums=True),
    "vbs": Score(lambda of: marginal(of.seconds, of.limit), lambda limit, _: 2 * limit, seconds=True),
    "shapley": Score(lambda of: shapley(saved(of)), lambda limit, _: 2 * limit, seconds=True),
    "shapley-solved": Score(lambda of: shapley(solved(of)), lambda *_: 1, sums=True, timed=False),
}
