"""Referee of one run: gathers evidence from every outcome and derives verdicts from all of it."""

from backends.answer import Int8Array, Int32Array
from harness.judging import judge
from harness.judging.proof_job import INTERRUPTED, unchecked
from harness.model.lineage.independence import lineage, same_voice, voices
from harness.model.outcome import Judged, Outcomes
from harness.storing.journal import Journal

JUDGED = ("status", "reason", "complete", "found")  # columns of an outcome on which its verdict depends


class Referee:
    """Judge of a journal's outcomes, by all evidence so far and the corpora's claims."""

    def __init__(self, journal: Journal) -> None:
        self.count = journal.settings().count
        self.contenders = journal.contenders()
        self.claims = journal.claims()
        unknown = journal.imported
        self.voices = same_voice(len(self.contenders)) if unknown else voices([lineage(c) for c in self.contenders])
        self.evidence = judge.Evidence.empty(journal.size(), self.voices.independent)
        for problem, ids, domains, solutions in journal.claimed_solutions():
            self.evidence.add_claimed(problem, ids, domains, solutions)

    def judge_batch(self, outcomes: Outcomes) -> Judged:
        """Check solutions, add them and the results of proofs to the evidence, and judge by all of it so far."""
        outcomes, proof, valid = self.add_evidence(outcomes)
        verdict = judge.verdicts(outcomes.batch.puzzles, outcomes.rows, valid, self.count, self.claims, self.evidence)
        return Judged(outcomes, valid, proof, verdict)

    def add_evidence(self, outcomes: Outcomes) -> tuple[Outcomes, Int8Array, Int32Array]:
        """Check solutions, and add them and the results of proofs to the evidence; return both with the outcomes."""
        batch, rows = outcomes.batch, outcomes.rows
        valid = judge.check(batch.problem, batch.domains, rows["found"], outcomes.solutions)
        if outcomes.proved is None:
            outcomes = unchecked(outcomes, valid, INTERRUPTED)
        proof = outcomes.proved
        assert proof is not None
        self.evidence.add(outcomes, valid, self.voices.of[batch.contender])
        self.evidence.certify(outcomes, proof)
        return outcomes, proof, valid

    def rejudge(self, journal: Journal, write: bool) -> None:
        """Check all stored outcomes again and rebuild the evidence; with `write`, store verdicts by it."""
        for outcomes in journal.stored_outcomes(measured=JUDGED):
            if write:
                judged, batch = self.judge_batch(outcomes), outcomes.batch
                journal.update_verdicts(batch.contender, batch.repeat, batch.puzzles, judged.valid, judged.verdict)
            else:
                self.add_evidence(outcomes)

    def finalise_verdicts(self, journal: Journal) -> int:
        """Update every stored verdict to all evidence; return how many changed."""
        columns = ("puzzle", "status", "reason", "complete", "found", "valid", "verdict")
        revised = 0
        for contender in range(len(self.contenders)):
            for repeat in range(journal.repeats()):
                c = journal.columns(contender, *columns, repeat=repeat)
                verdict = judge.verdicts(c["puzzle"], c, c["valid"], self.count, self.claims, self.evidence)
                changed = verdict != c["verdict"]
                if changed.any():
                    revised += int(changed.sum())
                    journal.update_verdicts(
                        contender, repeat, c["puzzle"][changed], c["valid"][changed], verdict[changed]
                    )
        return revised
