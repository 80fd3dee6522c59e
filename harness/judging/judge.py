"""Judge: check every solution, gather evidence on each puzzle, and give a verdict on each outcome.

    valid     number of distinct valid solutions of an outcome; -1 if one of them is invalid or repeated
    evidence  quality (harness/model/quality) of the valid solutions over all outcomes; a complete answer of a
              lower one is wrong
    known     quality that the corpus claims

The quality of an instance with an objective is the value of its best solution, which the judge evaluates. A complete
answer claims that its solution is the best; a bound, of any answer, states that none is better than that, and is
refuted by a better solution, verified or claimed by the corpus.

The judge uses puzzles and solutions alone and trusts no contender more than another. A corpus's claim is refuted by
evidence, by two contenders of independent lineage (harness/model/lineage) that agree on a complete count, or by a
proof that was checked in this run. A certificate that was read from a journal confirms an answer, but convicts nobody,
and one that a checked solution contradicts shows that something which all certificates rest on is wrong: then none
counts.
Imported answers come without their solutions (found, none valid), and their values are as stated: only a corpus's claim
confirms or refutes them.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from backends.contract.answer import Reason, Status
from harness.model.outcome import CERTIFIED, FORMULA_CERTIFIED, Confirmation, Outcomes, Verdict
from harness.model.quality import ALL, CorpusClaims, Index, Optimised, Quality, Stated
from puzzles import imported
from puzzles.objectives.queries import QueryScript
from puzzles.problem import Problem
from puzzles.problem.arrays import BoolArray, Int8Array, Int32Array, Int64Array, Solutions, UInt64Array
from puzzles.problem.columns import distinct, mask_type, projected
from puzzles.problem.columns import valid as valid_solutions

Columns = Any  # maps column names to arrays: rows of a batch, or columns of the journal


def check(problem: Problem, domains: UInt64Array, found: Int32Array, solutions: Solutions) -> Int32Array:
    """Return column `valid`.

    domains uint64[n, variables, words], found int32[n], solutions uint[sum of found, variables]. Solutions of imported
    instances can't be checked, so none is valid.
    """
    if imported.is_imported(problem):
        return np.zeros(len(found), np.int32)
    owner = np.repeat(np.arange(len(found)), found)
    masks = domains.astype(mask_type(problem.values))  # before they are copied by owner, which costs by their size
    is_valid = valid_solutions(problem, masks[owner], solutions)
    valid = found.astype(np.int32)
    valid[owner[~is_valid]] = -1
    start = np.cumsum(found) - found
    for i in np.flatnonzero(valid > 1):
        several = solutions[start[i] : start[i] + found[i]]
        if len(distinct(problem, several)) < found[i]:
            valid[i] = -1
    return valid


def fingerprints(solutions: Solutions) -> UInt64Array:
    """Return a hash of each solution. A collision can hide a disagreement but never report a false one."""
    weights = np.random.default_rng(81).integers(1 << 62, size=solutions.shape[1], dtype=np.uint64) | np.uint64(1)
    hashes: UInt64Array = np.einsum("ij,j->i", solutions, weights)
    return hashes


ALL_INDEPENDENT = ~(np.uint64(1) << np.arange(64, dtype=np.uint64))  # each lineage group is independent of all others


@dataclass
class Evidence:
    """Evidence on each puzzle so far, by id of the journal; grows by `add`, in any order of outcomes.

    verified     quality of the distinct valid solutions seen
    complete     the highest quality of a complete answer
    agreeing     uint64, mask of the lineage groups whose complete answer had that quality
    first        uint64, hash of the first solution
    certified    the lowest quality that a certificate states as the highest
    formula      the same of certificates of a formula alone, which confirm nothing of the instance
    convicting   bool, True where a certificate was checked in this run, not read from a journal
    independent  uint64[groups], for each group the mask of those independent of it, as in LineageGroups
    more         hashes of all solutions, for puzzles with several
    saved        of query scripts: int64[kept asks], the most that a right model of any answer saves (JudgedAsks)
    """

    verified: Quality
    complete: Stated
    agreeing: UInt64Array
    first: UInt64Array
    certified: Stated
    formula: Stated
    convicting: BoolArray
    independent: UInt64Array
    more: dict[int, set[int]] = field(default_factory=dict)
    saved: dict[int, Int64Array] = field(default_factory=dict)

    @classmethod
    def empty(cls, puzzles: int, independent: UInt64Array = ALL_INDEPENDENT) -> "Evidence":
        """Return empty evidence for puzzles 1 to `puzzles`."""
        n = puzzles + 1
        agreeing, first, convicting = np.zeros(n, np.uint64), np.zeros(n, np.uint64), np.zeros(n, np.bool_)
        complete, certified, formula = Stated.none(n), Stated.none(n), Stated.none(n)
        return cls(Quality.none(n), complete, agreeing, first, certified, formula, convicting, independent)

    def of(self, puzzles: Int64Array) -> "Evidence":
        """Return a copy of the evidence on these puzzles, which ascend, numbered from 1."""
        at = np.concatenate([np.zeros(1, np.int64), puzzles])
        new = {old: number for number, old in enumerate(puzzles.tolist(), 1)}
        more = {new[puzzle]: set(hashes) for puzzle, hashes in self.more.items() if puzzle in new}
        return Evidence(
            verified=self.verified[at],
            complete=self.complete[at],
            agreeing=self.agreeing[at],
            first=self.first[at],
            certified=self.certified[at],
            formula=self.formula[at],
            convicting=self.convicting[at],
            independent=self.independent,
            more=more,
            saved={new[puzzle]: saved for puzzle, saved in self.saved.items() if puzzle in new},
        )

    def add_claimed(
        self, problem: Problem, puzzles: Int64Array, domains: UInt64Array, solutions: Solutions
    ) -> BoolArray:
        """Add the solution that a corpus claims for each of these puzzles if it is valid.

        domains uint64[n, squares, words], solutions uint16[n, squares]. Returns True where it is valid.
        """
        is_valid = valid_solutions(problem, domains, solutions)
        if problem.objective is not None:
            values = problem.objective.values(solutions[is_valid], problem).tolist()
            self.add_values(puzzles[is_valid], Quality.of_values(values))
        else:
            self.add_first_solutions(puzzles[is_valid], fingerprints(projected(problem, solutions[is_valid])))
        return is_valid

    def add_values(self, puzzles: Int64Array, quality: Quality) -> None:
        """Add one valid solution of each of these instances with an objective, no instance twice."""
        more = self.verified[puzzles].below(quality)
        self.verified[puzzles[more]] = quality[more]

    def add_verified(self, problem: Problem, puzzle: int, domains: UInt64Array, solution: Solutions) -> None:
        """Add a solution of an instance, uint[variables], if it is valid; domains uint64[1, variables, words]."""
        masks, one = domains.astype(mask_type(problem.values)), solution[np.newaxis]
        if not valid_solutions(problem, masks, one)[0]:
            return
        if isinstance(script := problem.objective, QueryScript):
            self.add_saved(puzzle, script.judged(solution).saved)
        elif problem.objective is not None:
            self.add_values(np.array([puzzle]), Quality.of_values(problem.objective.values(one, problem).tolist()))
        else:
            self.add_first_solutions(np.array([puzzle]), fingerprints(projected(problem, one)))

    def add(self, outcomes: Outcomes, valid: Int32Array, group: int, best: Optimised | None = None) -> None:
        """Add outcomes of a contender of that lineage group; `best` of instances with an objective."""
        found, puzzles = outcomes.rows["found"], outcomes.batch.puzzles
        start = np.cumsum(found) - found
        good = np.flatnonzero(valid > 0)
        if isinstance(script := outcomes.batch.problem.objective, QueryScript):
            for i in good.tolist():
                self.add_saved(int(puzzles[i]), script.judged(outcomes.solutions[start[i]]).saved)
        elif best is not None:
            self.add_values(puzzles[good], best.quality[good])
        elif len(good):
            hashes = fingerprints(projected(outcomes.batch.problem, outcomes.solutions))
            self.add_first_solutions(puzzles[good], hashes[start[good]])
            for i in good[found[good] > 1]:
                for h in hashes[start[i] + 1 : start[i] + found[i]]:
                    self.add_solution(int(puzzles[i]), int(h))
        claim = claims(outcomes.rows) & (valid >= 0) & (outcomes.rows["reason"] == Reason.NONE)
        self.add_complete(puzzles[claim], qualities(outcomes.rows, best)[claim], np.uint64(1) << np.uint64(group))

    def add_saved(self, puzzle: int, saved: Int64Array) -> None:
        """Add right models of a query script: rows of several answers make one better solution."""
        self.saved[puzzle] = np.maximum(saved, self.saved.get(puzzle, 0))
        self.add_values(np.array([puzzle]), Quality.of_values([-int(self.saved[puzzle].sum())]))

    def add_first_solutions(self, puzzles: Int64Array, hashes: UInt64Array) -> None:
        """Add one valid solution of each of these puzzles, no puzzle twice."""
        new = ~self.verified.some[puzzles]
        self.verified[puzzles[new]] = Quality.of_counts(np.ones(np.count_nonzero(new), np.int64))
        self.first[puzzles[new]] = hashes[new]
        other = self.first[puzzles] != hashes
        for p, h in zip(puzzles[other].tolist(), hashes[other].tolist(), strict=True):
            self.add_solution(p, h)

    def add_solution(self, puzzle: int, h: int) -> None:
        seen = self.more.setdefault(puzzle, {int(self.first[puzzle])})
        seen.add(h)
        self.verified.number[puzzle] = len(seen)

    def certify(
        self, outcomes: Outcomes, proof: Int8Array, stored: bool = False, best: Optimised | None = None
    ) -> None:
        """Add the complete answers with a certified proof; `stored` if the certificates come from a journal.

        With an objective, `best` has their values: a certificate says that no solution has a better one.
        """
        rows, puzzles = outcomes.rows, outcomes.batch.puzzles
        quality = qualities(rows, best)
        sound = (rows["complete"] > 0) & ((rows["status"] == Status.UNSATISFIABLE) == ~quality.some)
        sound &= rows["reason"] == Reason.NONE
        for outcome, certificates in ((CERTIFIED, self.certified), (FORMULA_CERTIFIED, self.formula)):
            sure = sound & (proof == outcome)
            if sure.any():
                certificates.lower_to(puzzles[sure], quality[sure])
                self.convicting[puzzles[sure]] |= outcome == CERTIFIED and not stored

    def certify_claim(self, puzzle: int, quality: Quality, proof: int, stored: bool) -> None:
        """Add the certificate of a prover that no quality is above this (an array of one); `stored` as in `certify`."""
        certificates = self.certified if proof == CERTIFIED else self.formula
        certificates.lower_to(np.array([puzzle]), quality)
        self.convicting[puzzle] |= proof == CERTIFIED and not stored

    def contradicted(self) -> BoolArray:
        """Return True where a certificate is contradicted: more is verified than it certifies as the highest."""
        return self.certified.below(self.verified)

    def contradicted_formula(self) -> BoolArray:
        """Return True where a certificate of a formula is contradicted: the formula does not mean the instance."""
        return self.formula.below(self.verified)

    def proved(self, at: Index = ALL) -> BoolArray:
        """Return True where a certificate says that no quality is above the verified one; nowhere if contradicted."""
        if not self.certified.given[at].any():
            return np.zeros(len(self.agreeing[at]), np.bool_)
        proved = self.certified[at].same(self.verified[at])
        return proved & (not proved.any() or not self.contradicted().any())

    def add_complete(self, puzzles: Int64Array, quality: Quality, group: np.uint64) -> None:
        """Add complete answers of this quality; `group`, that of the contender's lineage, is one bit."""
        self.agreeing[self.complete.raise_to(puzzles, quality)] = 0
        self.agreeing[puzzles[self.complete[puzzles].same(quality)]] |= group

    def answered(self, at: Index = ALL) -> BoolArray:
        """Return True where a complete answer has the verified quality."""
        return self.complete[at].same(self.verified[at])

    def shared(self, at: Index = ALL) -> BoolArray:
        """Return True where two independent groups state that no quality is above the verified one."""
        agreeing = self.agreeing[at]
        two = np.zeros(len(agreeing), np.bool_)
        for group, others in enumerate(self.independent):
            two |= (agreeing & np.uint64(1 << group) != 0) & (agreeing & others != 0)
        return two & self.answered(at)

    def agreed(self, at: Index = ALL) -> BoolArray:
        """Return True where a certificate or two independent groups confirm that nothing is above what is verified."""
        return self.shared(at) | self.proved(at)

    def convicted(self, at: Index = ALL) -> BoolArray:
        """Return True where `agreed` holds even without the certificates that were read from a journal."""
        return self.shared(at) | (self.proved(at) & self.convicting[at])

    def unconfirmed(self) -> BoolArray:
        """Return True where a complete answer has the verified quality, but no other group and no proof confirms it."""
        return self.answered() & ~self.agreed()


def qualities(rows: Columns, best: Optimised | None = None) -> Quality:
    """Return the quality of each outcome: the number of its solutions, or with an objective the value of its best."""
    counts = Quality.of_counts(rows["found"])
    if best is not None:
        counts[best.of] = best.quality[best.of]
    return counts


def confirmed(known: CorpusClaims, evidence: Evidence) -> Int8Array:
    """Return for each instance, as bits, each Confirmation that nothing is beyond the verified quality."""
    as_claimed = evidence.answered() & known.stated.same(evidence.verified) & ~known.at_least
    bits = np.zeros(len(as_claimed), np.int8)
    bits[as_claimed] |= Confirmation.CORPUS
    bits[evidence.proved()] |= Confirmation.PROOF
    bits[evidence.shared()] |= Confirmation.AGREEMENT
    return bits


def corpus_wrong(known: CorpusClaims, evidence: Evidence, at: Index = ALL) -> BoolArray:
    """Return True where the corpus's claim is refuted by verified solutions, by agreement or by a proof of this run."""
    if not known.stated.given[at].any():
        return np.zeros(len(known.at_least[at]), np.bool_)
    claim, verified = known[at], evidence.verified[at]
    too_much = claim.stated.above(verified) & evidence.convicted(at)
    return (claim.stated.below(verified) & ~claim.at_least) | too_much


def undecided_claim(known: CorpusClaims, evidence: Evidence, at: Index = ALL) -> BoolArray:
    """Return True where a corpus claims more than a certificate from a journal allows, which convicts nobody."""
    proved = evidence.proved(at)
    if not proved.any():
        return proved
    more = known.stated[at].above(evidence.verified[at])
    return more & proved & ~evidence.convicted(at)


def claims(rows: Columns) -> BoolArray:
    """Return True where an answer claims to be complete; with a reason it is undecided, and its claim judged."""
    claimed: BoolArray = (rows["complete"] > 0) & (rows["status"] != Status.UNKNOWN)
    return claimed


def decided(rows: Columns, count: int, best: Optimised | None = None) -> BoolArray:
    """Return True where an outcome is decided: it is complete, or without an objective has the solutions wanted."""
    answered = (rows["status"] != Status.UNKNOWN) & ((rows["complete"] == 0) | (rows["reason"] == Reason.NONE))
    enough = (rows["found"] >= count) if best is None else (rows["found"] >= count) & ~best.of
    settled: BoolArray = answered & ((rows["complete"] > 0) | enough)
    return settled


def verdicts(
    puzzles: Int64Array,
    rows: Columns,
    valid: Int32Array,
    count: int,
    known: CorpusClaims,
    evidence: Evidence,
    best: Optimised | None = None,
    models: bool = False,
    inconsistent: BoolArray | None = None,
) -> Int8Array:
    """Return the verdict on each outcome, given the evidence on its puzzle; `best` if some have an objective.

    With `models` answers are numbers without solutions, and WRONG too if a certificate states another number, or if
    nothing certifies those that are `inconsistent`. A complete answer is CORRECT if a certificate or the corpus says
    that nothing is beyond it. Agreement is no proof, and is said beside the verdict (`confirmed`).
    """
    status, found, complete, quality = rows["status"], rows["found"], rows["complete"] > 0, qualities(rows, best)
    claim, verified = known[puzzles], evidence.verified[puzzles]
    is_decided, refuted = decided(rows, count, best), corpus_wrong(known, evidence, puzzles)
    verdict = np.full(len(puzzles), Verdict.CORRECT, np.int8)
    proved = evidence.proved(puzzles) & evidence.certified[puzzles].same(quality)
    doubtful = undecided_claim(known, evidence, puzzles)
    undecided = doubtful & proved
    as_claimed = claim.stated.same(quality)
    certified = (as_claimed & ~claim.at_least) | (proved & ~undecided)
    unseen = (found > 0) & (valid == 0)  # solutions that were not recorded
    claimed_none = claim.stated.given & ~claim.stated.quality.some
    verdict[complete & ~certified | unseen & ~claim.stated.quality.some] = Verdict.UNCERTIFIED
    verdict[~is_decided] = Verdict.UNKNOWN
    unanswered = (status == Status.UNKNOWN) if best is None else ~is_decided & (best.of | (status == Status.UNKNOWN))
    broken = np.isin(rows["reason"], (Reason.CRASH, Reason.ERROR)) & unanswered
    verdict[broken] = Verdict.ERROR
    contradicts_claim = claim.stated.above(quality) | (claim.stated.given & ~claim.at_least & ~as_claimed)
    verdict[is_decided & refuted] = Verdict.CORPUS_WRONG
    wrong = (
        (valid < 0)
        | ((status == Status.SATISFIABLE) & (found == 0) & (not models))
        | ((status == Status.UNSATISFIABLE) & (found > 0))
    )
    wrong |= claims(rows) & quality.below(verified)
    wrong |= claims(rows) & contradicts_claim & ~refuted & ~undecided
    wrong |= rows["reason"] == Reason.REFUTED
    wrong |= False if inconsistent is None else inconsistent & ~(proved & models)
    if models:
        exact = evidence.certified[puzzles]
        wrong |= claims(rows) & exact.given & ~exact.same(quality)
    wrong |= unseen & claimed_none & ~claim.at_least
    if best is not None:
        beyond_claim = best.bound.below(claim.stated.quality) & claim.stated.given & ~refuted & ~doubtful
        wrong |= best.of & (best.false | best.bound.below(verified) | beyond_claim)
    verdict[wrong] = Verdict.WRONG
    return verdict
