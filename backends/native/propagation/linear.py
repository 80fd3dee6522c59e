"""Propagators of linear constraints: bounds of each term from the bounds of the others."""

from collections.abc import Iterable, Iterator

from backends.native.propagation.store import Propagator, Scale, Store, watching
from puzzles.constraints.linear import Linear, merged

Terms = list[tuple[int, int]]  # coefficient, which is not 0, and variable, each variable once


def linear(constraint: Linear, scale: Scale) -> Iterator[Propagator]:
    for coefficients, variables, comparison, bound in constraint.rows:
        yield from linear_row(zip(coefficients, variables, strict=True), comparison, bound)


def linear_row(given: Iterable[tuple[int, int]], comparison: str, bound: int) -> Iterator[Propagator]:
    """Yield the propagators of a row, with the terms of a repeated variable added up."""
    xs = merged(given)
    terms = [(a, x) for x, a in xs.items()]
    if comparison == "!=":
        yield watching(propagate_not_equal, (terms, bound), xs)
    if comparison in ("<=", "="):
        yield watching(propagate_at_most, (terms, bound), xs)
    if comparison in (">=", "="):
        yield watching(propagate_at_most, ([(-a, x) for a, x in terms], -bound), xs)


def propagate_at_most(store: Store, row: tuple[Terms, int]) -> bool:
    """Bound each term by what the least values of all other terms leave of the bound."""
    terms, bound = row
    slack = bound - sum(a * (store.low(x) if a > 0 else store.high(x)) for a, x in terms)
    if slack < 0:
        return False
    for a, x in terms:
        if a > 0:
            kept = store.keep(x, store.scale.at_most(store.low(x) + slack // a))
        else:
            kept = store.keep(x, store.scale.at_least(store.high(x) - slack // -a))
        if not kept:
            return False
    return True


def propagate_not_equal(store: Store, row: tuple[Terms, int]) -> bool:
    """Remove the one value of the last open variable that makes the sum equal to the bound."""
    terms, bound = row
    undecided = [(a, x) for a, x in terms if not store.decided(x)]
    if len(undecided) > 1:
        return True
    rest = bound - sum(a * store.low(x) for a, x in terms if store.decided(x))
    if not undecided:
        return rest != 0
    a, x = undecided[0]
    return bool(rest % a) or store.keep(x, ~store.scale.just(rest // a))
