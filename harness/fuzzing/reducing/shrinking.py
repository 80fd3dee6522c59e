"""Shrink a failing case: its asks, its board and, if a CNF solver is to blame, its formula.

Every trial asks the contender in a worker, under the limits of the runner, and must fail with the same signature.
Trials share a process, for speed; the result is verified in a fresh process. If it does not fail there, shrinking is
repeated with a fresh process per trial.
"""

import math
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import blake2b
from itertools import islice
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
from harness.fuzzing.reducing.state import ShrinkingState
from harness.fuzzing.round_judge import SHOWN
from harness.fuzzing.sessions import Sessions
from harness.fuzzing.trial import (
    REPEATS,
    TRIED,
    contenders,
    expectation,
    run_case,
    run_cases,
    settings,
    shown_before,
    shown_entry,
    times_failed,
)
from harness.model.contender import Contender
from puzzles.boards.layout import Layout
from puzzles.problem.check import violations
from puzzles.problem.values import size_of

Thing = TypeVar("Thing")
LARGER_COUNT = 30  # solutions
TIMEOUT_TRIAL_S = 0.3  # time limit of a trial if the failure is a timeout
LEAST_LIMIT_S, PATIENCE = 1.0, 10  # limit of a trial: so many times what the first one took, or this at least
MAX_CLAUSES = 300  # clauses of an encoded board that are worth shrinking in its place
Progress = Callable[[int, Case], None]


class TimeIsUp(Exception):
    """The time to shrink has passed; the smallest failing case so far is that of the shrinker."""


@dataclass
class Shrinker:
    """Runs trials for one contender and signature, until a time on the monotonic clock, `jobs` side by side.

    best    smallest failing case so far
    passed  keys of the cases that did not fail, of earlier calls too
    """

    contender: tuple[Contender, ...]
    signature: str
    until: float
    fresh_process: bool = False  # per trial
    progress: Progress = lambda trials, case: None  # called for each failing case
    programs: Mapping[str, str] = field(default_factory=dict)  # commands of --program by name
    jobs: int = 1
    passed: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.sessions: Sessions | None = None
        self.failed: set[str] = set()
        self.best: Case | None = None
        self.trials = 0

    def fails(self, case: Case) -> bool:
        """Return True if the case fails with the signature. Results are cached. Raises TimeIsUp."""
        return self.first([case]) is not None

    def first(self, cases: Iterable[Case]) -> tuple[int, Case] | None:
        """Return the first case that fails, with its position; as many as places are tried at once."""
        numbered = enumerate(cases)
        while block := list(islice(numbered, self.jobs)):
            keys = {at: key(case) for at, case in block if can_be_asked(case)}
            fresh = {keys[at]: case for at, case in block if at in keys and keys[at] not in self.passed | self.failed}
            self.try_cases(fresh)
            for at, case in block:
                if at in keys and keys[at] in self.failed:
                    return at, case
        return None

    def fails_again(self, case: Case) -> bool:
        """Return True if a case that failed fails once more."""
        return self.sessions is None or run_case(self.sessions, case).of(self.signature) is not None

    def try_cases(self, cases: Mapping[str, Case]) -> None:
        """Ask the contender new cases, by key, and note which fail with the signature."""
        if not cases:
            return
        if time.monotonic() > self.until:
            raise TimeIsUp
        if self.fresh_process:
            self.close()
        tried = list(cases.values())
        if self.sessions is None:
            copies = tuple(c for c in self.contender for _ in range(self.jobs))
            self.sessions = Sessions(copies, settings(tried[0], self.programs), self.jobs)
        alike = len({case.count for case in tried}) == 1  # limits belong to all places
        sessions = self.sessions
        results = run_cases(sessions, tried) if alike and tried[1:] else [run_case(sessions, case) for case in tried]
        self.trials += len(tried)
        for name, case, result in zip(cases, tried, results, strict=True):
            if result.of(self.signature) is None:
                self.passed.add(name)
                continue
            self.failed.add(name)
            if self.best is None or size(case) <= size(self.best):
                self.best = case
                self.progress(self.trials, case)

    def close(self) -> None:
        if self.sessions is not None:
            self.sessions.close()
        self.sessions = None

    def reduce(self, case: Case, things: Sequence[Thing], kept: Callable[[Case, Sequence[Thing]], Case]) -> Case:
        """Remove as many of `things` as possible."""

        def first(parts: Iterable[list[Thing]]) -> tuple[int, list[Thing]] | None:
            tried: dict[int, list[Thing]] = {}

            def cases() -> Iterator[Case]:
                for at, some in enumerate(parts):
                    tried[at] = some
                    yield kept(case, some)

            found = self.first(cases())
            return None if found is None else (found[0], tried[found[0]])

        left = minimise(things, first)
        return kept(case, left) if len(left) < len(things) else case

    def simplify(self, case: Case, variants: Callable[[Case], Iterator[Case]]) -> Case:
        """Replace the case by a failing variant while there is one; those before the last success are not repeated."""
        at = 0
        while (found := self.first(islice(variants(case), at, None))) is not None:
            at, case = at + found[0], found[1]
        return case

    def reduce_asks(self, case: Case) -> Case:
        """Minimise the asks and the count."""
        asks = range(len(case.asks))
        last = asks[-1:]
        if len(asks) > 1 and self.fails(reductions.with_asks(case, last)):
            case = reductions.with_asks(case, last)
        else:
            case = self.reduce(case, asks, reductions.with_asks)
        found = self.first(replace(case, count=count) for count in range(1, case.count))
        return case if found is None else found[1]

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
            case = self.reduce_all_rows(case)
            case = self.reduce_rows(case)
            case = self.simplify(case, reductions.simpler_rows)
            case = self.reduce_goal(case)
            case = self.reduce(case, reductions.several(case), reductions.with_several)
            case = self.simplify(case, reductions.closed_rows)
            case = self.reduce(case, reductions.choices(case), reductions.with_choices)
            case = self.compacted(case)
            if len(case.asks) > 1 or case.count > 1:
                case = self.reduce_asks(case)
            if size(case) >= size(before):
                return before if size(case) > size(before) else case

    def compacted(self, case: Case) -> Case:
        """Remove what nothing uses."""
        compact = reductions.compact(case)
        return compact if self.fails(compact) else case

    def reduce_all_rows(self, case: Case) -> Case:
        """Minimise the rows of all constraints: by arrays, then block by block; variables that become unused go."""
        case = self.reduce(case, reductions.groups(case), reductions.with_groups)
        compact = self.compacted(case)
        kept = reductions.with_all_rows if compact is case else compact_rows
        return self.reduce(compact, reductions.all_rows(compact), kept)

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
        return self.simplify(case, reductions.simpler_goals)

    def forbidding(self, case: Case) -> Case:
        """Return the formula of the call that fails as one of its own: clauses forbid what earlier calls showed."""
        if case.count == 1 or self.sessions is None:
            return case
        rows = [tuple(-x if v else x for x, v in enumerate(s, 1)) for s in shown_before(self.sessions, case)]
        one = reductions.with_clauses(replace(case, count=1), (*(plain_clauses(case) or ()), *rows))
        return one if rows and self.fails(one) else case

    def reduce_formula(self, case: Case) -> Case:
        """Minimise the clauses and their literals."""
        while True:
            before = case
            case = self.reduce(case, clauses_of_problem(case.problem) or (), reductions.with_clauses)
            literals = [(c, x) for c, clause in enumerate(clauses_of_problem(case.problem) or ()) for x in clause]
            case = self.reduce(case, literals, reductions.with_literals)
            if size(case) >= size(before):
                return case


def compact_rows(case: Case, kept: Sequence[tuple[int, int]]) -> Case:
    """Keep some of the rows of all constraints, and the variables and values that these use."""
    return reductions.compact(reductions.with_all_rows(case, kept))


def can_be_asked(case: Case) -> bool:
    """Return True if a case has variables and values, and each of its solutions a value."""
    return bool(case.problem.variables and case.problem.values) and reductions.is_defined(case.problem)


def key(case: Case) -> str:
    """Return a text that is the same for equal cases, in another process too."""
    often = [case.repeats] if case.repeats > 1 else []
    asked = repr((len(case.problem.variables), case.problem.digest, case.asks, case.count, *often))
    return blake2b(asked.encode(), digest_size=12).hexdigest()


def size(case: Case) -> int:
    """Return the size that shrinking minimises."""
    problem = case.problem
    values = sum(size_of(mask, problem.values) for domains in case.asks for mask in domains)
    own = case.givens if isinstance(problem, Layout) else values  # open squares are simple, other domains are listed
    rules = sum(map(parts.size, problem.constraints)) + goals.size(problem.objective)
    return (
        len(case.asks) * len(problem.variables)
        + own
        + case.count
        + (0 if problem.ranged else len(problem.values))
        + rules
    )


def shrink(
    finding: Finding,
    seconds: float,
    progress: Progress = lambda trials, case: None,
    programs: Mapping[str, str] = NO_PROGRAMS,
    jobs: int = 1,
    kept: ShrinkingState | None = None,
) -> Finding | None:
    """Return the finding with a minimal case, in about `seconds`; None if it does not fail here.

    `progress` receives the number of cases tried and the last failing case; `programs` has commands of --program by
    name. `kept` has the state of an earlier call and keeps that of this one, which a later one continues if time is up.
    """
    start = time.monotonic()
    kept = kept or ShrinkingState(finding)
    trials = attempts(finding)
    for number, (limit, fresh_process) in enumerate(trials, 1):
        now, share = time.monotonic(), 2 if finding.signature == "timeout" and number < len(trials) else 1
        until = now + (start + seconds - now) / share
        contender = contenders(finding.case, programs)
        passed = kept.passed if number == 1 else set[str]()  # of these limits
        shrinker = Shrinker(contender, finding.signature, until, fresh_process, progress, programs, jobs, passed)
        case, complete = shrink_case(shrinker, finding, limit, kept)
        if case is not None and (checked := verify(kept.finding, case, programs)) is not None:
            return checked if complete else kept.unfinished(checked)
    return verify(finding, finding.case, programs)


def attempts(finding: Finding) -> list[tuple[float, bool]]:
    """Return the limits of trials in seconds, each with True if every trial gets a new process; the last is certain.

    A hang is sought with short limits first. What is only slow then fails too, which the check of the result shows.
    """
    whole = finding.case.seconds
    short = min(TIMEOUT_TRIAL_S, whole)
    limits = (short, math.sqrt(short * whole), whole) if finding.signature == "timeout" else (whole,)
    return [*((limit, False) for limit in dict.fromkeys(limits)), (whole, True)]


def shrink_case(shrinker: Shrinker, finding: Finding, limit: float, kept: ShrinkingState) -> tuple[Case | None, bool]:
    """Return the smallest failing case found, or None if the original does not fail; and False if time was up.

    Ctrl-C ends the search like the end of its time.
    """
    show = shrinker.progress

    def note(trials: int, case: Case) -> None:
        show(trials, case)
        kept.keep(replace(case, seconds=finding.case.seconds))

    shrinker.progress = note
    complete = True
    try:
        start = first_failing(shrinker, finding, limit, kept)
        case = None if start is None else shrink_all(shrinker, start, finding.signature)
    except (TimeIsUp, KeyboardInterrupt) as e:
        if shrinker.best is None:
            if isinstance(e, KeyboardInterrupt):
                raise
            return None, False
        case, complete = shrinker.best, False
    finally:
        shrinker.close()
    if case is None:
        return None, complete
    return replace(case, seconds=finding.case.seconds, repeats=REPEATS if case.repeats > 1 else 1), complete


def first_failing(shrinker: Shrinker, finding: Finding, limit: float, kept: ShrinkingState) -> Case | None:
    """Return the case that shrinking begins with, its limit scaled to the time of its failure; None if none fails."""
    first, began = finding.case, time.monotonic()
    last_ask = reductions.with_asks(first, [len(first.asks) - 1])
    again = [] if finding.signature == "timeout" else [replace(first, repeats=REPEATS)]
    cases = [replace(case, seconds=limit) for case in (*kept.best, last_ask, first, *again)]
    start = next((case for case in cases if shrinker.fails(case)), None)
    if start is not None and start.problem is first.problem:
        kept.finding = finding  # without the parts of the source that an earlier case has
    if start is None or finding.signature == "timeout":
        return start
    took = time.monotonic() - began
    if start.repeats > 1 or not all(shrinker.fails_again(start) for _ in range(2)):
        start = replace(start, repeats=TRIED)
    return replace(start, seconds=min(limit, max(LEAST_LIMIT_S, PATIENCE * took)))


def shrink_all(shrinker: Shrinker, start: Case, signature: str) -> Case:
    """Shrink the problem of a case, then the clauses if a solver of clauses is at fault. Raises TimeIsUp."""
    case = shrink_problem(shrinker, start)
    clauses = plain_clauses(case) if case.problem.objective is None else None
    is_formula = clauses_of_problem(case.problem) is not None
    small = clauses is not None and (is_formula or len(clauses) <= MAX_CLAUSES)
    if clauses is not None and small and "encoding" not in blame(case, signature):
        wholes = (
            reductions.with_clauses(case, clauses),
            *([case] if is_formula else []),
        )  # without domains if it can be
        whole = shrinker.first(wholes)
        if whole is not None:
            case = shrinker.reduce_formula(shrinker.forbidding(whole[1]))
    return case


def shrink_problem(shrinker: Shrinker, first: Case) -> Case:
    """Shrink a board or other problem; clauses are shrunk later."""
    if isinstance(first.problem, Layout):
        return shrink_board(shrinker, first)
    is_formula = clauses_of_problem(first.problem) is not None
    return shrinker.reduce_asks(first) if is_formula else shrinker.reduce_problem(first)


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
    """Return the finding with this case if it fails with its signature in a fresh process, twice.

    Witnesses that a reduction has made wrong are left out, since they would blame a translation that is right.
    """
    right = [w for w in case.witnesses if not violations(case.problem, case.asks[-1], w)]
    case = replace(case, witnesses=tuple(right))
    for _ in range(2):
        with Sessions(contenders(case, programs), settings(case, programs)) as sessions:
            failure = run_case(sessions, case).of(finding.signature)
            if failure is None:
                return None
            last = failure[1]
            shown = shown_entry(sessions, case, last)
            often = times_failed(sessions, case, finding.signature) if case.repeats > 1 else 0
    if often:
        last = replace(last, seen=f"{last.seen} ({often} of {case.repeats} times)")
    # The original file does not matter any more: the case fails as it is written.
    provenance = {name: entry for name, entry in finding.provenance.items() if name not in (SHOWN, "original")} | shown
    why, expected = blame(case, finding.signature, last), expectation(case, last.signature)
    return finding.with_case(case, expected=expected, seen=last.seen, blame=why, provenance=provenance)
