"""Generalised totalizer (Joshi, Martins & Manquinho 2015) over groups: a tree of sums, cut off at the bound.

A node has one literal for each sum that its groups can reach, implied once the groups reach it. A group is a leaf.
"""

from collections.abc import Iterable, Sequence

from encoders.integers import TooLarge, Variables
from encoders.linear.groups import LiteralGroup

LARGEST = 2_000_000  # clauses of one sum

Node = dict[int, int]  # literal of each sum


def totalizer(groups: Sequence[LiteralGroup], bound: int, v: Variables) -> None:
    """Add clauses for `sum <= bound`. Raises TooLarge."""
    level: list[Node] = [dict(zip(g.weights, g.literals, strict=True)) for g in groups]
    clauses = 0
    while len(level) > 1:
        above: list[Node] = []
        for i in range(0, len(level) - 1, 2):
            clauses += (len(level[i]) + 1) * (len(level[i + 1]) + 1)
            if clauses > LARGEST:
                raise TooLarge(f"a totalizer of more than {LARGEST:,} clauses")
            above.append(merged(level[i], level[i + 1], bound, v, last=len(level) == 2))
        level = above + level[len(level) & ~1 :]


def merged(left: Node, right: Node, bound: int, v: Variables, last: bool) -> Node:
    """Return the parent of two nodes; sums above the bound are forbidden. The last parent needs no literals."""
    node: Node = {}
    for a, x in [(0, 0), *left.items()]:
        for b, y in [(0, 0), *right.items()]:
            clause = [-z for z in (x, y) if z]
            if a + b > bound:
                v.add(clause)
            elif clause and not last:
                if a + b not in node:
                    node[a + b] = v.new()
                v.add([*clause, node[a + b]])
    return dict(sorted(node.items()))


def forbid_pairs(left: LiteralGroup, right: LiteralGroup, bound: int, v: Variables, unless: Iterable[int] = ()) -> None:
    """Add clauses for `sum <= bound` of two groups, without auxiliaries; a true literal of `unless` frees each."""
    if left.chain and not right.chain:
        left, right = right, left
    k = len(right.weights)
    for a, x in zip(left.weights, left.literals, strict=True):
        while k and a + right.weights[k - 1] > bound:
            k -= 1
        for y in right.literals[k : k + 1] if right.chain else right.literals[k:]:
            v.add((-x, -y, *unless))
