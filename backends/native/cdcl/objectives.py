"""Objective of the solver: a row, the sum of what true literals save, and soft literals of the same sum.

A chain is a list of pairs (literal, saved), in which each literal implies the one before it, and saves more: what is
saved counts from the start of the chain. The cost of a model is `offset` and what its chains could save but don't.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from backends.native.cdcl.rules import LARGEST_SUM, ClausesAndRules, Sums, internal
from backends.native.optimising.objective import Cost
from puzzles.problem.arrays import Int64Array

Chain = Sequence[tuple[int, int]]


class ObjectiveRow(NamedTuple):
    """Cost of a model, and the input of a solver whose last row is the sum of all chains, if it is small enough.

    whole  the sum of what all chains can save; the row is the last one
    """

    cost: Cost
    program: ClausesAndRules
    whole: int

    @property
    def limited(self) -> bool:
        """True if there is such a row."""
        return 0 < self.whole < LARGEST_SUM


def with_objective(program: ClausesAndRules, chains: Sequence[Chain], offset: int) -> ObjectiveRow:
    """Return the cost that chains state, and the solver's input with their sum; no literal is in two chains."""
    cost = Cost({}, offset)
    for chain in chains:
        saved, before = 0, 0
        for literal, sum_ in chain:
            cost.weights[literal] = sum_ - saved
            if before:
                cost.stronger[before] = literal
            saved, before = sum_, literal
    row = ObjectiveRow(cost, program, sum(chain[-1][1] for chain in chains))
    return row._replace(program=program._replace(sums=joined(program.sums, chains))) if row.limited else row


def joined(sums: Sums, chains: Sequence[Chain]) -> Sums:
    """Return the rows and a further row that always holds: the sum of chains."""
    ordered = sorted(chains, key=lambda chain: -chain[-1][1])
    literals = internal(np.array([literal for chain in ordered for literal, _ in chain], np.int64))
    weights: Int64Array = np.array([saved for chain in ordered for _, saved in chain], np.int64)
    lengths = np.array([len(chain) for chain in ordered])
    ends = sums.chains[-1] + np.cumsum(lengths)
    return Sums(
        np.append(sums.rows, sums.rows[-1] + len(ordered)).astype(np.int32),
        np.append(sums.chains, ends).astype(np.int32),
        np.append(sums.literals, literals).astype(np.int32),
        np.append(sums.weights, weights),
        np.append(sums.whole, weights[np.cumsum(lengths) - 1].sum()),
    )
