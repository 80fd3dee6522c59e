"""Certifications: answers that one solver claims to be complete, proved by another after the run (`run --certify`).

A row of the journal says what a prover showed of an instance: a checked proof that nothing is beyond `value`, or a
better solution, which refutes the claim, or neither.
"""

import json
from dataclasses import dataclass, replace
from typing import Self

from harness.model.outcome import CERTIFIED, FORMULA_CERTIFIED, UNCHECKED
from puzzles.problem.arrays import Solutions

EXHAUSTIVE = "exhaustive search"  # prover of numbers of models
DEFAULT_PROVERS = ("exact", "pysat:cadical195")  # asked in this order, as far as they are installed


@dataclass(frozen=True)
class Certification:
    """Last attempt to prove that an answer to an instance is complete.

    puzzle     id of the instance                        prover   contender that was asked, '' if none takes it
    value      value of the best solution as minimised, None for no solution; without an objective, their number
    proof      CERTIFIED, FORMULA_CERTIFIED, REFUSED or UNCHECKED; NO_PROOF without one
    by         checkers that verified the proof          detail   why a check did not verify it, or no proof came, or ''
    digest, size  SHA-256 of the proof's file and its bytes, '' and 0 without one
    ns         nanoseconds of wall time of the prover    solutions  that it has shown, [found, variables]
    """

    puzzle: int
    prover: str
    value: int | None
    proof: int
    by: tuple[str, ...]
    detail: str
    digest: str
    size: int
    ns: int
    solutions: Solutions

    @property
    def holds(self) -> bool:
        """True if a checked proof holds, of the instance or of a formula."""
        return self.proof in (CERTIFIED, FORMULA_CERTIFIED)

    @property
    def rank(self) -> int:
        """Order of certifications of one instance: of the instance, of a formula, any other."""
        return {CERTIFIED: 2, FORMULA_CERTIFIED: 1}.get(self.proof, 0)

    def unbacked(self) -> Self:
        """Return the certification as unchecked: the journal does not say which file was checked."""
        return replace(self, proof=UNCHECKED, detail="the journal names no proof that was checked")


def inconsistencies(detail: str) -> list[tuple[str, str]]:
    """Return the broken identities that a detail holds: contender, and the identity with its numbers."""
    return [(str(name), str(why)) for name, why in json.loads(detail)] if detail.startswith("[") else []


def as_detail(broken: list[tuple[str, str]]) -> str:
    """Return broken identities, pairs of contender and words, as the detail of a certification; '' for none."""
    return json.dumps(broken) if broken else ""
