"""Random puzzles by kind. Each follows from its seed, kind, layout and place in the series, and from nothing else.

    board    the domains of a puzzle's squares; a given has one bit
    holds    what must stay true of a board while squares are opened
    Oracle  two facts about a board that whoever asks supplies, since no solver may be imported here

A board is a full grid with squares opened one after another as long as something holds: that its solution stays the
only one, or that singles alone still find it. Both, once lost, stay lost as more squares are opened, so a square that
was tried alone and kept need not be tried again, and halves of the squares can be tried at once.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count as count_from
from random import Random
from typing import Protocol

from puzzles.families import family_of
from puzzles.generating.grids import GenerationError, full
from puzzles.layout import Domains, Layout, Puzzle, Solution, bits

FEW = 100  # solutions: up to here `several` states the exact count, beyond it only that there are two
BACK = 4  # givens that `hard` gives back before it digs anew; more lose what was gained
AFRESH = 50  # boards that are tried before a kind is said not to be had on a layout
TRIES = 60  # re-diggings without gain before `hard` starts afresh


@dataclass(frozen=True)
class Oracle:
    """What generating needs to know of a board; any exact solver can supply it.

    count   layout, board, limit -> number of solutions, at most limit
    effort  layout, board, limit -> branchings, at most limit, until the reference (naked and hidden singles, then a
            guess on fewest candidates, first such square first) has found two solutions or knows that there are no
            more; 0 means that singles alone settle the board
    """

    count: Callable[[Layout, Domains, int], int]
    effort: Callable[[Layout, Domains, int], int]


class Maker(Protocol):
    """One puzzle of a kind; its name is empty."""

    def __call__(self, layout: Layout, random: Random, oracle: Oracle, /, **options: int) -> Puzzle: ...


def dig(layout: Layout, board: Domains, random: Random, holds: Callable[[Domains], bool], floor: int = 0) -> Domains:
    """Opens givens in random order as long as `holds` and more than `floor` are left."""
    order = [s for s, d in enumerate(board) if d.bit_count() == 1]
    random.shuffle(order)
    left = len(order)
    half = len(order) // 2
    pending = [order[half:], order[:half]]
    while pending:
        block = pending.pop()
        trial = opened(layout, board, block)
        if left - len(block) >= floor and holds(trial):
            board, left = trial, left - len(block)
        elif len(block) > 1 and left > floor:
            half = len(block) // 2
            pending += [block[half:], block[:half]]
    return board


def opened(layout: Layout, board: Domains, squares: list[int]) -> Domains:
    """The board with these squares open."""
    changed = list(board)
    for s in squares:
        changed[s] = layout.full
    return tuple(changed)


def givens(grid: Solution) -> Domains:
    """The board with every square of a grid given."""
    return tuple(1 << v for v in grid)


def easy(layout: Layout, random: Random, oracle: Oracle, /, **options: int) -> Puzzle:
    """Singles alone solve it; between 34 and 45 in a hundred squares are given, or more where singles need them."""
    floor = random.randint(len(layout.squares) * 34 // 100, len(layout.squares) * 45 // 100)
    grid = full(layout, random)
    board = dig(layout, givens(grid), random, lambda trial: oracle.effort(layout, trial, 1) == 0, floor)
    return Puzzle("", layout, board, 1)


def minimal(layout: Layout, random: Random, oracle: Oracle, /, **options: int) -> Puzzle:
    """One solution, and more as soon as any given is opened."""
    board = givens(full(layout, random))
    return Puzzle("", layout, dig(layout, board, random, lambda trial: oracle.count(layout, trial, 2) == 1), 1)


def hard(layout: Layout, random: Random, oracle: Oracle, /, effort: int = 25, **options: int) -> Puzzle:
    """Minimal, and costs the reference at least `effort` branchings: climbs by giving squares back and digging anew."""
    for _ in range(AFRESH):
        grid = full(layout, random)
        best, cost, idle = givens(grid), 0, 0
        while idle < TRIES:
            back = set(random.sample(range(len(grid)), BACK))
            trial = tuple(1 << grid[s] if s in back else d for s, d in enumerate(best))
            trial = dig(layout, trial, random, lambda trial: oracle.count(layout, trial, 2) == 1)
            found = oracle.effort(layout, trial, effort)
            idle = 0 if found > cost else idle + 1
            best, cost = (trial, found) if found >= cost else (best, cost)
            if cost >= effort:
                return Puzzle("", layout, best, 1)
    raise GenerationError(f"found no {layout.name} that costs {effort} branchings")


def several(layout: Layout, random: Random, oracle: Oracle, /, **options: int) -> Puzzle:
    """Two solutions or more: a minimal puzzle with one to three givens opened; the count is exact up to FEW."""
    board = minimal(layout, random, oracle).domains
    given = [s for s, d in enumerate(board) if d.bit_count() == 1]
    board = opened(layout, board, random.sample(given, random.randint(1, 3)))
    found = oracle.count(layout, board, FEW + 1)
    return Puzzle("", layout, board, found if found <= FEW else 2, at_least=found > FEW)


def unsolvable(layout: Layout, random: Random, oracle: Oracle, /, way: int = 0, **options: int) -> Puzzle:
    """One given replaced, and no solution left. Way 1: it equals another in a unit; 2: singles alone refute the board;
    3: that takes a search; 0: any of these."""
    way = way or random.randint(1, 3)

    def refuted(board: Domains, twins: bool) -> bool:
        if twins or way == 1:
            return twins and way == 1
        return oracle.count(layout, board, 1) == 0 and (oracle.effort(layout, board, 1) > 0) == (way == 3)

    for _ in range(AFRESH):
        board = (minimal if way == 3 else easy)(layout, random, oracle).domains
        given = [s for s, d in enumerate(board) if d.bit_count() == 1]
        for s in random.sample(given, len(given)):
            new = 1 << random.randrange(len(layout.values))
            trial = (*board[:s], new, *board[s + 1 :])
            if new != board[s] and refuted(trial, any(board[p] == new for p in layout.peers[s])):
                return Puzzle("", layout, trial, 0)
    raise GenerationError(f"found no {layout.name} without a solution")


def holes(layout: Layout, random: Random, oracle: Oracle, /, percent: int = 42, **options: int) -> Puzzle:
    """A full grid with that share of its squares open, so at least one solution; nothing else is asked of it."""
    grid = full(layout, random)
    out = random.sample(range(len(grid)), len(grid) * percent // 100)
    return Puzzle("", layout, opened(layout, givens(grid), out), 1, at_least=True)


KINDS: dict[str, Maker] = {
    "easy": easy,
    "minimal": minimal,
    "hard": hard,
    "several": several,
    "unsolvable": unsolvable,
    "holes": holes,
}


def series(layout: Layout, kind: str, seed: int, oracle: Oracle, /, **options: int) -> Iterator[Puzzle]:
    """Puzzles of a kind without end. The n-th is the same however many are taken."""
    for n in count_from():
        yield nth(layout, kind, seed, n, oracle, **options)


def nth(layout: Layout, kind: str, seed: int, n: int, oracle: Oracle, /, **options: int) -> Puzzle:
    """Puzzle `n` of a series."""
    return KINDS[kind](layout, Random(f"{seed} {layout.name} {kind} {n}"), oracle, **options)


def scramble(puzzle: Puzzle, random: Random) -> Puzzle:
    """The same puzzle to a mathematician: squares under a random symmetry of the layout, values renamed."""
    layout = puzzle.problem
    family = family_of(layout)
    image = family.symmetry(layout, random) if family else range(len(layout.squares))
    value = random.sample(range(len(layout.values)), len(layout.values))
    board = tuple(sum(1 << value[v] for v in bits(puzzle.domains[s])) for s in image)
    return Puzzle(puzzle.name, layout, board, puzzle.count, puzzle.at_least)
