"""Names, known answers and times of a journal's instances, as other tools' formats need them.

Lists and arrays of instances are by id, index 0 unused.
"""

from collections.abc import Iterable
from re import sub

import numpy as np

from backends.contract.answer import Status
from harness.model.file_names import distinct
from harness.model.outcome import NANO, Verdict
from harness.reporting.writing.printable import printable
from harness.storing.journal import Journal
from puzzles.problem.arrays import Int8Array

MAX_STEM = 80  # characters of a file's name


def instance_ids(journal: Journal) -> list[int]:
    """Return the ids of the instances of the journal; a shard has some of the run's."""
    return [i for first, last in journal.instances.parts() for i in range(first, last + 1)]


def instance_names(journal: Journal) -> list[str]:
    """Return a distinct printable name of each instance."""
    return list(distinct(["", *(printable(name) for name, *_ in journal.instances.listing())]))


def seconds(nanoseconds: int) -> str:
    """Return a time with all its digits, such as 0.001234567."""
    return f"{nanoseconds // NANO}.{nanoseconds % NANO:09}"


def file_stems(names: Iterable[str]) -> list[str]:
    """Return a distinct stem of a file's name for each contender, of letters, digits and ``.+=_-`` alone."""
    stems = (sub(r"[^A-Za-z0-9.+=_-]+", "-", name).strip(".=-")[:MAX_STEM] or "contender" for name in names)
    return list(distinct(stems, "{}-{}"))


def known_status(journal: Journal) -> Int8Array:
    """Return the known Status of each instance, UNKNOWN for none: from a checked solution or proof, or a claim.

    A refuted claim does not count.
    """
    claims, size = journal.claims.all(), journal.instances.size()
    claimed, some = claims.stated.given, claims.stated.quality.some
    claimed_none = claimed & ~some & ~claims.at_least
    known = np.where(some, Status.SATISFIABLE, np.where(claimed_none, Status.UNSATISFIABLE, Status.UNKNOWN))
    found = np.zeros(size + 1, np.int8)
    for number in range(len(journal.contenders.all())):
        c = journal.outcomes.columns(number, "puzzle", "verdict", "status", "valid")
        known[c["puzzle"][c["verdict"] == Verdict.CORPUS_WRONG]] = Status.UNKNOWN
        certain = (c["verdict"] == Verdict.CORRECT) & (c["status"] == Status.UNSATISFIABLE)
        found[c["puzzle"][certain]] = Status.UNSATISFIABLE
        found[c["puzzle"][c["valid"] > 0]] = Status.SATISFIABLE
    return np.where(found > 0, found, known).astype(np.int8)
