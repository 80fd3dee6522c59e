"""Classification of a line: its layout, whether it is a whole board or a row, and its cells.

    head   a line without its claim      words  its words, '|' read as a space     joined  its words, concatenated
    row    one line of a board of n rows     whole  all squares on one line

If the layout is stated, the length of a line says whether it is a whole board or a row. If not, the line's words and
characters are tried, each as a whole board and as a row; the first reading that the marks fit is used. If both a board
and a row are possible, the lines that follow decide, or the layout must be stated: a mark that only the large layout
has means rows; a repeated value means boards, since a row holds each value once, and so do fewer lines than the large
board has rows.
"""

from collections.abc import Iterable
from itertools import islice

from puzzles.boards.layout import Layout
from puzzles.errors import ParseError
from puzzles.readers.boards import marks
from puzzles.readers.boards.directives import Directives
from puzzles.readers.boards.rows import BoardRows
from puzzles.readers.boards.sizes import by_size, length_text, unknown_size


def classify(head: str, rows: BoardRows, directives: Directives) -> tuple[Layout, bool, marks.Cells]:
    """Return a line's layout, True if a whole board (False: a row), and its cells. Raises ParseError."""
    words = head.replace("|", " ").split()
    joined = "".join(words)
    if rows.rows and rows.layout:
        return rows.layout, False, row_cells(head, words, joined, rows)
    layout = directives.layout()
    if layout is None:
        return classify_by_size(head, words, joined, rows, directives)
    size, n = len(layout.squares), len(layout.values)
    single, square = marks.is_single(layout), n * n == size
    if single and len(joined) == size:
        require_even(words)
    if len(words) == size:
        return layout, True, words
    if square and len(words) == n and fits(layout, words, n):
        return layout, False, words
    if single and len(joined) == size:
        return layout, True, joined
    if single and len(head) >= size and not head[size:].strip() and "|" not in head and len(words) != n:
        return layout, True, head[:size]
    if square and len(words) == n:
        return layout, False, words
    if square and single and n in (len(joined), len(head)) and (len(joined) == n or "|" not in head):
        return layout, False, joined if len(joined) == n else head
    raise marks.NotRows(
        f"{length_text(words, joined)}: {layout.name} has {size} squares" + (f", {n} rows of {n}" if square else "")
    )


def row_cells(head: str, words: list[str], joined: str, rows: BoardRows) -> marks.Cells:
    """Return the cells of a row after the first. Raises ParseError."""
    if len(words) == rows.n:
        return words
    if len(joined) == rows.n:
        return joined
    if len(head) == rows.n and "|" not in head:
        return head
    raise marks.NotRows(
        f"{length_text(words, joined)} in a row, but the board from line {rows.lines[0]} has {rows.n} per row"
    )


def classify_by_size(
    head: str, words: list[str], joined: str, rows: BoardRows, directives: Directives
) -> tuple[Layout, bool, marks.Cells]:
    """Do the work of `classify` when no layout is stated: try the layouts that the size allows."""
    if has_blank_squares(head, rows.lookahead.peek_raw()) and (layout := by_size(len(head) ** 2, directives.alphabet)):
        return layout, False, head
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
                if whole and cells is joined:
                    require_even(words)
                check_marks(layout, cells, directives)
            except ParseError as e:
                first_error = first_error or e
                continue
            return layout, whole, cells
    if " " in head and "|" not in head and not is_spaced(head):
        for squares, whole in ((len(head), True), (len(head) ** 2, False)):
            layout = by_size(squares, directives.alphabet)
            if layout and marks.is_single(layout) and fits(layout, head, len(head)):
                return layout, whole, head
    if first_error and rows.choice:
        raise marks.NotRows(f"{first_error}; if lines are rows of a larger board, state it, such as --as 'sudoku 4x4'")
    raise first_error or unknown_size(words, joined)


def require_even(words: list[str]) -> None:
    """Raise ParseError unless all words have one length: else one may be a board that lacks squares, and a remark."""
    if len(set(map(len, words))) > 1:
        longest = max(map(len, words))
        raise ParseError(
            f"{longest} characters and a shorter word: a board on one line is one word, or words of one length"
        )


def has_blank_squares(head: str, following: Iterable[str]) -> bool:
    """Return True if a line begins a board of n lines of n characters, in which blanks are open squares."""
    n = len(head)
    if " " not in head or not set(head).isdisjoint("|._0") or is_spaced(head):
        return False
    return [len(line) for line in islice(following, n - 1)] == [n] * (n - 1)


def is_spaced(head: str) -> bool:
    """Return True for marks with a blank between each and the next, '1 2 3', where no blank is a square."""
    return " " not in head[::2] and not head[1::2].strip()


def check_marks(layout: Layout, cells: marks.Cells, directives: Directives) -> None:
    """Raise ParseError if the marks don't fit the layout.

    Single characters of more than nine values, and letters for fewer, are not checked without an alphabet: it is
    inferred from the whole board.
    """
    letters = directives.alphabet is None and any(c.isalpha() for c in cells) and marks.may_be_letters(cells)
    if letters and len(set(cells)) > 2:
        return
    if isinstance(cells, list) or directives.alphabet is not None or len(layout.values) <= 9:
        marks.domains(layout, cells)


def fits(layout: Layout, cells: marks.Cells, n: int) -> bool:
    """Return True if there are n cells and each is a mark of the layout."""
    try:
        check_marks(layout, cells, Directives())
    except ParseError:
        return False
    return len(cells) == n


def are_rows(small: Layout, large: Layout, cells: marks.Cells, following: Iterable[str]) -> bool:
    """Return True if lines as wide as `cells` are rows of `large`, else False. Raises ParseError."""
    width, checked = len(cells), 0
    while len(cells) == width:
        try:
            masks = marks.domains(small, cells)
        except ParseError:
            return True
        known = [mask for mask in masks if mask & mask - 1 == 0]
        if len(set(known)) < len(known):
            return False
        checked += 1
        if checked == width:
            raise marks.Ambiguous(
                f"{width} lines of {width} may be rows of one board or one board each",
                {f"--as '{large.name}'": "rows", f"--as '{small.name}'": "boards"},
            )
        text = next(iter(following), None)
        if text is None or ":" in text:
            return False
        words = text.replace("|", " ").split()
        cells = words if isinstance(cells, list) else "".join(words)
    return False
