"""Propagators of Element, MinMax and Lex."""

from collections.abc import Iterator, Sequence
from functools import reduce
from operator import or_

from backends.native.propagation.comparing import MIRRORED, partners
from backends.native.propagation.store import Propagator, Scale, Store, watching
from puzzles.constraints.element import Element
from puzzles.constraints.lex import Lex
from puzzles.constraints.minmax import MinMax

Variables = tuple[int, ...]


def element(constraint: Element, scale: Scale) -> Iterator[Propagator]:
    for row in constraint.rows:
        items, index, _, value = row
        yield watching(propagate_element, row, (*items, index, value))


def propagate_element(store: Store, row: tuple[Variables, int, int, int]) -> bool:
    """Keep the positions whose item shares a number with the value, and the numbers of these items."""
    items, index, start, value = row
    positions = shared = store.scale.none
    for n, item in enumerate(items, start):
        at = store.scale.just(n) & store.domains[index]
        if at and (common := store.domains[item] & store.domains[value]):
            positions |= at
            shared |= common
    if not store.keep(index, positions) or not store.keep(value, shared):
        return False
    if not store.decided(index):
        return True
    return store.keep(items[store.low(index) - start], store.domains[value])


def min_max(constraint: MinMax, scale: Scale) -> Iterator[Propagator]:
    for row in constraint.rows:
        _, variables, _, bound = row
        yield watching(propagate_min_max, row, (*variables, bound))


def propagate_min_max(store: Store, row: tuple[str, Variables, str, int]) -> bool:
    """Compare the extreme: it is a number of some variable, between the extremes of all bounds."""
    which, variables, comparison, bound = row
    scale, pick = store.scale, min if which == "minimum" else max
    least, most = pick(map(store.low, variables)), pick(map(store.high, variables))
    extremes = scale.at_least(least) & scale.at_most(most)
    extremes &= partners(scale, store.domains[bound], MIRRORED[comparison])
    extremes &= reduce(or_, (store.domains[x] for x in variables))
    if not extremes or not store.keep(bound, partners(scale, extremes, comparison)):
        return False
    ends = scale.at_least(scale.low(extremes)), scale.at_most(scale.high(extremes))
    inside, reaching = ends if which == "minimum" else ends[::-1]
    if not all(store.keep(x, inside) for x in variables):
        return False
    able = [x for x in variables if store.domains[x] & reaching]
    return bool(able) and (len(able) > 1 or store.keep(able[0], extremes))


def lex(constraint: Lex, scale: Scale) -> Iterator[Propagator]:
    """Yield a propagator for each row, written as left < right or left <= right."""
    for left, right, comparison in constraint.rows:
        if comparison in (">", ">="):
            left, right = right, left
        yield watching(propagate_lex, (left, right, comparison in ("<", ">")), (*left, *right))


def propagate_lex(store: Store, row: tuple[Sequence[int], Sequence[int], bool]) -> bool:
    """Order the first pair that is not decided and equal; strictly if the rest can't be in order."""
    left, right, strict = row
    scale = store.scale
    for i, (x, y) in enumerate(zip(left, right, strict=True)):
        if x == y or (store.decided(x) and store.domains[x] == store.domains[y]):
            continue
        least = [store.low(z) for z in left[i + 1 :]]
        most = [store.high(z) for z in right[i + 1 :]]
        comparison = "<" if least > most or (strict and least == most) else "<="
        sound = store.keep(x, partners(scale, store.domains[y], MIRRORED[comparison]))
        return sound and store.keep(y, partners(scale, store.domains[x], comparison))
    return not strict
