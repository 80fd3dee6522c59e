"""Kakuro: a random pattern, filled with small and large numbers run by run; squares are blocked until it is unique.

    size     rows and columns of the squares, without the clues' row and column
    blocked  positions (row, column) that are no squares; with one, the position opposite is blocked too
"""

import re
from collections.abc import Iterable
from random import Random

from puzzles.boards.kakuro import MAX_SIDE, NUMBERS, Kakuro, board, runs, text
from puzzles.families import BadLayout
from puzzles.generating.generate import Oracle
from puzzles.generating.grids import GenerationError, search_grid
from puzzles.generating.regions import is_connected
from puzzles.layout import Layout

KINDS = {"easy": "count 1", "hard": "count 1"}
LONGEST = {"easy": 4, "hard": 9}  # squares of a run
BLOCKED_PERCENT = {"easy": 30, "hard": 15}  # at least, before the pattern is filled
MIN_SQUARES_PERCENT = 35  # that are left, or the board is given up
MAX_TRIED = 200  # boards tried before a size is reported as impossible
Size = tuple[int, int]
Blocked = frozenset[int]


def make(parameters: str, kind: str, random: Random, oracle: Oracle) -> str:
    """Make a kakuro of ROWSxCOLUMNS, which include the row and column of clues, with one solution."""
    match = re.fullmatch(r"([0-9]{1,3})x([0-9]{1,3})", parameters)
    if not match or not all(3 <= int(side) <= MAX_SIDE for side in match.groups()):
        raise BadLayout(f"kakuro {parameters!r}: state ROWSxCOLUMNS, such as 'kakuro 8x8', from 3x3")
    size = int(match[1]) - 1, int(match[2]) - 1
    for _ in range(MAX_TRIED):
        blocked = pattern(size, kind, random)
        numbers = None if blocked is None else fill(size, blocked, random)
        found = numbers and blocked is not None and made_unique(size, blocked, numbers, random, oracle)
        if found:
            return text(found)
    raise GenerationError(f"found no kakuro {parameters} with one solution")


def pattern(size: Size, kind: str, random: Random) -> Blocked | None:
    """Return a valid pattern whose runs are short enough, or None if none was found."""
    blocked: Blocked = frozenset()
    order = random.sample(range(size[0] * size[1]), size[0] * size[1])
    for p in order:
        longest = max(map(len, all_runs(size, blocked)))
        if longest <= LONGEST[kind] and len(blocked) * 100 >= BLOCKED_PERCENT[kind] * len(order):
            break
        trial = block(size, blocked, p)
        blocked = blocked if trial is None else trial
    return blocked if max(map(len, all_runs(size, blocked))) <= LONGEST[kind] else None


def all_runs(size: Size, blocked: Blocked) -> list[list[int]]:
    """Return the runs of squares in rows and columns."""
    rows, columns = size
    lines = [[r * columns + c for c in range(columns)] for r in range(rows)]
    lines += [[r * columns + c for r in range(rows)] for c in range(columns)]
    found: list[list[int]] = []
    for line in lines:
        found.append([])
        for p in line:
            if p in blocked:
                found.append([])
            else:
                found[-1].append(p)
    return [run for run in found if run]


def block(size: Size, blocked: Blocked, p: int) -> Blocked | None:
    """Block a square, the one opposite, and runs of one square that this leaves; None if too little stays connected."""
    total = size[0] * size[1]
    new = {p, total - 1 - p}
    while new:
        blocked |= new
        new = {q for run in all_runs(size, blocked) if len(run) == 1 for q in (run[0], total - 1 - run[0])}
    left = set(range(total)) - blocked
    enough = len(left) * 100 >= MIN_SQUARES_PERCENT * total
    return blocked if enough and is_connected(left, size[1], size[0]) else None


def fill(size: Size, blocked: Blocked, random: Random) -> dict[int, int] | None:
    """Return the number of each square: each run prefers small or large numbers, whose sums have fewer ways."""
    squares = [p for p in range(size[0] * size[1]) if p not in blocked]
    index = {p: s for s, p in enumerate(squares)}
    units = tuple(tuple(index[p] for p in run) for run in all_runs(size, blocked))
    weight = [0.0] * len(squares)
    for unit in units:
        drift = random.choice((-1, 1))
        for s in unit:
            weight[s] += drift
    layout = Layout("kakuro", tuple(map(str, squares)), tuple(map(str, range(1, NUMBERS + 1))), units)
    orders = [sorted(range(NUMBERS), key=lambda v: random.gauss(-v * w, NOISE)) for w in weight]
    try:
        grid = search_grid(layout, random, orders)
    except GenerationError:
        return None
    return {p: grid[s] + 1 for p, s in index.items()}


NOISE = 1.5  # of the preference for small or large numbers


def kakuro(size: Size, blocked: Iterable[int], numbers: dict[int, int]) -> Kakuro:
    """Return the puzzle of a filled pattern, with a row and a column for clues before it."""
    rows, columns = size
    width = columns + 1
    out = set(blocked)
    cells: list[int | tuple[int, int]] = [(0, 0)] * (width * (rows + 1))
    value = {(p // columns + 1) * width + p % columns + 1: number for p, number in numbers.items() if p not in out}
    for p in value:
        cells[p] = 0
    for way, step in enumerate((width, 1)):
        for run in runs(Kakuro(width, tuple(cells)), way):
            p = run.positions[0] - step
            clue = cells[p]
            assert isinstance(clue, tuple)
            total = sum(value[q] for q in run.positions)
            cells[p] = (total, clue[1]) if way == 0 else (clue[0], total)
    return Kakuro(width, tuple(cells))


def made_unique(
    size: Size, blocked: Blocked, numbers: dict[int, int], random: Random, oracle: Oracle
) -> Kakuro | None:
    """Block squares whose number is not determined until all are, None if too few are left."""
    while True:
        found = kakuro(size, blocked, numbers)
        problem, domains = board(found)
        if oracle.count(problem, domains, 2) == 1:
            return found
        left = [p for p in sorted(numbers) if p not in blocked]
        for s in random.sample(range(len(left)), len(left)):
            other = (*domains[:s], problem.full ^ 1 << numbers[left[s]] - 1, *domains[s + 1 :])
            trial = block(size, blocked, left[s])
            if trial is not None and oracle.count(problem, other, 1):
                blocked = trial
                break
        else:
            return None
