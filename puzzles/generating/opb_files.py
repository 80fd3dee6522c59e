"""Pseudo-Boolean instances with known answers.

    row  terms of a coefficient and a variable from 1, a comparison, a bound

Each function returns the number of variables and the rows.
"""

from itertools import combinations
from random import Random

Row = tuple[list[tuple[int, int]], str, int]
Rows = tuple[int, list[Row]]


def pigeonhole(pigeons: int, holes: int) -> Rows:
    """Put each pigeon into a hole, at most one pigeon in each: sums have a short proof."""
    at = {(p, h): p * holes + h + 1 for p in range(pigeons) for h in range(holes)}
    each: list[Row] = [([(1, at[p, h]) for h in range(holes)], ">=", 1) for p in range(pigeons)]
    return len(at), each + [([(-1, at[p, h]) for p in range(pigeons)], ">=", -1) for h in range(holes)]


def subset_sum(items: int, size: int, random: Random) -> Rows:
    """Choose items of random weights up to `size` whose total is the weight of a hidden choice."""
    weights = [random.randint(1, size) for _ in range(items)]
    total = sum(w for w in weights if random.random() < 0.5)
    return items, [([(w, x) for x, w in enumerate(weights, 1)], "=", total)]


def market_split(rows: int, variables: int, random: Random) -> Rows:
    """Split each product's sales exactly in half (Cornuejols and Dawande 1998): small, and hard for search."""
    found: list[Row] = []
    for _ in range(rows):
        weights = [random.randint(0, 99) for _ in range(variables)]
        found.append(([(w, x) for x, w in enumerate(weights, 1) if w], "=", sum(weights) // 2))
    return variables, found


def knapsack(items: int, limits: int, percent: int, random: Random) -> Rows:
    """Choose items within several weight limits: their worth is at least `percent` of the worth of a greedy choice."""
    weights = [[random.randint(1, 100) for _ in range(items)] for _ in range(limits)]
    worth = [sum(row[i] for row in weights) // limits + random.randint(1, 30) for i in range(items)]
    bounds = [sum(row) // 2 for row in weights]
    load, taken = [0] * limits, 0
    for i in sorted(range(items), key=lambda i: -worth[i] / sum(row[i] for row in weights)):
        if all(have + row[i] <= most for have, row, most in zip(load, weights, bounds, strict=True)):
            load = [have + row[i] for have, row in zip(load, weights, strict=True)]
            taken += worth[i]
    rows: list[Row] = [
        ([(-w, x) for x, w in enumerate(row, 1)], ">=", -most) for row, most in zip(weights, bounds, strict=True)
    ]
    return items, [*rows, ([(w, x) for x, w in enumerate(worth, 1)], ">=", -(-taken * percent // 100))]


def vertex_cover(vertices: int, edges: int, most: int, random: Random) -> Rows:
    """Cover the edges of a random graph with at most `most` vertices."""
    chosen = random.sample(list(combinations(range(1, vertices + 1), 2)), edges)
    rows: list[Row] = [([(1, u), (1, v)], ">=", 1) for u, v in sorted(chosen)]
    return vertices, [*rows, ([(-1, x) for x in range(1, vertices + 1)], ">=", -most)]


def opb_text(instance: Rows, comments: list[str]) -> str:
    """Return an instance as an OPB file."""
    variables, rows = instance
    lines = [f"* #variable= {variables} #constraint= {len(rows)}", *(f"* {line}" for line in comments)]
    sums = [f"{' '.join(f'{a:+d} x{x}' for a, x in terms)} {sign} {bound} ;" for terms, sign, bound in rows]
    return "\n".join([*lines, *sums, ""])
