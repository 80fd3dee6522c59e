"""Totalizers that grow (Bailleux & Boufkhad 2003; Martins, Joshi, Manquinho & Lynce 2014): counters of true literals.

A node of the tree has a literal for each k up to the greatest asked for: it is true if at least k of the leaves below
are. It may be true beside that, so that each clause has one direction.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from backends.native.optimising.optimum import ClauseSolver


@dataclass
class Totalizer:
    """Node of a tree over `size` literals: output k is true if k of them are. A leaf's output is its literal."""

    size: int
    outputs: list[int] = field(default_factory=list)
    parts: tuple["Totalizer", ...] = ()

    @classmethod
    def over(cls, literals: Sequence[int]) -> "Totalizer":
        """Return a tree over one or more literals, without outputs."""
        if len(literals) == 1:
            return cls(1, list(literals))
        half = len(literals) // 2
        return cls(len(literals), [], (cls.over(literals[:half]), cls.over(literals[half:])))

    @cached_property
    def leaves(self) -> tuple[int, ...]:
        """The literals that are counted."""
        return tuple(leaf for part in self.parts for leaf in part.leaves) if self.parts else tuple(self.outputs)

    def at_least(self, k: int, solver: ClauseSolver) -> int:
        """Return the literal for: at least k of the literals are true; 1 <= k <= size."""
        if k > len(self.outputs):
            clauses: list[int] = []
            self.grow(k, solver, clauses)
            solver.add(clauses)
        return self.outputs[k - 1]

    def grow(self, k: int, solver: ClauseSolver, clauses: list[int]) -> None:
        """Make the outputs up to k, as far as there are so many literals."""
        first, last = len(self.outputs) + 1, min(k, self.size)
        if first > last:
            return
        left, right = self.parts
        left.grow(k, solver, clauses)
        right.grow(k, solver, clauses)
        self.outputs += [solver.new() for _ in range(first, last + 1)]
        for j in range(first, last + 1):
            output = self.outputs[j - 1]
            if j > 1:
                clauses += (-output, self.outputs[j - 2], 0)
            for a in range(max(0, j - right.size), min(j, left.size) + 1):
                clauses += (output, *[-left.outputs[a - 1]] * (a > 0))
                clauses += (*[-right.outputs[j - a - 1]] * (a < j), 0)
