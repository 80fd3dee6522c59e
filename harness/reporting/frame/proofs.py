"""Results in which an unsatisfiable answer counts only with a proof that holds, as in the SAT competition's main track.

The proof must hold for the instance: a proof of a formula alone, which is only trusted to mean the instance, does not
count, nor does a proof that was refused, not checked to its end, or not requested. Every repeat needs a proof.
"""

from dataclasses import replace

import numpy as np

from harness.reporting.frame.results import ContenderResults, Results, State


def with_proofs_required(results: Results, refuted_is_wrong: bool = False) -> Results:
    """Return the results with unsatisfiable answers undecided that lack a proof that holds.

    With `refuted_is_wrong` a refused proof is a wrong answer, as in SAT Competitions since 2025.

    The agreement stays: an answer without a proof is still an opinion, and still refuted if it is wrong.
    """
    return replace(
        results,
        contenders=tuple(contender_with_proofs(c, refuted_is_wrong) for c in results.contenders),
        strata=tuple(with_proofs_required(stratum, refuted_is_wrong) for stratum in results.strata),
        proofs_required=True,
    )


def contender_with_proofs(c: ContenderResults, refuted_is_wrong: bool = False) -> ContenderResults:
    """Return one contender's results with unsatisfiable answers undecided that lack a proof that holds."""
    out = c.proofless
    lost = np.where(out & c.refused & refuted_is_wrong, np.int8(State.WRONG), np.int8(State.PROOFLESS))
    return replace(
        c,
        states=np.where(out & (c.states == State.DECIDED), lost, c.states),
        state=np.where(out, lost, c.state),
        unsatisfiable=c.unsatisfiable & ~out,
        uncertified=c.uncertified & ~out,
        confirmed=c.confirmed & ~out,
        phases={name: np.where(out, np.nan, seconds) for name, seconds in c.phases.items()},
        times={clock: times.without(out) for clock, times in c.times.items()},
    )
