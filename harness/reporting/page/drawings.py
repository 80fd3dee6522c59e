"""Instances as text, within a budget of bytes: first those that contenders failed on, then those that took long."""

import zlib
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any

import numpy as np

from harness.reporting.frame.results import Results
from harness.reporting.statistics.estimates import median
from puzzles.labels import PUZZLE, unit_of
from puzzles.problem import Instance
from puzzles.problem.arrays import BoolArray, Int64Array

BUDGET = 1 << 20  # bytes of all drawings after compression
FAST = 1  # its level where only the size is wanted, which is a little more than that of the page
MOST = 10_000  # drawings of boards, which take 0.05 ms each
MOST_OTHERS = 2_000  # of other instances, whose first lines take 0.3 ms
MAX_STORED = 1 << 20  # bytes of a stored problem that is loaded to be drawn
MAX_LOADED = 1 << 24  # bytes of all of them
STEP = 100  # instances that are drawn together
Draw = Callable[[Sequence[Instance[Any]]], list[str]]


def drawings(results: Results, draw: Draw, budget: int = BUDGET) -> tuple[list[str], Int64Array]:
    """Return distinct drawings, and the number of each instance's drawing from 1; 0 where the budget is used up."""
    texts: dict[str, int] = {}
    which = np.zeros(results.size, np.int64)
    packer, used = zlib.compressobj(FAST), 0
    boards = board_flags(results)
    most = MOST if boards.all() else MOST_OTHERS
    chosen = list(islice(small(results, order(results)), most))
    for start in range(0, len(chosen), STEP):
        step = chosen[start : start + STEP]
        for i, text in zip(step, draw(results.journal.instances.several([i + 1 for i in step])), strict=True):
            if text not in texts:
                used += len(packer.compress(text.encode()))
                if used > budget:
                    return list(texts), which
            which[i] = texts.setdefault(text, len(texts) + 1)
    return list(texts), which


def board_flags(results: Results) -> BoolArray:
    """Return bool[n], True for boards."""
    outlines = results.journal.problems.outlines
    drawn = {number for number, outline in outlines.items() if unit_of([outline.label]) == PUZZLE}
    found: BoolArray = np.isin(results.listed.problems, list(drawn))
    return found


def small(results: Results, positions: Int64Array) -> Iterator[int]:
    """Yield the positions of instances whose problems take little time to load."""
    sizes, loaded, total = results.journal.problems.stored_sizes(), set[int](), 0
    problems = results.listed.problems
    for i in positions.tolist():
        problem = int(problems[i])
        if problem not in loaded:
            if sizes[problem] > MAX_STORED or total > MAX_LOADED:
                continue
            loaded.add(problem)
            total += sizes[problem]
        yield i


def order(results: Results) -> Int64Array:
    """Return the positions of instances: the worst results first, then by the time of a contender beside its median."""
    worst, extreme = np.zeros(results.size, np.int64), np.zeros(results.size)
    for c in results.contenders:
        worst = np.maximum(worst, np.where(c.decided, 0, c.state)[1:])
        times = c.wall[1:]
        if len(known := times[~np.isnan(times)]):
            extreme = np.fmax(extreme, times / median(known))
    found: Int64Array = np.lexsort((-extreme, -worst))
    return found
