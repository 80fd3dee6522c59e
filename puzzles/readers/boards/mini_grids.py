"""Boards drawn with their candidates, each square as a small grid of them:

    12. 1.3 ...|            a line of words, one per square; each has a character for some values
    4.. .5. ...|   or the open mark where a value is no candidate; lines of one row of squares follow each other
    ..9 ... .8.|

Each row of squares becomes one line with a group of candidates per square. A line of 729 characters, one for each
value of each square, is the same for a 9x9 board on one line.
"""

import re
from collections.abc import Iterator, Sequence

from puzzles.boards.layout import Layout
from puzzles.errors import ParseError
from puzzles.readers.boards.cells import RULE
from puzzles.readers.boards.lookahead import Line
from puzzles.readers.boards.marks import NONE_LEFT
from puzzles.readers.boards.normalise import normalise
from puzzles.readers.boards.sizes import by_size

ABSENT = ".0_-*"
MAX_ORDER = 25


def words_of(raw: str) -> list[str]:
    """Return the words of a line, one per square."""
    return normalise(raw).replace("|", " ").split()


def fits(words: Sequence[str], layout: Layout, first: int) -> bool:
    """Return True if each word has a character for each of the values from `first` on."""
    slots = [(value, *ABSENT) for value in layout.values[first : first + len(words[0])]]
    return all(len(w) == len(slots) and all(c in p for c, p in zip(w, slots, strict=True)) for w in words)


def draw_row(lines: Sequence[Sequence[str]], n: int) -> bool:
    """Return True if lines of n words draw the first lines of a row of squares."""
    layout, wide = by_size(n * n, None) if 4 <= n <= MAX_ORDER else None, len(lines[0][0])
    if layout is None or not 1 < wide < n or n % wide:
        return False
    return all(len(words) == n and fits(words, layout, i * wide) for i, words in enumerate(lines))


def recognise(opening: Sequence[str]) -> bool:
    """Return True if the first lines draw one row of squares, or if the first has a character for each candidate."""
    lines = [words for line in opening if not RULE.fullmatch(normalise(line).strip()) and (words := words_of(line))]
    high = len(lines[0]) // len(lines[0][0]) if lines else 0
    return (0 < high <= len(lines) and draw_row(lines[:high], len(lines[0]))) or is_line(*opening[:1])


def is_line(text: str = "") -> bool:
    """Return True if a line has a character for each value of each square of a 9x9 board."""
    squares = [text[i : i + 9] for i in range(0, len(text), 9)]
    layout = by_size(81, None)
    return len(text) == 729 and layout is not None and fits(squares, layout, 0)


def translate(lines: Iterator[Line]) -> Iterator[Line]:
    """Yield a line per row of squares; rules, blank lines and comments stay. Raises ParseError."""
    pending: list[list[str]] = []
    start, n = 0, 0
    for number, raw in lines:
        text = normalise(raw).strip()
        if not text or text[0] == "#" or RULE.fullmatch(text) or not re.search(r"[\w.]", text):
            if not pending:
                yield number, raw
            continue
        if not pending and is_line(text):
            yield number, " ".join(group(text[i : i + 9]) for i in range(0, len(text), 9))
            continue
        pending.append(words_of(raw))
        start, n = (number, len(pending[0])) if len(pending) == 1 else (start, n)
        if not draw_row(pending, n):
            raise ParseError("expected the next line of a row of squares drawn with its candidates", number)
        if len(pending) * len(pending[0][0]) == n:
            yield start, " ".join(group("".join(parts)) for parts in zip(*pending, strict=True))
            pending = []
    if pending:
        raise ParseError("the row of squares that starts here is not complete: is the file truncated?", start)


def group(slots: str) -> str:
    """Return the candidates of a square, NONE_LEFT if there are none."""
    return "".join(c for c in slots if c not in ABSENT) or NONE_LEFT
