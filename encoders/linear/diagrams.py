"""Decision diagrams of sums (Abio et al. 2012, Bofill et al. 2019): one level a group, one literal a node.

A node stands for "the groups from its level on add at most the remainder", the bound less the sum of the groups above.
Nodes of the same function are found by the interval of remainders for which it stays the same.
"""

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

from encoders.integers import TooLarge, Variables
from encoders.linear.groups import LiteralGroup, size, total

LARGEST = 2_000_000  # edges of the diagram of one sum
TRUE, FALSE = -1, -2  # names of constant nodes


class DiagramNode(NamedTuple):
    """Function of a node: its name, and the least and greatest remainder of the bound for which it stays the same."""

    low: int
    high: int
    name: int


class Level:
    """Nodes of one group, by the interval of remainders."""

    def __init__(self) -> None:
        self.lows: list[int] = []
        self.nodes: list[DiagramNode] = []

    def find(self, rest: int) -> DiagramNode | None:
        i = bisect_right(self.lows, rest) - 1
        return self.nodes[i] if i >= 0 and rest <= self.nodes[i].high else None

    def insert(self, node: DiagramNode) -> None:
        i = bisect_right(self.lows, node.low)
        self.lows.insert(i, node.low)
        self.nodes.insert(i, node)


Inner = tuple[int, list[int]]  # level, and the names below: for no true literal, then for each literal of the group


def diagram(groups: Sequence[LiteralGroup], bound: int, largest: int) -> list[Inner]:
    """Return the nodes by name, the root last; the diagram must not be constant. Raises TooLarge."""
    most = [0, *accumulate(g.weights[-1] for g in reversed(groups))][::-1]  # greatest sum of the groups from a level on
    far = 2 * (most[0] + bound + 1)
    levels = [Level() for _ in groups]
    nodes: list[Inner] = []
    edges = 0

    def find(i: int, rest: int) -> DiagramNode | None:
        if rest < 0:
            return DiagramNode(-far, -1, FALSE)
        return DiagramNode(most[i], far, TRUE) if rest >= most[i] else levels[i].find(rest)

    waiting = [(0, bound)]
    while waiting:
        i, rest = waiting[-1]
        if find(i, rest) is not None:
            waiting.pop()
            continue
        weights = (0, *groups[i].weights)
        below: list[DiagramNode] = []
        for w in weights:
            found = find(i + 1, rest - w)
            if found is None:
                waiting.append((i + 1, rest - w))
                break
            below.append(found)
        else:
            name = below[0].name
            if any(node.name != name for node in below):
                edges += len(below)
                if edges > largest:
                    raise TooLarge(f"a decision diagram of more than {largest:,} edges")
                name = len(nodes)
                nodes.append((i, [node.name for node in below]))
            low = max(node.low + w for node, w in zip(below, weights, strict=True))
            high = min(node.high + w for node, w in zip(below, weights, strict=True))
            levels[i].insert(DiagramNode(low, high, name))
    return nodes


def write(groups: Sequence[LiteralGroup], nodes: Sequence[Inner], v: Variables) -> None:
    """Add clauses: a true node implies its child for each true literal, and the child for none. The root is true."""
    literal = [v.new() for _ in nodes[:-1]]
    for name, (level, below) in enumerate(nodes):
        reached = [-literal[name]] if name < len(literal) else []
        if below[0] != TRUE:
            v.add([*reached, literal[below[0]]])
        before = below[0]
        for x, under in zip(groups[level].literals, below[1:], strict=True):
            if under in (before, TRUE):
                continue
            v.add([*reached, -x] if under == FALSE else [*reached, -x, literal[under]])
            if groups[level].chain:
                before = under


def mdd(groups: Sequence[LiteralGroup], bound: int, v: Variables, largest: int = LARGEST) -> None:
    """Add clauses for `0 <= sum <= bound < total(groups)`. Raises TooLarge, before the first clause."""
    assert 0 <= bound < total(groups)
    write(groups, diagram(groups, bound, largest), v)


def allowance(groups: Sequence[LiteralGroup]) -> int:
    """Return the number of edges that `mixed` allows a diagram: enough for small sums, and some for each literal."""
    return 4000 + 80 * size(groups)
