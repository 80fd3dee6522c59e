"""Shrink a failing case: its asks, its board and, if a CNF solver is to blame, its formula.

Every trial asks the contender in a worker, under the limits of the runner, and must fail with the same signature.
Trials share a process, for speed; the result is verified in a fresh process. If it does not fail there, shrinking is
repeated with a fresh process per trial.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeVar

from backends.contract.registry import NO_PROGRAMS
from encoders.formula import Text
from encoders.registry import encoding
from harness.fuzzing.blame import blame
from harness.fuzzing.clausal import clauses_of_problem
from harness.fuzzing.findings.finding import Case, Finding
from harness.fuzzing.ground_formulas import plain_clauses
from harness.fuzzing.reducing import goals, parts, reductions
from harness.fuzzing.reducing.delta_debugging import minimise
from harness.fuzzing.sessions import Sessions
from harness.fuzzing.trial import contenders, expectation, run_case, settings
from harness.model.contender import Contender
from puzzles.boards.layout import Layout
from puzzles.problem.values import bits

Thing = TypeVar("Thing")
LARGER_COUNT = 30  # solutions
TIMEOUT_TRIAL_S = 0.3  # time limit of a trial if the failure is a timeout
MAX_CLAUSES = 300  # clauses of a formula that is worth shrinking


@dataclass
class Shrinker:
    """Runs trials for one contender and signature, until a time on the monotonic clock."""

    contender: tuple[Contender, ...]
    signature: str
    until: float
    fresh_process: bool = False  # per trial
    progress: Callable[[int, Case], None] = lambda trials, case: None  # called for each failing case
    programs: Mapping[str, str] = field(default_factory=dict)  # commands of --program by name

    def __post_init__(self) -> None:
        self.sessions: Sessions | None = None
        self.results: dict[tuple[object, ...], bool] = {}

    def fails(self, case: Case) -> bool:
        """Return True if the case fails with the signature; False after `until`. Results are cached."""
        if time.monotonic() > self.until or not (case.problem.variables and case.problem.values):
            return False
        if not reductions.is_defined(case.problem):
            return False
        same = (len(case.problem.variables), case.problem.digest, case.asks, case.count)
        if same not in self.results:
            self.results[same] = self.try_case(case)
            if self.results[same]:
                self.progress(len(self.results), case)
        return self.results[same]

    def try_case(self, case: Case) -> bool:
        """Ask the contender the case; return True if it fails with the signature."""
        if self.fresh_process:
            self.close()
        if self.sessions is None:
            self.sessions = Sessions(self.contender, settings(case, self.programs))
        try:
            return run_case(self.sessions, case).of(self.signature) is not None
        except KeyboardInterrupt:
            if not any(self.results.values()):
                raise
            self.until = 0  # the user wants the smallest case so far
            self.close()
            return False

    def close(self) -> None:
        if self.sessions is not None:
            self.sessions.__exit__(None, None, None)
        self.sessions = None

    def reduce(self, case: Case, things: Sequence[Thing], kept: Callable[[Case, Sequence[Thing]], Case]) -> Case:
        """Remove as many of `things` as possible."""
        left = minimise(things, lambda some: self.fails(kept(case, some)))
        return kept(case, left) if len(left) < len(things) else case

    def reduce_asks(self, case: Case) -> Case:
        """Minimise the asks and the count."""
        asks = range(len(case.asks))
        last = asks[-1:]
        if len(asks) > 1 and self.fails(reductions.with_asks(case, last)):
            case = reductions.with_asks(case, last)
        else:
            case = self.reduce(case, asks, reductions.with_asks)
        for count in range(1, case.count):
            if self.fails(replace(case, count=count)):
                return replace(case, count=count)
        return case

    def reduce_board(self, case: Case) -> Case:
        """Minimise units, squares, values and givens, repeatedly until nothing can be removed."""
        while True:
            before = case
            layout = case.layout
            case = self.reduce(case, layout.units, reductions.with_units)
            if len(case.problem.variables) > 1:
                case = self.reduce(case, range(len(case.problem.variables)), reductions.with_squares)
            if len(case.problem.values) > 1:
                case = self.reduce(case, range(len(case.problem.values)), reductions.with_values)
            case = self.reduce_givens(case)
            members = [(u, s) for u, unit in enumerate(case.layout.units) for s in unit]
            if size(case) == size(before):
                case = self.reduce(case, members, reductions.with_members)
            if len(case.asks) > 1 or (case.count > 1 and size(case) == size(before)):
                case = self.reduce_asks(case)
            if size(case) >= size(before):
                return before if size(case) > size(before) else case

    def reduce_givens(self, case: Case) -> Case:
        """Minimise the givens."""
        full = case.problem.full
        marked = [(i, s) for i, board in enumerate(case.asks) for s, m in enumerate(board) if m != full]
        return self.reduce(case, marked, reductions.with_givens)

    def reduce_problem(self, case: Case) -> Case:
        """Minimise constraints, their rows, domains, variables and values, repeatedly until nothing can be removed."""
        while True:
            before = case
            case = self.reduce(case, case.problem.constraints, reductions.with_constraints)
            case = self.reduce_rows(case)
            while (simpler := next(filter(self.fails, reductions.simpler_rows(case)), None)) is not None:
                case = simpler
            case = self.reduce_goal(case)
            choices = [(x, v) for x, mask in enumerate(case.asks[-1]) for v in bits(mask)]
            case = self.reduce(case, choices, reductions.with_choices)
            compact = reductions.compact(case)
            case = compact if self.fails(compact) else case
            if len(case.asks) > 1 or case.count > 1:
                case = self.reduce_asks(case)
            if size(case) >= size(before):
                return before if size(case) > size(before) else case

    def reduce_rows(self, case: Case) -> Case:
        """Minimise the rows of each constraint, such as scopes, tuples or trees."""
        for at in range(len(case.problem.constraints)):
            for name in parts.row_names(case.problem.constraints[at]):
                rows = parts.rows_of(case.problem.constraints[at], name)
                case = self.reduce(case, rows, partial(reductions.with_rows, at=at, name=name))
        return case

    def reduce_goal(self, case: Case) -> Case:
        """Minimise the terms or soft clauses of an objective, and its numbers."""
        if len(rows := goals.rows(case.problem.objective)) > 0:
            case = self.reduce(case, rows, reductions.with_goal_rows)
        while (simpler := next(filter(self.fails, reductions.simpler_goals(case)), None)) is not None:
            case = simpler
        return case

    def reduce_formula(self, case: Case) -> Case:
        """Minimise the clauses and their literals."""
        while True:
            before = case
            case = self.reduce(case, clauses_of_problem(case.problem) or (), reductions.with_clauses)
            literals = [(c, x) for c, clause in enumerate(clauses_of_problem(case.problem) or ()) for x in clause]
            case = self.reduce(case, literals, reductions.with_literals)
            if size(case) >= size(before):
                return case


def size(case: Case) -> int:
    """Return the size that shrinking minimises."""
    problem = case.problem
    values = sum(mask.bit_count() for domains in case.asks for mask in domains)
    own = case.givens if isinstance(problem, Layout) else values  # open squares are simple, other domains are listed
    rules = sum(map(parts.size, problem.constraints)) + goals.size(problem.objective)
    return len(case.asks) * len(problem.variables) + own + case.count + len(problem.values) + rules


def shrink(
    finding: Finding,
    seconds: float,
    progress: Callable[[int, Case], None] = lambda trials, case: None,
    programs: Mapping[str, str] = NO_PROGRAMS,
) -> Finding | None:
    """Return the finding with a minimal case, in about `seconds`; None if it does not fail here.

    `progress` receives the number of cases tried and the last failing case; `programs` has commands of --program by
    name.
    """
    until = time.monotonic() + seconds
    for fresh_process in (False, True):
        contender = contenders(finding.case, programs)
        shrinker = Shrinker(contender, finding.signature, until, fresh_process, progress, programs)
        try:
            case = shrink_case(shrinker, finding)
        finally:
            shrinker.close()
        if case is not None and (checked := verify(finding, case, programs)) is not None:
            return checked
    return verify(finding, finding.case, programs)


def shrink_case(shrinker: Shrinker, finding: Finding) -> Case | None:
    """Return the smallest failing case found, or None if the original does not fail."""
    first = finding.case
    faster = replace(first, seconds=min(TIMEOUT_TRIAL_S, first.seconds)) if finding.signature == "timeout" else first
    last_ask = reductions.with_asks(faster, [len(first.asks) - 1])
    start = next((case for case in (last_ask, faster) if shrinker.fails(case)), None)
    if start is None:
        return None
    case = shrink_problem(shrinker, start)
    clauses = plain_clauses(case) if case.problem.objective is None else None
    if clauses is not None and len(clauses) <= MAX_CLAUSES and "encoding" not in blame(case, finding.signature):
        is_formula = clauses_of_problem(case.problem) is not None
        whole = case if is_formula else reductions.with_clauses(case, clauses)
        if shrinker.fails(whole):
            case = shrinker.reduce_formula(whole)
    return replace(case, seconds=first.seconds)


def shrink_problem(shrinker: Shrinker, first: Case) -> Case:
    """Shrink a board or other problem; clauses are shrunk later."""
    if isinstance(first.problem, Layout):
        return shrink_board(shrinker, first)
    return first if clauses_of_problem(first.problem) is not None else shrinker.reduce_problem(first)


def shrink_board(shrinker: Shrinker, first: Case) -> Case:
    """Shrink a board. If solutions are missing, a larger count may need fewer givens."""
    first = shrinker.reduce_asks(first)
    if encoding(shrinker.contender[0].encoding).formula is Text:
        return shrinker.reduce_givens(first)  # a program that reads lines knows one layout only
    least = next((case for case in reductions.tiny(first) if shrinker.fails(case)), None)
    if least is not None:
        return shrinker.reduce_asks(least)
    cases = [shrinker.reduce_board(first)]
    if shrinker.signature == "too few":
        more = [replace(case, count=LARGER_COUNT) for case in (cases[0], first)]
        cases += [shrinker.reduce_board(case) for case in more if shrinker.fails(case)]
    return min(cases, key=size)


def verify(finding: Finding, case: Case, programs: Mapping[str, str]) -> Finding | None:
    """Return the finding with this case if it fails with its signature in a fresh process, twice."""
    for _ in range(2):
        with Sessions(contenders(case, programs), settings(case, programs)) as sessions:
            failure = run_case(sessions, case).of(finding.signature)
        if failure is None:
            return None
        last = failure[1]
    provenance = finding.provenance
    if finding.signature == "too few":
        provenance = {**provenance, "shown": last.solutions()}

    why = blame(case, finding.signature, last)
    return finding.with_case(case, expected=expectation(case), seen=last.seen, blame=why, provenance=provenance)
