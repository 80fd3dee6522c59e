"""Of several answers to one ask the refuted one stands, or the claim that can still be refuted, else the last."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from backends.contract.answer import Answer, Ask, Reason, Session, Status
from encoders.formula import Cnf, Formula
from encoders.registry import spec
from harness.judging import judge
from harness.model.outcome import ROW, Verdict
from harness.model.quality import CorpusClaims, Optimised, Quality, Stated
from harness.running.workers.inside.opening import Refuted, load_code
from harness.running.workers.standing import Given, standing
from puzzles.problem.arrays import BoolArray, Solutions

COUNT = 3
SAT, UNSAT, UNKNOWN = Status.SATISFIABLE, Status.UNSATISFIABLE, Status.UNKNOWN


def given(status: Status, *values: int, complete: bool = False, **more: int) -> Given:
    """Return an answer with solutions of one variable; solved are the numbers below 10, and each is its own value."""
    reason = Reason.STUCK if status == UNKNOWN else Reason.NONE
    return Given(status, reason, complete or status == UNSAT, np.array(values, np.uint16).reshape(-1, 1), **more)


def check(solutions: Solutions) -> BoolArray:
    found: BoolArray = solutions[:, 0] < 10
    return found


def value(solutions: Solutions) -> int:
    return int(solutions[0, 0])


def verdict(one: Given, objective: bool) -> int:
    """Return the verdict on an answer alone."""
    row = np.zeros(1, ROW)
    one.write(row, np.zeros((COUNT, 1), np.uint16))
    valid = judge_valid(one)
    best = None
    if objective:
        known = value(one.solutions) if len(one.solutions) and valid[0] > 0 else None
        false = np.array([known is not None and one.value not in (None, known)])
        best = Optimised(np.ones(1, np.bool_), Quality.of_values([known]), Stated.of_values([one.bound]), false)
    evidence, puzzles = judge.Evidence.empty(1), np.array([1])
    if objective and best is not None and valid[0] > 0:
        evidence.add_values(puzzles, best.quality)
    elif valid[0] > 0:
        evidence.verified[puzzles] = Quality.of_counts(valid)
    return int(judge.verdicts(puzzles, row, valid, COUNT, CorpusClaims.none(1), evidence, best)[0])


def judge_valid(one: Given) -> np.ndarray:
    n = len(one.solutions)
    right = check(one.solutions).all() and len(np.unique(one.solutions)) == n
    return np.array([n if right else -1], np.int32)


DECISIONS = [
    (given(UNSAT), given(SAT, 1), Verdict.WRONG),
    (given(SAT, 1), given(UNSAT), Verdict.WRONG),
    (given(SAT, 11), given(SAT, 1), Verdict.WRONG),
    (given(SAT, 11), given(UNKNOWN), Verdict.WRONG),
    (given(SAT, 1, complete=True), given(SAT, 2, complete=True), Verdict.WRONG),
    (given(SAT, 1, complete=True), given(SAT, 1, 2, 3), Verdict.WRONG),
    (given(SAT, 1, 1), given(SAT, 1, 2, complete=True), Verdict.WRONG),
    (given(SAT), given(SAT, 1, 2, 3), Verdict.WRONG),
    (given(UNSAT), given(UNKNOWN), Verdict.UNKNOWN),
    (given(SAT, 1, complete=True), given(UNKNOWN), Verdict.UNKNOWN),
    (given(UNKNOWN), given(UNSAT), Verdict.UNCERTIFIED),
    (given(SAT, 1, 2, 3), given(SAT, 4, 5, 6), Verdict.CORRECT),
]
OPTIMA = [
    (given(UNSAT), given(SAT, 4, value=4), Verdict.WRONG),
    (given(SAT, 4, complete=True), given(SAT, 3, complete=True), Verdict.WRONG),
    (given(SAT, 3, complete=True), given(SAT, 4, complete=True), Verdict.WRONG),
    (given(SAT, 3, value=2), given(SAT, 3, complete=True), Verdict.WRONG),
    (given(SAT, 12), given(SAT, 3, complete=True), Verdict.WRONG),
    (given(SAT, 4, bound=4), given(SAT, 3), Verdict.WRONG),
    (given(SAT, 3), given(SAT, 3, complete=True), Verdict.UNCERTIFIED),
    (given(SAT, 3, complete=True), given(SAT, 4), Verdict.UNKNOWN),
]


@pytest.mark.parametrize(("first", "last", "expected"), DECISIONS)
def test_what_stands_of_two_answers(first: Given, last: Given, expected: Verdict) -> None:
    assert verdict(standing([first], last, check, None, COUNT), objective=False) == expected


@pytest.mark.parametrize(("first", "last", "expected"), OPTIMA)
def test_what_stands_of_two_answers_with_an_objective(first: Given, last: Given, expected: Verdict) -> None:
    assert verdict(standing([first], last, check, value, COUNT), objective=True) == expected


def test_a_claim_that_the_last_answer_lacks_is_wrong_once_another_contender_refutes_it() -> None:
    for claim in (given(UNSAT), given(SAT, 1, complete=True)):
        row = np.zeros(1, ROW)
        standing([claim], given(UNKNOWN), check, None, COUNT).write(row, np.zeros((COUNT, 1), np.uint16))
        evidence = judge.Evidence.empty(1)
        evidence.verified[np.array([1])] = Quality.of_counts(np.array([2]))
        valid = row["found"].astype(np.int32)
        assert judge.verdicts(np.array([1]), row, valid, COUNT, CorpusClaims.none(1), evidence) == [Verdict.WRONG]


def test_no_answer_is_excused_by_those_beside_it() -> None:
    """Of all pairs of answers the verdict is WRONG if one alone is, or if what one shows is beyond what one claims."""
    answers = [given(UNKNOWN), given(UNSAT), *(given(SAT, *v) for v in [(1,), (11,), (1, 2)])]
    answers += [replace(one, complete=True) for one in answers if one.status == SAT]
    for first, last in product(answers, repeat=2):
        verified = {v for one in (first, last) for v in one.solutions[:, 0].tolist()}
        claimed = min((len(one.solutions) for one in (first, last) if one.complete), default=COUNT)
        wrong = any(v >= 10 for v in verified) or len(verified) > claimed
        stands = standing([first], last, check, None, COUNT)
        assert (verdict(stands, objective=False) == Verdict.WRONG) == wrong, (first, last)


class Loaded:
    """A backend that gives one answer to every ask."""

    name, version = "loaded", "1"
    accepts = frozenset({Cnf})
    can = frozenset[str]()

    def __init__(self, answer: Answer) -> None:
        self.answer = answer

    def open(self, formula: Formula) -> Session:
        return self

    def ask(self, ask: Ask) -> Answer:
        return self.answer

    def close(self) -> None:
        pass


@pytest.mark.parametrize("answer", [Answer(UNSAT, complete=True), Answer(SAT, ((0,),)), Answer(SAT, ())])
def test_the_answer_to_the_problem_that_loads_the_code_is_judged(answer: Answer) -> None:
    with pytest.raises(Refuted, match="with the clause"):
        load_code(Loaded(answer), spec("extended"))


@pytest.mark.parametrize("answer", [Answer(SAT, ((1,),)), Answer(UNKNOWN), Answer(SAT, ((1,), (0,)))])
def test_a_right_answer_that_loads_the_code_and_a_malformed_one_are_not_refuted(answer: Answer) -> None:
    load_code(Loaded(answer), spec("extended"))


def test_a_proved_value_without_a_bound_is_not_answered_differently_by_an_ask_that_reported_nothing() -> None:
    last = given(SAT, 3, complete=True, value=3)
    stands = standing([given(UNKNOWN)], last, check, value, COUNT)
    assert stands.same(last)
    assert standing([given(UNKNOWN, bound=2)], last, check, value, COUNT).same(last)
    assert not standing([given(UNKNOWN, bound=5)], last, check, value, COUNT).same(last), "refuted by itself"
