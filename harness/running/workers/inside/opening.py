"""Opening of a contender's session on a problem: once, or in each ask if its cost belongs to the instance.

The cost belongs to the instance if it is the only one of its problem, or if the encoding needs its domains.
"""

import contextlib
from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from time import perf_counter_ns as now  # bound before a plug-in is imported, which may replace it
from typing import Any

from backends.contract.answer import (
    ONLY_COUNT,
    QUERIES,
    SOFT_QUERIES,
    Answer,
    Ask,
    Backend,
    Phases,
    PreparedSession,
    Session,
    Status,
    accepted,
    goal_refusal,
)
from backends.contract.checking import check_answer
from backends.contract.projection import projecting
from backends.programs.backend import program_of
from encoders.formula import Unsupported
from encoders.linear.pindakaas import PINDAKAAS, package
from encoders.registry import Spec, spec
from puzzles.constraints.clauses import Clauses
from puzzles.objectives.asks import QueryAsk
from puzzles.objectives.models import ModelCount
from puzzles.objectives.queries import QueryScript, problem_of
from puzzles.problem import Problem
from puzzles.problem.values import Domains, Integers

ONE_MODEL = Problem("one model", ("x",), Integers(range(2)), (Clauses.of([(1,)]),), objective=ModelCount())
ONE_ASK = problem_of(QueryScript.of([QueryAsk([[1]], [])]), "one ask")
ONE_COST = problem_of(QueryScript.of([QueryAsk([[1]], [], [(1, 1)])]), "one ask")
ONE_VARIABLE = Problem("one variable", ("x",), Integers(range(2)), (Clauses.of([(1,)]),))


class Refuted(Exception):
    """The answer to the problem that loads the code is wrong; the text says how."""


class PerPuzzle:
    """Session in which each ask encodes, opens and closes. Raises Unsupported."""

    def __init__(self, backend: Backend, encode: Callable[[Domains], Any]) -> None:
        self.backend, self.encode = backend, encode

    def ask(self, ask: Ask) -> Answer:
        start, paused = now(), ask.pauses.counted
        with ask.pauses.pause("prepare"):
            formula = accepted(self.backend, self.encode(ask.domains))
            encoded = now()
            session = self.backend.open(formula)
        opened = now()
        try:
            answer = session.ask(ask)
        except Unsupported:
            session.close()
            raise
        p = answer.phases or Phases(solve=now() - opened)
        with ask.pauses.pause("interpret"):
            session.close()
        if paused:
            return answer
        phases = Phases(p.encode + encoded - start, p.load + opened - encoded, p.solve, p.decode)
        return replace(answer, phases=phases)

    def close(self) -> None:
        """Do nothing: no state is kept between asks."""


@cache
def chosen_by(encoding: str) -> Spec:
    """Return the encoding of this worker's contender by its name. Raises NoEncoding."""
    return spec(encoding)


def open_session(backend: Backend, problem: Problem, command: dict[str, Any]) -> Session:
    """Open the contender's session on a problem. Raises Unsupported, and any exception of the backend."""
    chosen = chosen_by(command["encoding"])
    if why := goal_refusal(backend.name, backend.can, problem.objective):
        raise Unsupported(why)
    if command["alone"] or not problem.shared:
        return projecting(problem, lambda part: PerPuzzle(backend, partial(chosen.formula, part)))
    if chosen.sees_domains(problem):
        chosen.formula(problem, problem.open)  # warm caches of the problem before timing
        return PerPuzzle(backend, lambda domains: chosen.formula(problem, domains))
    formula = accepted(backend, chosen.formula(problem))
    session: Session = backend.open_warm(formula) if command["warm"] else backend.open(formula)  # type: ignore[attr-defined]
    if isinstance(session, PreparedSession):
        session.prepare()
    return session


def compile_for(backend: Backend, problem: Problem, command: dict[str, Any]) -> None:
    """Open a contender on a problem and close it, so that compilation is charged to no instance.

    Raises Unsupported, and any exception of the backend.
    """
    open_session(backend, problem, command | {"alone": False}).close()


def load_code(backend: Backend, chosen: Spec) -> bool:
    """Solve a problem of one variable, so that imports and compilation are charged to no instance.

    A program, which a process of its own runs, is only opened on it. Returns True if the problem was solved. Errors are
    ignored: they recur when an instance is asked. Raises Refuted.
    """
    answers = list[Answer]()
    with contextlib.suppress(Exception):
        if chosen.linear in PINDAKAAS:
            package()
        counts = ONLY_COUNT in backend.can
        ask = ONE_COST if SOFT_QUERIES in backend.can else ONE_ASK
        problem = ONE_MODEL if counts else ask if QUERIES in backend.can else ONE_VARIABLE
        session = backend.open(accepted(backend, chosen.formula(problem)))
        if not program_of(backend.name):
            answer = session.ask(Ask(ONE_VARIABLE.open))
            if counts and answer.value == -1:  # one model
                return True
            check_answer(answer, 1, 1)
            answers.append(answer)
        session.close()
    for answer in answers:
        if ONLY_COUNT in backend.can:
            raise Refuted(
                f"of the variable x alone, with the clause (x), which loads its code, it counts {answer.value}"
            )
        if answer.status != Status.UNKNOWN and list(map(tuple, answer.solutions)) != [(1,)]:
            said = f"gives x = {answer.solutions[0][0]}" if answer.solutions else f"says {answer.status.name.lower()}"
            raise Refuted(f"of the variable x alone, with the clause (x), which loads its code, it {said}")
    return bool(answers)
