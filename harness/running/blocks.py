"""Leases of a run: repeat by repeat, block by block, each block with all its contenders in seeded order.

Block sizes adapt during the run so that a lease takes about as long as its engine wants: long enough that scheduling
costs nothing, short enough that an interruption loses little. All repeats of a run share its blocks.
"""

import resource
import sys
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from operator import itemgetter
from types import MappingProxyType

from harness.model.lease import WHOLE, Block, Lease, LeaseResult, Part
from harness.model.settings import RunSettings
from harness.running.workers.shared_memory import capacity

MAX_WORKERS = 64  # over all places: each takes 40 to 130 MB
WORKER_FILES = 7  # open files per worker: four pipes and handles, its shared memory, and that memory's mappings
OTHER_FILES = 48  # open files besides: the journal's, the reaper's, those of a process that is being started
MIN_BLOCKS = 16  # least number of blocks of a run
MIN_BATCHES = 4  # blocks for each place
MAX_GROWTH = 4  # times the size of the previous block
Spans = Sequence[tuple[int, int, int]]  # number, first and last instance of a block


@cache
def worker_capacity() -> int:
    """Return the number of workers that can stay open, after raising the limit of open files if necessary."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = OTHER_FILES + WORKER_FILES * MAX_WORKERS
    if 0 <= soft < wanted:
        soft = wanted if hard < 0 else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return MAX_WORKERS if soft < 0 else max(1, min(MAX_WORKERS, (soft - OTHER_FILES) // WORKER_FILES))


@dataclass(frozen=True)
class LeaseSize:
    """Size of leases that an engine asks for: seconds of work, and a maximum number of instances."""

    seconds: float = 2.0
    instances: int = 4000


@dataclass
class Pace:
    """Size of the next block, adjusted by the duration of the last lease, in a run of `instances` instances.

    A run has at least sixteen blocks, so that contenders alternate often, and some for each place. With more contenders
    than workers stay open, each batch starts a worker, so blocks have the maximum size from the start.
    """

    instances: int
    contenders: int
    wanted: LeaseSize = LeaseSize()
    size: int = 1
    places: int = 0  # number of places that have joined

    def __post_init__(self) -> None:
        self.crowded = self.contenders > worker_capacity()
        if self.crowded:
            self.size = self.largest

    @property
    def largest(self) -> int:
        """Maximum size of a block."""
        share = self.instances if self.crowded else self.instances // max(MIN_BLOCKS, MIN_BATCHES * self.places)
        return max(1, min(self.wanted.instances, share))

    def update(self, result: LeaseResult) -> None:
        """Adjust the size to the duration of a lease."""
        if not self.crowded and len(result.lease.contenders) == self.contenders and result.whole == WHOLE:
            done = len(result.lease.block.puzzles)
            seconds = max((result.ended - result.began) / 1e9, 1e-9)
            self.size = max(1, min(self.largest, MAX_GROWTH * done, int(self.wanted.seconds * done / seconds)))


def first_instances(block: Block, most: int) -> Block:
    """Return the block cut to at most `most` instances."""
    if len(block.puzzles) <= most:
        return block
    return replace(block, puzzles=block.puzzles[:most], domains=block.domains[:most])


def blocks(
    fetch: Callable[[int, int, int], Block], parts: Sequence[Part], spans: Spans, pace: Pace, count: int
) -> Iterator[Block]:
    """Yield the instances of all parts in blocks: those of `spans`, and new blocks for the other instances.

    `fetch(number, first, last)` reads a block, which ends before `last` if another problem begins.
    """
    number, firsts = max((s[0] for s in spans), default=0), [span[1] for span in spans]
    for at, end in parts:
        within = spans[bisect_left(firsts, at) : bisect_right(firsts, end)]
        for known, first, last in [*within, (0, end + 1, end + 1)]:
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
    parts: Sequence[Part],
    spans: Spans,
    leased: set[tuple[int, int]],
    settings: RunSettings,
    pace: Pace,
    finished: Mapping[tuple[int, int], Collection[int]] = MappingProxyType({}),
    durations: Callable[[], Mapping[int, int]] | None = None,
) -> Iterator[Lease]:
    """Yield leases in running order, without the ones in `leased` (block and repeat), which are done already.

    `finished` has contenders whose batches of a lease are done. With `durations`, of blocks so far, later repeats begin
    with blocks that took long, after those that still run. Parts come in their order.
    """
    for repeat in range(settings.repeats):
        seen = []
        known = blocks(fetch, parts, spans, pace, settings.count)
        if repeat and durations is not None:
            took = durations()
            order = sorted(spans, key=lambda span: -took.get(span[0], sys.maxsize))
            known = (fetch(*span) for span in order)
        for block in known:
            seen.append((block.number, int(block.puzzles[0]), int(block.puzzles[-1])))
            if (block.number, repeat) in leased:
                continue
            lease = Lease.shuffled(block, repeat, pace.contenders, settings.seed)
            if settings.scramble:
                from harness.running.scramble import scrambled

                lease = lease.with_domains(scrambled(next(lease.batches()), settings.seed).domains)
            lease = lease.without(finished.get((block.number, repeat), ()))
            if lease.contenders:
                yield lease
        spans = sorted(seen, key=itemgetter(1))


def longest_first(parts: Sequence[Part], spans: Spans, expected: Mapping[int, float]) -> list[Part]:
    """Return parts in running order: instances of known duration first, one by one, the longest first.

    Instances of stored blocks of several keep their place, so that these blocks stay.
    """
    held = {i for _, first, last in spans if last > first for i in range(first, last + 1)}
    within = (i for i in expected if i not in held and any(first <= i <= last for first, last in parts))
    early = sorted(within, key=lambda i: (-expected[i], i))
    rest, gaps = [], sorted(early)
    for first, last in parts:
        at = first
        for i in gaps[bisect_left(gaps, first) : bisect_right(gaps, last)]:
            rest += [(at, i - 1)] if at < i else []
            at = i + 1
        rest += [(at, last)] if at <= last else []
    return [(i, i) for i in early] + rest
