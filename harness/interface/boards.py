"""One board in Python: `harness.solve`, `harness.candidates`, `harness.steps` (docs/python.md)."""

import argparse
import os
from collections.abc import Iterator, Sequence
from typing import Any, TypedDict, Unpack

from backends.contract.answer import Ask, Reason, Status
from backends.native.budget import Budget
from harness.commands import solve as verb
from harness.commands.arguments import SettingsParser
from harness.commands.given import given_puzzle, require_board
from harness.commands.show import propagate
from harness.interface.display import TableText
from harness.interface.drawn_board import board_html, pre, sentence
from harness.interface.models import instance_of_model, is_model
from harness.interface.settings import flags
from harness.interface.solving import as_bad_usage
from harness.model.errors import BadUsage
from harness.showing import tracing
from harness.showing.axes import drawn
from harness.showing.formulas import solution_text
from harness.showing.narrator import Narrator
from harness.showing.pencil import candidates_text
from puzzles.boards.board import Board
from puzzles.boards.layout import Layout
from puzzles.objectives import stated
from puzzles.problem import Instance, Problem
from puzzles.problem.values import Integers, bits

Stated = Any  # text, a path, rows of a grid, an instance or problem of puzzles, or a model of another package
WIDTH = 80


class Reading(TypedDict, total=False):
    """Settings of reading a board: `number` of the puzzle in its file, and the long flags of the same names."""

    number: int
    as_: str
    alphabet: str
    ignore_objective: bool


class Solving(Reading, total=False):
    """Settings of `harness.solve`: the long flags of the verb `solve`, with its defaults."""

    count: int
    timeout: float
    open_limit: float
    program: dict[str, str]


class SolveResult:
    """Answer to one instance, judged.

    status     "satisfiable", "unsatisfiable" or "unknown"; `reason` says why it is unknown
    values     value of each variable by name, of the first solution; empty without one. `result["A1"]` is one of them
    solutions  all solutions found, each as `values`
    complete   True if there are no others, or none that is better
    value      value of the objective, as the source states it; None without one
    seconds    wall time, with encoding and decoding
    decisions, conflicts  what the backend counted, None if it counts none
    fault      what the judge found wrong with the answer, "" if nothing

    It is true if there is a solution. Printed, and in a notebook, it is drawn.
    """

    def __init__(self, solved: verb.SolvedOnce) -> None:
        row = solved.row
        self.instance, self.contender = solved.puzzle.name, solved.contender.name
        self.status, self.reason = Status(row["status"]).name.lower(), Reason(row["reason"]).name.lower()
        self.complete, self.seconds = bool(row["complete"]), float(row["wall"]) / 1e9
        self.decisions, self.conflicts = (
            int(n) if (n := row[name]) >= 0 else None for name in ("decisions", "conflicts")
        )
        self.fault = solved.fault()
        self._puzzle, self._found = solved.puzzle, solved.outcomes.solutions.tolist()
        self.solutions = [named(solved.puzzle.problem, solution) for solution in self._found]
        self.values: dict[str, Any] = self.solutions[0] if self.solutions else {}
        goal, best = solved.puzzle.problem.objective, solved.best
        known = best.merit.values[0] if goal is not None and best is not None and self.solutions else None
        self.value = None if known is None or goal is None else stated(goal, known)
        self._sentence = f"{solved.puzzle.name}: {solved.contender.name}: {solved.sentence()}"

    def __bool__(self) -> bool:
        return bool(self.solutions)

    def __getitem__(self, name: str) -> Any:
        return self.values[name]

    def __repr__(self) -> str:
        texts = [solution_text(self._puzzle.problem, solution) for solution in self._found]
        return "\n\n".join([*texts, self._sentence])

    def _repr_html_(self) -> str:
        return "".join([*(self._drawn(solution) for solution in self._found), sentence(self._sentence)])

    def _drawn(self, solution: Sequence[int]) -> str:
        problem, domains = self._puzzle.problem, self._puzzle.domains
        texts = texts_of(problem, [1 << v for v in solution])
        given = [domain.bit_count() == 1 for domain in domains]
        return board_html(problem, texts, given) or pre(solution_text(problem, solution))


class Candidates(dict[str, tuple[Any, ...]]):
    """Candidates of each square by its name, after propagation; drawn when printed.

    contradiction  True if propagation stopped at one: the board has no solution
    """

    def __init__(self, problem: Layout, domains: Sequence[int], contradiction: bool) -> None:
        super().__init__(
            (name, tuple(number(problem, v) for v in bits(mask)))
            for name, mask in zip(problem.squares, domains, strict=True)
        )
        self.contradiction = contradiction
        self._problem, self._domains = problem, domains

    def __repr__(self) -> str:
        return drawn(self._problem, texts_of(self._problem, self._domains))

    def _repr_html_(self) -> str:
        decided = [mask.bit_count() == 1 for mask in self._domains]
        return board_html(self._problem, texts_of(self._problem, self._domains), decided) or pre(repr(self))


def solve(board: Stated, contender: str | None = None, **settings: Unpack[Solving]) -> SolveResult:
    """Solve one board or other instance with one contender, as the verb `solve` does, and judge the answer.

    board      a board on a line or drawn, FILE, FILE:LINE, the name of a corpus, a path, rows of a grid (lists of
               numbers, 0 or None where open), or an instance or problem of `puzzles`
    contender  its name; by default `native`, of an instance with an objective `cpsat`
    settings   count=1, timeout=10.0 (seconds), number=1, as_, alphabet, program={"mine": "./mine"} and so on

    Raises BadUsage.
    """
    with as_bad_usage():
        args = arguments(board, settings | ({"backend": contender} if contender else {}))
        return SolveResult(verb.solved(args, instance_of(board, args)))


def candidates(board: Stated, **settings: Unpack[Reading]) -> Candidates:
    """Return the candidates that naked and hidden singles leave, as `show --candidates` draws them. Raises BadUsage."""
    with as_bad_usage():
        puzzle = require_board(instance_of(board, arguments(board, settings)), "candidates")
        domains, sound = propagate(puzzle)
        return Candidates(puzzle.problem, domains, not sound)


def steps(
    board: Stated, backend: str = "native:norvig", brief: bool = False, **settings: Unpack[Reading]
) -> Iterator[TableText]:
    """Yield the steps of a native solver's search one by one, as `trace` prints them; each is drawn.

    `backend` is native:norvig, native:splitting, native:subsets or native:backtracking. The search goes no further
    than the step that was asked for. Raises BadUsage.
    """
    with as_bad_usage():
        if backend not in tracing.TRACES:
            raise BadUsage(f"{backend} has no steps: choose from {', '.join(tracing.TRACES)}")
        puzzle = require_board(instance_of(board, arguments(board, settings)), "steps")
    return told(puzzle, backend, brief)


def told(puzzle: Instance[Layout], backend: str, brief: bool) -> Iterator[TableText]:
    """Yield the narrator's text on each event, up to the first solution."""
    lines: list[str] = []
    budget = Budget(Ask(puzzle.domains, 1, float("inf")))
    narrator = Narrator(puzzle, {}, WIDTH, colour=False, brief=brief, write=lines.append)
    found = 0
    for event in tracing.events(puzzle, backend, budget):
        yield from taken(lines)
        narrator.show(event)
        found = int(tracing.is_solution(event) and not budget.stuck)
        if found:
            break
    yield from taken(lines)
    narrator.close(budget, found)
    yield from taken(lines)


def taken(lines: list[str]) -> Iterator[TableText]:
    """Yield the lines as one text, if there are any, and remove them."""
    if lines:
        text = "\n".join(line.rstrip() for line in "\n".join(lines).split("\n")).strip("\n")
        lines.clear()
        yield TableText(text, pre(text))


def arguments(board: Stated, settings: dict[str, Any] | Reading) -> argparse.Namespace:
    """Return the arguments of the verb `solve` for a board. Raises BadUsage, TypeError on unknown settings."""
    known = {*Solving.__annotations__, *Reading.__annotations__, "backend"}
    if unknown := [name for name in settings if name not in known]:
        raise TypeError(f"no setting {unknown[0]!r}: choose from {', '.join(sorted(known - {'backend'}))}")
    parser = SettingsParser(add_help=False)
    verb.add_arguments(parser)
    args = parser.parse_args([*flags(settings), "--", text_of(board)])
    args.verb = "solve"
    return args


def text_of(board: Stated) -> str:
    """Return the argument that names a board; '-' for an instance, which needs none."""
    if isinstance(board, Instance | Problem) or is_model(board):
        return "-"
    if isinstance(board, str | os.PathLike):
        return os.fspath(board)
    return repr([[cell if isinstance(cell, str) else int(cell or 0) for cell in row] for row in board])


def instance_of(board: Stated, args: argparse.Namespace) -> Instance[Any]:
    """Return the instance of a board. Raises BadInput, BadUsage."""
    if isinstance(board, Instance):
        return board
    if isinstance(board, Problem):
        return Instance(board.name, board, board.open)
    if is_model(board):
        return instance_of_model(board)
    return given_puzzle(args)


def named(problem: Problem, solution: Sequence[int]) -> dict[str, Any]:
    """Return the value of each variable by its name: a number where it is one."""
    return {x: number(problem, v) for x, v in zip(problem.variables, solution, strict=True)}


def number(problem: Problem, v: int) -> Any:
    """Return a value: an integer if it is a number, else its symbol; None for no value of the problem."""
    if v >= len(problem.values):
        return None
    if isinstance(problem.values, Integers):
        return problem.values.numbers[v]
    return int(problem.values[v]) if problem.values[v].isdecimal() else problem.values[v]


def texts_of(problem: Problem, domains: Sequence[int]) -> list[str]:
    """Return the text of each square of a board: its candidates, without blanks where that is clear."""
    if isinstance(problem, Layout):
        return [candidates_text(problem, mask) for mask in domains]
    symbols = problem.symbols if isinstance(problem, Board) else problem.values
    return [" ".join(symbols[v] for v in bits(mask) if v < len(symbols)) for mask in domains]
