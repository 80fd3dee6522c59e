"""Sentence on who is first by PAR-2, and by how much: from ranks and their intervals, for the page and the terminal.

A contender wins if every other one is shown to be behind it (harness/reporting/statistics/differences.py, 5 % for any
false difference); else first place is open among those that nobody is shown to be ahead of.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from harness.reporting.frame.entries import HeadlineEntry
from harness.reporting.frame.results import CLOCK_NAMES, CLOCKS, Results
from harness.reporting.frame.sampling import SampledFamilies, folders
from harness.reporting.statistics.bootstrap import LEVEL
from harness.reporting.statistics.estimates import Floats, numbered, penalised
from harness.reporting.statistics.skewed import log_interval
from harness.reporting.views.families import Alike, alike
from harness.reporting.views.luck import cause, luck_of, luck_text
from harness.reporting.views.ranking.ranks import (
    RankedColumns,
    Standing,
    blocks_of,
    standing,
    timed_columns,
    untested_columns,
)
from harness.reporting.views.ranking.scores import SCORE, Performance, Score, share_of_time, sort_keys
from harness.reporting.writing.numbers import format_number, format_seconds
from puzzles.errors import plural
from puzzles.labels import unit_of
from puzzles.problem.arrays import BoolArray

MOST_NAMED = 3  # candidates for the first place that the sentence names
MOST_STEPS = 1 << 30  # contenders squared times instances, of Borda's points
LEAST_SHOWN = 1.005  # ratio that is written as 1.01 or more
OTHERS = {"solved": "number decided", "borda": "Borda"}


class FamilyScope(NamedTuple):
    """Families that are stated, the winner on these instances alone, None if open, and the ratio on other families.

    `low`, `high`: ends of the 95 % interval of PAR-2 of the second over that of the first, over families like these.
    """

    by: str
    number: int
    winner: str | None
    low: float
    high: float


@dataclass(frozen=True)
class Standings:
    """Contenders without a wrong answer that a score ranks, the best first.

    par2         seconds by contender                  solved  instances decided by contender
    ranks        least and largest rank by contender, None if too many contenders to test
    faster       of the first beside the second: instances on which each is faster, and that both decided
    families     what holds on these instances alone, where families are stated: then ranks are of other families too
    alike        folders that are alike, where no families are stated
    luck         luck of seeds in ratios of the first two, in words, '' where all repeats have one seed
    leaders      by another score the contenders that it puts first, all that are equal
    """

    clock: str
    unit: str
    instances: int
    par2: Mapping[str, float]
    solved: Mapping[str, int]
    ranks: Mapping[str, tuple[int, int]] | None
    faster: tuple[int, int, int] = (0, 0, 0)
    leaders: Mapping[str, Sequence[str]] | None = None
    unranked: int = 0
    families: FamilyScope | None = None
    alike: Alike | None = None
    luck: str = ""


def headline(s: Standings) -> HeadlineEntry:
    """Return the main sentence, further ones, and the contenders that may be first; `winner`: None if undecided."""
    names = list(s.par2)
    if not names or not any(s.solved.values()):
        why = "no contender decided an instance" if names else "no contender has times and right answers alone"
        return entry(s, f"Nobody is first: {why}", [], [])
    best, *others = names
    if not others:
        rest = " without a wrong answer and with times" if s.unranked else ""
        share = f"{s.solved[best]:,} of {plural(s.instances, s.unit)}"
        return entry(s, f"{best} is the only contender{rest}: it decides {share}", [mean_of(s, best)], [best])
    if s.ranks is None:
        tested = f"{len(names):,} contenders are too many to test each pair"
        return entry(s, f"First place is not tested: {best} has the least PAR-2", [tested, *details(s)], [])
    if sum(map(bool, s.solved.values())) == 1:
        share = f"{s.solved[best]:,} of {plural(s.instances, s.unit)}"
        return entry(s, f"{best} alone decides instances: {share}", [mean_of(s, best)], [best])
    first = [name for name in names if s.ranks[name][0] == 1 and s.solved[name]]
    if len(first) == 1 and s.ranks[best] == (1, 1):
        return entry(s, f"{best} wins{of_families(s)}: {margin(s, best, others[0])}", details(s), first, best)
    if s.families is not None and s.families.winner == best:
        nothing = f"for other families nothing is shown ({ends_of(s.families)})"
        sentence = f"{best} wins on these {plural(s.instances, s.unit)} of {s.families.number:,} families; {nothing}"
        return entry(s, sentence, details(s), first)
    if len(first) <= MOST_NAMED:
        return entry(s, f"First place is open: {listed(first, 'or')}", details(s), first)
    some = f"all {len(names)}" if len(first) == len(names) else f"{len(first)} of {len(names)}"
    among = f"{some} contenders may be first"
    return entry(s, f"First place is open: {among}; {best} has the least PAR-2", details(s), first)


def of_families(s: Standings) -> str:
    """Return the families for which a winner is shown, '' where none are stated."""
    return f" on families like these {s.families.number:,}" if s.families else ""


def ends_of(scope: FamilyScope) -> str:
    """Return the interval of a ratio as text."""
    return f"{format_number(scope.low)} to {format_number(scope.high)}"


def entry(
    s: Standings, sentence: str, more: Sequence[str], first: Sequence[str], winner: str | None = None
) -> HeadlineEntry:
    """Return a headline as JSON-compatible data."""
    details = [f"{text}." for text in more]
    return {"clock": s.clock, "sentence": sentence, "details": details, "first": list(first), "winner": winner}


def margin(s: Standings, best: str, second: str) -> str:
    """Return by how much the first is ahead of the second."""
    low, high = s.par2[best], s.par2[second]
    return f"{times_of(high / low)} faster than {second} by PAR-2" if low else f"ahead of {second} by PAR-2"


def times_of(ratio: float) -> str:
    """Return a ratio of 1 or more as text; one that three digits do not tell from 1 as less than 1 %."""
    return f"{format_number(ratio)} times" if ratio >= LEAST_SHOWN else "less than 1 %"


def details(s: Standings) -> list[str]:
    """Return what supports the sentence: the scores, the pair, the ranks, and other scores that disagree."""
    best, second = list(s.par2)[:2]
    lines = [f"{mean_of(s, best)}", behind(s, best, second)]
    if s.ranks:
        others = "families" if s.families else "instances"
        lines.append(f"On other {others} like these {ranks_of(s.ranks, best, second)} (95 %)")
    if other := [(label, names[0]) for label, names in (s.leaders or {}).items() if best not in names]:
        (label, name), *more = other
        lines.append(f"By {label} {name} is first" + "".join(f", by {label} {name}" for label, name in more))
    if s.luck:
        lines.append(f"Of {best} and {second} the {s.luck}")
    if s.alike:
        lines.append(
            f"Instances of a folder are alike: {s.alike.share:.0%} of the variance of ratios is between the"
            f" {s.alike.folders:,} folders (design effect {format_number(s.alike.effect)}, up to"
            f" {format_number(s.alike.most)}); if other folders matter, state them: --families folder"
        )
    return lines


def ranks_of(ranks: Mapping[str, tuple[int, int]], *names: str) -> str:
    """Return the ranks that two contenders may have."""
    if len({ranks[name] for name in names}) == 1:
        return "both may rank {} to {}".format(*ranks[names[0]])
    ends = ((name, *ranks[name]) for name in names)
    return listed([f"{n} may rank {a} to {b}" if a < b else f"{n} ranks {a}" for n, a, b in ends], "and")


def mean_of(s: Standings, name: str) -> str:
    """Return PAR-2 and the number decided of one contender."""
    decided = f"{s.solved[name]:,} of {s.instances:,}" if s.solved[name] < s.instances else f"all {s.instances:,}"
    return f"{name} has PAR-2 {format_seconds(s.par2[name])} of {CLOCK_NAMES[s.clock]} and decides {decided}"


def behind(s: Standings, best: str, second: str) -> str:
    """Return how far the second is behind the first, and on how many instances it is faster."""
    ahead, faster, both = s.faster
    ratio = times_of(s.par2[second] / s.par2[best]) if s.par2[best] else "just"
    where = f"faster on {faster:,} of the {both:,}" if faster or ahead < both else f"slower on all {both:,}"
    return f"{second} is {ratio} behind" + (f", and {where} that both decide" if both else "")


def listed(names: Sequence[str], word: str) -> str:
    """Return names as a list in words."""
    return f" {word} ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else names[0]


def standings(results: Results, clock: str) -> Standings:
    """Return how the contenders of results stand by PAR-2 on a clock."""
    c, limit = results.once(timed_columns, clock), results.limits.of(clock)
    right = {name for name, wrong in zip(c.names, c.wrong.tolist(), strict=True) if not wrong}
    solved = {name: int(results.by_name[name].decided.sum()) for name in right}
    unit = unit_of([problem.label for problem, _ in results.journal.instances.problem_counts()])
    parts = clock, unit, results.size
    if not right:
        return Standings(*parts, {}, {}, None, unranked=len(results.contenders))
    s = standing(c, SCORE["par2"], limit)
    order = [i for i in s.order.tolist() if c.names[i] in right]
    value, names = s.value.tolist(), [c.names[i] for i in order]
    ranks = None
    if s.first is not None and s.last is not None:
        low, high = s.first.tolist(), s.last.tolist()
        ranks = {c.names[i]: (low[i], high[i]) for i in order}
    leaders = {label: leaders_by(c, SCORE[by], limit) for by, label in OTHERS.items() if fits(c, by)}
    other = next(each for each in CLOCKS if each != clock)
    beside = untested_columns(results, other)
    if set(beside.names) >= right:
        leaders[CLOCK_NAMES[other]] = leaders_by(beside, SCORE["par2"], results.limits.of(other))
    faster = pair_counts(c.seconds[order[0]], c.seconds[order[1]]) if len(order) > 1 else (0, 0, 0)
    par2 = {c.names[i]: value[i] for i in order}
    in_order = {name: solved[name] for name in names}
    unranked = len(results.contenders) - len(names)
    scope, near = scope_of(results, c, s, order, limit), alike_folders(results, c, order)
    by_luck = luck_between(results, clock, names)
    return Standings(*parts, par2, in_order, ranks, faster, leaders, unranked, scope, near, by_luck)


def luck_between(results: Results, clock: str, names: Sequence[str]) -> str:
    """Return the luck of seeds in ratios of the first two contenders, in words; '' where none is shown."""
    if len(names) < 2:
        return ""
    every = np.arange(1, results.size + 1)
    a, b = (results.by_name[name].times[clock].at(every) for name in names[:2])
    found = luck_of(results, a, b)
    return luck_text(cause(results), found) if found else ""


def scope_of(results: Results, c: RankedColumns, s: Standing, order: Sequence[int], limit: float) -> FamilyScope | None:
    """Return what holds on these instances alone, and the first two on other families; None without families."""
    if results.sampled is None or len(order) < 2:
        return None
    own = replace(results, sampled=None)
    alone = standing(replace(c, blocks=blocks_of(own), families=False), SCORE["par2"], limit)
    best, second = order[:2]
    won = alone.last is not None and int(alone.last[best]) == 1
    times = penalised(c.seconds[[best, second]], limit)
    low, high = log_interval(times[0], times[1], c.blocks, LEVEL) if times.all() else (-np.inf, np.inf)
    ends = float(np.exp(low)), float(np.exp(high))
    return FamilyScope(results.sampled.by, results.sampled.number, c.names[best] if won else None, *ends)


def alike_folders(results: Results, c: RankedColumns, order: Sequence[int]) -> Alike | None:
    """Return how alike ratios of the first two are within folders, None where families are stated or it is little."""
    if results.sampled is not None or len(order) < 2:
        return None
    with np.errstate(divide="ignore", invalid="ignore"):  # a time below the clock's resolution is 0
        ratios = np.log(c.seconds[order[1]] / c.seconds[order[0]])
    known = np.isfinite(ratios)
    of = SampledFamilies.labelled("folder", folders(results.journal))
    return alike(ratios[known], numbered(of.of[known])) if known.any() and of else None


def fits(c: RankedColumns, by: str) -> bool:
    """Return True if the points of a score take little time."""
    return by != "borda" or len(c.names) * c.seconds.size <= MOST_STEPS


def leaders_by(c: RankedColumns, score: Score, limit: float) -> list[str]:
    """Return the contenders without a wrong answer that a score puts first."""
    points = score.points(Performance(c.seconds, limit))
    asked: BoolArray = c.asked if score.asked else np.ones_like(c.asked)
    keys = sort_keys(score, c.seconds, points, share_of_time(c.seconds))
    key = np.where(c.wrong, np.inf, (keys * asked).sum(axis=1) / np.maximum(asked.sum(axis=1), 1))
    return [c.names[i] for i in np.flatnonzero(key <= key.min() + abs(key.min()) * 1e-12)]


def pair_counts(a: Floats, b: Floats) -> tuple[int, int, int]:
    """Return on how many instances each of two is faster, and how many both decided."""
    return int((a < b).sum()), int((b < a).sum()), int((~np.isnan(a + b)).sum())


def with_labels(s: Standings, labels: Mapping[str, str]) -> Standings:
    """Return the headline with other names for the contenders."""
    return replace(
        s,
        par2={labels[name]: value for name, value in s.par2.items()},
        solved={labels[name]: n for name, n in s.solved.items()},
        ranks=s.ranks and {labels[name]: ends for name, ends in s.ranks.items()},
        leaders={score: [labels[name] for name in names] for score, names in (s.leaders or {}).items()},
    )
