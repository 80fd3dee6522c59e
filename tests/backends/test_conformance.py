"""Every backend does what the contract says, and the suite sees those that don't."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import pytest

from backends import registry
from backends.answer import Answer, Ask, Backend, Reason, Session, Status, Unsupported
from backends.cases import CASES, FOUR, Case
from backends.conformance import check
from encoders.formula import Cnf, Formula
from encoders.registry import AT_MOST_ONE, ENCODINGS
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


@dataclass(frozen=True)
class Opening(Liar):
    """A backend whose opening raises."""

    raised: BaseException = field(default_factory=Unsupported)

    def open(self, formula: Formula) -> Session:
        raise self.raised


def test_a_backend_that_refuses_everything_does_not_conform() -> None:
    assert check(Opening(own_counter)) == ["liar refuses every layout"]


@pytest.mark.parametrize("kind", [TypeError, ValueError, RuntimeError, KeyError, SystemExit])
def test_only_unsupported_is_a_refusal_and_any_other_exception_of_an_opening_an_error(kind: type[Exception]) -> None:
    failures = check(Opening(own_counter, raised=kind("by mistake")))
    assert f"sudoku 3x3: open raises {kind.__name__}: {kind('by mistake')}" in failures


def test_an_ask_that_refuses_is_an_error() -> None:
    def late(a: Answer, ask: Ask, asked: list[Ask]) -> Answer:
        raise Unsupported("too late")

    def unsupported(a: Answer, ask: Ask, asked: list[Ask]) -> Answer:
        return Answer(Status.UNKNOWN, reason=Reason.UNSUPPORTED)

    assert any("raises Unsupported: too late" in failure for failure in check(Liar(late)))
    assert any("UNKNOWN (UNSUPPORTED)" in failure for failure in check(Liar(unsupported)))


def test_a_session_that_cannot_be_closed_is_an_error() -> None:
    class Stuck(LyingSession):
        def close(self) -> None:
            raise OSError("the door is jammed")

    class Backend(Liar):
        def open(self, formula: Formula) -> Session:
            return Stuck(registry.find("pysat:minisat22").open(formula), self.lie)

    assert "closing a session raises OSError: the door is jammed" in check(Backend(lambda a, ask, asked: a))


@pytest.mark.parametrize("backend", BACKENDS, ids=lambda b: b.name)
def test_a_backend_refuses_other_formulas_by_unsupported_alone(backend: Backend) -> None:
    for encoding in ENCODINGS.values():
        if encoding.formula not in backend.accepts:
            with pytest.raises(Unsupported):
                backend.open(encoding.encode(FOUR, FOUR.open))
