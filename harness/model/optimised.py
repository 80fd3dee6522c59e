"""Outcomes with an objective, in columns: values that the judge evaluates, values that contenders state."""

from dataclasses import dataclass

from harness.model.merit import Merit, Stated
from puzzles.problem.arrays import BoolArray, Int64Array


@dataclass(frozen=True)
class Optimised:
    """Columns over outcomes.

    of      bool[n], True for an outcome of an instance with an objective
    merit   of the solution of each of these, by its value as the judge evaluates it
    bound   the greatest merit that any solution has, as the contender states it
    false   bool[n], True where a stated value is not that of its solution, an improvement is none, or an answer is
            stated to be the best although its own contender reported a better one
    """

    of: BoolArray
    merit: Merit
    bound: Stated
    false: BoolArray

    def __getitem__(self, at: BoolArray | Int64Array) -> "Optimised":
        return Optimised(self.of[at], self.merit[at], self.bound[at], self.false[at])
