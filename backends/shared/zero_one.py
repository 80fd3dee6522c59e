"""Sessions of solvers of zero-one programmes: rows made once, a fresh solver for each ask.

A solver takes the rows, the literals that hold in an ask, and a deadline. Each solution is forbidden by a row before
the next is searched. The rows are exact in integers (encoders/zero_one), though a solver may round.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from time import perf_counter_ns as now
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from backends.contract.answer import Answer, Ask, Phases, Reason, Session, Status
from backends.contract.options import Configured, Option, Value
from backends.shared.enumeration import enumerate_solutions
from backends.shared.literal_map import LiteralMap
from encoders.formula import AllDifferent, Constraints, Formula, Unsupported, constraints_of
from encoders.zero_one import ADD, rows_of
from encoders.zero_one.rows import ZeroOneRows, literal_table

Values = npt.NDArray[np.int64]

LARGEST = 1_000_000  # greatest coefficient and bound of a row, for solvers that compute in floating point


class Stuck(Exception):
    """A solver can't decide; the text says why."""


class Programme(Protocol):
    """A solver loaded with rows: a source of models, with its counters."""

    def solve(self) -> bool | None:
        """As of a ModelSource. Raises Stuck."""

    def model(self) -> list[int]: ...

    def forbid(self, clause: list[int]) -> None: ...

    def counters(self) -> Mapping[str, int]: ...


class Load(NamedTuple):
    """Input of a solver: rows, the literals that hold, the deadline by the clock of `now`, options of the solver."""

    rows: ZeroOneRows
    true: list[int]
    deadline: int
    options: Mapping[str, Value]

    def seconds(self) -> float:
        """Return the seconds left, at least a millisecond."""
        return max((self.deadline - now()) / 1e9, 1e-3)


@dataclass(frozen=True)
class ZeroOneBackend(Configured):
    """Backend of a solver of rows, with one thread. `largest` limits those of one that computes in floating point."""

    load: Callable[[Load], Programme]
    options: tuple[Option, ...] = ()
    largest: int | None = None
    accepts: frozenset[type] = frozenset({AllDifferent, Constraints})
    can: frozenset[str] = frozenset({"count", "domains"})

    def open(self, formula: Formula) -> Session:
        session = ZeroOneSession(formula, self)
        if self.largest is not None:
            check_size(session.rows, self.largest, self.name)
        return session


class ZeroOneSession:
    """One problem as rows, a fresh solver for each ask. Raises Unsupported."""

    def __init__(self, formula: Formula, backend: ZeroOneBackend) -> None:
        form = constraints_of(formula, backend.name, ADD)
        self.known = form.known
        literals = literal_table(form, self.known)
        self.rows, self.literals, self.backend = rows_of(form, self.known, literals), LiteralMap(literals), backend

    def ask(self, ask: Ask) -> Answer:
        begin = now()
        domains = tuple([mask & known for mask, known in zip(ask.domains, self.known, strict=True)])
        if 0 in domains:
            return Answer(Status.UNSATISFIABLE, complete=True, phases=Phases(load=now() - begin))
        true = [k for k in self.literals.true(domains) if k]
        deadline = begin + int(ask.seconds * 1e9)
        programme = self.backend.load(Load(self.rows, true, deadline, self.backend.chosen))
        source = Timed(programme, deadline)
        found = enumerate_solutions(source, self.literals, replace(ask, domains=domains), now() - begin)
        answer = found.answer(dict(programme.counters()))
        return replace(answer, reason=Reason.STUCK, note=source.note) if source.note else answer

    def close(self) -> None:
        """Do nothing: the session holds no resources."""


class Timed:
    """A source that ends at its deadline, or when its solver is stuck, with the reason as `note`."""

    def __init__(self, programme: Programme, deadline: int) -> None:
        self.programme, self.deadline, self.note = programme, deadline, ""
        self.model, self.forbid = programme.model, programme.forbid

    def solve(self) -> bool | None:
        if now() >= self.deadline:
            return None
        try:
            return self.programme.solve()
        except Stuck as e:
            self.note = str(e)
            return None


class SparseRows(NamedTuple):
    """Rows in arrays: row i has the terms from `starts[i]` to before `starts[i + 1]`; columns count from 0."""

    starts: Values
    columns: npt.NDArray[np.int32]
    coefficients: Values
    bounds: Values
    equal: npt.NDArray[np.bool_]

    @classmethod
    def of(cls, rows: ZeroOneRows) -> "SparseRows":
        """Return rows whose numbers fit 64 bits."""
        return cls(
            np.cumsum([0, *(len(row.terms) for row in rows.rows)], dtype=np.int64),
            np.array([k - 1 for row in rows.rows for k in row.terms], np.int32),
            np.array([a for row in rows.rows for a in row.terms.values()], np.int64),
            np.array([row.bound for row in rows.rows], np.int64),
            np.array([row.equal for row in rows.rows], np.bool_),
        )

    def holds(self, values: Values) -> bool:
        """Return True if integer values satisfy every row exactly; no row is empty."""
        if not len(self.bounds):
            return True
        sums = np.add.reduceat(self.coefficients * values[self.columns], self.starts[:-1])
        return bool(np.where(self.equal, sums == self.bounds, sums >= self.bounds).all())


def true_literals(values: Values) -> list[int]:
    """Return the literals that are true where the Booleans take these values, 0 or 1."""
    numbers = np.arange(1, len(values) + 1)
    true: list[int] = np.where(values == 1, numbers, -numbers).tolist()
    return true


def check_size(rows: ZeroOneRows, largest: int, reader: str) -> None:
    """Raise Unsupported if a row is too large for the tolerance of a solver that computes in floating point."""
    for row in rows.rows:
        if (size := max(abs(row.bound), sum(map(abs, row.terms.values())))) > largest:
            raise Unsupported(
                f"{reader} computes in floating point and does not support sums of more than {largest:,}: "
                f"a row has coefficients or a bound of {size:,} together"
            )
