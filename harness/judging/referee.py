"""The judge's memory over one run: evidence from every outcome, and verdicts that follow from all of it."""

from functools import partial

import numpy as np

from encoders.formula import Formula
from encoders.registry import combined
from harness.judging import judge
from harness.model.outcome import Judged, Outcomes
from harness.storing.journal import Journal
from puzzles.problem import Domains, Problem


class Referee:
    """The judge's memory over one run: the evidence so far, and what the corpora claim."""

    def __init__(self, journal: Journal, count: int) -> None:
        self.count = count
        self.contenders = journal.contenders()
        self.evidence = judge.Evidence.none(journal.size())
        self.known = journal.known()
        self.formulas: dict[tuple[int, str], Formula] = {}
        bases = [c.backend.partition(":")[0] for c in self.contenders]
        self.kinds = [list(dict.fromkeys(bases)).index(base) for base in bases]

    def judge_batch(self, outcomes: Outcomes) -> Judged:
        """Check solutions and proofs, take them in as evidence, and judge the outcomes as things stand."""
        batch, rows = outcomes.batch, outcomes.rows
        valid = judge.check(batch.problem, batch.domains, rows["found"], outcomes.solutions)
        proof = outcomes.proved
        if proof is None:
            proof = judge.check_proofs(outcomes, valid, partial(self.formula, batch.contender, batch.problem))
        self.evidence.add(outcomes, valid, self.kinds[batch.contender])
        self.evidence.certify(outcomes, proof)
        verdict = judge.verdicts(batch.puzzles, rows, valid, self.count, self.known, self.evidence)
        return Judged(outcomes, valid, proof, verdict)

    def formula(self, contender: int, problem: Problem, domains: Domains) -> Formula:
        """What a contender's solver is given for a puzzle, before the givens: made again, for the judge's own use."""
        c = self.contenders[contender]
        chosen = combined(c.encoding, c.at_most_one)
        if chosen.sees_domains(problem):
            return chosen.formula(problem, domains)
        key = (contender, problem.digest)
        if key not in self.formulas:
            self.formulas[key] = chosen.formula(problem)
        return self.formulas[key]

    def finalise_verdicts(self, journal: Journal) -> None:
        """Bring every stored verdict up to what is proved by now."""
        columns = ("puzzle", "status", "reason", "complete", "found", "valid", "verdict")
        for contender in range(len(self.contenders)):
            for repeat in range(journal.repeats()):
                c = journal.columns(contender, *columns, repeat=repeat)
                valid = c["valid"].astype(np.int32)
                verdict = judge.verdicts(c["puzzle"], c, valid, self.count, self.known, self.evidence)
                changed = verdict != c["verdict"]
                journal.revise(contender, repeat, c["puzzle"][changed], valid[changed], verdict[changed])


def rejudge(journal: Journal, referee: Referee) -> None:
    """Take in all outcomes that are stored, storing what the judge now says of their solutions."""
    for outcomes in journal.stored_outcomes():
        judged, batch = referee.judge_batch(outcomes), outcomes.batch
        journal.revise(batch.contender, batch.repeat, batch.puzzles, judged.valid, judged.verdict)


def heard(journal: Journal) -> Referee:
    """The referee that has heard all stored outcomes; nothing is written."""
    referee = Referee(journal, journal.meta()["count"])
    for outcomes in journal.stored_outcomes():
        referee.judge_batch(outcomes)
    return referee
