"""The contract between a backend and its callers.

    backend.open(formula) -> session        once per layout (setup: templates, prototypes, compilation)
    session.ask(ask)      -> answer         once per puzzle, cold: with a fresh solver object each time
    session.close()

Before `ask`: `ask.domains` holds one mask per square. After it: the answer's solutions are distinct, at most
`ask.count`, each with one value index per square. No answer is trusted: the judge checks every solution.
If the formula has an objective, which is to be minimised, the best solution is asked for: an answer has at most that
one, with its value, and is complete if no solution is better. Sooner ones go to `ask.improved` as they are found, so
that they stand if the search is cut short, and lower bounds to `ask.bounded`.
An expected failure is a value (UNKNOWN with its reason), except that `open` raises Unsupported for a formula the
backend does not support, as `ask` does for an instance that the format of a program can't state. Any other exception is
a bug in the backend and is recorded as an error.
These are protocols: a backend needs no base class.
"""

from collections.abc import Container, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from enum import IntEnum
from pathlib import Path
from typing import Protocol, runtime_checkable

from backends.contract.options import Option, Value
from encoders.formula import WORDS, Formula, kinds_of
from encoders.formula import Unsupported as Unsupported  # raised by `open`
from puzzles.objectives.models import ModelCount
from puzzles.objectives.queries import QueryScript
from puzzles.problem import Objective
from puzzles.problem.arrays import BoolArray, Int8Array, Int32Array, Int64Array, Solutions, UInt64Array
from puzzles.problem.values import Domains, Solution


class Status(IntEnum):
    """A backend's result for one puzzle."""

    UNKNOWN = 0
    SATISFIABLE = 10
    UNSATISFIABLE = 20


class Reason(IntEnum):
    """Reason for UNKNOWN; only the harness sets CRASH, UNSUPPORTED and REFUTED.

    REFUTED is an answer that the harness has refuted itself: to the problem that loads the code, or by another answer
    to the same ask.
    """

    NONE = 0
    TIMEOUT = 1
    MEMORY = 2
    CRASH = 3
    ERROR = 4
    STUCK = 5
    UNSUPPORTED = 6
    REFUTED = 7


# The stored counters, with the same meaning for all backends: branchings, failed branchings (or learned conflicts),
# values removed or literals implied, restarts. A backend returns those that it has.
COUNTERS = ("decisions", "conflicts", "propagations", "restarts")


OPTIMISE = "optimise"  # the capability of backends that take an objective
ONLY_OPTIMISE = "only optimise"  # and of those that take nothing else
BOUNDS_SUMS = "linear"  # of those whose clauses depend on the encoding of sums beyond the formula
COUNTS = "models"  # of those that count all models (`--count all`)
ONLY_COUNT = "only models"  # and of those that take nothing else
COUNTS_ALONE = frozenset({COUNTS, ONLY_COUNT, "domains"})
QUERIES = "queries"  # of those that answer query scripts, and take nothing else
SOFT_QUERIES = "soft queries"  # and of those that take scripts with soft literals
ONLY_SOFT_QUERIES = "only soft queries"  # and no others
NEEDS_OBJECTIVE = "{name} takes instances with an objective only"
NO_OBJECTIVE = "{name} takes no objective (with --ignore-objective instances are decided)"
ONLY_COUNTS = "{name} counts models: it takes --count all only"
NO_COUNTS = "{name} counts no models, as --count all asks: models:* and mcc:* do"

ONLY_QUERIES = "{name} takes query scripts only"
NO_QUERIES = "{name} takes no query scripts: queries:* do"
NO_SOFT_QUERIES = "{name} takes no query scripts with soft literals: queries:rc2, native, z3 and cpsat do"
NEEDS_SOFT_QUERIES = "{name} takes query scripts with soft literals only"


def goal_refusal(name: str, can: Container[str], goal: Objective | None) -> str | None:
    """Return the reason why a backend with some capabilities does not take an objective, or none; None if it does."""
    if goal is not None and goal.kind == ModelCount.kind:
        return None if COUNTS in can else NO_COUNTS.format(name=name)
    if goal is not None and goal.kind == QueryScript.kind:
        return query_refusal(name, can, isinstance(goal, QueryScript) and goal.weighted)
    if QUERIES in can:
        return ONLY_QUERIES.format(name=name)
    if ONLY_COUNT in can:
        return ONLY_COUNTS.format(name=name)
    if goal is None:
        return NEEDS_OBJECTIVE.format(name=name) if ONLY_OPTIMISE in can else None
    return None if OPTIMISE in can else NO_OBJECTIVE.format(name=name)


def query_refusal(name: str, can: Container[str], weighted: bool) -> str | None:
    """Return the reason why a backend does not take query scripts, with soft literals or without; None if it does."""
    if QUERIES not in can:
        return NO_QUERIES.format(name=name)
    if weighted:
        return None if SOFT_QUERIES in can else NO_SOFT_QUERIES.format(name=name)
    return NEEDS_SOFT_QUERIES.format(name=name) if ONLY_SOFT_QUERIES in can else None


@dataclass(frozen=True)
class Phases:
    """Wall time of one ask in nanoseconds, by phase; time not attributed to another counts as `solve`."""

    encode: int = 0
    load: int = 0
    solve: int = 0
    decode: int = 0


class Pauses:
    """Clock of our own work on a program's file during an ask; this default counts none.

    total   nanoseconds of it up to now, which neither the limit nor the time of the ask counts
    phases  the same by phase          cpu  its CPU time
    """

    total = cpu = 0
    counted = False
    phases: Mapping[str, int] = {"prepare": 0, "interpret": 0}

    def pause(self, phase: str) -> AbstractContextManager[None]:
        """Count the time of the block as `prepare` (before the program runs) or `interpret` (after)."""
        return nullcontext()


class Listener:
    """Receiver of solutions and bounds that a search for the best solution finds; by default nobody listens."""

    def improved(self, value: int, solution: Solution | None) -> None:
        """Take a solution that is better than those before, and its value; None where only the value is stated."""

    def bounded(self, value: int) -> None:
        """Take a lower bound of the objective."""


@dataclass(frozen=True)
class Ask:
    """Request for up to `count` distinct solutions of these domains, within `seconds` of wall time.

    `nodes` limits the branchings where a backend counts them; `proof` requests a proof of completeness. `source` is the
    file that the instance came as, for programs that read its format, and `pauses` sets our work on it apart. A program
    with an objective that is terminated after `seconds` has `grace` seconds more to print the best that it has found.
    """

    domains: Domains
    count: int = 1
    seconds: float = 10.0
    nodes: int | None = None
    proof: bool = False
    source: Path | None = None
    pauses: Pauses = Pauses()  # noqa: RUF009 - it has no state
    listener: Listener = Listener()  # noqa: RUF009 - it has no state
    grace: float = 0.0

    def improved(self, value: int, solution: Solution | None) -> None:
        """Report a solution that is better than those before, and its value; takes some 20 microseconds.

        Only programs that state values alone report None: such a value counts if the answer's solution is as good.
        """
        self.listener.improved(value, solution)

    def bounded(self, value: int) -> None:
        """Report that no solution has a value below this."""
        self.listener.bounded(value)


@dataclass(frozen=True)
class Answer:
    """Reply to an Ask. `complete`: no other solutions exist (so UNSATISFIABLE is always complete).

    With an objective, `complete`: none is better, `value` is that of the solution, and `bound` one below which no
    solution is, if one is known. An answer may then be SATISFIABLE with a reason: the best that was found until then.
    `note` is shown with an answer that is UNKNOWN, `times` are nanoseconds of CPU
    time of each ask of a query script.
    """

    status: Status
    solutions: tuple[Solution, ...] = ()
    complete: bool = False
    reason: Reason = Reason.NONE
    counters: Mapping[str, int] = field(default_factory=dict)
    phases: Phases | None = None
    proof: bytes | None = None
    note: str = ""
    value: int | None = None
    bound: int | None = None
    times: Sequence[int] = ()

    def noted(self, *texts: str) -> "Answer":
        """Return the answer with further notes; '' is none."""
        return replace(self, note="; ".join(filter(None, (self.note, *texts)))) if any(texts) else self


@dataclass(frozen=True)
class Asks:
    """Many requests on one layout; domains is (puzzles, squares, words), a word the mask of 64 values."""

    domains: UInt64Array
    count: int = 1
    seconds: float = 10.0
    nodes: int | None = None


@dataclass(frozen=True)
class Answers:
    """One answer per puzzle, as columns.

    found        int32[n], the number of solutions of each puzzle
    solutions    uint16 or uint32[sum of found, squares], in the order of the puzzles
    nanoseconds  int64[n], solving time measured by the backend: positive, and together most of the call's time; None
                 if only the batch can be timed (amortised)
    notes        position -> note, as of an Answer
    """

    status: Int8Array
    complete: BoolArray
    reason: Int8Array
    found: Int32Array
    solutions: Solutions
    nanoseconds: Int64Array | None = None
    counters: Mapping[str, Int64Array] = field(default_factory=dict)
    notes: Mapping[int, str] = field(default_factory=dict)


@runtime_checkable
class Session(Protocol):
    """An open backend: one formula, many asks."""

    def ask(self, ask: Ask) -> Answer: ...

    def close(self) -> None: ...


class InMemory:
    """Base class of sessions that hold only memory, so that there is nothing to close."""

    def close(self) -> None:
        """Do nothing."""


@runtime_checkable
class BatchSession(Session, Protocol):
    """A session with a faster path for many puzzles at once."""

    def ask_many(self, asks: Asks) -> Answers: ...


class Backend(Protocol):
    """A solver. `name` is BASE or BASE:VARIANT; `accepts` holds the supported formula types.

    `can` holds any of: warm (has open_warm), proof, at_most (native cardinality), count (more than one solution, and
    completeness), domains (any domains, not only givens), batch (its sessions have ask_many), optimise (takes an
    objective), only optimise (takes no formula without one), models (counts all models), only models (and does nothing
    else), queries (answers query scripts, and does nothing else), linear (writes bounds of the objective as clauses, in
    the encoding of sums that its formula names). `open` raises Unsupported for a formula that the backend does not
    support, and `ask` where only the solver can tell; the puzzles are then unsupported, which is not a failure. Any
    other exception of `open` or `ask` is an error, and so is an answer with the reason UNSUPPORTED.
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
class LoadableBackend(Backend, Protocol):
    """A built-in backend whose sessions need slow imports: `load` imports before the worker has a problem."""

    def load(self) -> None: ...


@runtime_checkable
class ChoosyBackend(Backend, Protocol):
    """A backend that can reject a formula before opening: `refuses` returns the reason, or None."""

    def refuses(self, formula: Formula) -> str | None: ...


@runtime_checkable
class ConfigurableBackend(Backend, Protocol):
    """A backend with options: `configured` returns a copy with some options set, checked against `options`.

    It may have other capabilities with them. It raises BadOption for values that do not go together.
    """

    @property
    def options(self) -> tuple[Option, ...]: ...

    def configured(self, options: Mapping[str, Value]) -> Backend: ...


def accepted(backend: Backend, formula: Formula) -> Formula:
    """Return the formula. Raises Unsupported if the backend does not accept its type."""
    if type(formula) in backend.accepts:
        return formula
    taken = " and ".join(sorted(WORDS.get(kind, kind.__name__) for kind in backend.accepts))
    raise Unsupported(f"{backend.name} takes {taken} only, not {kinds_of(formula)}")


@runtime_checkable
class WarmBackend(Backend, Protocol):
    """A backend that can reuse its solver object across puzzles; givens are then assumptions.

    `open_warm` raises Unsupported as `open` does.
    """

    def open_warm(self, formula: Formula) -> Session: ...


@runtime_checkable
class PreparedSession(Session, Protocol):
    """A session that has work to do once for all instances of its formula, which is no part of the first ask."""

    def prepare(self) -> None: ...
