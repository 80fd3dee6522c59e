"""Labels of instances in messages: 'CNF formula', 'WCNF formula', 'OPB instance', 'killer board', 'puzzle'."""

import re
from collections.abc import Sequence

from puzzles import imported
from puzzles.boards.board import Board
from puzzles.constraints.clauses import Clauses
from puzzles.constraints.linear import Linear
from puzzles.constraints.unsupported import UnsupportedParts
from puzzles.objectives.queries import QueryScript
from puzzles.objectives.soft import SoftClauses
from puzzles.problem import Problem
from puzzles.problem.values import Numbered

PUZZLE = "puzzle"  # label of a layout, whose name says more
XCSP3 = "XCSP3 instance"
WCNF = "WCNF formula"
QUERIES = "query script"
FLATZINC, FLATZINC_ENDINGS = (
    "FlatZinc instance",
    (".fzn", ".json", ".mzn", ".dzn"),
)  # and the endings of names of problems
PROGRAM, PROGRAM_ENDINGS = "integer program", (".lp", ".mps")
OPB, OPB_ENDINGS = "OPB instance", (".opb", ".wbo")
LAST = re.compile(r"\.(gz|bz2|xz|lzma|zst)$")  # of a compressed file
NUMBERED = {Clauses.kind: "CNF formula", Linear.kind: OPB}  # files without names of variables


def label(problem: Problem) -> str:
    """Return the noun for an instance of a problem, such as 'puzzle'."""
    kinds, goal = [c.kind for c in problem.constraints], problem.objective
    numbered = isinstance(problem.variables, Numbered)
    return label_of(
        problem.name, kinds, problem.shared, isinstance(problem, Board), numbered, "" if goal is None else goal.kind
    )


def label_of(name: str, kinds: Sequence[str], shared: bool, board: bool, numbered: bool, objective: str = "") -> str:
    """Return the label of a problem with these kinds of constraint, and of this kind of objective.

    `numbered`: its variables have no names.
    """
    if shared:
        return PUZZLE
    if UnsupportedParts.kind in kinds:
        return "instance" if name == imported.NAME else "unsupported instance"
    if board:
        return f"{name.partition(' ')[0]} board"
    if numbered and objective == SoftClauses.kind:
        return WCNF
    if objective == QueryScript.kind:
        return QUERIES
    named = ((FLATZINC, FLATZINC_ENDINGS), (PROGRAM, PROGRAM_ENDINGS), (OPB, OPB_ENDINGS))
    if not numbered and (form := next((n for n, ends in named if LAST.sub("", name).endswith(ends)), "")):
        return form
    return NUMBERED.get(kinds[0], XCSP3) if numbered and len(kinds) == 1 else XCSP3


def unit_of(labels: Sequence[str]) -> str:
    """Return one word for instances with these labels: 'puzzle' if all are boards, else 'instance'."""
    return PUZZLE if all(text == PUZZLE or text.endswith(" board") for text in labels) else "instance"
