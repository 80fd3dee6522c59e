"""Conflict analysis: learns a clause from a clash, and its quality.

First unique implication point (Marques-Silva & Sakallah 1999, GRASP; Zhang et al. 2001); literals implied by the others
are removed (Sorensson & Biere 2009); the quality is the number of decision levels, lower is better (glucose, Audemard &
Simon 2009). Only this module expands reasons into literals.
"""

import numpy as np

from backends.native.compiling import inlined, internal
from backends.native.engine import state as at
from backends.native.engine.assign import member
from backends.native.engine.branch import raise_activity
from backends.native.engine.state import DECIDED, HEADER, USED, LayoutArrays, SearchState
from backends.native.intrinsics import lowest
from puzzles.problem.arrays import Int32Array

ONE = np.uint64(1)
# SearchState.seen: not met yet; in the clause; implied by it; not implied by it; resolved with its reason.
ABSENT, KEPT, FOLLOWS, NEEDED, GONE = 0, 1, 2, 3, 4


@inlined
def explain(b: LayoutArrays, f: SearchState, arena: Int32Array, x: int, reason: int, end: int) -> int:
    """Append to f.because, from `end` on, the variables that forced x by a reason. Returns the new end.

    Variables fixed at the root are left out.
    """
    clauses_from = b.variables + b.groups
    if reason < b.variables:
        if f.level[reason] > 0:
            f.because[end] = reason
            end += 1
    elif reason < clauses_from:
        g = reason - b.variables
        left = f.root_domain[g] if g < b.squares else f.root_dual[g - b.squares]
        while left:
            y = member(b, g, lowest(left))
            left &= left - ONE
            if y != x:
                f.because[end] = y
                end += 1
    else:
        c = reason - clauses_from
        for i in range(c + HEADER, c + HEADER + arena[c]):
            y = arena[i] >> 1
            if y != x and f.level[y] > 0:
                f.because[end] = y
                end += 1
    return end


@inlined
def false_literal(f: SearchState, x: int) -> int:
    """Return the literal of x that is false."""
    return 2 * x + (f.value[x] > 0)  # type: ignore[no-any-return]


@inlined
def follows(b: LayoutArrays, f: SearchState, arena: Int32Array, x: int, marked: int) -> tuple[bool, int]:
    """Return True if literals that stay in the clause imply x, and the new number of marked variables."""
    f.stack[0] = x
    f.starts[0] = 0
    depth, next_ = 1, 0
    end = explain(b, f, arena, x, f.reason[x], 0)
    fine = True
    while depth > 0:
        if next_ == end:
            depth -= 1
            if depth > 0:
                y = f.stack[depth]
                f.seen[y] = FOLLOWS
                f.marked[marked] = y
                marked += 1
                end = f.starts[depth]
                next_ = f.resume[depth]
        else:
            y = f.because[next_]
            next_ += 1
            mark = f.seen[y]
            if mark != KEPT and mark != FOLLOWS:
                f.stack[depth] = y
                f.starts[depth] = end
                f.resume[depth] = next_
                depth += 1
                reason = f.reason[y]
                full = end + b.values + 64 >= 4 * b.room
                if mark == NEEDED or reason == DECIDED or f.stamps[f.level[y]] != f.counts[at.STAMP] or full:
                    fine = False
                    for j in range(1, depth):
                        f.seen[f.stack[j]] = NEEDED
                        f.marked[marked] = f.stack[j]
                        marked += 1
                    depth = 0
                else:
                    next_ = end
                    end = explain(b, f, arena, y, reason, end)
    return fine, marked


@internal
def learn(b: LayoutArrays, f: SearchState, arena: Int32Array) -> tuple[int, int]:
    """Write the learned clause to f.learned, with its asserted literal first. Returns its length and quality."""
    length, marked, here = 1, 0, 0
    x = f.counts[at.CLASH]
    level = f.counts[at.LEVEL]
    reason = f.counts[at.CLASH_REASON]
    clash = f.level[x] > 0
    i = f.counts[at.PUSHED]
    while True:
        c = reason - b.variables - b.groups
        if c >= 0:
            arena[c + 1] |= USED
        count = explain(b, f, arena, x, reason, 0)
        if clash:
            f.because[count] = x
            count += 1
            clash = False
        for j in range(count):
            y = f.because[j]
            if f.seen[y] == ABSENT:
                f.seen[y] = KEPT
                f.marked[marked] = y
                marked += 1
                raise_activity(b, f, y)
                if f.level[y] == level:
                    here += 1
                else:
                    f.learned[length] = false_literal(f, y)
                    length += 1
        i -= 1
        while f.seen[f.trail[i] >> 1] == ABSENT:
            i -= 1
        x = f.trail[i] >> 1
        here -= 1
        if here == 0:
            break
        f.seen[x] = GONE
        reason = f.reason[x]
    f.learned[0] = false_literal(f, x)

    f.counts[at.STAMP] += 1
    quality = 0  # minimisation leaves a literal on each level
    for j in range(length):
        k = f.level[f.learned[j] >> 1]
        if f.stamps[k] != f.counts[at.STAMP]:
            f.stamps[k] = f.counts[at.STAMP]
            quality += 1
    short = 1
    for j in range(1, length):
        x = f.learned[j] >> 1
        redundant = False
        if f.reason[x] != DECIDED:
            redundant, marked = follows(b, f, arena, x, marked)
        if not redundant:
            f.learned[short] = f.learned[j]
            short += 1
    for j in range(marked):
        f.seen[f.marked[j]] = ABSENT

    for j in range(2, short):
        if f.level[f.learned[j] >> 1] > f.level[f.learned[1] >> 1]:
            f.learned[1], f.learned[j] = f.learned[j], f.learned[1]
    return short, quality
