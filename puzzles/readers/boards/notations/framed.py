"""Killers, KenKens and kakuros as `show` and `solve` draw them: squares of two lines, the first with a clue.

+=======+===+     - | is the edge of a cage, = # that of a cage and a box, . : that of a box inside a cage; a killer has
#8      |8  #     boxes, a KenKen none. A kakuro has blocked squares, ### or clues such as 4\\ and \\3. The line between
# .   . | . #     two rows is left out if no edge is on it. Diagonals of a killer: \\ / X behind the clue.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from puzzles.boards.regions import parted
from puzzles.errors import ParseError
from puzzles.readers.boards.lookahead import Line
from puzzles.readers.boards.notations.rows import directives, held, is_text

WALLS, BOXES = "|#", "#:"  # upright
LEVEL_WALLS, LEVEL_BOXES = "-=", "=."
MIN_WIDE, MAX_ORDER = 3, 25
MAX_LINES = 4 * MAX_ORDER
CROSSED = re.compile(r"(?:^|\s+)[\\/X]$")
CLUE, ACROSS, DOWN = re.compile(r"[0-9]+[-+*/]?"), re.compile(r"\\[0-9]+"), re.compile(r"[0-9]+\\")
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
    """Return True if the first lines begin a drawing whose squares have two lines."""
    return len(opening) > MIN_WIDE and opening[0].startswith("+") and any(map(line_of, drawings(opening)))


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
        texts = [text for _, text in every[at : at + MAX_LINES]]
        found = next(((text, drawn.used) for drawn in drawings(texts) if (text := line_of(drawn, loose))), None)
        if found is None:
            raise ParseError("expected a killer, KenKen or kakuro as `show` draws it", number)
        yield number, found[0]
        at += found[1]


def drawings(lines: Sequence[str]) -> Iterator[Drawn]:
    """Yield the first drawing, for each number of columns that its width allows."""
    total = max(len(line.rstrip()) for line in lines[:3])
    for width in range(2, MAX_ORDER + 1):
        if (total - 1) % width == 0 and (total - 1) // width > MIN_WIDE and (found := drawing(lines, width, total)):
            yield found


def drawing(lines: Sequence[str], width: int, total: int) -> Drawn | None:
    """Return the first drawing, which has so many columns and characters in a line; None if the lines draw none."""
    pitch, at, found = (total - 1) // width, 0, Drawn([], [], set(), set(), width, 0)
    while at < len(lines):
        text = lines[at].rstrip().ljust(total)
        edges = parts_of(text, width, pitch)
        if is_gap(edges):
            if len(text) > total:
                return None
            below(found, edges)
            at += 1
            if found.texts and is_end(lines, at):
                return found._replace(used=at)
            continue
        if at in (0, len(lines) - 1):
            return None
        second = lines[at + 1].rstrip().ljust(total)
        if len(text) > total or len(second) > total or text[0] not in WALLS:
            return None
        beside(found, text, width, pitch)
        found.labels.extend(part.strip() for part in edges)
        found.texts.extend(part.strip() for part in parts_of(second, width, pitch))
        at += 2
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


def below(found: Drawn, parts: Sequence[str]) -> None:
    """Add the edges of a line below the last row."""
    first = len(found.texts) - found.width
    for c, part in enumerate(parts):
        pair = (first + c, first + c + found.width)
        if part[0] in LEVEL_WALLS:
            found.walls.add(pair)
        if part[0] in LEVEL_BOXES:
            found.boxes.add(pair)


def beside(found: Drawn, text: str, width: int, pitch: int) -> None:
    """Add the edges in the first line of a row."""
    first = len(found.texts)
    for c in range(width - 1):
        mark, pair = text[pitch * (c + 1)], (first + c, first + c + 1)
        if mark in WALLS:
            found.walls.add(pair)
        if mark in BOXES:
            found.boxes.add(pair)


def line_of(drawn: Drawn, loose: bool = False) -> str:
    """Return the line of a drawing, '' if it is none of these boards. Raises ParseError for parts without a clue."""
    if any(map(is_blocked, drawn.labels, drawn.texts)):
        return kakuro(drawn)
    n = drawn.width
    if len(drawn.texts) != n * n or not all(text == "." or text.isdecimal() for text in drawn.texts):
        return ""
    regions, clues, crossed = parted(drawn.width, len(drawn.texts), drawn.walls), dict[int, str](), False
    for p, label in enumerate(drawn.labels):
        text = CROSSED.sub("", label)
        crossed |= text != label
        if text and (not CLUE.fullmatch(text) or regions[p] in clues):
            return ""
        if text:
            clues[regions[p]] = text
    if not clues:
        return ""
    if len(clues) < len(set(regions)) and not loose:
        raise ParseError(
            "a part of the drawing has no clue: squares in no cage look like a part of a cage that does not hang"
            " together; write such a board on a line, or '#: killer 3x3' above it if they are in none"
        )
    cages = ",".join(f"c{region}" if region in clues else "." for region in regions)
    stated = " ".join(f"c{region}={clue}" for region, clue in clues.items())
    if not drawn.boxes:  # its notation has no givens: a solution is left out
        return f"kenken {n} {cages} {stated}"
    rows = min((q // n for p, q in drawn.boxes if q - p == n and 0 <= p < n * (n - 1)), default=n)
    return f"killer {rows}x{n // rows}{' diagonals' * crossed} {','.join(drawn.texts)} {cages} {stated}"


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
