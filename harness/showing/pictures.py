"""Instances as text: a board is drawn; other instances show their size and first lines."""

from collections.abc import Iterator
from itertools import islice
from typing import Any

import numpy as np

from encoders.direct import constraints
from encoders.formula import Unsupported
from encoders.opb import opb
from encoders.xcsp3 import xcsp3
from harness.reporting.printable import printable
from harness.showing.formulas import description, goal_text, size
from harness.showing.pencil import given_texts
from puzzles.boards.board import Board
from puzzles.boards.families import draw
from puzzles.boards.layout import Layout
from puzzles.constraints.clauses import hard_clauses_of, split_clauses
from puzzles.constraints.linear import Linear
from puzzles.constraints.unsupported import unsupported_parts
from puzzles.labels import NUMBERED, label
from puzzles.objectives.soft import SoftClauses
from puzzles.problem import Instance
from puzzles.problem.values import bits

LINES = 16
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
