"""Weighted clauses with known optima: maximum satisfiability, graphs, sets, boards, and limits of the format.

    soft  weight and clause; a solution pays the weights of the soft clauses that are false

Each function returns the number of variables, the hard clauses, the soft ones, and True for the format before 2022.
"""

from collections.abc import Callable
from functools import wraps
from itertools import combinations, product
from random import Random
from typing import NamedTuple

from puzzles.generating import cnf_files
from puzzles.generating.cnf_files import Clauses, drawn
from puzzles.generating.graphs import GRAPHS

Soft = list[tuple[int, list[int]]]


class Weighted(NamedTuple):
    """Clauses over variables from 1; `older`: written in the format before 2022, which has a header."""

    variables: int
    hard: Clauses
    soft: Soft
    older: bool = False


def older(make: Callable[..., Weighted]) -> Callable[..., Weighted]:
    """Return a function that makes the same clauses, in the format before 2022."""

    @wraps(make)
    def made(*numbers: object) -> Weighted:
        return make(*numbers)._replace(older=True)

    return made


def random_soft(variables: int, clauses: int, length: int, most: int, random: Random) -> Weighted:
    """Return random soft clauses of one length, of weights up to `most`: maximum satisfiability."""
    soft = [(random.randint(1, most), drawn(variables, length, random)) for _ in range(clauses)]
    return Weighted(variables, [], soft)


def partial(variables: int, hard: int, soft: int, most: int, random: Random) -> Weighted:
    """Return hard clauses of three literals with a hidden solution, and soft ones of one or two."""
    _, clauses = cnf_files.planted_clauses(variables, hard, 3, random)
    return Weighted(
        variables,
        clauses,
        [(random.randint(1, most), drawn(variables, random.choice((1, 1, 2)), random)) for _ in range(soft)],
    )


def levels(variables: int, hard: int, base: int, random: Random) -> Weighted:
    """Return soft literals whose weights are powers of a base, so that one costs more than many of lower levels."""
    _, clauses = cnf_files.planted_clauses(variables, hard, 3, random)
    return Weighted(variables, clauses, [(base ** (x % 8), [random.choice((x, -x))]) for x in range(1, variables + 1)])


def random_edges(vertices: int, edges: int, random: Random) -> list[tuple[int, int]]:
    """Return edges of a random graph, of vertices from 1."""
    return sorted(random.sample(list(combinations(range(1, vertices + 1), 2)), edges))


def max_cut(vertices: int, edges: int, most: int, random: Random) -> Weighted:
    """Split the vertices of a random graph in two: an edge inside a side makes one of its two clauses false."""
    soft: Soft = []
    for u, v in random_edges(vertices, edges, random):
        weight = random.randint(1, most)
        soft += [(weight, [u, v]), (weight, [-u, -v])]
    return Weighted(vertices, [], soft)


def vertex_cover(vertices: int, edges: int, most: int, random: Random) -> Weighted:
    """Cover the edges of a random graph with vertices of weights up to `most`."""
    hard = [[u, v] for u, v in random_edges(vertices, edges, random)]
    return Weighted(vertices, hard, [(random.randint(1, most), [-v]) for v in range(1, vertices + 1)])


def long_cover(vertices: int, edges: int, bits: int, random: Random) -> Weighted:
    """Cover the edges of a random graph with vertices whose weights differ only in the last of `bits` bits."""
    hard = [[u, v] for u, v in random_edges(vertices, edges, random)]
    return Weighted(vertices, hard, [((1 << bits) - random.randint(1, 999), [-v]) for v in range(1, vertices + 1)])


def independent_set(vertices: int, edges: int, random: Random) -> Weighted:
    """Choose as many vertices of a random graph as possible, no two of them adjacent."""
    hard = [[-u, -v] for u, v in random_edges(vertices, edges, random)]
    return Weighted(vertices, hard, [(1, [v]) for v in range(1, vertices + 1)])


def set_cover(elements: int, sets: int, size: int, most: int, random: Random) -> Weighted:
    """Cover elements with sets of random costs; each element is in `size` of them."""
    hard = [sorted(random.sample(range(1, sets + 1), size)) for _ in range(elements)]
    return Weighted(sets, hard, [(random.randint(1, most), [-s]) for s in range(1, sets + 1)])


def colouring(graph: str, number: int, colours: int) -> Weighted:
    """Colour a graph with as few colours as possible, of those offered; the first ones are used."""
    vertices, edges = GRAPHS[graph](Random(), number)
    at = [[v * colours + c + 1 for c in range(colours)] for v in range(vertices)]
    used = range(vertices * colours + 1, (vertices + 1) * colours + 1)
    hard = [*at, *([-at[u][c], -at[v][c]] for u, v in edges for c in range(colours))]
    hard += [[-row[c], used[c]] for row in at for c in range(colours)]
    hard += [[used[c], -used[c + 1]] for c in range(colours - 1)]
    return Weighted(used[-1], hard, [(1, [-y]) for y in used])


def queens(n: int) -> Weighted:
    """Put as few queens on a board as possible so that each square has a queen or is attacked by one."""
    squares = list(product(range(n), repeat=2))
    at = {square: i for i, square in enumerate(squares, 1)}
    attacked = [
        [at[q] for q in squares if r == q[0] or c == q[1] or abs(r - q[0]) == abs(c - q[1])] for r, c in squares
    ]
    return Weighted(len(at), attacked, [(1, [-x]) for x in at.values()])


def packages(count: int, wanted: int, random: Random) -> Weighted:
    """Install packages, and one of several alternatives for each dependency, without conflicts, of least total size."""
    hard = [[x] for x in range(1, wanted + 1)]
    for x in sorted(random.choices(range(1, count - 4), k=count)):
        near = range(x + 1, min(count, x + 15) + 1)
        hard.append([-x, *sorted(random.sample(near, random.randint(1, 3)))])
    hard += [[-x for x in random.sample(range(wanted + 1, count + 1), 2)] for _ in range(count // 2)]
    return Weighted(count, hard, [(random.randint(1, 99), [-x]) for x in range(1, count + 1)])


def infeasible(holes: int) -> Weighted:
    """Put one pigeon more than there are holes into holes, with wishes that do not matter."""
    variables, hard = cnf_files.pigeonhole(holes)
    return Weighted(variables, hard, [(x, [x]) for x in range(1, variables + 1)])


def contradictions(variables: int) -> Weighted:
    """State each literal and its negation, and clauses that are empty: every solution costs the same."""
    soft: Soft = [(7, [])]
    for x in range(1, variables + 1):
        soft += [(x, [x]), (x, [-x])]
    return Weighted(variables, [], [*soft, (1, [])])


def satisfied(variables: int, clauses: int, random: Random) -> Weighted:
    """Return soft clauses that a hidden solution satisfies: the optimum is 0."""
    _, planted = cnf_files.planted_clauses(variables, clauses, 3, random)
    return Weighted(variables, [], [(random.randint(1, 50), clause) for clause in planted])


def wcnf_text(formula: Weighted, comments: list[str]) -> str:
    """Return clauses as a WCNF file. Soft ones come first in the format of 2022, which takes lines in any order."""
    hard, soft = formula.hard, formula.soft
    lines = [f"c {line}" for line in comments]
    if formula.older:
        top = sum(weight for weight, _ in soft) + 1
        lines.append(f"p wcnf {formula.variables} {len(hard) + len(soft)}{f' {top}' if hard else ''}")
        rows = [(top, clause) for clause in hard] + soft
        return "\n".join([*lines, *(" ".join(map(str, [weight, *clause, 0])) for weight, clause in rows), ""])
    lines += [" ".join(map(str, [weight, *clause, 0])) for weight, clause in soft]
    return "\n".join([*lines, *(" ".join(map(str, ["h", *clause, 0])) for clause in hard), ""])
