"""Linear objective: a weighted sum of numbers and an offset, to be minimised.

3 x1 - 2 x2 + 5
"""

from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from puzzles.constraints.checks import check_array
from puzzles.constraints.linear import integers
from puzzles.constraints.numbers import batches
from puzzles.objectives.exact import Exact, check_integers, from_json, ranges, to_json, weighted
from puzzles.problem import Problem
from puzzles.problem.arrays import Solutions
from puzzles.problem.values import Domains, Integers

MAX_TERMS_SHOWN = 12


@dataclass(frozen=True, eq=False)
class LinearObjective:
    """Terms in columns: coefficients int64[n], or Python integers, and variables int32[n]; and an offset of any size.

    `maximise`: the source maximises, so all signs are negated here.
    """

    coefficients: Exact
    variables: npt.NDArray[np.int32]
    offset: int = 0
    maximise: bool = False
    kind: ClassVar[str] = "linear"

    @classmethod
    def of(cls, terms: dict[int, int], offset: int = 0, maximise: bool = False) -> Self:
        """Return the objective of coefficients by variable, as the source states them."""
        sign = -1 if maximise else 1
        kept = {x: sign * a for x, a in terms.items() if a}
        return cls(integers(list(kept.values())), np.array(list(kept), np.int32), sign * offset, maximise)

    @property
    def terms(self) -> list[tuple[int, int]]:
        """Coefficient and variable of each term."""
        return list(zip(self.coefficients.tolist(), self.variables.tolist(), strict=True))

    def check(self, problem: Problem) -> None:
        if not isinstance(problem.values, Integers):
            raise ValueError("the values of a linear objective are not integers")
        check_integers(self.coefficients)
        check_array(self.variables, 0, len(problem.variables) - 1)
        if len(self.coefficients) != len(self.variables) or type(self.offset) is not int:
            raise ValueError("the parts of a linear objective do not fit together")

    def values(self, solutions: Solutions, problem: Problem) -> Exact:
        parts = [weighted(numbers[:, self.variables], self.coefficients) for _, numbers in batches(solutions, problem)]
        found = np.concatenate([*parts, np.empty(0, np.int64)])
        if found.dtype == object or abs(self.offset) >= 1 << 61 or float(np.abs(found).max(initial=0)) >= 2.0**61:
            return integers([value + self.offset for value in found.tolist()])
        return found + self.offset

    def bounds(self, domains: Domains, problem: Problem) -> tuple[int, int]:
        spans = ranges(domains, problem)
        ends = [sorted((a * spans[x][0], a * spans[x][1])) for a, x in self.terms]
        return self.offset + sum(low for low, _ in ends), self.offset + sum(high for _, high in ends)

    def words(self, problem: Problem) -> str:
        sign = -1 if self.maximise else 1
        texts = [f"{sign * a:+d} {problem.variables[x]}" for a, x in self.terms[:MAX_TERMS_SHOWN]]
        if (more := len(self.variables) - MAX_TERMS_SHOWN) > 0:
            texts.append(f"and {more} more terms")
        return " ".join([*texts, *([f"{sign * self.offset:+d}"] if self.offset or not texts else [])])

    def data(self) -> dict[str, Any]:
        return {
            "maximise": self.maximise,
            "offset": str(self.offset),
            "coefficients": to_json(self.coefficients),
            "variables": self.variables,
        }

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Self:
        coefficients, variables = from_json(data["coefficients"]), np.asarray(data["variables"])
        return cls(coefficients, variables.astype(np.int32), int(data["offset"]), bool(data["maximise"]))


KIND = LinearObjective
