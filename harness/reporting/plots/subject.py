"""Results that plots show, and the contenders, curves or points of one plot with their axis of times."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from harness.model.errors import BadUsage
from harness.reporting.frame.log_statistics import require_known
from harness.reporting.frame.pairing import full_name, full_names, pair_up
from harness.reporting.frame.results import CLOCK_NAMES, Results
from harness.reporting.frame.searches import Searches, searches
from harness.reporting.plots.frame import MARGIN, TimeAxis, time_frame
from harness.reporting.plots.request import QUALITY, Look, Plot
from harness.reporting.views.figures import anytime
from harness.reporting.views.figures.counted import counted
from harness.reporting.views.figures.definitions import (
    WRONG_SCORE,
    Bar,
    Curve,
    Scatter,
    Series,
    cactus,
    columns,
    ecdf,
    par2,
    scatter,
    virtual_best,
)
from harness.reporting.writing.numbers import format_number, format_seconds
from puzzles.labels import unit_of

LEAST_GAP = 1e-6


@dataclass(frozen=True)
class Subject:
    """Contenders on one clock, or by the number `of` that they count or print. `unit` stands for several instances."""

    results: Results
    columns: list[Series]
    limit: float
    unit: str
    clock: str
    of: str = ""

    @property
    def time(self) -> str:
        """Label of an axis of times or numbers."""
        return self.of or CLOCK_NAMES[self.clock]

    def text(self, value: float) -> str:
        """Return a time or number as text."""
        return format_number(value) if self.of else format_seconds(value)

    def share(self, kind: str) -> str:
        """Return the label of an axis of shares."""
        words = {"ecdf": "decided", "proved": "proved", "quality": "with a gap of at most x", "target": "at the target"}
        return "mean primal gap" if kind == "gap" else f"share of {self.unit} {words[kind]}"

    def solved(self, kind: str) -> str:
        """Return the label of the axis of numbers decided, or of scores."""
        return (
            f"{self.unit} decided"
            if kind == "cactus"
            else f"score: {self.unit} decided, {WRONG_SCORE} for a wrong answer"
        )

    @property
    def bars(self) -> list[Bar]:
        """PAR-2, the least first, contenders without a value last."""
        return sorted(par2(self.columns, self.limit), key=lambda bar: (bar.value is None, bar.value or 0.0))

    @cached_property
    def best(self) -> Series:
        """Virtual best."""
        return virtual_best(self.columns)

    @property
    def notes(self) -> list[str]:
        """Lines on omissions of a plot."""
        return [
            f"{c.name} is left out: {f'no {self.of}' if self.of else without_times(self.results, c.name, self.clock)}"
            for c in self.columns
            if not c.timed
        ] + [f"{c.name}: times are shares of a batch's" for c in self.columns if c.shared]


def without_times(results: Results, name: str, clock: str) -> str:
    """Return the reason why a contender has no times to draw."""
    if clock in results.by_name[name].unmeasured:
        return f"its {'CPU' if clock == 'cpu' else 'wall'} times are not known"
    return "its times do not match the parent's clock"


def subject(results: Results, clock: str, named: Sequence[str] = (), of: str = "") -> Subject:
    """Return the subject of plots of results, of all contenders or of those named, perhaps by a number `of`.

    Raises BadUsage.
    """
    unit = unit_of([problem.label for problem, _ in results.journal.instances.problem_counts()])
    kept = {name for text in named for name in full_names(results, text)} or set(results.by_name)
    shown = [c for c in columns(results, clock) if c.name in kept]
    if of:
        require_known(results.journal, of, "--of")
        return Subject(results, counted(results, shown, of), float("inf"), f"{unit}s", clock, of)
    return Subject(results, shown, results.limits.of(clock), f"{unit}s", clock)


def pair(subject: Subject, plot: Plot) -> tuple[Series, Series]:
    """Return the two contenders of a plot: named ones, or the default of `compare`. Raises BadUsage."""
    results = subject.results
    if len(subject.columns) < 2:
        raise BadUsage(f"--plot {plot.kind} needs two contenders: {results.journal.path} has {len(subject.columns)}")
    if not plot.names and len(subject.columns) != 2:
        raise BadUsage(f"--plot {plot.kind}: name two contenders, {plot.kind}:A,B, of {', '.join(results.by_name)}")
    chosen = [full_name(results, name) for name in plot.names] or list(pair_up(results, results, ())[0])
    a, b = ({c.name: c for c in subject.columns}[name] for name in chosen)
    for c in (a, b):
        if not c.timed:
            why = f"no {subject.of}" if subject.of else without_times(results, c.name, subject.clock)
            raise BadUsage(f"--plot {plot.kind}: {c.name}: {why}")
    return a, b


def curves(subject: Subject, plot: Plot, look: Look) -> tuple[list[Curve], TimeAxis]:
    """Return the curves of cactus, score or ecdf, and their axis of times. Raises BadUsage."""
    if plot.kind in QUALITY:
        return quality_curves(subject, plot)
    some = [*subject.columns, *([subject.best] if look.best else [])]
    shares = plot.kind == "ecdf"
    found = ecdf(some) if shares else cactus(some, plot.kind == "score")
    if not any(len(c.x) for c in found):
        raise nothing(subject, "contenders with trusted times")
    times = np.concatenate([c.x if shares else c.y for c in found])
    return found, time_frame(times, subject.limit, look.log is not False, subject.columns)


def quality_curves(subject: Subject, plot: Plot) -> tuple[list[Curve], TimeAxis]:
    """Return the curves of searches for the best solution, and their axis of times or gaps. Raises BadUsage."""
    of, names = searched(subject, plot.kind), [c.name for c in subject.columns]
    if plot.kind == "quality":
        found = anytime.quality(of, names)
        least = min((float(x) for c in found for x in c.x if x > 0), default=LEAST_GAP)
        return found, TimeAxis(max(LEAST_GAP, least / MARGIN), 1.0, True, False)
    found = (
        list(anytime.gap_by_time(of, names)[0])
        if plot.kind == "gap"
        else anytime.proved_by_time(of, names)
        if plot.kind == "proved"
        else anytime.target(of, names, Fraction(plot.names[0]) if plot.names else anytime.PERCENT)
    )
    times = np.concatenate([c.x for c in found])
    return found, time_frame(times, subject.limit, True, subject.columns)


def searched(subject: Subject, kind: str) -> Searches:
    """Return the searches of the contenders for the best solution. Raises BadUsage if there are none."""
    if subject.clock != "wall":
        raise BadUsage(f"--plot {kind}: improvements have wall times only: leave out --time {subject.clock}")
    if subject.results.best_known is None:
        raise BadUsage(f"--plot {kind}: no instance of {subject.results.journal.path} has an objective")
    return searches(subject.results, [c.name for c in subject.columns], "wall")


def points(subject: Subject, plot: Plot, look: Look) -> tuple[Scatter, TimeAxis]:
    """Return the scatter of a plot, and its axes of times. Raises BadUsage."""
    pairs = pair(subject, plot)
    found = scatter(*pairs)
    if not len(found.ids):
        raise nothing(subject, f"{found.a} and {found.b}")
    return found, time_frame(np.concatenate([found.x, found.y]), subject.limit, look.log is not False, pairs)


def nothing(subject: Subject, who: str) -> BadUsage:
    """Return the error that there is nothing to draw: these contenders decided no instance."""
    return BadUsage(f"{subject.results.journal.path}: nothing to draw: {who} decided none of the {subject.unit}")


def ranked(subject: Subject, plot: Plot, found: Sequence[Curve]) -> list[tuple[int, Curve, str]]:
    """Return position, curve and figure of each contender, the best first.

    The figure is the number decided, equal ones by least total time; of searches for the best solution the last share.
    """
    if plot.kind in QUALITY:
        shares = [at_end(curve, plot.kind) for curve in found]
        first = sorted(range(len(found)), key=lambda i: shares[i] if plot.kind == "gap" else -shares[i])
        return [(i, found[i], f"{format_number(100 * shares[i])} %") for i in first]
    of = {c.name: c for c in (*subject.columns, subject.best)}
    solved = [of[c.name].decided for c in found]
    keys = [(-int(s.sum()), float(of[c.name].seconds[s].sum())) for s, c in zip(solved, found, strict=True)]
    order = sorted(range(len(found)), key=lambda i: keys[i])
    return [(i, found[i], f"{-keys[i][0]:,}") for i in order]


def at_end(curve: Curve, kind: str) -> float:
    """Return the share at the end of a curve; for gaps at the limit, the share of gaps of 0."""
    if kind == "quality":
        return float(curve.y[0]) if len(curve.x) and curve.x[0] == 0 else 0.0
    return float(curve.y[-1]) if len(curve.y) else 0.0
