"""Answers that stand: of all that a contender gave to one ask, the one that is refuted, or else the last.

An ask is repeated to warm up, and its answers may differ. What one of them shows refutes what another claims, and a
claim that the last one lacks can still be refuted by other contenders. So each is judged: what stands has the times of
the last answer, and the claims that are most easily refuted. The judge then sees the contradiction in the row itself:
no solution, and one; or a bound that the value of the solution is beyond. Only that too few solutions are called all
can't be seen there, and has the reason REFUTED. A complete answer with another reason is undecided: its claim is judged
and not counted.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from backends.contract.answer import Reason, Status
from harness.model.outcome import Rows
from harness.model.trajectory import NOTHING, Trajectory
from harness.running.workers.following import GrowingTrajectory, stated
from harness.running.workers.replies import row_faults
from harness.running.workers.shared_memory import SharedBatch
from puzzles.problem import Problem
from puzzles.problem.arrays import BoolArray, Solutions, UInt64Array
from puzzles.problem.columns import distinct, index_type, mask_type, valid

ANSWER = ("status", "reason", "complete", "found")  # columns of a row that are the answer
Check = Callable[[Solutions], BoolArray]  # which solutions solve the instance
Value = Callable[[Solutions], int]  # value of one valid solution, uint[1, variables]
Distinct = Callable[[Solutions], Solutions]  # those that differ


@dataclass(frozen=True)
class Given:
    """An answer: its columns of the row, its solutions uint[found, variables], stated value and bound, if any."""

    status: int
    reason: int
    complete: bool
    solutions: Solutions
    value: int | None = None
    bound: int | None = None

    @classmethod
    def of(cls, row: Rows, solutions: Solutions, value: int | None = None, bound: int | None = None) -> "Given":
        """Return the answer of a row, a scalar of ROW, with its solutions uint[count, variables]."""
        found = max(0, min(int(row["found"]), len(solutions)))
        return cls(
            int(row["status"]), int(row["reason"]), bool(row["complete"]), solutions[:found].copy(), value, bound
        )

    def write(self, row: Rows, solutions: Solutions) -> None:
        """Write the answer to a row, ROW[1], and its solutions; the times stay."""
        found = len(self.solutions)
        row["status"], row["reason"], row["complete"], row["found"] = self.status, self.reason, self.complete, found
        solutions[:found] = self.solutions

    def words(self) -> str:
        """Return the answer in words."""
        if self.status == Status.UNKNOWN:
            return "unknown"
        several = f" with {len(self.solutions)} solutions" if len(self.solutions) > 1 else ""
        value = "" if self.value is None else f" with the value {self.value}"
        return f"{Status(self.status).name.lower()}{several}{value}{', complete' * self.complete}"

    def same(self, other: "Given") -> bool:
        """Return True if both answers say the same."""
        return (
            (self.status, self.complete, self.value, self.bound)
            == (other.status, other.complete, other.value, other.bound)
        ) and np.array_equal(self.solutions, other.solutions)


def differing(solutions: Solutions) -> Solutions:
    """Return the solutions that differ in any variable."""
    found: Solutions = np.unique(solutions, axis=0)
    return found


def is_ill(one: Given, check: Check, value: Value | None, distinct: Distinct) -> bool:
    """Return True if an answer refutes itself: by its form, an invalid solution, or a false value."""
    n = len(one.solutions)
    if one.status == Status.UNKNOWN or (one.value is not None and not len(one.solutions) and one.complete):
        return False
    if (one.status == Status.SATISFIABLE) != (n > 0):
        return True
    if n and (not check(one.solutions).all() or len(distinct(one.solutions)) < n):
        return True
    return bool(n) and value is not None and one.value not in (None, value(one.solutions[:1]))


def standing(
    earlier: Sequence[Given],
    last: Given,
    check: Check,
    value: Value | None,
    count: int,
    distinct: Distinct = differing,
) -> Given:
    """Return what stands of the answers to one ask; `value` of an instance with an objective."""
    every = [last, *earlier]
    if ill := next((one for one in every if is_ill(one, check, value, distinct)), None):
        return ill
    shown = np.concatenate([one.solutions for one in every if one.status != Status.UNKNOWN] or [last.solutions])
    none = next((one for one in every if one.status == Status.UNSATISFIABLE), None)
    if none is not None and len(shown):
        return replace(none, reason=Reason.NONE, solutions=shown[:1], value=None)
    if none is not None and last.status == Status.UNKNOWN:
        return replace(none, reason=last.reason or Reason.STUCK)
    return best_of(every, value) if value is not None else counted(every, distinct(shown)[:count])


def counted(every: Sequence[Given], shown: Solutions) -> Given:
    """Return the answer that counts of several to one ask without an objective, each right alone; the last first."""
    last = every[0]
    least = min((one for one in every if one.complete), key=lambda one: len(one.solutions), default=last)
    if least.complete and len(least.solutions) < len(shown):
        return replace(least, reason=Reason.REFUTED, solutions=shown)
    if last.complete or not least.complete or len(last.solutions) > len(least.solutions):
        return last
    return replace(least, reason=last.reason or Reason.STUCK)


def best_of(every: Sequence[Given], value: Value) -> Given:
    """Return the answer that counts of several to one ask with an objective, each right alone; the last first.

    The claim that a solution is the best is a bound too, and adds nothing to the answer that makes it.
    """
    last = every[0]
    values = [(value(one.solutions[:1]), one) for one in every if len(one.solutions)]
    claims = [one.bound for one in every if one.bound is not None]
    bound = max([*claims, *(v for v, one in values if one.complete)], default=None)
    best = min(values, key=lambda pair: pair[0], default=None)
    if best is not None and bound is not None and bound > best[0]:
        return replace(best[1], bound=bound)
    own = value(last.solutions[:1]) if last.complete and len(last.solutions) else None
    return last if bound in (last.bound, own) else replace(last, bound=bound)


def settle(
    problem: Problem,
    domains: UInt64Array,
    rows: Rows,
    solutions: Solutions,
    earlier: Mapping[int, Sequence[Given]],
    trajectories: dict[int, Trajectory],
) -> dict[int, str]:
    """Write what stands of several answers to rows ROW[n], solutions and trajectories; return notes by position.

    domains uint64[n, variables, words], solutions uint[n, count, variables]; `earlier` has all answers but the last.
    """
    notes, goal = dict[int, str](), problem.objective
    value: Value | None = None if goal is None else lambda one: int(goal.values(one, problem)[0])
    for i, others in earlier.items():
        masks, search = domains[i : i + 1].astype(mask_type(problem.values)), trajectories.get(i, NOTHING)
        last = Given.of(rows[i], solutions[i], search.stated, search.bound)

        def check(some: Solutions, masks: UInt64Array = masks) -> BoolArray:
            found: BoolArray = valid(problem, np.repeat(masks, len(some), axis=0), some)
            return found

        stands = standing(others, last, check, value, solutions.shape[1], partial(distinct, problem))
        if i in trajectories:
            trajectories[i] = replace(search, stated=stands.value, bound=stands.bound)
        if not stands.same(last):
            stands.write(rows[i : i + 1], solutions[i])
            said = "; ".join(dict.fromkeys(one.words() for one in (*others, last)))
            notes[i] = f"one ask was answered differently: {said}"
    return notes


def earlier_answers(shared: SharedBatch, rows: Rows) -> dict[int, list[Given]]:
    """Return the earlier answers, by position of the rows, where they differ from the last answer."""
    found = dict[int, list[Given]]()
    for k in range(len(shared.earlier[0][1])):
        there = np.flatnonzero(shared.kept[: len(rows)] > k)
        if not len(there):
            break
        differs = np.zeros(len(there), np.bool_)
        for column, before in shared.earlier:
            for name in ANSWER if column is shared.rows else (None,):
                now, then = (c if name is None else c[name] for c in (column[there], before[k, there]))
                differs |= (now != then).reshape(len(there), -1).any(axis=1)
        for i in there[differs].tolist():
            row, solutions, *values = (before[k, i] for _, before in shared.earlier)
            found.setdefault(i, []).append(Given.of(row, solutions, *map(stated, values)))
    return found


def earlier_faults(shared: SharedBatch, n: int, count: int, elapsed: int, outside: bool) -> dict[int, str]:
    """Return the faults of earlier answers, by position, as `row_faults` does for the last answers."""
    faults, rows = dict[int, str](), shared.earlier[0][1]
    for k in range(len(rows)):
        there = np.flatnonzero(shared.kept[:n] > k)
        found = row_faults(rows[k, there], count, elapsed, outside=outside) if len(there) else {}
        faults |= {int(there[i]): text for i, text in found.items()}
    return faults


def reported(growing: GrowingTrajectory) -> Given:
    """Return the best improvement and bound that an earlier ask reported as an answer."""
    found = growing.best is not None
    shown = np.array([growing.best] if found else [], index_type(growing.problem))
    solutions = shown.reshape(int(found), len(growing.problem.variables))
    status = Status.SATISFIABLE if found else Status.UNKNOWN
    return Given(status, Reason.NONE, False, solutions, growing.value, growing.bound)


def with_faults(search: Trajectory, growing: GrowingTrajectory) -> Trajectory:
    """Return a search with the false improvements of an earlier ask."""
    false = tuple(step for step in growing.steps if step.false)
    return replace(search, steps=false + search.steps, faults=search.faults + growing.faults)
