"""Session of the engine: columns in, columns out, one call into compiled code per batch."""

from dataclasses import dataclass, field

import numpy as np

from backends.contract.answer import Answer, Answers, Ask, Asks, InMemory, Session
from backends.native import python
from backends.native.columns import ask_one, empty_columns, limits_of, solution_rows
from backends.native.compiling import announce_compilation
from backends.native.engine.batch import USED, solve_all
from backends.native.engine.search import CLAUSES, SOLUTIONS
from backends.native.engine.state import HEADER, EngineTask, LayoutArrays, SearchState, board, search
from backends.native.memory import words
from encoders.formula import AllDifferent, Formula
from puzzles.problem.arrays import Int32Array

WIDEST = 64  # values: one word per square
ARENA = 1 << 18  # initial words for learned clauses; doubled when used up


def contradictory(formula: AllDifferent) -> bool:
    """Return True if a unit has no solution by itself: more squares than values, or a repeated square."""
    return any(len(u) > formula.values or len(set(u)) < len(u) for u in formula.units)


@dataclass
class EngineSession(InMemory):
    """Session of the engine. `rules` enables matching.py, on which no answer depends."""

    formula: AllDifferent
    rules: bool = True
    board: LayoutArrays = field(init=False)
    search: SearchState = field(init=False)
    arena: Int32Array = field(init=False)

    def __post_init__(self) -> None:
        self.board = board(self.formula)
        self.search = search(self.board)
        self.memory = words(self.board), words(self.search)
        self.arena = np.empty(ARENA + HEADER + self.formula.squares * self.formula.values, np.int32)

    def ask_many(self, asks: Asks) -> Answers:
        """Solve a batch; domains have one word per square."""
        n, squares = len(asks.domains), self.formula.squares
        domains = np.require(asks.domains, np.uint64, ["C", "W"]).reshape(n, squares)
        if contradictory(self.formula):
            domains = np.zeros_like(domains)
        c, rows, effort = empty_columns(n), solution_rows(n, asks, squares), np.zeros((2, n), np.int64)
        limits, progress, columns, ending = limits_of(asks), np.zeros(3, np.int64), words(c), CLAUSES
        while ending >= CLAUSES:
            arena = self.arena
            task = words(
                EngineTask(n, domains, self.rules, *limits, arena, len(arena), rows, len(rows), effort, progress)
            )
            ending = solve_all(*self.memory, task, columns)
            if ending == CLAUSES:
                self.arena = np.resize(arena, 2 * len(arena))
            elif ending == SOLUTIONS:
                rows = np.resize(rows, (2 * len(rows), squares))
        counters = dict(zip(("propagations", "restarts"), effort, strict=True))
        counters |= {"decisions": c.decisions, "conflicts": c.conflicts}
        return Answers(c.status, c.complete, c.reason, c.found, rows[: progress[USED]], c.nanoseconds, counters)

    def ask(self, ask: Ask) -> Answer:
        return ask_one(self.ask_many, ask)


def open(formula: Formula) -> Session:  # noqa: A001 - every variant's module has this name
    """Return a session whose code is compiled now or loaded from the cache; of native:python unless values fit."""
    if not isinstance(formula, AllDifferent) or not 1 <= formula.values <= WIDEST:
        return python.open(formula)
    session = EngineSession(formula)
    with announce_compilation("native:engine"):
        session.ask(Ask((1,) * formula.squares, nodes=0))
    return session
