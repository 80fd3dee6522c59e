"""Estimates of numbers of models, which claim an error epsilon that they exceed with probability delta.

One estimate beyond the error shows nothing. Those of several seeds are rejected if so many of them are beyond it that
the binomial distribution gives that less than RAREST. A contender without a seed or a claim is never rejected.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import comb
from typing import NamedTuple

from backends.contract.catalogue import describe
from backends.contract.options import split_options
from backends.contract.seeds import SEED
from backends.counters.counted import Guarantee, guarantee_of
from harness.judging.identities import goal_of
from harness.model.contender import Contender, resolve
from harness.model.outcome import Outcomes
from harness.model.trajectory import NOTHING
from puzzles.problem import Problem

SEEDS = 25
RAREST = 1e-6  # probability below which estimates are rejected


class ClaimedEstimate(NamedTuple):
    """Number of one ask, and what is claimed of its error."""

    number: Fraction
    guarantee: Guarantee

    def beyond(self, right: Fraction) -> bool:
        """Return True if the right number is not within the claimed factor."""
        factor = 1 + Fraction(str(self.guarantee.epsilon))
        return not right / factor <= self.number <= right * factor


def estimate_in(outcomes: Outcomes, problem: Problem) -> ClaimedEstimate | None:
    """Return the estimate of the first outcome, None if it has none that claims an error with a chance."""
    stated, claim = outcomes.trajectories.get(0, NOTHING).stated, guarantee_of(outcomes.details.get(0, ""))
    if stated is None or claim is None or not claim.delta:
        return None
    return ClaimedEstimate(Fraction(-stated, goal_of(problem).scale), claim)


def seeded(contender: Contender, programs: Mapping[str, str]) -> list[Contender]:
    """Return a contender with each of SEEDS seeds; none if it takes no seed."""
    plain, words = split_options(contender.backend)
    if SEED not in describe(plain, programs).options:
        return []
    kept = [word for word in words if not word.startswith(f"{SEED.name}=")]
    names = [f"{plain}[{','.join([*kept, f'{SEED.name}={seed}'])}]" for seed in range(1, SEEDS + 1)]
    return [resolve([f"{name}/{contender.encoding}"], programs=programs)[0][0] for name in names]


def rejection(found: list[ClaimedEstimate], right: Fraction) -> str:
    """Return words on estimates of several seeds that are beyond their error more often than chance allows, or ''."""
    if not found:
        return ""
    claim, outside = found[0].guarantee, sum(one.beyond(right) for one in found)
    chance = tail(len(found), outside, claim.delta)
    words = f"{outside} of {len(found)} are beyond a factor of {1 + claim.epsilon:g} of {right}"
    return f"estimates: {words}: the chance of that is {chance:.0e}" if chance < RAREST else ""


def over_seeds(
    contender: Contender,
    programs: Mapping[str, str],
    right: Fraction,
    ask: Callable[[Contender], ClaimedEstimate | None],
) -> str:
    """Ask a contender with several seeds; return words if its estimates are rejected, '' if not."""
    return rejection([one for other in seeded(contender, programs) if (one := ask(other)) is not None], right)


def tail(n: int, k: int, p: float) -> float:
    """Return the probability of k or more of n independent events of probability p."""
    return float(sum(comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(k, n + 1)))
