"""The contract between a backend and whoever asks it.

    backend.open(formula) -> session        once a layout (setup: templates, prototypes, compilation)
    session.ask(ask)      -> answer         once a puzzle, cold: the solver object is fresh each time
    session.close()

Solving: at entry, `ask.domains` has one mask a square; at exit, the answer's solutions are distinct, at most
`ask.count` of them, each a value index a square. Nothing here is believed: the judge checks every solution.
Expected failure is a value (UNKNOWN with its reason), but for a formula that is not taken, where `open` raises
Unsupported. Any other exception is a bug in the backend and is recorded as an error.
These are protocols: a backend inherits from nothing.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from encoders.formula import Formula
from encoders.formula import Unsupported as Unsupported  # what `open` raises
from puzzles.columns import Solutions
from puzzles.problem import Domains, Solution

Int64Array = npt.NDArray[np.int64]
UInt64Array = npt.NDArray[np.uint64]
UInt16Array = npt.NDArray[np.uint16]
Int8Array = npt.NDArray[np.int8]
Int32Array = npt.NDArray[np.int32]
BoolArray = npt.NDArray[np.bool_]


class Status(IntEnum):
    """What the backend said."""

    UNKNOWN = 0
    SATISFIABLE = 10
    UNSATISFIABLE = 20


class Reason(IntEnum):
    """Why UNKNOWN. A backend answers TIMEOUT, MEMORY, ERROR or STUCK; CRASH and UNSUPPORTED are the harness's words."""

    NONE = 0
    TIMEOUT = 1
    MEMORY = 2
    CRASH = 3
    ERROR = 4
    STUCK = 5
    UNSUPPORTED = 6


# The counters that are stored, with one meaning for all: branchings, branchings that failed (or learned conflicts),
# values removed or literals implied, restarts. A backend gives those that it has.
COUNTERS = ("decisions", "conflicts", "propagations", "restarts")


@dataclass(frozen=True)
class Phases:
    """Nanoseconds of wall time that one ask took, by phase; what a backend can't tell apart it gives as `solve`."""

    encode: int = 0
    load: int = 0
    solve: int = 0
    decode: int = 0


@dataclass(frozen=True)
class Ask:
    """One question: up to `count` distinct solutions of these domains, within `seconds` of wall time.

    `nodes` bounds the branchings where a backend counts them; `proof` asks for a proof of completeness.
    """

    domains: Domains
    count: int = 1
    seconds: float = 10.0
    nodes: int | None = None
    proof: bool = False


@dataclass(frozen=True)
class Answer:
    """What the backend says. `complete`: there are no solutions but these (so UNSATISFIABLE is always complete)."""

    status: Status
    solutions: tuple[Solution, ...] = ()
    complete: bool = False
    reason: Reason = Reason.NONE
    counters: Mapping[str, int] = field(default_factory=dict)
    phases: Phases | None = None
    proof: bytes | None = None


@dataclass(frozen=True)
class Asks:
    """Many questions on one layout, as columns: domains is (puzzles, squares, words) of 64 values each."""

    domains: UInt64Array
    count: int = 1
    seconds: float = 10.0
    nodes: int | None = None


@dataclass(frozen=True)
class Answers:
    """One answer a question, as columns.

    found        int32[n], how many solutions each has
    solutions    uint16 or uint32[sum of found, squares], those of puzzle 0 first
    nanoseconds  int64[n] of solving, the clock read inside, or None where only the whole batch can be timed (amortised)
    """

    status: Int8Array
    complete: BoolArray
    reason: Int8Array
    found: Int32Array
    solutions: Solutions
    nanoseconds: Int64Array | None = None
    counters: Mapping[str, Int64Array] = field(default_factory=dict)


@runtime_checkable
class Session(Protocol):
    """An opened backend: one formula, many asks."""

    def ask(self, ask: Ask) -> Answer: ...

    def close(self) -> None: ...


@runtime_checkable
class BatchSession(Session, Protocol):
    """A session that is faster when asked many at once."""

    def ask_many(self, asks: Asks) -> Answers: ...


class Backend(Protocol):
    """A solver. `name` is BASE or BASE:VARIANT; `accepts` the formula types it takes.

    `can`, of: warm (has open_warm), proof, at_most (native cardinality), count (more than one solution, and
    completeness), domains (any domains, not only givens), batch (its sessions have ask_many). `open` raises Unsupported
    for a formula that it does not take, which is no failure: its puzzles are unsupported. Only an opening may refuse:
    whatever else `open` or `ask` raises is an error, and so is an answer with the reason UNSUPPORTED.
    """

    @property
    def name(self) -> str: ...

    @property
    def version(self) -> str: ...

    @property
    def accepts(self) -> frozenset[type]: ...

    @property
    def can(self) -> frozenset[str]: ...

    def open(self, formula: Formula) -> Session: ...


@runtime_checkable
class ChoosyBackend(Backend, Protocol):
    """A backend that can say without being opened whether it takes a formula: why not, in a few words, or None."""

    def refuses(self, formula: Formula) -> str | None: ...


@runtime_checkable
class WarmBackend(Backend, Protocol):
    """A backend that can keep its solver object from puzzle to puzzle; givens are then assumptions.

    `open_warm` refuses as `open` does, by raising Unsupported.
    """

    def open_warm(self, formula: Formula) -> Session: ...
