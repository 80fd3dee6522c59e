"""Settings of a run: built from the command line, stored in the journal, restored by a resume."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Self

from harness.model.errors import BadUsage
from puzzles.problem import Problem

DEFAULT_CONTENDERS = ("native", "pysat:cadical195/extended", "cpsat")  # contenders without -b
DEFAULT_QUERIES = ("queries:cadical195", "queries:cadical195[fresh=1]", "queries:minisat22", "queries:z3")  # of scripts
DEFAULT_SOFT_QUERIES = ("queries:rc2", "queries:rc2[fresh=1]", "queries:native", "queries:cpsat")  # with soft literals
DEFAULT_COUNTERS = ("models:native", "models:pysat", "models:ganak")  # contenders without -b of --count all
DEFAULT_OPTIMISERS = ("cpsat", "pysat:rc2", "native")  # contenders without -b where instances have an objective

# Settings that change times, beside limit and count; journals that differ in them are not merged.
COMPARED = (
    "cpu",
    "memory",
    "peak",
    "proof",
    "scramble",
    "draw_seeds",
    "warmup",
    "jobs",
    "pin",
    "grace",
    "ignore_objective",
    "count_models",
    "sandbox",
)

FORMER_PREFIX = "dask:"  # of --on


@dataclass(frozen=True)
class Limits:
    """Seconds per instance on each clock. None: no limit, or an unknown one. At least one limit is stated."""

    wall: float | None
    cpu: float | None = None

    def __str__(self) -> str:
        stated = ((self.wall, " s"), (self.cpu, " s of CPU time"))
        return ", ".join(f"{limit:g}{unit}" for limit, unit in stated if limit is not None)

    def clock_for(self, clock: str) -> str:
        """Return the clock whose limit applies to scores by `clock`: that clock, or the other one if only that has a
        limit.

        A limit of wall time bounds the CPU time of a solver with one thread too.
        """
        other = {"wall": "cpu", "cpu": "wall"}[clock]
        return other if getattr(self, clock) is None else clock

    def of(self, clock: str) -> float:
        """Return the limit in seconds that applies to scores by a clock, `wall` or `cpu`."""
        limit: float = getattr(self, self.clock_for(clock))
        return limit


@dataclass(frozen=True)
class RunSettings:
    """Settings that affect what a run measures, besides its corpora and contenders.

    limit     seconds of wall time per instance                 cpu   seconds of CPU time per instance, None: no limit
    wall_known  False if imported results state a limit of CPU time alone; `limit` is the same then
    count     solutions wanted per instance                     proof request and check proofs of completeness
    proof_limit  seconds of wall time per proof check           checkers  command of each other proof checker, by name
    memory    bytes per worker with all that it starts, 0 if the user states no limit
    default_memory  the limit in this case, 0 for none: it follows from the machine, so comparisons ignore it
    peak      measure the peak memory per ask, which takes 0.1 ms
    opening   CPU seconds for imports, compilation and templates
    warmup    times that the first ask of a worker is repeated
    repeats   number of repeats, each by new workers            scramble  apply a random symmetry per repeat
    draw_seeds  solvers get another random seed in each repeat
    jobs      leases that run at once, each on its own core if `pin`
    programs  command of each program, by name                  pythons  interpreter of each environment, by name
    grace     seconds that a program with an objective has to print its best after its limit
    ignore_objective  instances are decided, whatever objective they have
    pass_env  names of variables that workers inherit too       salt  of the digests of their values
    sandbox   workers live in sandboxes                         expose  further files and folders that they see there
    count_models  the number of models is wanted, or the sum of their weights (`--count all`)
    certify   contenders that are asked after the run to prove what others claim, in this order
    """

    limit: float = 10.0
    count: int = 1
    cpu: float | None = None
    memory: int = 0
    default_memory: int = 0
    opening: float = 60.0
    warmup: int = 0
    peak: bool = False
    proof: bool = False
    proof_limit: float = 60.0
    repeats: int = 1
    seed: int = 1
    scramble: bool = False
    draw_seeds: bool = False
    jobs: int = 1
    pin: bool = True
    checkers: Mapping[str, str] = field(default_factory=dict)
    programs: Mapping[str, str] = field(default_factory=dict)
    pythons: Mapping[str, str] = field(default_factory=dict)
    pass_env: Sequence[str] = field(default_factory=list)
    wall_known: bool = True
    salt: str = ""
    grace: float = 1.0
    ignore_objective: bool = False
    count_models: bool = False
    sandbox: bool = False
    expose: Sequence[str] = field(default_factory=list)
    certify: Sequence[str] = field(default_factory=list)

    @property
    def limits(self) -> Limits:
        """Limits on both clocks."""
        return Limits(self.limit if self.wall_known else None, self.cpu)

    @property
    def memory_limit(self) -> int:
        """Bytes per worker that are enforced, 0 for no limit."""
        return self.memory or self.default_memory

    def as_dict(self) -> dict[str, Any]:
        """Return the settings as JSON-compatible data for the journal."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Return settings from the data of `as_dict`."""
        return cls(**data)


@dataclass(frozen=True)
class Cluster:
    """A Dask cluster, by the address of its scheduler or the file that has it; `same_cpu`: places of one processor."""

    target: str
    same_cpu: bool = False

    @classmethod
    def parse(cls, text: str, same: str | None) -> Self:
        """Return the cluster that --on and --same state. Raises BadUsage."""
        target = text.removeprefix(FORMER_PREFIX)
        if not target:
            raise BadUsage(f"--on {text}: state the address of a Dask scheduler, tcp://HOST:PORT, or its file")
        return cls(target, same == "cpu")

    def words(self) -> list[str]:
        """Return the options that state the cluster."""
        return ["--on", self.target, *(["--same", "cpu"] if self.same_cpu else [])]


def wanted(problem: Problem, settings: RunSettings) -> int:
    """Return the number of solutions of a problem that are asked for: with an objective one, the best."""
    return settings.count if problem.objective is None else 1


def differences(a: RunSettings, b: RunSettings) -> list[str]:
    """Return the settings in which two runs differ, of those that comparisons look at, with both values."""
    pairs = ((key, getattr(a, key), getattr(b, key)) for key in COMPARED)
    return [f"{key} ({x} and {y})" for key, x, y in pairs if x != y]
