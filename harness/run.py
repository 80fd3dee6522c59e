"""From a journal that holds puzzles to one that holds judged outcomes: plan, solve, judge, store.

Every verb that solves goes through here, so limits, judging and storing are the same for all.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from backends.answer import BoolArray, Int64Array
from harness.judging.referee import Referee, rejudge
from harness.model.contender import Contender
from harness.model.host import cores
from harness.model.outcome import Outcomes
from harness.reporting.advice import Advice
from harness.running import reference
from harness.running.plan import MAX_WORKERS, block_size, plan
from harness.running.scramble import scrambled, unscrambled
from harness.running.supervisor import supervise
from harness.running.worker_pool import Limits, Notify, Opened, ignore
from harness.storing.journal import Journal


@dataclass(frozen=True)
class Settings:
    """How a run is made, beside its limits: `scramble` each repeat, `jobs` batches at a time, pinned to cores."""

    repeats: int = 1
    seed: int = 1
    scramble: bool = False
    jobs: int = 1
    pin: bool = True


def missing(journal: Journal, contenders: int, repeats: int) -> Callable[[int, int, Int64Array], BoolArray]:
    """Which puzzles of a block have no outcome yet, by contender and repeat: what a resumed run has left to do."""
    done = {(c, r): journal.done(c, r) for c in range(contenders) for r in range(repeats)}

    def left(contender: int, repeat: int, puzzles: Int64Array) -> BoolArray:
        return np.isin(puzzles, done[contender, repeat], assume_unique=True, invert=True)

    return left


def places(settings: Settings) -> Sequence[int | None]:
    """A core for each job, the last first, since systems keep their own work on the first; None where not pinned."""
    free = cores() if settings.pin else []
    return [free[-1 - job] if job < len(free) else None for job in range(settings.jobs)]


def solve(
    journal: Journal,
    contenders: Sequence[Contender],
    referee: Referee,
    limits: Limits,
    settings: Settings,
    notice: Notify = ignore,
) -> Iterator[Outcomes]:
    """Run what the journal has no outcome of, judge and store it, and give it on as it comes.

    When this ends, by itself or from outside, everything that it gave is committed.
    """
    total, many = journal.size(), len(contenders)
    sizes = {i: block_size(total, len(layout.squares), limits.count, many) for i, layout in journal.layouts.items()}
    if many > MAX_WORKERS:
        notice(Advice.MANY.say(contenders=many, kept=MAX_WORKERS))
    left = None
    if journal.repeats():
        left = missing(journal, len(contenders), settings.repeats)
        rejudge(journal, referee)
    batches = plan(lambda: journal.blocks(sizes), len(contenders), settings.repeats, settings.seed, left)
    if settings.scramble:
        batches = (scrambled(batch, settings.seed) for batch in batches)
    samples = reference.measure()
    batches = reference.between(batches, samples)
    opened = [Opened() for _ in contenders]
    try:
        for outcomes in supervise(batches, contenders, limits, opened, places(settings), notice):
            if settings.scramble:
                outcomes = unscrambled(outcomes, settings.seed)
            journal.add(referee.judge_batch(outcomes))
            yield outcomes
    finally:
        journal.commit()
        journal.put(reference=journal.meta().get("reference", []) + samples + reference.measure())
        for number, state in enumerate(opened):
            if state.version:
                journal.set_opened(number, state.version, state.setup)
