"""Referee of one run: gathers evidence from all outcomes and derives verdicts from it."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from harness.judging import judge
from harness.judging.objectives import optimised
from harness.judging.proof_job import INTERRUPTED, unchecked
from harness.judging.remembered import columns_of, evidence_of, revisions_of
from harness.model.certification import Certification, inconsistencies
from harness.model.lineage import lineage, lineage_groups, one_group
from harness.model.outcome import CERTIFIED, Batch, Judged, Outcomes
from harness.model.quality import Optimised, Quality
from harness.storing.journal import Journal
from harness.storing.outcomes.table import Stored
from harness.storing.remembering import VERDICTS
from harness.storing.selection import Revision
from puzzles.objectives.queries import QueryScript
from puzzles.problem.arrays import Int8Array, Int32Array, Int64Array
from puzzles.problem.columns import distinct, pack
from puzzles.problem.columns import valid as valid_solutions

JUDGED = ("status", "reason", "complete", "found")  # columns of an outcome on which its verdict depends


# Outcomes with the results of proofs, the numbers of valid solutions, and values.
Known = tuple[Outcomes, Int8Array, Int32Array, Optimised | None]


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
    """Judge of a journal's outcomes by all evidence so far and the corpora's claims.

    inconsistent  by contender, instances on which its counts break an identity, or a core of it is satisfiable
    judged    bool[n], True for each instance with a verdict of this referee
    outdated  True if there is evidence on an instance that a stored verdict does not know
    """

    def __init__(self, journal: Journal) -> None:
        settings = journal.facts.settings()
        self.count, self.models = settings.count, settings.count_models
        self.inconsistent: dict[int, set[int]] = {}
        self.contenders = journal.contenders.all()
        self.claims = journal.claims.all()
        unknown = journal.facts.imported
        self.lineage_groups = (
            one_group(len(self.contenders)) if unknown else lineage_groups([lineage(c) for c in self.contenders])
        )
        self.evidence = judge.Evidence.empty(journal.instances.size(), self.lineage_groups.independent)
        self.judged, self.outdated = np.zeros(journal.instances.size() + 1, np.bool_), journal.outcomes.repeats() > 0
        for problem, ids, domains, solutions in journal.claims.solutions():
            self.evidence.add_claimed(problem, ids, domains, solutions)
        for row in journal.proofs.all():
            self.certify(journal, row, stored=True)

    def judge_batches(self, batches: Sequence[Outcomes]) -> list[Judged]:
        """Check solutions of outcomes that are committed together, add them and the results of proofs to the evidence.

        Then all are judged by all evidence so far. Batches without an objective get their verdicts in one call, whose
        cost hardly depends on their number.
        """
        self.outdated |= any(self.judged[outcomes.batch.puzzles].any() for outcomes in batches)
        for outcomes in batches:
            self.judged[outcomes.batch.puzzles] = True
        known = [self.add_evidence(outcomes, stored=False) for outcomes in batches]
        plain = [one for one in known if one[3] is None]
        together = iter(self.verdicts_of(plain) if plain else ())
        verdicts = [
            next(together) if best is None else self.verdicts(o.batch.puzzles, o.rows, valid, best, o.batch.contender)
            for o, _, valid, best in known
        ]
        return [Judged(o, valid, proof, v, best) for (o, proof, valid, best), v in zip(known, verdicts, strict=True)]

    def verdicts(
        self,
        puzzles: Int64Array,
        rows: judge.Columns,
        valid: Int32Array,
        best: Optimised | None,
        contender: int | None = None,
    ) -> Int8Array:
        """Return the verdicts on outcomes by all evidence so far; `contender` if all are of one."""
        broken = self.inconsistent.get(-1 if contender is None else contender)
        inconsistent = np.isin(puzzles, list(broken)) if broken else None
        known = self.claims, self.evidence, best
        return judge.verdicts(puzzles, rows, valid, self.count, *known, self.models, inconsistent)

    def verdicts_of(self, batches: Sequence[Known]) -> list[Int8Array]:
        """Return the verdicts on the outcomes of each batch, of instances without an objective."""
        puzzles = np.concatenate([outcomes.batch.puzzles for outcomes, *_ in batches])
        rows = {name: np.concatenate([outcomes.rows[name] for outcomes, *_ in batches]) for name in JUDGED}
        found = self.verdicts(puzzles, rows, np.concatenate([valid for _, _, valid, _ in batches]), None)
        return np.split(found, np.cumsum([len(outcomes.rows) for outcomes, *_ in batches[:-1]]))

    def add_evidence(self, outcomes: Outcomes, stored: bool) -> Known:
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
        self.evidence.add(outcomes, valid, self.lineage_groups.of[self.voice(batch)], best)
        self.evidence.certify(outcomes, proof, stored, best)
        if self.models and best is not None and (sure := proof == CERTIFIED).any():
            self.evidence.add_values(batch.puzzles[sure], best.quality[sure])
        return outcomes, proof, valid, best

    def voice(self, batch: Batch) -> int:
        """Return the contender whose lineage is that of an answer: all that get a script's model as clauses are one."""
        script = batch.problem.objective
        own = lineage(self.contenders[batch.contender]).decoder
        if not isinstance(script, QueryScript) or script.model is None or own == "cpsat":
            return batch.contender
        return next(i for i, c in enumerate(self.contenders) if lineage(c).decoder != "cpsat")

    def certify(self, journal: Journal, row: Certification, stored: bool = False) -> None:
        """Add what a prover has shown to the evidence: a certificate, and solutions that are checked here."""
        self.outdated |= bool(self.judged[row.puzzle])
        for name, _ in inconsistencies(row.detail):
            at = next(i for i, contender in enumerate(self.contenders) if contender.name == name)
            self.inconsistent.setdefault(at, set()).add(row.puzzle)
        if self.models:
            self.certify_count(journal, row, stored)
            return
        if row.holds:
            counted = not journal.instances.with_objective[row.puzzle]
            quality = Quality.of_counts(np.array([row.value or 0])) if counted else Quality.of_values([row.value])
            self.evidence.certify_claim(row.puzzle, quality, row.proof, stored)
        if not len(row.solutions):
            return
        instance = journal.instances.get(row.puzzle)
        packed = pack(instance.problem, [instance.domains])
        for solution in row.solutions:
            self.evidence.add_verified(instance.problem, row.puzzle, packed, solution)

    def certify_count(self, journal: Journal, row: Certification, stored: bool) -> None:
        """Add an exact number of models, or models that are checked here."""
        if row.holds:
            quality = Quality.of_values([row.value])
            self.evidence.certify_claim(row.puzzle, quality, row.proof, stored)
            self.evidence.add_values(np.array([row.puzzle]), quality)
        elif len(row.solutions):
            instance = journal.instances.get(row.puzzle)
            packed = np.repeat(pack(instance.problem, [instance.domains]), len(row.solutions), axis=0)
            right = row.solutions[valid_solutions(instance.problem, packed, row.solutions)]
            found = [-len(distinct(instance.problem, right))] if len(right) else [None]
            self.evidence.add_values(np.array([row.puzzle]), Quality.of_values(found))

    def rejudge(self, journal: Journal, write: bool) -> int:
        """Check all stored outcomes again, rebuild the evidence, and derive every verdict from it.

        Changed verdicts, and what confirms answers, are shown to all further queries, or with `write` the verdicts are
        stored; returns the number of changes. Without `write` they are taken from the user's cache, if it has those of
        this content.
        """
        found = None if write else self.recalled(journal)
        if found is None:
            found = self.derived(journal, write)
        if not write:
            journal.outcomes.confirmed = judge.confirmed(self.claims, self.evidence)
        if found and not write:
            journal.selection.revise(found)
        return sum(len(revision.puzzles) for revision in found)

    def recalled(self, journal: Journal) -> list[Revision] | None:
        """Take the evidence of the user's cache, and return the verdicts that differ; None if the cache has none."""
        columns = journal.memory.verdicts
        if columns is None or (evidence := evidence_of(columns, journal.instances.size(), self.lineage_groups)) is None:
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
        if not write and journal.memory.key and (columns := columns_of(self.evidence, found, self.lineage_groups)):
            journal.memory.keep(VERDICTS, columns)
        return found

    def revisions(self, journal: Journal, write: bool) -> list[Revision]:
        """Add all stored outcomes to the evidence; return the verdicts that differ, with `write` after storing them.

        The evidence on an instance is complete once all outcomes of its chunk have been added.
        """
        revisions: list[Revision] = []
        for chunk in journal.outcomes.chunks(measured=JUDGED):
            checked = [self.checked(stored) for stored in chunk]
            found = [revision for one in checked if (revision := self.revised(one))]
            if found and write:
                journal.outcomes.update_verdicts(found)
            revisions += found
        return revisions

    def checked(self, stored: Stored) -> Checked:
        """Check the solutions of stored outcomes and add them to the evidence."""
        outcomes, _, valid, best = self.add_evidence(stored.outcomes, stored=True)
        batch, columns = outcomes.batch, {name: outcomes.rows[name].copy() for name in JUDGED}
        return Checked(batch.contender, batch.repeat, batch.puzzles, columns, valid, stored.valid, stored.verdict, best)

    def revised(self, one: Checked) -> Revision | None:
        """Return the differences from the journal in checked outcomes, by all evidence; None if there are none."""
        verdict = self.verdicts(one.puzzles, one.columns, one.valid, one.best, one.contender)
        changed = (verdict != one.stored_verdict) | (one.valid != one.stored_valid)
        if not changed.any():
            return None
        return Revision(one.contender, one.repeat, one.puzzles[changed], one.valid[changed], verdict[changed])

    def finalise_verdicts(self, journal: Journal) -> int:
        """Update every stored verdict to all evidence; return the number of changed verdicts.

        A run that judged each instance once, and whose journal nobody else has written, reads nothing for that.
        """
        journal.outcomes.confirmed = judge.confirmed(self.claims, self.evidence)
        changed_by_others = journal.watch is not None and journal.watch.changes > 0
        if not (self.outdated or changed_by_others or self.evidence.contradicted().any()):
            return 0
        columns = ("puzzle", "status", "reason", "complete", "found", "valid", "verdict")
        revised = 0
        for contender in range(len(self.contenders)):
            for repeat in range(journal.outcomes.repeats()):
                c = journal.outcomes.columns(contender, *columns, repeat=repeat)
                best = (
                    journal.objectives.optimised(contender, repeat, c["puzzle"])
                    if journal.instances.has_objectives
                    else None
                )
                verdict = self.verdicts(c["puzzle"], c, c["valid"], best, contender)
                changed = verdict != c["verdict"]
                if changed.any():
                    revised += int(changed.sum())
                    found = Revision(contender, repeat, c["puzzle"][changed], c["valid"][changed], verdict[changed])
                    journal.outcomes.update_verdicts([found])
        return revised
