"""All-different units: no two variables of a unit take the same value. One object holds all units.

taken  [variables, m], the values of solutions, one column per solution
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Self

from puzzles.constraints.checks import check_indices, check_tuple
from puzzles.problem import Problem

if TYPE_CHECKING:  # numpy is imported at its first use: reading boards does not need it
    import numpy as np
    import numpy.typing as npt

    from puzzles.problem.arrays import BoolArray, Solutions

    Units = npt.NDArray[np.intp]  # [units, length]

BATCH_VALUES = 1 << 22  # values sorted per batch, which bounds memory


@dataclass(frozen=True)
class AllDifferent:
    """The variables of each unit take different values."""

    units: tuple[tuple[int, ...], ...]
    kind: ClassVar[str] = "all_different"

    @cached_property
    def by_length(self) -> tuple["Units", ...]:
        """Units of two or more variables, one array per length."""
        import numpy as np

        lengths = sorted({len(unit) for unit in self.units if len(unit) > 1})
        return tuple(np.array([u for u in self.units if len(u) == n], np.intp) for n in lengths)

    def check(self, problem: Problem) -> None:
        check_tuple(self.units)
        for unit in self.units:
            check_indices(unit, len(problem.variables))

    def satisfied(self, solutions: "Solutions", problem: Problem) -> "BoolArray":
        import numpy as np

        ok = np.ones(len(solutions), np.bool_)
        if len(problem.values) > 64:
            for units in self.by_length:
                ok &= differ_by_sorting(solutions, units)
            return ok
        taken = as_bits(solutions, len(problem.values))
        for units in self.by_length:
            ok &= differ_by_bits(taken, units)
        return ok

    def explain(self, solution: Sequence[int], problem: Problem) -> list[str]:
        wrong = []
        for unit in self.units:
            seen: dict[int, int] = {}
            for x in unit:
                v = solution[x]
                if v in seen:
                    names = problem.variables
                    wrong.append(f"{names[seen[v]]} and {names[x]} both hold {problem.values[v]}")
                seen.setdefault(v, x)
        return wrong

    def data(self) -> dict[str, Any]:
        return {"units": self.units}

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Self:
        return cls(tuple(map(tuple, data["units"])))


def as_bits(solutions: "Solutions", values: int) -> "npt.NDArray[np.unsignedinteger[Any]]":
    """Return solutions with each value as one bit of a word with room for all values."""
    import numpy as np

    word = np.uint16 if values <= 16 else np.uint32 if values <= 32 else np.uint64
    taken: npt.NDArray[np.unsignedinteger[Any]] = np.left_shift(word(1), np.ascontiguousarray(solutions.T).astype(word))
    return taken


def differ_by_bits(taken: "npt.NDArray[np.unsignedinteger[Any]]", units: "Units") -> "BoolArray":
    """Return bool[m]: True if each unit has as many distinct bits as variables."""
    import numpy as np

    seen = taken[units[:, 0]]
    for i in range(1, units.shape[1]):
        seen |= taken[units[:, i]]
    ok: BoolArray = np.all(np.bitwise_count(seen) == units.shape[1], axis=0)
    return ok


def differ_by_sorting(solutions: "Solutions", units: "Units") -> "BoolArray":
    """Return bool[m]: True if no neighbours in the sorted values of a unit are equal."""
    import numpy as np

    ok = np.empty(len(solutions), np.bool_)
    rows = max(1, BATCH_VALUES // units.size)
    for i in range(0, len(solutions), rows):
        sorted_ = np.sort(solutions[i : i + rows, units], axis=2)
        ok[i : i + rows] = np.all(sorted_[:, :, 1:] != sorted_[:, :, :-1], axis=(1, 2))
    return ok


KIND = AllDifferent
