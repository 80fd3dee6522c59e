"""Ranking of contenders by a score, with bootstrap intervals over instances and groups that do not differ.

A contender with a wrong answer ranks behind all others, as SAT competitions disqualify it; its right answers count, and
the wrong ones are undecided. One whose times can't be trusted has no score that needs them, and no rank.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from backends.answer import BoolArray, Int8Array, Int64Array
from harness.model.errors import BadUsage
from harness.reporting.plots import definitions
from harness.reporting.plots.bootstrap import LEVEL, MOST, resamples
from harness.reporting.ranking.differences import MOST_TESTED, different, groups_of, mean_ranks, ranks
from harness.reporting.ranking.scores import SCORE, Score, sort_keys
from harness.reporting.results import Results, State
from harness.reporting.statistics import Floats, penalised

Method = Literal["linear", "lower", "higher"]


@dataclass(frozen=True)
class Columns:
    """Contenders to be ranked: seconds float64[contenders, instances], NaN where not decided; asked, bool of the same.

    wrong  bool[contenders], contenders with a wrong answer
    """

    names: tuple[str, ...]
    seconds: Floats
    asked: BoolArray
    wrong: BoolArray


@dataclass(frozen=True)
class Ranked:
    """One contender: its score and rank with the ends of their 95 % intervals, and its mean rank over instances.

    All numbers are None if its times can't be trusted, or if it was asked nothing.
    """

    name: str
    wrong: bool
    rank: int | None = None
    rank_low: int | None = None
    rank_high: int | None = None
    score: float | None = None
    low: float | None = None
    high: float | None = None
    mean_rank: float | None = None


@dataclass(frozen=True)
class Ranking:
    """Contenders by a score, the best first. `groups` are names by mean rank; None for too many contenders to test.

    limit            seconds that an undecided instance is charged by, which are of the clock `limit_clock`
    proofs_required  an unsatisfiable answer counts only with a proof that holds
    """

    score: str
    clock: str
    instances: int
    contenders: tuple[Ranked, ...]
    groups: tuple[tuple[str, ...], ...] | None
    limit: float
    limit_clock: str
    proofs_required: bool

    def as_dict(self) -> dict[str, Any]:
        """Return JSON-compatible data (docs/summary.md)."""
        groups = None if self.groups is None else [list(group) for group in self.groups]
        return vars(self) | {"contenders": [vars(c) for c in self.contenders], "groups": groups, "level": LEVEL}


def rank(results: Results, by: str, clock: str = "wall") -> Ranking:
    """Rank the contenders of results by one of SCORES. Raises BadUsage on any other."""
    if by not in SCORE:
        raise BadUsage(f"{by!r} is no score: choose from {', '.join(SCORE)}")
    limits, timed = results.limits, columns(results, clock, timed=True)
    limit = limits.of(clock)
    c = timed if SCORE[by].timed else columns(results, clock, timed=False)
    means, groups = mean_ranks_and_groups(timed, limit)
    entries = [replace(one, mean_rank=means.get(one.name)) for one in ranked(c, SCORE[by], limit)]
    entries += [Ranked(name, has_wrong(one.state)) for name, one in results.by_name.items() if name not in c.names]
    used = limit, limits.clock_for(clock), results.proofs_required
    return Ranking(by, clock, results.size, tuple(entries), groups, *used)


def columns(results: Results, clock: str, timed: bool) -> Columns:
    """Return the contenders that were asked something; with `timed` those whose times can be trusted.

    Times that can't be are the limit.
    """
    some = [c for c in definitions.columns(results, clock) if c.asked.any() and (c.timed or not timed)]
    shape, limit = (len(some), results.size), results.limits.of(clock)
    times = [c.seconds if c.timed else np.where(c.decided, limit, np.nan) for c in some]
    return Columns(
        tuple(c.name for c in some),
        np.array(times, np.float64).reshape(shape),
        np.array([c.asked for c in some], np.bool_).reshape(shape),
        np.array([has_wrong(c.state) for c in some], np.bool_),
    )


def has_wrong(state: Int8Array) -> bool:
    return bool((state == State.WRONG).any())


def ranked(c: Columns, score: Score, limit: float) -> list[Ranked]:
    """Return the contenders, the best first, equal ones in their order."""
    if not c.names:
        return []
    n = c.seconds.shape[1]
    points = score.points(c.seconds, limit)
    keys = sort_keys(score, c.seconds, points)
    asked = c.asked.astype(np.float64) if score.asked else np.ones_like(points)
    value, key = (means(of, asked, np.ones((1, n))) for of in (points, keys))
    part, unit, drawn, places = np.sqrt(min(n, MOST) / n), rounding_unit(key), [], []
    for at in resamples(n):
        weights = weights_of(at, n)
        drawn.append(value + (means(points, asked, weights) - value) * part)
        places.append(ranks_with_wrong_last(key + (means(keys, asked, weights) - key) * part, c.wrong, unit))
    place = ranks_with_wrong_last(key, c.wrong, unit)
    found, scale = [], n if score.sums else 1
    numbers = zip(*place, *ends(places, "lower", "higher"), *value * scale, *ends(drawn) * scale, strict=True)
    for name, wrong, row in zip(c.names, c.wrong, numbers, strict=True):
        found.append(Ranked(name, bool(wrong), *map(int, row[:3]), *map(float, row[3:])))
    return [found[i] for i in place[0].argsort(kind="stable")]


def means(values: Floats, asked: Floats, weights: Floats) -> Floats:
    """Return float64[rows, contenders], the means of values over the instances asked, by weights[rows, instances]."""
    found: Floats = weights @ (values * asked).T / np.maximum(weights @ asked.T, 1)
    return found


def ends(drawn: Sequence[Floats | Int64Array], low: Method = "linear", high: Method = "linear") -> Floats:
    """Return float64[2, contenders], the ends of the percentile interval of drawn[rows, contenders]."""
    rows, tail = np.concatenate(drawn), (1 - LEVEL) / 2
    return np.array([np.quantile(rows, tail, 0, method=low), np.quantile(rows, 1 - tail, 0, method=high)])


def rounding_unit(keys: Floats) -> float:
    """Return what keys differ by, at the least, if they differ by more than rounding errors."""
    return float(np.abs(keys).max(initial=0.0)) * 1e-12 or 1.0


def ranks_with_wrong_last(keys: Floats, wrong: BoolArray, unit: float) -> Int64Array:
    """Return the ranks within each row of keys[rows, contenders], the smallest first, behind them the wrong ones.

    Keys that are equal in whole units share a rank: sums of the same points in another order may differ by rounding.
    """
    steps = np.rint(keys / unit)
    return ranks(steps + wrong * (np.ptp(steps) + 1))


def weights_of(drawn: Int64Array, n: int) -> Floats:
    """Return float64[rows, n], how often each of n instances is drawn, from positions int64[rows, drawn]."""
    rows = len(drawn)
    places = drawn + np.arange(rows)[:, None] * n
    return np.bincount(places.ravel(), minlength=rows * n).reshape(rows, n).astype(np.float64)


def mean_ranks_and_groups(c: Columns, limit: float) -> tuple[dict[str, float], tuple[tuple[str, ...], ...] | None]:
    """Return mean ranks by PAR-2's times of the instances asked of all contenders, and groups that do not differ."""
    times = penalised(c.seconds, limit)[:, c.asked.all(axis=0)]
    if not times.size:
        return {}, ()
    means = mean_ranks(times.T).mean(axis=0)
    found = None
    if len(means) <= MOST_TESTED:
        order = means.argsort(kind="stable")
        found = tuple(tuple(c.names[i] for i in group) for group in groups_of(order, different(times)))
    return dict(zip(c.names, means.tolist(), strict=True)), found
