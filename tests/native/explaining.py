"""Run the solver as plain Python, and check every explanation by the row it comes from: `python -m ... [FAULT]`.

Prints how many explanations there were, how many were wrong, and for how many problems the solutions were. A FAULT is
planted in the explanations first. Numba must not compile: NUMBA_DISABLE_JIT=1.
"""

import json
import sys
from collections.abc import Callable
from itertools import product
from random import Random
from time import monotonic_ns
from typing import Any
from unittest.mock import patch

import numpy as np

from backends.contract.answer import Ask
from backends.native.cdcl import explain
from backends.native.cdcl.state import LITERALS, NONE, SIZE, CdclState
from backends.native.lazy.lowering import rewritten
from backends.native.lazy.session import Lazy
from encoders.formula import Constraints
from puzzles.constraints.linear import Linear
from puzzles.problem import Problem
from puzzles.problem.arrays import Int32Array
from puzzles.problem.values import Integers

Explain = Callable[[CdclState, Int32Array, int, int], int]
NUMBERS = (-1, 0, 2, 3, 4)
seen = {"explanations": 0, "wrong": 0, "wrong problems": 0}


def shortened(s: CdclState, arena: Int32Array, p: int, reason: int) -> int:
    """Leave a literal out, as if a row could bear more than it can."""
    c = explain.explain(s, arena, p, reason)
    arena[c + SIZE] -= arena[c + SIZE] > 1
    return c


FAULTS: dict[str, Explain] = {"": explain.explain, "shortened": shortened}


def checked(chosen: Explain) -> Explain:
    """Return an explanation that counts itself, and whether it is wrong."""

    def check(s: CdclState, arena: Int32Array, p: int, reason: int) -> int:
        c = chosen(s, arena, p, reason)
        clause = arena[c + LITERALS : c + LITERALS + arena[c + SIZE]].tolist()
        seen["explanations"] += 1
        limit = len(s.trail) if p == NONE else s.position[p >> 1]
        timely = all(s.value[q] == -1 and s.position[q >> 1] < limit for q in clause)
        code = -2 - reason
        implied = row_implies(s, code >> 1, clause, p) if code & 1 else clause == [(code >> 1) ^ 1]
        seen["wrong"] += not (timely and implied)
        return c

    return check


def row_implies(s: CdclState, r: int, clause: list[int], p: int) -> bool:
    """Return True if the row fails wherever the clause and p are false, with what is false at the root."""
    most = s.whole[r]
    for t in range(s.rows[r], s.rows[r + 1]):
        chain = s.literals[s.chains[t] : s.chains[t + 1]].tolist()
        weights = s.weights[s.chains[t] : s.chains[t + 1]].tolist()
        root = [q for q in chain if s.value[q] == -1 and s.level[q >> 1] == 0]
        false = [i for i, q in enumerate(chain) if q in (p, *clause, *root)]
        if false:
            most -= weights[-1] - (weights[false[0] - 1] if false[0] else 0)
    return bool(most < 0)


def problem(random: Random) -> Problem:
    """Return a random problem of sums over five variables."""
    rows: list[Any] = []
    for _ in range(random.randint(2, 4)):
        xs = random.sample(range(5), random.randint(2, 5))
        rows.append(([random.choice((-3, -2, -1, 1, 2, 3)) for _ in xs], xs, random.choice((">=", "=")), 2))
    return Problem("sums", tuple("abcde"), Integers(NUMBERS), (Linear.of(rows),))


def main() -> None:
    every = np.array(list(product(range(len(NUMBERS)), repeat=5)), np.uint16)
    random = Random(1)
    for _ in range(12):
        one = problem(random)
        wanted = set(map(tuple, every[one.constraints[0].satisfied(every, one)][:60].tolist()))
        answer = Lazy(rewritten(Constraints(5, NUMBERS, one.constraints))).ask(Ask(one.open, count=60, seconds=600.0))
        seen["wrong problems"] += len(wanted) < 60 and (not answer.complete or set(answer.solutions) != wanted)
    print(json.dumps(seen))


if __name__ == "__main__":
    chosen = checked(FAULTS[" ".join(sys.argv[1:])])
    package = "backends.native.cdcl"
    with (
        patch(f"{package}.search.nanoseconds", monotonic_ns),  # which is compiled only
        patch(f"{package}.propagate.explain", chosen),
        patch(f"{package}.learn.explain", chosen),
    ):
        main()
