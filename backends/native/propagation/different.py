"""Propagators of all-different units and of clauses."""

from collections.abc import Iterable, Iterator

from backends.native.propagation.store import Mask, Propagator, Scale, Store, watching
from puzzles.constraints.all_different import AllDifferent
from puzzles.constraints.clauses import Clauses


def all_different(constraint: AllDifferent, scale: Scale) -> Iterator[Propagator]:
    for unit in constraint.units:
        yield watching(propagate_unit, unit, unit)


def propagate_unit(store: Store, unit: tuple[int, ...]) -> bool:
    """Remove decided values from the others; where a unit needs all values, place those with one variable left."""
    decided = once = twice = 0
    for x in unit:
        d = store.domains[x]
        twice |= once & d
        once |= d
        if store.decided(x):
            if decided & d:
                return False
            decided |= d
    if once.bit_count() < len(unit):
        return False
    single = once & ~twice if once.bit_count() == len(unit) else 0  # values with one variable left, all of them needed
    for x in unit:
        d = store.domains[x]
        if not store.decided(x) and not store.keep(x, d & single or ~decided):
            return False
        if (d & single).bit_count() > 1:
            return False
    return True


def clauses(constraint: Clauses, scale: Scale) -> Iterator[Propagator]:
    """Yield a propagator for each clause; it runs again when a literal becomes false."""
    for clause in constraint.rows:
        row = literals_of(clause, scale)
        yield Propagator(propagate_clause, row, row)


def literals_of(clause: Iterable[int], scale: Scale) -> list[tuple[int, Mask]]:
    """Return the variable of each literal, and the mask of the values that make it true."""
    true = scale.just(1)
    return [(abs(p) - 1, true if p > 0 else scale.full & ~true) for p in clause]


def propagate_clause(store: Store, clause: list[tuple[int, Mask]]) -> bool:
    """Make the last literal of a clause true. A literal is a variable and the values that make it true."""
    last = None
    for x, mask in clause:
        d = store.domains[x]
        if d & mask:
            if not d & ~mask or last not in (None, (x, mask)):
                return True  # true already, or two literals are open
            last = x, mask
    return last is not None and store.keep(*last)
