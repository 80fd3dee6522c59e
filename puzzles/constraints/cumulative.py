"""Cumulative: tasks that run at the same time share a resource (Aggoun & Beldiceanu 1993).

A task runs from its start for its duration, start <= t < start + duration, and takes its height of the resource. No
duration, height or limit may be negative. A task of duration 0 takes nothing. Tasks of height 1 and a limit of 1 do
not overlap in time.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from puzzles.constraints.checks import check_index, check_indices
from puzzles.constraints.numbers import Numbers, Row, Rows, exact, names_text
from puzzles.problem import Problem
from puzzles.problem.arrays import BoolArray

CumulativeRow = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...], int]  # starts, durations, heights, limit


@dataclass(frozen=True)
class Cumulative(Rows):
    """Rows: at no time do the heights of the running tasks add up to more than the limit. All parts are variables."""

    rows: tuple[CumulativeRow, ...]
    kind: ClassVar[str] = "cumulative"
    parts: ClassVar = (check_indices, check_indices, check_indices, check_index)

    def check(self, problem: Problem) -> None:
        super().check(problem)
        if any(len({len(starts), len(durations), len(heights)}) > 1 for starts, durations, heights, _ in self.rows):
            raise ValueError("a cumulative has not one start, duration and height for each task")

    def holds(self, numbers: Numbers, row: Row) -> BoolArray:
        *tasks, limits = row
        starts, durations, heights = (exact(numbers[:, list(part)], 2 + len(part)) for part in tasks)
        limit = numbers[:, limits]
        ok = np.all(durations >= 0, axis=1) & np.all(heights >= 0, axis=1) & (limit >= 0)
        for start in starts.T:  # the most is taken when some task starts
            running = (starts <= start[:, None]) & (start[:, None] - durations < starts)
            ok &= (heights * running).sum(axis=1) <= limit
        satisfied: BoolArray = ok.astype(np.bool_)
        return satisfied

    def words(self, numbers: Sequence[int], row: Row, problem: Problem) -> str:
        starts, durations, heights, limit = row
        for x in (*durations, *heights, limit):
            if numbers[x] < 0:
                return f"{problem.variables[x]} is {numbers[x]}, a duration, height or limit below 0"
        taken = {}
        for time in (numbers[x] for x in starts):
            tasks = zip(starts, durations, heights, strict=True)
            running = [(x, numbers[h]) for x, d, h in tasks if numbers[x] <= time < numbers[x] + numbers[d]]
            taken[time] = sum(height for _, height in running), [x for x, _ in running]
        time = max(taken, key=lambda t: taken[t][0])
        total, which = taken[time]
        stated = f"{problem.variables[limit]} = {numbers[limit]}"
        return f"the tasks {names_text(which, problem)} take {total} at {time}, not <= {stated}"


KIND = Cumulative
