"""Automata and circuits over more variables: the states that a word passes, and the positions of nodes on a circuit."""

import numpy as np

from encoders.elementary.bounding import BoundedTrees
from puzzles.constraints.automaton import Automaton
from puzzles.constraints.circuit import Circuit
from puzzles.constraints.expression import OPERATOR_OF


def automaton(constraint: Automaton, e: BoundedTrees) -> None:
    """Add a table of state, number and next state for each place of a word: the steps of accepted words."""
    for scope in constraint.scopes:
        layers, reached = [], {constraint.start}
        for x in scope:
            numbers = {*e.domains[x]}
            layers.append([t for t in constraint.transitions if t[0] in reached and t[1] in numbers])
            reached = {after for _, _, after in layers[-1]}
        alive = {*constraint.finals}
        for layer in reversed(layers):
            layer[:] = [t for t in layer if t[2] in alive]
            alive = {state for state, _, _ in layer}
        if constraint.start not in alive:
            e.clauses.append(())
            continue
        state = e.new([constraint.start])
        for x, layer in zip(scope, layers, strict=True):
            after = e.new(sorted({t[2] for t in layer}))
            e.tabulate((state, x, after), np.array(layer))
            state = after


def circuit(constraint: Circuit, e: BoundedTrees) -> None:
    """Add: successors differ, and a node that is no root has the position after the node before it.

    So each circuit needs a root. There is one at most: the first node that must be on a circuit, or else any node.
    """
    for successors, start, comparison, bound in constraint.rows:
        own = [("eq", ("var", x), ("number", start + i)) for i, x in enumerate(successors)]
        e.require((OPERATOR_OF[comparison], ("add", *(("not", tree) for tree in own), ("number", 0)), ("var", bound)))
        e.different.append(successors)
        nodes = range(len(successors))
        for x in successors:
            e.require(("in", ("var", x), ("set", *(start + j for j in nodes))))
        fixed = [i for i, x in enumerate(successors) if start + i not in e.domains[x]]
        roots = [e.new([int(i == fixed[0])] if fixed else (0, 1)) for i in nodes]
        e.row(dict.fromkeys(roots, 1), "<=", 1)
        positions = [e.new([0] if fixed[:1] == [i] else [*nodes]) for i in nodes]
        for i, x in enumerate(successors):
            for j in nodes:
                if j != i and start + j in e.domains[x] and fixed[:1] != [j]:
                    follows = e.new() + 1
                    e.clauses.append((-e.truth(("eq", ("var", x), ("number", start + j))), roots[j] + 1, follows))
                    e.compare({positions[j]: 1, positions[i]: -1}, 1, "=", (follows,))
