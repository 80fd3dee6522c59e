"""Cages as a map, one mark per square, with a legend: killer Sudoku and KenKen.

    abbc            6 1 1 2           2- . 24* .       a killer may have its givens before or beside the map;
    a2cc            6 6 3 2           .  . .   .       a number in the map of a KenKen without a clue is a given
    a: 1-           1 + 10            1 1 2 2          (right: the clue of a cage in one of its squares, then the map)
    b 3-            2 * 24            ...

Lines of words before a map are titles: one with `diagonals` or `killer-x` adds the diagonals of a killer. With an
operator in a clue the puzzle is a KenKen, else a killer, whose boxes follow from its size.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import chain
from math import isqrt

from puzzles.errors import ParseError, brief
from puzzles.readers.boards.cells import RULE
from puzzles.readers.boards.lookahead import Line
from puzzles.readers.boards.notations.rows import Grid, cage_line, equal_rows, one_by_one, squares_of

OPERATOR = r"[-+*/x×÷]"
MARKED = r"([A-Za-z]|[0-9]{1,3})"
CLUE = re.compile(
    rf"(?:{MARKED}\s*[:=]\s*|([A-Za-z])\s*|([0-9]{{1,3}})\s+(?={OPERATOR}))(?:({OPERATOR})\s*)?([0-9]{{1,9}})(?:\s*({OPERATOR})(?!\s*[:=]))?"
)
TITLE = re.compile(r"\.KK\b.*|.*[^\W\d_]{3,}\W.*|[^\W\d_]{3,}")
DIAGONALS = re.compile(r"(?i)\bdiagonals?\b|\b(?:killer|sudoku)[- ]?x\b")
CLUE_WORD = re.compile(rf"([0-9]{{1,9}})({OPERATOR}?)")
OPEN = {".", "-", "_", "0"}
SIZE = re.compile(r"\s*([0-9]{1,4})(?:\s+[0-9]{1,4})?\s*")
MIN_ORDER, MAX_ORDER = 3, 25


def recognise(opening: Sequence[str]) -> bool:
    """Return True if the first lines are a map of cages with the clue of each."""
    try:
        return parts_of([(0, text) for text in opening if not RULE.fullmatch(text)]) is not None
    except ParseError:
        return True  # a map and clues that do not fit each other


def translate(lines: Iterator[Line]) -> Iterator[Line]:
    """Yield each puzzle as a line of killer or KenKen. Raises ParseError."""
    yield from one_by_one((line for line in lines if not RULE.fullmatch(line[1])), puzzle)


def puzzle(lines: list[Line]) -> tuple[str, int]:
    """Return the line of the first puzzle, and its number of lines of text. Raises ParseError."""
    if found := parts_of(lines):
        return found
    raise ParseError(f"{brief(lines[0][1].strip())}: expected a map of cages, then the clue of each", lines[0][0])


def parts_of(lines: list[Line]) -> tuple[str, int] | None:
    """Return a puzzle on one line, and the number of lines that draw it; None if the lines draw no puzzle."""
    titles = 0
    while titles < len(lines) and is_title(lines, titles):
        titles += 1
    at = titles + is_size([text for _, text in lines[titles:]])
    rows = [text for _, text in lines[at:]]
    split = beside(rows)
    n = len(split[0][0]) if split else len(squares_of(rows[0])) if rows else 0
    if not MIN_ORDER <= n <= MAX_ORDER:
        return None
    first = split[0] if split else equal_rows(rows, n, n)
    second = split[1] if split else equal_rows(rows[n:], n, n) if first and not is_clue(rows[n : n + 1]) else None
    if first is None:
        return None
    words = " ".join(text for _, text in lines[:titles])
    used = at + (n if split or second is None else 2 * n)
    clues, more = clues_of([text for _, text in lines[used:]])
    if not clues:
        drawn = cages_in_grids(first, second, n) if second else None
        return (line_of(drawn[0], drawn[1], None, words, lines[at][0]), used) if drawn else None
    givens, cages = (first, second) if second and not is_map(first) else (second, first)
    if not any(mark in clues for row in cages for mark in row):
        return None
    return line_of(cages, clues, givens, words, lines[at][0]), used + more


def is_title(lines: list[Line], at: int) -> bool:
    """Return True if a line is words, and not the first row of a map."""
    text = lines[at][1].strip()
    following = lines[at + 1][1].strip() if at + 1 < len(lines) else ""
    return bool(TITLE.fullmatch(text)) and len(squares_of(text)) != len(squares_of(following)) and not is_clue([text])


def is_size(texts: Sequence[str]) -> bool:
    """Return True if the first line states the size of the map below it, and perhaps the number of cages."""
    match = SIZE.fullmatch(texts[0]) if len(texts) > 1 else None
    return match is not None and len(squares_of(texts[1])) == int(match[1])


def beside(rows: Sequence[str]) -> tuple[Grid, Grid] | None:
    """Return the givens and the map that stand beside each other, or None."""
    words = [text.split() for text in rows[: len(rows[0].split()[0])]] if rows else []
    n = len(words)
    if n < MIN_ORDER or any(len(row) != 2 or len(row[0]) != n or len(row[1]) != n for row in words):
        return None
    return [list(row[0]) for row in words], [list(row[1]) for row in words]


def is_map(grid: Grid) -> bool:
    """Return True if a grid has a letter."""
    return any(mark.isalpha() for row in grid for mark in row)


def is_clue(texts: Sequence[str]) -> bool:
    """Return True if the first line has clues of cages alone."""
    return bool(texts) and not CLUE.sub("", texts[0]).strip(" ,;\t|") and CLUE.search(texts[0]) is not None


def clues_of(texts: Sequence[str]) -> tuple[dict[str, str], int]:
    """Return the clues of cages, such as '10+', and their number of lines. Raises ParseError if a cage has two."""
    clues: dict[str, str] = {}
    for count, text in enumerate(texts):
        if not is_clue([text]):
            return clues, count
        for colon, letter, digit, before, number, after in CLUE.findall(text):
            mark = colon or letter or digit
            if mark in clues:
                if count and len(clues) > 1 and mark == next(iter(clues)):
                    return clues, count
                raise ParseError(f"{brief(text.strip())}: cage {mark} has a clue already")
            clues[mark] = f"{number}{before or after}"
    return clues, len(texts)


def cages_in_grids(first: Grid, second: Grid, n: int) -> tuple[Grid, dict[str, str]] | None:
    """Return a cage map and its clues from a grid of cages and a grid with a clue in each; None for other grids.

    One with a clue in every square is none: these are rows of digits, whose open squares are blanks.
    """
    stated = [(mark, word) for word, mark in zip(chain(*first), chain(*second), strict=True) if word not in OPEN]
    clues, marks = dict(stated), {*chain(*second)}
    larger = any(not clue.isdecimal() or int(clue) > n for clue in clues.values())
    fits = all(CLUE_WORD.fullmatch(clue) for clue in clues.values()) and len(clues) == len(stated) < n * n
    return (second, clues) if fits and larger and marks == {*clues} and not marks & {".", "-", "_"} else None


def line_of(cages: Grid, clues: dict[str, str], givens: Grid | None, words: str, number: int) -> str:
    """Return the line of a puzzle. Raises ParseError."""
    n = len(cages)
    killer = not any(clue[-1] in "-+*/x×÷" for clue in clues.values())
    box = isqrt(n)
    if killer and box * box != n:
        raise ParseError(
            f"cages with sums on {n} rows: write the operator of each clue, as in a=10+, for a KenKen, or a line"
            " 'killer ROWSxCOLUMNS CAGES a=10 ...'",
            number,
        )
    names, stated, found = dict[str, str](), list[str](), list[str]()
    for mark in chain(*cages):
        if mark in clues:
            found.append(names.setdefault(mark, f"c{len(names) + 1}"))
        elif not killer and mark.isdecimal() and 1 <= int(mark) <= n:
            found.append(f"g{len(found)}")
            stated.append(f"{found[-1]}={mark}")
        elif mark in OPEN:
            found.append(".")
        else:
            raise ParseError(f"cage {mark} has no clue below the map", number)
    if unused := [mark for mark in clues if mark not in names]:
        raise ParseError(f"the map has no cage {unused[0]}, which has a clue", number)
    stated += [f"{name}={clues[mark].replace('x', '*')}" for mark, name in names.items()]
    head = f"killer {box}x{box}{' diagonals' * bool(DIAGONALS.search(words))}" if killer else f"kenken {n}"
    return cage_line(head, found, stated, ("." if mark in OPEN else mark for mark in chain(*givens or [])))
