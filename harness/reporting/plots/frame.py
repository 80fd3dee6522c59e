"""Axes of times, from 0 at their least to 1 at their largest, and the lanes of undecided instances beyond it."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from harness.reporting.frame.results import State
from harness.reporting.statistics.estimates import Floats
from harness.reporting.views.figures.definitions import Curve, Scatter, Series

NEAR = 0.1  # share of the limit from which times show the limit, though all was decided
MARGIN = 1.3  # factor at both ends of a logarithmic axis
LANES = (
    *(State.TIMEOUT, State.MEMORY, State.ERROR, State.UNSUPPORTED, State.UNKNOWN, State.PROOFLESS),
    State.WRONG,
)


@dataclass(frozen=True)
class TimeAxis:
    """Axis of times from `low` to `high` seconds, which shows the limit if `limited`."""

    low: float
    high: float
    log: bool
    limited: bool

    def place(self, seconds: Floats) -> Floats:
        """Return positions; times below the axis are at its end."""
        low, high, at = self.low, self.high, np.maximum(seconds, self.low)
        if self.log:
            low, high, at = np.log(low), np.log(high), np.log(at)
        places: Floats = (at - low) / (high - low)
        return places

    def at(self, seconds: float) -> float:
        """Return the position of one time."""
        return float(self.place(np.array(seconds)))


def time_frame(times: Floats, limit: float, log: bool, columns: Sequence[Series]) -> TimeAxis:
    """Return the axis of times, some of them NaN; it shows the limit if that matters to one of the columns."""
    positive = times[times > 0]
    top = float(positive.max(initial=0.0))
    undecided = any((c.state > State.DECIDED).any() for c in columns)
    limited = bool(np.isfinite(limit)) and (not len(positive) or top >= NEAR * limit or undecided)
    top = max(top, limit) if limited else top or 1.0
    if log:
        return TimeAxis(float(positive.min(initial=top / 10)) / MARGIN, top * MARGIN, log, limited)
    return TimeAxis(0.0, top * 1.05, log, limited)


def steps(curve: Curve, frame: TimeAxis) -> tuple[Floats, Floats]:
    """Return the corners of the curve of shares over time, on the whole axis."""
    x = np.concatenate(([frame.low], np.repeat(np.maximum(curve.x, frame.low), 2), [frame.high]))
    return x, np.repeat(np.concatenate(([0.0], curve.y)), 2)


def counts(found: Sequence[Curve]) -> tuple[float, float]:
    """Return the ends of an axis of numbers solved, or of scores."""
    ends = [float(end) for c in found if len(c.x) for end in (c.x[0] - 1, c.x[-1])]
    return min(0.0, *ends), max(1.0, *ends)


def lanes(found: Scatter, axis: int) -> list[State]:
    """Return the states of the undecided instances of a (axis 0) or b (axis 1), in the order of LANES."""
    states = set((found.x_state, found.y_state)[axis].tolist()) | {pair[axis] for pair in found.corner}
    return [state for state in LANES if state in states]
