"""Brute-force search for all solutions of a small board: the reference of the tests.

It reads units and domains directly and shares no code with anything that it checks.
"""

from encoders.formula import AllDifferent
from puzzles.boards.layout import Layout
from puzzles.problem.values import Domains, Solution


def solutions(problem: Layout | AllDifferent, domains: Domains) -> set[Solution]:
    """Return all assignments within the domains that repeat no value in a unit."""
    earlier: list[set[int]] = [set() for _ in domains]
    for unit in problem.units:
        if len(set(unit)) < len(unit):
            return set()  # a square cannot differ from itself
        for s in unit:
            earlier[s] |= {p for p in unit if p < s}
    found: list[Solution] = [()]
    for mask, before in zip(domains, earlier, strict=True):
        values = [v for v in range(mask.bit_length()) if mask >> v & 1]
        found = [(*one, v) for one in found for v in values if all(one[p] != v for p in before)]
    return set(found)
