"""Learning from a clash: the clause that says what must not happen again, and how far back it reaches.

First unique implication point (Marques-Silva & Sakallah 1999, GRASP; Zhang et al. 2001), the clause shortened by
literals that follow from the others (Sorensson & Biere 2009), its quality the number of decisions it touches (Audemard &
Simon 2009, glucose). Reasons are spelled out here and nowhere else.
"""

import numpy as np

from backends.native.engine.branch import raise_activity
from backends.native.engine.machine import compiled, lowest
from backends.native.engine.state import (
    CLASH,
    CLASH_REASON,
    DECIDED,
    LEVEL,
    PUSHED,
    STAMP,
    Board,
    Int32Array,
    Search,
)

ONE = np.uint64(1)
ABSENT, KEPT, FOLLOWS, NEEDED = 0, 1, 2, 3  # Search.seen while a clause is shortened


@compiled
def explain(b: Board, f: Search, arena: Int32Array, x: int, reason: int) -> int:
    """How many variables forced x by that reason, and which: f.because. Those known from the root are left out."""
    variables = b.squares * b.values
    count = 0
    if reason < variables:
        if f.level[reason] > 0:
            f.because[0] = reason
            count = 1
    elif reason < variables + b.squares:
        first = (reason - variables) * b.values
        for y in range(first, first + b.values):
            if y != x and f.level[y] > 0:
                f.because[count] = y
                count += 1
    elif reason < variables + b.squares + b.units * b.values:
        g = reason - variables - b.squares
        u, v = g // b.values, g % b.values
        for i in range(b.unit_start[u], b.unit_start[u + 1]):
            y = b.unit_squares[i] * b.values + v
            if y != x and f.level[y] > 0:
                f.because[count] = y
                count += 1
    else:
        c = reason - variables - b.squares - b.units * b.values
        for i in range(c + 4, c + 4 + arena[c]):
            y = arena[i] >> 1
            if y != x and f.level[y] > 0:
                f.because[count] = y
                count += 1
    return count


@compiled
def false_literal(f: Search, x: int) -> int:
    """The literal of x that does not hold."""
    return 2 * x + (f.value[x] > 0)


@compiled
def follows(b: Board, f: Search, arena: Int32Array, x: int, marked: int) -> tuple[bool, int]:
    """Whether x follows from literals that the clause keeps; and how many variables are marked by now."""
    f.stack[0] = x
    depth = 1
    while depth > 0:
        y = f.stack[depth - 1]
        deeper = False
        if f.reason[y] == DECIDED:
            return False, marked
        count = explain(b, f, arena, y, f.reason[y])
        for i in range(count):
            z = f.because[i]
            if f.seen[z] == KEPT or f.seen[z] == FOLLOWS:
                continue
            if f.seen[z] == NEEDED or f.reason[z] == DECIDED or f.stamps[f.level[z]] != f.at[STAMP]:
                for j in range(1, depth):
                    w = f.stack[j]
                    if f.seen[w] == ABSENT:
                        f.seen[w] = NEEDED
                        f.marked[marked] = w
                        marked += 1
                return False, marked
            if not deeper:
                f.stack[depth] = z
                deeper = True
        if deeper:
            depth += 1
        else:
            depth -= 1
            if f.seen[y] == ABSENT:
                f.seen[y] = FOLLOWS
                f.marked[marked] = y
                marked += 1
    return True, marked


@compiled
def learn(b: Board, f: Search, arena: Int32Array) -> tuple[int, int]:
    """The clause learned from the clash, in f.learned, its asserted literal first: its length and its quality."""
    length, marked, here = 1, 0, 0
    x = f.at[CLASH]
    level = f.at[LEVEL]
    count = explain(b, f, arena, x, f.at[CLASH_REASON])
    if f.level[x] > 0:
        f.because[count] = x
        count += 1
    i = f.at[PUSHED]
    while True:
        for j in range(count):
            y = f.because[j]
            if f.seen[y] == ABSENT:
                f.seen[y] = KEPT
                f.marked[marked] = y
                marked += 1
                raise_activity(f, y)
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
        f.seen[x] = ABSENT + 4  # resolved away: neither kept nor a stop for shortening
        count = explain(b, f, arena, x, f.reason[x])
    f.learned[0] = false_literal(f, x)

    f.at[STAMP] += 1
    for j in range(length):
        f.stamps[f.level[f.learned[j] >> 1]] = f.at[STAMP]
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

    f.at[STAMP] += 1
    quality = 0
    for j in range(short):
        k = f.level[f.learned[j] >> 1]
        if f.stamps[k] != f.at[STAMP]:
            f.stamps[k] = f.at[STAMP]
            quality += 1
    for j in range(2, short):
        if f.level[f.learned[j] >> 1] > f.level[f.learned[1] >> 1]:
            f.learned[1], f.learned[j] = f.learned[j], f.learned[1]
    return short, quality
