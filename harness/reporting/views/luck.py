"""Luck of seeds, apart from instances: how much of the difference of two contenders another seed would change.

It is shown where repeats have other seeds: drawn seeds, scrambled boards, or imported results with a column `seed`.
Repeats of one seed differ by noise of the machine alone, which is in every interval.
"""

import numpy as np

from harness.reporting.frame.results import Results
from harness.reporting.statistics.estimates import Floats
from harness.reporting.statistics.times import Times
from harness.reporting.statistics.variation import Luck, luck
from harness.reporting.writing.numbers import format_number
from harness.storing.facts import SEEDS


def cause(results: Results) -> str:
    """Return the name of what differs between repeats, '' where all have one seed."""
    if results.settings.scramble:
        return "scrambles"
    return "seeds" if results.settings.draw_seeds or (results.facts.get("imported") or {}).get(SEEDS) else ""


def luck_of(results: Results, a: Times, b: Times) -> Luck | None:
    """Return the luck in ratios of two contenders, paired by repeat; None where all repeats have one seed."""
    if not cause(results):
        return None
    repeats = min(len(a.asks), len(b.asks))
    ratios: Floats = np.log(b.asks[:repeats] / a.asks[:repeats])
    return luck(ratios)


def luck_text(of: str, found: Luck) -> str:
    """Return the luck of `of`, seeds or scrambles, in words."""
    return (
        f"luck of {of} is {found.share:.0%} [{found.low:.0%}, {found.high:.0%}] of the variance of single ratios, a"
        f" factor of {format_number(float(np.exp(found.sd)))} (log sd {found.sd:.2f}); medians over repeats keep"
        f" {found.of_median:.0%}, and the mean over {found.instances:,} instances a factor of"
        f" {float(np.exp(found.mean_sd)):.3f}"
    )
