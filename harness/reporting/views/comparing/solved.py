"""Instances that a change lost or gained, where a time limit makes some answers a matter of chance.

A timeout is a time known to be above the limit, no more. An instance near the limit is decided in one repeat and not in
the next, with no change at all: a flip. An instance is lost if its repeats say so:

- all repeats decided it before and none does after, and its failures are beyond noise: a failure that is no matter of a
  limit, or a limit so far above every time before that noise of this run can't explain it (the threshold of single.py);
- or the numbers of its decided repeats differ by Fisher's exact test, at LEVEL over all instances that were decided
  sometimes. Between journals the speed of the machine differs too, so instances near the limit are left out.

`gained` is the same with the sides exchanged. All others whose numbers of decided repeats differ are flips.
"""

from math import comb
from typing import NamedTuple

import numpy as np

from harness.reporting.frame.pairing import Side, paired_asks
from harness.reporting.frame.results import CLOCKS, State
from harness.reporting.statistics.estimates import LEVEL, Floats
from harness.reporting.statistics.single import SMALLEST, SMALLEST_ONCE, threshold
from puzzles.problem.arrays import BoolArray, Int8Array, Int64Array

LIMITED = (State.TIMEOUT, State.MEMORY)
NEAR = 1.25  # times beyond the limit over this are near it, where two runs are compared


class AskPairs(NamedTuple):
    """Asks of both sides: states int8[repeats, n] each, NONE where not asked or not compared."""

    before: Int8Array
    after: Int8Array

    def swapped(self) -> "AskPairs":
        """Return the asks with the sides exchanged."""
        return AskPairs(self.after, self.before)


class Kept(NamedTuple):
    """Flags bool[n] by instance.

    missing  asked before and not after     broken  failed by an error after and not before
    mended   wrong before; after decided by every ask, and right
    """

    lost: BoolArray
    gained: BoolArray
    flipped: BoolArray
    missing: BoolArray
    broken: BoolArray
    mended: BoolArray


def asks(a: Side, b: Side) -> AskPairs:
    """Return the asks of two sides; those that ran on different machines in one journal are not compared."""
    before, after, pairs = a.of.states[:, a.ids], b.of.states[:, b.ids], paired_asks(a, b)
    if pairs is None:
        return AskPairs(before, after)
    return AskPairs(*(np.where(pairs, side[: len(pairs)], np.int8(State.NONE)) for side in (before, after)))


def numbers(states: Int8Array) -> tuple[Int64Array, Int64Array]:
    """Return how often each instance was asked, and decided."""
    return (states != State.NONE).sum(axis=0), (states == State.DECIDED).sum(axis=0)


def kept(a: Side, b: Side, found: AskPairs, counted: BoolArray) -> Kept:
    """Return the instances that a change lost or gained. `counted`: not near the limit, see `countable`."""
    (n, k), (m, j) = map(numbers, found)
    wrong = (found.before == State.WRONG).any(axis=0) | (found.after == State.WRONG).any(axis=0)
    lost = ~wrong & (certainly(a, b, found) | by_repeats(n, k, m, j, counted))
    gained = ~wrong & (certainly(b, a, found.swapped()) | by_repeats(m, j, n, k, counted))
    flipped = (n > 0) & (m > 0) & (k * m != j * n) & ~lost & ~gained & ~wrong
    errors = [(side == State.ERROR).any(axis=0) for side in found]
    asked = (a.of.states[:, a.ids] != State.NONE).any(axis=0) & (b.of.states[:, b.ids] == State.NONE).all(axis=0)
    mended = (found.before == State.WRONG).any(axis=0) & (m > 0) & (j == m)
    return Kept(lost, gained, flipped, asked, errors[1] & ~errors[0], mended)


def certainly(a: Side, b: Side, found: AskPairs) -> BoolArray:
    """Return bool[n], all asks decided on side a and none on side b, of which each failed far from its limit."""
    (n, k), (m, j) = map(numbers, found)
    some: BoolArray = (n > 0) & (k == n) & (m > 0) & (j == 0)
    if not some.any():
        return some
    on_time = (found.after == State.TIMEOUT).any(axis=0)
    on_memory = (found.after == State.MEMORY).any(axis=0)
    out: BoolArray = some & ~(on_time & ~far_from_time_limit(a, b)) & ~(on_memory & ~far_from_memory_limit(a, b))
    return out


def far_from_time_limit(a: Side, b: Side) -> BoolArray:
    """Return bool[n], the limits of side b are further above every time of side a than noise goes."""
    limits, far = b.results.limits, np.ones(len(a.ids), np.bool_)
    for clock in CLOCKS:
        limit = getattr(limits, clock)
        if limit is None:
            continue
        before, after = a.times(clock).asks, b.times(clock).asks
        longest = np.where(np.isnan(before), 0.0, before).max(axis=0, initial=1e-9)
        far &= np.log(limit / longest) > bar(before, after)
    return far


def bar(before: Floats, after: Floats) -> float:
    """Return the least log ratio that noise does not explain, from the instances decided by all asks of both sides."""
    repeats = min(len(before), len(after))
    logs = np.log(after[:repeats] / before[:repeats])
    known = ~np.isnan(logs).any(axis=0)
    if not known.any():
        return SMALLEST if repeats > 1 else SMALLEST_ONCE
    logs = logs[:, known]
    return threshold(logs - np.median(logs, axis=1, keepdims=True), 1)


def far_from_memory_limit(a: Side, b: Side) -> BoolArray:
    """Return bool[n], no peak of side a is near the limit of side b; True where the peaks or the limit are unknown."""
    limit, before = b.results.settings.memory_limit, a.peaks()
    if not limit:
        return np.ones(len(a.ids), np.bool_)
    largest = np.where(np.isnan(before), 0.0, before).max(axis=0, initial=0.0)
    far: BoolArray = largest < limit / np.exp(SMALLEST)
    return far


def countable(a: Side, b: Side) -> BoolArray:
    """Return bool[n], True where numbers of decided repeats are compared: between journals, not near a limit."""
    return np.ones(len(a.ids), np.bool_) if a.results is b.results else far_from_limits(a, b)


def far_from_limits(a: Side, b: Side) -> BoolArray:
    """Return bool[n], no ask of either side was decided near a time limit."""
    far = np.ones(len(a.ids), np.bool_)
    least = {clock: least_limit(a, b, clock) for clock in CLOCKS}
    for side in (a, b):
        for clock, limit in least.items():
            seconds = side.times(clock).asks
            far &= ~(np.where(np.isnan(seconds), 0.0, seconds).max(axis=0, initial=0.0) > limit / NEAR)
    return far


def least_limit(a: Side, b: Side, clock: str) -> float:
    """Return the smaller limit of two sides on a clock, infinite without one."""
    known = [limit for side in (a, b) if (limit := getattr(side.results.limits, clock)) is not None]
    return min(known, default=float("inf"))


def by_repeats(n: Int64Array, k: Int64Array, m: Int64Array, j: Int64Array, counted: BoolArray) -> BoolArray:
    """Return bool[n], fewer of the m asks after were decided (j) than chance allows, given k of n before."""
    lost = np.zeros(len(n), np.bool_)
    mixed = counted & (n > 0) & (m > 0) & (k + j > 0) & (k + j < n + m)
    level = (1 - LEVEL) / 2 / max(1, int(mixed.sum()))
    for i in np.flatnonzero(mixed & (k * m > j * n)).tolist():
        lost[i] = fisher(int(n[i]), int(k[i]), int(m[i]), int(j[i])) <= level
    return lost


def fisher(n: int, k: int, m: int, j: int) -> float:
    """Return the one-sided p-value of j or fewer decided of m, given k of n on the other side (Fisher, 1935)."""
    total, every = k + j, comb(n + m, k + j)
    return sum(comb(m, x) * comb(n, total - x) for x in range(max(0, total - n), j + 1)) / every
