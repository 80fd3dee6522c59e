"""Map between values of squares and literals, for givens, models and blocking clauses."""

from collections.abc import Iterable, Sequence

import numpy as np

from encoders.cnf import BitTable, Signs
from encoders.formula import Unsupported
from encoders.zero_one.rows import Literals
from puzzles.problem.values import WORD, Domains, Solution, bits


class LiteralMap:
    """Literals of a board: literal[s][v] is true iff square s holds value v."""

    def __init__(self, literal: Sequence[Sequence[int]]) -> None:
        self.literal = literal
        self.full = (1 << len(literal[0])) - 1 if literal else 0
        self.masks: dict[int, tuple[int, ...]] = {}

    def values(self, mask: int) -> tuple[int, ...]:
        """Return the values in a mask; cached, since puzzles share their masks."""
        found = self.masks.get(mask)
        if found is None:
            found = self.masks[mask] = tuple(bits(mask))
        return found

    def true(self, domains: Domains) -> list[int]:
        """Return the literals that hold in a puzzle: givens, and the negated literals of excluded values."""
        full, literal = self.full, self.literal
        if domains.count(full) == len(domains):
            return []
        literals: list[int] = []
        for s, mask in enumerate(domains):
            if mask == full:
                continue
            if mask and not mask & (mask - 1):
                literals.append(literal[s][mask.bit_length() - 1])
            else:
                literals += dict.fromkeys([-literal[s][v] for v in self.values(full & ~mask)])
        return literals

    def decode(self, model: Iterable[int], domains: Domains) -> Solution:
        """Return the value of each square; where the model has none, an invalid one, which the judge rejects.

        Only values of the domains are read: some solvers set variables that occur in no clause. Others leave them out
        of the model: a square whose values share one variable may have any value of its domain if that is left out.
        """
        if isinstance(self.literal, Signs):
            return decode_signs(model, domains)
        true = set(model)
        solution = []
        for row, mask in zip(self.literal, domains, strict=True):
            for v in self.values(mask):
                if row[v] in true:
                    solution.append(v)
                    break
            else:
                left = self.values(mask)
                shared = len({abs(row[v]) for v in left}) == 1 and any(-x in row for x in row)
                unset = shared and true.isdisjoint((row[left[0]], -row[left[0]]))
                solution.append(left[0] if unset else len(row))
        return tuple(solution)

    def forbid(self, solution: Solution) -> list[int]:
        """Return the clause that every solution but this one satisfies; empty on a board without squares."""
        return list({-row[v] for row, v in zip(self.literal, solution, strict=True) if v < len(row)})


class BitMap(LiteralMap):
    """Bits of variables whose domains are ranges. The formula states these domains."""

    def __init__(self, literals: BitTable) -> None:
        self.table = literals

    def true(self, domains: Domains) -> list[int]:
        """Return the bits that narrower domains fix. Raises Unsupported where fixed bits do not state the bounds."""
        fixed: list[int] = []
        for row, known, domain in zip(self.table, self.table.domains, domains, strict=True):
            if domain == known:
                continue
            low, high = (domain & WORD) - (known & WORD), (domain >> 64) - 1 - (known & WORD)
            free = (low ^ high).bit_length()
            if high - low != (1 << free) - 1:
                raise Unsupported("narrower bounds of a range are no bits of it")
            fixed += [k if low >> i & 1 else -k for i, k in enumerate(row) if i >= free]
        return fixed

    def decode(self, model: Iterable[int], domains: Domains) -> Solution:
        """Return the value of each variable; a bit that the model leaves out is 0."""
        true = set(model)
        return tuple([self.table.index_of(x, true) for x in range(len(self.table))])

    def forbid(self, solution: Solution) -> list[int]:
        """Return the clause that every solution but this one satisfies."""
        return [-k for k in self.table.stated(solution)]


def literal_map(literals: Literals) -> LiteralMap:
    """Return the map of a table of literals."""
    return BitMap(literals) if isinstance(literals, BitTable) else LiteralMap(literals)


def decode_signs(model: Iterable[int], domains: Domains) -> Solution:
    """Do the work of `decode` in columns for Boolean variables, of which a file may have a million."""
    literals = np.fromiter(model, np.int64)
    literals = literals[np.abs(literals) <= len(domains)]
    signs = np.full(len(domains) + 1, -1, np.int8)  # by variable from 1: its value in the model, -1 for none
    signs[np.abs(literals)] = literals > 0
    masks, value = np.array(domains, np.int8), signs[1:]
    first = np.array([2, 0, 1, 0], np.int8)[masks]  # by mask: the lowest value, 2 is invalid
    solution = np.where(value < 0, first, np.where(masks >> np.maximum(value, 0) & 1, value, 2))
    return tuple(solution.tolist())
