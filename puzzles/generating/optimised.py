"""Shipped folders of instances with an objective, and the values of their best solutions.

Each value was found in two ways that share no code with this project; tests/optima.py has one of them.
"""

from puzzles.generating import cop_files as cop
from puzzles.generating import opb_opt_files as opb
from puzzles.generating import wcnf_files as wcnf
from puzzles.generating.instance_files import Folder, best

DIFFICULTY = "Difficulty: from microseconds to 10 seconds"

OPTIMISED: dict[str, Folder] = {
    "wcnf": Folder(
        ("Weighted clauses: random ones, cuts, covers, colourings, queens, packages, weights to 2^63", DIFFICULTY),
        wcnf.wcnf_text,
        (
            *best("wcnf", "random", wcnf.random_soft, ((20, 150, 3, 1), 5), ((30, 120, 2, 1), 8)),
            *best("wcnf", "weighted", wcnf.older(wcnf.random_soft), ((20, 140, 3, 99), 99)),
            *best("wcnf", "partial", wcnf.partial, ((40, 130, 60, 1), 18), ((40, 150, 40, 1000), 2371)),
            *best("wcnf", "partial-older", wcnf.older(wcnf.partial), ((30, 100, 40, 20), 130)),
            *best("wcnf", "levels", wcnf.levels, ((40, 150, 100), 4000503020102)),
            *best("wcnf", "cut", wcnf.max_cut, ((12, 30, 1), 9), ((18, 45, 50), 203)),
            *best("wcnf", "cover", wcnf.vertex_cover, ((25, 50, 30), 173)),
            *best("wcnf", "cover-long", wcnf.long_cover, ((2, 1, 63), 9223372036854775131)),
            *best("wcnf", "cover-long", wcnf.long_cover, ((7, 20, 61), 11529215046068467506)),
            *best("wcnf", "independent", wcnf.independent_set, ((30, 70), 16)),
            *best("wcnf", "sets", wcnf.set_cover, ((40, 25, 3, 50), 166)),
            *best("wcnf", "colouring", wcnf.colouring, (("mycielski", 3, 6), 4), (("queen", 5, 6), 5), drawn=False),
            *best("wcnf", "queens", wcnf.queens, ((6,), 3), ((7,), 4), drawn=False),
            *best("wcnf", "packages", wcnf.packages, ((60, 4), 264)),
            *best("wcnf", "pigeonhole", wcnf.infeasible, ((5,), None), drawn=False),
            *best("wcnf", "contradictions", wcnf.older(wcnf.contradictions), ((20,), 218), drawn=False),
            *best("wcnf", "satisfied", wcnf.satisfied, ((25, 90), 0), drawn=False),
        ),
        optimised=True,
    ),
    "opb-opt": Folder(
        ("Pseudo-Boolean optimisation: knapsacks, covers, sites, tours, orders, armies, products, WBO", DIFFICULTY),
        opb.opb_text,
        (
            *best("opb", "knapsack", opb.knapsack, ((12, 1, 30), 142), ((15, 2, 20), 121)),
            *best("opb", "sets", opb.set_cover, ((40, 25, 3, 50), 154)),
            *best("opb", "cover", opb.cover, ((25, 50, None), 12), ((20, 60, 9), None)),
            *best("opb", "sites", opb.warehouses, ((4, 6), 220)),
            *best("opb", "assignment", opb.assignment, ((7,), -47)),
            *best("opb", "bins", opb.bins, ((9, 100, 5), 3)),
            *best("opb", "assignment-long", opb.long_assignment, ((4, 40), 4 * 10**40 + 1034)),
            *best("opb", "nearest-sum", opb.nearest_sum, ((7, 3), 1554)),
            *best("opb", "cut", opb.max_cut, ((14, 35, 9), 124)),
            *best("opb", "tour", opb.tour, ((6,), 328)),
            *best("opb", "order", opb.job_order, ((6,), 80)),
            *best("opb", "armies", opb.armies, ((3,), 1), ((4,), 2), ((5,), 4), drawn=False),
            *best("opb", "constant", opb.constant, ((9, 4, 5), -20), drawn=False),
            *best("wbo", "wishes", opb.wishes, ((8, 5, None), 8), ((8, 4, 4), None)),
        ),
        optimised=True,
    ),
    "cop": Folder(
        ("Constraint optimisation as XCSP3: boards, graphs, tours, orders, every form of objective", DIFFICULTY),
        cop.cop_text,
        (
            *best("xml", "golomb", cop.golomb, ((4,), 6), ((5,), 11), ((6,), 17), drawn=False),
            *best("xml", "colouring", cop.colouring, (("mycielski", 3, 5), 4), (("queen", 5, 6), 5), drawn=False),
            *best("xml", "independent", cop.independent_set, ((25, 60), 127)),
            *best("xml", "frame", cop.magic_frame, ((3,), 15), ((4,), 30), drawn=False),
            *best("xml", "tour", cop.tour, ((6,), 114), ((8,), 192)),
            *best("xml", "assignment", cop.assignment, ((8,), 20)),
            *best("xml", "order", cop.job_order, ((6,), 423)),
            *best("xml", "machines", cop.makespan, ((9, 3), 45)),
            *best("xml", "knapsack", cop.knapsack, ((6, 2), 227)),
            *best("xml", "product", cop.greatest_product, ((3, 18), 210), drawn=False),
            *best("xml", "life", cop.still_life, ((4,), 8), ((5,), 16), drawn=False),
            *best("xml", "bandwidth", cop.bandwidth, ((8, 14), 4)),
            *best("xml", "polynomial", cop.polynomial, ((6,), -120), drawn=False),
            *best("xml", "diagonal-values", cop.latin_diagonals, ((5,), 1), drawn=False),
            *best("xml", "diagonal-sum", cop.greatest_diagonal, ((5,), 66), drawn=False),
            *best("xml", "intervals", cop.impossible, ((6,), None), drawn=False),
            *best("xml", "constant", cop.constant, ((6,), -3), drawn=False),
        ),
        optimised=True,
    ),
}
