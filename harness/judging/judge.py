"""Judge: check every solution, gather evidence on each puzzle, and give a verdict on each outcome.

    valid     number of distinct valid solutions of an outcome; -1 if one of them is invalid or repeated
    evidence  number of distinct valid solutions of a puzzle over all outcomes: a complete answer with fewer is wrong
    known     number of solutions that the corpus claims

The judge uses puzzles and solutions alone and trusts no contender more than another. A corpus's claim is refuted by
evidence, by two contenders of independent lineage (harness/model/lineage) that agree on a complete count, or by a
proof that was checked in this run. A certificate that was read from a journal confirms an answer, but convicts nobody,
and one that a checked solution contradicts shows that something which all certificates rest on is wrong: then none
counts.
Imported answers come without their solutions (found, none valid): only a corpus's claim confirms or refutes them.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from backends.contract.answer import Reason, Status
from harness.model.claims import CorpusClaims
from harness.model.outcome import CERTIFIED, FORMULA_CERTIFIED, Outcomes, Verdict
from puzzles import imported
from puzzles.problem import Problem
from puzzles.problem.arrays import BoolArray, Int8Array, Int32Array, Int64Array, Solutions, UInt64Array
from puzzles.problem.columns import mask_type
from puzzles.problem.columns import valid as valid_solutions

Columns = Any  # maps column names to arrays: rows of a batch, or columns of the journal
Index = slice | Int64Array
ALL = slice(None)


def check(problem: Problem, domains: UInt64Array, found: Int32Array, solutions: Solutions) -> Int32Array:
    """Return column `valid`.

    domains uint64[n, variables, words], found int32[n], solutions uint[sum of found, variables]. Of imported instances
    none can be checked, so none is valid.
    """
    if problem == imported.PROBLEM:
        return np.zeros(len(found), np.int32)
    owner = np.repeat(np.arange(len(found)), found)
    masks = domains.astype(mask_type(problem.values))  # before they are copied by owner, which costs by their size
    is_valid = valid_solutions(problem, masks[owner], solutions)
    valid = found.astype(np.int32)
    valid[owner[~is_valid]] = -1
    start = np.cumsum(found) - found
    for i in np.flatnonzero(valid > 1):
        several = solutions[start[i] : start[i] + found[i]]
        if len(np.unique(several, axis=0)) < found[i]:
            valid[i] = -1
    return valid


def fingerprints(solutions: Solutions) -> UInt64Array:
    """Return a hash of each solution. A collision can hide a disagreement but never report a false one."""
    weights = np.random.default_rng(81).integers(1 << 62, size=solutions.shape[1], dtype=np.uint64) | np.uint64(1)
    hashes: UInt64Array = np.einsum("ij,j->i", solutions, weights)
    return hashes


ALL_INDEPENDENT = ~(np.uint64(1) << np.arange(64, dtype=np.uint64))  # each voice independent of all others


@dataclass
class Evidence:
    """Evidence on each puzzle so far, by id of the journal; grows by `add`, in any order of outcomes.

    shown           int32, number of distinct valid solutions seen
    complete_count  int32, maximum number of solutions of a complete answer, -1 for none
    agreeing        uint64, mask of the voices whose complete answer had that many
    first           uint64, hash of the first solution
    certified       int32, fewest solutions that a certificate says are all, -1 for none
    formula         int32, the same of certificates of a formula alone, which confirm nothing of the instance
    convicting      bool, True where a certificate was checked in this run, not read from a journal
    independent     uint64[voices], for each voice the mask of those independent of it, as in Voices
    more            hashes of all solutions, for puzzles with several
    """

    shown: Int32Array
    complete_count: Int32Array
    agreeing: UInt64Array
    first: UInt64Array
    certified: Int32Array
    formula: Int32Array
    convicting: BoolArray
    independent: UInt64Array
    more: dict[int, set[int]] = field(default_factory=dict)

    @classmethod
    def empty(cls, puzzles: int, independent: UInt64Array = ALL_INDEPENDENT) -> "Evidence":
        """Return empty evidence for puzzles 1 to `puzzles`."""
        n = puzzles + 1
        nobody, none = np.zeros(n, np.uint64), np.full(n, -1, np.int32)
        fewest = (none.copy(), none.copy(), np.zeros(n, np.bool_))
        return cls(np.zeros(n, np.int32), none, nobody, nobody.copy(), *fewest, independent)

    def add_claimed(
        self, problem: Problem, puzzles: Int64Array, domains: UInt64Array, solutions: Solutions
    ) -> BoolArray:
        """Add the solution that a corpus claims for each of these puzzles if it is valid.

        domains uint64[n, squares, words], solutions uint16[n, squares]. Returns True where it is valid.
        """
        is_valid = valid_solutions(problem, domains, solutions)
        self.add_first_solutions(puzzles[is_valid], fingerprints(solutions[is_valid]))
        return is_valid

    def add(self, outcomes: Outcomes, valid: Int32Array, voice: int) -> None:
        """Add outcomes of a contender of that voice."""
        found, puzzles = outcomes.rows["found"], outcomes.batch.puzzles
        start = np.cumsum(found) - found
        good = np.flatnonzero(valid > 0)
        if len(good):
            hashes = fingerprints(outcomes.solutions)
            self.add_first_solutions(puzzles[good], hashes[start[good]])
            for i in good[found[good] > 1]:
                for h in hashes[start[i] + 1 : start[i] + found[i]]:
                    self.add_solution(int(puzzles[i]), int(h))
        claim = (outcomes.rows["complete"] > 0) & (valid >= 0) & (outcomes.rows["status"] != Status.UNKNOWN)
        self.add_complete(puzzles[claim], found[claim], np.uint64(1) << np.uint64(voice))

    def add_first_solutions(self, puzzles: Int64Array, hashes: UInt64Array) -> None:
        """Add one valid solution of each of these puzzles, no puzzle twice."""
        new = self.shown[puzzles] == 0
        self.shown[puzzles[new]] = 1
        self.first[puzzles[new]] = hashes[new]
        other = self.first[puzzles] != hashes
        for p, h in zip(puzzles[other].tolist(), hashes[other].tolist(), strict=True):
            self.add_solution(p, h)

    def add_solution(self, puzzle: int, h: int) -> None:
        seen = self.more.setdefault(puzzle, {int(self.first[puzzle])})
        seen.add(h)
        self.shown[puzzle] = len(seen)

    def certify(self, outcomes: Outcomes, proof: Int8Array, stored: bool = False) -> None:
        """Add the complete answers with a certified proof; `stored` if a journal says that they have one."""
        rows, puzzles = outcomes.rows, outcomes.batch.puzzles
        sound = (rows["complete"] > 0) & ((rows["status"] == Status.UNSATISFIABLE) == (rows["found"] == 0))
        for outcome, fewest in ((CERTIFIED, self.certified), (FORMULA_CERTIFIED, self.formula)):
            sure = sound & (proof == outcome)
            if sure.any():
                at, found = puzzles[sure], rows["found"][sure]
                fewest[at] = np.where(fewest[at] < 0, found, np.minimum(fewest[at], found))
                self.convicting[at] |= outcome == CERTIFIED and not stored

    def contradicted(self) -> BoolArray:
        """Return True where a certificate is contradicted by more solutions than it says exist."""
        contradicted: BoolArray = (self.certified >= 0) & (self.certified < self.shown)
        return contradicted

    def contradicted_formula(self) -> BoolArray:
        """Return True where a certificate of a formula is: the formula does not mean the instance."""
        contradicted: BoolArray = (self.formula >= 0) & (self.formula < self.shown)
        return contradicted

    def proved(self, at: Index = ALL) -> BoolArray:
        """Return True where a certificate says that all solutions are shown; nowhere while one is contradicted."""
        proved: BoolArray = self.certified[at] == self.shown[at]
        return proved & (not proved.any() or not self.contradicted().any())

    def add_complete(self, puzzles: Int64Array, found: Int32Array, voice: np.uint64) -> None:
        """Add complete answers with `found` valid solutions each; `voice` is one bit."""
        beyond = found > self.complete_count[puzzles]
        self.agreeing[puzzles[beyond]] = 0
        self.complete_count[puzzles[beyond]] = found[beyond]
        same = self.complete_count[puzzles] == found
        self.agreeing[puzzles[same]] |= voice

    def shared(self, at: Index = ALL) -> BoolArray:
        """Return True where two independent voices say that all solutions are shown."""
        agreeing = self.agreeing[at]
        two = np.zeros(len(agreeing), np.bool_)
        for voice, others in enumerate(self.independent):
            two |= (agreeing & np.uint64(1 << voice) != 0) & (agreeing & others != 0)
        shared: BoolArray = two & (self.complete_count[at] == self.shown[at])
        return shared

    def agreed(self, at: Index = ALL) -> BoolArray:
        """Return True where a certificate or two independent voices confirm that all solutions are shown."""
        return self.shared(at) | self.proved(at)

    def convicted(self, at: Index = ALL) -> BoolArray:
        """Return True where this is so, and by more than certificates that were read from a journal."""
        return self.shared(at) | (self.proved(at) & self.convicting[at])

    def unconfirmed(self) -> BoolArray:
        """Return True where a complete answer has all shown solutions, but no voice or proof confirms it."""
        unconfirmed: BoolArray = (self.complete_count == self.shown) & ~self.agreed()
        return unconfirmed


def corpus_wrong(known: CorpusClaims, evidence: Evidence, at: Index = ALL) -> BoolArray:
    """Return True where the corpus's claim is refuted by solutions shown, by agreement or by a proof of this run."""
    count, shown = known.count[at], evidence.shown[at]
    too_many = (count >= 0) & ~known.at_least[at] & (shown > count)
    too_few = (count >= 0) & (shown < count) & evidence.convicted(at)
    refuted: BoolArray = too_many | too_few
    return refuted


def undecided_claim(known: CorpusClaims, evidence: Evidence, at: Index = ALL) -> BoolArray:
    """Return True where the corpus claims more solutions than a certificate from a journal, which convicts none."""
    count = known.count[at]
    open_: BoolArray = (count >= 0) & (evidence.shown[at] < count) & evidence.proved(at) & ~evidence.convicted(at)
    return open_


def decided(rows: Columns, count: int) -> BoolArray:
    """Return True where an outcome is decided: it has as many solutions as wanted, or is complete."""
    answered = rows["status"] != Status.UNKNOWN
    settled: BoolArray = answered & ((rows["complete"] > 0) | (rows["found"] >= count))
    return settled


def verdicts(
    puzzles: Int64Array, rows: Columns, valid: Int32Array, count: int, known: CorpusClaims, evidence: Evidence
) -> Int8Array:
    """Return the verdict on each outcome, given the evidence on its puzzle."""
    status, found, complete = rows["status"], rows["found"], rows["complete"] > 0
    stated, at_least = known.count[puzzles], known.at_least[puzzles]
    is_decided, refuted = decided(rows, count), corpus_wrong(known, evidence, puzzles)
    verdict = np.full(len(puzzles), Verdict.CORRECT, np.int8)
    proved = evidence.proved(puzzles) & (evidence.certified[puzzles] == found)
    undecided = undecided_claim(known, evidence, puzzles) & proved
    certified = ((stated == found) & ~at_least) | (proved & ~undecided)
    unseen = (found > 0) & (valid == 0)  # solutions that were not recorded
    verdict[complete & ~certified | unseen & (stated < 1)] = Verdict.UNCERTIFIED
    verdict[~is_decided] = Verdict.UNKNOWN
    broken = np.isin(rows["reason"], (Reason.CRASH, Reason.ERROR)) & (status == Status.UNKNOWN)
    verdict[broken] = Verdict.ERROR
    contradicts_claim = complete & (stated >= 0) & np.where(at_least, found < stated, found != stated)
    verdict[is_decided & refuted] = Verdict.CORPUS_WRONG
    wrong = (
        (valid < 0) | ((status == Status.SATISFIABLE) & (found == 0)) | ((status == Status.UNSATISFIABLE) & (found > 0))
    )
    wrong |= complete & is_decided & (found < evidence.shown[puzzles])
    wrong |= contradicts_claim & is_decided & ~refuted & ~undecided
    wrong |= unseen & (stated == 0) & ~at_least
    verdict[wrong] = Verdict.WRONG
    return verdict
