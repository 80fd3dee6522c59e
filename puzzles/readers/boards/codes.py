"""Puzzles as codes of other programs, one on a line, translated to lines of boards.

3x3:4e8_2a...                 a game ID of Solo of Simon Tatham's collection: numbers, letters for 1 to 26 open squares,
                              and '_' between neighbouring numbers. 3x3x: has diagonals, 9j: regions, and 3x3k: cages
                              behind a comma, as letters for 1 to 25 borders without a wall, a wall behind each but z,
                              and '_' for none; then the sums of the cages as numbers in their first squares
3x3::k:3595:3595:3844:...     killer: per square 256 * sum + number of its cage; a sum of 0 is no cage. 3x3:d:k: has
                              diagonals
SumoCueV1=0J0=8J0=0J1...      jigsaw: per square its value, 0 if open, and after J the number of its region
SumoCueV1=11+0=14+2...        killer: = and the sum of a cage in its first square, + and the index of that square in
                              the others; =0 is no cage. SumoCueV1D has diagonals
53..7.... aaabbbccc...        jigsaw: a board of digits and a map of its regions in letters or digits

The size of a game ID is that of its boxes, rows and columns. IDs with '#' hold a seed of the program, not a board.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from math import isqrt

from puzzles.boards.families.jigsaw import LETTERS
from puzzles.boards.regions import parted
from puzzles.errors import ParseError, brief
from puzzles.readers.boards.lookahead import Line
from puzzles.readers.boards.notations.rows import cage_line
from puzzles.readers.boards.region_maps import is_map_text

GAME_ID = re.compile(r"(?:([0-9]{1,2})x([0-9]{1,2})|([0-9]{1,2})j)(x?k?)(?:[a-z][a-z0-9]*)?([:#])([^\s:]*)")
TOKEN = re.compile(r"[a-z]|[0-9]+|_")
KILLER = re.compile(r"([1-8]x[1-8]):([a-z]*):k:([0-9]{1,9}(?::[0-9]{1,9})*):?")
JIGSAW = re.compile(r"SumoCueV1=([0-9]{1,9}J[0-9]{1,9}(?:=[0-9]{1,9}J[0-9]{1,9})*)")
SUMS = re.compile(r"SumoCueV1(D?)(?=[^+]*\+)((?:[=+][0-9]{1,4})+)")
FIELDS = re.compile(r"[\s,;|]+")
BOARD, MAP = re.compile(r"[._0-9]{16,}"), re.compile(r"[A-Za-z]{16,}")


def recognise(text: str) -> bool:
    """Return True if a line is, or begins like, a board in one of the notations of this file."""
    begun = text.startswith(("SumoCueV1=", "SumoCueV1D=")) or "::k:" in text[:12]
    return begun or any(pattern.fullmatch(text) for pattern in CODES) or pair_of(text) is not None


def pair_of(text: str) -> tuple[str, str] | None:
    """Return the board and the map of regions that a line has, in either order, or None."""
    fields = FIELDS.split(text.strip(" ,;|"))
    if len(fields) != 2 or len(fields[0]) != len(fields[1]) or len(fields[0]) != isqrt(len(fields[0])) ** 2:
        return None
    for board, parts in (fields, fields[::-1]):
        if BOARD.fullmatch(board) and (MAP.fullmatch(parts) or (parts.isdecimal() and is_map_text(parts))):
            return board, parts
    return None


def translate(lines: Iterator[Line]) -> Iterator[Line]:
    """Yield each puzzle as a line of killer or jigsaw. Raises ParseError."""
    for number, raw in lines:
        text = raw.strip()
        yield number, text if not text or text[0] == "#" else translated(text, number)


def translated(text: str, number: int) -> str:
    """Translate a line into a line of boards. Raises ParseError."""
    for pattern, read in CODES.items():
        if match := pattern.fullmatch(text):
            return read(match, number)
    if pair := pair_of(text):
        return f"jigsaw {pair[1]} {pair[0]}"
    raise ParseError(
        f"{brief(text)} is no game ID of Solo, '3x3:4e8_2...', killer '3x3::k:...', jigsaw 'SumoCueV1=...' or a board"
        " and its regions",
        number,
    )


def solo(match: re.Match[str], number: int) -> str:
    """Return the line of a game ID of Solo. Raises ParseError."""
    text = match[0]
    rows, columns, order, flags, mark, code = match.groups()
    n = int(order or int(rows) * int(columns))
    if mark == "#":
        raise ParseError(f"{brief(text)} is a seed, not a board: copy the game ID, which has ':'", number)
    if n > len(LETTERS) or (order and flags):
        why = f"{n} rows" if n > len(LETTERS) else "both regions and diagonals or cages"
        raise ParseError(f"{brief(text)} has {why}, which is not read", number)
    board, *parts = code.split(",")
    if len(parts) != ("k" in flags) * 2 + bool(order):
        raise ParseError(f"{brief(text)} has {len(parts)} parts behind its board, not as many as its size says", number)
    givens = cells(board, n * n, number)
    if "k" in flags:
        cages, sums = regions(parts[0], n, number), cells(parts[1], n * n, number)
        clues = [f"{cages[s]}={total}" for s, total in enumerate(sums) if total != "."]
        return cage_line(f"killer {rows}x{columns}{' diagonals' * ('x' in flags)}", cages, clues, givens)
    if not order:
        return f"sudoku{'-x' * ('x' in flags)} {rows}x{columns} {' '.join(givens)}"
    found = regions(parts[0], n, number)
    letters = dict(zip(dict.fromkeys(found), LETTERS, strict=False))
    return f"jigsaw {''.join(letters.get(region, '?') for region in found)} {' '.join(givens)}"


def cells(text: str, size: int, number: int) -> list[str]:
    """Return the words of the squares. Raises ParseError if there are not `size`."""
    if TOKEN.sub("", text):
        raise ParseError(f"{brief(text)}: a board of Solo has digits, letters and '_' alone", number)
    runs = [["."] * (ord(token) - ord("a") + 1) if token.isalpha() else [token] for token in TOKEN.findall(text)]
    found = [cell for run in runs for cell in run if cell != "_"]
    if len(found) != size:
        raise ParseError(f"{brief(text)} states {len(found)} squares, not {size}", number)
    return found


def regions(text: str, n: int, number: int) -> list[int]:
    """Return the region of each square, from the walls between columns, then between rows. Raises ParseError."""
    walls = [
        wall for c in text for wall in [False] * (0 if c == "_" else ord(c) - 96 - (c == "z")) + [True] * (c != "z")
    ]
    borders = [(r * n + c, r * n + c + 1) for r in range(n) for c in range(n - 1)]
    borders += [(r * n + c, r * n + c + n) for c in range(n) for r in range(n - 1)]
    if not re.fullmatch(r"[a-z_]+", text) or len(walls) != len(borders) + 1:  # the last wall ends the text
        raise ParseError(f"{brief(text)} states {len(walls) - 1} borders of squares, not {len(borders)}", number)
    return parted(n, n * n, {border for border, wall in zip(borders, walls, strict=False) if wall})


def jigsaw(match: re.Match[str], number: int) -> str:
    """Return the line of a jigsaw of SumoCue. Raises ParseError."""
    values, numbers = zip(*(map(int, field.split("J")) for field in match[1].split("=")), strict=True)
    if max(numbers) >= len(LETTERS) or max(values) > 9:
        why = f"expected values up to 9 and regions up to {len(LETTERS) - 1}"
        raise ParseError(f"{brief(match[0])}: {why}", number)
    return f"jigsaw {''.join(LETTERS[k] for k in numbers)} {''.join(map(str, values))}"


def killer_of_sums(match: re.Match[str], number: int) -> str:
    """Return the line of a killer Sudoku of SumoCue. Raises ParseError."""
    entries = [(mark[0], int(mark[1:])) for mark in re.findall(r"[=+][0-9]+", match[2])]
    n = isqrt(len(entries))
    box = isqrt(n)
    if n * n != len(entries) or box * box != n:
        raise ParseError(f"{len(entries)} squares: expected 16, 81 or 256", number)
    cages = [s if sign == "=" else value for s, (sign, value) in enumerate(entries)]
    sums = {s: total for s, (sign, total) in enumerate(entries) if sign == "=" and total}
    if wrong := [s for s, cage in enumerate(cages) if cage >= len(entries) or entries[cage][0] != "="]:
        raise ParseError(f"square {wrong[0]} is in the cage of square {cages[wrong[0]]}, which begins none", number)
    return killer(f"{box}x{box}", bool(match[1]), cages, sums)


def killer_of_codes(match: re.Match[str], number: int) -> str:
    """Return the line of a killer Sudoku with 256 times the sum, plus the number, of each square's cage."""
    if match[2] not in ("", "d"):
        raise ParseError(f"killer boards with other rules ({match[2]}) are not supported", number)
    codes = [divmod(int(word), 256) for word in match[3].split(":")]
    sums: dict[int, int] = {}
    for total, cage in codes:
        if total and sums.setdefault(cage, total) != total:
            raise ParseError(f"cage {cage} has the sums {sums[cage]} and {total}", number)
    return killer(match[1], bool(match[2]), [cage if total else -1 for total, cage in codes], sums)


def killer(box: str, diagonals: bool, cages: Iterable[int], sums: Mapping[int, int]) -> str:
    """Return a line of a killer from the cage of each square and the sums of cages; others are none."""
    words = (str(cage) if cage in sums else "." for cage in cages)
    return cage_line(f"killer {box}{' diagonals' * diagonals}", words, (f"{cage}={sums[cage]}" for cage in sums))


CODES: dict[re.Pattern[str], Callable[[re.Match[str], int], str]] = {
    GAME_ID: solo,
    KILLER: killer_of_codes,
    JIGSAW: jigsaw,
    SUMS: killer_of_sums,
}
