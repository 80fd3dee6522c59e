"""Expected durations of instances, for the order of leases on a cluster: long ones first, so that none ends alone."""

from pathlib import Path

from harness.storing.hashes import ids_by_content
from harness.storing.journal import Journal, open_journal

LONG_S = 10.0  # seconds of an instance that takes a lease of its own
ORDER = 1e18  # what is known to take long comes before what is large


def expected(journal: Journal, former: Path | None) -> dict[int, float]:
    """Return numbers by which instances are ordered, largest first; instances without one come last. Raises BadUsage.

    In seconds, of instances that took long in a former run; else by size, of those whose problem is theirs alone.
    """
    sizes = journal.instances.sizes_of_lone_problems()
    if former is None:
        return sizes
    seconds = former_seconds(journal, former)
    long = {i: ORDER + took for i, took in seconds.items() if took >= LONG_S}
    return {i: size for i, size in sizes.items() if i not in seconds} | long


def former_seconds(journal: Journal, former: Path) -> dict[int, float]:
    """Return the seconds that all contenders of a former run took for each instance of a journal. Raises BadUsage."""
    with open_journal(former) as before:
        took, ids = before.outcomes.seconds(), ids_by_content(before)
    return {i: took[ids[key]] for key, i in ids_by_content(journal).items() if ids.get(key) in took}
