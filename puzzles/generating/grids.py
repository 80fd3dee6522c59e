"""Random full grids: where generated puzzles start. Everything follows from the Random that is passed in.

    grid   a value index for each square, a solution of the empty board
    chain  the squares joined by units among those that hold one of two values; the two may trade places along it

Three ways, by what the board is: a random search up to 9x9; row after row by random matchings for Latin squares; a
cyclic pattern, moved by a symmetry and mixed along chains, for larger boards. None draws uniformly from all grids.
"""

from collections.abc import Iterable
from itertools import product
from math import isqrt
from random import Random

from puzzles.families import families, family_of
from puzzles.families.sudoku import box
from puzzles.layout import Layout, Solution, bits

SEARCHED = 81  # squares: up to here a random search fills a board without getting lost
MOVES = 12  # trades of either kind a square; chains alone never leave the pattern of a 25x25 board


class GenerationError(ValueError):
    """No board of that kind can be made on that layout, or none was found; the text says which."""


def full(layout: Layout, random: Random) -> Solution:
    """A random full grid of a Sudoku or a Latin square. Raises GenerationError for other layouts."""
    family = family_of(layout)
    if family is families()["latin"]:
        return latin(isqrt(len(layout.squares)), random)
    if family is not families()["sudoku"]:
        raise GenerationError(f"no grid can be drawn for {layout.name}: generate makes sudoku and latin boards")
    if len(layout.squares) <= SEARCHED:
        return searched(layout, random)
    image = family.symmetry(layout, random)
    moved = pattern(layout)
    return mixed(layout, tuple(moved[s] for s in image), random)


def searched(layout: Layout, random: Random) -> Solution:
    """A depth-first search on fewest candidates, ties and values in random order."""
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


def latin(n: int, random: Random) -> Solution:
    """Row after row, each a random perfect matching of columns to the values they still lack (Hall: there is one)."""
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


def pattern(layout: Layout) -> Solution:
    """The cyclic grid of a Sudoku: each row is the one above moved by a box, each band by one more."""
    rows, columns = box(layout.name.split()[1])
    n = rows * columns
    return tuple((columns * (r % rows) + r // rows + c) % n for r, c in product(range(n), range(n)))


def mixed(layout: Layout, grid: Solution, random: Random) -> Solution:
    """Trades values along chains and lines of a band along cycles, in turn, MOVES times a square, of a Sudoku."""
    held = list(grid)
    n = len(layout.values)
    rows, columns = box(layout.name.split()[1])
    ways = [way for way in ((rows, n, 0), (columns, 1, n)) if way[0] > 1]  # lines in a band, step, first unit
    where = [[0] * n for _ in layout.units]

    def note(squares: Iterable[int]) -> None:
        for s in squares:
            for u in layout.units_of[s]:
                where[u][held[s]] = s

    def chain(a: int, b: int, s: int) -> list[int]:
        """The squares that must trade `a` for `b` when `s`, which holds `a`, does."""
        found = [s]
        seen = {s}
        for s in found:
            other = b if held[s] == a else a
            for p in (where[u][other] for u in layout.units_of[s]):
                if p not in seen:
                    seen.add(p)
                    found.append(p)
        return found

    def cycle(line: int, s: int, apart: int) -> list[int]:
        """The squares of a line that must trade with those `apart` from them, in the same band, when `s` does."""
        found = [s]
        while (s := where[line][held[s + apart]]) != found[0]:
            found.append(s)
        return found

    note(range(len(held)))
    for _ in range(MOVES * len(held)):
        a, b = random.sample(range(n), 2)
        for s in (moved := chain(a, b, where[random.randrange(len(where))][a])):
            held[s] = b if held[s] == a else a
        note(moved)
        lines, step, first = random.choice(ways)
        band = random.randrange(n // lines) * lines
        i, j = (band + k for k in random.sample(range(lines), 2))
        apart = (j - i) * step
        for s in (moved := cycle(first + i, layout.units[first + i][random.randrange(n)], apart)):
            held[s], held[s + apart] = held[s + apart], held[s]
        note([*moved, *(s + apart for s in moved)])
    return tuple(held)
