"""Solving many puzzles of one layout in one call: each is timed inside, and arrays grow between calls."""

from backends.native.columns import ResultColumns, conclude
from backends.native.compiling import compiled
from backends.native.engine import state as at
from backends.native.engine.search import CLAUSES, COMPLETE, ENOUGH, run, start
from backends.native.engine.state import EngineTask, LayoutArrays, SearchState
from backends.native.engine.symmetry import break_symmetry
from backends.native.engine.walk import plan_walks
from backends.native.intrinsics import nanoseconds
from backends.native.memory import view
from puzzles.problem.arrays import Int64Array

DONE, USED, BEGAN = 0, 1, 2  # indices into EngineTask.progress


@compiled
def solve_all(board: Int64Array, search: Int64Array, task: Int64Array, columns: Int64Array) -> int:
    """Fill in the columns; all arguments are words. Returns COMPLETE, or the array that has no room left.

    After CLAUSES or SOLUTIONS the call is to be repeated with a larger arena, or more rows of solutions.
    """
    b, f = view(board, LayoutArrays), view(search, SearchState)
    t, c = view(task, EngineTask), view(columns, ResultColumns)
    while t.progress[DONE] < t.puzzles:
        p = t.progress[DONE]
        fine = t.progress[BEGAN] != 0
        if not fine:
            t.progress[BEGAN] = nanoseconds()
            fine = start(b, f, t.domains, p * b.squares)
            if t.wanted == 1:
                break_symmetry(b, f, t.domains, p * b.squares)
                plan_walks(b, f)
        ending = run(b, f, t, t.progress[USED], t.progress[BEGAN] + t.nanoseconds) if fine else COMPLETE
        if ending >= CLAUSES:
            return ending
        t.progress[USED] += f.counts[at.FOUND]
        conclude(c, p, f.counts[at.FOUND], ending == COMPLETE, ending != COMPLETE and ending != ENOUGH)
        c.decisions[p] = f.counts[at.DECISIONS]
        c.conflicts[p] = f.counts[at.CONFLICTS]
        t.effort[p] = f.counts[at.PROPAGATIONS]
        t.effort[t.puzzles + p] = f.counts[at.RESTARTS]
        c.nanoseconds[p] = nanoseconds() - t.progress[BEGAN]
        t.progress[BEGAN] = 0
        t.progress[DONE] += 1
    return COMPLETE
