"""Verdict on one outcome of one instance, by that outcome and the claims of the instance's source alone."""

from typing import Any

import numpy as np

from harness.judging import judge
from harness.model.outcome import Outcomes, Verdict
from harness.model.quality import CorpusClaims, Optimised, Quality
from puzzles.problem import Instance
from puzzles.problem.arrays import Int32Array
from puzzles.problem.columns import index_type, pack

ONE = np.array([1])  # id of the instance


def verdict_on(
    instance: Instance[Any], outcomes: Outcomes, valid: Int32Array, count: int, best: Optimised | None
) -> Verdict:
    """Return the verdict on the only outcome of an instance, as the judge of a journal gives it.

    valid int32[1] and `best` are what the judge has found of the outcome; `count` is the number of solutions asked for.
    """
    evidence, claims = judge.Evidence.empty(1), claims_of(instance)
    if instance.solution is not None:
        solution = np.array([instance.solution], index_type(instance.problem))
        evidence.add_claimed(instance.problem, ONE, pack(instance.problem, [instance.domains]), solution)
    evidence.add(outcomes, valid, 0, best)
    (verdict,) = judge.verdicts(ONE, outcomes.rows, valid, count, claims, evidence, best).tolist()
    return Verdict(verdict)


def claims_of(instance: Instance[Any]) -> CorpusClaims:
    """Return what the source of an instance claims of it, under the id 1."""
    claims = CorpusClaims.none(1)
    if instance.optimum is not None:
        claims.stated.put(ONE, Quality.of_values([instance.optimum]))
    elif instance.count is not None or instance.solution is not None:
        claims.stated.put(ONE, Quality.of_counts(np.array([1 if instance.count is None else instance.count])))
    claims.at_least[1] = instance.at_least or (instance.count is None and instance.optimum is None)
    return claims
