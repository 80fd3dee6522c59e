"""Propagation to the fixpoint, and depth-first search on copies of the domains."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from backends.native.budget import Budget
from backends.native.propagation.store import Mask, Propagator, Scale, Store
from puzzles.problem.values import Domains, Solution

Assign = Callable[[list[Any], int, Any], bool]  # narrows a variable and propagates, in place; False: contradiction


class PropagatorModel(NamedTuple):
    """A problem as propagators, for any domains; the propagators at the indices `always` run after each branching."""

    scale: Scale
    propagators: Sequence[Propagator]
    always: Sequence[int] = ()


def search(model: PropagatorModel, given: Domains, budget: Budget) -> Iterator[Solution]:
    """Yield all solutions, depth first, until the budget is used up."""
    store = Store(model.scale, model.propagators, given)
    if not all(given) or not propagate(store, budget):
        return
    order = sorted(range(len(given)), key=lambda x: -len(store.watchers[x]))  # most constrained first

    def assign(domains: list[Any], x: int, v: Mask) -> bool:
        store.domains = domains
        store.keep(x, v)
        for p in model.always:
            store.wake(p)
        return propagate(store, budget)

    yield from branch(store.domains, order, assign, budget, model.scale)


def branch(
    domains: list[Any], order: Sequence[int], assign: Assign, budget: Budget, scale: Scale
) -> Iterator[Solution]:
    """Yield all solutions of domains at their fixpoint, depth first, until the budget is used up."""
    stack: list[tuple[list[Any], int, Mask]] = []  # domains before the branching, its variable, untried values
    while True:
        x = smallest_domain(domains, order)
        if x is None:
            yield tuple(map(scale.index, domains))
        else:
            stack.append((domains, x, domains[x]))
            budget.open_branches += 1
        while stack:
            before, x, untried = stack.pop()
            if not budget.enter_branch():
                return
            v, rest = scale.split(untried)
            if rest:
                stack.append((before, x, rest))
                budget.open_branches += 1
            domains = before.copy()
            if assign(domains, x, v):
                break
            if budget.exhausted:
                return
            budget.conflicts += 1
        else:
            return


def smallest_domain(domains: Sequence[Mask], order: Sequence[int]) -> int | None:
    """Return the first undecided variable of `order` with fewest values; None if every variable is decided."""
    best, size = None, 0
    for x in order:
        n = domains[x].bit_count()
        if n == 2:
            return x
        if n > 1 and (not size or n < size):
            best, size = x, n
    return best


def propagate(store: Store, budget: Budget) -> bool:
    """Run propagators until none is waiting. False on a contradiction, or if the time is used up."""
    sound = True
    while sound and store.queue:
        propagator = store.next_propagator()
        sound = not budget.out_of_time() and propagator.run(store, propagator.row)
    while store.queue:  # after a contradiction
        store.next_propagator()
    budget.propagations += store.removed
    store.removed = 0
    return sound
