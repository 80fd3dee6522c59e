"""Answers of a journal beside known ones: what agrees, what a checked solution refutes, and what is new.

A record is a claim of a lineage of its own, *record*: a checked solution refutes it, and it convicts nobody. Where a
complete answer and a record contradict each other and no solution shows which is wrong, both are named.
"""

import hashlib
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

from harness.judging.referee import Referee
from harness.reporting.formats.golden import POSSIBLE, Today, entries, is_better
from harness.storing import known
from harness.storing.hashes import content_hashes
from harness.storing.journal import Journal
from harness.storing.known import Record
from puzzles.constraints.clauses import Clauses
from puzzles.objectives import stated
from puzzles.objectives.models import ModelCount
from puzzles.problem import Objective

SETTLED = ("optimal", "counted")
MOST_LITERALS = 1 << 24  # of a formula whose hash of GBD is computed


@dataclass
class KnownReport:
    """Lines for the user, and the records to write."""

    refuted: list[str] = field(default_factory=list)
    differing: list[str] = field(default_factory=list)
    agreed: int = 0
    new: list[Record] = field(default_factory=list)
    corrected: list[Record] = field(default_factory=list)


def gbd_key(journal: Journal, i: int) -> str:
    """Return the key by GBD's hash of a formula that is clauses alone, '' for any other instance."""
    if journal.instances.outline_of(i).kinds != (Clauses.kind,) or journal.instances.with_objective[i]:
        return ""
    (part,) = journal.instances.get(i).problem.constraints
    assert isinstance(part, Clauses)
    if len(part.flat) > MOST_LITERALS:
        return ""
    text = " ".join(map(str, part.flat.tolist()))
    return f"gbd:{hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()}"


def compared(journal: Journal, referee: Referee, path: Path) -> KnownReport:
    """Compare the answers of a journal with the records of a file. Raises BadUsage."""
    report, keys = KnownReport(), {content: i for i, _, content in content_hashes(journal)}
    gbd = {content: gbd_key(journal, i) for content, i in keys.items()}
    records, bounds = known.found(path, [*keys, *filter(None, gbd.values())]), bounds_of(journal)
    for today in entries(journal, referee):
        content = today.entry["hash"]
        if content not in keys:
            continue
        own = record_of(today, str(journal.path), bounds.get(keys[content]))
        before = records.get(content) or records.get(gbd[content])
        if before is None:
            report.new += [own] if own else []
        elif why := refutation(before, today):
            report.refuted.append(f"{today.entry['puzzle']}: {before.words()} (from {before.source}), but {why}")
            report.corrected += [own._replace(key=before.key)] if own else []
        elif own is None or may_both_hold(before, own, today):
            report.agreed += own is not None
            if own and stronger(own := merged(own, before, today.goal), before, today):
                report.new.append(own)
        else:
            report.differing.append(
                f"{today.entry['puzzle']}: {before.words()} (from {before.source}), and {own.words()} here"
            )
    return report


def bounds_of(journal: Journal) -> dict[int, int]:
    """Return the best bound on the objective of each instance that a contender with a solution states."""
    found: dict[int, int] = {}
    for contender in range(len(journal.contenders.all())):
        for row in journal.objectives.values(contender):
            if row.value is not None and row.bound is not None and row.bound <= row.value:
                found[row.puzzle] = max(row.bound, found.get(row.puzzle, row.bound))
    return found


def record_of(today: Today, source: str, bound: int | None) -> Record | None:
    """Return the record of today's answer, None if nothing is known. `bound` is minimised."""
    entry, key = today.entry, today.entry["hash"]
    name, by = entry["puzzle"], entry.get("confirmed", "")
    if entry["count"] == "0":
        return Record(key, name, "unsatisfiable", "", "", "0", by, source)
    if today.goal is not None:
        if "optimum" in entry:
            status = "counted" if isinstance(today.goal, ModelCount) else "optimal"
            return Record(key, name, status, entry["optimum"], entry["optimum"], "", by, source)
        beyond = "" if bound is None else str(stated(today.goal, bound))
        return None if today.best is None else Record(key, name, "feasible", str(today.best), beyond, source=source)
    return None if entry["count"] == "?" else Record(key, name, "satisfiable", "", "", entry["count"], by, source)


def refutation(record: Record, today: Today) -> str:
    """Return what a checked solution shows against a record, '' if it stands."""
    count = today.entry["count"]
    shown = today.best is not None if today.goal is not None else count in ("1", "2+", "1+")
    if record.status == "unsatisfiable" and shown:
        return "a checked solution exists"
    limit = record.value if record.status in SETTLED else record.bound
    if limit and today.goal is not None and is_better(today.goal, today.best, Fraction(limit)):
        return f"{'' if record.status == 'counted' else 'a checked solution has '}the value {today.best}"
    return "several checked solutions exist" if record.solutions == "1" and count == "2+" else ""


def may_both_hold(record: Record, own: Record, today: Today) -> bool:
    """Return True unless a record and today's answer contradict each other."""
    if "unsatisfiable" in (record.status, own.status):
        return record.status == own.status
    if today.goal is None:
        return bool(POSSIBLE[record.solutions or "1+"] & POSSIBLE[own.solutions or "1+"])
    if own.status in SETTLED and record.value:
        worse = is_better(today.goal, Fraction(record.value), Fraction(own.value))
        return own.value == record.value if record.status in SETTLED else not worse
    return True


def stronger(own: Record, record: Record, today: Today) -> bool:
    """Return True if today's answer says more than a record."""
    if today.goal is None:
        return POSSIBLE[own.solutions or "?"] < POSSIBLE[record.solutions or "?"]
    if record.status == "feasible":
        return (own.status, own.value, own.bound) != (record.status, record.value, record.bound)
    return record.status == "satisfiable"


def merged(own: Record, record: Record, goal: Objective | None) -> Record:
    """Return today's record of a solution with the better value and the stronger bound of both."""
    if goal is None or (own.status, record.status) != ("feasible", "feasible"):
        return own
    best = own if is_better(goal, Fraction(own.value), Fraction(record.value)) else record
    weaker = own.bound and record.bound and is_better(goal, Fraction(own.bound), Fraction(record.bound))
    return best._replace(key=own.key, bound=record.bound if weaker or not own.bound else own.bound)
