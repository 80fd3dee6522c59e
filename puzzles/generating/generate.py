"""Random puzzles by kind. Seed, kind, layout and index in the series determine each puzzle.

    board     the domains of a puzzle's squares; a given has one bit
    is_valid  the condition that a board must satisfy while squares are opened
    Oracle    two functions of a board that the caller supplies, since this package may not import a solver

A board is a full grid whose squares are opened one after another as long as a condition holds: that the solution is
unique, or that singles alone find it. Opening more squares never makes a failed condition hold: a given that could not
be opened alone is not tried again, and halves of the squares can be tried at once.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count as count_from
from random import Random
from typing import Any, Protocol

from puzzles.boards.families import family_of
from puzzles.boards.layout import Layout, Puzzle
from puzzles.generating.grids import GenerationError, full_grid
from puzzles.generating.thinning import thinned
from puzzles.problem.values import Domains, Solution, bits

MAX_EXACT_COUNT = 100  # solutions: `several` states the exact count up to here, and beyond it only `2+`
GIVENS_RESTORED = 4  # givens that `hard` restores before it digs again; more lose the progress made
MAX_RESTARTS = 50  # boards tried before a kind is reported as impossible on a layout
MAX_IDLE_ROUNDS = 60  # rounds without progress before `hard` starts from a new grid


@dataclass(frozen=True)
class Oracle:
    """Solver functions that generation needs; any exact solver can supply them.

    count   layout or board, domains, limit -> number of solutions, at most limit
    effort  layout, board, limit -> branchings, at most limit, until the reference (naked and hidden singles, then a
            branch on the first square with fewest candidates) has found two solutions or proved that there is no
            second; 0 means that singles alone decide the board
    tell    receives how far the puzzle is that is being made, in words
    """

    count: Callable[[Any, Domains, int], int]
    effort: Callable[[Layout, Domains, int], int]
    tell: Callable[[str], object] = str


class Generator(Protocol):
    """Function that makes one puzzle of a kind, with an empty name. Raises GenerationError."""

    def __call__(self, layout: Layout, random: Random, oracle: Oracle, /, **options: int) -> Puzzle: ...


def dig(layout: Layout, board: Domains, random: Random, is_valid: Callable[[Domains], bool], floor: int = 0) -> Domains:
    """Open givens in random order while the board is valid and at least `floor` givens are left."""
    order = [s for s, d in enumerate(board) if d.bit_count() == 1]
    random.shuffle(order)

    def opened(kept: list[int]) -> Domains:
        return open_squares(layout, board, [*{*order} - {*kept}])

    return opened(thinned(order, lambda kept: is_valid(opened(kept)), floor))


def open_squares(layout: Layout, board: Domains, squares: list[int]) -> Domains:
    """Return the board with these squares open."""
    changed = list(board)
    for s in squares:
        changed[s] = layout.full
    return tuple(changed)


def givens(grid: Solution) -> Domains:
    """Return the board in which every square of a grid is given."""
    return tuple(1 << v for v in grid)


def easy(layout: Layout, random: Random, oracle: Oracle, /, **options: int) -> Puzzle:
    """Make a puzzle that singles alone solve; 34 to 45 % of squares are given, more if singles need them."""
    floor = random.randint(len(layout.squares) * 34 // 100, len(layout.squares) * 45 // 100)
    grid = full_grid(layout, random)
    board = dig(layout, givens(grid), random, lambda trial: oracle.effort(layout, trial, 1) == 0, floor)
    return Puzzle("", layout, board, 1)


def minimal(layout: Layout, random: Random, oracle: Oracle, /, **options: int) -> Puzzle:
    """Make a puzzle with one solution, and with several if any given is opened."""
    board = givens(full_grid(layout, random))
    return Puzzle("", layout, dig(layout, board, random, lambda trial: oracle.count(layout, trial, 2) == 1), 1)


def hard(layout: Layout, random: Random, oracle: Oracle, /, effort: int = 25, **options: int) -> Puzzle:
    """Make a minimal puzzle that costs the reference at least `effort` branchings.

    Hill climbing: restore some givens, dig again, and keep the new board if its effort is no lower.
    """
    for _ in range(MAX_RESTARTS):
        grid = full_grid(layout, random)
        best, cost, idle = givens(grid), 0, 0
        while idle < MAX_IDLE_ROUNDS:
            restored = set(random.sample(range(len(grid)), GIVENS_RESTORED))
            trial = tuple(1 << grid[s] if s in restored else d for s, d in enumerate(best))
            trial = dig(layout, trial, random, lambda trial: oracle.count(layout, trial, 2) == 1)
            found = oracle.effort(layout, trial, effort)
            idle = 0 if found > cost else idle + 1
            best, cost = (trial, found) if found >= cost else (best, cost)
            if cost >= effort:
                return Puzzle("", layout, best, 1)
    raise GenerationError(f"found no {layout.name} puzzle that costs {effort} branchings")


def several(layout: Layout, random: Random, oracle: Oracle, /, **options: int) -> Puzzle:
    """Open one to three givens of a minimal puzzle: two solutions or more, counted up to MAX_EXACT_COUNT."""
    board = minimal(layout, random, oracle).domains
    given = [s for s, d in enumerate(board) if d.bit_count() == 1]
    board = open_squares(layout, board, random.sample(given, random.randint(1, 3)))
    found = oracle.count(layout, board, MAX_EXACT_COUNT + 1)
    return Puzzle("", layout, board, found if found <= MAX_EXACT_COUNT else 2, at_least=found > MAX_EXACT_COUNT)


def unsolvable(layout: Layout, random: Random, oracle: Oracle, /, way: int = 0, **options: int) -> Puzzle:
    """Replace one given so that no solution is left.

    Way 1: the given equals another given in a unit; 2: singles alone refute the board; 3: refuting takes search; 0: any
    of these.
    """
    way = way or random.randint(1, 3)

    def refuted(board: Domains, equal_givens: bool) -> bool:
        if equal_givens or way == 1:
            return equal_givens and way == 1
        return oracle.count(layout, board, 1) == 0 and (oracle.effort(layout, board, 1) > 0) == (way == 3)

    for _ in range(MAX_RESTARTS):
        board = (minimal if way == 3 else easy)(layout, random, oracle).domains
        given = [s for s, d in enumerate(board) if d.bit_count() == 1]
        for s in random.sample(given, len(given)):
            new = 1 << random.randrange(len(layout.values))
            trial = (*board[:s], new, *board[s + 1 :])
            if new != board[s] and refuted(trial, any(board[p] == new for p in layout.peers[s])):
                return Puzzle("", layout, trial, 0)
    raise GenerationError(f"found no {layout.name} puzzle without a solution")


def holes(layout: Layout, random: Random, oracle: Oracle, /, percent: int = 42, **options: int) -> Puzzle:
    """Open `percent` of the squares of a full grid: the puzzle has at least one solution, and no other guarantee."""
    grid = full_grid(layout, random)
    out = random.sample(range(len(grid)), len(grid) * percent // 100)
    return Puzzle("", layout, open_squares(layout, givens(grid), out), 1, at_least=True)


KINDS: dict[str, Generator] = {
    "easy": easy,
    "minimal": minimal,
    "hard": hard,
    "several": several,
    "unsolvable": unsolvable,
    "holes": holes,
}


def series(layout: Layout, kind: str, seed: int, oracle: Oracle, /, **options: int) -> Iterator[Puzzle]:
    """Yield puzzles of a kind endlessly. The n-th does not depend on the number of puzzles taken."""
    for n in count_from():
        yield nth(layout, kind, seed, n, oracle, **options)


def nth(layout: Layout, kind: str, seed: int, n: int, oracle: Oracle, /, **options: int) -> Puzzle:
    """Return puzzle `n` of a series."""
    return KINDS[kind](layout, Random(f"{seed} {layout.name} {kind} {n}"), oracle, **options)


def scramble(puzzle: Puzzle, random: Random) -> Puzzle:
    """Return an isomorphic puzzle: apply a random symmetry of the layout, and rename the values."""
    layout = puzzle.problem
    family = family_of(layout)
    image = family.symmetry(layout, random) if family else range(len(layout.squares))
    value = random.sample(range(len(layout.values)), len(layout.values))
    board = tuple(sum(1 << value[v] for v in bits(puzzle.domains[s])) for s in image)
    return Puzzle(puzzle.name, layout, board, puzzle.count, puzzle.at_least)
