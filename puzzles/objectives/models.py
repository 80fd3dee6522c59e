"""Number of models as the answer that is wanted (`--count all`), or the sum of their weights: the more, the better.

    hidden   variables outside the projection, from 0: models that differ in them alone are one
    weights  by literal x + 1 or -(x + 1) of Boolean variable x, exact; the weight of a model is their product

An answer is a number without solutions. Like all values it is an integer, and negated, since values are minimised: the
sum of weights times `scale`, the product of the least common denominators of each variable.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import lcm, prod
from typing import Any, ClassVar, Self

import numpy as np

from puzzles.errors import BadInput
from puzzles.objectives.exact import Exact
from puzzles.problem import Instance, Problem
from puzzles.problem.arrays import Solutions
from puzzles.problem.values import Domains, size_of

KIND_NAME = "models"


@dataclass(frozen=True)
class ModelCount:
    """The number of models on a projection, or the sum of their weights."""

    hidden: tuple[int, ...] = ()
    weights: Mapping[int, Fraction] = field(default_factory=dict)
    maximise: ClassVar[bool] = True
    kind: ClassVar[str] = KIND_NAME

    @cached_property
    def shown_weights(self) -> dict[int, Fraction]:
        """Weights of literals of the projection: others have no influence."""
        hidden = set(self.hidden)
        return {literal: weight for literal, weight in self.weights.items() if abs(literal) - 1 not in hidden}

    @cached_property
    def scale(self) -> int:
        """Factor of the sum of weights that makes it an integer."""
        weights = self.shown_weights
        return prod(lcm(w.denominator, weights[-literal].denominator) for literal, w in weights.items() if literal > 0)

    def value_of(self, count: Fraction | int) -> int:
        """Return the value of a number of models, or of a sum of weights."""
        scaled = count * self.scale
        assert scaled == int(scaled)
        return -int(scaled)

    def check(self, problem: Problem) -> None:
        size = len(problem.variables)
        if not all(0 <= x < size for x in self.hidden) or not all(1 <= abs(x) <= size for x in self.weights):
            raise ValueError("a number of models names a variable that the problem lacks")
        if any(-literal not in self.weights for literal in self.weights):
            raise ValueError("a literal has no weight")

    def values(self, solutions: Solutions, problem: Problem) -> Exact:
        """Return no values, of no solutions: one solution has no number of models."""
        if len(solutions):
            raise ValueError("a number of models is no value of a solution")
        return np.empty(0, np.int64)

    def bounds(self, domains: Domains, problem: Problem) -> tuple[int, int]:
        hidden, weights, most = set(self.hidden), self.shown_weights, self.scale
        for x, mask in enumerate(domains):
            if x + 1 in weights:
                most *= abs(weights[x + 1]) + abs(weights[-x - 1])  # type: ignore[assignment]
            elif x not in hidden:
                most *= size_of(mask, problem.values)
        return -int(most), int(most)

    def words(self, problem: Problem) -> str:
        return "sum of the models' weights" if self.weights else "number of models"

    def data(self) -> dict[str, Any]:
        weights = [[literal, str(weight)] for literal, weight in sorted(self.weights.items())]
        return {"maximise": True, "hidden": list(self.hidden), "weights": weights}

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Self:
        weights = {int(literal): Fraction(weight) for literal, weight in data["weights"]}
        return cls(tuple(map(int, data["hidden"])), weights)


KIND = ModelCount


def counting(instance: Instance[Any], weights: Mapping[int, Fraction]) -> Instance[Problem]:
    """Return an instance whose models are to be counted, with the weights of literals. Raises BadInput."""
    given = instance.problem
    if given.objective is not None:
        raise BadInput(f"{instance.name} has an objective: --count all needs --ignore-objective then")
    goal = ModelCount(given.free, dict(weights))
    parts = given.name, given.variables, given.values, given.constraints
    problem = Problem(*parts, objective=goal, free=given.free, declared=given.declared)
    known = None if instance.count is None or weights else instance.count
    optimum = None if not known else -known
    return Instance(
        instance.name,
        problem,
        instance.domains,
        0 if known == 0 else None,
        bool(known) and instance.at_least,
        source=instance.source,
        optimum=optimum,
        flatten_ns=instance.flatten_ns,
    )
