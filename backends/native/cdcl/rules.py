"""Rules of the solver beside clauses: groups with at most one true literal, and sums of chains.

    chain   literals, each of which implies the one before it: [x >= 2], [x >= 3], ... or the one literal of a Boolean
    weight  of a literal in a sum: what its chain adds if this is the last true literal, so weights rise along a chain
    row     a sum: the weights of its chains, together, are at least its bound

The implications in a chain are clauses of the formula. A Boolean sum is a sum of chains of one literal each.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from puzzles.problem.arrays import Int32Array, Int64Array

LARGEST_SUM = 1 << 61  # greatest sum of a row's weights and bound, so that the kernels never overflow


class Groups(NamedTuple):
    """At most one literal of each group is true; the literals of group g are members[starts[g] : starts[g + 1]]."""

    starts: Int32Array
    members: Int32Array


class Sums(NamedTuple):
    """All rows; the chains of a row are in order of falling last weight.

    rows    row r has the chains rows[r] : rows[r + 1]
    chains  chain t has the literals chains[t] : chains[t + 1]
    literals, weights  of all chains, one after the other
    whole   per row, the sum of its last weights minus its bound: what it can lose while all literals are open
    """

    rows: Int32Array
    chains: Int32Array
    literals: Int32Array
    weights: Int64Array
    whole: Int64Array


START, EMPTY, EMPTY64 = np.zeros(1, np.int32), np.zeros(0, np.int32), np.zeros(0, np.int64)
NO_GROUPS = Groups(START, EMPTY)
NO_SUMS = Sums(START, START, EMPTY, EMPTY64, EMPTY64)


class ClausesAndRules(NamedTuple):
    """Input of a solver: clauses of DIMACS literals, each ended by 0, over variables from 1, and rules."""

    clauses: Int32Array
    variables: int
    groups: Groups = NO_GROUPS
    sums: Sums = NO_SUMS


class Index(NamedTuple):
    """Items by literal: those of literal p are items[starts[p] : starts[p + 1]]."""

    starts: Int32Array
    items: Int64Array


def index(literals: Int32Array, items: Int64Array, count: int) -> Index:
    """Return the items of each of `count` literals, in the given order."""
    starts = np.zeros(count + 1, np.int32)
    np.cumsum(np.bincount(literals, minlength=count), out=starts[1:])
    return Index(starts, items[np.argsort(literals, kind="stable")])


def groups_by_literal(groups: Groups, count: int) -> Index:
    """Return the groups of each literal."""
    sizes = np.diff(groups.starts)
    return index(groups.members, np.repeat(np.arange(len(sizes)), sizes), count)


def losses_by_literal(sums: Sums, count: int) -> tuple[Index, Int64Array]:
    """Return for each literal the rows that lose weight once it is false, and the loss of each row."""
    lengths = np.diff(sums.chains)
    row_of_chain = np.repeat(np.arange(len(sums.rows) - 1), np.diff(sums.rows))
    before = np.concatenate([np.zeros(1, np.int64), sums.weights[:-1]])[: len(sums.weights)]
    before[sums.chains[:-1]] = 0
    rows = index(sums.literals, np.repeat(row_of_chain, lengths), count)
    return rows, index(sums.literals, sums.weights - before, count).items


def internal(literals: npt.NDArray[np.integer]) -> Int32Array:
    """Return DIMACS literals as the solver numbers them."""
    numbered: Int32Array = (2 * np.abs(literals) - 2 + (literals < 0)).astype(np.int32)
    return numbered


def external(literals: npt.NDArray[np.integer]) -> npt.NDArray[np.integer]:
    """Return literals of the solver as DIMACS literals."""
    return np.where(literals & 1, -(literals >> 1) - 1, (literals >> 1) + 1)
