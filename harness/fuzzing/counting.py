"""Exhaustive search for the solutions of a small board: the ground truth of fuzzing.

It shares no code with any backend. It reads the units themselves, not Layout.peers, so that faults of Layout.peers are
detected too.
"""

from dataclasses import dataclass
from random import Random

from puzzles.boards.layout import Layout
from puzzles.problem.values import Domains, Solution, bits


@dataclass(frozen=True)
class Enumeration:
    """Solutions found; `complete` is True if the board has no other solutions."""

    solutions: tuple[Solution, ...]
    complete: bool


def count(layout: Layout, domains: Domains, most: int, nodes: int, random: Random | None = None) -> Enumeration:
    """Find up to `most` distinct solutions within `nodes` placements; `random` shuffles the values."""
    neighbours: list[set[int]] = [set() for _ in layout.squares]
    for unit in layout.units:
        for s in unit:
            neighbours[s].update(unit)
    found: list[Solution] = []
    stack = [(dict(enumerate(domains)), dict[int, int]())]
    while stack:
        left, placed = stack.pop()
        if not all(left.values()):
            continue
        if not left:
            found.append(tuple(placed[s] for s in range(len(domains))))
            if len(found) == most:
                return Enumeration(tuple(found), False)
            continue
        s = min(left, key=lambda s: left[s].bit_count())
        values = list(bits(left.pop(s)))
        if random is not None:
            random.shuffle(values)
        for v in values:
            nodes -= 1
            rest = {t: mask & ~(1 << v) if t in neighbours[s] else mask for t, mask in left.items()}
            stack.append((rest, placed | {s: v}))
        if nodes < 0:
            return Enumeration(tuple(found), False)
    return Enumeration(tuple(found), True)
