"""Boards as text: on one line, over as many lines as they have rows, drawn, as candidate grids, as numbers.

    raw    a line as it stands     words  its words, '|' taken for a space     joined  its words side by side
    row    one line of a board of n rows     whole  all squares on one line

Where the layout is stated a line is a whole board or a row by its length. Where it isn't, the sizes that lie open are
tried: the line's words and its characters, as a whole board and as a row, and the first that its marks fit is taken.
Where both could be, the lines to come tell (width.py).
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from math import gcd, isqrt

from puzzles import families
from puzzles.families import BadLayout
from puzzles.layout import Layout, Puzzle
from puzzles.readers import marks
from puzzles.readers.source import Flaw, Source, brief
from puzzles.readers.terms import Options, Terms, puzzle, stated
from puzzles.readers.typed import plain
from puzzles.readers.width import Ahead, are_rows

SMALLEST = 16  # squares; what is smaller must be stated, or a row of a 9x9 would be a Latin square of order 3
HEADING = re.compile(r"(?i)grid\s+\d+:?")
SECTION = re.compile(r"\[\s*(\w+)\s*\]")
RULE = re.compile(r"[-+*=|:.'_ \t]*(?:---|===)[-+*=|:.'_ \t]*")


@dataclass
class Rows:
    """A board of which some rows were read, and the lines to come.

    choice  for a width, whether such lines are rows (else wholes)
    """

    layout: Layout | None = None
    n: int = 0
    rows: list[marks.Cells] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    choice: dict[int, bool] = field(default_factory=dict)
    ahead: Ahead = field(default_factory=lambda: Ahead(iter(())))

    def must_be_done(self) -> None:
        """Raises Flaw at the first line of a board that lacks rows."""
        if self.rows:
            rows = f"{len(self.rows)} row{'s' * (len(self.rows) != 1)} of {self.n}"
            why = f"the board that starts here has {rows} and needs {self.n}"
            other = by_size(self.n, None)
            name = other.name if other else "sudoku 3x3"
            raise Flaw(f"{why}; if that is not what it is, state it, such as --as '{name}'", self.lines[0])

    def take(self) -> marks.Cells:
        """The cells of all rows; there are none afterwards."""
        rows, self.rows = self.rows, []
        if any(isinstance(row, list) for row in rows):
            return [cell for row in rows for cell in row]
        return "".join(row for row in rows if isinstance(row, str))


def boards(source: Source, options: Options, terms: Terms) -> Iterator[Puzzle]:
    """The boards of a source, one by one. Raises Flaw or BadLayout at source.line."""
    ahead = Ahead(source.lines)
    rows, name = Rows(ahead=ahead), source.name
    skipping = False  # inside a section of a .sdk file other than [Puzzle]
    size, layout, get = fast(terms)
    for number, raw in ahead:
        head, colon, _ = raw.partition(":")
        if len(head) == size and not rows.rows and not skipping:
            try:
                domains = tuple(map(get, head))
            except KeyError:
                pass
            else:
                if not colon:
                    yield Puzzle(f"{name}:{number}", layout, domains, terms.count, terms.at_least)
                    continue
        source.line = number
        if "," in raw or "\t" in raw or not raw.isascii():
            raw = plain(raw)
        text = raw.strip()
        if not text:
            if rows.rows and gcd(len(rows.rows), rows.n) == 1:
                rows.must_be_done()
        elif text[0] == "#":
            if text.startswith("#:"):
                rows.must_be_done()
                terms = stated(options, text[2:])
                rows = Rows(choice=rows.choice, ahead=ahead)
                size, layout, get = fast(terms)
        elif section := SECTION.fullmatch(text):
            rows.must_be_done()
            skipping = section[1].lower() != "puzzle"
        elif skipping or RULE.fullmatch(text):
            continue
        elif HEADING.fullmatch(text):
            rows.must_be_done()
        else:
            found = line(f"{name}:{number}", raw.rstrip("\r"), rows, terms, number)
            if found:
                yield found
    rows.must_be_done()


def fast(terms: Terms) -> tuple[int, Layout, Callable[[str], int]]:
    """The length, layout and marks of the one-line boards that need no second look; 9x9 where nothing is stated."""
    layout = terms.layout()
    if layout is None and terms.alphabet is None:
        layout = families.layout("sudoku 3x3")
    if layout is None or not marks.is_single(layout) or (len(layout.values) > 9 and terms.alphabet is None):
        return -1, families.layout("sudoku 3x3"), dict[str, int]().__getitem__
    return len(layout.squares), layout, marks.table(layout).__getitem__


def line(name: str, raw: str, rows: Rows, terms: Terms, number: int) -> Puzzle | None:
    """The puzzle that a line completes, if it does."""
    head, colon, claim = raw.partition(":")
    layout, whole, cells = shape(head, rows, terms)
    if whole:
        layout, domains = settle(layout, cells, terms)
        if colon and not claim.strip(" \t:"):
            raise Flaw("':' needs the number of solutions after it")
        return puzzle(name, layout, domains, terms, claim)
    if colon:
        raise Flaw(f"{brief(raw.strip())}: what is known of a board can follow it only on one line")
    if not rows.rows:
        rows.layout, rows.n, rows.lines = layout, len(cells), []
    rows.rows.append(cells)
    rows.lines.append(number)
    if len(rows.rows) < rows.n:
        return None
    lines = rows.lines
    try:
        layout, domains = settle(layout, rows.take(), terms)
    except Flaw as e:
        raise Flaw(str(e), lines[0 if e.cell is None else e.cell // rows.n]) from None
    return puzzle(f"{name.rpartition(':')[0]}:{lines[0]}", layout, domains, terms)


def settle(layout: Layout, cells: marks.Cells, terms: Terms) -> tuple[Layout, tuple[int, ...]]:
    """The layout under the alphabet that its cells use, and the domains that they state."""
    if terms.alphabet is None:
        alphabet = marks.alphabet(cells, len(layout.values))
        layout = families.layout(layout.name, alphabet) if alphabet else layout
    return layout, marks.domains(layout, cells)


def shape(head: str, rows: Rows, terms: Terms) -> tuple[Layout, bool, marks.Cells]:
    """What a line is: of which layout, whether a whole board, and its cells. Raises Flaw."""
    words = head.replace("|", " ").split()
    joined = "".join(words)
    if rows.rows and rows.layout:
        return rows.layout, False, row(words, joined, rows)
    layout = terms.layout()
    if layout is None:
        return guessed(head, words, joined, rows, terms)
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
    raise Flaw(f"{amount(words, joined)}: {layout.name} has {size} squares" + (f", {n} rows of {n}" if square else ""))


def row(words: list[str], joined: str, rows: Rows) -> marks.Cells:
    """The cells of a further row."""
    if len(words) == rows.n:
        return words
    if len(joined) == rows.n:
        return joined
    raise Flaw(f"{amount(words, joined)} in a row, where the board from line {rows.lines[0]} has {rows.n}")


def guessed(head: str, words: list[str], joined: str, rows: Rows, terms: Terms) -> tuple[Layout, bool, marks.Cells]:
    """The same where no layout is stated, so that the size must tell."""
    both: tuple[marks.Cells, ...] = (words, joined)
    refused: Flaw | None = None
    for cells in both if len(words) > 1 else (joined,):
        wide = len(cells)
        if wide not in rows.choice:
            small, large = by_size(wide, terms.alphabet), by_size(wide * wide, terms.alphabet)
            if small and large:
                rows.choice[wide] = are_rows(small, large, cells, rows.ahead.later())
        for squares, whole in ((wide, True), (wide * wide, False)):
            layout = by_size(squares, terms.alphabet)
            if layout is None or (isinstance(cells, str) and not marks.is_single(layout)):
                continue
            if rows.choice.get(wide, not whole) == whole:
                continue
            try:
                check(layout, cells, terms)
            except Flaw as e:
                refused = refused or e
                continue
            return layout, whole, cells
    layout = by_size(len(head), terms.alphabet)
    if layout and " " in head and "|" not in head and marks.is_single(layout):
        return layout, True, head
    if refused and rows.choice:
        raise Flaw(f"{refused}; if lines are rows of a larger board, state it, such as --as 'sudoku 4x4'")
    raise refused or Flaw(unknown(words, joined))


def check(layout: Layout, cells: marks.Cells, terms: Terms) -> None:
    """Raises Flaw where marks don't fit the layout; more than nine values may be in an alphabet that is yet unknown."""
    if isinstance(cells, list) or terms.alphabet is not None or len(layout.values) <= 9:
        marks.domains(layout, cells)


def fits(layout: Layout, words: list[str], n: int) -> bool:
    """Whether every word is a mark of the layout."""
    try:
        marks.domains(layout, words)
    except Flaw:
        return False
    return len(words) == n


def by_size(squares: int, alphabet: str | None) -> Layout | None:
    """The one layout that follows from so many squares, if there is one and the alphabet fits it."""
    if squares < SMALLEST:
        return None
    names = [f"{f.name} {p}" for f in families.families().values() if (p := f.guess(squares))]
    try:
        return families.layout(names[0], alphabet) if len(names) == 1 else None
    except BadLayout:
        return None


def amount(words: list[str], joined: str) -> str:
    """How long a line is, as people count it."""
    counted = f"{len(joined)} character{'s' * (len(joined) != 1)}"
    return f"{counted} in {len(words)} words" if len(words) > 1 else counted


def unknown(words: list[str], joined: str) -> str:
    """Why a line is no board: its size, and how to state the boards that it might be."""
    size = len(words) if len(words) > 1 else len(joined)
    n = isqrt(size) if size >= SMALLEST and isqrt(size) ** 2 == size else size
    if 60 <= size <= 100 or not 4 <= n <= 64:
        hint = ""
        if re.search(r"[^\W\d_]{3}", joined):
            hint = "; put # before a line that is no part of a board"
        elif len(words) > 1:
            hint = "; open squares are '.' or 0, not blanks"
        return f"{amount(words, joined)}: a 9x9 board has 81 on one line, or 9 lines of 9; state others with --as{hint}"
    boxes = [f"'sudoku {r}x{n // r}'" for r in range(2, n) if n % r == 0 and n // r <= 8 and r <= 8]
    ways = " or ".join([*boxes, f"'latin {n}'"])
    return f"{amount(words, joined)}: the size does not say which board it is; state --as {ways}"
