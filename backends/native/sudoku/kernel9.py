"""9x9 Sudoku kernel that times each puzzle inside the compiled loop, and the session of this kernel and batch9.py."""

from dataclasses import dataclass

from backends.contract.answer import Answer, Answers, Ask, Asks, InMemory
from backends.native.columns import ask_one, empty_columns
from backends.native.compiling import announce_compilation
from backends.native.sudoku.search9 import solve
from backends.native.sudoku.sudoku9 import SUDOKU9_ONLY, is_sudoku9
from encoders.formula import Formula, Unsupported


@dataclass(frozen=True)
class Session9(InMemory):
    """Session on 9x9 Sudoku. `timed`: a puzzle is timed from the end of the previous one to its own end."""

    timed: bool

    def ask_many(self, asks: Asks) -> Answers:
        """Solve a batch. Puzzles are independent: their order does not change any answer."""
        c = empty_columns(len(asks.domains))
        solutions = solve(asks, c, self.timed)
        counters = {"decisions": c.decisions, "conflicts": c.conflicts}
        nanoseconds = c.nanoseconds if self.timed else None
        return Answers(c.status, c.complete, c.reason, c.found, solutions, nanoseconds, counters)

    def ask(self, ask: Ask) -> Answer:
        return ask_one(self.ask_many, ask)


def open_session(formula: Formula, timed: bool, name: str) -> Session9:
    """Return a session with its kernel compiled or loaded. Raises Unsupported unless 9x9 Sudoku."""
    if not is_sudoku9(formula):
        raise Unsupported(f"{name} {SUDOKU9_ONLY}")
    session = Session9(timed)
    with announce_compilation(name):
        session.ask(Ask((511,) * 81))
    return session


def open(formula: Formula) -> Session9:  # noqa: A001 - every variant's module has this name
    """Return a session on 9x9 Sudoku. Raises Unsupported on any other layout."""
    return open_session(formula, True, "native:kernel")
