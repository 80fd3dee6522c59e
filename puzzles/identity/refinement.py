"""Colour refinement (Weisfeiler & Leman 1968): nodes that differ in colours of neighbours get different colours.

The digest of the colours of an instance is the same under any renaming of variables and any order of constraints and
terms. Instances with equal digests need not be isomorphic; those with different digests are not. All numbers are 64
bits that wrap around, so a colour is a hash. The number of rounds depends on the size alone: large graphs have fewer,
and their digests tell fewer instances apart.
"""

import hashlib
from typing import Any

import numpy as np

from puzzles.constraints.clauses import Clauses
from puzzles.identity.structure import Graph, Int64Array, first_colours, graph_of, key
from puzzles.problem import Instance
from puzzles.problem.content import values_to_json
from puzzles.readers.compiled.loading import loops_for
from puzzles.readers.compiled.loops import FIRST, SECOND, TURNED

MOST_ROUNDS = 32
EDGES = 1 << 23  # visited in all rounds of a graph; a larger one has half a round, which counts occurrences
LITERAL_BYTES = 8  # of a CNF file, about: the loop pays where its reader's does


def mixed(numbers: Int64Array) -> Int64Array:
    """Return numbers with their bits mixed (the end of MurmurHash3, with shifts that keep the sign)."""
    found = numbers ^ (numbers >> 33)
    found *= FIRST
    found ^= found >> 29
    found *= SECOND
    found ^= found >> 32
    return found


def rounds_of(edges: int) -> int:
    """Return the number of rounds for a graph, 0 for half a round."""
    return min(MOST_ROUNDS, EDGES // max(1, edges))


def refined(graph: Graph) -> Int64Array:
    """Return the colours of all nodes when a round tells no more nodes apart, or after the last round."""
    colours, parents, children = graph.colours.copy(), graph.parents, graph.children
    rounds, classes = rounds_of(len(parents)), 0
    steps = [(parents, children, 0), (children, parents, TURNED)]  # those that change, their neighbours, a direction
    concerned = [np.bincount(here, minlength=len(colours)) > 0 for here, _, _ in steps]
    for _ in range(max(1, rounds)):
        for (here, there, turn), which in zip(steps[not rounds :], concerned[not rounds :], strict=True):
            sums = np.zeros(len(colours), np.int64)
            np.add.at(sums, here, mixed((colours[there] + turn) ^ graph.labels))
            colours = np.where(which, mixed(colours + sums), colours)
        if rounds == MOST_ROUNDS and classes == (classes := len(np.unique(colours))):
            break
    return colours


def refined_clauses(clauses: Clauses, variables: Int64Array) -> tuple[Int64Array, Int64Array] | None:
    """Return the colours of variables and clauses of a large formula as `refined` does; None without compiled loops."""
    flat = np.ascontiguousarray(clauses.flat, np.int32)
    rows = np.full(len(flat) - int(np.count_nonzero(flat)), key(Clauses.kind))
    rounds = rounds_of(len(flat) - len(rows))
    loops = loops_for("cnf", len(flat) * LITERAL_BYTES, "colour_clauses") if rounds < MOST_ROUNDS else None
    if not loops:
        return None
    for i in range(max(1, rounds)):
        sums = np.zeros(len(variables), np.int64)
        arrays = [a.ctypes.data for a in (variables, rows, sums)]
        loops[0](flat.ctypes.data, len(flat), *arrays, int(rounds > 0), int(i == 0), key(True), key(False))
        variables = np.where(sums != 0, mixed(variables + sums), variables)
    return variables, rows


def digest_of_colours(colours: Int64Array, *more: object) -> str:
    """Return 16 hexadecimal digits of colours in any order, and of facts."""
    text = repr((len(colours), int(colours.sum()), int(np.bitwise_xor.reduce(colours)), more))
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


def renamed_digest(instance: Instance[Any]) -> str:
    """Return the digest of an instance that no renaming changes: 16 hexadecimal digits."""
    parts, found = instance.problem.constraints, None
    facts = len(instance.problem.variables), values_to_json(instance.problem.values)
    if len(parts) == 1 and isinstance(parts[0], Clauses) and instance.problem.objective is None:
        found = refined_clauses(parts[0], first_colours(instance))
    colours = refined(graph_of(instance)) if found is None else np.concatenate(found)
    return digest_of_colours(colours, *facts)
