"""A 9x9 Sudoku board in three vectors, and its rules: about 110 instructions per sweep.

    square = 3 * lane + c     lane = 9 * band + 3 * row in the band + stack; c is the column in the stack
    Board                     the vectors for c = 0, 1, 2; a lane holds the mask of a square's candidates
    minirow, minicolumn       three squares of one box and one row, or one column
    rest                      lanes 27 to 31: they hold 1, 1, 1 and take part in no rule

A value occupies one minirow in each row and each box of a band. Of the 3x3 minirows that can still hold the value,
those on no perfect matching of rows with boxes lose it, which covers all locked candidates; the only minirow left in a
row must hold it. The same applies to minicolumns, so the box is the only unit searched for singles (Tom Dillon's tdoku
shows the strength of these "triads").
"""

from collections.abc import Callable

from backends.native.compiling import inlined
from backends.native.intrinsics import lowest
from backends.native.sudoku.lanes import (
    Lanes,
    choose,
    constant,
    counts,
    empty,
    equal,
    fill,
    high,
    least,
    load,
    low,
    minimum,
    permutation,
    some,
    store,
    which,
)
from puzzles.problem.arrays import UInt16Array

Board = tuple[Lanes, Lanes, Lanes]

SIZE = 96  # elements of a board in memory
MOVED, OPEN, SOLVED, DEAD = 0, 1, 2, 3


def rotation(band: int = 0, row: int = 0, stack: int = 0) -> Callable[[Lanes], Lanes]:
    """Return the permutation that shifts the board cyclically by bands, rows in the band and stacks."""

    def source(lane: int) -> int:
        b, r, s = lane // 9, lane // 3 % 3, lane % 3
        return lane if lane > 26 else (b + band) % 3 * 9 + (r + row) % 3 * 3 + (s + stack) % 3

    return permutation([source(lane) for lane in range(32)])


stack1, stack2 = rotation(stack=1), rotation(stack=2)
row1, row2, band1, band2 = rotation(row=1), rotation(row=2), rotation(band=1), rotation(band=2)
diagonal1, diagonal2 = rotation(row=1, stack=1), rotation(row=2, stack=2)
counter1, counter2 = rotation(row=1, stack=2), rotation(row=2, stack=1)
ones = constant([1] * 32)
everything = constant([511] * 27 + [1] * 5)
within = constant([511] * 27 + [0] * 5)
twos = constant([2] * 32)
places0, places1, places2 = (constant([32 * c + lane for lane in range(32)]) for c in range(3))


@inlined
def others(x: Lanes) -> Lanes:
    """Return the candidates of the other two squares of the minicolumn."""
    return row1(x) | row2(x)


@inlined
def several(v: Lanes) -> Lanes:
    """Return a vector that is nonzero in lanes with more than one candidate."""
    return v & (v - ones())


@inlined
def clear_boxes(board: Board) -> tuple[Board, Lanes]:
    """Remove decided values from the rest of their boxes. -> board, values decided twice in a box."""
    x, y, z = board
    none = x ^ x
    a, b, c = choose(several(x), none, x), choose(several(y), none, y), choose(several(z), none, z)
    mine = a | b | c
    theirs = others(mine)
    clash = within() & (a & b | c & (a | b) | mine & theirs)
    sure = mine | theirs
    return (x & ~(sure ^ a), y & ~(sure ^ b), z & ~(sure ^ c)), clash


@inlined
def sweep(board: Board) -> tuple[Board, Lanes]:
    """Apply every rule once. -> board, a vector that is nonzero on a contradiction."""
    (x, y, z), clash = clear_boxes(board)
    m = x | y | z
    m = m & (diagonal1(m) & diagonal2(m) | counter1(m) & counter2(m))
    n = others(m)
    x, y, z = x & m, y & m, z & m
    single = m & ~n & ~(x & y | x & z | y & z)  # in rows and boxes

    u, v, w = others(x), others(y), others(z)
    p, q, r = x | u, y | v, z | w
    p1, q1, r1, p2, q2, r2 = band1(p), band1(q), band1(r), band2(p), band2(q), band2(r)
    p, q, r = p & (q1 & r2 | q2 & r1), q & (p1 & r2 | p2 & r1), r & (p1 & q2 | p2 & q1)
    x, y, z = x & p, y & q, z & r
    a = x & (single | p & ~(q | r) & ~u)  # in columns and boxes
    b = y & (single | q & ~(p | r) & ~v)
    c = z & (single | r & ~(p | q) & ~w)
    bad = clash | everything() & ~(m | n) | everything() & ~(p | q | r) | several(a) | several(b) | several(c)
    x, y, z = choose(a, a, x), choose(b, b, y), choose(c, c, z)
    return (x, y, z), bad | empty(minimum(minimum(x, y), z))


@inlined
def step(board: Board) -> tuple[Board, int]:
    """Sweep once. -> board, its state.

    A board of single candidates that a sweep leaves unchanged is a solution: every value has a minirow in each row and
    box, and a minicolumn in each column.
    """
    after, bad = sweep(board)
    if some(bad):
        return after, DEAD
    if some(after[0] ^ board[0] | after[1] ^ board[1] | after[2] ^ board[2]):
        return after, MOVED
    unsure = several(after[0]) | several(after[1]) | several(after[2])
    return after, OPEN if some(unsure) else SOLVED


@inlined
def of_columns(v: Lanes) -> Lanes:
    """Return the sum over the lanes of each column."""
    v = v + row1(v) + row2(v)
    return v + band1(v) + band2(v)


@inlined
def square_key(sizes: Lanes, boxes: Lanes, pairs: Lanes, columns: Lanes) -> Lanes:
    """Branching key, lower first: fewest candidates, then most in the box plus three per pair around."""
    score = boxes + pairs + pairs + pairs + columns + columns + columns
    return high(sizes - twos()) | low(~score)


@inlined
def choose_square(board: Board) -> int:
    """Return the open square to branch on, as its index in memory: 32 * c + lane.

    Among the squares with fewest candidates, prefer one in a box of many candidates and with many pairs (squares with
    two candidates) in its row, column and box, where a guess propagates most. Compared with the first such square this
    halves the guesses.
    """
    x, y, z = board
    m, n, o = counts(x), counts(y), counts(z)
    p, q, r = ones() & equal(m, twos()), ones() & equal(n, twos()), ones() & equal(o, twos())
    boxes, pairs = m + n + o, p + q + r
    boxes = boxes + row1(boxes) + row2(boxes)
    pairs = pairs + pairs + row1(pairs) + row2(pairs) + stack1(pairs) + stack2(pairs)
    m, n, o = (
        square_key(m, boxes, pairs, of_columns(p)),
        square_key(n, boxes, pairs, of_columns(q)),
        square_key(o, boxes, pairs, of_columns(r)),
    )
    best = fill(least(minimum(minimum(m, n), o)))
    first = which(equal(m, best)) | which(equal(n, best)) << 32
    return lowest(first) if first else 64 + lowest(which(equal(o, best)))


@inlined
def split(board: Board) -> tuple[Board, Board]:
    """Branch: return the board with the chosen square's lowest candidate placed, and with it removed."""
    x, y, z = board
    spot = fill(choose_square(board))
    a, b, c = x & equal(places0(), spot), y & equal(places1(), spot), z & equal(places2(), spot)
    a, b, c = a & ~(a - ones()), b & ~(b - ones()), c & ~(c - ones())
    return (choose(a, a, x), choose(b, b, y), choose(c, c, z)), (x ^ a, y ^ b, z ^ c)


@inlined
def put(memory: UInt16Array, number: int, board: Board) -> None:
    """Store a board at index `number` of a flat uint16 array."""
    at = SIZE * number
    store(memory, at, board[0])
    store(memory, at + 32, board[1])
    store(memory, at + 64, board[2])


@inlined
def get(memory: UInt16Array, number: int) -> Board:
    """Load the board at index `number`."""
    at = SIZE * number
    return load(memory, at), load(memory, at + 32), load(memory, at + 64)
