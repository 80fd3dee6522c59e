"""The rules of board9.py on 32 boards in lockstep: a vector is a square, a lane is a puzzle.

    boards   uint16[81 * 32], the candidates of square s of the puzzle in lane l at 32 * s + l
    singles  uint16[27 * 32], for each minirow and lane the values whose last square in the row is there
    mini     three squares of one box in a line: a minirow, or a minicolumn
    ->       the result of a function

No vector is ever permuted: the rotations of board9.py are different addresses here.
"""

from backends.answer import UInt16Array
from backends.native.compiling import internal
from backends.native.lanes import Lanes, choose, constant, empty, load, minimum, store

COLUMN, ROW, STACK, BAND = 32, 9 * 32, 3 * 32, 27 * 32  # steps through the array
Nine = tuple[Lanes, Lanes, Lanes, Lanes, Lanes, Lanes, Lanes, Lanes, Lanes]
Three = tuple[Lanes, Lanes, Lanes]

ones = constant([1] * 32)
nothing = constant([0] * 32)
everything = constant([511] * 32)


@internal
def box(boards: UInt16Array, at: int) -> Nine:
    """Load the squares of a box."""
    return (
        load(boards, at),
        load(boards, at + COLUMN),
        load(boards, at + 2 * COLUMN),
        load(boards, at + ROW),
        load(boards, at + ROW + COLUMN),
        load(boards, at + ROW + 2 * COLUMN),
        load(boards, at + 2 * ROW),
        load(boards, at + 2 * ROW + COLUMN),
        load(boards, at + 2 * ROW + 2 * COLUMN),
    )


@internal
def sole(x: Lanes) -> Lanes:
    """The candidate in lanes where it is the only one, else 0."""
    return choose(x & (x - ones()), nothing(), x)


@internal
def clear_boxes(boards: UInt16Array) -> tuple[Lanes, Lanes, Lanes]:
    """Remove decided values from the rest of their boxes.

    -> per lane: undecided candidates, removed candidates, values decided twice in a box.
    """
    unsure = changed = clash = nothing()
    for band in range(3):
        for stack in range(3):
            at = BAND * band + STACK * stack
            a, b, c, d, e, f, g, h, i = box(boards, at)
            a1, b1, c1, d1, e1, f1 = sole(a), sole(b), sole(c), sole(d), sole(e), sole(f)
            g1, h1, i1 = sole(g), sole(h), sole(i)
            abc, de, fg, hi = a1 | b1 | c1, d1 | e1, f1 | g1, h1 | i1
            abcde, fghi = abc | de, fg | hi
            clash = clash | a1 & b1 | c1 & (a1 | b1) | d1 & e1 | abc & de
            clash = clash | f1 & g1 | h1 & i1 | fg & hi | abcde & fghi
            sure = abcde | fghi
            rest = a ^ a1 | b ^ b1 | c ^ c1 | d ^ d1 | e ^ e1 | f ^ f1 | g ^ g1 | h ^ h1 | i ^ i1
            changed = changed | rest & sure
            unsure = unsure | rest
            store(boards, at, a & ~(sure ^ a1))
            store(boards, at + COLUMN, b & ~(sure ^ b1))
            store(boards, at + 2 * COLUMN, c & ~(sure ^ c1))
            store(boards, at + ROW, d & ~(sure ^ d1))
            store(boards, at + ROW + COLUMN, e & ~(sure ^ e1))
            store(boards, at + ROW + 2 * COLUMN, f & ~(sure ^ f1))
            store(boards, at + 2 * ROW, g & ~(sure ^ g1))
            store(boards, at + 2 * ROW + COLUMN, h & ~(sure ^ h1))
            store(boards, at + 2 * ROW + 2 * COLUMN, i & ~(sure ^ i1))
    return unsure, changed, clash


@internal
def mini(boards: UInt16Array, at: int, step: int) -> Lanes:
    """Candidates of a mini."""
    return load(boards, at) | load(boards, at + step) | load(boards, at + 2 * step)


@internal
def minis(boards: UInt16Array, at: int, line: int, group: int, step: int) -> Nine:
    """Candidates of the minis of a band or stack, line by line."""
    return (
        mini(boards, at, step),
        mini(boards, at + group, step),
        mini(boards, at + 2 * group, step),
        mini(boards, at + line, step),
        mini(boards, at + line + group, step),
        mini(boards, at + line + 2 * group, step),
        mini(boards, at + 2 * line, step),
        mini(boards, at + 2 * line + group, step),
        mini(boards, at + 2 * line + 2 * group, step),
    )


@internal
def matched(m: Nine) -> tuple[Nine, Lanes, Lanes]:
    """Keep values of minis on a perfect matching of lines with boxes. -> minis, clashes, changes."""
    a, b, c, d, e, f, g, h, i = m
    p, q, r = a & e & i, b & f & g, c & d & h
    u, v, w = a & f & h, b & d & i, c & e & g
    n = (p | u, q | v, r | w, r | v, p | w, q | u, q | w, r | u, p | v)
    changed = n[0] ^ a | n[1] ^ b | n[2] ^ c | n[3] ^ d | n[4] ^ e | n[5] ^ f | n[6] ^ g | n[7] ^ h | n[8] ^ i
    return n, everything() & ~(p | q | r | u | v | w), changed


@internal
def keep_row(boards: UInt16Array, singles: UInt16Array, at: int, m: Lanes, n: Lanes, o: Lanes) -> None:
    """Restrict a minirow to `m`; store its singles: values in one of its squares and not in `n` or `o`."""
    x, y, z = load(boards, at) & m, load(boards, at + COLUMN) & m, load(boards, at + 2 * COLUMN) & m
    store(boards, at, x)
    store(boards, at + COLUMN, y)
    store(boards, at + 2 * COLUMN, z)
    store(singles, at // 3, m & ~(n | o) & ~(x & y | x & z | y & z))


@internal
def rows(boards: UInt16Array, singles: UInt16Array) -> tuple[Lanes, Lanes]:
    """Apply locked candidates of rows and boxes; store singles. -> per lane: contradictions, changes."""
    bad = changed = nothing()
    for band in range(3):
        at = BAND * band
        n, missing, moved = matched(minis(boards, at, ROW, STACK, COLUMN))
        a, b, c, d, e, f, g, h, i = n
        bad, changed = bad | missing, changed | moved
        keep_row(boards, singles, at, a, b, c)
        keep_row(boards, singles, at + STACK, b, a, c)
        keep_row(boards, singles, at + 2 * STACK, c, a, b)
        keep_row(boards, singles, at + ROW, d, e, f)
        keep_row(boards, singles, at + ROW + STACK, e, d, f)
        keep_row(boards, singles, at + ROW + 2 * STACK, f, d, e)
        keep_row(boards, singles, at + 2 * ROW, g, h, i)
        keep_row(boards, singles, at + 2 * ROW + STACK, h, g, i)
        keep_row(boards, singles, at + 2 * ROW + 2 * STACK, i, g, h)
    return bad, changed


@internal
def keep_column(boards: UInt16Array, singles: UInt16Array, at: int, m: Lanes, n: Lanes, o: Lanes, seen: Three) -> Three:
    """Restrict a minicolumn to `m`, then place singles. `n`, `o`: the other minicolumns of the box.

    `seen` accumulates, per lane: contradictions, changes, the smallest mask of any square (0: one is empty).
    """
    bad, changed, low = seen
    x, y, z = load(boards, at) & m, load(boards, at + ROW) & m, load(boards, at + 2 * ROW) & m
    single = m & ~(n | o) & ~(x & y | x & z | y & z)
    note = at // 96 * 32
    a, b, c = (
        x & (single | load(singles, note)),
        y & (single | load(singles, note + 96)),
        z & (single | load(singles, note + 192)),
    )
    u, v, w = choose(a, a, x), choose(b, b, y), choose(c, c, z)
    store(boards, at, u)
    store(boards, at + ROW, v)
    store(boards, at + 2 * ROW, w)
    bad = bad | a & (a - ones()) | b & (b - ones()) | c & (c - ones())
    return bad, changed | x ^ u | y ^ v | z ^ w, minimum(minimum(low, u), minimum(v, w))


@internal
def columns(boards: UInt16Array, singles: UInt16Array) -> tuple[Lanes, Lanes]:
    """Apply locked candidates of columns and boxes, then singles. -> per lane: contradictions, changes."""
    seen = nothing(), nothing(), everything()
    for stack in range(3):
        at = STACK * stack
        n, missing, moved = matched(minis(boards, at, COLUMN, BAND, ROW))
        a, b, c, d, e, f, g, h, i = n
        seen = seen[0] | missing, seen[1] | moved, seen[2]
        seen = keep_column(boards, singles, at, a, d, g, seen)
        seen = keep_column(boards, singles, at + COLUMN, d, a, g, seen)
        seen = keep_column(boards, singles, at + 2 * COLUMN, g, a, d, seen)
        seen = keep_column(boards, singles, at + BAND, b, e, h, seen)
        seen = keep_column(boards, singles, at + BAND + COLUMN, e, b, h, seen)
        seen = keep_column(boards, singles, at + BAND + 2 * COLUMN, h, b, e, seen)
        seen = keep_column(boards, singles, at + 2 * BAND, c, f, i, seen)
        seen = keep_column(boards, singles, at + 2 * BAND + COLUMN, f, c, i, seen)
        seen = keep_column(boards, singles, at + 2 * BAND + 2 * COLUMN, i, c, f, seen)
    return seen[0] | empty(seen[2]), seen[1]


@internal
def sweep(boards: UInt16Array, singles: UInt16Array) -> tuple[Lanes, Lanes, Lanes]:
    """Apply every rule once to every board. -> per lane: contradictions, changes, candidates open before."""
    unsure, moved, clash = clear_boxes(boards)
    bad, changed = rows(boards, singles)
    worse, more = columns(boards, singles)
    return clash | bad | worse, moved | changed | more, unsure
