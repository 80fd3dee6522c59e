"""Families of instances: labels by a field, by the journal's own statement, or by a file of INSTANCE,FAMILY."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, Self

import numpy as np

from harness.model.errors import BadUsage
from harness.reporting.writing.labels import common_start
from harness.storing.facts import FAMILIES
from harness.storing.journal import Journal
from puzzles.files import read_text
from puzzles.problem.arrays import Int64Array

NONE = "(none)"  # family of an instance that is in none
FEWEST = 2  # families to resample
Labels = list[str]


class SampledFamilies(NamedTuple):
    """Families that rankings resample: the field or file that states them, int64[n], their numbers, and labels."""

    by: str
    of: Int64Array
    labels: Sequence[str]

    @classmethod
    def labelled(cls, by: str, labels: Labels) -> Self | None:
        """Return the families of labelled instances, numbered in their order; None for fewer than FEWEST."""
        known: dict[str, int] = {}
        of = np.array([known.setdefault(label, len(known)) for label in labels], np.int64)
        return cls(by, of, tuple(known)) if len(known) >= FEWEST else None

    @property
    def number(self) -> int:
        return len(self.labels)

    def each(self) -> Labels:
        """Return the label of each instance."""
        return [self.labels[at] for at in self.of.tolist()]


def corpora(journal: Journal) -> Labels:
    names = [source.name for source in journal.corpora.sources()]
    return [names[at] for at in journal.instances.listed().corpora.tolist()]


def folders(journal: Journal) -> Labels:
    names = journal.instances.listed().names
    start = len(common_start(names))
    return [name[start:].partition("/")[0] if "/" in name[start:] else NONE for name in names]


def kinds(journal: Journal) -> Labels:
    outlines = journal.problems.outlines
    return [outlines[problem].family for problem in journal.instances.listed().problems.tolist()]


STATED: Mapping[str, Callable[[Journal], Labels]] = {"corpus": corpora, "folder": folders, "kind": kinds}


def labels_by(journal: Journal, by: str) -> Labels:
    """Return the label of each instance by a field of STATED or a file. Raises BadUsage."""
    return STATED[by](journal) if by in STATED else from_file(journal, by)


def from_file(journal: Journal, path: str) -> Labels:
    """Return the families of a file with a line INSTANCE,FAMILY for each instance. Raises BadUsage."""
    if not Path(path).is_file():
        raise BadUsage(f"--families {path}: state one of {', '.join(STATED)}, or a file with lines INSTANCE,FAMILY")
    stated = {name: family for _, name, family in pairs_of(path, "FAMILY")}
    names = journal.instances.listed().names
    if missing := [name for name in names if name not in stated]:
        raise BadUsage(f"{path}: no family of {missing[0]!r}")
    return [stated[name] for name in names]


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


def sampled(journal: Journal, by: str) -> SampledFamilies:
    """Return the families that a field or a file states. Raises BadUsage if all instances are of one."""
    found = SampledFamilies.labelled(by, labels_by(journal, by))
    if found is None:
        raise BadUsage(f"--families {by}: all instances are of one family")
    return found


def as_fact(journal: Journal, by: str) -> dict[str, dict[str, str]]:
    """Return families as metadata of a journal, by instance name. Raises BadUsage if instances of a name differ."""
    found = sampled(journal, by)
    of: dict[str, str] = {}
    for name, label in zip(journal.instances.listed().names, found.each(), strict=True):
        if of.setdefault(name, label) != label:
            raise BadUsage(f"--families {by}: {name!r} is the name of several instances, of {of[name]} and {label}")
    return {by: of}


def of_journal(journal: Journal) -> SampledFamilies | None:
    """Return the families that a journal states, None without any: those of a run, or of a column of an import."""
    for by, of in journal.facts.get(FAMILIES, {}).items():
        return SampledFamilies.labelled(by, [of.get(name, NONE) for name in journal.instances.listed().names])
    return None
