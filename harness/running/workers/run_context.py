"""Context of a run on a machine: what its places, their pools and their workers share."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from backends.contract.answer import Reason
from harness.model.contender import Contender
from harness.model.observing.clocks import Clocks
from harness.model.observing.observed import Observed
from harness.model.outcome import Outcomes
from harness.model.settings import RunSettings
from harness.running.reaper import Reaper
from harness.running.reference import Sampler

if TYPE_CHECKING:
    from harness.running.workers.sandboxes import Sandboxes

Notify = Callable[[str], None]
Keep = Callable[[Outcomes], Outcomes]


def ignore(text: str) -> None:
    """Discard a notice."""


class LeaseChecker(Protocol):
    """Checks of the proofs of a batch, at its place, before the next batch of the lease begins."""

    def begin(self, outcomes: list[Outcomes]) -> None: ...
    def advance(self) -> bool: ...
    def open_fds(self) -> list[int]: ...
    def deadline(self) -> float: ...
    def close(self) -> None: ...


MakeChecker = Callable[[Reaper, int | None], LeaseChecker]


@dataclass
class OpenState:
    """Version, nanoseconds of setup and failed openings of a contender, updated during the run.

    warmup    number of warm-ups of each worker, 0 after one has failed
    failures  number of failed openings in a row, by digest of the problem     last  reason and message of the last
    clocks    times that its workers reported, and for which the parent waited
    observed  observations of its processes by the parent
    looks, parallel  looks at its threads while it solved, and looks that found several running
    """

    warmup: int = 0
    version: str = ""
    setup: int = 0
    failures: dict[str, int] = field(default_factory=dict)
    last: dict[str, tuple[Reason, str]] = field(default_factory=dict)
    clocks: Clocks = field(default_factory=Clocks)
    observed: Observed = field(default_factory=Observed)
    looks: int = 0
    parallel: int = 0


@dataclass(frozen=True)
class RunContext:
    """Context of a run, or of the part of a run on this machine.

    opened       state of each contender
    reaper       cleans up after all workers
    notify       receives reasons for slow openings, and what is odd
    max_workers  largest number of workers of a place
    checker      makes the checker of a place
    keep         takes what programs have printed from outcomes
    sampler      reference work
    """

    contenders: Sequence[Contender]
    settings: RunSettings
    opened: list[OpenState]
    reaper: Reaper
    notify: Notify = ignore
    max_workers: int = 1
    checker: MakeChecker | None = None
    sandboxes: "Sandboxes | None" = None
    keep: Keep | None = None
    sampler: Sampler = field(default_factory=Sampler)
