"""Classification of a line: its layout, True for a whole board or False for a row, and its cells.

    head   a line without its claim      words  its words, '|' read as a space     joined  its words, concatenated

A line is read as its words, as the characters of these, and as its columns, where blanks are open squares. If a layout
is stated, or rows of a board were read before, the number of cells says if a line is a board or a row. If not, each
reading is tried as a board and as a row; the first that the marks fit is used. If both are possible, the lines that
follow decide, or the layout must be stated: a mark that only the large layout has means rows; a repeated value means
boards, since a row holds each value once, and so do fewer lines than the large board has rows.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice, takewhile

from puzzles.boards.layout import Layout
from puzzles.errors import ParseError
from puzzles.readers.boards import marks
from puzzles.readers.boards.cells import is_spaced, joined, words
from puzzles.readers.boards.directives import Directives
from puzzles.readers.boards.rows import BoardRows
from puzzles.readers.boards.sizes import by_size, length_text, unknown_size

Way = tuple[Layout, bool, marks.Cells]  # of reading a line


def classify(head: str, rows: BoardRows, directives: Directives) -> Way:
    """Return a line's layout, True if a whole board (False: a row), and its cells. Raises ParseError."""
    stated = rows.layout if rows.rows else directives.layout()
    if stated is None:
        return by_marks(head, rows, directives)
    found = [way for cells in readings(head, stated) for way in ways(cells, rows, directives, stated)]
    if not found:
        raise wrong_length(head, stated, rows)
    way = next((way for way in found if len(found) == 1 or fits(way)), found[0])
    require_even(way, head)
    return way


def by_marks(head: str, rows: BoardRows, directives: Directives) -> Way:
    """Do the work of `classify` when no layout is known: return the first reading that the marks fit."""
    error: ParseError | None = None
    blanks_first = has_blank_squares(head, rows.lookahead.peek_raw())
    for cells in sorted(readings(head), key=lambda cells: " " not in cells or not blanks_first):
        for way in ways(cells, rows, directives):
            try:
                require_even(way, head)
                check_marks(way[0], cells, directives)
            except ParseError as e:
                error = error or (None if " " in cells else e)
                continue
            return way
    if error and rows.choice:
        raise marks.NotRows(str(error), order=max(rows.choice))
    raise error or unknown_size(words(head), joined(head))


def readings(head: str, stated: Layout | None = None) -> Iterator[marks.Cells]:
    """Yield the cells of a line: words, characters, and columns, if it has blanks that may be open squares."""
    yield words(head)
    yield joined(head)
    if " " in head and "|" not in head and (stated or not is_spaced(head)):
        size = len(stated.squares) if stated else 0
        yield head[:size] if size and not head[size:].strip() and len(head) > size else head


def ways(cells: marks.Cells, rows: BoardRows, directives: Directives, stated: Layout | None = None) -> Iterator[Way]:
    """Yield the ways of reading cells: as a board, unless rows of one were read, and as a row. Raises ParseError.

    Unless a layout is stated, they are those of the layouts of that size.
    """
    width = len(cells)
    if stated:
        n, size = len(stated.values), len(stated.squares)
        whole = width == size and not rows.rows
        if (whole or (width == n and n * n == size)) and (isinstance(cells, list) or marks.is_single(stated)):
            yield stated, whole, cells
        return
    small, large = (by_size(squares, directives.alphabet) for squares in (width, width * width))
    if small and large and width not in rows.choice and " " not in cells:
        rows.choice[width] = are_rows(small, large, cells, rows.lookahead.peek())
    for layout, whole in ((small, True), (large, False)):
        fits = layout and rows.choice.get(width, not whole) != whole
        if layout and fits and (isinstance(cells, list) or marks.is_single(layout)):
            yield layout, whole, cells


def wrong_length(head: str, layout: Layout, rows: BoardRows) -> marks.NotRows:
    """Return the error for a line that is neither a board nor a row of the layout."""
    size, n, length = len(layout.squares), len(layout.values), length_text(words(head), joined(head))
    if rows.rows:
        return marks.NotRows(f"{length} in a row, but the board from line {rows.lines[0]} has {rows.n} per row")
    return marks.NotRows(f"{length}: {layout.name} has {size} squares" + f", {n} rows of {n}" * (n * n == size))


def require_even(way: Way, head: str) -> None:
    """Raise ParseError unless the words of a board in characters have one length: else one may be a remark."""
    lengths = {len(word) for word in words(head)}
    if way[1] and way[2] == joined(head) and len(lengths) > 1:
        raise ParseError(
            f"{max(lengths)} characters and a shorter word: a board on one line is one word, or words of one length"
        )


def has_blank_squares(head: str, following: Iterable[str]) -> bool:
    """Return True if a line begins a board of n lines of n characters, in which blanks are open squares."""
    n = len(head)
    if " " not in head or not set(head).isdisjoint("|._0") or is_spaced(head):
        return False
    return [len(line) for line in islice(following, n - 1)] == [n] * (n - 1)


def check_marks(layout: Layout, cells: marks.Cells, directives: Directives) -> None:
    """Raise ParseError if the marks don't fit the layout.

    Single characters of more than nine values, and letters for fewer, are not checked without an alphabet: it is
    inferred from the whole board.
    """
    letters = directives.alphabet is None and any(c.isalpha() for c in cells) and marks.may_be_letters(cells)
    if letters and len(set(cells)) > 2:
        return
    if isinstance(cells, list) or directives.alphabet is not None or len(layout.values) <= 9:
        marks.domains(layout, cells, part=True)


def fits(way: Way) -> bool:
    """Return True if the marks of a line fit its layout."""
    try:
        check_marks(way[0], way[2], Directives())
    except ParseError:
        return False
    return True


def are_rows(small: Layout, large: Layout, cells: marks.Cells, following: Iterable[str]) -> bool:
    """Return True if lines as wide as `cells` are rows of `large`, else False. Raises ParseError."""
    width = len(cells)
    read: Callable[[str], marks.Cells] = words if isinstance(cells, list) else joined
    lines = [cells, *map(read, takewhile(lambda text: ":" not in text, islice(following, width - 1)))]
    for line in lines:
        if len(line) != width:
            return False
        try:
            masks = marks.domains(small, line)
        except ParseError:
            return True
        known = [mask for mask in masks if mask & mask - 1 == 0]
        if len(set(known)) < len(known):
            return False
    if len(lines) < width:
        return False
    raise marks.Ambiguous(
        f"{width} lines of {width} may be rows of one board or one board each",
        {f"--as '{large.name}'": "rows", f"--as '{small.name}'": "boards"},
    )
