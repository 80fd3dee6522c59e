"""How the squares of one board are written: as single characters, or as words between spaces.

    cells  a str, one character a square, or a list of words, one a square
    mark   a character or word: a value's symbol, an open square, or a group of candidates

A word of several characters is a group of candidates (`159`) where symbols are single, a number where there are more
than nine values and no alphabet is stated. `1,12` is a group everywhere, `!` a square that no value is left for.
"""

import re
from collections.abc import Sequence
from functools import lru_cache, reduce
from operator import or_

from puzzles import families
from puzzles.layout import Domains, Layout
from puzzles.readers.source import Flaw, brief

Cells = str | list[str]
OPEN = "._0"
NONE_LEFT = "!"
DIGITS, LETTERS = "123456789", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def is_single(layout: Layout) -> bool:
    """Whether every symbol is one character."""
    return all(len(symbol) == 1 for symbol in layout.values)


@lru_cache(256)
def has_numbers(layout: Layout) -> bool:
    """Whether words such as `12` are numbers: more than nine values, under the symbols that no alphabet replaced."""
    return len(layout.values) > 9 and layout.values == families.symbols(len(layout.values), None)


@lru_cache(256)
def table(layout: Layout) -> dict[str, int]:
    """The mask of every mark that stands for one value, for all, or for none. Letters are read in either case."""
    masks = {symbol: 1 << v for v, symbol in enumerate(layout.values)}
    for symbol in layout.values:
        for variant in (symbol.lower(), symbol.upper()):
            masks.setdefault(variant, masks[symbol])
    for mark in OPEN:
        masks.setdefault(mark, layout.full)
    masks.setdefault(NONE_LEFT, 0)
    return masks


def summary(layout: Layout) -> str:
    """The marks of a layout, for a message."""
    first, last = layout.values[0], layout.values[-1]
    opened = "'.' is open" if "0" in layout.values else "'.' and '0' are open"
    return f"{layout.name} has {first} to {last}, {opened}"


def domains(layout: Layout, cells: Cells) -> Domains:
    """The domains that cells state, as many as the layout has squares. Raises Flaw, with the index of the cell."""
    if isinstance(cells, list):
        if any(len(word) > 1 for word in cells):
            return tuple(_word(layout, word, s) for s, word in enumerate(cells))
        cells = "".join(cells)
    masks = table(layout)
    try:
        return tuple(map(masks.__getitem__, cells))
    except KeyError:
        blank = other_open(masks, cells)
    if blank is None:
        s, mark = next((s, c) for s, c in enumerate(cells) if c not in masks)
        letter = ", and this is the letter" if mark in "oO" and "0" not in layout.values else ""
        raise Flaw(f"{mark!r} (square {layout.squares[s]}) is no value: {summary(layout)}{letter}", cell=s)
    return tuple(layout.full if c == blank else masks[c] for c in cells)


def other_open(masks: dict[str, int], cells: str) -> str | None:
    """The one other character that stands for open squares, as in 'X' or '*', where '.' and '0' don't."""
    others = {c for c in cells if c not in masks}
    opened = any(c in cells and masks[c] & masks[c] - 1 for c in OPEN)
    if len(others) != 1 or opened:
        return None
    mark = others.pop()
    return mark if mark in "xX" or (mark.isprintable() and not mark.isalnum()) else None


def _word(layout: Layout, word: str, s: int) -> int:
    masks = table(layout)
    if word in masks:
        return masks[word]
    parts = word.split(",") if "," in word else [word] if has_numbers(layout) or not is_single(layout) else list(word)
    found = [_value(layout, part) for part in parts]
    if not all(found) or len(set(found)) != len(found):
        why = "names a value twice" if all(found) else f"is no value and no group of them: {summary(layout)}"
        raise Flaw(f"{brief(word)} (square {layout.squares[s]}) {why}", cell=s)
    return reduce(or_, found)


def _value(layout: Layout, part: str) -> int:
    """The mask of one value's symbol or number, 0 if it is neither."""
    mask = table(layout).get(part, 0)
    if mask and part not in OPEN:
        return mask
    if part in layout.values:
        return mask
    if has_numbers(layout) and re.fullmatch(r"[0-9]{1,4}", part) and 1 <= int(part) <= len(layout.values):
        return 1 << int(part) - 1
    return 0


def alphabet(cells: Cells, n: int) -> str | None:
    """The alphabet that cells of n values are written in where none is stated; None is the usual one.

    Raises Flaw where it could be more than one: up to nine values are digits, past 35 numbers, but sixteen may be
    1-9A-G, 0-9A-F (0 then being a value) or A-P.
    """
    text = "".join(cells)
    letters = {c.upper() for c in text if c.isascii() and c.isalpha() and c not in "xX"}
    if not 10 <= n <= 35 or not (letters or isinstance(cells, str)):
        return None
    usual = (DIGITS + LETTERS)[:n]
    if letters and not any(c in DIGITS for c in text) and n <= len(LETTERS):
        if max(letters) > usual[-1]:
            return LETTERS[:n]
        stated = f"--alphabet {LETTERS[:n]} or {usual}"
        raise Flaw(f"{n} values in letters alone: A may be the first or the tenth, so state {stated}")
    if "0" in text and usual[-1] not in letters:
        stated = f"--alphabet {'0' + usual[:-1]} (0 is a value) or {usual} (0 is open)"
        raise Flaw(f"'0' may be a value or an open square among {n} values: state {stated}")
    return None


def board(layout: Layout, text: str) -> Domains:
    """The domains that `text` states for a known layout, marks side by side or between spaces: what writers write."""
    return domains(layout, cells_of(text, len(layout.squares)))


def cells_of(text: str, size: int) -> Cells:
    """The cells of a whole board of `size` squares. Raises Flaw."""
    words = text.replace("|", " ").split()
    if len(words) == size:
        return words
    joined = "".join(words)
    if len(joined) != size:
        raise Flaw(f"{max(len(words), 1)} words or {len(joined)} characters where the board has {size} squares")
    return joined


def one_line(layout: Layout, board: Sequence[int]) -> str:
    """A board on one line that reads back: symbols, open squares as '.', groups of candidates where there are any."""
    plain = all(d == layout.full or (d and not d & d - 1) for d in board)
    glue = "," if has_numbers(layout) or not is_single(layout) else ""

    def mark(d: int) -> str:
        if d == layout.full:
            return "."
        return glue.join(symbol for v, symbol in enumerate(layout.values) if d >> v & 1) or NONE_LEFT

    return ("" if plain and is_single(layout) else " ").join(map(mark, board))


def solution_text(layout: Layout, solution: Sequence[int]) -> str:
    """A solution on one line, as `puzzle:count:solution` takes it."""
    return ("" if is_single(layout) else " ").join(layout.values[v] for v in solution)
