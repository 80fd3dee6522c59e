"""Kakuro: a random pattern, filled at random, and filled again here and there until the solution is unique.

Changes of the numbers should leave fewer candidates after propagation.

    size     rows and columns of the squares, without the clues' row and column
    blocked  positions that are no squares, row by row; the position opposite to one is blocked too
    numbers  the number of each other position
"""

import re
from math import exp
from random import Random

from puzzles.boards.kinds.kakuro import MAX_SIDE, Kakuro, board, runs, text
from puzzles.boards.regions import is_connected
from puzzles.errors import BadLayout
from puzzles.generating.generate import Oracle
from puzzles.generating.grids import GenerationError
from puzzles.generating.sums import FULL, candidates
from puzzles.problem.values import bits

KINDS = {"easy": "count 1", "hard": "count 1"}
LONGEST = {"easy": 5, "hard": 7}  # squares of a run
BLOCKED_PERCENT = {"easy": 25, "hard": 22}  # least percentage
MOST_BLOCKED = 6  # positions that one step of a pattern may block
MIN_SQUARES_PERCENT = 50
MAX_TRIED = 100  # boards tried before a size is reported as impossible
MAX_STEPS = 2500  # changes of the numbers of one board
HEAT = 2.5  # more candidates that a change may bring at the start, roughly
MAX_COUNTS = 12  # boards of a pattern that propagation does not solve and that are counted
Size = tuple[int, int]
Blocked = frozenset[int]
Runs = list[tuple[int, ...]]


def make(parameters: str, kind: str, random: Random, oracle: Oracle) -> str:
    """Make a kakuro of ROWSxCOLUMNS, which include the row and column of clues.

    An easy one has short runs, and propagation alone solves it; a hard one has the first numbers found to be unique.
    """
    match = re.fullmatch(r"([0-9]{1,3})x([0-9]{1,3})", parameters)
    if not match or not all(3 <= int(side) <= MAX_SIDE for side in match.groups()):
        raise BadLayout(f"kakuro {parameters!r}: state ROWSxCOLUMNS, such as 'kakuro 8x8', from 3x3")
    size = int(match[1]) - 1, int(match[2]) - 1
    for _ in range(MAX_TRIED):
        blocked = pattern(size, kind, random)
        found = None if blocked is None else improve(size, blocked, kind == "hard", random, oracle)
        if found:
            return text(found)
    raise GenerationError(f"found no kakuro {parameters} of the kind {kind}")


def pattern(size: Size, kind: str, random: Random) -> Blocked | None:
    """Return a pattern whose runs are short enough, or None if none was found."""
    blocked: Blocked = frozenset()
    order = random.sample(range(size[0] * size[1]), size[0] * size[1])
    for p in order:
        short = max(map(len, all_runs(size, blocked))) <= LONGEST[kind]
        if short and len(blocked) * 100 >= BLOCKED_PERCENT[kind] * len(order):
            return blocked
        if p not in blocked:
            blocked = block(size, blocked, p) or blocked
    return None


def all_runs(size: Size, blocked: Blocked) -> Runs:
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
    return [tuple(run) for run in found if run]


def block(size: Size, blocked: Blocked, p: int) -> Blocked | None:
    """Block a square, the opposite one, and runs that shrink to one square; return None if too many are blocked."""
    total, before = size[0] * size[1], len(blocked)
    new = {p, total - 1 - p}
    while new:
        blocked |= new
        if len(blocked) - before > MOST_BLOCKED:
            return None
        new = {q for run in all_runs(size, blocked) if len(run) == 1 for q in (run[0], total - 1 - run[0])}
    left = set(range(total)) - blocked
    return blocked if len(left) * 100 >= MIN_SQUARES_PERCENT * total and is_connected(left, size[1], size[0]) else None


def improve(size: Size, blocked: Blocked, hard: bool, random: Random, oracle: Oracle) -> Kakuro | None:
    """Return a puzzle of a pattern with one solution, None if none was found: simulated annealing."""
    lines = all_runs(size, blocked)
    numbers = refilled(lines, dict.fromkeys((p for line in lines for p in line), 0), random)
    if numbers is None:
        return None
    left = candidates_of(lines, numbers)
    fewest, counted = spare(left), 0
    for step in range(MAX_STEPS):
        oracle.tell(f"step {step + 1:,} of {MAX_STEPS:,}, {spare(left):,} left")
        unknown = sorted(p for p, mask in left.items() if mask & mask - 1)
        if not unknown:
            return kakuro(size, numbers)
        trial = refilled(lines, numbers | dict.fromkeys(window(lines, random.choice(unknown), random), 0), random)
        if trial is None:
            continue
        found = candidates_of(lines, trial)
        heat = HEAT * (1 - step / MAX_STEPS)
        if (worse := spare(found) - spare(left)) > 0 and random.random() > exp(-worse / heat):
            continue
        numbers, left = trial, found
        if hard and spare(left) < fewest and spare(left) <= len(numbers) and counted < MAX_COUNTS:
            counted += 1
            if oracle.count(*board(kakuro(size, numbers)), 2) == 1:
                return kakuro(size, numbers)
        fewest = min(fewest, spare(left))
    return None


def window(lines: Runs, p: int, random: Random) -> list[int]:
    """Return squares to fill again together: some squares of a run through p, or both runs."""
    near = [line for line in lines if p in line]
    line = random.choice(near)
    choices = [[p, random.choice(line)], random.sample(line, min(len(line), 3)), [q for other in near for q in other]]
    return random.choice(choices)


def candidates_of(lines: Runs, numbers: dict[int, int]) -> dict[int, int]:
    """Return the candidates of each square after propagation."""
    index = {p: s for s, p in enumerate(numbers)}
    sums = [(tuple(index[p] for p in line), sum(numbers[p] for p in line)) for line in lines]
    return dict(zip(numbers, candidates(sums, len(numbers)), strict=True))


def spare(left: dict[int, int]) -> int:
    """Return the number of candidates beyond one per square."""
    return sum(mask.bit_count() for mask in left.values()) - len(left)


def refilled(lines: Runs, numbers: dict[int, int], random: Random) -> dict[int, int] | None:
    """Return random numbers for squares that have 0, different within a run; None if not found quickly."""
    taken = {line: sum(1 << numbers[p] - 1 for p in line if numbers[p]) for line in lines}
    through: dict[int, Runs] = {p: [] for p in numbers}
    for line in lines:
        for p in line:
            through[p].append(line)
    filled = dict(numbers)
    empty = {p for p, number in numbers.items() if not number}
    while empty:
        fits = {p: FULL & ~(taken[through[p][0]] | taken[through[p][-1]]) for p in empty}
        p = min(sorted(empty), key=lambda p: fits[p].bit_count())
        if not fits[p]:
            return None
        v = random.choice(list(bits(fits[p])))
        filled[p] = v + 1
        empty.remove(p)
        for line in through[p]:
            taken[line] |= 1 << v
    return filled


def kakuro(size: Size, numbers: dict[int, int]) -> Kakuro:
    """Return the puzzle of a filled pattern, with a row and a column for clues before it."""
    rows, columns = size
    width = columns + 1
    cells: list[int | tuple[int, int]] = [(0, 0)] * (width * (rows + 1))
    value = {(p // columns + 1) * width + p % columns + 1: number for p, number in numbers.items()}
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
