"""Encodings of a layout as clauses: one pure function per encoding, named as in the literature.

Each is a choice of clause families:

                       square >= 1   square <= 1   value <= 1   value >= 1
    minimal                 x        where needed       x
    efficient               x             x             x
    extended                x             x             x         where valid

    square >= 1   every square takes a value
    square <= 1   no square takes two values
    value <= 1    no unit holds a value twice
    value >= 1    every unit holds every value: valid only if a unit has as many squares as values; if it has more, it
                  has no solution, which clause learning would take exponential time to find (a pigeonhole)

`minimal` omits "square <= 1" for squares in a unit with as many squares as values, where counting implies it; elsewhere
it is required. Sources: Lynce & Ouaknine 2006 (minimal, extended), Weber 2005 (efficient), Kwon &
Jain 2006 (all three compared). Every encoding has, projected onto the squares, one model per solution.

    literal of square s and value v: 1 + s * values + v; auxiliary variables follow
    grid    int32[squares, values], those literals
    group   literals of which at most one may be true
"""

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from encoders.at_most_one import AtMostOne, pairwise
from encoders.formula import Cnf, Int32Array
from puzzles.boards.layout import Layout
from puzzles.problem.values import WORD, Domains

CONTRADICTION = np.array([[1], [-1]], dtype=np.int32)


@dataclass(frozen=True)
class Signs(Sequence[tuple[int, int]]):
    """Literals of Boolean variables with values false and true: item x is (-(x + 1), x + 1)."""

    variables: int

    def __len__(self) -> int:
        return self.variables

    @overload
    def __getitem__(self, x: int) -> tuple[int, int]: ...
    @overload
    def __getitem__(self, x: slice) -> tuple[tuple[int, int], ...]: ...
    def __getitem__(self, x: int | slice) -> tuple[int, int] | tuple[tuple[int, int], ...]:
        at = range(1, self.variables + 1)[x]
        return (-at, at) if isinstance(at, int) else tuple((-k, k) for k in at)

    def __iter__(self) -> Iterator[tuple[int, int]]:
        return zip(range(-1, -self.variables - 1, -1), range(1, self.variables + 1), strict=True)


class BitTable(Sequence[tuple[int, ...]]):
    """Literals of the bits of each variable, least first: its value index less `first`, that of its least number."""

    def __init__(self, domains: Domains, literals: tuple[tuple[int, ...], ...]) -> None:
        self.domains, self.bits = domains, literals
        self.first = tuple(domain & WORD for domain in domains)

    @overload
    def __getitem__(self, x: int) -> tuple[int, ...]: ...
    @overload
    def __getitem__(self, x: slice) -> tuple[tuple[int, ...], ...]: ...
    def __getitem__(self, x: int | slice) -> tuple[Any, ...]:
        return self.bits[x]

    def __len__(self) -> int:
        return len(self.bits)

    def stated(self, solution: Sequence[int]) -> list[int]:
        """Return the literals that state a solution."""
        rows = zip(self.bits, self.first, solution, strict=True)
        return [k if v - first >> i & 1 else -k for row, first, v in rows for i, k in enumerate(row)]

    def index_of(self, x: int, true: Container[int]) -> int:
        """Return the value index of a variable where these literals are true."""
        return self.first[x] + sum(1 << i for i, k in enumerate(self.bits[x]) if k in true)


def grid(layout: Layout) -> Int32Array:
    """Return the literal of each square and value."""
    squares, values = len(layout.squares), len(layout.values)
    return np.arange(1, squares * values + 1, dtype=np.int32).reshape(squares, values)


def units_by_length(units: Iterable[tuple[int, ...]]) -> Iterator[npt.NDArray[np.intp]]:
    """Yield distinct units of two or more squares, as one array per length."""
    distinct = dict.fromkeys(tuple(sorted(unit)) for unit in units if len(unit) > 1)
    for length in dict.fromkeys(map(len, distinct)):
        yield np.array([u for u in distinct if len(u) == length], dtype=np.intp)


def unit_groups(literals: Int32Array, units: npt.NDArray[np.intp]) -> Int32Array:
    """Return for each unit and value the literals of its squares: int32[units * values, length]."""
    return np.concatenate(literals[units].transpose(0, 2, 1))


def stamp(groups: Int32Array, one: AtMostOne, free: int) -> tuple[list[Int32Array], int]:
    """Instantiate the pattern of `one` for every group, as arrays of clauses of equal length.

    `free` is the first free variable; the first one still free is returned too.
    """
    count, length = groups.shape
    auxiliaries, patterns = pattern_arrays(one, length)
    local = groups
    if auxiliaries:
        extra = np.arange(free, free + count * auxiliaries, dtype=np.int32).reshape(count, auxiliaries)
        local = np.hstack([groups, extra]).astype(np.int32)
    blocks = [(local[:, at] * sign).reshape(-1, at.shape[1]) for at, sign in patterns]
    return blocks, free + count * auxiliaries


@lru_cache(maxsize=256)
def pattern_arrays(one: AtMostOne, length: int) -> tuple[int, list[tuple[npt.NDArray[np.intp], Int32Array]]]:
    """Return the number of auxiliary variables of a pattern, and its clauses by width: columns and signs."""
    pattern = one(length)
    arrays = []
    for width in dict.fromkeys(map(len, pattern.clauses)):
        wanted = np.array([c for c in pattern.clauses if len(c) == width], dtype=np.int32)
        arrays.append((np.abs(wanted).astype(np.intp) - 1, np.sign(wanted)))
    return pattern.auxiliaries, arrays


def stamp_all(
    groups: Iterable[Int32Array], one: AtMostOne, variables: int
) -> tuple[list[Int32Array], tuple[tuple[tuple[int, ...], int], ...], int]:
    """Allow at most one literal of each row of each array to be true.

    Returns clauses, cardinality constraints and the number of variables in use, which was `variables` before.
    """
    at_most: list[tuple[tuple[int, ...], int]] = []
    stamped: list[Int32Array] = []
    for group in groups:
        if one(group.shape[1]).native:
            at_most += [(tuple(row), 1) for row in group.tolist()]
        blocks, free = stamp(group, one, variables + 1)
        stamped += blocks
        variables = free - 1
    return stamped, tuple(at_most), variables


def distinct_pairs(blocks: list[Int32Array]) -> list[Int32Array]:
    """Remove duplicate clauses of two literals: units that share two squares produce them."""
    of_two = [b for b in blocks if b.shape[1] == 2 and len(b)]
    if not of_two:
        return blocks
    pairs = np.vstack(of_two).astype(np.int64)
    variables = np.abs(pairs).max()
    low, high = pairs.min(axis=1) + variables, pairs.max(axis=1) + variables
    base = 2 * variables + 1
    keys = np.sort(low * base + high)  # np.unique hashes, which is far slower on these keys
    low, high = np.divmod(keys[np.append(True, keys[1:] != keys[:-1])], base)
    once = (np.stack([low, high], axis=1) - variables).astype(np.int32)
    return [once, *(b for b in blocks if b.shape[1] != 2)]


def flatten(blocks: Iterable[Int32Array]) -> Int32Array:
    """Return all clauses in one array, each ended by 0."""
    blocks = list(blocks)
    flat, end = np.zeros(sum(b.size + len(b) for b in blocks), np.int32), 0
    for b in blocks:
        start, end = end, end + b.size + len(b)
        flat[start:end].reshape(len(b), b.shape[1] + 1)[:, :-1] = b
    return flat


def overfull(layout: Layout) -> bool:
    """Return True if a unit has more squares than values."""
    return any(len(set(unit)) > len(layout.values) for unit in layout.units)


def in_permutation(layout: Layout) -> npt.NDArray[np.bool_]:
    """Return bool[squares]: True if the square is in a unit with as many squares as values."""
    covered = np.zeros(len(layout.squares), dtype=np.bool_)
    for unit in layout.units:
        if layout.is_permutation(unit):
            covered[list(unit)] = True
    return covered


def encode(layout: Layout, one: AtMostOne, square_once: npt.NDArray[np.bool_], every_value: bool) -> Cnf:
    """Combine the clause families into a formula.

    `square_once` selects the squares that get "square <= 1"; `every_value` adds "value >= 1".
    """
    literals = grid(layout)
    groups = [literals[square_once]] if len(layout.values) > 1 else []
    groups += [unit_groups(literals, units) for units in units_by_length(layout.units)]
    stamped, at_most, variables = stamp_all(groups, one, literals.size)
    clauses = [literals, *distinct_pairs(stamped)]
    if every_value:
        permutations = [unit for unit in layout.units if layout.is_permutation(unit)]
        clauses += [unit_groups(literals, units) for units in units_by_length(permutations)]
        clauses += [CONTRADICTION] * overfull(layout)
    return Cnf(flatten(clauses), variables, tuple(map(tuple, literals.tolist())), at_most)


def minimal(layout: Layout, at_most_one: AtMostOne = pairwise) -> Cnf:
    """A value in each square, no value twice in a unit, nothing redundant (Lynce & Ouaknine 2006)."""
    return encode(layout, at_most_one, ~in_permutation(layout), every_value=False)


def efficient(layout: Layout, at_most_one: AtMostOne = pairwise) -> Cnf:
    """`minimal`, and no two values in a square (Weber 2005)."""
    return encode(layout, at_most_one, np.ones(len(layout.squares), np.bool_), every_value=False)


def extended(layout: Layout, at_most_one: AtMostOne = pairwise) -> Cnf:
    """`efficient`, and a square for each value in units with as many squares (Lynce & Ouaknine 2006)."""
    return encode(layout, at_most_one, np.ones(len(layout.squares), np.bool_), every_value=True)
