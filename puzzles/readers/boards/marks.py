"""Notation for the squares of one board: single characters, or words separated by spaces.

    cells  a str, one character per square, or a list of words, one per square
    mark   a character or word: a value's symbol, an open square, or a group of candidates

A word of several characters is a group of candidates (`159`) if symbols are single characters, but a number if the
layout has more than nine values and no stated alphabet, unless other words have letters (`7A`). `1,12` is always a
group; `!` is a square without candidates.
"""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache, reduce
from operator import or_

from puzzles.boards.family import symbols
from puzzles.boards.layout import Layout
from puzzles.errors import ParseError, brief
from puzzles.problem.values import Domains

Cells = str | list[str]
OPEN = "._0"
NONE_LEFT = "!"
OTHER_OPEN = "._-*?"  # marks of open squares that are no value
OPEN_LETTERS = "xXeEnNoO"  # letters that stand for open squares where they are the only ones
MAX_DIGITS = 9  # values with digits as symbols
MIN_LETTERS = 2
NOTHING = ("", "-1", "null", "none", "nan", "[]", "{}")  # words of programs for an open square
WORD = re.compile(
    r"[u+](?=[0-9])|(?<=[0-9])\.0*(?=\s*$)|[\s\"']+"
)  # around the mark: set by a player, of a float, quotes
DIGITS, LETTERS = "123456789", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


class NotRows(ParseError):
    """Lines are no rows of a board as they stand; `order` is the number of rows that a layout to state may have."""

    def __init__(self, why: str, line: int | None = None, cell: int | None = None, order: int = 0) -> None:
        super().__init__(why, line, cell=cell)
        self.order = order


class Ambiguous(ParseError):
    """Lines are read in several ways, each with its own option; `ways` are these, with what each means."""

    def __init__(self, why: str, ways: Mapping[str, str], line: int | None = None) -> None:
        stated = " or ".join(way + f" ({means})" * bool(means) for way, means in ways.items())
        super().__init__(f"{why}: state {stated}" if ways else why, line)
        self.why, self.ways = why, ways


def is_single(layout: Layout) -> bool:
    """Return True if every symbol is one character."""
    return all(len(symbol) == 1 for symbol in layout.values)


@lru_cache(256)
def has_numbers(layout: Layout) -> bool:
    """Return True if words such as `12` are numbers: more than nine values, and no stated alphabet."""
    return len(layout.values) > 9 and layout.values == symbols(len(layout.values), None)


@lru_cache(256)
def mark_table(layout: Layout) -> dict[str, int]:
    """Return mark -> mask for marks of one value, of all or of none. Letters match in either case."""
    masks = {symbol: 1 << v for v, symbol in enumerate(layout.values)}
    for symbol in layout.values:
        for variant in (symbol.lower(), symbol.upper()):
            masks.setdefault(variant, masks[symbol])
    for mark in OPEN:
        masks.setdefault(mark, layout.full)
    masks.setdefault(NONE_LEFT, 0)
    return masks


def plain(words: Sequence[str]) -> list[str]:
    """Return the marks in words of programs: '5.0', 'u5', '+4', '"5"', '-1' and nothing. Raises ParseError."""
    found = [WORD.sub("", word) for word in words]
    if "0" in found and "-1" in found:
        raise ParseError("0 and -1 are both among the squares: write '.' for open squares, and values from 1 on")
    return ["." if word.lower() in NOTHING else word for word in found]


def is_word(text: str) -> bool:
    """Return True for a word of programs for a square: nothing, or a number of three digits with a point."""
    return text.lower() in NOTHING or re.fullmatch(r"[0-9]{1,3}\.0*", text) is not None


def describe_marks(layout: Layout) -> str:
    """Return the marks of a layout, for a message."""
    first, last = layout.values[0], layout.values[-1]
    opened = "'.' is open" if "0" in layout.values else "'.' and '0' are open"
    return f"{layout.name} has {first} to {last}, {opened}"


def domains(layout: Layout, cells: Cells, part: bool = False) -> Domains:
    """Return the domains of cells, one cell per square, of `part` of a board or a whole one.

    Raises ParseError with the index of the cell.
    """
    if isinstance(cells, list):
        if any(len(word) > 1 for word in cells):
            numbers = has_numbers(layout) and are_numbers(layout, cells, part)
            return tuple(_parse_word(layout, word, s, numbers) for s, word in enumerate(cells))
        cells = "".join(cells)
    masks = mark_table(layout)
    try:
        return tuple(map(masks.__getitem__, cells))
    except KeyError:
        blank = other_open_mark(masks, cells)
    if blank is None:
        s, mark = next((s, c) for s, c in enumerate(cells) if c not in masks)
        letter = f"; this is the letter {mark}, not zero" if mark in "oO" and "0" not in layout.values else ""
        raise NotRows(f"{mark!r} (square {layout.squares[s]}) is not a value: {describe_marks(layout)}{letter}", cell=s)
    return tuple(layout.full if c == blank else masks[c] for c in cells)


def are_numbers(layout: Layout, words: Sequence[str], part: bool) -> bool:
    """Return True if words of digits are numbers, not groups of candidates. Raises ParseError if they may be both."""
    long = [word for word in words if len(word) > 1 and word.isalnum()]
    if any(not word.isdecimal() or (part and len(word) > 2) for word in long):
        return False
    if long and not part and any(word.isalpha() and word.upper() in layout.values for word in words):
        parts = ",".join(long[0])
        raise ParseError(f"{long[0]!r} may be a number or candidates beside letters: write {parts} for candidates")
    return True


def other_open_mark(masks: dict[str, int], cells: str) -> str | None:
    """Return the one character that replaces '.' and '0' for open squares, such as 'X', or None."""
    others = {c for c in cells if c not in masks}
    opened = any(c in cells and masks[c] & masks[c] - 1 for c in OPEN)
    if len(others) != 1 or opened:
        return None
    mark = others.pop()
    return mark if mark in OPEN_LETTERS or (mark.isprintable() and not mark.isalnum()) else None


def _parse_word(layout: Layout, word: str, s: int, numbers: bool) -> int:
    masks = mark_table(layout)
    if word in masks:
        return masks[word]
    parts = word.split(",") if "," in word else [word] if numbers or not is_single(layout) else list(word)
    found = [_parse_value(layout, part, numbers) for part in parts]
    if not all(found) or len(set(found)) != len(found):
        why = (
            "names a value twice"
            if all(found)
            else f"is neither a value nor a group of values: {describe_marks(layout)}"
        )
        raise NotRows(f"{brief(word)} (square {layout.squares[s]}) {why}", cell=s)
    return reduce(or_, found)


def _parse_value(layout: Layout, part: str, numbers: bool) -> int:
    """Return the mask of a value's symbol or number, 0 if the text is neither."""
    mask = mark_table(layout).get(part, 0)
    if mask and (part not in OPEN or part in layout.values):
        return mask
    if numbers and re.fullmatch(r"[0-9]{1,4}", part) and 1 <= int(part) <= len(layout.values):
        return 1 << int(part) - 1
    return 0


def infer_alphabet(cells: Cells, n: int) -> str | None:
    """Infer the alphabet of cells with n values when none is stated; None means the default alphabet.

    Raises ParseError if it is ambiguous: more than 35 values are numbers, but sixteen may be 1-9A-G, 0-9A-F (0 is then
    a value, as it is where open squares have another mark) or A-P.
    """
    text = "".join(cells)
    if n <= MAX_DIGITS:
        return letters_alone(text, n)
    letters = {c.upper() for c in text if c.isascii() and c.isalpha() and c not in "xX"}
    if not 10 <= n <= 35 or not (letters or isinstance(cells, str)):
        return None
    usual = (DIGITS + LETTERS)[:n]
    if letters and not any(c in DIGITS for c in text) and n <= len(LETTERS):
        if max(letters) > usual[-1]:
            return LETTERS[:n]
        why = f"{n} values in letters alone: A may be the first or the tenth"
        raise Ambiguous(why, {f"--alphabet {LETTERS[:n]}": "", f"--alphabet {usual}": ""})
    if "0" in text and usual[-1] not in letters:
        if any(c in text for c in OTHER_OPEN):
            return "0" + usual[:-1]
        ways = {f"--alphabet 0{usual[:-1]}": "0 is a value", f"--alphabet {usual}": "0 is open"}
        raise Ambiguous(f"'0' may be a value or an open square among {n} values", ways)
    return None


def letters_alone(text: str, n: int) -> str | None:
    """Return the alphabet of a board in letters and open squares: the first n letters, or the n letters that it has.

    None if the board has digits, too many letters, or one letter alone, which is a mark of open squares. Raises
    ParseError if it has letters that leave others unknown.
    """
    letters = {c.upper() for c in text if c.isascii() and c.isalpha()}
    if len(letters) < MIN_LETTERS or not may_be_letters(text):
        return None
    if letters <= set(LETTERS[:n]):
        return LETTERS[:n]
    if len(letters) < n:
        raise ParseError(f"{len(letters)} different letters, but the board has {n}: state all, as --alphabet ABC...")
    return "".join(sorted(letters)) if len(letters) == n else None


def may_be_letters(cells: Cells) -> bool:
    """Return True for single letters and marks of open squares, without a digit but 0."""
    return all(len(c) == 1 and (not c.isalnum() or c == "0" or (c.isascii() and c.isalpha())) for c in cells)


def board(layout: Layout, text: str) -> Domains:
    """Parse a whole board of a known layout, with or without spaces between marks. Raises ParseError."""
    return domains(layout, split_cells(text, len(layout.squares)))


def split_cells(text: str, size: int) -> Cells:
    """Split a whole board of `size` squares into cells. Raises ParseError."""
    words = text.replace("|", " ").split()
    if len(words) == size:
        return words
    joined = "".join(words)
    if len(joined) != size:
        raise ParseError(f"{max(len(words), 1)} words or {len(joined)} characters, but the board has {size} squares")
    return joined


def one_line(layout: Layout, board: Sequence[int]) -> str:
    """Return a board on one line that `board` can read: symbols, '.' for open squares, candidate groups."""
    plain = all(d == layout.full or (d and not d & d - 1) for d in board)
    glue = "," if has_numbers(layout) or not is_single(layout) else ""

    def mark(d: int) -> str:
        if d == layout.full:
            return "."
        return glue.join(symbol for v, symbol in enumerate(layout.values) if d >> v & 1) or NONE_LEFT

    return ("" if plain and is_single(layout) else " ").join(map(mark, board))


def solution_text(layout: Layout, solution: Sequence[int]) -> str:
    """Return a solution on one line, as in `puzzle:count:solution`."""
    return ("" if is_single(layout) else " ").join(layout.values[v] for v in solution)
