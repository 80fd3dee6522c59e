"""Propagators of Circuit: sizes, paths that close too early, and nodes that no circuit reaches.

    node  an index of the successors   on  surely on the circuit: the node is not its own successor
    mask  the numbers of nodes, as values: the bit of a node is `store.scale.just(start + node)`

That successors differ is a propagator of its own (`different.py`). Sources: Caseau & Laburthe 1997 (subtours), Francis
& Stuckey 2014 (reachability).
"""

from collections.abc import Container, Iterator, Sequence

from backends.native.propagation.counting import allowed_counts
from backends.native.propagation.different import propagate_unit
from backends.native.propagation.store import Propagator, Scale, Store, keep_all, watching
from puzzles.constraints.circuit import Circuit

Row = tuple[tuple[int, ...], int, str, int]


def circuit(constraint: Circuit, scale: Scale) -> Iterator[Propagator]:
    for row in constraint.rows:
        variables, start, _, bound = row
        inside = scale.at_least(start) & scale.at_most(start + len(variables) - 1)
        yield Propagator(keep_all, (variables, inside), ())
        yield watching(propagate_unit, variables, variables)
        yield watching(propagate_circuit, row, (*variables, bound))


def propagate_circuit(store: Store, row: Row) -> bool:
    variables, start, comparison, bound = row
    own = [store.scale.just(start + i) for i in range(len(variables))]
    on = [not store.domains[x] & mask for x, mask in zip(variables, own, strict=True)]
    may = [bool(store.domains[x] & ~mask) for x, mask in zip(variables, own, strict=True)]
    sizes = allowed_counts(store, [k for k in range(sum(on), sum(may) + 1) if k != 1], comparison, bound)
    if not sizes:
        return False
    if sizes[-1] == sum(on):
        may = on
    if sizes[0] == sum(may):
        on = may
    if not close_paths(store, variables, start, on, sizes):
        return False
    if any(on):
        may = [a and b for a, b in zip(may, reached(store, variables, start, on.index(True)), strict=True)]
    for x, mask, stays, leaves in zip(variables, own, on, may, strict=True):
        if (stays and not store.keep(x, ~mask)) or (not leaves and not store.keep(x, mask)):
            return False
    return True


def close_paths(store: Store, variables: Sequence[int], start: int, on: Sequence[bool], sizes: Container[int]) -> bool:
    """Remove the begin of each path of decided nodes from its end, unless a circuit may have the size of the path.

    Return False if a closed path has a size that no circuit may have, or if there are several closed paths.
    """
    following = {}
    for i, x in enumerate(variables):
        if store.decided(x) and (j := store.low(x) - start) != i:
            following[i] = j
    begins = following.keys() - set(following.values())
    if len(begins) < len(following) and not begins:  # a closed path alone, or several
        begins = set(list(following)[:1])
    seen: set[int] = set()
    for begin in begins:
        path = [begin]
        while (after := following.get(path[-1])) is not None and after != begin and len(path) <= len(variables):
            path.append(after)
        seen |= set(path)
        if len(path) in sizes and sum(on) == sum(on[i] for i in set(path)):
            continue
        if path[-1] in following or not store.keep(variables[path[-1]], ~store.scale.just(start + begin)):
            return False
    return following.keys() <= seen


def reached(store: Store, variables: Sequence[int], start: int, root: int) -> list[bool]:
    """Return for each node: it may follow a root that is on the circuit, and the root may follow it."""
    following = [[n - start for n in store.numbers(x)] for x in variables]
    leading: list[list[int]] = [[] for _ in variables]
    for i, nodes in enumerate(following):
        for j in nodes:
            leading[j].append(i)
    ahead, behind = visited(following, root), visited(leading, root)
    return [i in ahead and i in behind for i in range(len(variables))]


def visited(edges: Sequence[Sequence[int]], root: int) -> set[int]:
    """Return the nodes on paths from a root."""
    found, waiting = {root}, [root]
    while waiting:
        for j in edges[waiting.pop()]:
            if j not in found:
                found.add(j)
                waiting.append(j)
    return found
