"""Renamings of one instance into another: found by colour refinement and search, and checked exactly.

A search gives one node of the first instance a colour of its own, and tries each node of the second that has the same
colour, until all colours differ; the renaming is then read off them (McKay 1981, without his pruning).
"""

from collections import Counter
from typing import Any

import numpy as np

from puzzles.identity.refinement import refined
from puzzles.identity.structure import Graph, Int64Array, StructureNode, as_bytes, graph_of, key, trees_of
from puzzles.problem import Instance
from puzzles.problem.content import values_to_json

MOST_EDGES = 1 << 21  # of a graph that is searched
MOST_TRIES = 200  # refinements of a search
Renaming = list[int]  # the variable of the second instance for each of the first


def renaming(one: Instance[Any], other: Instance[Any]) -> Renaming | None:
    """Return a checked renaming of the first instance into the second; None if none was found, though one may exist."""
    if values_to_json(one.problem.values) != values_to_json(other.problem.values):
        return None
    graphs = graph_of(one), graph_of(other)
    if graphs[0].parents.shape != graphs[1].parents.shape or len(graphs[0].parents) > MOST_EDGES:
        return None
    count = len(one.problem.variables)
    tries = [MOST_TRIES]
    found = search(graphs[0], graphs[1], count, tries) if count == len(other.problem.variables) else None
    return found if found is not None and is_renaming(one, other, found) else None


def search(one: Graph, other: Graph, count: int, tries: list[int]) -> Renaming | None:
    """Return the renaming that discrete colours of both graphs give, None if their colours differ or tries run out."""
    tries[0] -= 1
    colours, others = refined(one), refined(other)
    if tries[0] < 0 or not np.array_equal(np.sort(colours), np.sort(others)):
        return None
    mine, theirs = colours[:count], others[:count]
    classes, sizes = np.unique(mine, return_counts=True)
    if len(classes) == count:
        return place_of(theirs, mine)
    colour = classes[sizes == sizes[sizes > 1].min()][0]
    x = int(np.flatnonzero(mine == colour)[0])
    for y in np.flatnonzero(theirs == colour).tolist():
        pair = alone(one, colours, x, len(classes)), alone(other, others, y, len(classes))
        if (found := search(*pair, count, tries)) is not None:
            return found
    return None


def place_of(theirs: Int64Array, mine: Int64Array) -> Renaming:
    """Return the place of each of my colours among theirs; no two are equal."""
    order = np.argsort(theirs)
    found: Renaming = order[np.searchsorted(theirs[order], mine)].tolist()
    return found


def alone(graph: Graph, colours: Int64Array, x: int, classes: int) -> Graph:
    """Return a graph with refined colours, in which variable x has one of its own, by their number so far."""
    changed = colours.copy()
    changed[x] ^= key(classes)
    return graph._replace(colours=changed)


def is_renaming(one: Instance[Any], other: Instance[Any], at: Renaming) -> bool:
    """Return True if an instance is the other with new variables, whatever the order of constraints and terms."""
    free = {at[x] for x in one.problem.free}
    if sorted(at) != list(range(len(at))) or free != set(other.problem.free):
        return False
    if any(domain != other.domains[at[x]] for x, domain in enumerate(one.domains)):
        return False
    same = range(len(at))
    return Counter(canonical(t, at) for t in trees_of(one)) == Counter(canonical(t, same) for t in trees_of(other))


def canonical(tree: Any, at: Any) -> bytes:
    """Return a tree with new variables as bytes, in which sets are sorted."""
    if not isinstance(tree, StructureNode):
        return as_bytes(at[tree])
    parts = [canonical(child, at) for child in tree.children]
    return as_bytes((tree.label, tree.ordered, parts if tree.ordered else sorted(parts)))
