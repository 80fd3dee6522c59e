"""Reader of boards: on one line or one line per row, drawn, as candidate grids, as numbers.

    raw    a line as read                    words  its words, '|' read as a space     joined  its words, concatenated
    row    one line of a board of n rows     whole  all squares on one line

If the layout is stated, the length of a line says whether it is a whole board or a row. If not, the line's words and
characters are tried, each as a whole board and as a row; the first reading that the marks fit is used. If both a board
and a row are possible, row_or_board.py decides by the lines that follow.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from math import gcd, isqrt

from puzzles import families
from puzzles.families import BadLayout
from puzzles.layout import Layout, Puzzle
from puzzles.readers import marks
from puzzles.readers.directives import Directives, ReaderOptions, make_puzzle, parse_directives
from puzzles.readers.normalise import normalise
from puzzles.readers.row_or_board import Lookahead, are_rows
from puzzles.readers.source import ParseError, Source, brief

MIN_GUESSED_SQUARES = 16  # smaller boards must be stated, or a row of a 9x9 would be a Latin square of order 3
HEADING = re.compile(r"(?i)grid\s+\d+:?")
SECTION = re.compile(r"\[\s*(\w+)\s*\]")
RULE = re.compile(r"[-+*=|:.'_ \t]*(?:---|===)[-+*=|:.'_ \t]*")


@dataclass
class Rows:
    """The rows read so far of a board, and the lines that follow.

    choice  width -> True if lines of that width are rows, False if they are whole boards
    """

    layout: Layout | None = None
    n: int = 0
    rows: list[marks.Cells] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    choice: dict[int, bool] = field(default_factory=dict)
    lookahead: Lookahead = field(default_factory=lambda: Lookahead(iter(())))

    def require_complete(self) -> None:
        """Raise ParseError, at the first line of the board, if rows are missing."""
        if self.rows:
            rows = f"{len(self.rows)} row{'s' * (len(self.rows) != 1)} of {self.n}"
            why = f"the board that starts here has {rows} and needs {self.n}"
            other = by_size(self.n, None)
            name = other.name if other else "sudoku 3x3"
            raise ParseError(f"{why}; if its layout is another, state it, such as --as '{name}'", self.lines[0])

    def take_cells(self) -> marks.Cells:
        """Remove all rows and return their cells."""
        rows, self.rows = self.rows, []
        if any(isinstance(row, list) for row in rows):
            return [cell for row in rows for cell in row]
        return "".join(row for row in rows if isinstance(row, str))


def read_boards(source: Source, options: ReaderOptions, directives: Directives) -> Iterator[Puzzle]:
    """Yield the boards of a source. Raises ParseError or BadLayout at source.line."""
    lookahead = Lookahead(source.lines)
    rows, name = Rows(lookahead=lookahead), source.name
    skipping = False  # inside a section of a .sdk file other than [Puzzle]
    size, layout, get = fast_path(directives)
    for number, raw in lookahead:
        head, colon, _ = raw.partition(":")
        if len(head) == size and not rows.rows and not skipping:
            try:
                domains = tuple(map(get, head))
            except KeyError:
                pass
            else:
                if not colon:
                    yield Puzzle(f"{name}:{number}", layout, domains, directives.count, directives.at_least)
                    continue
        source.line = number
        if "," in raw or "\t" in raw or not raw.isascii():
            raw = normalise(raw)
        text = raw.strip()
        if not text:
            if rows.rows and gcd(len(rows.rows), rows.n) == 1:
                rows.require_complete()
        elif text[0] == "#":
            if text.startswith("#:"):
                rows.require_complete()
                directives = parse_directives(options, text[2:])
                rows = Rows(choice=rows.choice, lookahead=lookahead)
                size, layout, get = fast_path(directives)
        elif section := SECTION.fullmatch(text):
            rows.require_complete()
            skipping = section[1].lower() != "puzzle"
        elif skipping or RULE.fullmatch(text):
            continue
        elif HEADING.fullmatch(text):
            rows.require_complete()
        else:
            found = add_line(f"{name}:{number}", raw.rstrip("\r"), rows, directives, number)
            if found:
                yield found
    rows.require_complete()


def fast_path(directives: Directives) -> tuple[int, Layout, Callable[[str], int]]:
    """Return length, layout and mark lookup for one-line boards: 9x9 unless stated, length -1 if none."""
    layout = directives.layout()
    if layout is None and directives.alphabet is None:
        layout = families.layout("sudoku 3x3")
    if layout is None or not marks.is_single(layout) or (len(layout.values) > 9 and directives.alphabet is None):
        return -1, families.layout("sudoku 3x3"), dict[str, int]().__getitem__
    return len(layout.squares), layout, marks.mark_table(layout).__getitem__


def add_line(name: str, raw: str, rows: Rows, directives: Directives, number: int) -> Puzzle | None:
    """Add a line to the board being read; return the puzzle if the line completes it."""
    head, colon, claim = raw.partition(":")
    layout, whole, cells = classify(head, rows, directives)
    if whole:
        layout, domains = resolve_alphabet(layout, cells, directives)
        if colon and not claim.strip(" \t:"):
            raise ParseError("expected the number of solutions after ':'")
        return make_puzzle(name, layout, domains, directives, claim)
    if colon:
        raise ParseError(f"{brief(raw.strip())}: a count or solution can follow only a board that is on one line")
    if not rows.rows:
        rows.layout, rows.n, rows.lines = layout, len(cells), []
    rows.rows.append(cells)
    rows.lines.append(number)
    if len(rows.rows) < rows.n:
        return None
    lines = rows.lines
    try:
        layout, domains = resolve_alphabet(layout, rows.take_cells(), directives)
    except ParseError as e:
        raise ParseError(str(e), lines[0 if e.cell is None else e.cell // rows.n]) from None
    return make_puzzle(f"{name.rpartition(':')[0]}:{lines[0]}", layout, domains, directives)


def resolve_alphabet(layout: Layout, cells: marks.Cells, directives: Directives) -> tuple[Layout, tuple[int, ...]]:
    """Return the layout with the cells' alphabet, and the domains they state. Raises ParseError."""
    if directives.alphabet is None:
        alphabet = marks.infer_alphabet(cells, len(layout.values))
        layout = families.layout(layout.name, alphabet) if alphabet else layout
    return layout, marks.domains(layout, cells)


def classify(head: str, rows: Rows, directives: Directives) -> tuple[Layout, bool, marks.Cells]:
    """Return a line's layout, True if a whole board (False: a row), and its cells. Raises ParseError."""
    words = head.replace("|", " ").split()
    joined = "".join(words)
    if rows.rows and rows.layout:
        return rows.layout, False, row_cells(words, joined, rows)
    layout = directives.layout()
    if layout is None:
        return classify_by_size(head, words, joined, rows, directives)
    size, n = len(layout.squares), len(layout.values)
    single, square = marks.is_single(layout), n * n == size
    if len(words) == size:
        return layout, True, words
    if square and len(words) == n and fits(layout, words, n):
        return layout, False, words
    if single and len(joined) == size:
        return layout, True, joined
    if single and len(head) == size and "|" not in head and len(words) != n:
        return layout, True, head
    if square and len(words) == n:
        return layout, False, words
    if square and single and len(joined) == n:
        return layout, False, joined
    raise ParseError(
        f"{length_text(words, joined)}: {layout.name} has {size} squares" + (f", {n} rows of {n}" if square else "")
    )


def row_cells(words: list[str], joined: str, rows: Rows) -> marks.Cells:
    """Return the cells of a row after the first. Raises ParseError."""
    if len(words) == rows.n:
        return words
    if len(joined) == rows.n:
        return joined
    raise ParseError(
        f"{length_text(words, joined)} in a row, but the board from line {rows.lines[0]} has {rows.n} per row"
    )


def classify_by_size(
    head: str, words: list[str], joined: str, rows: Rows, directives: Directives
) -> tuple[Layout, bool, marks.Cells]:
    """Do the work of `classify` when no layout is stated: try the layouts that the size allows."""
    both: tuple[marks.Cells, ...] = (words, joined)
    first_error: ParseError | None = None
    for cells in both if len(words) > 1 else (joined,):
        width = len(cells)
        if width not in rows.choice:
            small, large = by_size(width, directives.alphabet), by_size(width * width, directives.alphabet)
            if small and large:
                rows.choice[width] = are_rows(small, large, cells, rows.lookahead.peek())
        for squares, whole in ((width, True), (width * width, False)):
            layout = by_size(squares, directives.alphabet)
            if layout is None or (isinstance(cells, str) and not marks.is_single(layout)):
                continue
            if rows.choice.get(width, not whole) == whole:
                continue
            try:
                check_marks(layout, cells, directives)
            except ParseError as e:
                first_error = first_error or e
                continue
            return layout, whole, cells
    layout = by_size(len(head), directives.alphabet)
    if layout and " " in head and "|" not in head and marks.is_single(layout):
        return layout, True, head
    if first_error and rows.choice:
        raise ParseError(f"{first_error}; if lines are rows of a larger board, state it, such as --as 'sudoku 4x4'")
    raise first_error or ParseError(unknown_size(words, joined))


def check_marks(layout: Layout, cells: marks.Cells, directives: Directives) -> None:
    """Raise ParseError if the marks don't fit the layout.

    Single characters of more than nine values are not checked without an alphabet: it is inferred from the whole board.
    """
    if isinstance(cells, list) or directives.alphabet is not None or len(layout.values) <= 9:
        marks.domains(layout, cells)


def fits(layout: Layout, words: list[str], n: int) -> bool:
    """Return True if there are n words and each is a mark of the layout."""
    try:
        marks.domains(layout, words)
    except ParseError:
        return False
    return len(words) == n


def by_size(squares: int, alphabet: str | None) -> Layout | None:
    """Return the layout of that size if exactly one family guesses it and the alphabet fits, else None."""
    if squares < MIN_GUESSED_SQUARES:
        return None
    names = families.guesses(squares)
    try:
        return families.layout(names[0], alphabet) if len(names) == 1 else None
    except BadLayout:
        return None


def length_text(words: list[str], joined: str) -> str:
    """Return the length of a line in words and characters, for a message."""
    counted = f"{len(joined)} character{'s' * (len(joined) != 1)}"
    return f"{counted} in {len(words)} words" if len(words) > 1 else counted


def unknown_size(words: list[str], joined: str) -> str:
    """Return the message for a line of unknown size: its length, and how to state possible layouts."""
    size = len(words) if len(words) > 1 else len(joined)
    n = isqrt(size) if size >= MIN_GUESSED_SQUARES and isqrt(size) ** 2 == size else size
    if 60 <= size <= 100 or not 4 <= n <= 64:
        hint = ""
        if re.search(r"[^\W\d_]{3}", joined):
            hint = "; put # before a line that is not part of a board"
        elif len(words) > 1:
            hint = "; open squares are '.' or 0, not blanks"
        expected = "a 9x9 board has 81 on one line, or 9 lines of 9"
        return f"{length_text(words, joined)}: {expected}; state other layouts with --as{hint}"
    boxes = [f"'sudoku {r}x{n // r}'" for r in range(2, n) if n % r == 0 and n // r <= 8 and r <= 8]
    ways = " or ".join([*boxes, f"'latin {n}'"])
    return f"{length_text(words, joined)}: the size does not determine the layout; state --as {ways}"
