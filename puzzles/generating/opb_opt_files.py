"""Pseudo-Boolean optimisation with known optima.

    term  coefficient and variables from 1, whose product it multiplies
    row   terms, comparison, bound

Each function returns a PbProgramme.
"""

from itertools import combinations, product
from random import Random
from typing import NamedTuple

Terms = list[tuple[int, tuple[int, ...]]]
Row = tuple[Terms, str, int]


class PbProgramme(NamedTuple):
    """Objective `min:` or `max:`, or none, rows over variables from 1, and of WBO those that cost something if broken.

    `top`  of WBO: the sum of the costs of broken rows must be below it
    """

    variables: int
    goal: str
    terms: Terms
    rows: list[Row]
    soft: list[tuple[int, Row]] = []  # noqa: RUF012 - never changed
    top: int | None = None


def total(weights: dict[int, int] | list[int]) -> Terms:
    """Return the terms of weights, of a list for variables 1, 2, ..."""
    pairs = weights.items() if isinstance(weights, dict) else enumerate(weights, 1)
    return [(a, (x,)) for x, a in pairs if a]


def ones(variables: list[int] | range, a: int = 1) -> Terms:
    return [(a, (x,)) for x in variables]


def at_most(terms: Terms, bound: int) -> Row:
    """Return the row of an upper bound, for which the format has no comparison."""
    return [(-a, xs) for a, xs in terms], ">=", -bound


def knapsack(items: int, limits: int, most: int, random: Random) -> PbProgramme:
    """Choose items of the greatest worth within weight limits."""
    weights = [[random.randint(1, most) for _ in range(items)] for _ in range(limits)]
    worth = [sum(row[i] for row in weights) // limits + random.randint(1, most // 3) for i in range(items)]
    return PbProgramme(items, "max", total(worth), [at_most(total(row), sum(row) // 2) for row in weights])


def set_cover(elements: int, sets: int, size: int, most: int, random: Random) -> PbProgramme:
    """Cover elements with sets of the least total cost; each element is in `size` of them."""
    rows: list[Row] = [(ones(sorted(random.sample(range(1, sets + 1), size))), ">=", 1) for _ in range(elements)]
    return PbProgramme(sets, "min", total([random.randint(1, most) for _ in range(sets)]), rows)


def cover(vertices: int, edges: int, most: int | None, random: Random) -> PbProgramme:
    """Cover the edges of a random graph with the fewest vertices, no more than `most`."""
    chosen = sorted(random.sample(list(combinations(range(1, vertices + 1), 2)), edges))
    rows: list[Row] = [(ones([u, v]), ">=", 1) for u, v in chosen]
    return PbProgramme(
        vertices,
        "min",
        ones(range(1, vertices + 1)),
        rows if most is None else [*rows, at_most(ones(range(1, vertices + 1)), most)],
    )


def warehouses(sites: int, shops: int, random: Random) -> PbProgramme:
    """Open warehouses and supply each shop from an open one, at the least cost of both; a warehouse has a capacity."""
    at = {(w, s): sites + w * shops + s + 1 for w in range(sites) for s in range(shops)}
    terms = total([random.randint(40, 120) for _ in range(sites)]) + [
        (random.randint(5, 60), (x,)) for x in at.values()
    ]
    rows: list[Row] = [(ones([at[w, s] for w in range(sites)]), "=", 1) for s in range(shops)]
    capacity = 2 * shops // sites + 1
    rows += [([(capacity, (w + 1,)), *ones([at[w, s] for s in range(shops)], -1)], ">=", 0) for w in range(sites)]
    return PbProgramme(sites + len(at), "min", terms, rows)


def assignment(n: int, random: Random) -> PbProgramme:
    """Give each of n workers one of n tasks, at the least cost, which a bonus may make negative."""
    at = {(i, j): i * n + j + 1 for i in range(n) for j in range(n)}
    rows: list[Row] = [(ones([at[i, j] for j in range(n)]), "=", 1) for i in range(n)]
    rows += [(ones([at[i, j] for i in range(n)]), "=", 1) for j in range(n)]
    return PbProgramme(n * n, "min", total([random.randint(-20, 30) for _ in at]), rows)


def long_assignment(n: int, digits: int, random: Random) -> PbProgramme:
    """Assign tasks whose costs have many digits and differ only in the last ones."""
    made = assignment(n, random)
    return made._replace(terms=[(10**digits + random.randint(1, 999), xs) for _, xs in made.terms])


def bins(sizes: int, capacity: int, most: int, random: Random) -> PbProgramme:
    """Pack items into the fewest bins; the first bins are used, and `most` are offered."""
    items = [random.randint(capacity // 5, capacity // 2) for _ in range(sizes)]
    at = {(i, b): most + i * most + b + 1 for i in range(sizes) for b in range(most)}
    rows: list[Row] = [(ones([at[i, b] for b in range(most)]), "=", 1) for i in range(sizes)]
    loads = [[(-items[i], (at[i, b],)) for i in range(sizes)] for b in range(most)]
    rows += [([(capacity, (b,)), *load], ">=", 0) for b, load in enumerate(loads, 1)]
    rows += [([(1, (b,)), (-1, (b + 1,))], ">=", 0) for b in range(1, most)]
    return PbProgramme(most + len(at), "min", ones(range(1, most + 1)), rows)


def nearest_sum(items: int, digits: int, random: Random) -> PbProgramme:
    """Choose items whose weights of many digits sum up to the most that fits below half of all."""
    weights = [random.randrange(10 ** (digits - 1), 10**digits) for _ in range(items)]
    return PbProgramme(items, "max", total(weights), [at_most(total(weights), sum(weights) // 2)])


def max_cut(vertices: int, edges: int, most: int, random: Random) -> PbProgramme:
    """Split the vertices of a graph in two with the greatest weight of edges between: products of variables."""
    weights: dict[tuple[int, ...], int] = {}
    for u, v in sorted(random.sample(list(combinations(range(1, vertices + 1), 2)), edges)):
        a = random.randint(1, most)
        for x, b in (((u,), a), ((v,), a), ((u, v), -2 * a)):
            weights[x] = weights.get(x, 0) + b
    return PbProgramme(vertices, "max", [(a, xs) for xs, a in weights.items()], [])


def tour(cities: int, random: Random) -> PbProgramme:
    """Visit cities on a round trip of least length: products of who is at a position and who at the next."""
    sites = [(random.randint(0, 99), random.randint(0, 99)) for _ in range(cities)]
    n = cities - 1  # the first city is at position 0
    at = {(c, p): (c - 1) * n + p for c in range(1, cities) for p in range(1, n + 1)}
    terms: Terms = []
    for c in range(1, cities):
        length = distance(sites[0], sites[c])
        terms += [(length, (at[c, 1],)), (length, (at[c, n],))]
        for d in range(1, cities):
            if d != c:
                terms += [(distance(sites[c], sites[d]), (at[c, p], at[d, p + 1])) for p in range(1, n)]
    rows: list[Row] = [(ones([at[c, p] for p in range(1, n + 1)]), "=", 1) for c in range(1, cities)]
    rows += [(ones([at[c, p] for c in range(1, cities)]), "=", 1) for p in range(1, n + 1)]
    return PbProgramme(len(at), "min", terms, rows)


def distance(a: tuple[int, int], b: tuple[int, int]) -> int:
    return abs(a[0] - b[0]) + abs(a[1] - b[1])


def job_order(jobs: int, random: Random) -> PbProgramme:
    """Start jobs one after another on a machine so that their weighted delays beyond due dates are least."""
    work = [(random.randint(1, 5), random.randint(1, 9), random.randint(3, 15)) for _ in range(jobs)]
    horizon = sum(length for length, _, _ in work)
    at: dict[tuple[int, int], int] = {}
    costs: list[int] = []
    for j, (length, weight, due) in enumerate(work):
        for t in range(horizon - length + 1):
            at[j, t] = len(at) + 1
            costs.append(weight * max(0, t + length - due))
    rows: list[Row] = [(ones([x for (i, _), x in at.items() if i == j]), "=", 1) for j in range(jobs)]
    for t in range(horizon):
        running = [x for (j, s), x in at.items() if s <= t < s + work[j][0]]
        rows.append(at_most(ones(running), 1))
    return PbProgramme(len(at), "min", total(costs), rows)


def armies(n: int) -> PbProgramme:
    """Put two equal armies of queens on a board, as large as possible, of which none attacks the other."""
    squares = list(product(range(n), repeat=2))
    white = {square: i for i, square in enumerate(squares, 1)}
    black = {square: i + n * n for square, i in white.items()}
    rows: list[Row] = []
    for q, (r, c) in product(squares, squares):
        if r == q[0] or c == q[1] or abs(r - q[0]) == abs(c - q[1]):
            rows.append(at_most(ones([white[q], black[r, c]]), 1))
    equal: Row = (ones(list(white.values())) + ones(list(black.values()), -1), "=", 0)
    return PbProgramme(2 * n * n, "max", ones(list(white.values())), [*rows, equal])


def constant(variables: int, chosen: int, weight: int) -> PbProgramme:
    """Choose `chosen` variables, all of one weight: every solution has the same value."""
    every = range(1, variables + 1)
    return PbProgramme(variables, "min", ones(every, -weight), [(ones(every), "=", chosen)])


def wishes(people: int, days: int, top: int | None, random: Random) -> PbProgramme:
    """Give each person one day, at most two each day; broken wishes cost something, in all less than `top` (WBO)."""
    at = {(p, d): p * days + d + 1 for p in range(people) for d in range(days)}
    rows: list[Row] = [(ones([at[p, d] for d in range(days)]), "=", 1) for p in range(people)]
    rows += [at_most(ones([at[p, d] for p in range(people)]), 2) for d in range(days)]
    soft: list[tuple[int, Row]] = []
    for p in range(people):
        liked = random.sample(range(days), 2)
        soft.append((random.randint(2, 9), (ones([at[p, d] for d in liked[:1]]), ">=", 1)))
        soft.append((random.randint(2, 9), (ones([at[p, d] for d in liked]), ">=", 1)))
    return PbProgramme(len(at), "", [], rows, soft, top)


def opb_text(made: PbProgramme, comments: list[str]) -> str:
    """Return a programme as an OPB file, or as a WBO file if it has soft rows."""
    rows = [*made.rows, *(row for _, row in made.soft)]
    products = {xs for terms in (made.terms, *(row[0] for row in rows)) for _, xs in terms if len(xs) > 1}
    head = f"* #variable= {made.variables} #constraint= {len(rows)}"
    if products:
        head += f" #product= {len(products)} sizeproduct= {sum(map(len, products))}"
    if made.soft:
        costs = [cost for cost, _ in made.soft]
        head += f" #soft= {len(costs)} mincost= {min(costs)} maxcost= {max(costs)} sumcost= {sum(costs)}"
    lines = [head, *(f"* {line}" for line in comments)]
    if made.soft:
        lines.append(f"soft: {made.top} ;" if made.top is not None else "soft: ;")
    elif made.goal:
        lines.append(f"{made.goal}: {terms_text(made.terms)} ;")
    lines += [row_text(row) for row in made.rows]
    return "\n".join([*lines, *(f"[{cost}] {row_text(row)}" for cost, row in made.soft), ""])


def row_text(row: Row) -> str:
    terms, comparison, bound = row
    return f"{terms_text(terms)} {comparison} {bound} ;"


def terms_text(terms: Terms) -> str:
    return " ".join(f"{a:+d} {' '.join(f'x{x}' for x in xs)}" for a, xs in terms)
