"""Classes of instances for boards.py, as files that the tool reads. A seed determines them, whichever solver counts.

Maker     function that writes a number of instances from a seed to the files of a folder
CLASSES   a maker for each class
"""

from collections.abc import Callable, Iterator
from functools import cache, partial
from itertools import count as count_from
from itertools import islice
from pathlib import Path
from random import Random
from shutil import copy

from cages import kakuro, killer
from pysat.solvers import Solver

from backends.contract import registry
from backends.contract.answer import Ask, Session
from encoders.direct import alldifferent
from puzzles import corpora
from puzzles.boards.families import layout
from puzzles.boards.kinds import kakuro as kakuros
from puzzles.boards.kinds import killer as killers
from puzzles.boards.layout import Layout, Puzzle
from puzzles.generating.cnf_files import Formula, cnf_text, random_clauses
from puzzles.generating.folders import FOLDERS
from puzzles.generating.generate import KINDS, Generator, Oracle, dig, givens
from puzzles.generating.grids import full_grid
from puzzles.generating.recipes import planted
from puzzles.generating.writing import graph_lines
from puzzles.problem.values import Domains

NO_LIMIT = 1e5  # seconds: counts during generation must be exact
UNIQUE_GIVENS = 300  # of a 25x25 board; with ten less, to make one takes some ten seconds
RATIO = 4.26  # clauses per variable: as many random formulas have a solution as have none
SHIPPED = 14  # puzzles at the phase transition
Maker = Callable[[Path, int, int], None]


@cache
def session(board: Layout) -> Session:
    return registry.find("native").open(alldifferent(board))


def count(board: Layout, domains: Domains, limit: int) -> int:
    return len(session(board).ask(Ask(domains, limit, NO_LIMIT)).solutions)


def effort(board: Layout, domains: Domains, limit: int) -> int:
    raise NotImplementedError("the kinds used here need no effort")


def unique(layout: Layout, random: Random, oracle: Oracle, /, least: int = 0, **options: int) -> Puzzle:
    """Make a puzzle with one solution, its squares opened in blocks and then one by one, down to `least`."""
    board = givens(full_grid(layout, random))
    return Puzzle("", layout, dig(layout, board, random, lambda d: oracle.count(layout, d, 2) == 1, least), 1)


def boards(folder: Path, seed: int, n: int, names: tuple[str, ...], make: Generator, **options: int) -> None:
    """Write a file of puzzles, as many of each layout, in turn; values as numbers from 1, 0 for an open square."""
    with (folder / "boards.txt").open("w") as file:
        for i, name in enumerate(names):
            print(f"#: {name}", file=file)
            for k in range(len(range(i, n, len(names)))):
                random = Random(f"{seed} {name} {options} {k}")
                domains = make(layout(name), random, Oracle(count, effort), **options).domains
                print(*(0 if d & (d - 1) else d.bit_length() for d in domains), file=file, flush=True)


def lines(folder: Path, seed: int, n: int, line: Callable[[int], str]) -> None:
    """Write a file of boards that state their family, one for each seed."""
    (folder / "boards.txt").write_text("".join(f"{line(seed * 1000 + i)}\n" for i in range(n)))


def phase(folder: Path, seed: int, n: int) -> None:
    """Copy the shipped puzzles at the phase transition, 14 in all, and make random graphs of their kind up to `n`."""
    for corpus in corpora.shipped():
        if corpus.name.startswith("phase"):
            copy(corpus.path, folder)
    for k in range(n - SHIPPED):
        recipe = planted(200, 4, 860, 1000 * seed + k)
        text = "".join(f"{line}\n" for line in graph_lines(recipe, "benchmarks/boards.py", recipe.seed))
        (folder / f"planted-{k:03}.col").write_text(text)


def random_formula(seed: int, k: int) -> Formula:
    return random_clauses(250, round(RATIO * 250), 3, Random(f"{seed} {k}"))


@cache
def is_satisfiable(seed: int, k: int) -> bool:
    with Solver("minisat22", bootstrap_with=random_formula(seed, k)[1]) as solver:
        return bool(solver.solve())


def random_formulas(seed: int, satisfiable: bool) -> Iterator[str]:
    """Yield random 3-SAT formulas of 250 variables with that answer."""
    for k in count_from():
        if is_satisfiable(seed, k) == satisfiable:
            yield cnf_text(random_formula(seed, k), [])


def structured_formulas(seed: int) -> Iterator[str]:
    """Yield the shipped kinds of structured formulas endlessly, each under a random renaming, random graphs anew."""
    for k in count_from():
        for file in FOLDERS["cnf-structured"].files:
            random = Random(f"{seed} {file.name} {k}")
            drawn = [random] if "random" in file.make.__code__.co_varnames else []
            variables, clauses = file.make(*file.numbers, *drawn)
            name = [0, *(random.choice((-1, 1)) * x for x in random.sample(range(1, variables + 1), variables))]
            renamed = [[name[x] if x > 0 else -name[-x] for x in clause] for clause in clauses]
            yield cnf_text((variables, random.sample(renamed, len(renamed))), [])


def formulas(folder: Path, seed: int, n: int, texts: Callable[[int], Iterator[str]]) -> None:
    """Write each formula to a file."""
    for k, text in enumerate(islice(texts(seed), n)):
        (folder / f"{k:03}.cnf").write_text(text)


def latin(*orders: int) -> Maker:
    """Return the maker of Latin squares with 42 % holes, where completion is hardest."""
    return partial(boards, names=tuple(f"latin {n}" for n in orders), make=KINDS["holes"], percent=42)


CLASSES: dict[str, Maker] = {
    "sudoku-16": partial(boards, names=("sudoku 4x4",), make=KINDS["minimal"]),
    "sudoku-25-holes": partial(boards, names=("sudoku 5x5",), make=KINDS["holes"], percent=56),
    "sudoku-25-unique": partial(boards, names=("sudoku 5x5",), make=unique, least=UNIQUE_GIVENS),
    "latin-30": latin(30),
    "latin-35": latin(35),
    "quasigroups": latin(20, 25, 33, 40),
    "phase": phase,
    "killer": partial(lines, line=lambda seed: killers.text(killer(seed, 9))),
    "kakuro": partial(lines, line=lambda seed: kakuros.text(kakuro(seed, 16))),
    "cnf-satisfiable": partial(formulas, texts=partial(random_formulas, satisfiable=True)),
    "cnf-unsatisfiable": partial(formulas, texts=partial(random_formulas, satisfiable=False)),
    "cnf-structured": partial(formulas, texts=structured_formulas),
}
