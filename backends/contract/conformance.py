"""Conformance suite for backends, shipped with the package, so that a plug-in's test is two lines.

    from backends.contract.conformance import check
    assert check(my_backend) == []

Each board of `cases` is solved for one solution, for all and for one more, twice, in one session per layout, which
exposes state that leaks between asks; a batch backend also gets BATCH_SIZE boards at once, in random order. So is each
problem of `kind_cases` whose kinds of constraint the backend takes, with and without a projection; one that optimises
is asked for the best solution of each problem of `objective_cases`, and one that counts models for their number. With
BRIEF each case is asked once, for two solutions and one more, in a tenth of the asks: for a backend that starts a
process for each, in a test run often. A backend may answer STUCK, and may then report counters of its own; `open` may
raise Unsupported; every other answer must be right. Any other exception of open, ask or close is a line of the list.
The suite runs in the test's own process: a crash ends the test, a hang lasts until the test's time limit, and an
unbounded allocation until the memory limit.
"""

from collections.abc import Iterator
from functools import partial
from itertools import groupby
from random import Random
from typing import NamedTuple

import numpy as np

from backends.contract.answer import (
    COUNTERS,
    ONLY_COUNT,
    ONLY_SOFT_QUERIES,
    OPTIMISE,
    QUERIES,
    Answer,
    Answers,
    Ask,
    Asks,
    Backend,
    BatchSession,
    Reason,
    Session,
    Status,
    Unsupported,
    WarmBackend,
    accepted,
)
from backends.contract.cases import CASES, ProblemCase
from backends.contract.checking import BadAnswer, check_answer, check_answers
from backends.contract.kind_cases import KIND_CASES, PROJECTED_CASES
from backends.contract.objective_checks import objective_faults
from backends.contract.projection import projecting
from encoders.formula import AllDifferent, Cnf
from encoders.registry import Spec, default, spec
from puzzles.objectives.asks import QueryAsk
from puzzles.objectives.models import ModelCount
from puzzles.objectives.queries import QueryScript, problem_of
from puzzles.plugins.text import raised
from puzzles.problem import Problem
from puzzles.problem.check import violations
from puzzles.problem.columns import pack
from puzzles.problem.values import Domains

LIMIT_REASONS = (Reason.TIMEOUT, Reason.STUCK)
OF_PROBLEMS = (Cnf, AllDifferent)  # formulas that encodings make of any problem; others are of boards
BATCH_SIZE = 100  # boards; more than any vector has lanes
BACKEND_ERRORS = (Exception, SystemExit)  # KeyboardInterrupt is the user's


class Effort(NamedTuple):
    """Size of a test: `most` solutions requested, plus one; `repeats`: ask again for fewer, and in batches."""

    solutions: int
    repeats: bool


FULL, BRIEF = Effort(20, True), Effort(2, False)


def check(backend: Backend, encoding: str | None = None, warm: bool = False, effort: Effort = FULL) -> list[str]:
    """Return the faults of `backend`, one line each; empty if it conforms.

    `encoding` is written as in contenders: 'extended+product'.
    """
    chosen = spec(encoding) if encoding else default(backend.accepts)
    if warm and not isinstance(backend, WarmBackend):
        return [f"{backend.name} has no open_warm"]
    if ONLY_COUNT in backend.can:
        return list(catch_errors(count_faults(backend, chosen)))
    if QUERIES in backend.can:
        return list(catch_errors(query_faults(backend, chosen)))
    failures: list[str] = []
    supported = False
    every: tuple[ProblemCase, ...] = (
        CASES if warm else (*CASES, *KIND_CASES, *PROJECTED_CASES)
    )  # a file's problem is asked once
    for _, group in groupby(every, key=lambda case: case.problem):
        cases = [case for case in group if case.givens_only or "domains" in backend.can]
        if not cases:
            continue
        sessions = CaseSessions(backend, chosen, warm, effort)
        try:
            for case in cases:
                sessions.open(case)
        except Unsupported:
            pass
        except BACKEND_ERRORS as e:
            failures.append(f"{cases[0].problem.name}: open raises {raised(e)}")
        else:
            supported = supported or cases[0].problem.shared
            failures += layout_faults(sessions, cases, backend)
        failures += sessions.close()
    if OPTIMISE in backend.can and not warm and chosen.encoding.formula in OF_PROBLEMS:
        supported = True  # an optimiser may refuse what has no objective
        failures += catch_errors(objective_faults(partial(open_session, backend, chosen), effort.repeats))
    return failures if supported or failures else [f"{backend.name} refuses every layout"]


def count_faults(backend: Backend, chosen: Spec) -> Iterator[str]:
    """Yield the cases whose number of models a counter gets wrong; it may refuse some, and estimate others."""
    answered = 0
    for case in (*CASES, *KIND_CASES, *PROJECTED_CASES):
        given = case.problem
        parts = given.name, given.variables, given.values, given.constraints
        problem = Problem(*parts, objective=ModelCount(given.free), free=given.free)
        try:
            session = open_session(backend, chosen, problem, case.domains)
            answer = session.ask(Ask(case.domains))
        except Unsupported:
            continue
        session.close()
        answered += answer.status != Status.UNKNOWN
        number = 0 if answer.status == Status.UNSATISFIABLE else None if answer.value is None else -answer.value
        if answer.solutions or (answer.complete and number != case.total):
            yield f"{case.name}: counts {number}; there are {case.total} ({case.claim})"
    if not answered:
        yield f"{backend.name} answers no case"


def query_faults(backend: Backend, chosen: Spec) -> Iterator[str]:
    """Yield the asks of a small script that a solver of query scripts gets wrong."""
    soft = [(3, 2), (-1, 1)] if ONLY_SOFT_QUERIES in backend.can else []
    script = QueryScript.of(
        [QueryAsk([[1, 2], [-1, 2]], [-2], soft), QueryAsk([], [1]), QueryAsk([[-2, 3]], [2, -3]), QueryAsk([[-1]], [])]
    )
    problem = problem_of(script, "query script")
    session = open_session(backend, chosen, problem, problem.open)
    answer = session.ask(Ask(problem.open))
    session.close()
    judged = [script.judged(solution) for solution in answer.solutions]
    found, faults = [each.saved.tolist() for each in judged], [each.fault for each in judged]
    right = [0, 4, 0, 1] if soft else [0, 1, 0, 1]
    if found != [right] or any(faults) or answer.value != -sum(right) or not answer.complete:
        why = f"saves {found}, and states {answer.value} ({'; '.join(faults)}); the 2nd and 4th ask are satisfiable"
        yield f"of a query script it {why}"


def layout_faults(sessions: "CaseSessions", cases: list[ProblemCase], backend: Backend) -> Iterator[str]:
    """Yield the faults on all cases of a problem; for a layout also in reverse order, and in batches."""
    again = cases[0].problem.shared and sessions.effort.repeats
    refuse = () if cases[0].problem.shared else (Unsupported,)  # a layout is refused on opening
    for case in (*cases, *reversed(cases)) if again else cases:
        for fault in catch_errors(case_faults(sessions.of(case), case, backend, sessions.effort), refuse):
            yield f"{case.name}: {fault} ({case.claim})"
    if "batch" in backend.can and not sessions.warm and again:
        yield from catch_errors(batch_faults(sessions.of(cases[0]), cases, backend))


def catch_errors(found: Iterator[str], refusals: tuple[type[Exception], ...] = ()) -> Iterator[str]:
    """Yield the faults found, then the exception that ended the search, if any; `refusals` are no faults."""
    try:
        yield from found
    except refusals:
        return
    except BACKEND_ERRORS as e:
        yield f"raises {raised(e)}"


class CaseSessions:
    """One session per layout, or per case where the formula may depend on the domains."""

    def __init__(self, backend: Backend, chosen: Spec, warm: bool, effort: Effort) -> None:
        self.backend, self.chosen, self.warm, self.effort = backend, chosen, warm, effort
        self.opened: dict[Domains | None, Session] = {}

    def key(self, case: ProblemCase) -> Domains | None:
        return case.domains if self.chosen.sees_domains(case.problem) or not case.problem.shared else None

    def open(self, case: ProblemCase) -> None:
        """Open the case's session unless it is open. Raises Unsupported, and any exception of the backend."""
        key = self.key(case)
        if key not in self.opened:
            opened = partial(open_session, self.backend, self.chosen, domains=case.domains, warm=self.warm)
            self.opened[key] = projecting(case.problem, opened)

    def of(self, case: ProblemCase) -> Session:
        return self.opened[self.key(case)]

    def close(self) -> list[str]:
        """Close each session twice: closing must be idempotent. Returns the faults."""
        failures = []
        for session in self.opened.values():
            for when in ("", " twice"):
                try:
                    session.close()
                except BACKEND_ERRORS as e:
                    failures.append(f"closing a session{when} raises {raised(e)}")
                    break
        return failures


def open_session(
    backend: Backend, chosen: Spec, problem: Problem, domains: Domains | None = None, warm: bool = False
) -> Session:
    """Open a session on the encoded problem; `warm` needs a WarmBackend. Raises Unsupported."""
    formula = accepted(backend, chosen.formula(problem, domains))
    return backend.open_warm(formula) if warm and isinstance(backend, WarmBackend) else backend.open(formula)


def case_faults(session: Session, case: ProblemCase, backend: Backend, effort: Effort) -> Iterator[str]:
    """Yield the faults of four asks: for 1 solution, for all (at most the effort), for 1 more, and without time."""
    some = min(case.total, effort.solutions)
    counts = sorted({1, max(some, 1), some + 1}) if "count" in backend.can else [1]
    for count in counts if effort.repeats else counts[-1:]:
        ask = Ask(case.domains, count)
        answers = [session.ask(ask) for _ in range(1 + effort.repeats)]
        for answer in answers:
            yield from answer_faults(answer, case, ask, backend)
        if len({(answer.status, answer.complete) for answer in answers}) > 1:
            yield f"asked twice for {count}: first {describe(answers[0])}, then {describe(answers[1])}"
    limited = Ask(case.domains, seconds=0.0), Ask(case.domains, nodes=1)
    for hurried in limited if effort.repeats else limited[:1]:
        answer = session.ask(hurried)
        if answer.status != Status.UNKNOWN:
            yield from answer_faults(answer, case, hurried, backend)
        elif answer.reason not in LIMIT_REASONS:
            yield f"asked with no time or one node: {describe(answer)}, not TIMEOUT"


def describe(answer: Answer) -> str:
    """Return a summary of an answer: 'SATISFIABLE with 1 solutions, complete'."""
    ending = ", complete" if answer.complete else ""
    reason = f" ({answer.reason.name})" if answer.reason else ""
    return f"{answer.status.name}{reason} with {len(answer.solutions)} solutions{ending}"


def answer_faults(answer: Answer, case: ProblemCase, ask: Ask, backend: Backend) -> Iterator[str]:
    """Yield every contradiction between the answer and the case's count or the contract."""
    try:
        check_answer(answer, ask.count, len(case.problem.variables))
    except BadAnswer as e:
        yield f"asked for {ask.count}: {e}"
        return
    yield from contract_faults(answer, case, ask)
    if answer.status == Status.UNKNOWN:
        if answer.reason != Reason.STUCK:
            yield f"asked for {ask.count} within {ask.seconds:g} s: {describe(answer)}"
        return
    found, expected = len(answer.solutions), min(ask.count, case.total)
    if (answer.status == Status.SATISFIABLE) != (case.total > 0) or (answer.complete and found != case.total):
        yield f"returns {describe(answer)}; there are {case.total}"
    elif found != expected and answer.reason == Reason.NONE:
        yield f"asked for {ask.count}: finds {found} of {expected}"
    elif "count" in backend.can and ask.count > case.total and not answer.complete and answer.reason == Reason.NONE:
        yield f"asked for {ask.count} where {case.total} exist: not complete"


def contract_faults(answer: Answer, case: ProblemCase, ask: Ask) -> Iterator[str]:
    """Yield violations of the contract that are faults on any board."""
    for solution in answer.solutions:
        for violation in violations(case.problem, case.domains, solution)[:1]:
            yield f"invalid solution: {violation}"
    if len({tuple(solution[x] for x in case.problem.shown) for solution in answer.solutions}) < len(answer.solutions):
        yield "returns a solution twice"
    if (answer.status == Status.SATISFIABLE) != bool(answer.solutions):
        yield f"returns {describe(answer)}"
    if answer.status == Status.UNSATISFIABLE and not answer.complete:
        yield "returns UNSATISFIABLE without complete"
    if answer.reason != Reason.STUCK and (unknown := set(answer.counters) - set(COUNTERS)):
        yield f"returns unknown counters: {', '.join(sorted(unknown))}"
    if any(value < 0 for value in answer.counters.values()):
        yield f"returns a negative counter: {dict(answer.counters)}"
    phases = answer.phases
    if phases and min(phases.encode, phases.load, phases.solve, phases.decode) < 0:
        yield f"returns a negative phase: {phases}"


def batch_faults(session: Session, cases: list[ProblemCase], backend: Backend) -> Iterator[str]:
    """Yield the faults of a batch of BATCH_SIZE boards, drawn at random with repetition."""
    if not isinstance(session, BatchSession):
        yield f"{backend.name} lists batch in `can`, but its session has no ask_many"
        return
    cases = Random(1).choices(cases, k=BATCH_SIZE)
    for count in (1, 2) if "count" in backend.can else (1,):
        ask = Asks(pack(cases[0].problem, [case.domains for case in cases]), count)
        answers = session.ask_many(ask)
        try:
            check_answers(answers, BATCH_SIZE, count, len(cases[0].problem.variables))
        except BadAnswer as e:
            yield f"in a batch: asked for {count}: {e}"
            continue
        for i, case in enumerate(cases):
            for fault in answer_faults(answer_at(answers, i), case, Ask(case.domains, count), backend):
                yield f"{case.name}, in a batch: {fault} ({case.claim})"


def answer_at(answers: Answers, i: int) -> Answer:
    """Return row i of the columns as an Answer."""
    ends = np.concatenate([[0], np.cumsum(answers.found)])
    rows = answers.solutions[ends[i] : ends[i + 1]].tolist()
    return Answer(
        Status(int(answers.status[i])),
        tuple(map(tuple, rows)),
        bool(answers.complete[i]),
        Reason(int(answers.reason[i])),
        {name: int(column[i]) for name, column in answers.counters.items()},
    )
