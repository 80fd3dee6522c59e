"""Referee of one run: gathers evidence from all outcomes and derives verdicts from it."""

from typing import NamedTuple

import numpy as np

from harness.judging import judge
from harness.judging.objectives import optimised
from harness.judging.proof_job import INTERRUPTED, unchecked
from harness.judging.remembered import columns_of, evidence_of, revisions_of
from harness.model.certification import Certification
from harness.model.lineage import lineage, same_voice, voices
from harness.model.merit import Merit
from harness.model.optimised import Optimised
from harness.model.outcome import Judged, Outcomes
from harness.storing.journal import Journal
from harness.storing.outcomes.table import Revision, Stored
from harness.storing.remembering import VERDICTS
from puzzles.problem.arrays import Int8Array, Int32Array, Int64Array
from puzzles.problem.columns import pack

JUDGED = ("status", "reason", "complete", "found")  # columns of an outcome on which its verdict depends


class Checked(NamedTuple):
    """Outcomes of a contender and repeat, without their solutions: columns JUDGED, the stored verdicts, and values."""

    contender: int
    repeat: int
    puzzles: Int64Array
    columns: judge.Columns
    valid: Int32Array
    stored_valid: Int32Array
    stored_verdict: Int8Array
    best: Optimised | None


class Referee:
    """Judge of a journal's outcomes by all evidence so far and the corpora's claims."""

    def __init__(self, journal: Journal) -> None:
        self.count = journal.settings().count
        self.contenders = journal.contenders()
        self.claims = journal.claims()
        unknown = journal.imported
        self.voices = same_voice(len(self.contenders)) if unknown else voices([lineage(c) for c in self.contenders])
        self.evidence = judge.Evidence.empty(journal.size(), self.voices.independent)
        for problem, ids, domains, solutions in journal.claimed_solutions():
            self.evidence.add_claimed(problem, ids, domains, solutions)
        for row in journal.certifications():
            self.certify(journal, row, stored=True)

    def judge_batch(self, outcomes: Outcomes, stored: bool = False) -> Judged:
        """Check solutions, add them and the results of proofs to the evidence, and judge by the evidence so far."""
        outcomes, proof, valid, best = self.add_evidence(outcomes, stored)
        verdict = judge.verdicts(
            outcomes.batch.puzzles, outcomes.rows, valid, self.count, self.claims, self.evidence, best
        )
        return Judged(outcomes, valid, proof, verdict, best)

    def add_evidence(
        self, outcomes: Outcomes, stored: bool
    ) -> tuple[Outcomes, Int8Array, Int32Array, Optimised | None]:
        """Check solutions, and add them and the results of proofs to the evidence; return both with the outcomes.

        With an objective, the values of the solutions are evaluated and returned too.

        `stored` if the outcomes were read from a journal, whose certificates are not checked again.
        """
        batch, rows = outcomes.batch, outcomes.rows
        valid = judge.check(batch.problem, batch.domains, rows["found"], outcomes.solutions)
        if outcomes.proved is None:
            outcomes = unchecked(outcomes, valid, INTERRUPTED)
        proof = outcomes.proved
        assert proof is not None
        best = optimised(outcomes, valid)
        self.evidence.add(outcomes, valid, self.voices.of[batch.contender], best)
        self.evidence.certify(outcomes, proof, stored, best)
        return outcomes, proof, valid, best

    def certify(self, journal: Journal, row: Certification, stored: bool = False) -> None:
        """Add what a prover has shown to the evidence: a certificate, and solutions that are checked here."""
        if row.holds:
            counted = not journal.objectives[row.puzzle]
            merit = Merit.of_counts(np.array([row.value or 0])) if counted else Merit.of_values([row.value])
            self.evidence.certify_claim(row.puzzle, merit, row.proof, stored)
        if not len(row.solutions):
            return
        instance = journal.puzzle(row.puzzle)
        packed = pack(instance.problem, [instance.domains])
        for solution in row.solutions:
            self.evidence.add_shown(instance.problem, row.puzzle, packed, solution)

    def rejudge(self, journal: Journal, write: bool) -> int:
        """Check all stored outcomes again, rebuild the evidence, and derive every verdict from it.

        Changed verdicts are shown to all further queries, or with `write` stored; returns their number. Without
        `write` they are taken from the user's cache, if it has those of this content.
        """
        found = None if write else self.recalled(journal)
        if found is None:
            found = self.derived(journal, write)
        if found and not write:
            journal.show_verdicts(found)
        return sum(len(revision.puzzles) for revision in found)

    def recalled(self, journal: Journal) -> list[Revision] | None:
        """Take the evidence of the user's cache, and return the verdicts that differ; None if the cache has none."""
        columns = journal.memory.verdicts
        if columns is None or (evidence := evidence_of(columns, journal.size(), self.voices)) is None:
            return None
        self.evidence = evidence
        return list(revisions_of(columns))

    def derived(self, journal: Journal, write: bool) -> list[Revision]:
        """Add all stored outcomes to the evidence; return the verdicts that differ, with `write` after storing them.

        Once a certificate is contradicted none counts, so chunks that were judged earlier are judged again.
        """
        found = self.revisions(journal, write)
        if self.evidence.contradicted().any():
            found = [*found, *self.revisions(journal, write)] if write else self.revisions(journal, write)
        if not write and journal.memory.key and (columns := columns_of(self.evidence, found, self.voices)):
            journal.memory.keep(VERDICTS, columns)
        return found

    def revisions(self, journal: Journal, write: bool) -> list[Revision]:
        """Add all stored outcomes to the evidence; return the verdicts that differ, with `write` after storing them.

        The evidence on an instance is complete once all outcomes of its chunk have been added.
        """
        revisions: list[Revision] = []
        for chunk in journal.outcome_chunks(measured=JUDGED):
            checked = [self.checked(stored) for stored in chunk]
            found = [revision for one in checked if (revision := self.revised(one))]
            if found and write:
                journal.update_verdicts(found)
            revisions += found
        return revisions

    def checked(self, stored: Stored) -> Checked:
        """Check the solutions of stored outcomes and add them to the evidence."""
        outcomes, _, valid, best = self.add_evidence(stored.outcomes, stored=True)
        batch, columns = outcomes.batch, {name: outcomes.rows[name].copy() for name in JUDGED}
        return Checked(batch.contender, batch.repeat, batch.puzzles, columns, valid, stored.valid, stored.verdict, best)

    def revised(self, one: Checked) -> Revision | None:
        """Return the differences from the journal in checked outcomes, by all evidence; None if there are none."""
        verdict = judge.verdicts(one.puzzles, one.columns, one.valid, self.count, self.claims, self.evidence, one.best)
        changed = (verdict != one.stored_verdict) | (one.valid != one.stored_valid)
        if not changed.any():
            return None
        return Revision(one.contender, one.repeat, one.puzzles[changed], one.valid[changed], verdict[changed])

    def finalise_verdicts(self, journal: Journal) -> int:
        """Update every stored verdict to all evidence; return the number of changed verdicts."""
        columns = ("puzzle", "status", "reason", "complete", "found", "valid", "verdict")
        revised = 0
        for contender in range(len(self.contenders)):
            for repeat in range(journal.repeats()):
                c = journal.columns(contender, *columns, repeat=repeat)
                best = journal.optimised(contender, repeat, c["puzzle"]) if journal.has_objectives else None
                verdict = judge.verdicts(c["puzzle"], c, c["valid"], self.count, self.claims, self.evidence, best)
                changed = verdict != c["verdict"]
                if changed.any():
                    revised += int(changed.sum())
                    found = Revision(contender, repeat, c["puzzle"][changed], c["valid"][changed], verdict[changed])
                    journal.update_verdicts([found])
        return revised
