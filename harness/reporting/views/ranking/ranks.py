"""Ranking of contenders by a score, with intervals over instances and workers, and groups of contenders that are not
distinguished.

A contender with a wrong answer ranks behind all others, as SAT competitions disqualify it; its right answers count, and
its wrong ones are undecided. A contender whose times can't be trusted has no rank and no score by time.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from harness.model.errors import BadUsage
from harness.model.rules import Placing
from harness.reporting.frame.results import Results, State
from harness.reporting.statistics.bootstrap import LEVEL, intervals, widened
from harness.reporting.statistics.differences import MOST_TESTED, Keys, behind, groups_of, mean_ranks, ranks
from harness.reporting.statistics.estimates import Floats, numbered, penalised
from harness.reporting.statistics.skewed import mean_intervals
from harness.reporting.statistics.steady import Steady, steady
from harness.reporting.statistics.workers import Workers, workers_of
from harness.reporting.views.comparing.measures import OWN_CONTRIBUTIONS, ScoreName
from harness.reporting.views.figures import definitions
from harness.reporting.views.ranking.named import is_timed, named_score, parsed, ranked_by, virtual_best
from harness.reporting.views.ranking.scores import SCORE, Performance, Score, share_of_time, slopes, sort_keys
from puzzles.problem.arrays import BoolArray, Int8Array, Int64Array


@dataclass(frozen=True)
class RankedColumns:
    """Contenders to be ranked: seconds float64[contenders, instances], NaN where not decided; asked, bool of the same.

    wrong   bool[contenders], contenders with a wrong answer; where rules count these, int64 of their number
    blocks  int64[instances], the block that held each, numbered from 0; the family, with `families`
    steady  times without drift; none if times do not count, each outcome has its own worker, or no pair is tested
    """

    names: tuple[str, ...]
    seconds: Floats
    asked: BoolArray
    wrong: BoolArray | Int64Array
    workers: Workers
    blocks: Int64Array
    steady: tuple[Steady, ...] = ()
    families: bool = False

    def among(self, instances: BoolArray) -> "RankedColumns":
        """Return the same of some instances, bool[n]; times without drift are left out."""
        return replace(
            self,
            seconds=self.seconds[:, instances],
            asked=self.asked[:, instances],
            blocks=self.blocks[instances],
            steady=(),
        )


@dataclass(frozen=True)
class Ranked:
    """One contender: its score and rank with the ends of their 95 % intervals, and its mean rank over instances.

    All numbers are None if its times can't be trusted, or if it was asked nothing. `low` and `high` allow for one more
    instance, decided at once or not at all. Of scores that are times `seen_low` and `seen_high` are of what was
    seen, and `ratio` is to the first. An `idle` one decided nothing, and has the worst score of all that are possible;
    `unsupported` instances, which it does not take, count as undecided.
    """

    name: str
    wrong: bool
    rank: int | None = None
    rank_low: int | None = None
    rank_high: int | None = None
    score: float | None = None
    low: float | None = None
    high: float | None = None
    seen_low: float | None = None
    seen_high: float | None = None
    idle: bool = False
    unsupported: int = 0
    ratio: float | None = None
    mean_rank: float | None = None


@dataclass(frozen=True)
class Ranking:
    """Contenders by a score, the best first, and `groups` of names that are not distinguished; None if too many.

    `instances` count for the score, of all those `of` the journal.

    workers  source of the variation between workers: "measured", "assumed" with one repeat, "unknown" if nobody says
             which worker ran what; None for scores that are no times
    sure     the least number of instances of a contender that decided all of its own; None without one
    limit            seconds charged for an undecided instance, on the clock `limit_clock`
    proofs_required  an unsatisfiable answer counts only with a proof that holds
    virtual_best     score of the best contender of each instance; None of a contribution
    families         field or file of the families that are resampled, and their number; None without
    event            the ranking's name in the rules of a competition, '' of a score alone
    """

    score: str
    clock: str
    instances: int
    contenders: tuple[Ranked, ...]
    groups: tuple[tuple[str, ...], ...] | None
    workers: str | None
    sure: int | None
    limit: float
    limit_clock: str
    proofs_required: bool
    of: int = 0
    virtual_best: float | None = None
    families: tuple[str, int] | None = None
    event: str = ""

    def as_dict(self) -> dict[str, Any]:
        """Return JSON-compatible data (docs/reference/summary.md)."""
        groups = None if self.groups is None else [list(group) for group in self.groups]
        return vars(self) | {"contenders": [vars(c) for c in self.contenders], "groups": groups, "level": LEVEL}


def rank(results: Results, by: str, clock: str = "wall", placing: Placing | None = None) -> Ranking:
    """Rank the contenders of results by a score (measures.py), under the rules of a competition if `placing` is given.

    Raises BadUsage if the name is none of a score.
    """
    name, limits, timed = parsed(by), results.limits, results.once(timed_columns, clock)
    limit = limits.of(clock)
    c, score, mask = scored_columns(results, name, clock)
    if placing is not None:
        c, score, mask = placed(results, placing, c, score, mask)
    means, (entries, groups) = mean_ranks_of(timed, limit), ranked(c, score, limit)
    least = next((one.score for one in entries if not one.wrong), None) if score.seconds and score.smaller else None
    entries = [
        replace(
            one,
            mean_rank=means.get(one.name),
            ratio=one.score / least if least and one.score else None,
            unsupported=unsupported(results.by_name[one.name].state, mask),
        )
        for one in entries
    ]
    entries += [Ranked(name, has_wrong(one.state)) for name, one in results.by_name.items() if name not in c.names]
    number, decided = c.asked.sum(axis=1), (~np.isnan(c.seconds)).sum(axis=1)
    sure = min(number[number == decided].tolist(), default=None)
    own = name.contribution or name.base in OWN_CONTRIBUTIONS
    best = None if own else virtual_best(score, Performance(c.seconds, limit))
    used = limit, limits.clock_for(clock), results.proofs_required
    known = "unknown" if any(one.one_worker for one in results.contenders) else c.workers.known
    workers = known if name.base in SCORE else None
    counted = int(mask.sum())
    event, of = placing.name if placing else "", results.sampled
    families = (of.by, of.number) if of else None
    return Ranking(
        by, clock, counted, tuple(entries), groups, workers, sure, *used, results.size, best, families, event
    )


def scored_columns(results: Results, name: ScoreName, clock: str) -> tuple[RankedColumns, Score, BoolArray]:
    """Return the contenders that a score ranks, the score, and bool[n], the instances that count. Raises BadUsage.

    Of a score of SCORE all instances count; of any other the columns have those alone that count.
    """
    c, score, mask = named_columns(results, name, clock, tested=True)
    if score.unfit:
        raise BadUsage(score.unfit)
    return (c if name.base in SCORE else c.among(mask)), score, mask


def placed(
    results: Results, placing: Placing, c: RankedColumns, score: Score, mask: BoolArray
) -> tuple[RankedColumns, Score, BoolArray]:
    """Return what `scored_columns` does under the rules of a ranking: its instances, its ties, its wrong answers.

    A mean is over all instances of the category, not over those asked.
    """
    category = instances_of(results, placing.of)
    if placing.disagreements == "removed":
        category &= ~disputed(results)
    errors = np.array([(results.by_name[name].state == State.WRONG).sum() for name in c.names], np.int64)
    errors += 0 if score.beyond is None else score.beyond
    costly = errors > (len(mask) if placing.wrong == "ignored" else placing.tolerated)
    c = replace(c, wrong=errors if placing.wrong == "counted" else costly)
    ties = score.ties if not placing.ties else placing.ties == "time"
    score = replace(score, asked=False, ties=ties)
    if category.all():
        return c, score, mask
    if c.seconds.shape[1] == results.size:
        return c.among(category), score, mask & category
    kept, points = category[mask], score.points
    return c.among(kept), replace(score, points=lambda of: points(of)[:, kept]), mask & category


def disputed(results: Results) -> BoolArray:
    """Return bool[n], instances that contenders without any wrong answer call satisfiable and unsatisfiable."""
    sound = [one for one in results.contenders if not has_wrong(one.state)]
    said = [np.zeros(results.size + 1, np.bool_), np.zeros(results.size + 1, np.bool_)]
    for one in sound:
        said[0] |= one.decided & one.unsatisfiable
        said[1] |= one.decided & ~one.unsatisfiable
    found: BoolArray = (said[0] & said[1])[1:]
    return found


def instances_of(results: Results, of: str) -> BoolArray:
    """Return bool[n], the instances of a category: `all`, or those with or without an objective."""
    goal: BoolArray = results.journal.instances.with_objective[1:]
    return {"all": np.ones(results.size, np.bool_), "optimisation": goal, "decision": ~goal}[of]


def named_columns(
    results: Results, name: ScoreName, clock: str, tested: bool
) -> tuple[RankedColumns, Score, BoolArray]:
    """Return the contenders in columns of all instances, a score, and bool[n]; without `tested` no pair is tested."""
    if is_timed(name):
        c = results.once(timed_columns if tested else untested_columns, clock)
    else:
        c = columns(results, clock, timed=False, tested=tested, among=ranked_by(results, name))
    return c, *named_score(results, name, clock, c.names)


def columns(
    results: Results, clock: str, timed: bool, tested: bool = True, among: Collection[str] | None = None
) -> RankedColumns:
    """Return the contenders that were asked something; with `timed` only those whose times can be trusted.

    Without `timed`, times that can't be trusted are the limit. `tested`: pairs of them will be tested. `among`: names
    of the contenders that are wanted, None for all.
    """
    some = [c for c in definitions.columns(results, clock) if c.asked.any() and (c.timed or not timed)]
    some = some if among is None else [c for c in some if c.name in among]
    shape, limit = (len(some), results.size), results.limits.of(clock)
    times = [c.seconds if c.timed else np.where(c.decided, limit, np.nan) for c in some]
    levels = steady_of(results, clock, some) if tested and len(some) > 1 else ()
    return RankedColumns(
        tuple(c.name for c in some),
        np.array(times, np.float64).reshape(shape),
        np.array([c.asked for c in some], np.bool_).reshape(shape),
        np.array([has_wrong(c.state) for c in some], np.bool_),
        workers_of([c.effects for c in some], [level.deviation for level in levels]),
        blocks_of(results),
        levels,
        results.sampled is not None,
    )


def timed_columns(results: Results, clock: str) -> RankedColumns:
    """Return the contenders whose times can be trusted, to be tested in pairs."""
    return columns(results, clock, timed=True)


def untested_columns(results: Results, clock: str) -> RankedColumns:
    """Return the contenders whose times can be trusted, without what tests of pairs need."""
    return columns(results, clock, timed=True, tested=False)


def blocks_of(results: Results) -> Int64Array:
    """Return the block of each instance, int64[n], numbered from 0; imported instances have their own blocks.

    Where families are stated these are the blocks: what is alike is resampled together.
    """
    if results.sampled is not None:
        return results.sampled.of
    own = np.arange(results.size)
    if results.facts.get("imported") is not None or not results.contenders:
        return own
    return numbered(np.max([c.block[1:] for c in results.contenders], axis=0))


def steady_of(results: Results, clock: str, some: Sequence[definitions.Series]) -> tuple[Steady, ...]:
    """Return the drift-free times of contenders, by instance; times that can't be trusted are left out."""
    every, trusted = np.arange(1, results.size + 1), [c.name for c in some if c.timed]
    levels = steady([results.by_name[name].times[clock].at(every) for name in trusted], blocks_of(results))
    known = dict(zip(trusted, levels, strict=True))
    unknown = Steady(np.full(results.size, np.nan), 0.0, 0.0)
    return tuple(known.get(c.name, unknown) for c in some)


def unsupported(state: Int8Array, mask: BoolArray) -> int:
    """Return the number of instances, of those that count, that a contender does not support."""
    return int(((state[1:] == State.UNSUPPORTED) & mask).sum())


def has_wrong(state: Int8Array) -> bool:
    return bool((state == State.WRONG).any())


@dataclass(frozen=True)
class Standing:
    """Contenders by a score: means, places from 1, and who is shown to be behind whom.

    points, asked  float64 and bool[contenders, instances]     value  float64[contenders], mean points
    place, order   int64[contenders]: ranks, and contenders, the best first, equal ones in their order
    slope          float64[contenders, contenders], as in workers.py
    after          bool[contenders, contenders], the second is shown to be behind the first; None if too many to test
    """

    points: Floats
    asked: BoolArray
    value: Floats
    place: Int64Array
    order: Int64Array
    slope: Floats
    after: BoolArray | None

    @property
    def first(self) -> Int64Array | None:
        """The best rank that each contender may have, None if no pair was tested."""
        return None if self.after is None else 1 + self.after.sum(axis=0)

    @property
    def last(self) -> Int64Array | None:
        """The worst rank that each contender may have, None if no pair was tested."""
        return None if self.after is None else len(self.order) - self.after.sum(axis=1)


def standing(c: RankedColumns, score: Score, limit: float) -> Standing:
    """Return the standing of one or more contenders by a score; with too many contenders no pair is tested."""
    performance = Performance(c.seconds, limit)
    points = score.points(performance)
    asked = c.asked if score.asked else np.ones_like(c.asked)
    keys = sort_keys(score, c.seconds, points, share_of_time(c.seconds))
    key = means(keys, asked)
    place = ranks_with_wrong_last(key, c.wrong, rounding_unit(key))
    order = place.argsort(kind="stable")
    slope = slopes(score, performance, asked.astype(np.float64))
    after = None
    if len(order) <= MOST_TESTED:
        levels = c.steady if score.seconds and score.alone and not score.shift else ()
        after = behind(Keys(keys, asked, key, slope, c.wrong, c.blocks, levels, c.families), c.workers, order)
    return Standing(points, asked, means(points, asked), place, order, slope, after)


def ranked(c: RankedColumns, score: Score, limit: float) -> tuple[list[Ranked], tuple[tuple[str, ...], ...] | None]:
    """Return the contenders, the best first, equal ones in their order, and the groups that are not distinguished.

    Of too many contenders no pair is tested: ranks have no intervals, and there are no groups (None).
    """
    if not c.seconds.size:
        return [], ()
    s = standing(c, score, limit)
    most, number = score.most(limit, len(c.names)), c.seconds.shape[1]
    margin = c.workers.margin(s.slope * score.timed, LEVEL)
    resampled = c.blocks if c.families else np.arange(number)
    apart = c.families or (score.seconds and score.smaller)
    seen = mean_intervals(s.points, s.asked, resampled, LEVEL) if apart else None
    ends_of = seen if seen is not None and c.families else intervals(s.points, s.asked, most)
    within = [None, None] if seen is None or c.families else widened(s.value, seen, margin, most)
    none = [None] * len(c.names)
    ends = (none if end is None else end.tolist() for end in (s.first, s.last))
    scores = (
        none if values is None else score.of_means(values, number).tolist()
        for values in (s.value, *widened(s.value, ends_of, margin, most), *within)
    )
    worst: BoolArray = np.isclose(s.points, most if score.smaller else 0)
    idle: BoolArray = np.asarray((np.isnan(c.seconds) & worst).all(axis=1))
    rows = zip(c.names, c.wrong.tolist(), s.place.tolist(), *ends, *scores, idle.tolist(), strict=True)
    found = [Ranked(name, bool(wrong), *rest) for name, wrong, *rest in rows]
    groups = None if s.after is None else tuple(tuple(c.names[i] for i in g) for g in groups_of(s.order, s.after))
    return [found[i] for i in s.order], groups


def means(values: Floats, asked: BoolArray) -> Floats:
    """Return float64[contenders], the means of values over the instances asked."""
    found: Floats = (values * asked).sum(axis=1) / np.maximum(asked.sum(axis=1), 1)
    return found


def rounding_unit(keys: Floats) -> float:
    """Return the least difference of keys that is no rounding error."""
    return float(np.abs(keys).max(initial=0.0)) * 1e-12 or 1.0


def ranks_with_wrong_last(keys: Floats, wrong: BoolArray | Int64Array, unit: float) -> Int64Array:
    """Return the ranks of contenders by keys, the smallest first, with wrong contenders behind them.

    Keys equal in whole units share a rank: sums of equal points in another order may differ by rounding.
    """
    steps = np.rint(keys / unit)
    found: Int64Array = ranks((steps + wrong * (np.ptp(steps) + 1))[None])[0]
    return found


def mean_ranks_of(c: RankedColumns, limit: float) -> dict[str, float]:
    """Return mean ranks by PAR-2's times, over the instances asked of all contenders."""
    times = penalised(c.seconds, limit)[:, c.asked.all(axis=0)]
    if not times.size:
        return {}
    return dict(zip(c.names, mean_ranks(times.T).mean(axis=0).tolist(), strict=True))
