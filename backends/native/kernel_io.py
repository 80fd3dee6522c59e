"""Sessions of the two 9x9 kernels.

A kernel is a compiled function of (domains, limits, columns, solutions). It fills in the columns and returns the
solutions, in a larger array if they did not fit, and their number.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from backends.answer import Answer, Answers, Ask, Asks, UInt16Array, UInt64Array
from backends.native.columns import Columns, Limits, ask_one, empty_columns, limits_of, solution_rows
from backends.native.compiling import announce_compilation
from backends.native.sudoku9 import SUDOKU9_ONLY, is_sudoku9
from encoders.formula import Formula, Unsupported

Kernel = Callable[[UInt64Array, Limits, Columns, UInt16Array], tuple[UInt16Array, int]]


@dataclass(frozen=True)
class Session9:
    """A session of one kernel. `timed`: the kernel times each puzzle."""

    kernel: Kernel
    timed: bool
    version: str = ""

    def ask_many(self, asks: Asks) -> Answers:
        """Solve a batch. Puzzles are independent: their order does not change any answer."""
        domains = np.require(asks.domains, np.uint64, ["C", "W"]).reshape(-1)
        n = len(asks.domains)
        c = empty_columns(n)
        solutions, used = self.kernel(domains, limits_of(asks), c, solution_rows(n, asks, 81), self.timed)
        counters = {"decisions": c.decisions, "conflicts": c.conflicts}
        nanoseconds = c.nanoseconds if self.timed else None
        return Answers(c.status, c.complete, c.reason, c.found, solutions[:used], nanoseconds, counters)

    def ask(self, ask: Ask) -> Answer:
        return ask_one(self, ask)

    def close(self) -> None:
        """Do nothing: the session is stateless."""


def open_session(formula: Formula, kernel: Kernel, timed: bool, name: str) -> Session9:
    """Return a session with its kernel compiled or loaded. Raises Unsupported unless 9x9 Sudoku."""
    if not is_sudoku9(formula):
        raise Unsupported(f"{name} {SUDOKU9_ONLY}")
    session = Session9(kernel, timed)
    with announce_compilation(name):
        session.ask(Ask((511,) * 81))
    return session
