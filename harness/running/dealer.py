"""Deals leases: repeat by repeat, block by block, each block with all its contenders in seeded order.

Blocks are cut as the run goes, so that a lease takes about LEASE_S seconds: long enough that handing it out costs
nothing, short enough that little is lost with it. All repeats of a run share its blocks.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from harness.model.lease import Block, Lease, LeaseResult
from harness.model.settings import RunSettings
from harness.running.scramble import scrambled
from harness.running.shared_memory import capacity

MAX_WORKERS = 64  # at once in all places: each takes 40 to 130 MB and 5 file descriptors, of which 1024 are usual
LARGEST_BLOCK = 1000  # instances
LEASE_S = 2.0
MAX_GROWTH = 4  # times the block before, at most
Spans = Sequence[tuple[int, int, int]]  # number, first and last instance of a block


@dataclass
class Pace:
    """Size of the next block, from what the last lease took.

    Sixteen blocks or more of a run, so that contenders alternate often. With more contenders than workers are kept,
    each turn opens a worker anew, so blocks are as large as may be from the start.
    """

    instances: int
    contenders: int
    size: int = 1

    def __post_init__(self) -> None:
        crowded = self.contenders > MAX_WORKERS
        self.largest = max(1, min(LARGEST_BLOCK, self.instances if crowded else self.instances // 16))
        if crowded:
            self.size = self.largest

    def update(self, result: LeaseResult) -> None:
        """Take in what a lease took."""
        if self.contenders <= MAX_WORKERS:
            done = len(result.lease.block.puzzles)
            seconds = max((result.ended - result.began) / 1e9, 1e-9)
            self.size = max(1, min(self.largest, MAX_GROWTH * done, int(LEASE_S * done / seconds)))


def first_instances(block: Block, most: int) -> Block:
    """The first instances of a block."""
    return replace(block, puzzles=block.puzzles[:most], domains=block.domains[:most])


def blocks(fetch: Callable[[int, int, int], Block], spans: Spans, pace: Pace, count: int) -> Iterator[Block]:
    """All instances in blocks: those of `spans`, and new ones for instances that are in none.

    `fetch(number, first, last)` reads a block, which may end before `last` where another problem begins.
    """
    number, at = max((s[0] for s in spans), default=0), 1
    for known, first, last in [*spans, (0, pace.instances + 1, pace.instances + 1)]:
        while at < first:
            number += 1
            block = fetch(number, at, min(at + pace.size, first) - 1)
            block = first_instances(block, capacity(len(block.problem.variables), count))
            yield block
            at = int(block.puzzles[-1]) + 1
        if known:
            yield fetch(known, first, last)
            at = last + 1


def deal(
    fetch: Callable[[int, int, int], Block],
    spans: Spans,
    leased: set[tuple[int, int]],
    settings: RunSettings,
    pace: Pace,
) -> Iterator[Lease]:
    """Leases in running order, but for those in `leased` (block and repeat), which a resumed run has done."""
    for repeat in range(settings.repeats):
        seen = []
        for block in blocks(fetch, spans, pace, settings.count):
            seen.append((block.number, int(block.puzzles[0]), int(block.puzzles[-1])))
            if (block.number, repeat) in leased:
                continue
            lease = Lease.shuffled(block, repeat, pace.contenders, settings.seed)
            if settings.scramble:
                lease = lease.with_domains(scrambled(next(lease.batches()), settings.seed).domains)
            yield lease
        spans = seen
