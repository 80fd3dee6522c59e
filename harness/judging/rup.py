"""Proof checker: each line must follow from those before by unit propagation, up to a contradiction.

DRUP proofs (Goldberg & Novikov 2003; Heule, Hunt & Wetzler 2013), checked forwards. A line follows if assuming all of
its literals false and propagating ends in a conflict; then it is added. Added clauses remain consequences, so the
caller omits deletions: that costs memory and can never make a wrong proof pass.

    x        a literal as clauses write it, 1..variables or negative;   code: 2x or 2|x|+1
    value    int8[codes]: 1 true, -1 false, 0 open
    watch    int64[clauses, 2]: the codes that a clause watches; it is visited only when one of them becomes false
    head     int64[codes]: the first node of the watch list of a code, -1 for none; node 2c+k is slot k of clause c
    link     int64[nodes]: the next node of the list

Compiled where numba is installed; plain Python otherwise, with the same result.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
CONTRADICTION = -1


def compile_if_possible(function: Callable[..., Any]) -> Callable[..., Any]:
    try:
        import numba
    except ModuleNotFoundError:
        return function
    compiler: Callable[..., Any] = numba.njit(cache=True)(function)
    return compiler


@compile_if_possible
def assign(code: int, value: Array, trail: Array, length: int) -> int:
    """Make a literal true. Return the length of the trail."""
    value[code] = 1
    value[code ^ 1] = -1
    trail[length] = code
    return length + 1


@compile_if_possible
def propagate(
    done: int,
    length: int,
    value: Array,
    trail: Array,
    codes: Array,
    start: Array,
    watch: Array,
    head: Array,
    link: Array,
) -> int:
    """Propagate the trail from position `done`. Return its length, or -1 on a conflict."""
    while done < length:
        false = trail[done] ^ 1
        done += 1
        before, node = -1, head[false]
        while node >= 0:
            after = link[node]
            clause, slot = node >> 1, node & 1
            other = watch[clause, 1 - slot]
            moved = False
            if value[other] != 1:
                for i in range(start[clause], start[clause + 1]):
                    code = codes[i]
                    if code != other and value[code] != -1:
                        watch[clause, slot] = code
                        if before < 0:
                            head[false] = after
                        else:
                            link[before] = after
                        link[node] = head[code]
                        head[code] = node
                        moved = True
                        break
                if not moved:
                    if value[other] == -1:
                        return -1
                    length = assign(other, value, trail, length)
            if not moved:
                before = node
            node = after
    return length


@compile_if_possible
def add_clause(
    clause: int,
    length: int,
    value: Array,
    trail: Array,
    codes: Array,
    start: Array,
    watch: Array,
    head: Array,
    link: Array,
) -> int:
    """Add a clause under the current assignment. Return the trail length, or -1 on a contradiction."""
    found = 0
    for i in range(start[clause], start[clause + 1]):
        code = codes[i]
        if value[code] == 1:
            return length
        if value[code] == 0 and found < 2 and not (found == 1 and watch[clause, 0] == code):
            watch[clause, found] = code
            found += 1
    if found == 0:
        return -1
    if found == 1:
        settled = length
        length = assign(watch[clause, 0], value, trail, length)
        length = propagate(settled, length, value, trail, codes, start, watch, head, link)
    else:
        for slot in range(2):
            node = 2 * clause + slot
            link[node] = head[watch[clause, slot]]
            head[watch[clause, slot]] = node
    return length


@compile_if_possible
def follows(
    clause: int,
    length: int,
    value: Array,
    trail: Array,
    codes: Array,
    start: Array,
    watch: Array,
    head: Array,
    link: Array,
) -> bool:
    """Return True if the clause follows by unit propagation; undo all assignments made."""
    end, conflict = length, False
    for i in range(start[clause], start[clause + 1]):
        if value[codes[i]] == 1:
            conflict = True
            break
        if value[codes[i]] == 0:
            end = assign(codes[i] ^ 1, value, trail, end)
    if not conflict:
        reached = propagate(length, end, value, trail, codes, start, watch, head, link)
        conflict = reached < 0
    i = length
    while i < len(trail) and trail[i] >= 0:
        value[trail[i]] = 0
        value[trail[i] ^ 1] = 0
        trail[i] = -1
        i += 1
    return conflict


@compile_if_possible
def first_failure(codes: Array, start: Array, axioms: int, variables: int) -> int:
    """Return the first lemma that does not follow, their number if all do, or CONTRADICTION. See `check`."""
    clauses = len(start) - 1
    value = np.zeros(2 * variables + 2, np.int8)
    trail = np.full(variables + 1, -1, np.int64)
    watch = np.zeros((clauses, 2), np.int64)
    head = np.full(2 * variables + 2, -1, np.int64)
    link = np.full(2 * clauses, -1, np.int64)
    length = 0
    for clause in range(clauses):
        if clause >= axioms and not follows(clause, length, value, trail, codes, start, watch, head, link):
            return clause - axioms
        length = add_clause(clause, length, value, trail, codes, start, watch, head, link)
        if length < 0:
            return -1
    return clauses - axioms


def check(axioms: Array, lemmas: Array, variables: int) -> int:
    """Check lemmas against axioms, both flat, 0-ended clauses.

    Return the index of the first lemma that does not follow; their number if all follow without refuting the axioms; or
    CONTRADICTION, which certifies that the axioms have no model.
    """
    flat = np.concatenate([axioms, lemmas]).astype(np.int64)
    ends = np.flatnonzero(flat == 0)
    start = np.concatenate([[0], ends - np.arange(len(ends))]).astype(np.int64)
    literals = flat[flat != 0]
    codes = 2 * np.abs(literals) + (literals < 0)
    found: int = first_failure(codes, start, int((axioms == 0).sum()), variables)
    return found
