"""KenKen as a list of cages, one a line: its result and operator, and its squares, numbered row by row from 1.

    11+ 1,7
    2/ 2,3
    20x 4,10

Puzzles are separated by blank lines.
"""

import re
from collections.abc import Iterator, Sequence
from math import isqrt

from puzzles.errors import ParseError
from puzzles.readers.boards.lookahead import Line
from puzzles.readers.boards.notations.rows import blocks, cage_line, is_text

CAGE = re.compile(r"\s*([0-9]{1,9})\s?([-+*/x×÷]?)\s+([0-9]{1,3}(?:\s*,\s*[0-9]{1,3})*)\s*")
MIN_CAGES = 2


def recognise(opening: Sequence[str]) -> bool:
    """Return True if the first lines are cages, and one has an operator."""
    found = [CAGE.fullmatch(text) for text in opening[:MIN_CAGES]]
    return len(found) == MIN_CAGES and all(found) and any(match and match[2] and "," in match[3] for match in found)


def translate(lines: Iterator[Line]) -> Iterator[Line]:
    """Yield each puzzle as a line of KenKen, at its first line. Raises ParseError."""
    for block in blocks(lines):
        yield block[0][0], puzzle(block) if is_text(block[0][1]) else block[0][1]


def puzzle(block: list[Line]) -> str:
    """Return the line of a puzzle. Raises ParseError."""
    cage: dict[int, int] = {}
    clues: list[str] = []
    for number, text in block:
        match = CAGE.fullmatch(text)
        if not match:
            raise ParseError("expected a cage, such as '11+ 1,7': its result and the numbers of its squares", number)
        clues.append(f"c{len(clues) + 1}={match[1]}{match[2].replace('x', '*')}")
        for word in match[3].split(","):
            if cage.setdefault(int(word), len(clues)) != len(clues):
                raise ParseError(f"square {word.strip()} is in two cages", number)
    n = isqrt(max(cage))
    missing = next((s for s in range(1, n * n + 1) if s not in cage), 0)
    if n * n != max(cage) or 0 in cage or missing:
        why = f"square {missing} is in no cage" if missing else f"squares are numbered from {min(cage)} to {max(cage)}"
        raise ParseError(f"{why}: a board of n rows has the squares 1 to n*n, each in a cage", block[0][0])
    return cage_line(f"kenken {n}", (f"c{cage[s]}" for s in range(1, n * n + 1)), clues)
