"""Domains with holes, narrowed by atoms: x >= 5, x <= 5, x == 5, x != 5."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from typing import NamedTuple

NEGATED = {">=": ("<=", -1), "<=": (">=", 1), "==": ("!=", 0), "!=": ("==", 0)}


class Atom(NamedTuple):
    """Comparison of a variable, by its index, with a number."""

    x: int
    comparison: str
    number: int

    def negated(self) -> "Atom":
        comparison, step = NEGATED[self.comparison]
        return Atom(self.x, comparison, self.number + step)


class Domains:
    """Numbers that variables may take, ascending; `initial` by index. `empty` once a variable may take none.

    within  numbers of a variable between its ends      holes  numbers among them that it may not take
    """

    def __init__(self, initial: Sequence[Sequence[int]], atoms: Iterable[Atom] = ()) -> None:
        self.initial, self.empty = initial, False
        self.within: dict[int, Sequence[int]] = {}
        self.holes: dict[int, set[int]] = {}
        for atom in atoms:
            self.take(atom)

    def take(self, atom: Atom) -> None:
        """Narrow a domain to the numbers for which an atom holds; an empty one stays as it is."""
        x, comparison, n = atom
        numbers, holes = self.numbers(x), self.holes.setdefault(x, set())
        if comparison in (">=", "=="):
            numbers = numbers[bisect_left(numbers, n) :]
        if comparison in ("<=", "=="):
            numbers = numbers[: bisect_right(numbers, n)]
        if comparison == "!=":
            holes.add(n)
        first, last = 0, len(numbers)
        while first < last and numbers[first] in holes:
            first += 1
        while first < last and numbers[last - 1] in holes:
            last -= 1
        if first == last:
            self.empty = True
        else:
            self.within[x] = numbers[first:last]

    def holds(self, atom: Atom) -> bool:
        """Return True if an atom holds for all numbers of its variable."""
        low, high = self.ends(atom.x)
        match atom.comparison:
            case ">=":
                return low >= atom.number
            case "<=":
                return high <= atom.number
            case "==":
                return low == high == atom.number
        return not self.has(atom.x, atom.number)

    def numbers(self, x: int) -> Sequence[int]:
        return self.within.get(x, self.initial[x])

    def ends(self, x: int) -> tuple[int, int]:
        """Return the least and the greatest number of a variable."""
        numbers = self.numbers(x)
        return numbers[0], numbers[-1]

    def values(self, x: int) -> list[int]:
        """Return the numbers of a variable."""
        holes = self.holes.get(x, ())
        return [n for n in self.numbers(x) if n not in holes]

    def has(self, x: int, n: int) -> bool:
        """Return True if a variable may take a number."""
        numbers = self.numbers(x)
        at = bisect_left(numbers, n)
        return at < len(numbers) and numbers[at] == n and n not in self.holes.get(x, ())
