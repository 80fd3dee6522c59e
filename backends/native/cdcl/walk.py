"""Local search between the saved phases and back (ProbSAT, Balint & Schoening 2012), on the given clauses."""

from typing import NamedTuple

import numpy as np

from backends.native.cdcl import state as at
from backends.native.cdcl.state import CdclState
from backends.native.compiling import compiled
from backends.native.memory import allocate, view, words
from backends.native.random_numbers import MODULUS, random
from puzzles.problem.arrays import Int8Array, Int32Array, Int64Array

# effort is clauses visited, since a flip visits hundreds where variables are in many clauses
SHARE = 10  # effort without progress, for each propagation since the walk before
BEFORE = 150_000  # propagations that the first walk has beside those made
LONGEST = 10  # effort of a walk for each literal given, beside that
MOST = 1 << 20  # flips without progress, at most
FEW, SHARE_OF_FEW = 20, 20_000  # a walk's phases are saved if at most so many clauses are false, and one of so many
INTERVAL = 1000  # conflicts between the first walks; later ones are half as many again apart
RARER = 10  # factor of the conflicts before the next walk, after one whose phases are not saved


class Walk(NamedTuple):
    """Memory of the walks, for the first `variables` of the solver and `size` clauses.

    literals  of clause c: literals[literals_of[c] : literals_of[c + 1]]    clauses  of literal p, likewise
    true   true literals per clause    false  the clauses without any; `slot` is the index of a clause in it
    flips  variables flipped since there were the fewest false clauses; at the end of a walk they are flipped back
    before  the saved phases before the walk
    last   a random number, and the propagations before the last walk
    """

    variables: int
    size: int
    literals_of: Int32Array
    literals: Int32Array
    clauses_of: Int32Array
    clauses: Int32Array
    true: Int32Array
    false: Int32Array
    slot: Int32Array
    flips: Int32Array
    before: Int8Array
    last: Int64Array


def new_walk(flat: Int32Array, variables: int) -> Walk:
    """Return the memory for clauses of DIMACS literals, each ended by 0."""
    size = int(np.count_nonzero(flat == 0))
    lengths = dict.fromkeys(("true", "false", "slot"), size) | {"literals_of": size + 1, "before": variables}
    lengths |= dict.fromkeys(("literals", "clauses"), len(flat) - size) | {"clauses_of": 2 * variables + 1}
    flips, last = np.empty(MOST, np.int32), np.array([1, -BEFORE])
    memory = allocate(Walk, lengths, variables=variables, size=size, flips=flips, last=last)
    enlist(words(memory), flat)
    return memory


@compiled
def enlist(memory: Int64Array, flat: Int32Array) -> None:
    """Copy the literals of the clauses, and list the clauses of each literal."""
    w = view(memory, Walk)
    c = k = 0
    for literal in flat:
        if literal == 0:
            c += 1
            w.literals_of[c] = k
        else:
            p = 2 * abs(literal) - 2 + (literal < 0)
            w.literals[k] = p
            w.clauses_of[p] += 1
            k += 1
    for p in range(2 * w.variables):  # now the ends of the lists, which are filled from there
        w.clauses_of[p + 1] += w.clauses_of[p]
    for c in range(w.size - 1, -1, -1):
        for k in range(w.literals_of[c], w.literals_of[c + 1]):
            w.clauses_of[w.literals[k]] -= 1
            w.clauses[w.clauses_of[w.literals[k]]] = c


@compiled
def walk(memory: Int64Array, solver: Int64Array) -> int:
    """Flip variables that are open at the root; save the best phases if few clauses are false; return how many."""
    w, s = view(memory, Walk), view(solver, CdclState)
    true, false, falses = w.true, w.false, 0
    least: int = w.size + 1
    for c in range(w.size):
        true[c] = 0
    for x in range(w.variables):
        if s.value[2 * x] != 0:
            s.phase[x] = s.value[2 * x] < 0
        w.before[x] = s.phase[x]
        p = 2 * x + s.phase[x]
        for k in range(w.clauses_of[p], w.clauses_of[p + 1]):
            true[w.clauses[k]] += 1
    for c in range(w.size):
        if true[c] == 0:
            false[falses], w.slot[c] = c, falses
            falses += 1
    patience = (s.counts[at.PROPAGATIONS] - w.last[1]) * SHARE
    effort, limit, end, since = 0, 0, patience + LONGEST * w.literals_of[w.size], 0
    while True:
        if falses < least:
            least, since, limit = falses, 0, min(effort + patience, end)
        if falses == 0 or effort > limit or since == MOST:
            break
        c, flip, total = false[random(w.last, 0) % falses], 0, 0.0
        for k in range(w.literals_of[c], w.literals_of[c + 1]):
            p = w.literals[k]
            if s.value[p] == 0:
                breaks = 1
                effort += w.clauses_of[(p ^ 1) + 1] - w.clauses_of[p ^ 1]
                for j in range(w.clauses_of[p ^ 1], w.clauses_of[(p ^ 1) + 1]):
                    breaks += true[w.clauses[j]] == 1
                weight = 1.0 / (breaks * breaks)
                total += weight
                if random(w.last, 0) * total < weight * MODULUS:
                    flip = p
        s.phase[flip >> 1] = flip & 1
        w.flips[since] = flip >> 1
        since += 1
        effort += w.clauses_of[(flip | 1) + 1] - w.clauses_of[flip & -2]
        for k in range(w.clauses_of[flip], w.clauses_of[flip + 1]):
            c = w.clauses[k]
            if true[c] == 0:
                falses -= 1
                other = false[falses]
                false[w.slot[c]], w.slot[other] = other, w.slot[c]
            true[c] += 1
        for k in range(w.clauses_of[flip ^ 1], w.clauses_of[(flip ^ 1) + 1]):
            c = w.clauses[k]
            true[c] -= 1
            if true[c] == 0:
                false[falses], w.slot[c] = c, falses
                falses += 1
    for i in range(since):
        s.phase[w.flips[i]] ^= 1
    w.last[1], s.counts[at.WALKS] = s.counts[at.PROPAGATIONS], s.counts[at.CONFLICTS] * 3 // 2 + INTERVAL
    s.counts[at.EFFORT] = at.NEVER
    if least > FEW + w.size // SHARE_OF_FEW:
        s.counts[at.WALKS] *= RARER
        for x in range(w.variables):
            s.phase[x] = w.before[x]
    return least
