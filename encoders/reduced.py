"""`extended` after propagation of the givens: only open squares are encoded (after Kwon & Jain 2006).

The candidate of a decided square is removed from its peers until nothing changes. Decided candidates have no variables
of their own: literal 1, which a unit clause makes true, stands for "placed", and -1 for "not placed". The remaining
groups are shorter, so every at-most-one encoding is smaller too. It uses the domains, so its time is counted for each
puzzle.

    masks    the candidates of each square, after propagation
    open     bool[squares, values], candidates of squares that have several; fixed: of squares that have one
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from encoders.at_most_one import AtMostOne, pairwise
from encoders.cnf import distinct_pairs, flatten, overfull, stamp_all, unit_groups, units_by_length
from encoders.formula import Cnf, Int32Array
from puzzles.boards.layout import Layout
from puzzles.problem.columns import pack
from puzzles.problem.values import Domains

BoolArray = npt.NDArray[np.bool_]


class EqualUnits(NamedTuple):
    """Units of one length."""

    squares: npt.NDArray[np.intp]  # [units, length]
    permutation: bool  # as many squares as values


@lru_cache(maxsize=8)
def units_of(layout: Layout) -> tuple[EqualUnits, ...]:
    """Return the units of a layout as arrays, cached for all puzzles on it."""
    return tuple(EqualUnits(u, u.shape[1] == len(layout.values)) for u in units_by_length(layout.units))


def propagate(layout: Layout, domains: Domains) -> list[int] | None:
    """Return the candidates left after removing decided values from peers; None if a square has none."""
    masks = list(domains)
    decided = [s for s, mask in enumerate(masks) if mask and not mask & (mask - 1)]
    peers = layout.peers
    while decided:
        s = decided.pop()
        bit = masks[s]
        for p in peers[s]:
            if masks[p] & bit:
                left = masks[p] = masks[p] & ~bit
                if not left:
                    return None
                if not left & (left - 1):
                    decided.append(p)
    return masks if all(masks) else None


def candidates(layout: Layout, masks: list[int]) -> BoolArray:
    """Return the masks as bool[squares, values]."""
    words = pack(layout, [tuple(masks)])[0]
    spread = np.unpackbits(words.astype("<u8").view(np.uint8), axis=1, bitorder="little", count=len(layout.values))
    return spread.astype(np.bool_)


def by_length(literals: Int32Array, open_: BoolArray) -> Iterator[Int32Array]:
    """Yield the open literals of each row, grouped by their number n >= 1: int32[rows, n]."""
    many = open_.sum(axis=1)
    for length in np.unique(many[many > 0]).tolist():
        rows = many == length
        yield literals[rows][open_[rows]].reshape(-1, length)


def contradiction(layout: Layout) -> Cnf:
    """Return the formula of a puzzle that propagation refutes."""
    literal = ((-1,) * len(layout.values),) * len(layout.squares)
    return Cnf(np.array([1, 0, -1, 0], np.int32), 1, literal)


def reduced(layout: Layout, domains: Domains, at_most_one: AtMostOne = pairwise) -> Cnf:
    """`extended` over the candidates that the givens leave open (Kwon & Jain 2006)."""
    masks = propagate(layout, domains)
    if masks is None or overfull(layout):
        return contradiction(layout)
    possible = candidates(layout, masks)
    single = possible.sum(axis=1) == 1
    open_, fixed = possible & ~single[:, None], possible & single[:, None]
    literals = np.where(fixed, 1, -1).astype(np.int32)
    literals[open_] = np.arange(2, 2 + open_.sum(), dtype=np.int32)
    clauses = list(by_length(literals, open_))
    groups = list(clauses)
    for units in units_of(layout):
        rows = unit_groups(literals, units.squares)
        still = open_[units.squares].transpose(0, 2, 1).reshape(rows.shape)
        still_open = list(by_length(rows, still))  # no row of a placed value: propagation has closed its other squares
        groups += still_open
        if units.permutation:
            if not (fixed[units.squares].any(axis=1).ravel() | still.any(axis=1)).all():
                return contradiction(layout)
            clauses += still_open
    return assemble(literals, clauses, [g for g in groups if g.shape[1] > 1], at_most_one)


def assemble(literals: Int32Array, clauses: list[Int32Array], groups: list[Int32Array], one: AtMostOne) -> Cnf:
    """Return a formula of clauses, and of groups in which at most one literal may be true."""
    stamped, at_most, variables = stamp_all(groups, one, int(literals.max(initial=1)))
    true = np.ones((1, 1), np.int32)
    flat = flatten([true, *clauses, *distinct_pairs(stamped)])
    return Cnf(flat, variables, tuple(map(tuple, literals.tolist())), at_most)
