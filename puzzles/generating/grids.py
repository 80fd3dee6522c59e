"""Random full grids, from which puzzles are generated. The Random passed in determines everything.

    grid   a value index per square, a solution of the empty board
    chain  a component, connected by units, of the squares that hold one of two values, which may swap along it

Three methods: random search up to 9x9; random matchings row after row for Latin squares; for larger boards a cyclic
pattern, transformed by a symmetry and mixed along chains. None draws uniformly from all grids.
"""

from collections.abc import Iterable
from itertools import product
from math import isqrt
from random import Random

from puzzles.boards.families import families, family_of
from puzzles.boards.families.sudoku import parse_box
from puzzles.boards.layout import Layout
from puzzles.problem.values import Solution, bits

SEARCHED = ("sudoku", "sudoku-x", "windoku")  # families whose boards random search fills
MAX_SEARCHED_SQUARES = 81  # squares: up to here random search fills a board quickly
TRADES_PER_SQUARE = 12  # trades of either kind; chains alone never leave the pattern of a 25x25 board


class GenerationError(ValueError):
    """No board of a kind can be made on a layout, or the search found none; the text says which."""


def full_grid(layout: Layout, random: Random) -> Solution:
    """Return a random full grid of a Latin layout, or one of SEARCHED. Raises GenerationError for other layouts."""
    family = family_of(layout)
    if family is families()["latin"]:
        return latin_grid(isqrt(len(layout.squares)), random)
    if family is None or family.name not in SEARCHED:
        raise GenerationError(f"can't generate {layout.name}: known are latin, {', '.join(SEARCHED)}")
    if len(layout.squares) <= MAX_SEARCHED_SQUARES:
        return search_grid(layout, random)
    if family is not families()["sudoku"]:
        raise GenerationError(f"can't generate {layout.name}: more than {MAX_SEARCHED_SQUARES} squares")
    image = family.symmetry(layout, random)
    moved = cyclic_grid(layout)
    return mix_grid(layout, tuple(moved[s] for s in image), random)


def search_grid(layout: Layout, random: Random) -> Solution:
    """Return a grid by depth-first search on fewest candidates, ties and values in random order."""
    order = random.sample(range(len(layout.squares)), len(layout.squares))

    def fill(domains: list[int], left: list[int]) -> list[int] | None:
        if not left:
            return domains
        s = min(left, key=lambda s: domains[s].bit_count())
        left = [p for p in left if p != s]
        values = list(bits(domains[s]))
        for v in random.sample(values, len(values)):
            trial = domains.copy()
            trial[s] = 1 << v
            for p in layout.peers[s]:
                trial[p] &= ~(1 << v)
            found = fill(trial, left) if all(map(trial.__getitem__, left)) else None
            if found is not None:
                return found
        return None

    grid = fill(list(layout.open), order)
    if grid is None:
        raise GenerationError(f"{layout.name} has no full grid")
    return tuple(mask.bit_length() - 1 for mask in grid)


def latin_grid(n: int, random: Random) -> Solution:
    """Return a Latin square built row by row.

    Each row is a random perfect matching of columns to their missing values; one exists by Hall's theorem.
    """
    lacks = [set(range(n)) for _ in range(n)]
    rows: list[list[int]] = []
    for _ in range(n):
        column_of: dict[int, int] = {}
        choices = [random.sample(sorted(values), len(values)) for values in lacks]

        def match(c: int, tried: set[int], choices: list[list[int]], column_of: dict[int, int]) -> bool:
            for v in choices[c]:
                if v not in tried:
                    tried.add(v)
                    if v not in column_of or match(column_of[v], tried, choices, column_of):
                        column_of[v] = c
                        return True
            return False

        for c in random.sample(range(n), n):
            match(c, set(), choices, column_of)
        row = sorted(column_of, key=column_of.__getitem__)
        for c, v in enumerate(row):
            lacks[c].remove(v)
        rows.append(row)
    return tuple(rows[r][c] for r, c in product(random.sample(range(n), n), range(n)))


def cyclic_grid(layout: Layout) -> Solution:
    """Return the cyclic grid of a Sudoku: each row is shifted by a box, each band by one more."""
    rows, columns = parse_box(layout.name.split()[1])
    n = rows * columns
    return tuple((columns * (r % rows) + r // rows + c) % n for r, c in product(range(n), range(n)))


def mix_grid(layout: Layout, grid: Solution, random: Random) -> Solution:
    """Mix a Sudoku grid: alternately trade values along chains, and lines of a band along cycles."""
    current = list(grid)
    n = len(layout.values)
    rows, columns = parse_box(layout.name.split()[1])
    ways = [way for way in ((rows, n, 0), (columns, 1, n)) if way[0] > 1]  # lines in a band, step, first unit
    where = [[0] * n for _ in layout.units]

    def record(squares: Iterable[int]) -> None:
        for s in squares:
            for u in layout.units_of[s]:
                where[u][current[s]] = s

    def chain(a: int, b: int, s: int) -> list[int]:
        """Return the squares that must trade `a` for `b` together with s, which holds `a`."""
        found = [s]
        seen = {s}
        for s in found:
            other = b if current[s] == a else a
            for p in (where[u][other] for u in layout.units_of[s]):
                if p not in seen:
                    seen.add(p)
                    found.append(p)
        return found

    def cycle(line: int, s: int, apart: int) -> list[int]:
        """Return the squares of a line that must trade with the squares `apart` from them, together with s."""
        found = [s]
        while (s := where[line][current[s + apart]]) != found[0]:
            found.append(s)
        return found

    record(range(len(current)))
    for _ in range(TRADES_PER_SQUARE * len(current)):
        a, b = random.sample(range(n), 2)
        for s in (moved := chain(a, b, where[random.randrange(len(where))][a])):
            current[s] = b if current[s] == a else a
        record(moved)
        lines, step, first = random.choice(ways)
        band = random.randrange(n // lines) * lines
        i, j = (band + k for k in random.sample(range(lines), 2))
        apart = (j - i) * step
        for s in (moved := cycle(first + i, layout.units[first + i][random.randrange(n)], apart)):
            current[s], current[s + apart] = current[s + apart], current[s]
        record([*moved, *(s + apart for s in moved)])
    return tuple(current)
