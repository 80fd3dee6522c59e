"""Clauses and steps of a proof as arrays, for the checker.

code     2x for literal x, 2x + 1 for -x
codes    int32: the literals of all clauses, no literal twice in one: axioms, then clauses that the proof adds
start    int64[clauses + 1]: clause c is codes[start[c]:start[c + 1]]
events   int64[steps]: c + 1 where clause c is added, -c - 1 where it is deleted, 0 where nothing happens
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from harness.judging.checkers.compiling import compile_if_possible
from harness.judging.checkers.proof_text import DELETED, Int32Array

Array = npt.NDArray[Any]


class ClauseList(NamedTuple):
    """Clauses of the axioms, numbers 0 to `axioms` - 1, and of a proof, with its steps."""

    codes: Array
    start: Array
    events: Array
    axioms: int
    variables: int


@compile_if_possible
def find_clause(clause: Array, size: int, first: int, following: Array, codes: Array, start: Array, mark: Array) -> int:
    """Return the clause, in the chain from `first`, with exactly the `size` literals in `mark`; -1 without one."""
    c = first
    while c >= 0:
        if start[c + 1] - start[c] == size:
            same = True
            for i in range(start[c], start[c + 1]):
                if mark[codes[i]] != mark[clause[0]]:
                    same = False
                    break
            if same:
                return c
        c = following[c]
    return -1


@compile_if_possible
def fill(tokens: Array, axioms: int, codes: Array, start: Array, events: Array, mark: Array, chains: Array) -> int:
    """Fill the arrays of a ClauseList from tokens of axioms and proof; return the number of clauses.

    `mark` int64[codes] is 0 everywhere; `chains` int64[power of two] holds -1, and then the last clause of each hash.
    """
    following = np.full(len(start), -1, np.int64)
    clause = np.zeros(len(mark) + 1, np.int32)
    clauses, steps, size, total, stamp = 0, 0, 0, 0, 1
    for token in tokens:
        if token != 0 and token != DELETED:
            code = 2 * token if token > 0 else 1 - 2 * token
            if mark[code] != stamp:
                mark[code] = stamp
                clause[size] = code
                size += 1
                total += code * (code % 40503 + 7)
            continue
        bucket = total % len(chains)
        if token == DELETED:
            found = find_clause(clause, size, chains[bucket], following, codes, start, mark) if size else -1
            if found >= 0:
                before = chains[bucket]
                if before == found:
                    chains[bucket] = following[found]
                else:
                    while following[before] != found:
                        before = following[before]
                    following[before] = following[found]
                events[steps] = -found - 1
            steps += 1
        else:
            for i in range(size):
                codes[start[clauses] + i] = clause[i]
            start[clauses + 1] = start[clauses] + size
            following[clauses] = chains[bucket]
            chains[bucket] = clauses
            if clauses >= axioms:
                events[steps] = clauses + 1
                steps += 1
            clauses += 1
        size, total, stamp = 0, 0, stamp + 1
    return clauses


def clause_list(axioms: Int32Array, proof: Int32Array, variables: int) -> ClauseList:
    """Return axioms (flat, 0-ended) and tokens of a proof as arrays. Deletions of unknown clauses are dropped."""
    tokens = np.concatenate([axioms, proof])
    added, deleted = tokens == 0, int((proof == DELETED).sum())
    clauses, first = int(added.sum()), int((axioms == 0).sum())
    codes = np.zeros(len(tokens) - clauses, np.int32)
    start = np.zeros(clauses + 1, np.int64)
    events = np.zeros(clauses - first + deleted, np.int64)
    chains = np.full(1 << max(clauses, 1).bit_length(), -1, np.int64)
    fill(tokens, first, codes, start, events, np.zeros(2 * variables + 2, np.int64), chains)
    return ClauseList(codes[: start[-1]], start, events, first, variables)
