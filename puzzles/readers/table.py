"""CSV: the first line names the columns; of those we read the puzzle, its solution and its count, and no others."""

import csv
from collections.abc import Iterator

from puzzles.layout import Puzzle
from puzzles.readers import boards
from puzzles.readers.source import Flaw, Source, brief
from puzzles.readers.terms import Options, Terms, puzzle, stated

PUZZLE = ("puzzle", "puzzles", "quiz", "quizzes", "sudoku", "board", "grid")
SOLUTION = ("solution", "solutions", "answer")
COUNT = ("count", "solution_count")


def fields(text: str) -> list[str]:
    """The fields of one line. Raises Flaw."""
    if '"' not in text:
        return text.split(",")
    try:
        return next(csv.reader([text], strict=True))
    except csv.Error as e:
        why = "a quote is not closed on it; a field must be on one line" if text.count('"') % 2 else e
        raise Flaw(f"{brief(text)} is no line of CSV: {why}") from None


def column(header: list[str], names: tuple[str, ...]) -> int | None:
    """Where the first column of one of these names is."""
    return next((i for i, title in enumerate(header) if title.strip(' "').lower() in names), None)


def is_header(text: str) -> bool:
    """Whether a line names a column of puzzles beside others."""
    return "," in text and column(text.split(","), PUZZLE) is not None


def table(source: Source, options: Options, terms: Terms) -> Iterator[Puzzle]:
    """One puzzle a line. Raises Flaw or BadLayout at source.line."""
    header: list[str] | None = None
    at = solved = counted = None
    for number, raw in source.lines:
        source.line = number
        text = raw.strip("\r")
        if text.startswith("#:"):
            terms = stated(options, text[2:])
        if not text.strip() or text[0] == "#":
            continue
        row = fields(text)
        if header is None:
            header = row
            at, solved, counted = (column(header, names) for names in (PUZZLE, SOLUTION, COUNT))
            if at is None:
                raise Flaw(f"no column is named puzzle or quizzes: the first line is {brief(text)}")
            continue
        if len(row) != len(header):
            raise Flaw(f"{len(row)} fields, where the header has {len(header)}")
        count = "" if counted is None else row[counted].strip()
        known = "" if solved is None else row[solved].strip()
        yield one(f"{source.name}:{source.line}", row[at or 0], f"{count}:{known}" if count or known else "", terms)


def one(name: str, text: str, claim: str, terms: Terms) -> Puzzle:
    """The puzzle of a field, which must be a whole board."""
    layout, whole, cells = boards.shape(text, boards.Rows(), terms)
    if not whole:
        raise Flaw(f"{brief(text)} is a row of {layout.name}, not a whole board")
    layout, domains = boards.settle(layout, cells, terms)
    return puzzle(name, layout, domains, terms, claim)
