"""Settings of a run: built once from the command line, stored in the journal, given back by a resume."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Self

DEFAULT_CONTENDERS = ("native", "pysat:cadical195/extended", "cpsat")  # if no -b is given


@dataclass(frozen=True)
class RunSettings:
    """Everything that decides what a run measures, beside its corpora and contenders.

    limit     seconds of wall time that each instance has       cpu   seconds of CPU time, None for no limit
    count     solutions wanted of each instance                 proof ask for proofs of completeness, and check them
    memory    bytes that a worker may map for data, 0 for no limit
    peak      measure the peak memory of each ask, which costs it a tenth of a millisecond
    opening   seconds for imports, compilation and templates    warmup  untimed solves of each fresh worker
    repeats   how often everything is run, by fresh workers     scramble  a random symmetry for each repeat
    jobs      leases under way at once, each on a core of its own where `pin` says so
    programs  the command of each program, by name              pythons  the interpreter of each environment, by name
    """

    limit: float = 10.0
    count: int = 1
    cpu: float | None = None
    memory: int = 0
    opening: float = 60.0
    warmup: int = 0
    peak: bool = False
    proof: bool = False
    repeats: int = 1
    seed: int = 1
    scramble: bool = False
    jobs: int = 1
    pin: bool = True
    programs: Mapping[str, str] = field(default_factory=dict)
    pythons: Mapping[str, str] = field(default_factory=dict)

    def stored(self) -> dict[str, Any]:
        """Plain data, as the journal keeps it."""
        return asdict(self)

    @classmethod
    def restored(cls, data: Mapping[str, Any]) -> Self:
        """Settings from what `stored` gave."""
        return cls(**data)
