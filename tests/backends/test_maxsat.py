"""python-sat's MaxSAT algorithms: what they report, what they refuse, their options, and their deadlines."""

from dataclasses import replace

import pytest

from backends.contract import registry
from backends.contract.answer import Ask, Reason, Session, Status, Unsupported
from backends.contract.catalogue import refusal
from backends.contract.conformance import open_session
from backends.contract.objective_cases import CASES, ObjectiveCase, long
from backends.contract.objective_checks import Heard, objective_faults
from encoders.formula import Cnf
from encoders.registry import default, spec
from puzzles.objectives.soft import SoftClauses
from tests.backends.configurations import assert_refused, options_of, values
from tests.effort import slow_after

EXTENDED = spec("extended")
LONG = long()
SIZES = next(case for case in CASES if case.name == "weights of many sizes")
EQUAL = next(case for case in CASES if case.name == "equal weights")


def unweighted(case: ObjectiveCase) -> ObjectiveCase:
    """Return a case with soft clauses whose weights are 1."""
    goal = case.objective
    assert isinstance(goal, SoftClauses)
    rows = SoftClauses.of([(1, row) for _, row in goal.rows])
    return replace(case, problem=replace(case.problem, objective=rows))


def opened(name: str, case: ObjectiveCase) -> Session:
    return open_session(registry.find(name), EXTENDED, case.problem, case.domains)


def asked(name: str, case: ObjectiveCase, seconds: float = 60.0) -> tuple[Heard, Status, Reason]:
    heard = Heard()
    answer = opened(name, case).ask(Ask(case.domains, seconds=seconds, listener=heard))
    return heard, answer.status, answer.reason


def test_core_guided_search_reports_a_bound_for_each_core() -> None:
    heard, _, _ = asked("pysat:rc2", SIZES)
    assert len(heard.bounds) > 1
    assert [value for value, _ in heard.improvements] == heard.bounds[-1:] == [SIZES.optimum()]


def test_levels_of_weights_report_solutions_before_the_best() -> None:
    heard, _, _ = asked("pysat:rc2-stratified", long(30))
    assert len(heard.improvements) > 1


def test_linear_search_reports_solutions_and_no_bound_before_the_end() -> None:
    heard, _, reason = asked("pysat:lsu", unweighted(long(30)))
    assert reason == Reason.NONE
    assert len(heard.improvements) > 1
    assert heard.bounds == [heard.improvements[-1][0]]


@pytest.mark.parametrize("name", ["lsu", "fm"])
def test_unequal_weights_are_refused_with_their_number(name: str) -> None:
    with pytest.raises(Unsupported, match=f"^pysat:{name} takes soft clauses of equal weight only, not 5 weights$"):
        opened(f"pysat:{name}", SIZES)


@pytest.mark.parametrize("name", ["rc2", "rc2-stratified", "lsu", "fm"])
def test_clauses_without_an_objective_are_refused(name: str) -> None:
    problem = replace(EQUAL.problem, objective=None)
    with pytest.raises(Unsupported, match=f"^pysat:{name} takes clauses with an objective only, not clauses$"):
        open_session(registry.find(f"pysat:{name}"), EXTENDED, problem, EQUAL.domains)
    why = f"pysat:{name} takes instances with an objective only"
    assert refusal(f"pysat:{name}", "extended", problem) == why
    assert refusal(f"pysat:{name}", "extended", EQUAL.problem) is None
    assert default(registry.find(f"pysat:{name}").accepts).encoding.formula is Cnf


@pytest.mark.parametrize(
    "name", ["rc2[adapt=true,exhaust=true,minz=true,trim=2]", "rc2-stratified[exhaust=true]", "fm"]
)
@pytest.mark.parametrize("seconds", [0.0, 0.01, 0.1])
def test_a_search_that_is_cut_states_no_optimum_and_no_false_bound(name: str, seconds: float) -> None:
    case = unweighted(LONG) if name == "fm" else LONG
    heard, status, reason = asked(f"pysat:{name}", case, seconds)
    if reason == Reason.TIMEOUT:
        assert status == (Status.SATISFIABLE if heard.improvements else Status.UNKNOWN)
    else:
        assert heard.bounds[-1] == heard.improvements[-1][0]


@pytest.mark.parametrize("name", slow_after(0, ["pysat:rc2", "pysat:rc2-stratified", "pysat:lsu", "pysat:fm"]))
def test_each_value_of_an_option_leaves_the_answers_right(name: str) -> None:
    for option in options_of(name):
        for value in values(option):
            backend = registry.find(name).configured({option.name: value})  # type: ignore[attr-defined]
            assert list(objective_faults(lambda p, d: open_session(backend, EXTENDED, p, d), False)) == [], option.name  # noqa: B023


def test_unknown_options_are_refused() -> None:
    assert_refused("pysat:rc2", "solver=cadical195")
    assert_refused("pysat:rc2-stratified", "blo=none")
