"""Answers to the asks of a query script, judged by the script alone: models, and claims that there is none.

    kept    the asks whose models and cores are stored: every k-th one
    column  of a literal: the kept asks whose row makes it true, as the bits of an integer

Clauses are never taken back. So a model of an ask satisfies all clauses of each ask before it, and refutes that one of
them is unsatisfiable under assumptions, or a core, that it satisfies. Columns make that, and the check of all models, a
few operations on integers for each literal of the script.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from puzzles.problem.arrays import BoolArray


class QueryAsk(NamedTuple):
    """One ask: the clauses that are new since the last one, and the assumptions."""

    clauses: list[list[int]]
    assumptions: list[int]


class AskAnswers(NamedTuple):
    """Answers to all asks of a script.

    satisfiable, unsatisfiable  bool[asks], True where the answer is that one; an ask may have none
    rows                        bool[kept, variables], a model, or the variables of the assumptions in a core
    """

    satisfiable: BoolArray
    unsatisfiable: BoolArray
    rows: BoolArray


class JudgedAsks(NamedTuple):
    """Judgement of answers: `satisfied`, bool[kept], True where some model satisfies the ask.

    fault  reason why an answer is wrong, of the first such ask, or ''
    """

    satisfied: BoolArray
    fault: str


def judge_asks(asks: Sequence[QueryAsk], answered: AskAnswers, every: int) -> JudgedAsks:
    """Judge answers to asks of which each `every`-th is kept."""
    size = len(answered.rows)
    claimed = mask_of(answered.satisfiable[every - 1 :: every])
    columns = [mask_of(column) for column in answered.rows.T]
    full = (1 << size) - 1

    def column(p: int) -> int:
        return columns[p - 1] if p > 0 else full ^ columns[-p - 1]

    def common(literals: Iterable[int], among: int) -> int:
        for p in literals:
            if not among:
                break
            among &= column(p)
        return among

    right, broken = claimed, dict[int, str]()
    for number, (clauses, assumptions) in enumerate(asks, 1):
        for clause in clauses:
            true = 0
            for p in clause:
                true |= column(p)
            if bad := right & later(full, number, every) & ~true:
                right ^= bad
                broken.setdefault(number_of(bad, every), f"its model breaks the clause {shown(clause)}")
        if number % every == 0:
            own = right & 1 << number // every - 1
            if own and not common(assumptions, own):
                right ^= own
                false = next(p for p in assumptions if not column(p) & own)
                broken[number] = f"its model breaks the assumption {false}"
    satisfied = right
    for i in np.flatnonzero(answered.unsatisfiable | ~answered.satisfiable).tolist():
        number, kept = i + 1, (i + 1) % every == 0
        after, assumptions = right & later(full, number, every), asks[i].assumptions
        models = common(assumptions, after)
        if kept and models:
            satisfied |= 1 << number // every - 1
        if not answered.unsatisfiable[i]:
            continue
        if answered.satisfiable[i]:
            broken[number] = "it is said to be satisfiable and unsatisfiable"
        elif models:
            broken[number] = f"it is said to be unsatisfiable, but the model of ask {number_of(models, every)} fits"
        elif kept and (models := common(core_of(answered.rows[number // every - 1], assumptions), after)):
            broken[number] = f"its core is too small: the model of ask {number_of(models, every)} satisfies it"
    first = min(broken, default=0)
    return JudgedAsks(bits_of(satisfied, size), f"wrong at ask {first}: {broken[first]}" if first else "")


def later(full: int, number: int, every: int) -> int:
    """Return the kept asks from the one of a number on."""
    first = (number - 1) // every
    return full >> first << first


def number_of(mask: int, every: int) -> int:
    """Return the number of the first kept ask of a mask."""
    return ((mask & -mask).bit_length()) * every


def core_of(row: BoolArray, assumptions: Sequence[int]) -> list[int]:
    """Return the assumptions in a core."""
    return [p for p in assumptions if row[abs(p) - 1]]


def shown(clause: Sequence[int]) -> str:
    """Return a clause in words."""
    return " or ".join(map(str, clause)) or "without literals"


def mask_of(flags: BoolArray) -> int:
    """Return flags as the bits of an integer, the first as its lowest."""
    return int.from_bytes(np.packbits(flags, bitorder="little").tobytes(), "little")


def bits_of(mask: int, size: int) -> BoolArray:
    """Return the `size` lowest bits of an integer as flags."""
    packed = np.frombuffer(mask.to_bytes(size // 8 + 1, "little"), np.uint8)
    return np.unpackbits(packed, count=size, bitorder="little").astype(np.bool_)
