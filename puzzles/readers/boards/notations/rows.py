"""Rows of squares in a text, and puzzles of a text one after the other. All raise ParseError."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from puzzles.errors import ParseError
from puzzles.readers.boards.lookahead import Line

MAX_CHARS = 2000  # of a line
MAX_LINES = 20_000  # of a file in one of these notations, which hold some puzzles each
Grid = list[list[str]]


def squares_of(text: str, width: int = 0) -> list[str]:
    """Return the marks of a row: its words, or its characters if it is one word, or has `width` of them."""
    words = text.replace("|", " ").replace(",", " ").replace(";", " ").replace("\t", " ").split()
    joined = "".join(words)
    parted = "|" in text and joined.isalpha() and len(set(map(len, words))) == 1  # between boxes
    return (
        list(joined) if parted or len(words) == 1 or (width and len(words) != width and len(joined) == width) else words
    )


def is_text(text: str) -> bool:
    """Return True unless a line is blank or a comment."""
    return bool(text.strip()) and text.lstrip()[0] != "#"


def held(lines: Iterator[Line]) -> list[Line]:
    """Return all lines. Raises ParseError if there are too many."""
    found = []
    for number, raw in lines:
        if number > MAX_LINES:
            raise ParseError(
                f"more than {MAX_LINES} lines of boards that are drawn: write each board on a line", number
            )
        if len(raw) > MAX_CHARS:
            raise ParseError(f"a line of more than {MAX_CHARS} characters in a board that is drawn", number)
        found.append((number, raw))
    return found


def directives(line: Line) -> Iterator[Line]:
    """Yield the line if it is a `#:` line."""
    if line[1].lstrip().startswith("#:"):
        yield line


def blocks(lines: Iterator[Line], is_row: Callable[[str], bool] = lambda text: False) -> Iterator[list[Line]]:
    """Yield the lines of each block up to a blank line, and each `#:` line as a block; `is_row` takes lines with #."""
    block: list[Line] = []
    for line in (*held(lines), (0, "")):
        if is_text(line[1]) or is_row(line[1]):
            block.append(line)
        elif block and not line[1].strip():
            yield block
            block = []
        yield from ([line] for line in directives(line))


def equal_rows(lines: Sequence[str], count: int, width: int) -> Grid | None:
    """Return the first lines as rows of squares if each has `width`, else None."""
    rows = [squares_of(text, width) for text in lines[:count]]
    return rows if len(rows) == count and all(len(row) == width for row in rows) else None


def one_by_one(lines: Iterator[Line], read: Callable[[list[Line]], tuple[str, int]]) -> Iterator[Line]:
    """Yield each puzzle at its first line; `read` takes lines of text, and returns its line and their number."""
    every = held(lines)
    texts: list[Line] = []
    for line in every:
        yield from directives(line)
        if is_text(line[1]):
            texts.append(line)
    at = 0
    while at < len(texts):
        text, used = read(texts[at:])
        yield texts[at][0], text
        at += used


def cage_line(family: str, cages: Iterable[object], clues: Iterable[str], givens: Iterable[str] = ()) -> str:
    """Return a line of a board with cages: its family, its givens if any, the cage of each square, and the clues."""
    stated = ",".join(givens)
    return " ".join([family, *[stated] * bool(stated), ",".join(map(str, cages)), *clues])
