"""Reader of CSV: columns of puzzle, solution and count are found by the header; others are ignored."""

import csv
from collections.abc import Iterator

from puzzles.layout import Puzzle
from puzzles.readers import boards
from puzzles.readers.directives import Directives, ReaderOptions, make_puzzle, parse_directives
from puzzles.readers.source import ParseError, Source, brief

PUZZLE = ("puzzle", "puzzles", "quiz", "quizzes", "sudoku", "board", "grid")
SOLUTION = ("solution", "solutions", "answer")
COUNT = ("count", "solution_count")


def split_fields(text: str) -> list[str]:
    """Split one line into fields. Raises ParseError."""
    if '"' not in text:
        return text.split(",")
    try:
        return next(csv.reader([text], strict=True))
    except csv.Error as e:
        why = "a quote is not closed; a field must be on one line" if text.count('"') % 2 else e
        raise ParseError(f"{brief(text)} is not a line of CSV: {why}") from None


def find_column(header: list[str], names: tuple[str, ...]) -> int | None:
    """Return the index of the first column with one of these names, or None."""
    return next((i for i, title in enumerate(header) if title.strip(' "').lower() in names), None)


def is_header(text: str) -> bool:
    """Return True if a line names several columns, one of them for puzzles."""
    return "," in text and find_column(text.split(","), PUZZLE) is not None


def read_table(source: Source, options: ReaderOptions, directives: Directives) -> Iterator[Puzzle]:
    """Yield one puzzle per line. Raises ParseError or BadLayout at source.line."""
    header: list[str] | None = None
    at = solved = counted = None
    for number, raw in source.lines:
        source.line = number
        text = raw.strip("\r")
        if text.startswith("#:"):
            directives = parse_directives(options, text[2:])
        if not text.strip() or text[0] == "#":
            continue
        row = split_fields(text)
        if header is None:
            header = row
            at, solved, counted = (find_column(header, names) for names in (PUZZLE, SOLUTION, COUNT))
            if at is None:
                raise ParseError(f"no column is named puzzle or quizzes: the first line is {brief(text)}")
            continue
        if len(row) != len(header):
            raise ParseError(f"{len(row)} fields, but the header has {len(header)}")
        count = "" if counted is None else row[counted].strip()
        known = "" if solved is None else row[solved].strip()
        yield field_puzzle(
            f"{source.name}:{source.line}", row[at or 0], f"{count}:{known}" if count or known else "", directives
        )


def field_puzzle(name: str, text: str, claim: str, directives: Directives) -> Puzzle:
    """Return the puzzle in a field, which must be a whole board. Raises ParseError."""
    layout, whole, cells = boards.classify(text, boards.Rows(), directives)
    if not whole:
        raise ParseError(f"{brief(text)} is a row of {layout.name}, not a whole board")
    layout, domains = boards.resolve_alphabet(layout, cells, directives)
    return make_puzzle(name, layout, domains, directives, claim)
