"""Data of each plot, as pure functions of columns. docs/reference/plots.md states them, with their sources.

The report page defines the same in TypeScript; tests/reporting/plots/cases.json holds both to the same numbers. Times
are seconds, 0 where below the clock's resolution. *Solved* is decided and not wrong, as in the summary. Contenders
whose times do not match their parent's clock (`timed` is false) have no curve and no PAR-2, as in the tables.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from harness.model.observing.clocks import mistimed
from harness.reporting.frame.results import Results, State
from harness.reporting.statistics.bootstrap import LEVEL, mean_interval, widened
from harness.reporting.statistics.estimates import Floats, par, penalised
from harness.reporting.statistics.workers import workers_of
from puzzles.problem.arrays import BoolArray, Int8Array, Int64Array

WRONG_SCORE = -16  # score of a wrong answer where a right one has 1: the ratio of SV-COMP
BEST = "virtual best"


@dataclass(frozen=True)
class Series:
    """Outcomes of one contender on one clock, by instance; the first has id 1.

    state    int8[n], State                  seconds  float64[n], NaN where not decided
    timed    its times are known, and can be trusted        shared   its times are shares of a batch's time
    effects  of workers, by repeat (Times.mean_effects); none if each outcome has its own worker
    """

    name: str
    state: Int8Array
    seconds: Floats
    timed: bool = True
    shared: bool = False
    effects: Floats = field(default_factory=lambda: np.zeros(0))

    @property
    def asked(self) -> BoolArray:
        flags: BoolArray = self.state != State.NONE
        return flags

    @property
    def decided(self) -> BoolArray:
        flags: BoolArray = self.state == State.DECIDED
        return flags


@dataclass(frozen=True)
class Curve:
    """Points of one contender."""

    name: str
    x: Floats
    y: Floats


@dataclass(frozen=True)
class Scatter:
    """Times of two contenders on the instances asked of both, in order of ids.

    ids, x, y, x_state, y_state  where at least one contender decided; undecided times are NaN
    corner                       by pair of states, the number of instances that neither contender decided
    """

    a: str
    b: str
    ids: Int64Array
    x: Floats
    y: Floats
    x_state: Int8Array
    y_state: Int8Array
    corner: dict[tuple[State, State], int]


@dataclass(frozen=True)
class Bar:
    """PAR-2 of one contender and its 95 % interval over instances and workers; None without times."""

    name: str
    solved: int
    asked: int
    value: float | None = None
    low: float | None = None
    high: float | None = None


def columns(results: Results, clock: str = "wall") -> list[Series]:
    """Return the contenders of results."""
    untimed = mistimed(results.facts)
    return [
        Series(
            name,
            c.state[1:],
            c.seconds_by_instance(clock)[1:],
            timed=name not in untimed and clock not in c.unmeasured,
            shared=c.amortised,
            effects=c.times[clock].mean_effects,
        )
        for name, c in results.by_name.items()
    ]


def cactus(contenders: Sequence[Series], score: bool = False) -> list[Curve]:
    """Return the times of solved instances, ascending (y), by their number, or by the accumulated score (x)."""
    curves = []
    for c in contenders:
        if c.timed:
            start = WRONG_SCORE * int((c.state == State.WRONG).sum()) if score else 0
            y = np.sort(c.seconds[c.decided])
            curves.append(Curve(c.name, start + np.arange(1.0, len(y) + 1), y))
    return curves


def virtual_best(contenders: Sequence[Series]) -> Series:
    """Return a virtual contender with the least time of each instance."""
    rows = [np.where(c.decided, c.seconds, np.inf) for c in contenders if c.timed]
    best = np.min(rows, axis=0) if rows else np.zeros(0)
    decided = np.isfinite(best)
    state = np.where(decided, np.int8(State.DECIDED), np.int8(State.UNKNOWN))
    return Series(BEST, state, np.where(decided, best, np.nan))


def ecdf(contenders: Sequence[Series]) -> list[Curve]:
    """Return the share of asked instances (y) that were solved within each time (x)."""
    curves = []
    for c in contenders:
        if c.timed:
            x, number = np.unique(c.seconds[c.decided], return_counts=True)
            curves.append(Curve(c.name, x, number.cumsum() / max(1, c.asked.sum())))
    return curves


def scatter(a: Series, b: Series) -> Scatter:
    """Return the times of two contenders."""
    asked, some = a.asked & b.asked, a.decided | b.decided
    neither, at = asked & ~some, np.flatnonzero(asked & some)
    pairs = Counter(zip(a.state[neither].tolist(), b.state[neither].tolist(), strict=True))
    corner = {(State(s), State(t)): pairs[s, t] for s, t in sorted(pairs)}
    return Scatter(a.name, b.name, at + 1, a.seconds[at], b.seconds[at], a.state[at], b.state[at], corner)


def par2(contenders: Sequence[Series], limit: float) -> list[Bar]:
    """Return the PAR-2 of each contender, equal to the summary's."""
    bars, workers = [], workers_of([c.effects for c in contenders if c.timed and c.asked.any()])
    errors = iter(range(len(contenders)))
    for c in contenders:
        solved, asked = int(c.decided.sum()), int(c.asked.sum())
        if not c.timed or not asked:
            bars.append(Bar(c.name, solved, asked))
            continue
        value = par(c.seconds[c.decided], asked, limit, 2)
        slope = np.zeros((1, len(workers.effects)))
        slope[0, next(errors)] = c.seconds[c.decided].sum() / asked
        drawn = np.array([mean_interval(penalised(c.seconds[c.asked], limit), 2 * limit)]).T
        low, high = widened(np.array([value]), drawn, workers.margin(slope, LEVEL), 2 * limit)[:, 0].tolist()
        bars.append(Bar(c.name, solved, asked, value, low, high))
    return bars
