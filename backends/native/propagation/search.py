"""Propagation to the fixpoint, and depth-first search on copies of the domains."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from backends.native.budget import Budget
from backends.native.propagation.store import Propagator, Scale, Store
from puzzles.problem import Domains, Solution


class Model(NamedTuple):
    """A problem as propagators, for any domains."""

    scale: Scale
    propagators: Sequence[Propagator]


def search(model: Model, given: Domains, budget: Budget) -> Iterator[Solution]:
    """Yield all solutions, depth first, until the budget is used up."""
    store = Store(model.scale, model.propagators, given)
    if not all(given) or not propagate(store, budget):
        return
    order = sorted(range(len(given)), key=lambda x: -len(store.watchers[x]))  # most constrained first
    stack: list[tuple[list[int], int, int]] = []  # domains before the branching, its variable, untried values
    while True:
        x = smallest_domain(store.domains, order)
        if x is None:
            yield tuple([d.bit_length() - 1 for d in store.domains])
        else:
            stack.append((store.domains, x, store.domains[x]))
            budget.add_branches(store.domains[x].bit_count())
        while stack:
            before, x, untried = stack.pop()
            if not budget.enter_branch():
                return
            v = untried & -untried
            if untried != v:
                stack.append((before, x, untried ^ v))
            store.domains = before.copy()
            store.keep(x, v)
            if propagate(store, budget):
                break
            if budget.exhausted:
                return
            budget.conflicts += 1
        else:
            return


def smallest_domain(domains: Sequence[int], order: Sequence[int]) -> int | None:
    """Return the first undecided variable of `order` with fewest values; None if every variable is decided."""
    best, size = None, 0
    for x in order:
        d = domains[x]
        if d & (d - 1):
            n = d.bit_count()
            if n == 2:
                return x
            if not size or n < size:
                best, size = x, n
    return best


def propagate(store: Store, budget: Budget) -> bool:
    """Run propagators until none is waiting. False on a contradiction, or if the time is used up."""
    sound = True
    while sound and store.queue:
        propagator = store.next_propagator()
        sound = not budget.out_of_time() and propagator.run(store, propagator.row)
    store.forget_queue()
    budget.propagations += store.removed
    store.removed = 0
    return sound
