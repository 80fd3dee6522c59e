"""Families of instances: groups of a corpus that are alike, by a label or a file of the user's.

Two questions are apart: who is ahead *on these instances*, and *on instances of other families like these*. Where
families are stated, tests and intervals of rankings resample families. Where folders are alike and nobody has stated
them as families, a note tells the share of variance between folders and the design effect: by how much the variance
of a mean is larger than that of as many independent instances (L. Kish, Survey Sampling, 1965). The share is estimated
by one-way analysis of variance, and its standard error is R. A. Fisher's.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from harness.model.errors import BadUsage
from harness.reporting.frame.results import Results
from harness.reporting.frame.sampling import STATED, Labels, sampled
from harness.reporting.statistics.estimates import Floats
from harness.reporting.statistics.variation import variances
from puzzles.problem.arrays import Int64Array

SAT, UNSAT, UNDECIDED = "sat", "unsat", "undecided"
NO = "none"  # word of --families that leaves out stated ones
HOW = "with --families, a column `family` of imported results, or the key `families` of an experiment"
SURE = 1.96  # standard errors
LEAST_EFFECT = 1.5  # design effect from which folders are noted


class Alike(NamedTuple):
    """Share of the variance that is between folders, the design effect, and the upper end of its 95 % interval."""

    folders: int
    share: float
    effect: float
    most: float


def statuses(results: Results) -> Labels:
    unsat = np.any([c.unsatisfiable & c.decided for c in results.contenders], axis=0)[1:]
    sat = np.any([c.decided & ~c.unsatisfiable for c in results.contenders], axis=0)[1:]
    return np.where(sat & ~unsat, SAT, np.where(unsat & ~sat, UNSAT, UNDECIDED)).tolist()  # type: ignore[no-any-return]


def stated(results: Results) -> Labels:
    """Return the families that are stated. Raises BadUsage without any."""
    if results.sampled is None:
        raise BadUsage(f"no families are stated: {HOW}")
    return results.sampled.each()


def of_field(field: str) -> Callable[[Results], Labels]:
    """Return the function that labels the instances of results by a field of STATED."""
    return lambda results: STATED[field](results.journal)


FIELDS: dict[str, Callable[[Results], Labels]] = {
    **{field: of_field(field) for field in STATED},
    "family": stated,
    "status": statuses,
}


def with_families(results: Results, by: str) -> Results:
    """Return results whose rankings resample families by a field or a file, or none with NO. Raises BadUsage."""
    return replace(results, sampled=None if by == NO else sampled(results.journal, by))


def alike(values: Floats, of: Int64Array) -> Alike | None:
    """Return how alike values of a group are, None if that is not shown, or little.

    Shown is a share above 0 at 95 %; little a design effect whose upper end is below LEAST_EFFECT.
    """
    found = variances(values, of)
    if found is None or found.size <= 1 or not found.between + found.within:
        return None
    groups, size, share = found.groups, found.size, found.share
    variance = 2 * (1 - share) ** 2 * (1 + (size - 1) * share) ** 2 / (size * (size - 1) * (groups - 1))
    most = 1 + (size - 1) * min(1.0, share + SURE * variance**0.5)
    at_zero = (2 / (size * (size - 1) * (groups - 1))) ** 0.5
    if share < SURE * at_zero or most < LEAST_EFFECT:
        return None
    return Alike(groups, share, 1 + (size - 1) * share, most)
