"""Boards as arrays: JSON and Python lists, MiniZinc's `[| 5, 3, _ | 6, ... |]`.

    array   nested lists of words, the strings and numbers in it
    board   a list of rows, a row a list of squares or a string; or all squares in one list or string

Text before '=' and after the last bracket is ignored, so an assignment is read as well.
"""

import re
from collections.abc import Iterator, Sequence
from math import isqrt

from puzzles.errors import ParseError, brief
from puzzles.readers.boards.lookahead import Line


class Items(list["Array"]):
    """A list, and the line on which it starts."""

    line = 0


Array = Items | str
TOKEN = re.compile(r"\[\||\|\]|\"[^\"]*\"|'[^']*'|[\[\](){}|,;]|[^\s\[\](){}|,;\"']+|[\"']")
OPENING = re.compile(r"(?:[^=\[]*(?:\[[^\]]*\][^=\[]*)?=)?\s*(?:\[\||[\[({]\s*(?:[\[({\"']|\W?\w{0,2}\s*,|$))")
COMMENT = re.compile(r"\s*(?:#|%|//).*")
OPEN = ("", "_", "null", "None", "-", " ")
MAX_SQUARE_CHARS = 3
MAX_DEPTH = 8
MAX_WORDS = 1_000_000  # words of one array


def recognise(opening: Sequence[str]) -> bool:
    """Return True if the first lines open an array."""
    return any("[|" in line for line in opening) or (bool(opening) and OPENING.match(opening[0]) is not None)


def translate(lines: Iterator[Line]) -> Iterator[Line]:
    """Yield each board on one line, at the line on which its array starts. Raises ParseError."""
    parser = ArrayParser()
    for number, raw in lines:
        text = COMMENT.sub("", raw) if raw.lstrip()[:1] in ("%", "/") else raw
        if not parser.stack and (not text.strip() or text.lstrip().startswith("#")):
            yield number, text
            continue
        array = parser.feed(text if parser.stack else text.rpartition("=")[2], number)
        if array is not None:
            yield from boards(array, parser.start)
    if parser.stack:
        raise ParseError("the array that starts here is not closed: is the file truncated?", parser.start)


class ArrayParser:
    """Open brackets of the array being read; `start` is its line."""

    def __init__(self) -> None:
        self.stack: list[Items] = []
        self.start = 0
        self.words = 0

    def feed(self, text: str, number: int) -> Items | None:
        """Read a line; return the array that it completes, if any. Raises ParseError."""
        done: Items | None = None
        for token in TOKEN.findall(text):
            if token == "{":
                raise ParseError(
                    "a JSON object: state the array of the board alone, such as [[5, 3, ...], ...]", number
                )
            if token in ("[", "(", "[|"):
                if not self.stack:
                    if done is not None:
                        raise ParseError("two arrays on one line: write each on a line of its own", number)
                    self.start, self.words = number, 0
                self.open(2 if token == "[|" else 1, number)
            elif token in ("]", ")", "|]", "|"):
                done = self.close(token, number) or done
            elif token not in (",", ";") and self.stack:
                self.words += 1
                if self.words > MAX_WORDS:
                    raise ParseError(f"an array of more than {MAX_WORDS} words", number)
                self.stack[-1].append(token.strip("\"'") if len(token) > 1 else token)
        return done

    def open(self, lists: int, number: int) -> None:
        """Open nested lists. Raises ParseError if there are too many."""
        if len(self.stack) + lists > MAX_DEPTH:
            raise ParseError(f"lists nested deeper than {MAX_DEPTH}: a board is a list of rows", number)
        for _ in range(lists):
            self.stack.append(Items())
            self.stack[-1].line = number

    def close(self, token: str, number: int) -> Items | None:
        """Close a list, or for '|' a row; return the array if it was the outermost."""
        for _ in range(2 if token == "|]" else 1):
            if not self.stack or (token == "|" and len(self.stack) < 2):
                return None
            inner = self.stack.pop()
            if not self.stack:
                return inner
            if inner or token in ("]", ")"):
                self.stack[-1].append(inner)
        if token == "|":
            self.open(1, number)
        return None


def boards(array: Array, number: int) -> Iterator[Line]:
    """Yield each board of an array as a line. Raises ParseError."""
    if isinstance(array, str):
        yield number, array.replace(" ", ".")
    elif all(map(is_square, array)):
        yield array.line, " ".join(map(mark, array))
    elif is_board(array):
        yield array.line, " ".join(mark(cell) for row in array for cell in row)
    else:
        for item in array:
            if is_square(item):
                raise ParseError(f"{brief(str(item))} stands beside a list: rows of a board are of one kind", number)
            yield from boards(item, array.line)


def is_square(item: Array) -> bool:
    """Return True if an item is the word of one square."""
    return isinstance(item, str) and (len(item) <= MAX_SQUARE_CHARS or item in OPEN)


def is_board(array: Items) -> bool:
    """Return True if the items are rows of one length: as many as they are long, or too short to be boards."""
    length = len(array[0])
    squares = all(len(row) == length and all(map(is_square, row)) for row in array)
    return squares and (len(array) == length or isqrt(length) ** 2 != length)


def mark(word: Array) -> str:
    """Return the mark of a square."""
    return "." if word in OPEN else str(word)
