"""Contenders to compare, by the user's names or by default, and their times on common instances.

Times are paired within one machine type, and within a journal of several machines only if they are of one lease.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

import numpy as np

from harness.model.errors import BadUsage
from harness.model.patterns import is_glob, meant
from harness.reporting.frame.machine_types import Machines
from harness.reporting.frame.results import ContenderResults, Results
from harness.reporting.statistics.estimates import Floats
from harness.reporting.statistics.times import Times
from harness.reporting.writing.labels import short_names
from harness.storing.hashes import ids_by_content
from puzzles.problem.arrays import BoolArray, Int64Array


@dataclass(frozen=True)
class Side:
    """One contender of one journal, restricted to the common puzzles, in an order common to both sides.

    ids    int64[n], the journal's own ids of these puzzles
    shift  seconds that are added to times before their ratio is formed
    """

    results: Results
    of: ContenderResults
    ids: Int64Array
    shift: float = 0.0

    @property
    def name(self) -> str:
        return self.of.contender.name

    @property
    def version(self) -> str:
        return self.of.contender.version

    def times(self, clock: str) -> Times:
        """Return the times of the common puzzles on a clock."""
        return self.of.times[clock].at(self.ids)

    def shifted(self, clock: str) -> Times:
        """Return the times that ratios are of, with the shift."""
        return self.times(clock).shifted(self.shift)

    def peaks(self) -> Floats:
        """Return float64[repeats, n], bytes of each ask, NaN where unknown."""
        columns = self.results.journal.outcomes.columns(self.of.number, "repeat", "puzzle", "peak")
        found = np.full(self.of.states.shape, np.nan)
        found[columns["repeat"], columns["puzzle"]] = np.where(columns["peak"] > 0, columns["peak"], np.nan)
        return found[:, self.ids]


@dataclass(frozen=True)
class Stratum:
    """Part of two sides that ran on one machine type."""

    machines: Machines
    before: Side
    after: Side


def full_name(results: Results, text: str) -> str:
    """Return the full name of the only contender of a journal that `text` names. Raises BadUsage."""
    found = named_by(results, text)
    if len(found) != 1:
        raise BadUsage(f"{results.journal.path}: {text!r} may be {' or '.join(found)}: {choice(results)}")
    return found[0]


def full_names(results: Results, text: str) -> list[str]:
    """Return the full names of the contenders that `text` names, several if it is a glob. Raises BadUsage."""
    return named_by(results, text) if is_glob(text) else [full_name(results, text)]


def named_by(results: Results, text: str) -> list[str]:
    """Return the contenders that a text may name: as tables print them, in the notation of -b, or by a glob of either.

    Raises BadUsage if there is none.
    """
    printed, _ = short_names(list(results.by_name))
    found = [name for name, short in printed.items() if text in (name, short)]
    if not found and is_glob(text):
        found = [name for name, short in printed.items() if fnmatchcase(name, text) or fnmatchcase(short, text)]
    elif not found:
        found = [c.name for c in meant(text, [c.contender for c in results.contenders])]
    if not found:
        raise BadUsage(f"{results.journal.path}: no contender {text!r}: {choice(results)}")
    return found


def choice(results: Results) -> str:
    """Return advice that lists all contenders."""
    return f"choose from {', '.join(results.by_name)}"


def pair_up(a: Results, b: Results, named: Sequence[str]) -> list[tuple[str, str]]:
    """Return the pairs of contenders to compare: named ones, else the default. Raises BadUsage.

    The default within one journal is NAME@ENV with NAME, or the only two; between journals, contenders with equal
    names.
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


def sides(a: Results, b: Results, pairs: Sequence[tuple[str, str]], shift: float = 0.0) -> list[tuple[Side, Side]]:
    """Return the two sides of each pair, on the instances in both journals. Raises BadUsage."""
    if a is b:
        at = on = np.arange(1, a.size + 1)
    else:
        by_name = a.journal.facts.imported != b.journal.facts.imported
        left, right = ids_by_content(a.journal, by_name), ids_by_content(b.journal, by_name)
        common = [key for key in left if key in right]
        if not common:
            raise BadUsage(f"{a.journal.path} and {b.journal.path} have no puzzle in common")
        at, on = np.array([left[k] for k in common]), np.array([right[k] for k in common])
    return [(side(a, x, at, shift), side(b, y, on, shift)) for x, y in pairs]


def side(results: Results, name: str, ids: Int64Array, shift: float) -> Side:
    """Return one contender of a journal."""
    return Side(results, results.by_name[name], ids, shift)


def strata(a: Side, b: Side) -> list[Stratum]:
    """Return the parts of two sides by machine type, for types common to both; none if all ran on one type."""
    if not (a.results.strata or b.results.strata):
        return []
    others = {part.machines[0].type: part for part in b.results.strata or (b.results,) if part.machines}
    return [
        Stratum(part.machines[0], side(part, a.name, a.ids, a.shift), side(other, b.name, b.ids, b.shift))
        for part in a.results.strata or (a.results,)
        if part.machines and (other := others.get(part.machines[0].type))
    ]


def on_other_machines(a: Results, b: Results) -> bool:
    """Return True if two journals share no machine type; False for imported results, whose types are unknown."""
    types = [{machines.type for machines in results.machines} for results in (a, b)]
    return all(types) and types[0].isdisjoint(types[1])


def paired_asks(a: Side, b: Side) -> BoolArray | None:
    """Return bool[repeats, n], True where one lease has the outcomes of both; None if machines do not matter."""
    if a.results is not b.results or a.of.leases is None or b.of.leases is None:
        return None
    repeats = min(len(a.of.leases), len(b.of.leases))
    before, after = a.of.leases[:repeats, a.ids], b.of.leases[:repeats, b.ids]
    pairs: BoolArray = (before == after) & (before >= 0)
    return pairs


def paired_times(a: Side, b: Side, clock: str) -> tuple[Times, Times]:
    """Return the times of two sides that may be compared: of asks in common leases, if machines differ."""
    before, after, pairs = a.shifted(clock), b.shifted(clock), paired_asks(a, b)
    return (before, after) if pairs is None else (before.where(pairs), after.where(pairs))


def unpaired(a: Side, b: Side) -> BoolArray:
    """Return bool[n], puzzles that both decided, but never on one machine type, or never in one lease."""
    both = a.of.decided[a.ids] & b.of.decided[b.ids]
    if (pairs := paired_asks(a, b)) is not None:
        both &= ~pairs.any(axis=0)
    elif parts := strata(a, b):
        for part in parts:
            both &= ~(part.before.of.decided[a.ids] & part.after.of.decided[b.ids])
    elif not on_other_machines(a.results, b.results):
        both = np.zeros_like(both)
    return both
