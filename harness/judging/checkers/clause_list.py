"""Clauses and steps of a proof as arrays, for the checker.

code     2x for literal x, 2x + 1 for -x
codes    uint32: the literals of all clauses, no literal twice in one: axioms, then clauses that the proof adds
start    int64[clauses + 1]: clause c is codes[start[c]:start[c + 1]]
events   int32[steps]: c + 1 where clause c is added, -c - 1 where it is deleted, 0 where nothing happens

The arrays grow with the parts of a proof, of which one at a time is in memory.
"""

from collections.abc import Iterable
from itertools import chain as joined
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from harness.judging.checkers.compiling import compile_if_possible, compile_inner
from harness.judging.checkers.proof_text import DELETED, Int32Array, Renumbering

Array = npt.NDArray[Any]
CLAUSES, STEPS, STAMP = range(3)
GONE = -2


class ClauseList(NamedTuple):
    """Clauses of the axioms, numbers 0 to `axioms` - 1, and of a proof, with its steps.

    pivot  uint32: first literal of each clause; a check may move literals within their clauses
    """

    codes: Array
    start: Array
    events: Array
    pivot: Array
    axioms: int
    variables: int


class GrowingList(NamedTuple):
    """Arrays under construction: those of a ClauseList, with room for more, and others to find what is deleted.

    hashes, following   int32: of each clause; GONE follows one that is deleted
    chains              int32[power of two]: the last clause of each hash, -1 without one
    mark                int32[codes]: last step with a code    clause   uint32[codes]: of the step at work
    counts              int64: of clauses and steps so far, and the last stamp
    """

    codes: Array
    start: Array
    events: Array
    hashes: Array
    following: Array
    chains: Array
    mark: Array
    clause: Array
    counts: Array


def grown(array: Array, size: int) -> Array:
    """Return an array of a size at least, with zeros after its own numbers."""
    if size <= len(array):
        return array
    larger = np.zeros(max(size, len(array) * 3 // 2), array.dtype)
    larger[: len(array)] = array
    return larger


@compile_inner
def find_clause(s: GrowingList, size: int, hash_: int) -> int:
    """Return the last clause with exactly the `size` literals that have the last stamp; -1 without one."""
    c = s.chains[hash_ & (len(s.chains) - 1)]
    while c >= 0:
        if s.hashes[c] == hash_ and s.start[c + 1] - s.start[c] == size:
            same = True
            for i in range(s.start[c], s.start[c + 1]):
                if s.mark[s.codes[i]] != s.counts[STAMP]:
                    same = False
                    break
            if same:
                return int(c)
        c = s.following[c]
    return -1


@compile_inner
def chain(s: GrowingList, c: int) -> None:
    """Make a clause the last one of its hash."""
    bucket = s.hashes[c] & (len(s.chains) - 1)
    s.following[c] = s.chains[bucket]
    s.chains[bucket] = c


@compile_inner
def unchain(s: GrowingList, c: int) -> None:
    """Take a clause out of the chain of its hash."""
    bucket = s.hashes[c] & (len(s.chains) - 1)
    before = s.chains[bucket]
    if before == c:
        s.chains[bucket] = s.following[c]
    else:
        while s.following[before] != c:
            before = s.following[before]
        s.following[before] = s.following[c]
    s.following[c] = GONE


@compile_if_possible
def chain_all(s: GrowingList) -> None:
    """Enter all clauses that are not deleted in empty chains."""
    for c in range(s.counts[CLAUSES]):
        if s.following[c] != GONE:
            chain(s, c)


@compile_if_possible
def fill(s: GrowingList, tokens: Array, axioms: int) -> None:
    """Add the clauses and steps of a part, for which there is room."""
    size, total = 0, 0
    s.counts[STAMP] += 1
    for token in tokens:
        if token != 0 and token != DELETED:
            code = int(2 * token if token > 0 else 1 - 2 * token)
            if s.mark[code] != s.counts[STAMP]:
                s.mark[code] = s.counts[STAMP]
                s.clause[size] = code
                size += 1
                total += code * (code % 40503 + 7)
            continue
        hash_, c = (total ^ (total >> 20)) & 0x7FFFFFFF, s.counts[CLAUSES]
        if token == DELETED:
            found = find_clause(s, size, hash_) if size else -1
            if found >= 0:
                unchain(s, found)
                s.events[s.counts[STEPS]] = -found - 1
        else:
            for i in range(size):
                s.codes[s.start[c] + i] = s.clause[i]
            s.start[c + 1] = s.start[c] + size
            s.hashes[c] = hash_
            chain(s, c)
            s.counts[CLAUSES] += 1
            if c >= axioms:
                s.events[s.counts[STEPS]] = c + 1
        s.counts[STEPS] += token == DELETED or c >= axioms
        size, total = 0, 0
        s.counts[STAMP] += 1


def with_room(s: GrowingList, tokens: Int32Array, variables: int) -> GrowingList:
    """Return the listing with room for a part."""
    added, steps = int(np.count_nonzero(tokens == 0)), int(np.count_nonzero(tokens == DELETED))
    clauses, codes = int(s.counts[CLAUSES]) + added, 2 * variables + 2
    s = s._replace(
        codes=grown(s.codes, int(s.start[s.counts[CLAUSES]]) + len(tokens) - added - steps),
        start=grown(s.start, clauses + 1),
        events=grown(s.events, int(s.counts[STEPS]) + added + steps),
        hashes=grown(s.hashes, clauses),
        following=grown(s.following, clauses),
        mark=grown(s.mark, codes),
        clause=grown(s.clause, codes),
    )
    if clauses > len(s.chains):
        s = s._replace(chains=np.full(1 << clauses.bit_length(), -1, np.int32))
        chain_all(s)
    return s


def clause_list(axioms: Int32Array, parts: Iterable[Int32Array], variables: int) -> ClauseList:
    """Return axioms (flat, 0-ended) and the tokens of a proof as arrays. Deletions of unknown clauses are dropped.

    Variables of the proof that are beyond `variables` get other numbers.
    """
    narrow, named = np.zeros(0, np.int32), Renumbering(variables)
    wide, first = np.zeros(0, np.uint32), int(np.count_nonzero(axioms == 0))
    s = GrowingList(wide, np.zeros(1, np.int64), narrow, narrow, narrow, narrow, narrow, wide, np.zeros(3, np.int64))
    for tokens in joined([axioms], parts):
        numbered = named.of(tokens)
        s = with_room(s, numbered, named.variables)
        fill(s, numbered, first)
    clauses, steps = int(s.counts[CLAUSES]), int(s.counts[STEPS])
    start = s.start[: clauses + 1]
    codes = s.codes[: start[-1]]
    pivot = np.zeros(clauses, np.uint32)
    has_literals = start[:-1] < start[1:]
    pivot[has_literals] = codes[start[:-1][has_literals]]
    return ClauseList(codes, start, s.events[:steps], pivot, first, named.variables)
