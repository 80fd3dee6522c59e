"""Certifications after a run: for each answer that is claimed to be complete without a proof, another solver's proof.

    claim    an instance whose best solution some contender calls the best, or whose solutions it calls all
    prover   contender that writes proofs; it gets the instance with the row "better than the claim", if one states that

The proof certifies the instance where the judge derives from it what the prover received, with the row of the bound
(harness/judging/formulas/), and else the formula. A better solution refutes the claim.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np

from backends.contract.answer import OPTIMISE, Reason
from backends.contract.catalogue import describe
from harness.judging.judge import check
from harness.judging.kept_proofs import KeptProofs
from harness.judging.proof_checker import ProofChecker
from harness.judging.proof_job import SECOND, certifiers
from harness.model.certification import Certification
from harness.model.contender import Contender, resolve
from harness.model.lease import Block, Lease
from harness.model.outcome import CERTIFIED, FORMULA_CERTIFIED, NO_PROOF, Outcomes
from harness.model.selection.fitting import refuses
from harness.model.settings import RunSettings
from harness.running.dealer import Dealer
from harness.running.engines.local import LocalPlaces
from harness.running.sources import files_by_format
from harness.running.workers.run_context import Notify
from harness.running.workers.sandboxes import Sandboxes
from harness.runs.runner import Run, job_cpus
from puzzles.objectives.bounded import below, bounded
from puzzles.problem import Instance, Problem
from puzzles.problem.arrays import Solutions
from puzzles.problem.check import fault_of
from puzzles.problem.columns import pack
from puzzles.problem.values import Domains

NO_PROVER = "no prover takes it"


@dataclass(frozen=True)
class OpenClaim:
    """Answer to an instance that is claimed to be complete.

    value  of the best solution, None for no solution; without an objective the number of solutions
    """

    puzzle: int
    instance: Instance[Problem]
    value: int | None

    def asked_of(self, prover: Contender, settings: RunSettings) -> Problem | None:
        """Return the problem of which a prover is to show that it has no solution, or no better one; None for none."""
        problem, goal = self.instance.problem, self.instance.problem.objective
        can = describe(prover.backend, settings.programs).can
        if goal is None and self.value and "count" not in can:
            return None
        if goal is not None and OPTIMISE not in can:
            found = bounded(problem, self.value) if self.value is not None else replace(problem, objective=None)
        else:
            row = None if self.value is None else below(goal, self.value)
            found = problem if row is None else replace(problem, constraints=(*problem.constraints, row))
        return None if found is None or refuses(prover, found, settings.programs) else found

    def domains_in(self, problem: Problem) -> Domains:
        """Return the domains of the instance in a problem with further Boolean variables."""
        return (*self.instance.domains, *[3] * (len(problem.variables) - len(self.instance.domains)))

    def breaks(self, solutions: Solutions) -> str:
        """Return the reason why solutions are invalid, '' if all are valid."""
        problem = self.instance.problem
        found = np.array([len(solutions)], np.int32)
        valid = check(problem, pack(problem, [self.instance.domains]), found, solutions)
        if valid[0] >= 0:
            return ""
        return f"its solution is wrong: {fault_of(problem, self.instance.domains, solutions.tolist())}"

    def shown_by(self, solutions: Solutions) -> int | None:
        """Return the value of the best of some solutions, None without any; without an objective their number."""
        goal = self.instance.problem.objective
        if goal is None:
            return len(solutions)
        values: list[int] = goal.values(solutions, self.instance.problem).tolist() if len(solutions) else []
        return min(values, default=None)

    def is_beaten(self, value: int | None) -> bool:
        """Return True if solutions of this value, or so many of them, refute the claim."""
        if self.instance.problem.objective is None:
            return (value or 0) > (self.value or 0)
        return value is not None and (self.value is None or value < self.value)


def claims_of(run: Run) -> list[OpenClaim]:
    """Return the claims that no certificate confirms; none while a certificate is contradicted, as none counts then."""
    evidence, journal = run.referee.evidence, run.journal
    if evidence.contradicted().any():
        return []
    scripts = journal.instances.scripts  # of which cores are proved
    inside = np.zeros(journal.instances.size() + 1, np.bool_)
    for first, last in journal.instances.parts():
        inside[first : last + 1] = True
    ids = np.flatnonzero(inside & ~scripts & evidence.answered() & ~evidence.proved())
    verified = evidence.verified[ids]
    values = zip(
        ids.tolist(),
        journal.instances.with_objective[ids].tolist(),
        verified.values,
        verified.number.tolist(),
        strict=True,
    )
    return [OpenClaim(i, journal.instances.get(i), value if goal else int(number)) for i, goal, value, number in values]


def certify(run: Run, notify: Notify, progress: Callable[[int], object], keep_proofs: Path | None) -> None:
    """Ask the provers of a run about its claims, one prover after the other, and store the certificates."""
    left = claims_of(run)
    count = 1 + max((claim.value or 0 for claim in left if claim.instance.problem.objective is None), default=0)
    settings = replace(run.settings, count=count, proof=True, scramble=False, warmup=0, repeats=1)
    kept = partial(KeptProofs, keep_proofs, name=run.journal.instances.name, notify=notify) if keep_proofs else None
    for name in settings.certify:
        (prover,) = resolve([name], 1, settings.pythons, True, settings.programs)[0]
        asked = {claim.puzzle: (claim, problem) for claim in left if (problem := claim.asked_of(prover, settings))}
        for outcomes in proofs_by(prover, settings, run, [*asked.values()], notify, kept):
            progress(1)
            claim, problem = asked[int(outcomes.batch.puzzles[0])]
            row = certification(claim, problem, prover, outcomes, tuple(settings.checkers))
            run.journal.proofs.add([row])
            run.referee.certify(run.journal, row)
            if row.proof == CERTIFIED or len(row.solutions):
                left.remove(claim)
    known = {row.puzzle for row in run.journal.proofs.all()}
    run.journal.proofs.add(unasked(claim) for claim in left if claim.puzzle not in known)


def proofs_by(
    prover: Contender,
    settings: RunSettings,
    run: Run,
    asked: Sequence[tuple[OpenClaim, Problem]],
    notify: Notify,
    kept: Callable[..., KeptProofs] | None,
) -> Iterator[Outcomes]:
    """Yield the checked outcome of each claim that a prover is asked about."""
    if not asked:
        return
    keep = kept(contenders=[prover]) if kept else None
    checker = partial(ProofChecker, [prover], settings, keep, twice=True)
    inside = Sandboxes(settings, files_by_format(run.journal.facts.all())) if settings.sandbox else None
    leases = (Lease(block_of(claim, problem), 0, (0,)) for claim, problem in asked)
    cpus = job_cpus(settings, [prover])
    with LocalPlaces([prover], settings, cpus, notify, checker=checker, sandboxes=inside) as engine:
        for results in Dealer(engine, leases, notify=notify).run():
            yield from (outcomes for result in results for outcomes in result.outcomes)


def block_of(claim: OpenClaim, problem: Problem) -> Block:
    """Return the block that asks a prover about a claim."""
    domains = pack(problem, [claim.domains_in(problem)])
    return Block(claim.puzzle, problem, np.array([claim.puzzle]), domains, alone=True)


def certification(
    claim: OpenClaim, problem: Problem, prover: Contender, outcomes: Outcomes, checkers: tuple[str, ...]
) -> Certification:
    """Return what a prover has shown of a claim, by its only outcome; solutions are kept if they refute the claim."""
    row, detail = outcomes.rows[0], outcomes.details.get(0, "").partition("\n")[0]
    solutions = outcomes.solutions[:, : len(claim.instance.domains)]
    proof = NO_PROOF if outcomes.proved is None or not row["complete"] else int(outcomes.proved[0])
    value = claim.value if problem is not claim.instance.problem and not len(solutions) else claim.shown_by(solutions)
    if broken := claim.breaks(solutions):
        proof, detail, solutions = NO_PROOF, broken, solutions[:0]
    elif not claim.is_beaten(value):
        solutions = solutions[:0]
    if proof == NO_PROOF and not detail:
        detail = "a better solution refutes it" if len(solutions) else Reason(row["reason"]).name.lower()
    by = certifiers(detail, (SECOND, *checkers)) if proof in (CERTIFIED, FORMULA_CERTIFIED) else ()
    digest, size = outcomes.checked.get(0, ("", 0))
    return Certification(claim.puzzle, prover.name, value, proof, by, detail, digest, size, int(row["wall"]), solutions)


def unasked(claim: OpenClaim) -> Certification:
    """Return the certification of a claim that no prover takes."""
    return Certification(claim.puzzle, "", claim.value, NO_PROOF, (), NO_PROVER, "", 0, 0, np.empty((0, 0), np.uint16))
