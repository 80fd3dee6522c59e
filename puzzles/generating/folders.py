"""Shipped folders of instances: the files of each, and the claims in `expected.csv`.

Answers marked as drawn are claimed only for the seed of the recipe; answers of structured instances hold for every
seed.
"""

from collections.abc import Iterator
from inspect import signature
from random import Random

from puzzles.generating import cnf_files as cnf
from puzzles.generating import csp_files as csp
from puzzles.generating import opb_files as opb
from puzzles.generating.instance_files import SAT, UNSAT, File, Folder, files
from puzzles.generating.opb_opt_files import opb_text
from puzzles.generating.optimised import OPTIMISED
from puzzles.generating.writing import COMMAND, LICENCE
from puzzles.readers.folder import EXPECTED


def threshold(satisfiable: bool, *named: tuple[int, int]) -> tuple[File, ...]:
    """Return files of random 3-SAT with 4.26 clauses a variable, by number of variables and an index of the draw."""
    status = SAT if satisfiable else UNSAT
    return tuple(
        File(f"random-{n}-{i}.cnf", cnf.random_clauses, (n, round(4.26 * n), 3), status, True) for n, i in named
    )


DECIDED: dict[str, Folder] = {
    "cnf-random": Folder(
        (
            "Random clauses: 3-SAT at 4.26 clauses a variable, planted 3-SAT, 2-SAT and 5-SAT, both answers",
            "Difficulty: from microseconds to 10 seconds",
        ),
        cnf.cnf_text,
        (
            *threshold(True, (20, 0), (50, 1), (100, 1), (150, 0), (200, 1), (225, 1), (250, 2), (275, 3), (300, 0)),
            *threshold(False, (50, 0), (100, 0), (150, 1), (225, 0), (250, 1)),
            *files("cnf", "planted", cnf.planted_clauses, True, (200, 840, 3), (400, 1600, 3)),
            *files("cnf", "clauses", cnf.random_clauses, True, (300, 280, 2), (50, 1000, 5), drawn=True),
            *files("cnf", "clauses", cnf.random_clauses, False, (40, 900, 5), drawn=True),
        ),
    ),
    "cnf-structured": Folder(
        (
            "Structured clauses: pigeonhole, parity, Tseitin, a counter, an order without a smallest, dominoes",
            "Difficulty: from microseconds to 10 seconds",
        ),
        cnf.cnf_text,
        (
            *files("cnf", "pigeonhole", cnf.pigeonhole, False, (4,), (6,), (7,), (8,)),
            *files("cnf", "parity", cnf.parity, False, (8,), (16,), (24,), (28,)),
            *files("cnf", "tseitin", cnf.tseitin, False, (10, 3, True), (30, 3, True), (16, 4, True), drawn=True),
            *files("cnf", "tseitin-even", cnf.tseitin, True, (60, 4, False)),
            *files("cnf", "counter", cnf.counter, True, (4, 12, 12), (8, 100, 99)),
            *files("cnf", "counter", cnf.counter, False, (4, 10, 13), (7, 60, 64)),
            *files("cnf", "ordering", cnf.ordering, False, (8,), (16,)),
            *files("cnf", "dominoes", cnf.mutilated, False, (4,), (6,), (8,)),
        ),
    ),
    "opb": Folder(
        (
            "Pseudo-Boolean constraints: pigeonhole as sums, subset sums, market splits, knapsacks, vertex covers",
            "Difficulty: from microseconds to 10 seconds",
        ),
        opb_text,
        (
            *files("opb", "pigeonhole", opb.pigeonhole, True, (20, 20)),
            *files("opb", "pigeonhole", opb.pigeonhole, False, (6, 5), (8, 7)),
            *files("opb", "subset-sum", opb.subset_sum, True, (10, 50), (20, 1000), (30, 1000000)),
            *files("opb", "market-split", opb.market_split, False, (2, 10), (3, 15), (3, 20), drawn=True),
            *files("opb", "knapsack", opb.knapsack, True, (10, 1, 100), (20, 2, 100), (30, 3, 100)),
            *files("opb", "knapsack", opb.knapsack, True, (30, 5, 102), drawn=True),
            *files("opb", "knapsack", opb.knapsack, False, (20, 3, 101), drawn=True),
            *files("opb", "cover", opb.vertex_cover, True, (20, 40, 13), (40, 80, 26), drawn=True),
            *files("opb", "cover", opb.vertex_cover, False, (20, 60, 11), (40, 90, 20), drawn=True),
        ),
    ),
    "csp": Folder(
        (
            "Constraints as XCSP3: queens, rulers, squares, golfers, intervals, quasigroups, tables, automata",
            "Difficulty: from microseconds to 10 seconds",
        ),
        csp.csp_text,
        (
            *files("xml", "queens", csp.queens, False, (3,)),
            *files("xml", "queens", csp.queens, True, (4,), (8,), (16,), (30,)),
            *files("xml", "golomb", csp.golomb, True, (4, 6), (6, 17), (8, 34)),
            *files("xml", "golomb", csp.golomb, False, (4, 5), (6, 16), (7, 24), (8, 33)),
            *files("xml", "magic-square", csp.magic_square, True, (3,), (4,), (5,)),
            *files("xml", "golfers", csp.golfers, True, (2, 2, 3), (3, 3, 3), (4, 3, 3), (5, 3, 4)),
            *files("xml", "golfers", csp.golfers, False, (2, 2, 4)),
            *files("xml", "all-interval", csp.all_interval, True, (6,), (10,), (14,)),
            *files(
                "xml", "quasigroup", csp.quasigroup, True, (5, "qg5"), (7, "qg5"), (8, "qg5"), (4, "qg3"), (8, "qg3")
            ),
            *files("xml", "quasigroup", csp.quasigroup, False, (6, "qg5"), (9, "qg5"), (5, "qg3"), (6, "qg3")),
            *files("xml", "langford", csp.langford, True, (3,), (7,), (8,), (12,)),
            *files("xml", "langford", csp.langford, False, (5,), (10,)),
            *files("xml", "magic-sequence", csp.magic_sequence, True, (4,), (8,), (20,)),
            *files("xml", "magic-sequence", csp.magic_sequence, False, (6,)),
            *files("xml", "tables", csp.model_rb, True, (15, 6, 45, 12, True), (30, 10, 130, 25, True)),
            *files("xml", "tables", csp.model_rb, False, (15, 6, 60, 13, False), (25, 8, 120, 24, False), drawn=True),
            *files("xml", "nonogram", csp.nonogram, True, (5, 5, 50), (10, 10, 60), (20, 20, 55)),
        ),
    ),
}
FOLDERS = DECIDED | OPTIMISED


def folder_files(name: str, seed: int | None = None, limit: int | None = None) -> Iterator[tuple[str, str]]:
    """Yield name and text of each file of a shipped folder, expected.csv last; `limit` is the most instances."""
    recipe = FOLDERS[name]
    own = seed is None or seed == recipe.seed
    seed = recipe.seed if seed is None else seed
    chosen = recipe.files[:limit]
    for file in chosen:
        random = [Random(f"{seed} {file.name}")] if "random" in signature(file.make).parameters else []
        yield file.name, recipe.text(file.make(*file.numbers, *random), source(name, seed))
    claims = [file for file in chosen if own or not file.drawn]
    lines = [*(f"# {line}" for line in (*recipe.comments, *source(name, seed)))]
    lines += ["file,status,value" if recipe.optimised else "file,status", *map(claim_line, claims)]
    yield EXPECTED, "\n".join([*lines, ""])


def claim_line(file: File) -> str:
    """Return the line of expected.csv on a file."""
    return f"{file.name},{file.status}" + ("" if file.value is None else f",{file.value}")


def source(name: str, seed: int) -> list[str]:
    """Return the comments of each file: its construction and licence."""
    return [f"Source: made by {COMMAND} {name}, seed {seed}", f"Licence: {LICENCE}"]
