"""Conformance of backends with `optimise`: answers, improvements and bounds on the cases of `objective_cases`.

Each case is asked twice in one session, and without time and for one node; a sequence of cases of one problem is asked
in one session, back and forth. A longer case is cut by limits, where what has to hold of any answer is checked: a
solution has the value that is stated, improvements are strict, bounds ascend, and none is above a solution.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from itertools import pairwise
from typing import NamedTuple

from backends.contract.answer import Answer, Ask, Listener, Reason, Session, Status, Unsupported
from backends.contract.checking import BadAnswer, check_answer
from backends.contract.objective_cases import CASES, ObjectiveCase, long, sequence
from puzzles.problem import Problem
from puzzles.problem.check import violations
from puzzles.problem.values import Domains, Solution

Open = Callable[[Problem, Domains | None], Session]
CUTS = (0.02, 0.1, 0.5)  # seconds
LIMITED = (Reason.TIMEOUT, Reason.STUCK)


class Heard(Listener):
    """Listener that keeps improvements and bounds in their order."""

    def __init__(self) -> None:
        self.improvements: list[tuple[int, Solution | None]] = []
        self.bounds: list[int] = []

    def improved(self, value: int, solution: Solution | None) -> None:
        self.improvements.append((value, solution))

    def bounded(self, value: int) -> None:
        self.bounds.append(value)


class Truth(NamedTuple):
    """The optimum of a case, None if there is no solution, or if it is not `known`."""

    known: bool
    optimum: int | None


def objective_faults(open_session: Open, repeats: bool) -> Iterator[str]:
    """Yield the faults of a backend on problems with an objective; `open_session` may raise Unsupported."""
    taken = 0
    for case in CASES:
        try:
            faults = list(session_faults(open_session(case.problem, case.domains), [case], repeats))
        except Unsupported:
            continue
        taken += 1
        yield from faults
    if not taken:
        yield "lists optimise in `can`, but refuses every objective"
    for cases, domains in ((sequence(), None), ((long(),), long().domains)):
        try:
            session = open_session(cases[0].problem, domains)
        except Unsupported:
            continue
        if domains is None:
            yield from session_faults(session, [*cases, *reversed(cases)], False)
        else:
            yield from cut_faults(session, cases[0], CUTS if repeats else CUTS[:1])


def session_faults(session: Session, cases: Sequence[ObjectiveCase], repeats: bool) -> Iterator[str]:
    """Yield the faults on small cases of one problem in one session, which is closed."""
    with closing(session):
        for case in cases:
            truth, hurried = Truth(True, case.optimum()), (Ask(case.domains, seconds=0.0), Ask(case.domains, nodes=1))
            for ask in (*[Ask(case.domains)] * (1 + repeats), *hurried[: 1 + repeats]):
                for fault in ask_faults(session, case, ask, truth, ask in hurried):
                    yield f"{case.name}: {fault} ({case.claim})"


def cut_faults(session: Session, case: ObjectiveCase, limits: Sequence[float]) -> Iterator[str]:
    """Yield the faults on a case within limits of seconds that may cut the search; the session is closed."""
    for seconds in limits:
        for fault in ask_faults(session, case, Ask(case.domains, seconds=seconds), Truth(False, None), True):
            yield f"{case.name}, {seconds:g} s: {fault} ({case.claim})"
    session.close()


def ask_faults(session: Session, case: ObjectiveCase, ask: Ask, truth: Truth, cut: bool) -> Iterator[str]:
    """Yield the faults of one ask; `cut`: it may end without a proof."""
    heard = Heard()
    answer = session.ask(Ask(ask.domains, 1, ask.seconds, ask.nodes, listener=heard))
    try:
        check_answer(answer, 1, len(case.problem.variables))
    except BadAnswer as e:
        yield str(e)
        return
    yield from form_faults(answer)
    shown = [*heard.improvements, *((answer.value, solution) for solution in answer.solutions)]
    for value, solution in shown:
        if value is not None and solution is not None:
            yield from solution_faults(case, ask.domains, value, solution)
    yield from order_faults(heard, answer)
    yield from truth_faults(truth, answer, [value for value, _ in shown if value is not None], heard.bounds)
    if not answer.complete and (answer.reason not in LIMITED if cut else answer.reason != Reason.STUCK):
        yield f"ends without a proof: {told(answer)}"


def told(answer: Answer) -> str:
    """Return an answer in short: 'SATISFIABLE (TIMEOUT), value 3, bound 1'."""
    parts = {"value": answer.value, "bound": answer.bound}
    words = [f"{answer.status.name}{' complete' * answer.complete} ({answer.reason.name})"]
    return ", ".join(words + [f"{name} {number}" for name, number in parts.items() if number is not None])


def form_faults(answer: Answer) -> Iterator[str]:
    """Yield violations of the contract's form."""
    found = answer.status == Status.SATISFIABLE
    if (len(answer.solutions) == 1) != found or (answer.value is not None) != found:
        yield f"returns {told(answer)} with {len(answer.solutions)} solutions"
    if answer.status == Status.UNSATISFIABLE and not answer.complete:
        yield "returns UNSATISFIABLE without complete"
    if answer.complete and answer.reason != Reason.NONE:
        yield f"gives a reason for a complete answer: {told(answer)}"
    for name, number in (("value", answer.value), ("bound", answer.bound)):
        if number is not None and type(number) is not int:
            yield f"the {name} is {number!r}, not an int"


def solution_faults(case: ObjectiveCase, domains: Domains, value: int, solution: Solution) -> Iterator[str]:
    """Yield the faults of a solution and its value."""
    if violated := violations(case.problem, domains, solution):
        yield f"invalid solution: {violated[0]}"
    elif (exact := case.value(solution)) != value:
        yield f"states the value {value} of a solution that has {exact}"


def order_faults(heard: Heard, answer: Answer) -> Iterator[str]:
    """Yield improvements that do not improve, bounds that do not ascend, and an answer that is worse than reported."""
    values = [value for value, _ in heard.improvements]
    if any(a <= b for a, b in pairwise(values)):
        yield f"improvements do not improve: {values}"
    if any(a >= b for a, b in pairwise(heard.bounds)):
        yield f"bounds do not ascend: {heard.bounds}"
    shown = [value for value, solution in heard.improvements if solution is not None]
    if shown and (answer.value is None or answer.value > shown[-1]):
        yield f"reports {shown[-1]}, then {told(answer)}"
    if heard.bounds and answer.bound is not None and answer.bound < heard.bounds[-1]:
        yield f"reports the bound {heard.bounds[-1]}, then {told(answer)}"


def truth_faults(truth: Truth, answer: Answer, shown: list[int], bounds: list[int]) -> Iterator[str]:
    """Yield contradictions to the optimum, or to the best solution shown if the optimum is not known."""
    least = truth.optimum if truth.known else min(shown, default=None)
    stated = [*bounds, *([answer.bound] if answer.bound is not None else [])]
    if least is None:
        if truth.known and shown:
            yield f"shows {min(shown)} where there is no solution"
        return
    if answer.status == Status.UNSATISFIABLE:
        yield f"returns {told(answer)} where there is a solution of {least}"
    if any(bound > least for bound in stated):
        yield f"states bounds above a solution of {least}: {stated}"
    if answer.complete and answer.value != least:
        yield f"returns {told(answer)} where {least} is the optimum"
