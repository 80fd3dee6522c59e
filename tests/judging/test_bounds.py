"""Bounds are claims: a solution, shown or claimed, refutes them, and they are reported like wrong answers."""

from pathlib import Path

import numpy as np
import pytest

from backends.contract.answer import Reason, Status
from harness.judging import judge
from harness.judging.objectives import optimised
from harness.judging.refuted_optima import RefutedBound, refuted_bounds
from harness.model.outcome import CERTIFIED, ROW, Batch, Outcomes, Verdict, unknown_row
from harness.model.quality import CorpusClaims, Quality
from harness.model.trajectory import Trajectory
from harness.storing.journal import Journal
from puzzles.objectives.linear import LinearObjective
from puzzles.problem import BOOLEAN, Problem
from puzzles.problem.columns import pack
from puzzles.problem.values import Numbered
from tests.conftest import Harness
from tests.searching import Made
from tests.searching import optimised as made_journal

GOAL = Problem("goal", Numbered("x", 3), BOOLEAN, (), objective=LinearObjective.of({0: 1, 1: 2, 2: 4}, 10))


def answer(bound: int | None, value: int = 17, complete: bool = False) -> Outcomes:
    """Return an answer that shows the solution of a value from 10 to 17, with a bound."""
    row = np.array([unknown_row(Reason.NONE if complete else Reason.TIMEOUT, 1, 1)], ROW)
    row["status"], row["found"], row["complete"] = Status.SATISFIABLE, 1, complete
    solution = np.array([[value - 10 >> k & 1 for k in range(3)]], np.uint8)
    batch = Batch(0, 0, GOAL, np.array([1]), pack(GOAL, [GOAL.open]), 1)
    return Outcomes(batch, row, solution, {}, trajectories={0: Trajectory(bound=bound)})


def verdicts(*answers: Outcomes, known: CorpusClaims | None = None, certified: int | None = None) -> list[Verdict]:
    """Return the verdicts on answers of independent contenders; the proof of answer `certified` holds."""
    evidence, judged = judge.Evidence.empty(1), []
    for group, o in enumerate(answers):
        valid = judge.check(GOAL, o.batch.domains, o.rows["found"], o.solutions)
        best = optimised(o, valid)
        evidence.add(o, valid, group, best)
        if group == certified:
            evidence.certify(o, np.array([CERTIFIED], np.int8), best=best)
        judged.append((o, valid, best))
    claims = known or CorpusClaims.none(1)
    found = [judge.verdicts(o.batch.puzzles, o.rows, v, 1, claims, evidence, best)[0] for o, v, best in judged]
    return [Verdict(int(verdict)) for verdict in found]


def claiming(value: int | None, at_least: bool = False) -> CorpusClaims:
    claims = CorpusClaims.none(1)
    claims.stated.put(np.array([1]), Quality.of_values([value]))
    claims.at_least[1] = at_least
    return claims


@pytest.mark.parametrize(("bound", "wrong"), [(None, False), (9, False), (10, False), (11, True), (1 << 70, True)])
def test_a_shown_solution_refutes_a_bound_above_its_value(bound: int | None, wrong: bool) -> None:
    found = verdicts(answer(bound), answer(None, 10))
    assert found == [Verdict.WRONG if wrong else Verdict.UNKNOWN, Verdict.UNKNOWN]


def test_a_certified_optimum_refutes_bounds_above_it_and_confirms_those_below() -> None:
    found = verdicts(answer(11), answer(10), answer(10, 10, complete=True), certified=2)
    assert found == [Verdict.WRONG, Verdict.UNKNOWN, Verdict.CORRECT]


@pytest.mark.parametrize("at_least", [False, True])
def test_a_claimed_solution_refutes_a_bound_unless_the_claim_is_refuted_itself(at_least: bool) -> None:
    assert verdicts(answer(13), known=claiming(12, at_least)) == [Verdict.WRONG]
    assert verdicts(answer(12), known=claiming(12, at_least)) == [Verdict.UNKNOWN]
    two = answer(None, 13, complete=True), answer(None, 13, complete=True)
    assert verdicts(answer(13), *two, known=claiming(12, at_least))[0] == Verdict.UNKNOWN


def test_a_claim_of_no_solution_refutes_no_bound() -> None:
    nothing = answer(13)
    nothing.rows["status"], nothing.rows["found"] = Status.UNKNOWN, 0
    none = Outcomes(nothing.batch, nothing.rows, nothing.solutions[:0], {}, trajectories=nothing.trajectories)
    assert verdicts(none, known=claiming(None)) == [Verdict.UNKNOWN]


def test_refuted_bounds_are_listed_once_for_a_contender_and_an_instance(tmp_path: Path) -> None:
    searches = {
        "right": [Made([(1, 20)], [(1, 20)], proved=2), Made([(1, 5)])],
        "steep": [Made([(1, 30)], [(1, 19), (2, 21), (3, 25)]), Made([(1, 9)], [(1, 5)])],
    }
    with Journal.open(made_journal(tmp_path / "j.sqlite", searches)) as journal:
        found = refuted_bounds(journal, Quality.of_values([None, 20, 5]))
    assert found == (RefutedBound(1, 1, 25, 20),)


def test_a_bound_beyond_the_claim_of_a_corpus_is_a_wrong_answer(harness: Harness, tmp_path: Path) -> None:
    folder = tmp_path / "corpus"
    folder.mkdir()
    (folder / "a.wcnf").write_text("h 1 2 0\n3 -1 0\n4 -2 0\n")
    (folder / "expected.csv").write_text("file,status,value\na.wcnf,optimal,3\n")
    done = harness("run", folder, "-b", "better:steep", "-o", "j.sqlite")
    assert done.code == 1
    assert "WRONG: better:steep: " in done.out
    assert "states that no solution has a value below 4, but the corpus claims the optimum 3" in done.out
    report = harness("report", "j.sqlite", "--json", "-")
    assert report.contender("better:steep")["objective"]["refuted_bounds"] == 1
