"""Scores of the competitions in optimisation, each as points by contender and instance.

pb, maxsat           instances with an objective that it decided: an optimum, or that there is no solution. Equal
                     numbers by time.
maxsat-anytime       (1 + best known cost) / (1 + cost), 0 without a solution: incomplete track of the MaxSAT
                     Evaluations, as the tables of 2022 have it: the mean is over all instances. Costs are not negative.
minizinc             points against each other contender, by the rules of the MiniZinc challenge: 1 if better, 0 if
                     worse; if both are as good, the other's share of their times in whole seconds. Better is: solved,
                     or proved, or of a better value, in this order. The time of what is not proved is the limit.
minizinc-2021        the same, but the worse of two unproved answers of different value gets 1/2 instead of 0, as the
                     points of 2021, 2024 and 2025 were published.
minizinc-2013        the same as minizinc, but times are not rounded down: as published from 2013 to 2016.
minizinc-incomplete  without proofs: solved is better than unsolved; then 1 for a better value, 1/2 for an equal one.
                     Instances without an objective as in minizinc (text of the rules of 2025).
minizinc-area        area below the values over time, scaled to those of all contenders, as the challenge's script
                     computes it (2024): the smaller the better. For instances with an objective.
primal-integral      mean primal gap to the best known value, over the time up to the limit; 1 before the first solution
                     (T. Berthold, Measuring the impact of primal heuristics, 2013).
gap                  the gap at the limit.
best                 1 for the best known value, or a proof that there is no solution. Equal numbers by time.
xcsp3, target, count  against_best.py

The rules of the challenge: https://www.minizinc.org/challenge/2024/rules, "Assessment".
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import pairwise

import numpy as np

from harness.reporting.frame.objectives import gap
from harness.reporting.frame.searches import Search, Searches
from harness.reporting.statistics.courses import TimedValue
from harness.reporting.statistics.estimates import Floats
from harness.reporting.views.comparing.measures import ScoreName
from harness.reporting.views.ranking.against_best import beyond, inside, time_to_target, with_one_count, xcsp3
from puzzles.problem.arrays import BoolArray, Int64Array

ANYTIME = "maxsat-anytime is for costs that are not negative"


class NoScore(ValueError):
    """A score does not apply to these instances; the text says why."""


@dataclass(frozen=True)
class ObjectiveScore:
    """Points of a score, and the instances that count; the score is their sum over these, or their mean.

    most     most points per instance, by the number of contenders
    unfit    why instances may have no points, which are NaN
    smaller  the smaller score is better        ties  equal scores are ordered by the time of what was decided
    seconds  the score is a time, up to twice the limit
    beyond   numbers of answers by contender that lie beyond the score's margin, None without one
    """

    points: Callable[[Searches], Floats]
    counts: Callable[[Searches], BoolArray]
    most: Callable[[int], float] = lambda _: 1.0
    sums: bool = True
    smaller: bool = False
    unfit: str = ""
    ties: bool = False
    seconds: bool = False
    beyond: Callable[[Searches], Int64Array] | None = None


def by_search(of: Searches, value: Callable[[Search, int], float]) -> Floats:
    """Return `value` of each search and the position of its instance."""
    return np.array([[value(one, i) for i, one in enumerate(row)] for row in of.rows], np.float64).reshape(of.shape)


def with_objective(of: Searches) -> BoolArray:
    return of.goal


def with_known_value(of: Searches) -> BoolArray:
    """Return True for instances with an objective of which a solution is known."""
    known = np.array([value is not None for value in of.known], np.bool_)
    counted: BoolArray = of.goal & known
    return counted


def every(of: Searches) -> BoolArray:
    return np.ones(len(of.known), np.bool_)


def proved(of: Searches) -> Floats:
    """Return 1 where a contender decided an instance."""
    return of.proved.astype(np.float64)


def anytime(of: Searches) -> Floats:
    """Return the points of maxsat-anytime, NaN for an instance with a negative cost. Raises NoScore if all have one."""
    costs = [[of.known[i], *(one.value for one in of.column(i))] for i in range(of.shape[1])]
    negative = np.array([min((cost for cost in some if cost is not None), default=0) < 0 for some in costs], np.bool_)
    if negative.any() and negative[of.goal].all():
        raise NoScore(ANYTIME)

    def points(one: Search, i: int) -> float:
        best = of.known[i]
        if negative[i]:
            return np.nan
        return 0.0 if one.value is None or best is None else (1 + best) / (1 + one.value)

    return by_search(of, points)


def compared(of: Searches, pair: Callable[[Search, Search, float], float]) -> Floats:
    """Return the sum of a contender's points against each other one, by instance; `pair` gets the limit too."""
    points = np.zeros(of.shape)
    for i in range(of.shape[1]):
        column = of.column(i)
        for a, mine in enumerate(column):
            if mine.solved:
                points[a, i] = sum(pair(mine, other, of.limit) for b, other in enumerate(column) if b != a)
    return points


def order(mine: Search, other: Search) -> int:
    """Compare a search that solved its instance with another: 1 if better, -1 if worse, 0 if equal."""
    for better in (mine.solved - other.solved, mine.proved - other.proved):
        if better:
            return better
    if mine.value == other.value or mine.value is None or other.value is None:
        return 0
    return 1 if mine.value < other.value else -1


def shared(mine: Search, other: Search, limit: float, unit: Callable[[float], float] = int) -> float:
    """Return the other's share of the times of two equally good searches, each in whole seconds."""
    own, others = (unit(one.end if one.proved else limit) for one in (mine, other))
    return others / (own + others) if own + others else 0.5


def challenge(mine: Search, other: Search, limit: float, unit: Callable[[float], float] = int) -> float:
    """Return the points of one search against another by the rules of the MiniZinc challenge."""
    better = order(mine, other)
    return shared(mine, other, limit, unit) if not better else float(better > 0)


def challenge_2013(mine: Search, other: Search, limit: float) -> float:
    """Return the points as published from 2013 to 2016: times have fractions."""
    return challenge(mine, other, limit, float)


def challenge_2021(mine: Search, other: Search, limit: float) -> float:
    """Return the points as published in 2021: the worse of two unproved values gets 1/2."""
    unproved = mine.value is not None and other.value is not None and not (mine.proved or other.proved)
    return 0.5 if unproved and order(mine, other) < 0 else challenge(mine, other, limit)


def incomplete(mine: Search, other: Search, limit: float) -> float:
    """Return the points without proofs, of an instance with an objective."""
    if not other.solved:
        return 1.0
    if mine.value == other.value:
        return 0.5
    if mine.value is None or other.value is None:
        return float(other.value is None)
    return float(mine.value < other.value)


def without_proofs(of: Searches) -> Floats:
    """Return the points of minizinc-incomplete."""
    found: Floats = np.where(of.goal, compared(of, incomplete), compared(of, challenge))
    return found


def area(of: Searches) -> Floats:
    """Return the area of each search, as a share of the limit."""
    points = np.ones(of.shape)
    for i in np.flatnonzero(of.goal).tolist():
        column = of.column(i)
        starts = [one.course[0].value for one in column if one.course]
        finals = [one.value for one in column if one.value is not None]
        for a, one in enumerate(column):
            points[a, i] = area_of(one, max(starts, default=0), min(finals, default=0), of.limit)
    return points


def area_of(one: Search, worst: int, best: int, limit: float) -> float:
    """Return the area of a search between the worst first value and the best last one of all contenders."""
    end = one.end if one.proved else limit
    if one.value is None:
        return end / limit
    course = one.course or (TimedValue(end, one.value),)
    first, spread = course[0].seconds, worst - best
    if spread > 0:
        steps = [TimedValue(0.0, worst), *course]
        stepped = sum((a.value - best) / spread * (b.seconds - a.seconds) for a, b in pairwise(steps))
        middle = 0.5 * stepped + 0.5 * (course[-1].value - best) / spread * (end - course[-1].seconds)
    else:
        middle = 0.5 * first
    return (0.25 * first + middle + 0.25 * end) / limit


def primal_integral(of: Searches) -> Floats:
    """Return the mean gap over the time up to the limit."""

    def mean(one: Search, i: int) -> float:
        best = of.known[i]
        if best is None:
            return 1.0
        gaps = [1.0, *(gap(found.value, best) for found in one.course)]
        times = [0.0, *(min(found.seconds, of.limit) for found in one.course), of.limit]
        return sum(g * (b - a) for g, (a, b) in zip(gaps, pairwise(times), strict=True)) / of.limit

    return by_search(of, mean)


def final_gap(of: Searches) -> Floats:
    """Return the gap at the limit."""

    def last(one: Search, i: int) -> float:
        best = of.known[i]
        return 1.0 if best is None else gap(one.value, best)

    return by_search(of, last)


def best_value(of: Searches) -> Floats:
    """Return 1 where a contender has the best known value, or shows that there is no solution."""

    def reached(one: Search, i: int) -> float:
        return float(one.solved and one.value == of.known[i])

    return by_search(of, reached)


def against_others(contenders: int) -> float:
    return float(contenders - 1)


OBJECTIVE_SCORE = {
    "best": ObjectiveScore(best_value, with_objective, ties=True),
    "maxsat": ObjectiveScore(proved, with_objective, ties=True),
    "pb": ObjectiveScore(proved, with_objective, ties=True),
    "maxsat-anytime": ObjectiveScore(anytime, with_objective, sums=False, unfit=ANYTIME),
    "minizinc": ObjectiveScore(lambda of: compared(of, challenge), every, against_others),
    "minizinc-2013": ObjectiveScore(lambda of: compared(of, challenge_2013), every, against_others),
    "minizinc-2021": ObjectiveScore(lambda of: compared(of, challenge_2021), every, against_others),
    "minizinc-incomplete": ObjectiveScore(without_proofs, every, against_others),
    "minizinc-area": ObjectiveScore(area, with_objective, sums=False, smaller=True),
    "xcsp3": ObjectiveScore(xcsp3, every),
    "target": ObjectiveScore(time_to_target(Fraction(1)), with_known_value, sums=False, smaller=True, seconds=True),
    "count": ObjectiveScore(partial(inside, percent=None, factor=None), with_one_count),
    "primal-integral": ObjectiveScore(primal_integral, with_known_value, sums=False, smaller=True),
    "gap": ObjectiveScore(final_gap, with_known_value, sums=False, smaller=True),
}


def objective_score(name: ScoreName) -> ObjectiveScore:
    """Return one of OBJECTIVE_SCORES; of `target` and `count` that with the margin of its name."""
    score, percent, factor = OBJECTIVE_SCORE[name.base], name.percent, name.factor
    if name.base == "count":
        points = partial(inside, percent=percent, factor=factor)
        return replace(score, points=points, beyond=partial(beyond, percent=percent, factor=factor))
    return score if percent is None else replace(score, points=time_to_target(percent))
