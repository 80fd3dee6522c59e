"""Killers, KenKens, kakuros and jigsaws as `show` and `solve` draw them, with walls between squares.

+=======+===+     - | is the edge of a cage, = # that of a cage and a box, . : that of a box inside a cage; a killer has
#8a     |8  #     boxes, a KenKen none. A kakuro has blocked squares, ### or clues such as 4\\ and \\3. The line between
# .   . | . #     two rows is left out if no edge is on it. Diagonals of a killer: \\ / X behind the clue. Parts of one
#   +===+===#     cage that does not hang together have one letter: `8a`, and `a` in the first square of another part.

+---+-------+     squares of one line: a jigsaw, whose walls are those of its regions; an open square may be blank
| 1 | .   . |
|   +---+   |
"""

import re
from collections.abc import Iterator, Sequence
from itertools import product
from typing import NamedTuple

from puzzles.boards.families.jigsaw import LETTERS
from puzzles.boards.regions import parted
from puzzles.errors import ParseError
from puzzles.readers.boards.lookahead import Line
from puzzles.readers.boards.notations.rows import cage_line, directives, held, is_text

WALLS, BOXES = "|#", "#:"  # upright
LEVEL_WALLS, LEVEL_BOXES = "-=", "=."
MIN_WIDE, MAX_ORDER = 3, 25
MAX_LINES = 4 * MAX_ORDER
CROSSED = re.compile(r"(?:^|\s+)[\\/X]$")
CLUE, ACROSS, DOWN = re.compile(r"([0-9]+[-+*/]?)?([a-z]*)"), re.compile(r"\\[0-9]+"), re.compile(r"[0-9]+\\")
BLOCKED = "#"


class Drawn(NamedTuple):
    """A drawing: labels and texts of its positions, edges to the right and below, its columns and its lines.

    walls, boxes  positions (p, q) of neighbours between which a wall, or the edge of a box, is drawn
    """

    labels: list[str]
    texts: list[str]
    walls: set[tuple[int, int]]
    boxes: set[tuple[int, int]]
    width: int
    used: int


def recognise(opening: Sequence[str]) -> bool:
    """Return True if the first lines begin such a drawing, but for a jigsaw whose regions are the boxes of a Sudoku."""
    return len(opening) > MIN_WIDE and first_board(opening) is not None


def translate(lines: Iterator[Line], loose: bool = False) -> Iterator[Line]:
    """Yield each puzzle as a line of its family; `#` begins a comment between drawings alone. Raises ParseError.

    With `loose` squares without a clue are in no cage.
    """
    every, at = held(lines), 0
    while at < len(every):
        number, raw = every[at]
        if not is_text(raw):
            yield from directives(every[at])
            at += 1
            continue
        found = first_board([text for _, text in every[at : at + MAX_LINES]], loose)
        if found is None:
            raise ParseError("expected a killer, KenKen, kakuro or jigsaw as `show` draws it", number)
        yield number, found[0]
        at += found[1]


def first_board(lines: Sequence[str], loose: bool = False) -> tuple[str, int] | None:
    """Return the line of the first drawing, and its number of lines; None if there is none. Raises ParseError."""
    total = max(len(line.rstrip()) for line in lines[:3])
    for width, high in product(range(2, MAX_ORDER + 1), (2, 1)):
        pitch, rest = divmod(total - 1, width)
        found = drawing(lines, width, total, high) if pitch > MIN_WIDE and not rest else None
        text = "" if found is None else jigsaw(found) if high == 1 else line_of(found, loose)
        if found and text:
            return text, found.used
    return None


def drawing(lines: Sequence[str], width: int, total: int, high: int) -> Drawn | None:
    """Return the first drawing with so many columns, characters in a line, and lines of a square; None without one."""
    pitch, at, found = (total - 1) // width, 0, Drawn([], [], set(), set(), width, 0)
    while at < len(lines):
        text = lines[at].rstrip().ljust(total)
        edges = parts_of(text, width, pitch)
        if len(text) > total:
            return None
        if high == 1 and not text.strip():
            at += 1
            continue
        if is_gap(edges):
            add_edges(found, [part[0] for part in edges], len(found.texts) - width, width, LEVEL_WALLS, LEVEL_BOXES)
            at += 1
            if len(found.texts) >= width * width if high == 1 else found.texts and is_end(lines, at):
                return found._replace(used=at)
            continue
        last = lines[at + high - 1 : at + high]
        if at == 0 or not last or len(last[0].rstrip()) > total or text[0] not in WALLS:
            return None
        add_edges(found, text[pitch:-1:pitch], len(found.texts), 1, WALLS, BOXES)
        found.labels.extend(part.strip() for part in edges)
        found.texts.extend(part.strip() for part in parts_of(last[0].rstrip().ljust(total), width, pitch))
        at += high
    return None


def is_end(lines: Sequence[str], at: int) -> bool:
    """Return True if no row follows."""
    return at == len(lines) or lines[at][:1] not in (*WALLS, "+") or lines[at - 1][:1] == lines[at][:1] == "+"


def parts_of(text: str, width: int, pitch: int) -> list[str]:
    """Return the parts of a line between the columns of edges."""
    return [text[pitch * c + 1 : pitch * (c + 1)] for c in range(width)]


def is_gap(parts: Sequence[str]) -> bool:
    """Return True for a line of edges between two rows."""
    wide = len(parts[0])
    patterns = {"-" * wide, "=" * wide, (". " * wide)[:wide], " " * wide}
    return set(parts) <= patterns and set(parts) != {" " * wide}


def add_edges(found: Drawn, marks: Sequence[str], first: int, step: int, walls: str, boxes: str) -> None:
    """Add the edges between neighbours, of which the second is `step` positions after the first."""
    for p, mark in enumerate(marks, first):
        found.walls.update([(p, p + step)] if mark in walls else [])
        found.boxes.update([(p, p + step)] if mark in boxes else [])


def line_of(drawn: Drawn, loose: bool = False) -> str:
    """Return the line of a drawing, '' if it is none of these boards. Raises ParseError for parts without a clue."""
    if any(map(is_blocked, drawn.labels, drawn.texts)):
        return kakuro(drawn)
    n = drawn.width
    if len(drawn.texts) != n * n or not all(text == "." or text.isdecimal() for text in drawn.texts):
        return ""
    regions, names, clues, crossed = parted(n, n * n, drawn.walls), dict[int, str](), dict[str, str](), False
    for region, label in zip(regions, drawn.labels, strict=True):
        text = CROSSED.sub("", label)
        crossed |= text != label
        if not text:
            continue
        match = CLUE.fullmatch(text)
        name = match[2] or f"{region}" if match else ""
        if not match or region in names or (match[1] and name in clues):
            return ""
        names[region] = name
        if match[1]:
            clues[name] = match[1]
    if not clues or not {*names.values()} <= clues.keys():
        return ""
    rows = min((q // n for p, q in drawn.boxes if q - p == n and 0 <= p < n * (n - 1)), default=n)
    killer = f"killer {rows}x{n // rows}"
    if len(names) < len({*regions}) and not loose:
        in_none = f"; if its squares are in no cage, write '#: {killer}' above it" * bool(drawn.boxes)
        raise ParseError(
            "a part of the drawing has no clue: the parts of a cage that does not hang together have one letter, as in"
            f" 8a and a{in_none}"
        )
    cages, stated = [names.get(region, ".") for region in regions], [f"{name}={clue}" for name, clue in clues.items()]
    if not drawn.boxes:  # its notation has no givens: a solution is left out
        return cage_line(f"kenken {n}", cages, stated)
    return cage_line(f"{killer}{' diagonals' * crossed}", cages, stated, drawn.texts)


def is_blocked(label: str, text: str) -> bool:
    """Return True for a blocked square of a kakuro, with clues or without."""
    return bool(ACROSS.fullmatch(label) or DOWN.fullmatch(text)) or (label[:1] == text[:1] == BLOCKED)


def kakuro(drawn: Drawn) -> str:
    """Return the line of a kakuro."""
    words = []
    for label, text in zip(drawn.labels, drawn.texts, strict=True):
        if label[:1] == BLOCKED:
            words.append(BLOCKED)
        elif is_blocked(label, text):
            words.append(f"{text.rstrip(chr(92))}\\{label.lstrip(chr(92))}")
        else:
            words.append(text)
    return f"kakuro {len(words) // drawn.width}x{drawn.width} {' '.join(words)}"


def jigsaw(drawn: Drawn) -> str:
    """Return the line of a jigsaw, '' unless there are n regions of n squares that are no boxes."""
    n = drawn.width
    regions = parted(n, len(drawn.texts), drawn.walls)
    letters = dict(zip(dict.fromkeys(regions), LETTERS, strict=False))
    if len(regions) != n * n or any(regions.count(region) != n for region in regions) or is_boxes(regions, n):
        return ""
    return f"jigsaw {''.join(letters[region] for region in regions)} {' '.join(text or '.' for text in drawn.texts)}"


def is_boxes(regions: Sequence[int], n: int) -> bool:
    """Return True if regions are rectangles in rows and columns of their own, as the boxes of a Sudoku are."""
    wide = regions[:n].count(regions[0])
    high = n // wide
    return all(region == s // n // high * high * n + s % n // wide * wide for s, region in enumerate(regions))
