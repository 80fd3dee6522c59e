"""Changes of single instances beyond all noise, where a mean over instances shows nothing.

An instance has changed if in every repeat its ratio is beyond a threshold, both by itself and relative to the median
instance of that repeat, and its repeats are consistent. The threshold is set so that the run's own noise
gives fewer than FALSE_CALLS such calls per clock, however many instances there are:

- asks disturbed independently, each with the run's own probability: all repeats of an instance are beyond half the
  threshold too rarely;
- instances that differ in noise: where all repeats are far off but in different directions, this is noise, and one
  direction by chance is as frequent, so the threshold is twice the largest of these;
- instances that really differ in their ratio (another heuristic): it is far outside their distribution.

With one repeat, noise can't be told from change: only CPU time counts, and the other direction stands for the noise.
"""

import numpy as np

from harness.reporting.statistics.estimates import LEVEL, Floats, student_quantile
from puzzles.problem.arrays import BoolArray

FALSE_CALLS = 0.001  # expected number of false calls per clock
SMALLEST = float(np.log(1.5))  # smaller changes of single instances may be due to the memory layout
SMALLEST_ONCE = float(np.log(10))  # SMALLEST with one repeat
SPREADS = 5  # standard deviations of the ratios of all instances, estimated by their median deviation
SPREADS_ONCE = 10
NORMAL_SD = 1.4826  # standard deviation of a normal distribution, in median deviations


def changed(before: Floats, after: Floats, clock: str) -> tuple[BoolArray, BoolArray]:
    """Return bool[n], instances that became slower, and faster, from seconds float64[repeats, n] of both sides."""
    repeats = min(len(before), len(after))
    logs = np.log(after[:repeats] / before[:repeats])
    none = np.zeros(logs.shape[1], np.bool_)
    known = ~np.isnan(logs).any(axis=0) if repeats else none
    if not known.any() or (repeats == 1 and clock != "cpu"):
        return none, none.copy()
    logs = logs[:, known]
    away = logs - np.median(logs, axis=1, keepdims=True)
    slower, faster = none, none.copy()
    steady = consistent(away)
    slower[known] = steady & (np.minimum(logs, away).min(axis=0) > threshold(away, 1))
    faster[known] = steady & (np.maximum(logs, away).max(axis=0) < -threshold(away, -1))
    return slower, faster


def threshold(away: Floats, direction: int) -> float:
    """Return the least log ratio that noise can't explain if every repeat is beyond it, from float64[repeats, n]."""
    repeats, n = away.shape
    middle = np.median(away, axis=0)
    spread = NORMAL_SD * float(np.median(np.abs(middle - np.median(middle))))
    if repeats == 1:
        return max(SMALLEST_ONCE, SPREADS_ONCE * spread, 3 * float((-direction * away).max()))
    noise = np.abs(away[0] - away[1]) if repeats == 2 else np.abs(away - middle)
    rarity = (FALSE_CALLS / n) ** (1 / repeats)
    all_off = np.abs(away).min(axis=0)[(away.min(axis=0) < 0) & (away.max(axis=0) > 0)]
    return max(
        SMALLEST,
        SPREADS * spread,
        2 * float(np.quantile(noise, 1 - rarity, method="higher")),
        2 * float(all_off.max(initial=0.0)),
    )


def consistent(away: Floats) -> BoolArray:
    """Return bool[n], True where the Student interval over an instance's own repeats excludes "no change"."""
    repeats = len(away)
    if repeats == 1:
        return np.ones(away.shape[1], np.bool_)
    error = away.std(axis=0, ddof=1) / np.sqrt(repeats)
    steady: BoolArray = np.abs(away.mean(axis=0)) > student_quantile(LEVEL, repeats - 1) * error
    return steady
