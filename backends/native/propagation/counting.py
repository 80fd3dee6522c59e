"""Propagators of Count, Cardinality and NValues: the number counted lies between a least and a greatest count.

counts  the counts between these bounds that some number of the bound's domain allows
"""

from collections.abc import Iterable, Iterator
from functools import reduce
from operator import or_

from backends.native.propagation.comparing import COMPARED
from backends.native.propagation.linear import linear_row
from backends.native.propagation.store import Mask, Propagator, Scale, Store, keep_all, watching
from puzzles.constraints.cardinality import Cardinality
from puzzles.constraints.count import Count
from puzzles.constraints.nvalues import NValues

Row = tuple[tuple[int, ...], Mask, str, int]  # variables, mask of the numbers, comparison, bound


def count(constraint: Count, scale: Scale) -> Iterator[Propagator]:
    for variables, numbers, comparison, bound in constraint.rows:
        yield watching(propagate_count, (variables, scale.among(numbers), comparison, bound), (*variables, bound))


def cardinality(constraint: Cardinality, scale: Scale) -> Iterator[Propagator]:
    """Yield a count for each number, and for closed rows a sum: all counts add up to the number of variables."""
    for variables, numbers, occurrences, closed in constraint.rows:
        for n, bound in zip(numbers, occurrences, strict=True):
            yield watching(propagate_count, (variables, scale.just(n), "=", bound), (*variables, bound))
        if closed:
            yield Propagator(keep_all, (variables, scale.among(numbers)), ())
            if len(set(numbers)) == len(numbers):
                yield from linear_row([(1, x) for x in occurrences], "=", len(variables))


def n_values(constraint: NValues, scale: Scale) -> Iterator[Propagator]:
    for variables, excepted, comparison, bound in constraint.rows:
        row = variables, scale.among(excepted), comparison, bound
        yield watching(propagate_n_values, row, (*variables, bound))


def propagate_count(store: Store, row: Row) -> bool:
    variables, mask, comparison, bound = row
    can = [x for x in variables if store.domains[x] & mask]
    must = sum(not store.domains[x] & ~mask for x in can)
    counts = allowed_counts(store, range(must, len(can) + 1), comparison, bound)
    if not counts:
        return False
    if counts[-1] == must:  # no more
        return all(store.keep(x, ~mask) for x in can if store.domains[x] & ~mask)
    if counts[0] == len(can):  # all of them
        return all(store.keep(x, mask) for x in can)
    return True


def allowed_counts(store: Store, known: Iterable[int], comparison: str, bound: int) -> list[int]:
    """Narrow the bound to numbers that one of the known counts allows. Returns those still possible, in order."""
    partners = {k: COMPARED[comparison](store.scale, k) for k in known}
    counts = [k for k, mask in partners.items() if mask & store.domains[bound]]
    allowed = reduce(or_, (partners[k] for k in counts), 0)
    return counts if store.keep(bound, allowed) else []


def propagate_n_values(store: Store, row: Row) -> bool:
    """Compare the number of distinct values; if no further value fits, remove all others."""
    variables, excepted, comparison, bound = row
    taken = possible = counted = 0
    for x in variables:
        d = store.domains[x] & ~excepted
        possible |= d
        counted += d != 0
        if d and store.decided(x):
            taken |= d
    least = taken.bit_count()
    counts = allowed_counts(store, range(least, min(possible.bit_count(), counted) + 1), comparison, bound)
    if counts and counts[-1] == least:
        return all(store.keep(x, taken | excepted) for x in variables)
    return bool(counts)
