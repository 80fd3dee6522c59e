"""Contenders to compare, by the names that the user gives, or a default."""

from collections.abc import Sequence

from harness.model.errors import BadUsage
from harness.model.selection.patterns import meant
from harness.reporting.results import Results


def full_name(results: Results, text: str) -> str:
    """Return the name in a journal of the contender that `text` names, as -b takes names. Raises BadUsage."""
    found = [c.name for c in meant(text, [c.contender for c in results.contenders])]
    if len(found) != 1:
        why = f"{text!r} may be {' or '.join(found)}" if found else f"no contender {text!r}"
        raise BadUsage(f"{results.journal.path}: {why}: choose from {', '.join(results.by_name)}")
    return found[0]


def pair_up(a: Results, b: Results, named: Sequence[str]) -> list[tuple[str, str]]:
    """Return the pairs of contenders to compare: those named, else a default. Raises BadUsage.

    The default within one journal is NAME@ENV with NAME, or the only two; between journals, equal names.
    """
    if named:
        return [(full_name(a, named[0]), full_name(b, named[1]))]
    left, right = list(a.by_name), list(b.by_name)
    if a is b:
        twins = [(name, name.partition("@")[0]) for name in left if "@" in name]
        pairs = [(x, y) for x, y in twins if y in left]
        if not pairs and len(left) == 2:
            pairs = [(left[0], left[1])]
        if len(left) < 2:
            raise BadUsage(f"{a.journal.path} has {len(left)} contender: compare it with another journal")
        if not pairs:
            raise BadUsage(f"{a.journal.path}: name two contenders with --contenders OLD NEW: {', '.join(left)}")
        return pairs
    pairs = [(name, name) for name in left if name in right]
    if not pairs:
        raise BadUsage(
            f"{a.journal.path} and {b.journal.path} have no contender in common: `compare --contenders OLD NEW`"
            f" compares one of each ({', '.join(left)}; {', '.join(right)})"
        )
    return pairs
