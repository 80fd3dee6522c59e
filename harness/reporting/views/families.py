"""Families of instances: groups of a corpus that are alike, by a label or a file of the user's.

Two questions are apart: who is ahead *on these instances*, and *on instances of other families like these*. Where
families are stated, tests and intervals of rankings resample families. Where folders are alike and nobody has stated
them as families, a note tells the share of variance between folders and the design effect: by how much the variance
of a mean is larger than that of as many independent instances (L. Kish, Survey Sampling, 1965). The share is estimated
by one-way analysis of variance, and its standard error is R. A. Fisher's.
"""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from harness.model.errors import BadUsage
from harness.reporting.frame.results import Results, SampledFamilies
from harness.reporting.statistics.estimates import Floats
from harness.reporting.statistics.variation import variances
from harness.reporting.writing.labels import common_start
from puzzles.files import read_text
from puzzles.problem.arrays import Int64Array

NONE = "(none)"  # folder of an instance that is in none
SAT, UNSAT, UNDECIDED = "sat", "unsat", "undecided"
FEWEST = 2  # families to resample
SURE = 1.96  # standard errors
LEAST_EFFECT = 1.5  # design effect from which folders are noted
Labels = list[str]


class Alike(NamedTuple):
    """Share of the variance that is between folders, the design effect, and the upper end of its 95 % interval."""

    folders: int
    share: float
    effect: float
    most: float


def corpora(results: Results) -> Labels:
    names = [source.name for source in results.journal.corpora.sources()]
    return [names[at] for at in results.listed.corpora.tolist()]


def folders(results: Results) -> Labels:
    names = results.listed.names
    start = len(common_start(names))
    return [name[start:].partition("/")[0] if "/" in name[start:] else NONE for name in names]


def kinds(results: Results) -> Labels:
    families = results.families
    return [families[problem] for problem in results.listed.problems.tolist()]


def statuses(results: Results) -> Labels:
    unsat = np.any([c.unsatisfiable & c.decided for c in results.contenders], axis=0)[1:]
    sat = np.any([c.decided & ~c.unsatisfiable for c in results.contenders], axis=0)[1:]
    return np.where(sat & ~unsat, SAT, np.where(unsat & ~sat, UNSAT, UNDECIDED)).tolist()  # type: ignore[no-any-return]


FIELDS: dict[str, Callable[[Results], Labels]] = {
    "corpus": corpora,
    "folder": folders,
    "kind": kinds,
    "status": statuses,
}
STATED = ("corpus", "folder", "kind")  # fields whose groups may be families


def with_families(results: Results, by: str) -> Results:
    """Return results whose rankings resample families: by a field, or by a file of INSTANCE,FAMILY. Raises BadUsage."""
    labels = FIELDS[by](results) if by in STATED else from_file(results, by)
    of = numbers_of(labels)
    if of.max(initial=-1) + 1 < FEWEST:
        raise BadUsage(f"--families {by}: all instances are of one family")
    return replace(results, sampled=SampledFamilies(by, of))


def numbers_of(labels: Labels) -> Int64Array:
    """Return the number, from 0, of each label."""
    known: dict[str, int] = {}
    return np.array([known.setdefault(label, len(known)) for label in labels], np.int64)


def from_file(results: Results, path: str) -> Labels:
    """Return the families of a file with a line INSTANCE,FAMILY for each instance. Raises BadUsage."""
    if not Path(path).is_file():
        raise BadUsage(f"--families {path}: state one of {', '.join(STATED)}, or a file with lines INSTANCE,FAMILY")
    stated = {name: family for _, name, family in pairs_of(path, "FAMILY")}
    if missing := [name for name in results.listed.names if name not in stated]:
        raise BadUsage(f"{path}: no family of {missing[0]!r}")
    return [stated[name] for name in results.listed.names]


def pairs_of(path: str, what: str) -> list[tuple[int, str, str]]:
    """Return number, instance and the rest of each line INSTANCE,WHAT of a file. Raises BadUsage, OSError."""
    try:
        lines = read_text(path).splitlines()
    except UnicodeDecodeError:
        raise BadUsage(f"{path}: no text in UTF-8: expected lines INSTANCE,{what}") from None
    found = []
    for number, line in enumerate(lines, 1):
        name, _, rest = (part.strip() for part in line.rpartition(","))
        if not (name and rest):
            raise BadUsage(f"{path}:{number}: {line[:40]!r} is no line INSTANCE,{what}")
        found.append((number, name, rest))
    return found


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
