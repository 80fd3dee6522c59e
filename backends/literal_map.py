"""The literals of a board: givens in, solutions out, solutions forbidden."""

from collections.abc import Iterable, Sequence

from puzzles.layout import Domains, Solution, bits


class LiteralMap:
    """The literal that is true iff a value is placed in a square, both ways."""

    def __init__(self, literal: Sequence[Sequence[int]]) -> None:
        self.literal = literal
        self.full = (1 << len(literal[0])) - 1 if literal else 0
        self.masks: dict[int, tuple[int, ...]] = {}

    def values(self, mask: int) -> tuple[int, ...]:
        """The values in a mask, kept, since puzzles share their masks."""
        found = self.masks.get(mask)
        if found is None:
            found = self.masks[mask] = tuple(bits(mask))
        return found

    def true(self, domains: Domains) -> list[int]:
        """The literals that a puzzle makes true: its givens, and, negated, the values that a square may not take."""
        literals: list[int] = []
        full, literal = self.full, self.literal
        for s, mask in enumerate(domains):
            if mask == full:
                continue
            if mask and not mask & (mask - 1):
                literals.append(literal[s][mask.bit_length() - 1])
            else:
                literals += [-literal[s][v] for v in self.values(full & ~mask)]
        return literals

    def decode(self, model: Iterable[int], domains: Domains) -> Solution:
        """The value of each square; one too high, which no judge lets pass, where the model places none.

        Only the domain is read: some solvers set variables that no clause holds.
        """
        true = set(model)
        solution = []
        for row, mask in zip(self.literal, domains, strict=True):
            for v in self.values(mask):
                if row[v] in true:
                    solution.append(v)
                    break
            else:
                solution.append(len(row))
        return tuple(solution)

    def forbid(self, solution: Solution) -> list[int]:
        """The clause that no solution but this one satisfies; empty on a board without squares."""
        return list({-row[v] for row, v in zip(self.literal, solution, strict=True) if v < len(row)})
