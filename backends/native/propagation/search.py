"""Propagation to the fixpoint, and depth-first search on copies of the domains."""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from backends.native.budget import Budget
from backends.native.propagation.store import Propagator, Scale, Store
from puzzles.problem.values import Domains, Solution

Assign = Callable[[list[int], int, int], bool]  # decides a variable and propagates, in place; False: contradiction


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

    def assign(domains: list[int], x: int, v: int) -> bool:
        store.domains = domains
        store.keep(x, v)
        for p in model.always:
            store.wake(p)
        return propagate(store, budget)

    yield from branch(store.domains, order, assign, budget)


def branch(domains: list[int], order: Sequence[int], assign: Assign, budget: Budget) -> Iterator[Solution]:
    """Yield all solutions of domains at their fixpoint, depth first, until the budget is used up."""
    stack: list[tuple[list[int], int, int]] = []  # domains before the branching, its variable, untried values
    while True:
        x = smallest_domain(domains, order)
        if x is None:
            yield tuple([d.bit_length() - 1 for d in domains])
        else:
            stack.append((domains, x, domains[x]))
            budget.open_branches += domains[x].bit_count()
        while stack:
            before, x, untried = stack.pop()
            if not budget.enter_branch():
                return
            v = untried & -untried
            if untried != v:
                stack.append((before, x, untried ^ v))
            domains = before.copy()
            if assign(domains, x, v):
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
    while store.queue:  # after a contradiction
        store.next_propagator()
    budget.propagations += store.removed
    store.removed = 0
    return sound
