"""Bounded elimination of variables by resolution (Een & Biere 2005), once, at the root.

The clauses of a variable are replaced by their resolvents on it if these take no more words. Resolvents are lemmas of
the proof. A model gives such a variable the value of its default literal, unless that makes a former clause false.

The clauses of literal p are a list: first[p] is the index in the arena of p in one of them, which is owner[first[p]],
link[first[p]] the index of p in the next one, and 0 is the end.
"""

from typing import NamedTuple

from backends.native.cdcl import state as at
from backends.native.cdcl.propagate import add, assign
from backends.native.cdcl.search import log
from backends.native.cdcl.state import DEAD, NEVER, NONE, CdclState, Memory
from backends.native.compiling import compiled, internal
from backends.native.memory import allocate, view
from puzzles.problem.arrays import Int8Array, Int32Array, Int64Array

FEW = 10  # clauses with one sign of a variable that is eliminated, at most
ROUNDS = 3
GONE, KEPT = 0, 1  # scalars: eliminated variables, words of `kept`


class Elimination(NamedTuple):
    """Memory of an elimination; `words` is the length of `link`, `owner` and `kept`.

    many     clauses of each literal    gone  1 for an eliminated variable
    default  literals of the eliminated variables, in order
    kept     clauses with the negation of default literal i: kept[ends[i - 1] : ends[i]], each ended by NONE
    """

    variables: int
    words: int
    first: Int32Array
    many: Int32Array
    link: Int32Array
    owner: Int32Array
    gone: Int8Array
    default: Int32Array
    ends: Int32Array
    kept: Int32Array
    counts: Int64Array


def new_elimination(variables: int, words: int) -> Elimination:
    """Return the memory for an arena of `words` words."""
    lengths = dict.fromkeys(("first", "many"), 2 * variables) | dict.fromkeys(("link", "owner", "kept"), words)
    lengths |= dict.fromkeys(("gone", "default", "ends"), variables) | {"counts": 2}
    return allocate(Elimination, lengths, variables=variables, words=words)


@compiled
def eliminate(solver: Int64Array, memory: Int64Array, elimination: Int64Array) -> int:
    """Eliminate variables, at the root, and return their number; the search then deletes their clauses."""
    s, m, e = view(solver, CdclState), view(memory, Memory), view(elimination, Elimination)
    c = 0
    while c < s.counts[at.TOP]:
        if m.arena[c + at.LBD] == 0:
            enlist(e, m.arena, c)
        c += at.LITERALS + m.arena[c + at.SIZE]
    for _ in range(ROUNDS):
        for x in range(e.variables):
            if s.value[2 * x] == 0 and not e.gone[x] and within(s, m, e, x):
                replace(s, m, e, x)
    c = 0
    while c < s.counts[at.TOP]:
        for k in range(c + at.LITERALS, c + at.LITERALS + m.arena[c + at.SIZE]):
            if e.gone[m.arena[k] >> 1]:
                m.arena[c + at.LBD] = DEAD
        c += at.LITERALS + m.arena[c + at.SIZE]
    s.counts[at.LEARNED] = NEVER  # more than the limit, so that clauses are deleted
    return int(e.counts[GONE])


@internal
def enlist(e: Elimination, arena: Int32Array, c: int) -> None:
    """Put a clause into the lists of its literals."""
    for k in range(c + at.LITERALS, c + at.LITERALS + arena[c + at.SIZE]):
        p = arena[k]
        e.link[k], e.first[p], e.owner[k] = e.first[p], k, c
        e.many[p] += 1


@internal
def within(s: CdclState, m: Memory, e: Elimination, x: int) -> bool:
    """Return True if the resolvents on x fit, and take no more words than the clauses of x."""
    if min(e.many[2 * x], e.many[2 * x + 1]) > FEW:
        return False
    most = 0
    for p in (2 * x, 2 * x + 1):
        i = e.first[p]
        while i > 0:
            c, i = e.owner[i], e.link[i]
            most += at.LITERALS + m.arena[c + at.SIZE] if m.arena[c + at.LBD] != DEAD else 0
    if s.counts[at.TOP] + most > e.words or s.counts[at.CLAUSES] + most // at.LITERALS > s.counts[at.CAPACITY]:
        return False
    if m.logs > 0 and s.counts[at.LOGGED] + most > m.logs:
        return False
    return bool(resolvents(s, m, e, x, most, False) <= most)


@internal
def resolvents(s: CdclState, m: Memory, e: Elimination, x: int, most: int, adding: bool) -> int:
    """Return the words that the resolvents on x take, or some number above `most`; add them if `adding`."""
    found, i = 0, e.first[2 * x]
    while i > 0 and found <= most:
        j = e.first[2 * x + 1]
        while j > 0 and found <= most:
            size = resolve(s, m.arena, e.owner[i], e.owner[j], x)
            found += at.LITERALS + size if size != NONE else 0
            if adding and size > 0:
                log(s, m, size)
                if size == 1:
                    assign(s, s.learned[0], NONE)
                else:
                    enlist(e, m.arena, add(s, m.arena, s.learned, size, 0))
            j = e.link[j]
        i = e.link[i]
    return found


@internal
def resolve(s: CdclState, arena: Int32Array, c: int, d: int, x: int) -> int:
    """Write the resolvent of two clauses to `s.learned` and return its size; NONE if it is true or a clause is dead."""
    if arena[c + at.LBD] == DEAD or arena[d + at.LBD] == DEAD:
        return NONE
    size, true = 0, False
    for start in (c + at.LITERALS, d + at.LITERALS):
        for k in range(start, start + arena[start - at.LITERALS + at.SIZE]):
            p = arena[k]
            mark = 1 + (p & 1)
            if p >> 1 == x or s.value[p] == -1 or s.seen[p >> 1] == mark:
                continue
            true |= s.value[p] == 1 or s.seen[p >> 1] != 0
            s.seen[p >> 1] = mark
            s.learned[size] = p
            size += 1
    for k in range(size):
        s.seen[s.learned[k] >> 1] = 0
    return NONE if true else size


@internal
def replace(s: CdclState, m: Memory, e: Elimination, x: int) -> None:
    """Add the resolvents on x, and keep its clauses of the rarer sign; all of them are dead."""
    resolvents(s, m, e, x, NEVER, True)
    rarer = 2 * x + (e.many[2 * x] > e.many[2 * x + 1])
    for p in (rarer, rarer ^ 1):
        i = e.first[p]
        while i > 0:
            c, i = e.owner[i], e.link[i]
            if m.arena[c + at.LBD] == DEAD:
                continue
            m.arena[c + at.LBD] = DEAD
            for k in range(c + at.LITERALS, c + at.LITERALS + m.arena[c + at.SIZE]):
                e.many[m.arena[k]] -= 1
                if p == rarer:
                    e.kept[e.counts[KEPT]] = m.arena[k]
                    e.counts[KEPT] += 1
            if p == rarer:
                e.kept[e.counts[KEPT]] = NONE
                e.counts[KEPT] += 1
    e.default[e.counts[GONE]], e.ends[e.counts[GONE]] = rarer ^ 1, e.counts[KEPT]
    e.gone[x] = 1
    e.counts[GONE] += 1


@compiled
def extend(solver: Int64Array, elimination: Int64Array) -> int:
    """Set the eliminated variables, the last one first, in a model of the other clauses; return their number."""
    s, e = view(solver, CdclState), view(elimination, Elimination)
    for i in range(e.counts[GONE] - 1, -1, -1):
        p, true = e.default[i], False
        for k in range(e.ends[i - 1] if i > 0 else 0, e.ends[i]):
            q = e.kept[k]
            if q != NONE:
                true |= q >> 1 != p >> 1 and s.value[q] == 1
                continue
            if not true:
                p = e.default[i] ^ 1
            true = False
        s.value[p], s.value[p ^ 1] = 1, -1
    return int(e.counts[GONE])
