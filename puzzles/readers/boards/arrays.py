"""Boards as nested lists and objects: JSON, Python, C, numpy, MiniZinc's `[| 5, 3, _ | 6, ... |]`.

    array   nested lists of words, the strings and numbers in it; an object is a list that has fields by name
    board   a list of rows, a row a list of squares or a string; or all squares in one list or string

An object has its board in a field with a name of PUZZLE, and perhaps its solution. Text before '=' and after the last
bracket is ignored, so an assignment is read as well.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from math import isqrt

from puzzles.errors import ParseError, brief
from puzzles.readers.boards import marks
from puzzles.readers.boards.lookahead import Line
from puzzles.readers.boards.marks import DIGITS, LETTERS
from puzzles.readers.foreign import unread

PUZZLE = ("puzzle", "puzzles", "quiz", "quizzes", "sudoku", "board", "grid", "unsolved", "question", "problem")
SOLUTION = ("solution", "solutions", "answer", "answers", "solved")


class Items(list["Array"]):
    """A list, the line on which it starts, its fields if it is an object, and the name of the field to come."""

    def __init__(self, line: int) -> None:
        self.line = line
        self.fields: dict[str, Array] = {}
        self.name = ""

    def add(self, item: "Array") -> None:
        """Add an item, or the value of the field whose name came before it."""
        if self.name:
            self.fields[self.name], self.name = item, ""
        else:
            self.append(item)


Array = Items | str
TOKEN = re.compile(r"\[\||\|\]|\"(?:[^\"\\]|\\.)*\"|'[^']*'|(?:#|//|%).*|[\[\](){}|,;:]|[^\s\[\](){}|,;:\"']+|[\"']")
ASSIGNED = re.compile(r"^[^=\[{\"']*(?:(?<=[\w\]])\[[^\]]*\][^=\[{\"']*)*=")
OPENING = re.compile(
    rf"(?:{ASSIGNED.pattern})?" r"\s*(?:[\w.]+\()?(?:\[\||[\[({]\s*(?:[\[({\"']|\W?\w{0,2}(?:\.0*)?\s*,|$))"
)
COMMENTS = ("#", "//", "%")
MAX_SQUARE_CHARS = 3
MAX_DEPTH = 8
MAX_WORDS = 1_000_000  # words of one array


def recognise(opening: Sequence[str]) -> bool:
    """Return True if the first lines open an array."""
    return any("[|" in line for line in opening) or (bool(opening) and OPENING.match(opening[0]) is not None)


def translate(lines: Iterable[Line], read: Callable[["Array", int], Iterator[Line]] | None = None) -> Iterator[Line]:
    """Yield each board on one line, at the line on which its array starts. Raises ParseError.

    `read` returns the lines of an array, by default its boards.
    """
    parser = ArrayParser()
    for number, text in lines:
        if not parser.stack and text.strip()[:1] in ("", "#", "%", "/"):
            yield number, text if text.lstrip().startswith("#") else ""
            continue
        for array in parser.feed(text if parser.stack else ASSIGNED.sub("", text, count=1), number):
            yield from (read or boards)(array, array.line)
    if parser.stack:
        raise ParseError("the array that starts here is not closed: is the file truncated?", parser.stack[0].line)


class ArrayParser:
    """Open brackets of the array being read."""

    def __init__(self) -> None:
        self.stack: list[Items] = []
        self.words = 0

    def feed(self, text: str, number: int) -> list[Items]:
        """Read a line; return the arrays that it completes. Raises ParseError."""
        done: list[Items] = []
        for token in TOKEN.findall(text):
            if token.startswith(COMMENTS):
                break
            if token in ("[", "(", "{", "[|"):
                self.open(2 if token == "[|" else 1, number)
            elif token in ("]", ")", "}", "|]", "|"):
                done += self.close(token, number)
            elif token == ":" and self.stack and self.stack[-1] and isinstance(self.stack[-1][-1], str):
                self.stack[-1].name = str(self.stack[-1].pop()).lower()
            elif token not in (",", ";") and self.stack:
                self.words += 1
                if self.words > MAX_WORDS:
                    raise ParseError(f"an array of more than {MAX_WORDS} words", number)
                self.stack[-1].add(token.strip("\"'") if len(token) > 1 else token)
        return done

    def open(self, lists: int, number: int) -> None:
        """Open nested lists. Raises ParseError if there are too many."""
        if len(self.stack) + lists > MAX_DEPTH:
            raise ParseError(f"lists nested deeper than {MAX_DEPTH}: a board is a list of rows", number)
        if not self.stack:
            self.words = 0
        self.stack += [Items(number) for _ in range(lists)]

    def close(self, token: str, number: int) -> list[Items]:
        """Close a list, or for '|' a row; return the array if it was the outermost."""
        for _ in range(2 if token == "|]" else 1):
            if not self.stack or (token == "|" and len(self.stack) < 2):
                return []
            inner = self.stack.pop()
            if not self.stack:
                return [inner]
            if inner or inner.fields or token != "|":
                self.stack[-1].add(inner)
        if token == "|":
            self.open(1, number)
        return []


def boards(array: Array, number: int) -> Iterator[Line]:
    """Yield each board of an array as a line. Raises ParseError."""
    if isinstance(array, Items) and array.fields:
        yield from in_object(array)
    elif text := board_text(array):
        yield (number if isinstance(array, str) else array.line), text
    else:
        for item in array:
            if is_square(item):
                raise ParseError(f"{brief(str(item))} stands beside a list: rows of a board are of one kind", number)
            yield from boards(item, array.line if isinstance(array, Items) else number)


def in_object(array: Items) -> Iterator[Line]:
    """Yield the board of an object with its solution, or the boards of lists in it. Raises ParseError."""
    board = next((array.fields[name] for name in PUZZLE if name in array.fields), None)
    known = next((array.fields[name] for name in SOLUTION if array.fields.get(name)), "")
    lists = {name: value for name, value in array.fields.items() if isinstance(value, Items)}
    others = [name for name, value in lists.items() if value not in (board, known) and not is_tags(value)]
    if board is not None and (text := board_text(board)):
        if others:
            raise ParseError(
                f"{brief(others[0])} beside the board of an object is a list, which is not read", array.line
            )
        yield array.line, f"{text} ::{claimed(known)}" if known else text
    elif board is not None:
        yield from boards(board, array.line)
    elif found := [value for value in lists.values() if value and all(map(has_board, value))]:
        for value in found:
            yield from boards(value, value.line)
    else:
        names = ", ".join(PUZZLE)
        raise ParseError(f"{unread(next(iter(array.fields)))}; a board is in a field {names}", array.line)


def has_board(array: Array) -> bool:
    """Return True for an object with a board."""
    return isinstance(array, Items) and not array.fields.keys().isdisjoint(PUZZLE)


def board_text(array: Array) -> str:
    """Return a board on one line, '' if the array is none. Raises ParseError."""
    if isinstance(array, str):
        return "".join(array.split("\\n")) if "\\n" in array else array.replace(" ", ".")
    rows = [array] if array and all(map(is_square, array)) else array if is_board(array) else []
    return " ".join(marks.plain([str(cell) for row in rows for cell in row]))


def is_tags(array: Items) -> bool:
    """Return True for a list of words, which state nothing of a board."""
    return all(isinstance(item, str) and not item.isdecimal() for item in array)


def claimed(array: Array) -> str:
    """Return a solution on one line, a character per square."""
    words = board_text(array).split()
    return "".join(
        LETTERS[int(word) - len(DIGITS) - 1] if word.isdecimal() and len(DIGITS) < int(word) <= 35 else word
        for word in (words if len(words) > 1 else words[:1])
    )


def is_square(item: Array) -> bool:
    """Return True if an item is the word of one square."""
    return isinstance(item, str) and (len(item) <= MAX_SQUARE_CHARS or marks.is_word(item))


def is_board(array: Items) -> bool:
    """Return True if the items are rows of one length: as many as they are long, or too short to be boards."""
    length = len(array[0]) if array else 0
    squares = all(len(row) == length and all(map(is_square, row)) for row in array)
    return squares and length > 0 and (len(array) == length or isqrt(length) ** 2 != length)
