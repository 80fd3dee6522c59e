"""Random killers and kakuros without givens, whose sums come from a filled grid; they may have many solutions."""

from collections.abc import Iterator
from random import Random

from backends.contract import registry
from backends.contract.answer import Ask
from encoders.formula import AllDifferent
from puzzles.boards.families import layout
from puzzles.boards.kinds.kakuro import Kakuro
from puzzles.boards.kinds.killer import Killer
from puzzles.generating.boards import kakuro as kakuros

NINE = layout("sudoku 3x3")
Unit = tuple[int, ...]
Square = tuple[int, int]


def filled(squares: int, units: list[Unit], random: Random) -> list[int] | None:
    """Return different digits in all units, if there are any for some random squares."""
    domains = [(1 << 9) - 1] * squares
    for x in random.sample(range(squares), squares // 8):
        domains[x] = 1 << random.randrange(9)
    free = AllDifferent(squares, 9, tuple(units)).as_constraints()
    found = registry.find("native:lazy").open(free).ask(Ask(tuple(domains))).solutions
    return [v + 1 for v in found[0]] if found else None


def killer(seed: int, largest: int) -> Killer:
    """Return a killer: cages of 2 to `largest` squares, or one where nothing is left beside it."""
    random = Random(seed)
    values = None
    while values is None:
        values = filled(81, list(NINE.units), random)
    free, cages = set(range(81)), []
    for start in random.sample(range(81), 81):
        cage = [start] if start in free else []
        size = random.randint(2, largest)
        while cage and len(cage) < size:
            digits = {values[x] for x in cage}
            beside = {y for x in cage for y in neighbours(x)} & free - set(cage)
            open_ = sorted(y for y in beside if values[y] not in digits)
            if not open_:
                break
            cage.append(random.choice(open_))
        free -= set(cage)
        cages += [tuple(cage)] if cage else []
    return Killer((3, 3), (0,) * 81, tuple((cage, sum(values[x] for x in cage)) for cage in cages))


def neighbours(x: int) -> Iterator[int]:
    """Yield the squares beside a square of a 9x9 board."""
    row, column = divmod(x, 9)
    for r, c in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
        if 0 <= r < 9 and 0 <= c < 9:
            yield 9 * r + c


def kakuro(seed: int, side: int) -> Kakuro:
    """Return a kakuro of that side, about a fifth of it black, its runs of 2 to 9 squares."""
    random = Random(seed)
    while True:
        white = {(r, c) for r in range(side) for c in range(side) if random.random() < 0.8}
        while wrong := [run for run in runs(white, side) if not 2 <= len(run) <= 9]:
            white -= {random.choice(run) for run in wrong}
        index = {square: x for x, square in enumerate(sorted(white))}
        units = [tuple(index[square] for square in run) for run in runs(white, side)]
        if len(white) > side and (values := filled(len(white), units, random)):
            numbers = {r * side + c: values[index[r, c]] for r, c in white}
            return kakuros.kakuro((side, side), numbers)


def runs(white: set[Square], side: int) -> list[list[Square]]:
    """Return the horizontal and vertical runs of white squares."""
    lines = [[(r, c) for c in range(side)] for r in range(side)]
    lines += [[(r, c) for r in range(side)] for c in range(side)]
    found = []
    for line in lines:
        run: list[Square] = []
        for square in [*line, (-1, -1)]:
            if square in white:
                run.append(square)
            elif run:
                found.append(run)
                run = []
    return found
