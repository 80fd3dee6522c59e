"""Notations of other programs for cages and regions, one puzzle per line, translated to lines of boards.

3x3::k:3595:3595:3844:...     killer: per square 256 * sum + number of its cage; a sum of 0 is no cage. 3x3:d:k: has
                              diagonals
SumoCueV1=0J0=8J0=0J1...      jigsaw: per square its value, 0 if open, and after J the number of its region
SumoCueV1=11+0=14+2...        killer: = and the sum of a cage in its first square, + and the index of that square in the
                              others; =0 is no cage. SumoCueV1D has diagonals
53..7.... aaabbbccc...        jigsaw: a board of digits and a map of its regions in letters or digits
"""

import re
from collections.abc import Iterator
from math import isqrt

from puzzles.errors import ParseError, brief
from puzzles.readers.boards.lookahead import Line
from puzzles.readers.boards.region_maps import is_map_text

KILLER = re.compile(r"([1-8])x([1-8]):([a-z]*):k:([0-9]{1,9}(?::[0-9]{1,9})*):?")
JIGSAW = re.compile(r"SumoCueV1=([0-9]{1,9}J[0-9]{1,9}(?:=[0-9]{1,9}J[0-9]{1,9})*)")
SUMS = re.compile(r"SumoCueV1(D?)((?:[=+][0-9]{1,4})+)")
FIELDS = re.compile(r"[\s,;|]+")
BOARD, MAP = re.compile(r"[._0-9]{16,}"), re.compile(r"[A-Za-z]{16,}")
LETTERS = "abcdefghijklmnopqrstuvwxyz"


def recognise(text: str) -> bool:
    """Return True if a line is, or begins like, a board in one of the notations of this file."""
    return (
        text.startswith(("SumoCueV1=", "SumoCueV1D="))
        or "::k:" in text[:12]
        or pair_of(text) is not None
        or bool(KILLER.fullmatch(text))
    )


def pair_of(text: str) -> tuple[str, str] | None:
    """Return the board and the map of regions that a line has, in either order, or None."""
    fields = FIELDS.split(text.strip(" ,;|"))
    if len(fields) != 2 or len(fields[0]) != len(fields[1]) or len(fields[0]) != isqrt(len(fields[0])) ** 2:
        return None
    for board, regions in (fields, fields[::-1]):
        if BOARD.fullmatch(board) and (MAP.fullmatch(regions) or (regions.isdecimal() and is_map_text(regions))):
            return board, regions
    return None


def translate(lines: Iterator[Line]) -> Iterator[Line]:
    """Yield each puzzle as a line of killer or jigsaw. Raises ParseError."""
    for number, raw in lines:
        text = raw.strip()
        yield number, text if not text or text[0] == "#" else translated(text, number)


def translated(text: str, number: int) -> str:
    """Translate a line into a line of boards. Raises ParseError."""
    if match := KILLER.fullmatch(text):
        return killer_line(match, number)
    if match := JIGSAW.fullmatch(text):
        squares = [tuple(map(int, field.split("J"))) for field in match[1].split("=")]
        regions = [region for _, region in squares]
        if max(regions) >= len(LETTERS) or max(value for value, _ in squares) > 9:
            raise ParseError(f"{brief(text)}: expected values up to 9 and regions up to {len(LETTERS) - 1}", number)
        return f"jigsaw {''.join(LETTERS[k] for k in regions)} {''.join(str(value) for value, _ in squares)}"
    if (match := SUMS.fullmatch(text)) and "+" in match[2]:
        return killer_of_sums(match, number)
    if pair := pair_of(text):
        return f"jigsaw {pair[1]} {pair[0]}"
    raise ParseError(
        f"{brief(text)} is not a killer '3x3::k:...', a jigsaw 'SumoCueV1=...' or a board and its regions", number
    )


def killer_of_sums(match: re.Match[str], number: int) -> str:
    """Return the line of a killer Sudoku of SumoCue. Raises ParseError."""
    entries = [(mark[0], int(mark[1:])) for mark in re.findall(r"[=+][0-9]+", match[2])]
    n = isqrt(len(entries))
    box = isqrt(n)
    if n * n != len(entries) or box * box != n:
        raise ParseError(f"{len(entries)} squares: expected 16, 81 or 256", number)
    cages = [s if sign == "=" else value for s, (sign, value) in enumerate(entries)]
    firsts = {s: total for s, (sign, total) in enumerate(entries) if sign == "=" and total}
    if wrong := [s for s, cage in enumerate(cages) if cage >= len(entries) or entries[cage][0] != "="]:
        raise ParseError(f"square {wrong[0]} is in the cage of square {cages[wrong[0]]}, which begins none", number)
    words = ",".join(str(cage) if cage in firsts else "." for cage in cages)
    head = f"killer {box}x{box}{' diagonals' if match[1] else ''}"
    return " ".join([head, words, *(f"{cage}={total}" for cage, total in firsts.items())])


def killer_line(match: re.Match[str], number: int) -> str:
    """Return the line of a killer Sudoku. Raises ParseError."""
    if match[3] not in ("", "d"):
        raise ParseError(f"killer boards with other rules ({match[3]}) are not supported", number)
    codes = [divmod(int(word), 256) for word in match[4].split(":")]
    sums: dict[int, int] = {}
    for total, cage in codes:
        if total and sums.setdefault(cage, total) != total:
            raise ParseError(f"cage {cage} has the sums {sums[cage]} and {total}", number)
    cages = ",".join(str(cage) if total else "." for total, cage in codes)
    clues = [f"{cage}={total}" for cage, total in sums.items()]
    return " ".join([f"killer {match[1]}x{match[2]}{' diagonals' if match[3] else ''}", cages, *clues])
