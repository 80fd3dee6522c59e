"""Solutions of small boards by brute force, from the text of a line alone: the reference of the tests.

It shares no code with the readers, the constraints or the solvers.
"""

from collections.abc import Callable, Iterator
from functools import cache
from itertools import permutations, product
from math import isqrt, prod

Grid = tuple[int, ...]


@cache
def latin_squares(n: int) -> list[Grid]:
    """Return all Latin squares of order n, up to 4."""
    found: list[Grid] = [()]
    for _ in range(n):
        found = [
            grid + row
            for grid in found
            for row in permutations(range(1, n + 1))
            if all(row[c] not in grid[c::n] for c in range(n))
        ]
    return found


def fits(grid: Grid, givens: str) -> bool:
    return all(mark in (".", str(number)) for number, mark in zip(grid, givens, strict=True))


def groups(marks: str) -> dict[str, list[int]]:
    return {mark: [s for s, other in enumerate(marks) if other == mark] for mark in marks}


def different(grid: Grid, squares: list[int]) -> bool:
    return len({grid[s] for s in squares}) == len(squares)


def killer(box: str, *words: str) -> list[Grid]:
    rows, columns = map(int, box.split("x"))
    n = rows * columns
    diagonals = [list(range(0, n * n, n + 1)), list(range(n - 1, n * n - 1, n - 1))] if "diagonals" in words else []
    words = tuple(w for w in words if w != "diagonals")
    maps, clues = [w for w in words if "=" not in w], dict(w.split("=") for w in words if "=" in w)
    cages = groups(maps[-1])
    boxes = [
        [s for s in range(n * n) if (s // n // rows, s % n // columns) == at] for at in product(range(n), range(n))
    ]
    return [
        grid
        for grid in latin_squares(n)
        if fits(grid, maps[0] if len(maps) > 1 else "." * n * n)
        and all(different(grid, squares) for squares in boxes + diagonals)
        and all(different(grid, cages[m]) and sum(grid[s] for s in cages[m]) == int(t) for m, t in clues.items())
    ]


def kenken(order: str, marks: str, *words: str) -> list[Grid]:
    cages = groups(marks)

    def holds(grid: Grid, word: str) -> bool:
        mark, clue = word.translate(str.maketrans("x×÷", "**/")).split("=")
        numbers = sorted(grid[s] for s in cages[mark])
        number, operator = int(clue.rstrip("+*-/")), clue.lstrip("0123456789") or "+"
        if operator in "-/":
            small, large = numbers
            return large - small == number if operator == "-" else large == number * small
        return (sum(numbers) if operator == "+" else prod(numbers)) == number

    return [grid for grid in latin_squares(int(order)) if all(holds(grid, word) for word in words)]


def futoshiki(order: str, givens: str, *words: str) -> list[Grid]:
    n = int(order)

    def at(grid: Grid, name: str) -> int:
        return grid["ABCDEFGH".index(name[0]) * n + int(name[1]) - 1]

    def holds(grid: Grid, word: str) -> bool:
        a, b = word.replace(">", "<").split("<")
        return (at(grid, a) < at(grid, b)) == ("<" in word)

    return [g for g in latin_squares(n) if fits(g, givens) and all(holds(g, word) for word in words)]


def jigsaw(marks: str, givens: str) -> list[Grid]:
    regions = groups(marks).values()
    squares = latin_squares(isqrt(len(marks)))
    return [g for g in squares if fits(g, givens) and all(different(g, region) for region in regions)]


def queens(order: str, squares: str) -> list[Grid]:
    n, found = int(order), []
    for columns in permutations(range(n)):
        grid = "".join("Q" if columns[r] == c else "x" for r in range(n) for c in range(n))
        apart = all(len({c + way * r for r, c in enumerate(columns)}) == n for way in (1, -1))
        if apart and all(mark in (".", found_mark) for mark, found_mark in zip(squares, grid, strict=True)):
            found.append(tuple(int(mark == "Q") for mark in grid))
    return found


def magic(order: str, *words: str) -> list[Grid]:
    assert order == "3"
    lines = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
    return [
        grid
        for grid in permutations(range(1, 10))
        if all(sum(grid[s] for s in line) == 15 for line in lines)
        and all(word in (".", str(number)) for word, number in zip(words, grid, strict=True))
    ]


def kakuro(size: str, *words: str) -> list[Grid]:
    height, width = map(int, size.split("x"))
    runs: list[tuple[list[int], int]] = []
    for r, c in product(range(height), range(width)):
        for step, clue in zip((width, 1), words[r * width + c].partition("\\")[::2], strict=True):
            if "\\" in words[r * width + c] and clue:
                end = height * width if step == width else (r + 1) * width
                run = []
                for p in range(r * width + c + step, end, step):
                    if words[p] not in (".", *"123456789"):
                        break
                    run.append(p)
                runs.append((run, int(clue)))
    squares = [p for p, word in enumerate(words) if word in (".", *"123456789")]

    def search(numbers: dict[int, int]) -> Iterator[Grid]:
        for run, total in runs:
            known = [numbers[p] for p in run if p in numbers]
            if len(set(known)) < len(known) or sum(known) > total or (len(known) == len(run) and sum(known) != total):
                return
        if len(numbers) == len(squares):
            yield tuple(numbers.values())
            return
        p = squares[len(numbers)]
        for number in range(1, 10) if words[p] == "." else [int(words[p])]:
            yield from search(numbers | {p: number})

    return list(search({}))


def is_connected(squares: list[int], n: int) -> bool:
    """Return True if each square is reached over edges."""
    reached = {squares[0]}
    for _ in squares:
        reached |= {s for s in squares for p in reached if abs(s // n - p // n) + abs(s % n - p % n) == 1}
    return reached == set(squares)


SOLVE: dict[str, Callable[..., list[Grid]]] = {
    "killer": killer,
    "kenken": kenken,
    "futoshiki": futoshiki,
    "jigsaw": jigsaw,
    "queens": queens,
    "magic": magic,
    "kakuro": kakuro,
}


def solutions(line: str) -> list[Grid]:
    """Return the numbers of all squares of each solution of a line."""
    family, *words = line.partition(":")[0].split()
    return sorted(SOLVE[family](*words))
