"""Instances that a report is cut to: by name, and by what contenders made of them, with the conditions of the page.

--where native=timeout              a state of a contender, or of any with *
--where '*=nobody'                  decided by no contender; alone: by one
--where 'kissat=time>0.5'           decided in more (or less, <) than so many seconds
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from harness.model.errors import BadUsage
from harness.model.outcome import Verdict
from harness.reporting.frame.pairing import full_name
from harness.reporting.frame.results import ContenderResults, Results, State
from harness.storing.journal import Journal
from puzzles.problem.arrays import BoolArray
from puzzles.readers.folder import root_of
from puzzles.readers.selecting import Selection

EVIDENCE = ("certified", "certified_formula", "refused", "unchecked", "uncertified", "confirmed")
DECIDING = {"nobody": 0, "alone": 1}  # conditions on the number of contenders that decided
STATES = {state.name.lower(): state for state in State if state > State.DECIDED}
VERDICTS = {f"verdict:{verdict.name.lower()}": verdict for verdict in Verdict}
TIME = re.compile(r"time([<>])([0-9.]+(?:e-?[0-9]+)?)")
DECISIONS = ("solved", "unsolved", "satisfiable", "unsatisfiable")


@dataclass(frozen=True)
class InstanceFilter:
    """Patterns of names, and conditions CONTENDER=CONDITION, all of which an instance must meet."""

    selection: Selection = field(default_factory=Selection)
    where: Sequence[str] = ()

    @property
    def options(self) -> list[str]:
        """Options that state the filter, with their values."""
        options = (("--only", self.selection.only), ("--exclude", self.selection.exclude), ("--where", self.where))
        return [word for option, texts in options for text in texts for word in (option, text)]

    def __str__(self) -> str:
        return " ".join(self.options)

    def words(self, number: int) -> str:
        """Return the part of a header on the number of instances that pass."""
        return f" | only {number:,} {'instance' if number == 1 else 'instances'} ({self})"


def chosen(results: Results, by: InstanceFilter, clock: str = "wall") -> BoolArray:
    """Return bool[n], by id, the instances that were asked and pass a filter. Raises BadUsage."""
    found: BoolArray = np.any([c.asked for c in results.contenders], axis=0)
    if by.selection.only or by.selection.exclude:
        found[1:] &= named(results.journal, by.selection)
        if unmatched := next(by.selection.unmatched(), ""):
            raise BadUsage(f"{results.journal.path}: {unmatched}")
    for where in by.where:
        found &= condition(results, where, clock)
    if not found.any():
        raise BadUsage(f"{results.journal.path}: no instance passes {by}")
    return found


def named(journal: Journal, selection: Selection) -> BoolArray:
    """Return bool[size], the instances that patterns select."""
    roots = [root_of(Path(corpus.path or corpus.name)) for corpus in journal.corpora.sources()]
    several = [
        root.is_dir() or root != Path(c.path or "") for root, c in zip(roots, journal.corpora.sources(), strict=True)
    ]
    places = ((name, roots[at] / name if several[at] else roots[at]) for name, at, _ in journal.instances.listing())
    return np.array([selection.takes(name, path) for name, path in places], np.bool_)


def condition(results: Results, where: str, clock: str) -> BoolArray:
    """Return bool[n], the instances that meet CONTENDER=CONDITION. Raises BadUsage."""
    name, _, text = where.rpartition("=")
    if not name:
        raise BadUsage(f"--where {where}: write CONTENDER=CONDITION, or *=CONDITION for any contender")
    if name == "*" and text in DECIDING:
        number: BoolArray = np.sum([c.decided for c in results.contenders], axis=0) == DECIDING[text]
        return number
    some = results.contenders if name == "*" else (results.by_name[full_name(results, name)],)
    met: BoolArray = np.any([test(c, text, where, clock) for c in some], axis=0)
    return met


def test(c: ContenderResults, text: str, where: str, clock: str) -> BoolArray:
    """Return bool[n], the instances on which a contender meets a condition. Raises BadUsage."""
    decisions = (c.decided, c.asked & ~c.decided, c.decided & ~c.unsatisfiable, c.unsatisfiable)
    flags = dict(zip(DECISIONS, decisions, strict=True)) | {name: getattr(c, name) for name in EVIDENCE}
    found: BoolArray
    if text in flags:
        found = flags[text]
    elif text in STATES:
        found = c.state == STATES[text]
    elif text in VERDICTS:
        found = c.verdict == VERDICTS[text]
    elif (timed := TIME.fullmatch(text)) and timed[2].count(".") < 2:
        seconds, limit = c.seconds_by_instance(clock), float(timed[2])
        found = seconds > limit if timed[1] == ">" else seconds < limit
    else:
        known = (*DECISIONS, *STATES, *EVIDENCE, *VERDICTS, *DECIDING, "time>SECONDS", "time<SECONDS")
        raise BadUsage(f"--where {where}: known are {', '.join(known)}")
    return found
