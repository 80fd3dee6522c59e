"""Sessions of solvers of zero-one programmes: rows made once, a fresh solver for each ask.

A solver takes the rows, the literals that hold in an ask, and a deadline. Each solution is forbidden by a row before
the next is searched. The rows are exact in integers (encoders/zero_one), though a solver may round.
"""

import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil
from pathlib import Path
from time import perf_counter_ns as now
from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from backends.contract.answer import OPTIMISE, Answer, Ask, Phases, Reason, Session, Status
from backends.contract.options import Configured, Option, Value
from backends.shared.enumeration import enumerate_solutions
from backends.shared.incumbent import Incumbent, value_of_solutions
from backends.shared.integer_columns import ColumnMap, ColumnRows, column_rows, differing
from backends.shared.literal_map import LiteralMap, literal_map
from encoders.formula import OBJECTIVE, AllDifferent, Constraints, Formula, Unsupported, constraints_of
from encoders.integer_program import has_own_columns
from encoders.zero_one import RANGES, TO_ROWS, programme_of
from encoders.zero_one.rows import Row, Terms, ZeroOneRows, literal_table

Values = npt.NDArray[np.int64]

TOLERANCE = 1e-2  # of bounds on sums up to LARGEST: they are off by 1e-3 where each variable is off by 1e-9
INFINITE = 1e18  # bounds from here stand for none
PROOF = "proof"  # the capability of backends that write proofs
LARGEST = 1_000_000  # of the coefficients of a row and of its bound, for solvers that compute in floating point
LARGEST_COLUMNS = 30_000_000  # of a row over integer columns: random ones up to 10^7.5 had no wrong optimum


class Stuck(Exception):
    """A solver can't decide; the text says why."""


class Reports(NamedTuple):
    """Receivers of models and of lower bounds on the sum of an objective's terms, `goal`."""

    model: Callable[[list[int]], None]
    bound: Callable[[int], None]
    goal: Terms

    def bound_of(self, bound: float) -> None:
        """Report a bound of a solver that computes in floating point, if it has one: sums are integers."""
        if abs(bound) < INFINITE:
            self.bound(whole(bound))

    def end(self, found: bool, values: Values, model: list[int], bound: float, solver: str) -> bool:
        """Report the last solution and bound of such a solver. Raises Stuck if it stopped within its gap."""
        if not found:
            return True
        self.model(model)
        self.bound_of(bound)
        if whole(bound) < sum(a * int(values[k - 1]) for k, a in self.goal.items()):
            raise Stuck(f"{solver} stops within its gap: its bound is {bound:g}")
        return True


def whole(bound: float) -> int:
    """Return the least integer that is not below a bound by more than the tolerance."""
    return ceil(bound - TOLERANCE)


class Programme(Protocol):
    """A solver loaded with rows: a source of models, with its counters."""

    def solve(self) -> bool | None:
        """Search for a model, as `ModelSource.solve` does. Raises Stuck."""

    def model(self) -> list[int]: ...

    def forbid(self, clause: list[int]) -> None: ...

    def counters(self) -> Mapping[str, int]: ...


@runtime_checkable
class ProvingProgramme(Programme, Protocol):
    """A solver loaded with rows that writes a proof if its load asks for one."""

    def proof(self) -> bytes | None:
        """End the solver, and return its proof."""


@runtime_checkable
class OptimisingProgramme(Programme, Protocol):
    """A solver loaded with rows and an objective."""

    def optimise(self, reports: Reports) -> bool | None:
        """Search for the best model: True if the last reported one is proved best or none exists, None on a timeout.

        Raises Stuck.
        """


class Load(NamedTuple):
    """Input of a solver: rows, the literals that hold, the deadline by the clock of `now`, options of the solver.

    Columns of ColumnRows are integers, others Booleans. `goal` has the terms to minimise, without a constant, None if
    there is no objective. `proof` is the beginning of the names of files to write a proof to, if one is wanted.
    """

    rows: ZeroOneRows | ColumnRows
    true: list[int]
    deadline: int
    options: Mapping[str, Value]
    goal: Terms | None = None
    proof: Path | None = None

    def seconds(self) -> float:
        """Return the seconds left, at least a millisecond."""
        return max((self.deadline - now()) / 1e9, 1e-3)

    def model_of(self, values: Values) -> list[int]:
        """Return the model where columns take these values: true literals, or numbers of integer columns."""
        return values[: self.rows.last].tolist() if isinstance(self.rows, ColumnRows) else true_literals(values)

    def upper(self) -> Values:
        """Return the greatest number of each column."""
        rows = self.rows
        return np.array(rows.upper, np.int64) if isinstance(rows, ColumnRows) else np.ones(rows.last, np.int64)

    def against(self, model: Sequence[int], last: int) -> tuple[list[Row], int]:
        """Return rows that forbid a model, a clause or numbers, and the last column, of `last` so far. Raises Stuck."""
        if isinstance(self.rows, ColumnRows):
            if max(self.rows.upper) >= LARGEST:
                raise Stuck(f"another solution than one of numbers up to {max(self.rows.upper):,} is not sought")
            return differing(model, self.rows.upper, last)
        return [Row({abs(k): 1 if k > 0 else -1 for k in model}, 1 - sum(k < 0 for k in model), False)], last


@dataclass(frozen=True)
class ZeroOneBackend(Configured):
    """Backend of a solver of rows, with one thread. `largest` limits those of one that computes in floating point.

    Programmes of one that can `optimise` have that method.
    """

    load: Callable[[Load], Programme]
    options: tuple[Option, ...] = ()
    largest: int | None = None
    accepts: frozenset[type] = frozenset({AllDifferent, Constraints})
    can: frozenset[str] = frozenset({"count", "domains", OPTIMISE})

    def open(self, formula: Formula) -> Session:
        session = ZeroOneSession(formula, self)
        if self.largest is not None:
            check_size(session, self.largest)
        return session


class ZeroOneSession:
    """One problem as rows, a fresh solver for each ask. Raises Unsupported."""

    def __init__(self, formula: Formula, backend: ZeroOneBackend) -> None:
        kinds = {*TO_ROWS, OBJECTIVE} if OPTIMISE in backend.can else TO_ROWS.keys()
        form = constraints_of(formula, backend.name, kinds, RANGES)
        self.form, self.known, self.backend = form, form.known, backend
        self.rows: ZeroOneRows | ColumnRows
        self.literals: LiteralMap
        if form.ranged and backend.largest is not None and has_own_columns(form, self.known):
            self.rows, self.literals = column_rows(form), ColumnMap(self.known)
            goal = self.rows.goal
        else:
            literals = literal_table(form, self.known)
            self.rows, goal = programme_of(form, self.known, literals)
            self.literals = literal_map(literals)
        self.constant = goal.get(0, 0) if goal else 0
        self.goal = None if goal is None else {k: a for k, a in goal.items() if k and a}
        self.value_of = None if goal is None else value_of_solutions(form)

    def ask(self, ask: Ask) -> Answer:
        if not ask.proof or PROOF not in self.backend.can:
            return self.answer(ask, None)
        with tempfile.TemporaryDirectory() as folder:
            return self.answer(ask, Path(folder, "written"))

    def answer(self, ask: Ask, proof: Path | None) -> Answer:
        """Return the answer, with the proof that is written to files of these names."""
        begin = now()
        if self.form.ranged and ask.domains != self.known and 0 not in ask.domains:
            return ZeroOneSession(replace(self.form, domains=ask.domains), self.backend).answer(ask, proof)
        domains = tuple([mask & known for mask, known in zip(ask.domains, self.known, strict=True)])
        if 0 in domains:
            return Answer(Status.UNSATISFIABLE, complete=True, phases=Phases(load=now() - begin))
        true = [k for k in self.literals.true(domains) if k]
        deadline = begin + int(ask.seconds * 1e9)
        programme = self.backend.load(Load(self.rows, true, deadline, self.backend.chosen, self.goal, proof))
        if isinstance(programme, OptimisingProgramme) and self.goal is not None:
            return proved(self.best(replace(ask, domains=domains), programme, deadline, begin), programme)
        source = Timed(programme, deadline)
        found = enumerate_solutions(source, self.literals, replace(ask, domains=domains), now() - begin)
        answer = proved(found.answer(dict(programme.counters())), programme)
        return replace(answer, reason=Reason.STUCK, note=source.note) if source.note else answer

    def best(self, ask: Ask, programme: OptimisingProgramme, deadline: int, begin: int) -> Answer:
        """Return the answer of a search for the best solution."""
        loaded, found = now(), Incumbent(ask)

        def take(model: list[int]) -> None:
            assert self.value_of
            solution = self.literals.decode(model, ask.domains)
            found.offer(solution, self.value_of(solution))

        reason, note = Reason.TIMEOUT, ""
        complete = None
        try:
            if loaded < deadline:
                complete = programme.optimise(
                    Reports(take, lambda bound: found.raise_bound(bound + self.constant), self.goal or {})
                )
        except Stuck as e:
            reason, note = Reason.STUCK, str(e)
        phases = Phases(0, loaded - begin, now() - loaded)
        return found.answer(complete is True, dict(programme.counters()), phases, reason, note)

    def close(self) -> None:
        """Do nothing: the session holds no resources."""


def proved(answer: Answer, programme: Programme) -> Answer:
    """Return a complete answer with its proof, if the solver writes one."""
    if not answer.complete or not isinstance(programme, ProvingProgramme):
        return answer
    return replace(answer, proof=programme.proof())


class Timed:
    """A source that ends at its deadline, or when its solver is stuck, with the reason as `note`."""

    def __init__(self, programme: Programme, deadline: int) -> None:
        self.programme, self.deadline, self.note = programme, deadline, ""
        self.model = programme.model

    def forbid(self, clause: list[int]) -> None:
        try:
            self.programme.forbid(clause)
        except Stuck as e:
            self.note = str(e)

    def solve(self) -> bool | None:
        if self.note or now() >= self.deadline:
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
    def of(cls, rows: ZeroOneRows | ColumnRows) -> "SparseRows":
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


def check_size(session: ZeroOneSession, largest: int) -> None:
    """Raise Unsupported if a row is too large for the tolerance of a solver that computes in floating point."""
    rows, name = session.rows, session.backend.name
    upper = rows.upper if isinstance(rows, ColumnRows) else None
    sums = [("a row", abs(row.bound), row.terms) for row in rows.rows] + [("the objective", 0, session.goal or {})]
    for what, bound, terms in sums:
        size = max(bound, sum(abs(a) * (upper[k - 1] if upper else 1) for k, a in terms.items()))
        if size > (most := LARGEST_COLUMNS if upper else largest):
            raise Unsupported(
                f"{name} computes in floating point and does not support sums of more than {most:,}: "
                f"{what} has coefficients or a bound of {size:,} together"
            )
