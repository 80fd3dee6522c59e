"""Solving many puzzles of one layout in one call: each is timed inside, and arrays grow as needed."""

from backends.answer import Int32Array, Int64Array, UInt16Array, UInt64Array
from backends.native.clock import nanoseconds
from backends.native.columns import Columns, Limits, conclude, doubled
from backends.native.compiling import compiled
from backends.native.engine.search import CLAUSES, COMPLETE, ENOUGH, SOLUTIONS, run, start
from backends.native.engine.state import CONFLICTS, DECISIONS, FOUND, PROPAGATIONS, RESTARTS, Board, Search


@compiled
def solve_all(
    b: Board,
    f: Search,
    arena: Int32Array,
    domains: UInt64Array,
    limits: Limits,
    rules: bool,
    columns: Columns,
    effort: Int64Array,
    solutions: UInt16Array,
) -> tuple[UInt16Array, int, Int32Array]:
    """Fill in the columns. Returns the solutions, their number, and the arena, larger if that was needed."""
    used = 0
    for p in range(len(domains)):
        began = nanoseconds()
        ends = began + limits.nanoseconds
        ending = COMPLETE
        if start(b, f, domains[p]):
            ending = CLAUSES
            while ending in (CLAUSES, SOLUTIONS):
                if used + f.at[FOUND] == len(solutions):
                    solutions = doubled(solutions)
                ending = run(b, f, arena, solutions[used:], limits.wanted, limits.nodes, ends, rules)
                if ending == CLAUSES:
                    arena = doubled(arena)
        used += f.at[FOUND]
        conclude(columns, p, f.at[FOUND], ending == COMPLETE, ending != COMPLETE and ending != ENOUGH)
        columns.decisions[p] = f.at[DECISIONS]
        columns.conflicts[p] = f.at[CONFLICTS]
        effort[0, p] = f.at[PROPAGATIONS]
        effort[1, p] = f.at[RESTARTS]
        columns.nanoseconds[p] = nanoseconds() - began
    return solutions, used, arena
