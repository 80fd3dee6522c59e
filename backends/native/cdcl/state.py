"""Memory of the solver. Kernels change it; Python makes it, and enlarges the arena.

    x       a variable, from 0       p  a literal: 2x if x is to be true, 2x + 1 if false, so p ^ 1 is its negation
    c       a clause, as the index of its first word in the arena

A clause in the arena: its size, its LBD (0 if it was not learned), the number of conflicts when it last took part in
one, its literals. The first two are watched.

The reason of a literal is a clause, or a code below NONE: the literal that excludes it, or the row of a sum (rules.py).
Such a reason becomes a clause, behind the last one in the arena, only when the analysis of a conflict asks for it.
"""

from typing import Any, NamedTuple

import numpy as np

from backends.native.cdcl.rules import NO_GROUPS, NO_SUMS, Groups, Sums, groups_by_literal, losses_by_literal
from backends.native.memory import allocate
from puzzles.problem.arrays import Int8Array, Int32Array, Int64Array

SIZE, LBD, USED, LITERALS = 0, 1, 2, 3  # words of a clause
NONE = -1
DEAD = -1  # LBD of a clause that is to be deleted
TRAIL, HEAD, LEVELS, TOP, HEAP, LEARNED, LOGGED, MARK = range(8)  # scalars
RESTARTS, CONFLICTS, DECISIONS, PROPAGATIONS, LIMIT, SINCE, QUEUED, CLAUSES = range(8, 16)
# clauses and words of watches there is room for; words in use; conflicts before a walk, propagations before the first;
# the size of a core; growth of LIMIT at a deletion
CAPACITY, ROOM, FRESH, WALKS, EFFORT, CORE, GROWTH = range(16, 23)
COUNTED = {"decisions": DECISIONS, "conflicts": CONFLICTS, "propagations": PROPAGATIONS, "restarts": RESTARTS}
# of the queue: its front, the first variable that may be open, the last stamp; variables met in a conflict
FRONT, SOUGHT, STAMPED, MET = range(23, 27)
# 1 in focused mode; changes of mode; ticks, and those of the first turn; the end of this turn in ticks, of the first in
# conflicts; levels of all conflicts, together; conflicts in focused mode, restarts in the other
FOCUSED, TURNS, TICKS, FIRST_TICKS, TURN, DEPTHS, GLUED, STABLE = range(27, 35)
# words of `reasons`, those in use; 1 if one was lost; literals of the trail, at the root, whose reasons are there
REASONS, EXPLAINED, LOST, ROOTED = range(35, 39)
RANKS = 1 << 10  # ranks of clauses, by which they are deleted
FIRST_WALK = 500  # conflicts before the first walk, and one more for 50 clauses, or
FIRST_TURN = 1000  # conflicts
FIRST_EFFORT = 100_000  # propagations before it, and two more for a clause, whatever comes first
NEVER = 1 << 62  # conflicts, propagations
FIRST_LIMIT, LARGEST_LIMIT = 200, 4000  # bounds of the learned clauses before the first deletion: half of those given
SPARE = 1 << 10  # clauses beyond those given
KEPT_REASONS = 1 << 20  # words


class CdclState(NamedTuple):
    """State between two calls.

    value     int8[2 variables], per literal: 1 true, -1 false, 0 open
    level     of each variable that has a value    position  its index in the trail    reason  its clause or code
    trail     literals that are true, in order; `limits[d]` is the trail's length before decision d
    phase     the last value of each variable: the bit to add to 2x
    heap      variables by activity, the highest first; `slot` is the index of a variable in it, or NONE
    older     the next variable of the queue, or NONE    newer  the one before    stamp  rises along `newer` (queue.py)
    averages  of LBDs (modes.py)    met  variables of a conflict
    seen      marks of the analysis    learned  literals of the clause under construction    marks  stamps of levels
              after a search that failed, the first CORE of `learned` are assumptions that can't hold together
    implied   literals that follow from those of that clause    histogram  learned clauses by their rank
    blocks    the first word of each list in `watches`, or 0    lengths  its words in use (watching.py)
    ruled     not 0 if there are groups or sums
    reasons   for a proof, of literals that rows of longer chains need: clauses of DIMACS literals, each ended by 0
    counts    scalars, at the indices above

    groups    of literal p: groups[groups_of[p] : groups_of[p + 1]]; the members as in rules.Groups
    losses    of literal p, once false: losing[losses_of[p] : losses_of[p + 1]], rows, and `loss`, by how much
    slack     of each row, now; `widest` is its largest weight; `queue` holds rows to propagate, marked in `queued`
    rows, chains, literals, weights, whole   as in rules.Sums
    """

    variables: int
    ruled: int
    value: Int8Array
    level: Int32Array
    position: Int32Array
    reason: Int32Array
    trail: Int32Array
    limits: Int32Array
    phase: Int8Array
    activity: "np.ndarray[tuple[int], np.dtype[np.float64]]"
    heap: Int32Array
    slot: Int32Array
    older: Int32Array
    newer: Int32Array
    stamp: Int64Array
    met: Int32Array
    seen: Int8Array
    learned: Int32Array
    marks: Int64Array
    histogram: Int64Array
    implied: Int32Array
    blocks: Int32Array
    lengths: Int32Array
    watches: Int32Array
    increment: "np.ndarray[tuple[int], np.dtype[np.float64]]"
    averages: "np.ndarray[tuple[int], np.dtype[np.float64]]"
    counts: Int64Array
    groups_of: Int32Array
    groups: Int64Array
    starts: Int32Array
    members: Int32Array
    losses_of: Int32Array
    losing: Int64Array
    loss: Int64Array
    slack: Int64Array
    widest: Int64Array
    queue: Int32Array
    queued: Int8Array
    rows: Int32Array
    chains: Int32Array
    literals: Int32Array
    weights: Int64Array
    whole: Int64Array
    reasons: Int32Array


class Memory(NamedTuple):
    """Arrays that come with a call, each with its length: the arena, the log, clauses to load, and assumptions.

    assumed  literals of distinct variables that a search decides first, in order
    until    number of conflicts, of all searches together, at which a search ends
    """

    arena: Int32Array
    words: int
    log: Int32Array
    logs: int
    clauses: Int32Array  # DIMACS literals, each clause ended by 0
    given: int
    assumed: Int32Array
    assumptions: int
    until: int


def watch_words(variables: int, clauses: int) -> int:
    """Return the number of words for the watches of `clauses` clauses: a third is enough, if blocks are moved often."""
    return 12 * clauses + 4 * min(4 * variables, 2 * clauses) + 2 * SPARE


def lengths_by_variables(n: int) -> dict[str, int]:
    """Return the lengths of the arrays that grow with the number of variables, but for those of groups and sums."""
    lengths = dict.fromkeys(("level", "position", "trail", "activity", "seen", "reason", "phase", "heap", "slot"), n)
    lengths |= dict.fromkeys(("older", "newer", "stamp", "met"), n)
    lengths |= dict.fromkeys(("limits", "learned", "implied", "marks"), n + 1)
    return lengths | {"value": 2 * n, "blocks": 4 * n, "lengths": 4 * n}


def new_solver(
    variables: int, clauses: int, groups: Groups = NO_GROUPS, sums: Sums = NO_SUMS, proving: bool = False
) -> CdclState:
    """Return the state before any clause is added: all variables open and preferably false, with room for `clauses`."""
    n, counts = variables, np.zeros(39, np.int64)
    if proving and np.any(np.diff(sums.chains) > 1):
        counts[REASONS] = KEPT_REASONS + 8 * n
    rows, ruled = len(sums.whole), len(sums.whole) + len(groups.members)
    memberships, (losses, loss) = groups_by_literal(groups, 2 * n), losses_by_literal(sums, 2 * n)
    counts[QUEUED], counts[CAPACITY] = rows, clauses + SPARE
    counts[ROOM] = watch_words(n, clauses + SPARE)
    counts[HEAP], counts[LIMIT] = n, min(max(clauses // 2, FIRST_LIMIT), LARGEST_LIMIT)
    counts[GROWTH] = max(counts[LIMIT] // 10, 1)
    counts[WALKS], counts[EFFORT] = FIRST_WALK + clauses // 50, FIRST_EFFORT + 2 * clauses
    counts[TURN] = FIRST_TURN
    if ruled:
        counts[WALKS], counts[EFFORT], counts[TURN] = NEVER, NEVER, NEVER
    indices = {"groups_of": memberships.starts, "groups": memberships.items, "losses_of": losses.starts}
    indices |= {"losing": losses.items, "loss": loss}
    lengths = lengths_by_variables(n) | {"histogram": RANKS + 1, "watches": counts[ROOM], "increment": 1, "averages": 2}
    lengths |= {"slack": rows, "queue": rows, "queued": rows, "reasons": int(counts[REASONS])}
    widest = sums.weights[sums.chains[sums.rows[:-1] + 1] - 1]
    given = indices | groups._asdict() | sums._asdict()
    s = allocate(CdclState, lengths, variables=n, ruled=ruled, counts=counts, widest=widest, **given)
    s.reason[:], s.phase[:], s.heap[:], s.slot[:] = NONE, 1, np.arange(n), np.arange(n)
    s.older[:], s.newer[:], s.newer[-1:], s.stamp[:] = np.arange(-1, n - 1), np.arange(1, n + 1), NONE, np.arange(n)
    counts[FRONT], counts[SOUGHT], counts[STAMPED] = n - 1, n - 1, n - 1
    s.increment[:], s.slack[:], s.queue[:], s.queued[:] = 1, sums.whole, np.arange(rows), 1
    return s


def widened(s: CdclState, variables: int) -> CdclState:
    """Return a state at the root with more variables; the new ones are open, but in no heap yet."""
    old, n = len(s.level), variables
    s.counts[ROOM] = watch_words(n, int(s.counts[CAPACITY]))
    lengths = lengths_by_variables(n) | {"groups_of": 2 * n + 1, "losses_of": 2 * n + 1, "watches": s.counts[ROOM]}
    longer = {name: resized(getattr(s, name), length) for name, length in lengths.items()}
    for name in ("groups_of", "losses_of"):
        longer[name][2 * old + 1 :] = longer[name][2 * old]
    longer["reason"][old:], longer["slot"][old:], longer["phase"][old:] = NONE, NONE, 1
    return s._replace(variables=n, **longer)


def resized(array: Any, length: int) -> Any:
    """Return a longer copy of an array, filled up with zeros."""
    return np.pad(array, (0, length - len(array)))
