"""Objective by an expression: the value of a tree (puzzles.constraints.expression), to be minimised.

A solution for which a part of the tree is undefined has no value: a reader of such trees also requires all parts to be
defined.
"""

from dataclasses import dataclass
from math import log2
from typing import Any, ClassVar, Self

from puzzles.constraints.expression import MACHINE_BITS, MAX_BITS, Tree, bits_of, check_tree, evaluated, tree_text
from puzzles.constraints.linear import integers
from puzzles.constraints.numbers import batches, tuples
from puzzles.constraints.ranges import range_of
from puzzles.objectives.exact import Exact, ranges
from puzzles.problem import Problem
from puzzles.problem.arrays import Solutions
from puzzles.problem.values import Domains, Integers


@dataclass(frozen=True)
class ExpressionObjective:
    """Expression tree, negated if the source maximises."""

    tree: Tree
    maximise: bool = False
    kind: ClassVar[str] = "expression"

    @classmethod
    def of(cls, tree: Tree, maximise: bool = False) -> Self:
        """Return the objective of a tree, as a source states it."""
        return cls(("neg", tree) if maximise else tree, maximise)

    @property
    def source_tree(self) -> Tree:
        """Tree as the source states it."""
        found: Tree = self.tree[1] if self.maximise else self.tree
        return found

    def check(self, problem: Problem) -> None:
        if not isinstance(problem.values, Integers):
            raise ValueError("the values of an objective are not integers")
        check_tree(self.tree, len(problem.variables))
        if self.maximise and self.tree[0] != "neg":
            raise ValueError("an objective that is maximised is not negated")
        if self.too_long(problem):
            raise ValueError(f"an objective of more than {MAX_BITS:,.0f} bits")

    def too_long(self, problem: Problem) -> bool:
        """Return True if a part of the tree may have more than MAX_BITS, which takes too long to evaluate."""
        return bits_of(self.tree, value_bits(problem)) > MAX_BITS

    def values(self, solutions: Solutions, problem: Problem) -> Exact:
        wide = bits_of(self.tree, value_bits(problem)) >= MACHINE_BITS
        found: list[int] = []
        for _, numbers in batches(solutions, problem):
            found += evaluated(self.tree, numbers.astype(object) if wide else numbers)[0].tolist()
        return integers(list(map(int, found)))

    def bounds(self, domains: Domains, problem: Problem) -> tuple[int, int]:
        return range_of(self.tree, ranges(domains, problem).__getitem__)

    def words(self, problem: Problem) -> str:
        return tree_text(self.source_tree, problem.variables)

    def data(self) -> dict[str, Any]:
        return {"maximise": self.maximise, "tree": self.tree}

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Self:
        return cls(tuples(data["tree"]), bool(data["maximise"]))


def value_bits(problem: Problem) -> float:
    """Return the bits of the largest number of a problem's values."""
    assert isinstance(problem.values, Integers)
    numbers = problem.values.numbers
    return log2(max(1, *map(abs, (numbers[0], numbers[-1])))) if len(numbers) else 0.0


KIND = ExpressionObjective
