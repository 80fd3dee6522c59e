"""Parts of the notation that families share: sizes, maps of cages, clues of cages, givens. All raise ParseError."""

import re
from collections.abc import Sequence

from puzzles.boards.families.sudoku import row_name
from puzzles.errors import ParseError, brief

MARKS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
NO_CAGE = "."
OPEN = ".0"
MAX_DIGITS = 9  # digits of a clue
Cages = dict[str, tuple[int, ...]]  # mark -> squares, in order of appearance


def parse_size(words: Sequence[str], name: str, most: int) -> int:
    """Return the order of a board, which the first word states."""
    text = words[0] if words else ""
    if not re.fullmatch(r"[0-9]{1,3}", text) or not 1 <= int(text) <= most:
        raise ParseError(f"{name} {brief(text)}: state the order, such as '{name} 5', up to {most}")
    return int(text)


def items(text: str) -> Sequence[str]:
    """Return one item per square: characters, or the parts between commas."""
    return text.split(",") if "," in text else text


def parse_givens(text: str, size: int, most: int) -> tuple[int, ...]:
    """Return the number of each square, 0 if it is open."""
    found = items(text)
    if len(found) != size:
        raise ParseError(f"givens of {len(found)} squares, but the board has {size}")
    return tuple(parse_number(word, most) for word in found)


def parse_number(word: str, most: int) -> int:
    """Return the number of a square from 1 to `most`, 0 if it is open."""
    if word in OPEN:
        return 0
    if not re.fullmatch(r"[0-9]{1,6}", word) or not 1 <= int(word) <= most:
        raise ParseError(f"{brief(word)} is not a value: expected 1 to {most}, or '.' for an open square")
    return int(word)


def givens_text(givens: Sequence[int]) -> str:
    """Return givens as `parse_givens` reads them."""
    return ("," if max(givens) > 9 else "").join(str(number or ".") for number in givens)


def parse_map(text: str, size: int) -> Cages:
    """Return the squares of each cage of a map with one mark per square; `.` marks a square without a cage."""
    marks = items(text)
    if len(marks) != size:
        raise ParseError(f"a map of {len(marks)} squares, but the board has {size}: one letter per square")
    cages: dict[str, list[int]] = {}
    for s, mark in enumerate(marks):
        if not (mark.isascii() and mark.isalnum()) and mark != NO_CAGE:
            raise ParseError(f"{brief(mark)} in the map is no cage: expected letters or digits, '.' for none")
        if mark != NO_CAGE:
            cages.setdefault(mark, []).append(s)
    return {mark: tuple(squares) for mark, squares in cages.items()}


def map_text(cages: Sequence[tuple[int, ...]], size: int) -> tuple[str, Sequence[str]]:
    """Return the map of cages, and the mark of each cage."""
    marks = MARKS if len(cages) <= len(MARKS) else [str(k + 1) for k in range(len(cages))]
    mark_of = {s: mark for squares, mark in zip(cages, marks, strict=False) for s in squares}
    glue = "" if len(cages) <= len(MARKS) else ","
    return glue.join(mark_of.get(s, NO_CAGE) for s in range(size)), marks


def parse_clues(words: Sequence[str], cages: Cages, form: str) -> dict[str, tuple[int, str]]:
    """Return number and operator of each cage from words `a=10` or `a=10+`; the operator may be ''."""
    clues: dict[str, tuple[int, str]] = {}
    for word in words:
        match = re.fullmatch(r"([0-9A-Za-z]+)=([0-9]+)(\D?)", word)
        if not match or len(match[2]) > MAX_DIGITS:
            raise ParseError(f"{brief(word)} is no clue of a cage: expected {form}")
        mark = match[1]
        if mark not in cages:
            raise ParseError(f"{brief(word)}: the map has no cage {mark}")
        if mark in clues:
            raise ParseError(f"{brief(word)}: cage {mark} has a clue already")
        clues[mark] = int(match[2]), match[3]
    if missing := [mark for mark in cages if mark not in clues]:
        raise ParseError(f"cage {missing[0]} has no clue: expected {form.replace('a=', missing[0] + '=', 1)}")
    return clues


def square_names(rows: int, columns: int) -> tuple[str, ...]:
    """Return the names of squares: A1, A2, ..."""
    return tuple(f"{row_name(r)}{c + 1}" for r in range(rows) for c in range(columns))


def domains_of(givens: Sequence[int], full: int) -> tuple[int, ...]:
    """Return the domains of squares whose values are the numbers from 1."""
    return tuple(1 << number - 1 if number else full for number in givens)


def cage_labels(cages: Sequence[tuple[tuple[int, ...], str]], size: int) -> tuple[str, ...]:
    """Return the label of each square: a cage's text stands in its first square."""
    first = {min(squares): text for squares, text in cages}
    return tuple(first.get(s, "") for s in range(size))


def cage_regions(cages: Sequence[tuple[int, ...]], size: int) -> tuple[int, ...]:
    """Number each square by its cage; a square without a cage gets a number of its own."""
    cage = {s: k for k, squares in enumerate(cages) for s in squares}
    return tuple(cage.get(s, len(cages) + s) for s in range(size))
