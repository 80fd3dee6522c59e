"""Run native:cdcl as plain Python, and check its clauses and watches: `python -m tests.native.clause_base [FAULT]`.

Prints how often each check was made, and how often it failed. Constants are small, so that all that grows or is deleted
does so in small formulas. A FAULT is planted first. Numba must not compile: NUMBA_DISABLE_JIT=1.
"""

import json
import sys
from collections import Counter
from collections.abc import Callable
from itertools import product
from random import Random
from typing import Any
from unittest.mock import patch

import numpy as np

from backends.native.cdcl import forget, learn, modes, search, state, watching
from backends.native.cdcl.models import CdclModels
from backends.native.cdcl.rules import ClausesAndRules
from backends.native.cdcl.state import (
    CLAUSES,
    CONFLICTS,
    FOCUSED,
    FRESH,
    FRONT,
    LBD,
    LEARNED,
    LITERALS,
    ROOM,
    SIZE,
    SOUGHT,
    TOP,
    USED,
    CdclState,
)
from puzzles.problem.arrays import Int32Array

VARIABLES = 9
compact = watching.compact
Formula = list[list[int]]
seen: Counter[str] = Counter()


def check(what: str, holds: bool) -> None:
    """Count a check, and its failure."""
    seen[what] += 1
    seen[f"wrong {what}"] += not holds


def clauses(s: CdclState, arena: Int32Array) -> dict[int, list[int]]:
    """Return the literals of each clause of the arena."""
    found, c = {}, 0
    while c < s.counts[TOP]:
        found[c] = arena[c + LITERALS : c + LITERALS + arena[c + SIZE]].tolist()
        c += LITERALS + int(arena[c + SIZE])
    return found


def well_watched(s: CdclState, arena: Int32Array) -> bool:
    """Return True if both first literals of each clause watch it, in the list of its kind, and nothing else does."""
    found: Counter[tuple[int, int]] = Counter()
    for which in range(4 * s.variables):
        first = int(s.blocks[which])
        found.update((which, int(s.watches[k])) for k in range(first, first + int(s.lengths[which]), 2))
    held = clauses(s, arena)
    wanted = Counter((2 * p + (len(row) == 2), c) for c, row in held.items() for p in row[:2])
    return found == wanted and len(held) == s.counts[CLAUSES] and s.counts[FRESH] <= s.counts[ROOM]


def well_queued(s: CdclState) -> bool:
    """Return True if the queue has all variables, by falling stamps, and values for all in front of SOUGHT."""
    x, found = int(s.counts[FRONT]), list[int]()
    while x != state.NONE:
        found.append(x)
        x = int(s.older[x])
    stamps = s.stamp[found].tolist()
    known = s.value[::2][found[: found.index(int(s.counts[SOUGHT]))]]
    return sorted(found) == list(range(s.variables)) and stamps == sorted(stamps, reverse=True) and bool(known.all())


def checked_forget(plain: Callable[..., None]) -> Callable[..., None]:
    """Return a deletion after which it is checked what was deleted, and that all clauses are watched."""

    def run(s: CdclState, arena: Int32Array) -> None:
        def ages() -> list[tuple[int, int]]:
            return [(int(arena[c + LBD]), int(s.counts[CONFLICTS] - arena[c + USED])) for c in clauses(s, arena)]

        before, loose = ages(), int(s.counts[LEARNED])
        plain(s, arena)
        lost = Counter(before) - Counter(ages())
        satisfied = any(v == 1 for v in s.value)
        check("tiers", satisfied or all(lbd > forget.CORE for lbd, _ in lost))
        check("half", s.counts[LEARNED] <= loose - loose // 2 + 1)
        others = [age for lbd, age in before if lbd > forget.MIDDLE]
        oldest = [age for lbd, age in lost if lbd > forget.MIDDLE]
        check("oldest", satisfied or not oldest or min(oldest) >= min(others))
        check("watches", well_watched(s, arena))

    return run


def checked_compact(plain: Callable[..., None]) -> Callable[..., None]:
    """Return a move of blocks after which each list holds what it held before."""

    def run(s: CdclState) -> None:
        def lists() -> list[list[int]]:
            return [s.watches[s.blocks[i] : s.blocks[i] + s.lengths[i]].tolist() for i in range(4 * s.variables)]

        before, size = lists(), int(s.counts[FRESH])
        plain(s)
        check("moved blocks", lists() == before and s.counts[FRESH] <= size)

    return run


def checked_analyse(plain: Callable[..., Any], models: list[tuple[int, ...]]) -> Callable[..., Any]:
    """Return an analysis whose learned clause is checked by all models of the formula, and by its LBD."""

    def run(s: CdclState, arena: Int32Array, conflict: int) -> Any:
        size, lbd = plain(s, arena, conflict)
        row = s.learned[:size].tolist()
        check("learned", all(any(model[p >> 1] != p & 1 for p in row) for model in models))
        check("LBD", lbd == len({int(s.level[p >> 1]) for p in row}))
        check("marks", not s.seen.any())
        check("focused" if s.counts[FOCUSED] else "stable", well_queued(s))
        return size, lbd

    return run


def greedy(s: CdclState, arena: Int32Array, q: int, marked: int) -> int:
    """Take any literal with a reason as implied."""
    return marked


def lossy(s: CdclState) -> None:
    """Move blocks, and lose a watch of the longest list."""
    compact(s)
    s.lengths[s.lengths[: 4 * s.variables].argmax()] -= 2


FAULTS: dict[str, tuple[Any, str, Any]] = {
    "greedy": (learn, "imply", greedy),
    "young": (forget, "rank", lambda s, arena, c: int(arena[c + LBD] > 0)),
    "lossy": (watching, "compact", lossy),
}


def formula(random: Random) -> Formula:
    """Return clauses of two to four literals, near the number at which there is no model."""
    lengths = [random.choice((2, 3, 3, 3, 4)) for _ in range(random.randrange(24, 44))]
    return [[random.choice((-1, 1)) * x for x in random.sample(range(1, VARIABLES + 1), n)] for n in lengths]


def run(rows: Formula) -> None:
    """Enumerate the models of a formula with all checks in place."""
    kept = list(product((0, 1), repeat=VARIABLES))
    models = [m for m in kept if all(any(m[abs(p) - 1] == (p > 0) for p in row) for row in rows)]
    flat = np.array([p for row in rows for p in (*row, 0)], np.int32)
    room = lambda variables, clauses: 8 * clauses + 4 * min(4 * variables, 2 * clauses) + 8  # noqa: E731
    left, analyse = list(models), learn.analyse
    with (
        patch.object(search, "analyse", lambda s, arena, c: checked_analyse(analyse, left)(s, arena, c)),
        patch.object(search, "forget", checked_forget(forget.forget)),
        patch.object(watching, "compact", checked_compact(watching.compact)),
        patch.object(state, "watch_words", room),
    ):
        solver = CdclModels(ClausesAndRules(flat, VARIABLES), [], 60.0, False)
        found = set()
        while solver.solve():
            true = set(solver.model())
            found.add(model := tuple(int(x in true) for x in range(1, VARIABLES + 1)))
            left[:] = [m for m in left if m != model]
            solver.forbid([x if x not in true else -x for x in range(1, VARIABLES + 1)])
    check("solutions", found == set(models))


def main() -> None:
    fault = FAULTS.get(sys.argv[1] if len(sys.argv) > 1 else "")
    random = Random(7)
    small = [(state, "SPARE", 1), (state, "FIRST_LIMIT", 3), (state, "LARGEST_LIMIT", 4), (state, "FIRST_WALK", 2)]
    small += [
        (modes, "UNIT", 2),
        (state, "FIRST_TURN", 4),
        (modes, "DEEP", 0),
        (watching, "SMALLEST", 2),
        (forget, "MIDDLE", 3),
    ]
    if fault:
        small.append(fault)
    for where, name, value in small:
        setattr(where, name, value)
    for _ in range(25):
        run(formula(random))
    print(json.dumps(seen))


if __name__ == "__main__":
    main()
