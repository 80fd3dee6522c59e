"""Sentence on the result of a run: who has the best values if most instances ask for one, else who is first by PAR-2.

Ranks of values are those of the score `best` (objective_scores.py): a contender wins if every other one is shown to be
behind it.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from harness.reporting.frame.entries import HeadlineEntry
from harness.reporting.frame.objectives import gaps, objective_entry
from harness.reporting.frame.results import Results
from harness.reporting.views.ranking.headline import MOST_NAMED, headline, listed, ranks_of, standings, with_labels
from harness.reporting.views.ranking.ranks import Ranked, rank
from harness.reporting.writing.numbers import format_number

BEST = "best"  # the score by which values rank
Labels = Mapping[str, str]


@dataclass(frozen=True)
class ReachedValues:
    """Values of one contender: instances with the best one, and with a proof, of so many; the median and mean gap."""

    name: str
    best: int
    proved: int
    of: int
    median: float
    mean: float

    @property
    def reached(self) -> str:
        share = f"{self.best:,} of {self.of:,}" if self.best < self.of else f"all {self.of:,}"
        every = f"all {self.of:,}" if self.proved == self.of else f"{self.proved:,}"
        return f"has the best value on {share} and proves {every}"

    @property
    def gap(self) -> str:
        if not self.mean:
            return "is never behind"
        which, share = ("median", self.median) if self.median else ("mean", self.mean)
        return f"is {format_number(100 * share)} % behind in the {which}"


def of_results(results: Results, clock: str, labels: Labels | None = None) -> HeadlineEntry:
    """Return the headline of results on a clock; `labels` are other names for the contenders."""
    names = labels or {name: name for name in results.by_name}
    by_time = headline(with_labels(results.once(standings, clock), names))
    return of_values(results, clock, names, by_time) if asks_for_values(results) else by_time


def asks_for_values(results: Results) -> bool:
    """Return True if most instances ask for the best value, and one is known."""
    known, goals = results.best_known, results.journal.instances.with_objective.sum()
    return known is not None and bool(known.some.any() and 2 * goals > results.size)


def of_values(results: Results, clock: str, labels: Labels, by_time: HeadlineEntry) -> HeadlineEntry:
    """Return the headline of contenders by the values that they have reached; `by_time` is the one of PAR-2."""
    ranked = [c for c in rank(results, BEST, clock).contenders if c.rank is not None and not c.wrong]
    if not ranked:
        return by_time
    best, *others = (values_of(results, c, labels) for c in ranked)
    ranks = {labels[c.name]: (c.rank_low, c.rank_high) for c in ranked if c.rank_low and c.rank_high}
    first = [labels[c.name] for c in ranked if c.rank_low == 1 and c.score]
    winner = best.name if first == [best.name] and others and ranked[0].rank_high == 1 else None
    equal = first and all(one.reached == best.reached for one in (best, *others) if one.name in first)
    details = [f"{second.name} {second.reached}, and {second.gap}" for second in others[:1]]
    if others and ranks:
        details.append(f"On other instances like these {ranks_of(ranks, best.name, others[0].name)} (95 %)")
    by_proofs = f"{by_time['winner']} wins" if by_time["winner"] else "first place is open"
    details += [f"By PAR-2, the time until a proof, {by_proofs}"] if others else []
    return {
        "clock": clock,
        "sentence": sentence(best, first, len(ranked), winner, bool(equal)),
        "details": [f"{text}." for text in details],
        "first": first,
        "winner": winner,
    }


def sentence(best: ReachedValues, first: list[str], contenders: int, winner: str | None, equal: bool) -> str:
    """Return who may have the first place by values, and what the best one, or each if all are `equal`, has reached."""
    if contenders == 1:
        return f"{best.name} is the only contender without a wrong answer: it {best.reached}"
    if first == [best.name] and not winner:
        return f"{best.name} alone has best values: it {best.reached}"
    if winner:
        return f"{best.name} wins: it {best.reached}"
    if not first:
        return f"First place is not tested: {best.name} {best.reached}"
    some = f"all {contenders}" if len(first) == contenders else f"{len(first)} of {contenders}"
    named = listed(first, "or") if len(first) <= MOST_NAMED else f"{some} contenders may be first"
    return f"First place is open: {named}; {'each' if equal else best.name} {best.reached}"


def values_of(results: Results, ranked: Ranked, labels: Labels) -> ReachedValues:
    """Return the values of a contender on the instances with an objective that it was asked."""
    c, known = results.by_name[ranked.name], results.best_known
    assert c.best is not None
    assert known is not None
    entry = objective_entry(c.best, known, c.asked, c.decided)
    shortfall = gaps(c.best.quality, known)[c.asked & c.best.of]
    some = shortfall[~np.isnan(shortfall)]
    proved, mean = entry["optimal"] + entry["infeasible"], entry["gap"] or 0.0
    median = float(np.median(some)) if len(some) else 0.0
    return ReachedValues(labels[c.contender.name], int(ranked.score or 0), proved, entry["instances"], median, mean)
