"""Futoshiki: a Latin square in which some neighbours are compared.

futoshiki 3 1........ A2<A3 B1>C1      givens, then comparisons of squares: row A, column 2 and so on
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from puzzles.boards.board import Board
from puzzles.boards.drawing import Grid
from puzzles.boards.families.latin import build
from puzzles.boards.kinds import BoardFamily
from puzzles.boards.kinds import _notation as notation
from puzzles.constraints.all_different import AllDifferent
from puzzles.constraints.linear import Linear
from puzzles.errors import ParseError, brief
from puzzles.problem.values import Domains, Integers

MAX_ORDER = 25
FORM = "A1<A2 or A1>B1"


@dataclass(frozen=True)
class Futoshiki:
    """A futoshiki of order n: the number of each square (0: open), and pairs (smaller, larger) of squares."""

    n: int
    givens: tuple[int, ...]
    ascending: tuple[tuple[int, int], ...]


def parse(words: Sequence[str]) -> Futoshiki:
    """Return the puzzle that words state. Raises ParseError."""
    n = notation.parse_size(words, "futoshiki", MAX_ORDER)
    if len(words) < 2:
        raise ParseError(f"expected 'futoshiki ORDER', the givens, then comparisons such as {FORM}")
    givens = notation.parse_givens(words[1], n * n, n)
    names = {name: s for s, name in enumerate(notation.square_names(n, n))}
    ascending: list[tuple[int, int]] = []
    for word in words[2:]:
        match = re.fullmatch(r"([A-Z][0-9]{1,2})([<>])([A-Z][0-9]{1,2})", word.upper())
        if not match or match[1] not in names or match[3] not in names:
            raise ParseError(f"{brief(word)} compares no two squares of the board: expected {FORM}")
        s, p = names[match[1]], names[match[3]]
        if abs(s // n - p // n) + abs(s % n - p % n) != 1:
            raise ParseError(f"{brief(word)}: the squares are not neighbours")
        pair = (s, p) if match[2] == "<" else (p, s)
        if pair in ascending or pair[::-1] in ascending:
            raise ParseError(f"{brief(word)}: these squares are compared already")
        ascending.append(pair)
    return Futoshiki(n, givens, tuple(ascending))


def text(futoshiki: Futoshiki) -> str:
    """Return the line of a puzzle."""
    names = notation.square_names(futoshiki.n, futoshiki.n)
    signs = [f"{names[s]}<{names[p]}" if s < p else f"{names[p]}>{names[s]}" for s, p in futoshiki.ascending]
    return " ".join([f"futoshiki {futoshiki.n}", notation.givens_text(futoshiki.givens), *signs])


def board(futoshiki: Futoshiki) -> tuple[Board, Domains]:
    """Return the problem of a puzzle, and its domains."""
    n, size = futoshiki.n, futoshiki.n**2
    plain = build(str(n), None)
    rows = Linear.of([([1, -1], (p, s), ">=", 1) for s, p in futoshiki.ascending])
    signs = tuple((min(s, p), max(s, p), "<" if s < p else ">") for s, p in futoshiki.ascending)
    grid = Grid(n, tuple(range(size)), (0,) * size, signs=signs)
    values = Integers(range(1, n + 1))
    problem = Board(f"futoshiki {n}", plain.squares, values, (AllDifferent(plain.units), rows), grid)
    return problem, notation.domains_of(futoshiki.givens, problem.full)


FAMILY = BoardFamily("futoshiki", f"futoshiki ORDER GIVENS {FORM} ...", lambda words: board(parse(words)))
