"""Conformance of every backend, and detection of altered answers by the suite."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import pytest

from backends.contract import registry
from backends.contract.answer import Answer, Ask, Backend, Reason, Session, Status, Unsupported
from backends.contract.cases import CASES, FOUR, BoardCase, ProblemCase
from backends.contract.conformance import BRIEF, FULL, Effort, check
from backends.contract.kind_cases import KIND_CASES, PROJECTED_CASES
from backends.programs.backend import PROGRAM_BASES
from encoders.formula import Cnf, Formula
from encoders.registry import AT_MOST_ONE, ENCODINGS, spec
from puzzles.constraints import kinds
from tests import definitions
from tests.brute_force import solutions
from tests.conftest import ROOT

# Programs of the machine are tested in test_machine_programs.py, optional solvers in tests of their own. HiGHS can't
# live in a process with OR-Tools, MiniZinc compiles each ask.
OPTIONAL = (
    "choco",
    "clingo",
    "cpmpy",
    "cvc5",
    "exact",
    "highs",
    "minizinc",
    "naps",
    "pumpkin",
    "scip",
    "toulbar2",
    "z3",
)
BACKENDS = [
    b
    for b in registry.available()
    if not isinstance(b, registry.Missing) and b.name.partition(":")[0] not in (*OPTIONAL, *PROGRAM_BASES)
]
EFFORTS = [pytest.param(BRIEF, id="brief"), pytest.param(FULL, id="full", marks=pytest.mark.slow)]
SMALL = [case for case in CASES if len(case.problem.squares) < 81]  # the others are too large for brute force


@pytest.mark.parametrize("effort", EFFORTS)
@pytest.mark.parametrize("backend", BACKENDS, ids=lambda b: b.name)
def test_backend_conforms(backend: Backend, effort: Effort) -> None:
    assert check(backend, effort=effort) == []


@pytest.mark.parametrize("effort", EFFORTS)
@pytest.mark.parametrize("backend", [b for b in BACKENDS if "warm" in b.can], ids=lambda b: b.name)
def test_warm_backend_conforms(backend: Backend, effort: Effort) -> None:
    assert check(backend, warm=True, effort=effort) == []


CPSAT = [("cpsat", name) for name in ("booleans", "channelled")]  # alldifferent is the default
PYSAT = [("pysat:gluecard4", f"{family}+{one}") for family in ("extended", "reduced") for one in AT_MOST_ONE]
PYSAT.remove(("pysat:gluecard4", "extended+pairwise"))  # the default


@pytest.mark.parametrize("effort", EFFORTS)
@pytest.mark.parametrize(("backend", "encoding"), CPSAT + PYSAT)
def test_backend_conforms_with_every_other_encoding(backend: str, encoding: str, effort: Effort) -> None:
    assert check(registry.find(backend), encoding, effort=effort) == []


@pytest.mark.parametrize("case", SMALL, ids=lambda c: c.name)
def test_case_has_its_stated_number_of_solutions(case: BoardCase) -> None:
    assert len(solutions(case.problem, case.domains)) == case.total


@pytest.mark.parametrize("case", [c for c in KIND_CASES if len(c.domains) < 9], ids=lambda c: c.name)
def test_case_of_a_kind_has_its_stated_number_of_solutions(case: ProblemCase) -> None:
    assert len(definitions.solutions(case.problem, case.domains)) == case.total


def test_every_kind_of_constraint_has_a_case() -> None:
    kinds_asked = {c.kind for case in KIND_CASES for c in case.problem.constraints}
    assert kinds_asked == set(kinds()) - {"unsupported"}, "KIND_CASES of backends/contract/kind_cases.py lacks a kind"


Alteration = Callable[[Answer, Ask, list[Ask]], Answer]


@dataclass(frozen=True)
class Altered:
    """minisat22 with its answers altered by `alter`, which also gets the earlier asks."""

    alter: Alteration
    name: str = "altered"
    version: str = "0"
    accepts: frozenset[type] = frozenset({Cnf})
    can: frozenset[str] = frozenset({"count", "domains"})

    def open(self, formula: Formula) -> Session:
        return AlteredSession(registry.find("pysat:minisat22").open(formula), self.alter)


class AlteredSession:
    def __init__(self, honest: Session, alter: Alteration) -> None:
        self.honest, self.alter, self.asked = honest, alter, list[Ask]()

    def ask(self, ask: Ask) -> Answer:
        answer = self.alter(self.honest.ask(ask), ask, self.asked)
        self.asked.append(ask)
        return answer

    def close(self) -> None:
        self.honest.close()


def wrong_grid(a: Answer, ask: Ask, asked: list[Ask]) -> Answer:
    return replace(a, solutions=tuple(tuple(reversed(s)) for s in a.solutions))


def returns_unsatisfiable(a: Answer, ask: Ask, asked: list[Ask]) -> Answer:
    return replace(a, status=Status.UNSATISFIABLE, solutions=(), complete=True)


def claims_complete_early(a: Answer, ask: Ask, asked: list[Ask]) -> Answer:
    return replace(a, solutions=a.solutions[:1], complete=True)


def repeats_a_solution(a: Answer, ask: Ask, asked: list[Ask]) -> Answer:
    return replace(a, solutions=(a.solutions + a.solutions[:1])[: ask.count])


def never_complete(a: Answer, ask: Ask, asked: list[Ask]) -> Answer:
    return replace(a, complete=a.status == Status.UNSATISFIABLE)


def returns_more_than_asked(a: Answer, ask: Ask, asked: list[Ask]) -> Answer:
    return replace(a, solutions=a.solutions * 2)


def wrong_when_asked_second(a: Answer, ask: Ask, asked: list[Ask]) -> Answer:
    return returns_unsatisfiable(a, ask, asked) if asked else a


def returns_timeout(a: Answer, ask: Ask, asked: list[Ask]) -> Answer:
    return Answer(Status.UNKNOWN, reason=Reason.TIMEOUT)


def unknown_counter(a: Answer, ask: Ask, asked: list[Ask]) -> Answer:
    return replace(a, counters={"guesses": 1})


ALTERATIONS = (
    wrong_grid,
    returns_unsatisfiable,
    claims_complete_early,
    repeats_a_solution,
    never_complete,
    returns_more_than_asked,
    wrong_when_asked_second,
    returns_timeout,
    unknown_counter,
)


@pytest.mark.parametrize("effort", EFFORTS)
@pytest.mark.parametrize("alter", ALTERATIONS, ids=lambda f: f.__name__)
def test_suite_detects_altered_answers(alter: Alteration, effort: Effort) -> None:
    assert check(Altered(alter), effort=effort) != []


def test_a_brief_suite_asks_each_case_once_and_without_time() -> None:
    asks = list[Ask]()

    def seen(a: Answer, ask: Ask, asked: list[Ask]) -> Answer:
        asks.append(ask)
        return a

    assert check(Altered(seen), effort=BRIEF) == []
    assert len([ask for ask in asks if ask.seconds in (0, 10)]) == 2 * (
        len(CASES) + len(KIND_CASES) + len(PROJECTED_CASES)
    )
    assert {ask.count for ask in asks if ask.seconds} == {1, 2, 3}


def test_suite_accepts_stuck_answers() -> None:
    def stuck(a: Answer, ask: Ask, asked: list[Ask]) -> Answer:
        return Answer(Status.UNKNOWN, reason=Reason.STUCK) if len(asked) % 3 else a

    assert [f for f in check(Altered(stuck)) if "asked twice" not in f] == []


@dataclass(frozen=True)
class FailingOpen(Altered):
    """A backend whose `open` raises."""

    raised: BaseException = field(default_factory=Unsupported)

    def open(self, formula: Formula) -> Session:
        raise self.raised


def test_refusing_every_layout_does_not_conform() -> None:
    assert check(FailingOpen(unknown_counter)) == ["altered refuses every layout"]


@pytest.mark.parametrize("kind", [TypeError, ValueError, RuntimeError, KeyError, SystemExit])
def test_exception_other_than_unsupported_in_open_is_an_error(kind: type[Exception]) -> None:
    failures = check(FailingOpen(unknown_counter, raised=kind("by mistake")))
    wanted = f"sudoku 3x3: open raises {kind.__name__}: {kind('by mistake')} ({__file__.removeprefix(f'{ROOT}/')}:"
    assert any(failure.startswith(wanted) for failure in failures)


def test_unsupported_in_ask_is_an_error() -> None:
    def late(a: Answer, ask: Ask, asked: list[Ask]) -> Answer:
        raise Unsupported("too late")

    def unsupported(a: Answer, ask: Ask, asked: list[Ask]) -> Answer:
        return Answer(Status.UNKNOWN, reason=Reason.UNSUPPORTED)

    assert any("raises Unsupported: too late" in failure for failure in check(Altered(late)))
    assert any("UNKNOWN (UNSUPPORTED)" in failure for failure in check(Altered(unsupported)))


def test_exception_in_close_is_an_error() -> None:
    class FailingClose(AlteredSession):
        def close(self) -> None:
            raise OSError("disk full")

    class Backend(Altered):
        def open(self, formula: Formula) -> Session:
            return FailingClose(registry.find("pysat:minisat22").open(formula), self.alter)

    failures = check(Backend(lambda a, ask, asked: a))
    assert any(failure.startswith("closing a session raises OSError: disk full (") for failure in failures)


@pytest.mark.parametrize("backend", BACKENDS, ids=lambda b: b.name)
def test_backend_raises_unsupported_for_other_formula_types(backend: Backend) -> None:
    for name, encoding in ENCODINGS.items():
        if encoding.formula not in backend.accepts:
            formula = spec(name).formula(FOUR)
            with pytest.raises(Unsupported):
                backend.open(formula)
