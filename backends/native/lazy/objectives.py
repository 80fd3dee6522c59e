"""Objectives as chains of literals: what a term or a soft clause saves, beside its greatest value, if they are true.

3 x over 1, 2 and 4     offset 3; not [x >= 4] saves 6, and not [x >= 2] saves 9
5 unless x or not y     5 saved by a literal that implies: x or not y
"""

from collections.abc import Callable

from backends.native.cdcl.objectives import Chain
from backends.native.lazy.literals import Literals
from backends.native.optimising.objective import Cost
from puzzles.constraints.clauses import split_clauses
from puzzles.objectives.linear import LinearObjective
from puzzles.objectives.soft import SoftClauses
from puzzles.problem import Objective

Chains = tuple[list[Chain], int]  # with the offset


def chains_of(objective: Objective, lits: Literals) -> Chains:
    """Return the chains of an objective of a kind of CHAINED, and its offset; clauses for them are added."""
    return CHAINED[objective.kind](objective, lits)


def linear_chains(objective: LinearObjective, lits: Literals) -> Chains:
    """A term saves most if its variable has the end of the domain that costs least."""
    terms: dict[int, int] = {}
    for a, x in objective.terms:
        terms[x] = terms.get(x, 0) + a
    offset, chains = objective.offset, list[Chain]()
    for x, a in terms.items():
        numbers, first = lits.own(x).tolist(), int(lits.first[x])
        if a > 0:
            offset += a * numbers[0]
            chain = [(-(first + i), a * (numbers[-1] - numbers[i])) for i in range(len(numbers) - 2, -1, -1)]
        else:
            offset += a * numbers[-1]
            chain = [(first + i, -a * (numbers[i + 1] - numbers[0])) for i in range(len(numbers) - 1)]
        if a and chain:
            chains.append(chain)
    return chains, offset


def soft_chains(objective: SoftClauses, lits: Literals) -> Chains:
    """Return a chain of one literal for each soft clause; weights of equal literals are added up."""
    soft, offset = list[tuple[int, int]](), 0
    rows = split_clauses(lits.translated(objective.flat))
    for weight, literals in zip(objective.weights.tolist(), rows, strict=True):
        if not literals:
            offset += weight
            continue
        if len(literals) > 1:
            own = lits.new()
            lits.add((*literals, -own))
            literals = [own]
        soft.append((literals[0], weight))
    cost = Cost.of(soft, offset)
    return [[pair] for pair in cost.weights.items()], cost.lower


CHAINED: dict[str, Callable[..., Chains]] = {
    LinearObjective.kind: linear_chains,
    SoftClauses.kind: soft_chains,
}
