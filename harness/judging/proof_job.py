"""Checks of one proof, one after the other, and their joint outcome.

These are the check of its formula, which must follow from the rules; ours; and one by each of the user's checkers. A
proof is certified if one of them verifies it and none refuses it.
"""

import contextlib
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from harness.model.outcome import CERTIFIED, FORMULA_CERTIFIED, NO_PROOF, REFUSED, UNCHECKED, Outcomes, ProofFile
from puzzles.problem.arrays import Int8Array, Int32Array

INTERRUPTED = "interrupted"
# Names of checks, beside the user's checkers: of the formula, ours, and by a second checker of ours.
FORMULA, OURS, SECOND = "formula", "Crosscheck", "Crosscheck's second checker"


class Opinion(NamedTuple):
    """Result of one check of a proof; digest and size of its file if the check is ours."""

    name: str
    outcome: int
    why: str
    digest: str = ""
    size: int = 0


def conclusion(opinions: Sequence[Opinion], scope: int) -> tuple[int, str]:
    """Return the outcome of a proof by its checkers' opinions, and the reason; `scope`: outcome of a valid proof.

    A certificate without an opinion of ours has a reason too.
    """
    by = {o: [x for x in opinions if x.outcome == o] for o in (CERTIFIED, REFUSED, UNCHECKED)}
    alone = len(opinions) == 1
    reasons = "; ".join(x.why if alone else f"{x.name}: {x.why}" for x in (*by[REFUSED], *by[UNCHECKED]))
    names = " and ".join(x.name for x in by[CERTIFIED])
    if by[CERTIFIED] and by[REFUSED]:
        return UNCHECKED, f"{names} verified it, but {reasons}"
    if by[CERTIFIED]:
        return scope, f"by {names}, not by {reasons}" if reasons else ""
    return REFUSED if by[REFUSED] else UNCHECKED, reasons


def certifiers(detail: str, checkers: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names of the checks that verified a certified proof, from the detail that `Job.finish` stored."""
    names, some, _ = detail.removeprefix("proof certified by ").partition(", not by ")
    if not some or names == detail:
        return (OURS, *checkers)
    return tuple(name for name in (OURS, *checkers) if name in names.split(" and "))


@dataclass
class Job:
    """Check of one proof; its result goes to position `at` of the outcomes.

    checks    names of the checks still to do             opinions  results so far, without the check of the formula
    scope     outcome if the proof holds: CERTIFIED, or FORMULA_CERTIFIED
    """

    outcomes: Outcomes
    at: int
    solutions: list[list[int]]
    checks: deque[str]
    scope: int = UNCHECKED
    opinions: list[Opinion] = field(default_factory=list)

    @property
    def proof(self) -> Path:
        """File of the proof."""
        return self.outcomes.proofs[self.at]

    def add(self, opinion: Opinion) -> None:
        """Add the result of the first remaining check; a formula that does not follow ends all checks."""
        self.checks.popleft()
        if opinion.digest:
            self.outcomes.checked[self.at] = ProofFile(opinion.digest, opinion.size)
        if opinion.name != FORMULA:
            self.opinions.append(opinion)
        elif opinion.outcome in (CERTIFIED, FORMULA_CERTIFIED):
            self.scope = opinion.outcome
        else:
            self.opinions.append(opinion)
            self.checks.clear()

    def finish(self) -> None:
        """Store the result in the outcomes, and delete the proof."""
        assert self.outcomes.proved is not None
        outcome, why = conclusion(self.opinions, self.scope)
        self.outcomes.proved[self.at] = outcome
        self.outcomes.details.pop(self.at, None)
        word = {REFUSED: "refused: ", UNCHECKED: "unchecked: "}.get(outcome, "certified ")
        if why:
            self.outcomes.details[self.at] = f"proof {word}{why}"
        with contextlib.suppress(OSError):
            self.proof.unlink()


def unchecked(outcomes: Outcomes, valid: Int32Array, why: str) -> Outcomes:
    """Return the outcomes with the proofs of valid complete answers marked as unchecked."""
    proved: Int8Array = np.full(len(outcomes.rows), NO_PROOF, np.int8)
    for i in outcomes.proofs:
        if valid[i] >= 0 and outcomes.rows["complete"][i] and not outcomes.rows["reason"][i]:
            proved[i] = UNCHECKED
            outcomes.details[i] = f"proof unchecked: {why}"
    return replace(outcomes, proved=proved)


def jobs_of(outcomes: Outcomes, checks: Sequence[str]) -> list[Job]:
    """Return the checks of the unchecked proofs."""
    found = outcomes.rows["found"]
    start = np.cumsum(found) - found
    return [
        Job(outcomes, i, outcomes.solutions[start[i] : start[i] + found[i]].tolist(), deque(checks))
        for i in np.flatnonzero(outcomes.proved == UNCHECKED).tolist()
    ]
