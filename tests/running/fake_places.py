"""Engine of places that are told what to do, for tests of the dealer."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from backends.contract.answer import Reason, Status
from harness.model.lease import INTERRUPTED, PART, Block, Lease, LeaseResult, Place
from harness.model.outcome import ROW
from harness.running.blocks import LeaseSize
from harness.running.dealer import BatchesDone, Event, Finished, Joined, Left
from harness.running.engines.packing import Returned, SentPart, received
from harness.running.workers.run_context import OpenState
from puzzles.problem.columns import index_type, pack
from tests.journals import BOARD, HOST, SOLUTION, puzzle

SECOND = 1_000_000_000


def leases(sizes: list[int], contenders: int, repeats: int = 1) -> list[Lease]:
    """Return the leases of blocks of these sizes."""
    first, found = 1, []
    for number, size in enumerate(sizes, 1):
        ids = np.arange(first, first + size, dtype=np.int64)
        domains = pack(BOARD, [puzzle(int(i) - 1).domains for i in ids])
        found.append(Block(number, BOARD, ids, domains))
        first += size
    return [Lease.shuffled(block, repeat, contenders, 1) for repeat in range(repeats) for block in found]


def solved(lease: Lease, mark: int = 0) -> Returned:
    """Return right outcomes of a lease as a place does, with `mark` among their counters."""
    n, kind = len(lease.block.puzzles), index_type(lease.block.problem)
    rows = np.zeros(n, ROW)
    rows["status"], rows["found"], rows["reason"] = Status.SATISFIABLE, 1, Reason.NONE
    rows["wall"] = rows["solve"] = rows["cpu"] = 1000
    rows["decisions"] = mark
    solutions = np.array([SOLUTION] * n, kind)
    columns = {"rows": rows, "solutions": solutions, "details": {0: "a note"}}
    parts = (SentPart(contender, lease.block.puzzles, columns) for contender in lease.contenders)
    return Returned(100 * SECOND, 101 * SECOND, ((5, 5),), tuple(parts))


class FakePlaces:
    """Places named by their number. They finish, fail and leave when `events` or a test says so."""

    lease_size = LeaseSize()

    def __init__(self) -> None:
        self.names = 0
        self.held: dict[str, tuple[int, Lease]] = {}
        self.living: set[str] = set()
        self.cpus: dict[str, str] = {}
        self.given: list[tuple[str, int, Lease]] = []

    def facts(self, place: str) -> Place:
        """Return a place as the journal stores it."""
        return Place({**HOST, "cpu": self.cpus.get(place, "one")}, None, {"python": "3"})

    def join(self) -> Joined:
        """Add a place."""
        self.names += 1
        self.living.add(f"place-{self.names}")
        return Joined(f"place-{self.names}")

    def leave(self, place: str) -> Left:
        """Lose a place."""
        self.living.discard(place)
        self.held.pop(place, None)
        return Left(place, "lost")

    def assign(self, place: str, ticket: int, lease: Lease) -> None:
        """Begin a lease at an idle place."""
        assert place in self.living
        assert place not in self.held
        self.held[place] = ticket, lease
        self.given.append((place, ticket, lease))

    def finish(self, place: str) -> Event:
        """Complete the lease of a place."""
        ticket, lease = self.held.pop(place)
        return Finished(place, ticket, received(lease, solved(lease, ticket)))

    def progress(self, place: str, count: int) -> Event:
        """Complete some batches of the lease of a place, which goes on with the others."""
        ticket, lease = self.held[place]
        done = replace(lease, contenders=lease.contenders[:count])
        self.held[place] = ticket, lease.without(done.contenders)
        return BatchesDone(place, ticket, replace(received(done, solved(done, ticket)), whole=PART))

    def events(self) -> Iterator[Event]:
        """All places finish; if there is none, one joins."""
        if not self.living:
            yield self.join()
        else:
            assert self.held, "places wait for ever"
        for place in sorted(self.held):
            yield self.finish(place)

    def dismiss(self, place: str) -> None:
        """End a place."""
        self.living.discard(place)

    def opened(self) -> list[OpenState]:
        """Return nothing."""
        return []

    def close(self) -> list[Finished]:
        """Return what running leases have: half of their contenders."""
        found = []
        for place, (ticket, lease) in self.held.items():
            whole = received(lease, solved(lease, ticket))
            some = whole.outcomes[: max(1, len(whole.outcomes) // 2)]
            found.append(Finished(place, ticket, LeaseResult(lease, 0, whole.began, whole.ended, some, INTERRUPTED)))
        return found
