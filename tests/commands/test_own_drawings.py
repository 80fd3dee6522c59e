"""A board that `show` and `solve` print is an input, and reads back as the board."""

import re
from math import isqrt
from pathlib import Path
from random import Random
from typing import Any

import pytest

from harness.commands.generate import oracle
from puzzles.boards.families import layout
from puzzles.boards.layout import Layout
from puzzles.formats import parse_text, read
from puzzles.generating import boards
from puzzles.generating.generate import nth
from puzzles.problem import Instance
from puzzles.readers.boards.marks import one_line
from tests.conftest import Harness

LAYOUTS = ("sudoku 3x3", "sudoku 2x3", "sudoku 4x4", "latin 5", "sudoku-x 3x3", "windoku 3x3", "sudoku 2x2")
BOARDS = ("killer 2x3", "killer 3x3", "kakuro 6x6", "kenken 4", "futoshiki 5", "jigsaw 2x3", "jigsaw 3x3", "magic 3")
SQUARES = ("magic 4", "queens 6", "queens 8")
STATED = (
    "killer 2x2 aab.cab.cc..d... a=7 b=4 c=6 d=4",  # some of its squares are in no cage
    "killer 2x2 aabbccddeeffaahh a=10 b=7 c=7 d=3 e=3 f=7 h=3",  # a cage in two parts
    "killer 2x2 diagonals aabbccddbbffaa.. a=10 b=10 c=5 d=5 f=5",
    "kenken 3 aabcddabb a=6+ b=6* c=2 d=3/",
)


def text_of(name: str, n: int) -> str:
    """Return the text of a generated board."""
    if name.partition(" ")[0] in boards.FAMILIES:
        return boards.nth_line(name, "easy", 1, n, oracle())
    board = layout(name)
    return f"#: {name}\n{one_line(board, nth(board, 'easy', 1, n, oracle()).domains)}"


def cases(name: str, text: str) -> list[tuple[str, ...]]:
    """Return the printings of a board: the verb with its options, and its text as the input."""
    found: list[tuple[str, ...]] = [("show", text), ("solve", text)]
    (instance,) = parse_text(text, "t")
    if isinstance(instance.problem, Layout):
        found.append(("show", text, "--candidates"))
        head, _, board = text.rpartition("\n")
        if head and set(board) <= set("123456789."):
            found.append(("show", f"{head}\n{board.replace('.', 'a', 1)}"))
    return found


@pytest.mark.parametrize("name", [*LAYOUTS, *BOARDS, *SQUARES, *STATED])
def test_a_printed_board_reads_back(harness: Harness, tmp_path: Path, name: str) -> None:
    text = name if name in STATED else text_of(name, 1)
    (board,) = parse_text(text, "t")
    for verb, given, *options in cases(name, text):
        (tmp_path / "board.txt").write_text(f"{given}\n")
        printed = harness(verb, "board.txt", *options)
        assert printed.code in (0, 10), printed.err
        (tmp_path / "printed.txt").write_text(printed.out)
        (again,) = read(tmp_path / "printed.txt")
        assert again.problem == board.problem, printed.out
        assert options or verb == "solve" or again.domains == board.domains, printed.out
        assert verb != "solve" or is_solution(again, board), printed.out


def test_candidates_of_sixteen_values_read_back(harness: Harness, tmp_path: Path) -> None:
    _, board = text_of("sudoku 4x4", 1).split("\n")
    (tmp_path / "board.txt").write_text(board[:40] + "." * 60 + board[100:] + "\n")
    printed = harness("show", "board.txt", "--candidates")
    assert re.search(r" [1-9]{1,3}[A-G]{1,3} ", printed.out)
    (tmp_path / "printed.txt").write_text(printed.out)
    assert harness("show", "printed.txt", "--candidates").out == printed.out


@pytest.mark.parametrize("name", ["sudoku 6x6", pytest.param("latin 49", marks=pytest.mark.slow)])
def test_candidates_that_are_numbers_read_back(harness: Harness, tmp_path: Path, name: str) -> None:
    board, random = layout(name), Random(1)
    n = len(board.values)
    numbers = [(r * isqrt(n) + r // isqrt(n) + c) % n for r in range(n) for c in range(n)]
    domains = [1 << v if random.random() < 0.3 else board.full for v in numbers]
    (tmp_path / "board.txt").write_text(f"#: {name}\n{one_line(board, domains)}\n")
    printed = harness("show", "board.txt", "--candidates")
    assert re.search(r" [0-9,]+,[1-9][0-9] ", printed.out)
    (tmp_path / "printed.txt").write_text(printed.out)
    assert harness("show", "printed.txt", "--candidates").out == printed.out


def is_solution(found: Instance[Any], board: Instance[Any]) -> bool:
    """Return True if a board is full, and has what another has; a KenKen has no givens, and nothing of a solution."""
    full = all(domain.bit_count() == 1 for domain in found.domains)
    return (full or found.domains == board.domains) and all(
        mine & theirs == mine for mine, theirs in zip(found.domains, board.domains, strict=True)
    )
