"""Propagators of NoOverlap: two boxes with one way left to be apart are put apart so."""

from collections.abc import Iterator
from itertools import combinations

from backends.native.propagation.scheduling import propagate_not_negative
from backends.native.propagation.store import Propagator, Scale, Store, watching
from puzzles.constraints.no_overlap import Box, NoOverlap

Pair = tuple[Box, Box, Box, Box, bool]  # origin and lengths of one box, of another, and: boxes without size are ignored
Way = tuple[int, int, int]  # a start, a length, and the start that comes after both


def no_overlap(constraint: NoOverlap, scale: Scale) -> Iterator[Propagator]:
    for origins, lengths, ignored in constraint.rows:
        yield Propagator(propagate_not_negative, [x for box in lengths for x in box], ())
        for (a, long_a), (b, long_b) in combinations(zip(origins, lengths, strict=True), 2):
            yield watching(propagate_pair, (a, long_a, b, long_b, ignored), (*a, *long_a, *b, *long_b))


def propagate_pair(store: Store, pair: Pair) -> bool:
    a, long_a, b, long_b, ignored = pair
    ways: list[Way] = []
    for x, size, y, other in zip(a, long_a, b, long_b, strict=True):
        ways += [
            way for way in ((x, size, y), (y, other, x)) if store.low(way[0]) + store.low(way[1]) <= store.high(way[2])
        ]
    empty = [x for x in dict.fromkeys((*long_a, *long_b)) if store.low(x) <= 0] if ignored else []
    if len(ways) + len(empty) != 1:
        return bool(ways or empty)
    return store.keep(empty[0], store.scale.just(0)) if empty else before(store, *ways[0])


def before(store: Store, x: int, length: int, y: int) -> bool:
    """Require x + length <= y."""
    scale = store.scale
    return (
        store.keep(y, scale.at_least(store.low(x) + store.low(length)))
        and store.keep(x, scale.at_most(store.high(y) - store.low(length)))
        and store.keep(length, scale.at_most(store.high(y) - store.low(x)))
    )
