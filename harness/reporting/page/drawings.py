"""Instances as text, as far as a budget of bytes goes: those that are not decided by all contenders come first."""

import zlib
from collections.abc import Callable
from typing import Any

import numpy as np

from backends.answer import Int64Array
from harness.reporting.page.container import LEVEL
from harness.reporting.results import Results, State
from puzzles.problem import Instance

BUDGET = 1 << 20  # bytes of all drawings after compression
MAX_STORED = 1 << 20  # bytes of a stored problem that is loaded to be drawn
MAX_LOADED = 1 << 24  # bytes of all of them
Draw = Callable[[Instance[Any]], str]


def drawings(results: Results, draw: Draw, budget: int = BUDGET) -> tuple[list[str], Int64Array]:
    """Return distinct drawings, and the number of each instance's from 1; 0 where there is no room for it."""
    texts: dict[str, int] = {}
    which = np.zeros(results.size, np.int64)
    problems = [problem for *_, problem in results.journal.listing()]
    sizes = results.journal.problems.stored_sizes()
    packer, used, loaded = zlib.compressobj(LEVEL), 0, set[int]()
    for i in order(results).tolist():
        problem = problems[i]
        if problem not in loaded:
            if sizes[problem] > MAX_STORED or sum(map(sizes.__getitem__, loaded)) > MAX_LOADED:
                continue
            loaded.add(problem)
        text = draw(results.journal.puzzle(i + 1))
        if text not in texts:
            used += len(packer.compress(text.encode()))
            if used > budget:
                break
        which[i] = texts.setdefault(text, len(texts) + 1)
    return list(texts), which


def order(results: Results) -> Int64Array:
    """Return the positions of instances, the worst results first."""
    states = [c.state[1:] for c in results.contenders]
    worst = np.max(states, axis=0) if states else np.zeros(results.size, np.int8)
    found: Int64Array = np.argsort(-np.where(worst == State.DECIDED, 0, worst).astype(np.int64), kind="stable")
    return found
