"""Propagators of Element and Lex."""

from collections.abc import Iterator, Sequence

from backends.native.propagation.store import Propagator, Scale, Store, watching
from puzzles.constraints.element import Element
from puzzles.constraints.lex import Lex
from puzzles.problem.values import bits

Variables = tuple[int, ...]


def element(constraint: Element, scale: Scale) -> Iterator[Propagator]:
    for row in constraint.rows:
        items, index, _, value = row
        yield watching(propagate_element, row, (*items, index, value))


def propagate_element(store: Store, row: tuple[Variables, int, int, int]) -> bool:
    """Keep the positions whose item shares a number with the value, and the numbers of these items."""
    items, index, start, value = row
    positions = shared = 0
    for v in bits(store.domains[index]):
        at = store.scale.numbers[v] - start
        if 0 <= at < len(items) and (common := store.domains[items[at]] & store.domains[value]):
            positions |= 1 << v
            shared |= common
    if not store.keep(index, positions) or not store.keep(value, shared):
        return False
    if not store.decided(index):
        return True
    return store.keep(items[store.low(index) - start], store.domains[value])


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
        apart = int(least > most or (strict and least == most))
        return store.keep(x, scale.at_most(store.high(y) - apart)) and store.keep(
            y, scale.at_least(store.low(x) + apart)
        )
    return not strict
