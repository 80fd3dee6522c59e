"""Answers to the asks of a query script, judged by the script alone: models, costs, and claims that there is no model.

    kept    the asks whose models and cores are stored: every k-th one
    column  of a literal: the kept asks whose row makes it true, as the bits of an integer

Clauses are never taken back. So a model of an ask satisfies all clauses of each ask before it. It refutes that one of
them is unsatisfiable under assumptions, or a core, that it satisfies, and that its least cost is more than this model's
under the soft literals of then. Columns make that, and the check of all models, a few operations on integers for each
literal of the script.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from puzzles.problem.arrays import BoolArray, Int64Array

Broken = dict[int, str]  # first fault of each ask, by its number


class QueryAsk(NamedTuple):
    """One ask: what is new since the last one, clauses and soft literals with the cost of a true one; assumptions."""

    clauses: list[list[int]]
    assumptions: list[int]
    soft: Sequence[tuple[int, int]] = ()


class AskAnswers(NamedTuple):
    """Answers to all asks of a script.

    satisfiable, unsatisfiable  bool[asks], True where the answer is that one; an ask may have none
    rows                        bool[kept, variables], a model, or the variables of the assumptions in a core
    """

    satisfiable: BoolArray
    unsatisfiable: BoolArray
    rows: BoolArray


class JudgedAsks(NamedTuple):
    """Judgement of answers.

    saved  int64[kept], 0 where no model satisfies the ask; else 1, and the cost of all soft literals less that of the
           cheapest model
    fault  reason why an answer is wrong, of the first such ask, or ''
    """

    saved: Int64Array
    fault: str


class KeptRows:
    """Columns of the kept rows, and their costs under the soft literals so far.

    total  cost of all soft literals          costs  int64[kept], of the rows
    """

    def __init__(self, rows: BoolArray, every: int) -> None:
        self.rows, self.every, self.size = rows, every, len(rows)
        self.columns, self.full = [mask_of(column) for column in rows.T], (1 << len(rows)) - 1
        self.soft, self.total, self.costs = dict[int, int](), 0, np.zeros(len(rows), np.int64)

    def column(self, p: int) -> int:
        return self.columns[p - 1] if p > 0 else self.full ^ self.columns[-p - 1]

    def clause(self, literals: Iterable[int]) -> int:
        """Return the rows that make one of the literals true."""
        true = 0
        for p in literals:
            true |= self.column(p)
        return true

    def common(self, literals: Iterable[int], among: int) -> int:
        """Return the rows among some that make all literals true."""
        for p in literals:
            if not among:
                break
            among &= self.column(p)
        return among

    def since(self, number: int) -> int:
        """Return the rows of kept asks from the one of a number on."""
        first = (number - 1) // self.every
        return self.full >> first << first

    def number_of(self, mask: int) -> int:
        """Return the number of the first kept ask of a mask."""
        return ((mask & -mask).bit_length()) * self.every

    def weigh(self, soft: Iterable[tuple[int, int]]) -> None:
        """Set the costs of soft literals."""
        for p, cost in soft:
            more, self.soft[p] = cost - self.soft.get(p, 0), cost
            self.total += more
            self.costs += more * (self.rows[:, abs(p) - 1] == (p > 0))

    def cheapest(self, mask: int) -> int:
        """Return the position of the cheapest row of a mask, the first of several."""
        among = np.flatnonzero(bits_of(mask, self.size))
        return int(among[self.costs[among].argmin()])


def judge_asks(asks: Sequence[QueryAsk], answered: AskAnswers, every: int, invalid: Mapping[int, str]) -> JudgedAsks:
    """Judge answers to asks of which each `every`-th is kept; the models of `invalid` ones are known to be wrong."""
    rows = KeptRows(answered.rows, every)
    right, broken = right_models(asks, answered, rows, invalid)
    saved = bits_of(right, rows.size).astype(np.int64)
    for i, (_, assumptions, soft) in enumerate(asks):
        rows.weigh(soft)
        if not rows.soft and answered.satisfiable[i] and not answered.unsatisfiable[i]:
            continue  # its model is all that there is to judge
        number, kept, at = i + 1, (i + 1) % every == 0, i // every
        after = right & rows.since(number)
        models = rows.common(assumptions, after)
        best = rows.cheapest(models) if models and rows.soft else 0
        if kept and models:
            saved[at] = 1 + rows.total - rows.costs[best]
        if answered.satisfiable[i] and answered.unsatisfiable[i]:
            broken[number] = "it is said to be satisfiable and unsatisfiable"
        elif answered.satisfiable[i]:
            if kept and models >> at & 1 and rows.costs[at] > rows.costs[best]:
                other = f"the model of ask {(best + 1) * every} costs {rows.costs[best]}"
                broken[number] = f"its cost {rows.costs[at]} is not the least: {other}"
        elif answered.unsatisfiable[i] and models:
            broken[number] = f"it is said to be unsatisfiable, but the model of ask {rows.number_of(models)} fits"
        elif (
            answered.unsatisfiable[i]
            and kept
            and (small := rows.common(core_of(answered.rows[at], assumptions), after))
        ):
            broken[number] = f"its core is too small: the model of ask {rows.number_of(small)} satisfies it"
    first = min(broken, default=0)
    return JudgedAsks(saved, f"wrong at ask {first}: {broken[first]}" if first else "")


def right_models(
    asks: Sequence[QueryAsk], answered: AskAnswers, rows: KeptRows, invalid: Mapping[int, str]
) -> tuple[int, Broken]:
    """Return the kept asks whose model satisfies the clauses so far and its assumptions; and what others break."""
    every = rows.every
    right = mask_of(answered.satisfiable[every - 1 :: every]) & ~sum(1 << at for at in invalid)
    broken = {(at + 1) * every: f"its model is wrong: {why}" for at, why in invalid.items()}
    for number, (clauses, assumptions, _) in enumerate(asks, 1):
        for clause in clauses:
            if bad := right & rows.since(number) & ~rows.clause(clause):
                right ^= bad
                broken.setdefault(rows.number_of(bad), f"its model breaks the clause {shown(clause)}")
        own = right & 1 << number // every - 1 if number % every == 0 else 0
        if own and not rows.common(assumptions, own):
            right ^= own
            false = next(p for p in assumptions if not rows.column(p) & own)
            broken[number] = f"its model breaks the assumption {false}"
    return right, broken


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
