"""Soft literals: each has a weight, the cost of a model in which it is false."""

from collections.abc import Iterable
from dataclasses import dataclass, field

DIVERSITY = 1.25  # least number of soft literals for each weight in a stratum


@dataclass
class Cost:
    """Cost of a model: `lower`, and the weights of the literals that are false. All weights are positive.

    stronger  literals that imply others, by these; one that is implied is not assumed
    """

    weights: dict[int, int]
    lower: int = 0
    stronger: dict[int, int] = field(default_factory=dict)

    @classmethod
    def of(cls, soft: Iterable[tuple[int, int]], offset: int) -> "Cost":
        """Return the cost of soft literals with their weights; no literal stays beside its negation."""
        found = cls({}, offset)
        for literal, weight in soft:
            found.add(literal, weight)
        return found

    @classmethod
    def of_clauses(
        cls, clauses: Iterable[tuple[int, Iterable[int]]], offset: int, variables: int
    ) -> tuple["Cost", dict[tuple[int, ...], int]]:
        """Return the cost of clauses with their weights, and the soft literals of those of several literals.

        Such a literal, a variable after the given ones, is to imply its clause. Clauses that are always true have none.
        """
        soft, own = list[tuple[int, int]](), dict[tuple[int, ...], int]()
        for weight, clause in clauses:
            literals = tuple(sorted(set(clause)))
            if not literals:
                offset += weight
            elif len(literals) == 1:
                soft.append((*literals, weight))
            elif not any(-x in literals for x in literals):
                soft.append((own.setdefault(literals, variables + len(own) + 1), weight))
        return cls.of(soft, offset), own

    def add(self, literal: int, weight: int) -> None:
        """Add a soft literal. What it has in common with its negation is a cost in any model."""
        common = min(weight, self.weights.get(-literal, 0))
        if common:
            self.lower += common
            self.lessen(-literal, common)
        if weight > common:
            self.weights[literal] = self.weights.get(literal, 0) + weight - common

    def lessen(self, literal: int, weight: int) -> None:
        """Lessen the weight of a literal, which is at least as great."""
        self.weights[literal] -= weight
        if not self.weights[literal]:
            del self.weights[literal]

    def steps(self) -> list[tuple[int, int]]:
        """Return the values of an objective of one chain, falling, each with its literal; nothing for another."""
        first = self.weights.keys() - self.stronger.values()
        literal, value = min(first, default=0), self.lower + sum(self.weights.values())
        found: list[tuple[int, int]] = []
        while len(first) == 1 and literal:
            value -= self.weights[literal]
            found.append((value, literal))
            literal = self.stronger.get(literal, 0)
        return found

    def stratum(self, level: int) -> list[int]:
        """Return the literals whose weight is at least a level, without those that another of them implies."""
        weights, stronger = self.weights, self.stronger
        if not stronger:
            return [literal for literal, weight in weights.items() if weight >= level]
        return [
            literal
            for literal, weight in weights.items()
            if weight >= level and weights.get(stronger.get(literal, 0), 0) < level
        ]

    def below(self, level: int | None) -> int | None:
        """Return the next level below one, or below all; None if no weight is.

        It is the highest for which there are some literals for each weight (Ansotegui, Bonet, Gabas & Levy 2012).
        """
        count = distinct = last = 0
        for weight in sorted(self.weights.values(), reverse=True):
            if weight != last and last and (level is None or last < level) and count >= DIVERSITY * distinct:
                return last
            count, distinct, last = count + 1, distinct + (weight != last), weight
        return last if last and (level is None or last < level) else None
