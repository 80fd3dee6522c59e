"""UnsupportedParts: parts of an instance were not read, so it is asked for no solution, and none can be checked."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self

from puzzles.problem import Problem

if TYPE_CHECKING:  # numpy is imported at its first use
    from puzzles.problem.arrays import BoolArray, Solutions


@dataclass(frozen=True)
class UnsupportedParts:
    """Only constraint of an instance with unsupported parts: it names them, and nothing satisfies it."""

    names: tuple[str, ...]
    kind: ClassVar[str] = "unsupported"

    def check(self, problem: Problem) -> None:
        if not all(isinstance(name, str) for name in self.names):
            raise ValueError("an unsupported part has no name")

    def satisfied(self, solutions: "Solutions", problem: Problem) -> "BoolArray":
        import numpy as np

        return np.zeros(len(solutions), np.bool_)

    def explain(self, solution: Sequence[int], problem: Problem) -> list[str]:
        return [f"not supported: {', '.join(self.names)}"]

    def data(self) -> dict[str, Any]:
        return {"names": self.names}

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Self:
        return cls(tuple(data["names"]))


def unsupported_parts(problem: Problem) -> str:
    """Return the names of a problem's parts that were not read, '' if all were."""
    return ", ".join(name for c in problem.constraints if isinstance(c, UnsupportedParts) for name in c.names)


KIND = UnsupportedParts
