"""Pseudo-Boolean instances without an objective, with known answers; each function returns a PbProgramme."""

from random import Random

from puzzles.generating.opb_opt_files import PbProgramme, Row, at_most, cover, ones, total


def pigeonhole(pigeons: int, holes: int) -> PbProgramme:
    """Put each pigeon into a hole, at most one pigeon in each: sums have a short proof."""
    at = {(p, h): p * holes + h + 1 for p in range(pigeons) for h in range(holes)}
    rows: list[Row] = [(ones([at[p, h] for h in range(holes)]), ">=", 1) for p in range(pigeons)]
    rows += [at_most(ones([at[p, h] for p in range(pigeons)]), 1) for h in range(holes)]
    return PbProgramme(len(at), "", [], rows)


def subset_sum(items: int, size: int, random: Random) -> PbProgramme:
    """Choose items of random weights up to `size` whose total is the weight of a hidden choice."""
    weights = [random.randint(1, size) for _ in range(items)]
    hidden = sum(w for w in weights if random.random() < 0.5)
    return PbProgramme(items, "", [], [(total(weights), "=", hidden)])


def market_split(rows: int, variables: int, random: Random) -> PbProgramme:
    """Split each product's sales exactly in half (Cornuejols and Dawande 1998): small, and hard for search."""
    sales = [[random.randint(0, 99) for _ in range(variables)] for _ in range(rows)]
    return PbProgramme(variables, "", [], [(total(weights), "=", sum(weights) // 2) for weights in sales])


def knapsack(items: int, limits: int, percent: int, random: Random) -> PbProgramme:
    """Choose items within several weight limits: their worth is at least `percent` of the worth of a greedy choice."""
    weights = [[random.randint(1, 100) for _ in range(items)] for _ in range(limits)]
    worth = [sum(row[i] for row in weights) // limits + random.randint(1, 30) for i in range(items)]
    bounds = [sum(row) // 2 for row in weights]
    load, taken = [0] * limits, 0
    for i in sorted(range(items), key=lambda i: -worth[i] / sum(row[i] for row in weights)):
        if all(have + row[i] <= most for have, row, most in zip(load, weights, bounds, strict=True)):
            load = [have + row[i] for have, row in zip(load, weights, strict=True)]
            taken += worth[i]
    rows = [at_most(total(row), most) for row, most in zip(weights, bounds, strict=True)]
    return PbProgramme(items, "", [], [*rows, (total(worth), ">=", -(-taken * percent // 100))])


def vertex_cover(vertices: int, edges: int, most: int, random: Random) -> PbProgramme:
    """Cover the edges of a random graph with at most `most` vertices."""
    return cover(vertices, edges, most, random)._replace(goal="", terms=[])
