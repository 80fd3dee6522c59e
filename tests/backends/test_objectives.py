"""Conformance of optimisers finds planted faults, and its optima are those of the definitions."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import prod
from random import Random

import pytest

from backends.contract import registry
from backends.contract.answer import Answer, Ask, Listener, Reason, Session, Status, Unsupported
from backends.contract.conformance import open_session
from backends.contract.objective_cases import CASES, MAX_COMBINATIONS, ObjectiveCase, sequence
from backends.contract.objective_checks import objective_faults, session_faults
from encoders.formula import Constraints, Formula
from encoders.registry import spec
from puzzles.constraints import kinds
from puzzles.generating.problems import KINDS, OBJECTIVES, random_problem
from puzzles.objectives import kinds as objective_kinds
from puzzles.problem import Problem
from puzzles.problem.values import Domains, Solution
from tests import definitions
from tests.effort import slow_after

PLAIN = spec("alldifferent")


@pytest.mark.parametrize("case", [*CASES, *sequence()[:-1]], ids=lambda c: c.name)
def test_the_optimum_of_a_case_is_the_least_value_of_its_solutions(case: ObjectiveCase) -> None:
    every = definitions.solutions(case.problem, case.domains)
    assert min(map(case.value, every), default=None) == case.optimum()


def test_every_kind_of_constraint_and_of_objective_has_a_case() -> None:
    assert {c.kind for case in CASES for c in case.problem.constraints} == set(kinds()) - {"unsupported"}
    assert {case.objective.kind for case in CASES} == set(objective_kinds()) - {"imported", "models", "queries"}


@dataclass(frozen=True)
class AlteredReports(Listener):
    """Listener that passes reports on with `worse` added to values and `raised` to bounds, several `times`."""

    honest: Listener = Listener()  # noqa: RUF009 - it has no state
    worse: int = 0
    raised: int = 0
    times: int = 1

    def improved(self, value: int, solution: Solution | None) -> None:
        for _ in range(self.times):
            self.honest.improved(value + self.worse, solution)

    def bounded(self, value: int) -> None:
        self.honest.bounded(value + self.raised)


HONEST = AlteredReports()
Altering = Callable[[Answer], Answer]


class AlteredSession:
    """CP-SAT with altered answers and reports."""

    def __init__(self, honest: Session, alter: Altering, reports: AlteredReports) -> None:
        self.honest, self.alter, self.reports = honest, alter, reports

    def ask(self, ask: Ask) -> Answer:
        return self.alter(self.honest.ask(replace(ask, listener=replace(self.reports, honest=ask.listener))))

    def close(self) -> None:
        self.honest.close()


def faults(alter: Altering = lambda answer: answer, reports: AlteredReports = HONEST) -> list[str]:
    def opened(problem: Problem, domains: Domains | None) -> Session:
        return AlteredSession(open_session(registry.find("cpsat"), PLAIN, problem, domains), alter, reports)

    return list(objective_faults(opened, False))


def found(alter: Altering) -> Altering:
    """Return a function that alters answers with a solution alone."""
    return lambda answer: alter(answer) if answer.status == Status.SATISFIABLE else answer


ANSWERS = {
    "a value that is not the solution's": found(lambda a: replace(a, value=(a.value or 0) - 1)),
    "a value that is no int": found(lambda a: replace(a, value=float(a.value or 0))),  # type: ignore[arg-type]
    "no value": found(lambda a: replace(a, value=None)),
    "a bound above the solution": found(lambda a: replace(a, bound=(a.value or 0) + 1)),
    "not complete": found(lambda a: replace(a, complete=False)),
    "a reason for a complete answer": found(lambda a: replace(a, reason=Reason.STUCK)),
    "another solution": found(lambda a: replace(a, solutions=(tuple(reversed(a.solutions[0])),))),
    "no solution": found(lambda a: Answer(Status.UNSATISFIABLE, complete=True)),
    "timeout": found(lambda a: Answer(Status.UNKNOWN, reason=Reason.TIMEOUT)),
    "lost": lambda a: Answer(Status.UNKNOWN),
}


@pytest.mark.parametrize("alter", slow_after(4, ANSWERS.values()), ids=ANSWERS.keys())
def test_an_altered_answer_is_found(alter: Altering) -> None:
    assert faults(alter)


REPORTS = {
    "values that are too great": AlteredReports(worse=1),
    "values that are too small": AlteredReports(worse=-1),
    "bounds above the optimum": AlteredReports(raised=1),
    "each improvement twice": AlteredReports(times=2),
}


@pytest.mark.parametrize("reports", REPORTS.values(), ids=REPORTS.keys())
def test_altered_reports_are_found(reports: AlteredReports) -> None:
    assert faults(reports=reports)


def test_unaltered_answers_are_right() -> None:
    assert faults() == []


OPTIMISERS = [
    *(("cpsat", "alldifferent"), ("pysat:rc2", "direct"), ("pysat:rc2-stratified", "order"), ("pysat:rc2", "log")),
    *((name, "alldifferent") for name in ("exact", "scip", "clingo", "z3:int", "choco", "pumpkin", "toulbar2")),
    *(("pysat:glucose4-linear", f"direct+linear={sums}") for sums in ("mixed", "totalizer", "adder", "swc")),
    *(("pysat:cadical195-linear", "order"), ("pysat:cadical195-linear", "log+linear=mdd")),
    *(("native:cdcl", "order"), ("native:lazy", "alldifferent"), ("native:python", "alldifferent")),
]


@pytest.mark.parametrize(("name", "encoding"), OPTIMISERS)
def test_optima_of_random_problems_are_those_of_brute_force(name: str, encoding: str) -> None:
    if isinstance(registry.variants(name.partition(":")[0]), registry.Missing):
        pytest.skip(f"{name} is not installed")
    asked = 0
    for seed in range(120):
        random = Random(seed)
        drawn = random.sample(sorted(KINDS), random.randint(1, 2))
        instance = random_problem(drawn, random, random.choice(sorted(OBJECTIVES)))
        if prod(mask.bit_count() for mask in instance.domains) > MAX_COMBINATIONS:
            continue
        case = ObjectiveCase(f"seed {seed}", ", ".join(drawn), instance.problem, instance.domains)
        try:
            session = open_session(registry.find(name), spec(encoding), instance.problem, instance.domains)
        except Unsupported:
            continue
        asked += 1
        assert list(session_faults(session, [case], False)) == []
    assert asked > 10


class Ignoring:
    """Session that answers with the first solution as if it were the best."""

    def __init__(self, formula: Formula) -> None:
        assert isinstance(formula, Constraints)
        self.honest = registry.find("cpsat").open(replace(formula, objective=None))

    def ask(self, ask: Ask) -> Answer:
        return self.honest.ask(ask)

    def close(self) -> None:
        self.honest.close()


def test_a_session_that_ignores_the_objective_is_found() -> None:
    assert list(objective_faults(lambda problem, domains: Ignoring(PLAIN.formula(problem, domains)), False))
