"""Data of the engine's compiled functions: the constant LayoutArrays and the mutable SearchState.

s, v, u   a square, a value, a unit; k the index of a square within a unit
x         a variable: x = s * V + v is true where square s takes value v
literal   2 * x: x is true; 2 * x + 1: x is false
group     variables of which at most one is true: g = s for the values of a square, g = S + u * V + v for the
          squares of a value in a unit; exactly one is true for a square, and if the unit is a permutation
reason    of an assignment: DECIDED; a variable, the true one of a group that makes the rest false; X + g, the group
          that has no other candidate left; X + G + c, the learned clause at index c of the arena
clause    in the arena: its length, its quality (with USED, maybe), two links of watch lists, its literals
S, V      number of squares, of values; X of variables, G of groups
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from backends.native.memory import allocate
from encoders.formula import AllDifferent
from puzzles.problem.arrays import BoolArray, Int8Array, Int32Array, Int64Array, UInt16Array, UInt64Array

Float64Array = npt.NDArray[np.float64]

DECIDED = -1
HEADER = 4  # words of a clause before its literals
USED = 1 << 20  # added to the quality of a clause that took part in a clash since the last deletion

# Indices into SearchState.counts.
POPPED, PUSHED, LEVEL = 0, 1, 2  # propagated part of the trail, its length, the decision level
CLASH, CLASH_REASON = 3, 4  # a variable, and a reason that implies the opposite of its value
END, LEARNED = 5, 6  # end of the arena in use, number of learned clauses
DECISIONS, CONFLICTS, PROPAGATIONS, RESTARTS = 7, 8, 9, 10
STAMP, NEXT_FORGET, NEXT_RESTART, FORGOTTEN = 11, 12, 13, 14
FOUND, ROOTED = 15, 16  # solutions found; length of the root's trail when its rules last ran
BROKEN = 17  # 1: symmetry.py removed candidates, or walk.py found a solution: there may be more
NEXT_WALK, LAST_WALK, MOVES, RANDOM = 18, 19, 20, 21  # values of walk.py: clashes, propagations, moves, a random number
BEST = 22  # length of the longest trail that branch.py aims at, 0 if it aims at none
NUMBERS = 23
NEVER = 1 << 60  # value of NEXT_WALK
# Indices into SearchState.mean: activity added per clash; recent and average quality of learned clauses.
BUMP, RECENT, USUAL = 0, 1, 2


class LayoutArrays(NamedTuple):
    """The layout as arrays. Squares of unit u are unit_squares[unit_start[u]:unit_start[u+1]]."""

    squares: int
    values: int
    units: int
    variables: int
    groups: int
    covered: int  # squares in permutations, counted in each
    room: int  # enough for each variable, and each value of the widest layout
    unit_start: Int32Array
    unit_squares: Int32Array
    of_start: Int32Array  # for each square, where its rows in of_unit and of_index start
    of_unit: Int32Array
    of_index: Int32Array
    permutation: BoolArray


class EngineTask(NamedTuple):
    """Puzzles of one call, and room for the results."""

    puzzles: int
    domains: UInt64Array
    rules: int  # 1: those of the root are used
    wanted: int  # limits per puzzle, as in columns.Limits
    nanoseconds: int
    nodes: int
    arena: Int32Array
    words: int  # length of the arena
    solutions: UInt16Array
    rows: int  # length of solutions
    effort: Int64Array  # propagations of all puzzles, then restarts
    progress: Int64Array  # puzzles done; solutions used; time at which the next puzzle began, 0 if it did not


class SearchState(NamedTuple):
    """State of a search."""

    domain: UInt64Array  # for each square, the values not yet false
    dual: UInt64Array  # for each unit and value, the squares not yet false, by index within the unit
    root_domain: UInt64Array  # the same two at the root
    root_dual: UInt64Array
    value: Int8Array  # for each variable 1 true, -1 false, 0 open
    level: Int32Array
    reason: Int32Array
    trail: Int32Array  # true literals in the order of assignment
    marks: Int32Array  # the trail's length at each decision
    activity: Float64Array  # of each variable
    weight: Float64Array  # of each group
    mean: Float64Array
    seen: Int8Array  # marks of variables while a clause is learned
    marked: Int32Array  # variables whose marks are to be reset
    because: Int32Array  # variables of expanded reasons
    learned: Int32Array  # literals
    stack: Int32Array  # variables being explained; for each, the start of its explanation, and the index to resume at
    starts: Int32Array
    resume: Int32Array
    stamps: Int32Array  # for each level
    head: Int32Array  # for each literal, its first watch, -1 if none
    histogram: Int64Array  # room of forget.py
    queue: Int64Array
    holder: UInt64Array
    back: UInt64Array
    reach: UInt64Array
    current: Int32Array  # the value of each square, of a walk, or that branch.py aims at, -1 if none
    equal: Int32Array  # for each variable, how often the squares that share a unit with its square hold its value
    until: Int64Array  # for each variable, the move up to which it is forbidden
    listed: Int32Array  # squares in conflict; for each square, its index there, or -1
    position: Int32Array
    counts: Int64Array


def board(formula: AllDifferent) -> LayoutArrays:
    """Return the layout as arrays; units of one square and repeated units are redundant, and left out."""
    units = [u for u in dict.fromkeys(formula.units) if len(u) > 1]
    of: list[list[tuple[int, int]]] = [[] for _ in range(formula.squares)]
    for u, unit in enumerate(units):
        for k, s in enumerate(unit):
            of[s].append((u, k))
    pairs = [p for row in of for p in row]
    variables = formula.squares * formula.values
    return LayoutArrays(
        formula.squares,
        formula.values,
        len(units),
        variables,
        formula.squares + len(units) * formula.values,
        sum(len(unit) for unit in units if len(unit) == formula.values),
        max(variables, 64) + 2,
        np.cumsum([0, *map(len, units)]).astype(np.int32),
        np.array([s for unit in units for s in unit], np.int32),
        np.cumsum([0, *map(len, of)]).astype(np.int32),
        np.array([u for u, _ in pairs], np.int32),
        np.array([k for _, k in pairs], np.int32),
        np.array([len(u) == formula.values for u in units], np.bool_),
    )


def search(board: LayoutArrays) -> SearchState:
    """Return the arrays of a search; `start` initialises them."""
    x, room = board.variables, board.room
    lengths = dict.fromkeys(("value", "level", "reason", "activity", "seen", "equal", "until"), x) | {"head": 2 * x}
    lengths |= dict.fromkeys(("domain", "root_domain", "current", "listed", "position"), board.squares)
    lengths |= dict.fromkeys(("dual", "root_dual"), board.units * board.values) | {"weight": board.groups}
    lengths |= dict.fromkeys(("marks", "learned", "trail", "stack", "starts", "resume", "stamps"), room)
    lengths |= {"marked": 2 * room, "because": 4 * room, "histogram": 128, "mean": 3, "counts": NUMBERS}
    return allocate(SearchState, lengths | dict.fromkeys(("queue", "holder", "back", "reach"), 64))
