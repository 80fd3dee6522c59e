"""Values of objectives of two sides, by repeat. All values are to be minimised.

The relative difference of two values is their difference over the larger of their magnitudes: 0 if both are 0.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from harness.model.quality import Quality
from harness.reporting.frame.objectives import Value, gap
from harness.reporting.frame.pairing import Side, paired_asks
from harness.reporting.frame.results import State
from harness.reporting.statistics.estimates import Floats, middle
from puzzles.problem.arrays import BoolArray

Rows = Sequence[Sequence[Value]]  # by repeat and instance


class ValuePairs(NamedTuple):
    """Values of both sides by repeat and instance, None without a solution.

    asked  bool[repeats, n] of both sides     known  the best known values
    """

    before: Rows
    after: Rows
    asked: tuple[BoolArray, BoolArray]
    known: Sequence[Value]


def values(a: Side, b: Side) -> ValuePairs | None:
    """Return the values of both sides, None without an objective. The best known value is that of both journals."""
    if a.of.best is None or b.of.best is None:
        return None
    before, after = rows(a), rows(b)
    asked, pairs = tuple(side.of.states[:, side.ids] != State.NONE for side in (a, b)), paired_asks(a, b)
    if pairs is not None:
        asked = tuple(flags[: len(pairs)] & pairs for flags in asked)
    goal = a.of.best.of[a.ids] & b.of.best.of[b.ids]
    return ValuePairs(before, after, (asked[0] & goal, asked[1] & goal), best(a, b))


def rows(side: Side) -> Rows:
    """Return the values of a side by repeat and instance, None without one."""
    found: list[list[Value]] = [[None] * (side.results.size + 1) for _ in side.of.states]
    for row in side.results.journal.objectives.values(side.of.number):
        found[row.repeat][row.puzzle] = row.value
    return [[row[i] for i in side.ids.tolist()] for row in found]


def best(a: Side, b: Side) -> list[Value]:
    """Return the best value known of each instance, in either journal."""
    assert a.results.best_known is not None
    assert b.results.best_known is not None
    x: Quality = a.results.best_known[a.ids]
    y: Quality = b.results.best_known[b.ids]
    return [v if more else u for u, v, more in zip(x.values, y.values, x.below(y).tolist(), strict=True)]


def relative(before: int, after: int) -> float:
    """Return the relative difference of two values, positive if the second is worse."""
    largest = max(abs(before), abs(after))
    return (after - before) / largest if largest else 0.0


def differences(of: ValuePairs) -> tuple[Floats, Floats]:
    """Return relative differences float64[n] of the medians over repeats, and float64[repeats, n] of each repeat.

    NaN where a side has no solution.
    """
    each = [pair(x, y) for x, y in zip(medians(of.before, of.asked[0]), medians(of.after, of.asked[1]), strict=True)]
    both = (zip(x, y, strict=True) for x, y in zip(of.before, of.after, strict=False))
    every = np.array([[pair(x, y) for x, y in repeat] for repeat in both]).reshape(-1, len(each))
    shown = of.asked[0][: len(every)] & of.asked[1][: len(every)]
    return np.array(each), np.where(shown, every, np.nan)


def pair(x: Value, y: Value) -> float:
    """Return the relative difference of two values, NaN if one is lacking."""
    return np.nan if x is None or y is None else relative(x, y)


def medians(found: Rows, asked: BoolArray) -> list[Value]:
    """Return the lower median of each instance over its asks; an ask without a solution is worse than any value."""
    medians: list[Value] = []
    for i, flags in enumerate(asked.T.tolist()):
        some = [row[i] for row, flag in zip(found, flags, strict=False) if flag]
        order = sorted(value for value in some if value is not None)
        at = (len(some) - 1) // 2
        medians.append(order[at] if some and at < len(order) else None)
    return medians


def gap_differences(of: ValuePairs) -> tuple[Floats, Floats]:
    """Return differences of gaps, after - before, float64[n] of medians, and float64[repeats, n] of each repeat.

    Without a solution the gap is 1; NaN where nobody has a solution, or a side was not asked.
    """
    before, after = (gaps(side, asked, of.known) for side, asked in zip((of.before, of.after), of.asked, strict=True))
    n = min(len(before), len(after))
    return middle(after) - middle(before), after[:n] - before[:n]


def gaps(found: Rows, asked: BoolArray, known: Sequence[Value]) -> Floats:
    """Return the gap of each ask, NaN where it is not known."""
    table = [
        [np.nan if best is None else gap(value, best) for value, best in zip(row, known, strict=True)] for row in found
    ]
    every = np.array(table, np.float64).reshape(-1, len(known))[: len(asked)]
    return np.where(asked, every, np.nan)
