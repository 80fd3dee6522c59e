"""Every backend does what the contract says, and the suite sees those that don't."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import pytest

from backends import registry
from backends.answer import Answer, Ask, Backend, Reason, Session, Status
from backends.cases import CASES, Case
from backends.conformance import check
from encoders.formula import Cnf, Formula
from encoders.registry import AT_MOST_ONE
from tests.brute_force import solutions

BACKENDS = [b for b in registry.available() if not isinstance(b, registry.Missing)]
SMALL = [case for case in CASES if len(case.problem.squares) < 81]  # the others are too large to try everything


@pytest.mark.parametrize("backend", BACKENDS, ids=lambda b: b.name)
def test_a_backend_conforms(backend: Backend) -> None:
    assert check(backend) == []


@pytest.mark.parametrize("backend", [b for b in BACKENDS if "warm" in b.can], ids=lambda b: b.name)
def test_a_backend_that_is_kept_warm_conforms(backend: Backend) -> None:
    assert check(backend, warm=True) == []


CPSAT = [("cpsat", name) for name in ("alldifferent", "booleans", "channelled")]
PYSAT = [("pysat:gluecard4", f"{family}+{one}") for family in ("extended", "reduced") for one in AT_MOST_ONE]


@pytest.mark.parametrize(("backend", "encoding"), CPSAT + PYSAT)
def test_a_backend_conforms_with_every_encoding(backend: str, encoding: str) -> None:
    assert check(registry.find(backend), encoding) == []


@pytest.mark.parametrize("case", SMALL, ids=lambda c: c.name)
def test_a_case_has_the_solutions_it_claims(case: Case) -> None:
    assert len(solutions(case.problem, case.domains)) == case.total


Lie = Callable[[Answer, Ask, list[Ask]], Answer]


@dataclass(frozen=True)
class Liar:
    """minisat22, with its answers altered by `lie`, which sees what was asked before."""

    lie: Lie
    name: str = "liar"
    version: str = "0"
    accepts: frozenset[type] = frozenset({Cnf})
    can: frozenset[str] = frozenset({"count", "domains"})

    def open(self, formula: Formula) -> Session:
        return LyingSession(registry.find("pysat:minisat22").open(formula), self.lie)


class LyingSession:
    def __init__(self, honest: Session, lie: Lie) -> None:
        self.honest, self.lie, self.asked = honest, lie, list[Ask]()

    def ask(self, ask: Ask) -> Answer:
        answer = self.lie(self.honest.ask(ask), ask, self.asked)
        self.asked.append(ask)
        return answer

    def close(self) -> None:
        self.honest.close()


def wrong_grid(a: Answer, ask: Ask, asked: list[Ask]) -> Answer:
    return replace(a, solutions=tuple(tuple(reversed(s)) for s in a.solutions))


def says_none(a: Answer, ask: Ask, asked: list[Ask]) -> Answer:
    return replace(a, status=Status.UNSATISFIABLE, solutions=(), complete=True)


def stops_early(a: Answer, ask: Ask, asked: list[Ask]) -> Answer:
    return replace(a, solutions=a.solutions[:1], complete=True)


def repeats(a: Answer, ask: Ask, asked: list[Ask]) -> Answer:
    return replace(a, solutions=(a.solutions + a.solutions[:1])[: ask.count])


def never_complete(a: Answer, ask: Ask, asked: list[Ask]) -> Answer:
    return replace(a, complete=a.status == Status.UNSATISFIABLE)


def too_many(a: Answer, ask: Ask, asked: list[Ask]) -> Answer:
    return replace(a, solutions=a.solutions * 2)


def wrong_when_asked_second(a: Answer, ask: Ask, asked: list[Ask]) -> Answer:
    return says_none(a, ask, asked) if asked else a


def says_nothing(a: Answer, ask: Ask, asked: list[Ask]) -> Answer:
    return Answer(Status.UNKNOWN, reason=Reason.TIMEOUT)


def own_counter(a: Answer, ask: Ask, asked: list[Ask]) -> Answer:
    return replace(a, counters={"guesses": 1})


LIES = (
    wrong_grid,
    says_none,
    stops_early,
    repeats,
    never_complete,
    too_many,
    wrong_when_asked_second,
    says_nothing,
    own_counter,
)


@pytest.mark.parametrize("lie", LIES, ids=lambda f: f.__name__)
def test_the_suite_sees_a_backend_that_lies(lie: Lie) -> None:
    assert check(Liar(lie)) != []


def test_the_suite_passes_a_backend_that_may_be_stuck() -> None:
    def stuck(a: Answer, ask: Ask, asked: list[Ask]) -> Answer:
        return Answer(Status.UNKNOWN, reason=Reason.STUCK) if len(asked) % 3 else a

    assert [f for f in check(Liar(stuck)) if "asked twice" not in f] == []


class Refuses(Liar):
    def open(self, formula: Formula) -> Session:
        raise TypeError("not for me")


def test_a_backend_that_refuses_everything_does_not_conform() -> None:
    assert check(Refuses(own_counter)) == ["liar refuses every layout"]
