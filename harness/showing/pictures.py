"""Instances as text: a board is drawn; other instances show their size and first lines."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import groupby, islice
from typing import Any

import numpy as np
import numpy.typing as npt

from encoders.direct import constraints
from encoders.formula import Unsupported
from encoders.opb import opb
from encoders.xcsp3 import xcsp3
from harness.reporting.writing.printable import printable
from harness.showing.formulas import description, goal_text, size
from harness.showing.pencil import candidates_text, given_texts
from puzzles.boards.board import Board
from puzzles.boards.families import draw, families
from puzzles.boards.layout import Layout
from puzzles.constraints.clauses import hard_clauses_of, split_clauses
from puzzles.constraints.linear import Linear
from puzzles.constraints.unsupported import unsupported_parts
from puzzles.labels import NUMBERED, label
from puzzles.objectives.soft import SoftClauses
from puzzles.problem import Instance
from puzzles.problem.arrays import Int64Array
from puzzles.problem.values import Domains, bits

LINES = 16
FIRST_MARK, MOST_MARKS = 0xE000, 0x1900  # characters for private use, which stand for the squares of a form
WIDTH = 100  # characters of a line of a file
MAX_PARTS = 2000  # constraints of an instance that is written whole for its first lines
MAX_LITERALS = 10_000  # literals of the first clauses


def picture(instance: Instance[Any]) -> str:
    """Return a drawn board, or the size of another instance and the first lines of its file."""
    problem = instance.problem
    if isinstance(problem, Board):
        return lined(problem.draw(square_texts(instance)))
    if isinstance(problem, Layout):
        return lined(draw(problem, given_texts(instance)))
    goal = [cut(goal_text(problem))] if problem.objective is not None else []
    return "\n".join([printable(description(problem)), *goal, *map(cut, first_lines(instance))])


def pictures(instances: Sequence[Instance[Any]]) -> list[str]:
    """Return the picture of each instance; neighbours that are boards of one layout are drawn together."""
    found: list[str] = []
    for _, group in groupby(instances, lambda instance: id(instance.problem)):
        of = list(group)
        layout, together = of[0].problem, list[str]()
        if isinstance(layout, Layout) and len(of) > 1:
            together = boards_of_one(layout, [instance.domains for instance in of])
        found += together or map(picture, of)
    return found


def boards_of_one(layout: Layout, boards: Sequence[Domains]) -> list[str]:
    """Return the pictures of boards of one layout; none if a square's text may take more than one character."""
    form, every = form_of(layout), set().union(*boards)
    texts = {d: "." if d == layout.full else candidates_text(layout, d) for d in every}
    if form is None or any(len(text) != 1 or not text.isprintable() for text in texts.values()):
        return []
    drawn, squares = form
    canvas = np.tile(drawn, (len(boards), 1))
    codes = {d: ord(text) for d, text in texts.items()}
    canvas[:, squares] = [[codes[d] for d in board] for board in boards]
    found: list[str] = canvas.view(f"<U{len(drawn)}")[:, 0].tolist()
    return found


@lru_cache(64)
def form_of(layout: Layout) -> tuple[npt.NDArray[np.uint32], Int64Array] | None:
    """Return the drawing of a layout as codes of characters, and the position of each square in it.

    None if a plug-in draws it, which may draw other texts differently, or if a square has no position of its own.
    """
    marks = range(FIRST_MARK, FIRST_MARK + len(layout.squares))
    if layout.name.partition(" ")[0] not in families() or len(marks) > MOST_MARKS:
        return None
    codes = np.frombuffer(draw(layout, list(map(chr, marks))).encode("utf-32-le"), np.uint32)
    marked = np.isin(codes, marks)
    squares: Int64Array = np.flatnonzero(marked)[np.argsort(codes[marked])]
    rest = "".join(map(chr, codes[~marked].tolist()))
    return (codes, squares) if codes[squares].tolist() == list(marks) and lined(rest) == rest else None


def lined(text: str) -> str:
    """Return the lines of a drawing with unprintable characters escaped."""
    return "\n".join(map(printable, text.split("\n")))


def cut(line: str) -> str:
    """Return a line of a file, shortened to WIDTH."""
    shown = printable(line.rstrip())
    return shown if len(shown) <= WIDTH else f"{shown[: WIDTH - 3]}..."


def square_texts(instance: Instance[Board]) -> list[str]:
    """Return the text of each square: its value or candidates, '.' if it is open."""
    board = instance.problem
    return ["." if d == board.full else " ".join(board.symbols[v] for v in bits(d)) or "!" for d in instance.domains]


def first_lines(instance: Instance[Any]) -> Iterator[str]:
    """Yield the first LINES lines of the instance's file; the last line tells if there are more."""
    lines = islice(file_lines(instance), LINES + 1)
    yield from islice(lines, LINES)
    if next(lines, None) is not None:
        yield "..."


def file_lines(instance: Instance[Any]) -> Iterator[str]:
    """Yield at least the first lines of a formula, and all lines of another instance if it is small."""
    problem, goal = instance.problem, instance.problem.objective
    flat = hard_clauses_of(problem)
    if flat is not None and goal is None:
        yield f"p cnf {len(problem.variables)} {int((flat == 0).sum())}"
        yield from clause_lines(flat)
    elif flat is not None and isinstance(goal, SoftClauses):
        soft = clause_lines(goal.flat)
        yield from (f"{weight} {line}" for weight, line in zip(goal.weights.tolist(), soft, strict=False))
        yield from (f"h {line}" for line in clause_lines(flat))
    elif not unsupported_parts(problem) and sum(map(size, problem.constraints)) <= MAX_PARTS:
        write = opb if label(problem) == NUMBERED[Linear.kind] else xcsp3
        try:
            yield from write(constraints(problem, instance.domains), instance.domains).decode().splitlines()
        except Unsupported:
            return


def clause_lines(flat: np.ndarray[Any, Any]) -> Iterator[str]:
    """Yield the first clauses of an array of clauses."""
    for clause in split_clauses(flat[:MAX_LITERALS]):
        yield " ".join(map(str, (*clause, 0)))
