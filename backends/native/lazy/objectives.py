"""Objectives as chains of literals: what a term or a soft clause saves, beside its greatest value, if they are true.

3 x over 1, 2 and 4     offset 3; not [x >= 4] saves 6, and not [x >= 2] saves 9
5 unless x or not y     5 saved by a literal that implies: x or not y
"""

from collections.abc import Callable

from backends.native.cdcl.objectives import Chain
from backends.native.lazy.literals import Literals
from backends.native.optimising.objective import Cost
from puzzles.constraints.clauses import split_clauses
from puzzles.constraints.linear import merged
from puzzles.objectives.linear import LinearObjective
from puzzles.objectives.soft import SoftClauses

Chains = tuple[list[Chain], int]  # with the offset


def linear_chains(objective: LinearObjective, lits: Literals) -> Chains:
    """A term saves most if its variable has the end of the domain that costs least."""
    offset, chains = objective.offset, list[Chain]()
    for x, a in merged(objective.terms).items():
        numbers, first = lits.own(x).tolist(), int(lits.first[x])
        if a > 0:
            offset += a * numbers[0]
            chain = [(-(first + i), a * (numbers[-1] - numbers[i])) for i in range(len(numbers) - 2, -1, -1)]
        else:
            offset += a * numbers[-1]
            chain = [(first + i, -a * (numbers[i + 1] - numbers[0])) for i in range(len(numbers) - 1)]
        if chain:
            chains.append(chain)
    return chains, offset


def soft_chains(objective: SoftClauses, lits: Literals) -> Chains:
    """Return a chain of one literal for each soft clause; weights of equal literals are added up."""
    rows = split_clauses(lits.translated(objective.flat))
    cost, own = Cost.of_clauses(zip(objective.weights.tolist(), rows, strict=True), 0, lits.last)
    for clause in own:
        lits.add((*clause, -lits.new()))
    return [[pair] for pair in cost.weights.items()], cost.lower


# Chains of an objective, and its offset, by kind; clauses for them are added.
CHAINED: dict[str, Callable[..., Chains]] = {
    LinearObjective.kind: linear_chains,
    SoftClauses.kind: soft_chains,
}
