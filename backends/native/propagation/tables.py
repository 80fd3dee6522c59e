"""Propagators of tables and automata. As a domain is an integer, so is a set of tuples: bit t is tuple t."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import and_, or_

import numpy as np

from backends.native.propagation.store import ALL, Mask, Propagator, Scale, Store, watching
from puzzles.constraints.automaton import Automaton
from puzzles.constraints.table import STAR, Table
from puzzles.problem.arrays import Int64Array


@dataclass(frozen=True)
class TupleColumn:
    """Tuples of a table by their number at one position; `starred` are tuples with any number there."""

    named: Mapping[int, int]
    starred: int

    def having(self, n: int) -> int:
        """Return the tuples with this number."""
        return self.named.get(n, self.starred)

    def within(self, numbers: Iterable[int]) -> int:
        """Return the tuples with one of these numbers."""
        return reduce(or_, map(self.having, numbers), self.starred)


def columns_of(rows: Int64Array, scale: Scale) -> list[TupleColumn]:
    columns = []
    for column in rows.T:
        stars = column == STAR
        named = {n: as_bits(stars | (column == n)) for n in np.unique(column).tolist() if scale.just(n)}
        columns.append(TupleColumn(named, as_bits(stars)))
    return columns


def as_bits(flags: "np.ndarray[tuple[int], np.dtype[np.bool_]]") -> int:
    return int.from_bytes(np.packbits(flags, bitorder="little").tobytes(), "little")


def table(constraint: Table, scale: Scale) -> Iterator[Propagator]:
    columns = columns_of(constraint.rows, scale) if constraint.scopes else []
    run = propagate_tuples if constraint.positive else propagate_conflicts
    for scope in constraint.scopes:
        yield watching(run, (scope, columns), scope)


def tuples_within(store: Store, scope: Sequence[int], columns: Sequence[TupleColumn]) -> int:
    """Return the tuples whose values are all in the domains."""
    return reduce(and_, (column.within(store.numbers(x)) for x, column in zip(scope, columns, strict=True)), ALL)


def propagate_tuples(store: Store, row: tuple[Sequence[int], Sequence[TupleColumn]]) -> bool:
    """Keep the values with a tuple whose values are all in the domains (Demeulenaere et al., Compact-Table, 2016)."""
    scope, columns = row
    alive = tuples_within(store, scope, columns)
    for x, column in zip(scope, columns, strict=True):
        if not store.keep(x, store.scale.among(n for n in store.numbers(x) if column.having(n) & alive)):
            return False
    return True


def propagate_conflicts(store: Store, row: tuple[Sequence[int], Sequence[TupleColumn]]) -> bool:
    """Once a single variable is open, remove its values that complete a forbidden tuple."""
    scope, columns = row
    undecided = {x for x in scope if not store.decided(x)}
    if len(undecided) > 1:
        return True
    alive = tuples_within(store, scope, columns)
    if not undecided:
        return not alive
    last = undecided.pop()
    own = [column for x, column in zip(scope, columns, strict=True) if x == last]
    forbidden = (n for n in store.numbers(last) if reduce(and_, (c.having(n) for c in own), alive))
    return store.keep(last, ~store.scale.among(forbidden))


def automaton(constraint: Automaton, scale: Scale) -> Iterator[Propagator]:
    moves: dict[int, list[tuple[Mask, int]]] = {}
    for state, n, following in constraint.transitions:
        if mask := scale.just(n):
            moves.setdefault(state, []).append((mask, following))
    for scope in constraint.scopes:
        row = scope, moves, constraint.start, frozenset(constraint.finals)
        yield watching(propagate_automaton, row, scope)


def propagate_automaton(
    store: Store, row: tuple[Sequence[int], Mapping[int, list[tuple[Mask, int]]], int, frozenset[int]]
) -> bool:
    """Keep the values of moves that are reached from the start and lead to a final state (Pesant, 2004)."""
    scope, moves, start, finals = row
    layers = [{start}]
    for x in scope:
        d = store.domains[x]
        layers.append({b for a in layers[-1] for mask, b in moves.get(a, ()) if d & mask})
    alive = layers.pop() & finals
    for x in reversed(scope):
        d, kept, before = store.domains[x], store.scale.none, set()
        for a in layers.pop():
            for mask, b in moves.get(a, ()):
                if d & mask and b in alive:
                    kept |= mask
                    before.add(a)
        if not store.keep(x, kept):
            return False
        alive = before
    return bool(alive)
