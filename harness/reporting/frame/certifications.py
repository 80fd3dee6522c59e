"""Claims of a run that provers were asked about (`--certify`): counts for the summary, and the lines below tables."""

from typing import Any

from harness.model.certification import Certification
from harness.model.outcome import CERTIFIED, FORMULA_CERTIFIED
from harness.reporting.frame.entries import CertifyEntry, Summary, field_of
from harness.reporting.writing.printable import printable
from harness.storing.journal import Journal

MAX_LISTED = 3  # claims without a proof that a table names
OF = {CERTIFIED: "instance", FORMULA_CERTIFIED: "formula"}


def certify_entry(journal: Journal) -> CertifyEntry | None:
    """Return the counts of certifications, and each claim that was not proved; None if the run asked for none.

    instance, formula  claims with a checked proof, by prover     twice  of these, verified by two checkers or more
    """
    provers = list(journal.facts.settings().certify)
    if not provers:
        return None
    rows = list(journal.proofs.all())
    proved = [row for row in rows if row.holds]

    def by(of: str) -> dict[str, int]:
        return {p: sum(row.prover == p and OF[row.proof] == of for row in proved) for p in provers}

    counts = journal.facts.settings().count_models  # of which enumerated models are a lower bound
    provers = list(dict.fromkeys(row.prover for row in proved)) if counts else provers
    refuted = sum(len(row.solutions) > 0 for row in rows if not counts)
    left = [left_entry(journal, row) for row in rows if not row.holds and not len(row.solutions)]
    twice = sum(len(row.by) > 1 for row in proved)
    return {
        "claims": len(rows),
        "instance": by("instance"),
        "formula": by("formula"),
        "twice": twice,
        "refuted": refuted,
        "left": left,
    }


def left_entry(journal: Journal, row: Certification) -> dict[str, Any]:
    """Return the entry of a claim that was not proved."""
    return {"id": row.puzzle, "puzzle": journal.instances.name(row.puzzle), "prover": row.prover, "why": row.detail}


def certify_lines(summary: Summary) -> list[str]:
    """Return a line on all certifications, and one for each of some claims that were not proved."""
    entry = summary.get("certify")
    if entry is None:
        return []
    by = [(of, prover, number) for of in OF.values() for prover, number in field_of(entry, of).items()]
    parts = [f"{number:,} of the {of} by {prover}" for of, prover, number in by if number]
    proved = sum(number for _, _, number in by)
    checked = [f"{entry['twice']:,} of {proved:,} proofs checked twice"] if proved else []
    words = f"{entry['claims']:,} claim{'s' * (entry['claims'] != 1)}"
    left = entry["left"]
    counts = {"refuted": entry["refuted"], "not proved": len(left)}
    missing = [f"{number:,} {word}" for word, number in counts.items() if number]
    text = "; ".join([f"certify:   {words}: {', '.join(parts) or 'none proved'}", *checked, *missing])
    lines = [
        printable(f"not proved: {one['puzzle']}: {one['prover'] or 'certify'}: {one['why']}")
        for one in left[:MAX_LISTED]
    ]
    more = [f"not proved: {len(left) - MAX_LISTED:,} more, all in --json"] if len(left) > MAX_LISTED else []
    return [text, *lines, *more]
