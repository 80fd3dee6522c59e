"""The unit of work: one block of instances with all its contenders on one place.

    block   neighbouring instances of one problem
    lease   a block, for one repeat, with all contenders in the order in which they run
    place   a core of a machine, where one lease at a time runs
    result  what came of a lease; it is committed to the journal whole, with its place, once

Outcomes of one lease are of one machine, one moment and one core, so they can be compared in pairs.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from random import Random
from typing import Self

from backends.answer import Int64Array, UInt64Array
from harness.model.outcome import Batch, Outcomes
from puzzles.problem import Problem

Sample = tuple[int, int]  # nanoseconds of wall and of CPU time of one pass of the reference work


@dataclass(frozen=True)
class Block:
    """Neighbouring instances of one problem: ids int64[n] of the journal, domains uint64[n, variables, words]."""

    number: int
    problem: Problem
    puzzles: Int64Array
    domains: UInt64Array


@dataclass(frozen=True)
class Lease:
    """A block with all contenders, by number, in running order. `samples`: reference work timed just before it."""

    block: Block
    repeat: int
    turns: tuple[int, ...]
    samples: tuple[Sample, ...] = ()

    @classmethod
    def shuffled(cls, block: Block, repeat: int, contenders: int, seed: int) -> Self:
        """The lease of a block, its contenders in an order drawn from the seed."""
        turns = list(range(contenders))
        Random(f"{seed}/{repeat}/{int(block.puzzles[0])}").shuffle(turns)
        return cls(block, repeat, tuple(turns))

    def batches(self) -> Iterator[Batch]:
        """A batch for each turn."""
        b = self.block
        for contender in self.turns:
            yield Batch(contender, self.repeat, b.problem, b.puzzles, b.domains, len(b.puzzles))

    def with_domains(self, domains: UInt64Array) -> Self:
        """The same lease of other domains."""
        return replace(self, block=replace(self.block, domains=domains))


@dataclass(frozen=True)
class LeaseResult:
    """Outcomes of a lease: where it ran, and from when to when, in nanoseconds since the epoch.

    `whole` is False where a run was interrupted: such a lease is kept until a resume runs it again.
    """

    lease: Lease
    place: int
    began: int
    ended: int
    outcomes: tuple[Outcomes, ...]
    whole: bool = True


@dataclass(frozen=True)
class Place:
    """Where leases run: a core of a machine (None: any), the environment of its solvers, and its versions."""

    host: dict[str, object]
    core: int | None
    versions: dict[str, str | None]
    environment: dict[str, str] = field(default_factory=dict)
