"""Scores of optimisation: by hand, as published, and of a journal."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.model.quality import Quality
from harness.reporting.frame.objectives import gap
from harness.reporting.frame.searches import Search, Searches, SearchRow
from harness.reporting.statistics.courses import Courses, TimedValue, integers
from harness.reporting.views.comparing.measures import OBJECTIVE_SCORES, score_name
from harness.reporting.views.ranking.objective_scores import (
    OBJECTIVE_SCORE,
    NoScore,
    area_of,
    challenge,
    challenge_2021,
    incomplete,
    objective_score,
)
from tests.conftest import Harness

LIMIT = 1200.0


def unproved(value: int | None, *course: tuple[float, int]) -> Search:
    return Search(value, False, LIMIT, tuple(TimedValue(*found) for found in course))


def optimum(value: int | None, end: float, *course: tuple[float, int]) -> Search:
    return Search(value, True, end, tuple(TimedValue(*found) for found in course))


def searches(rows: list[list[Search]], known: list[int | None], goal: list[bool] | None = None) -> Searches:
    goals = np.array(goal if goal is not None else [True] * len(known), np.bool_)
    return Searches(tuple(map(columns, rows)), tuple(known), goals, LIMIT)


def columns(row: list[Search]) -> SearchRow:
    steps = [(i, *step) for i, one in enumerate(row) for step in one.course]
    at, seconds, value = zip(*steps, strict=True) if steps else ((), (), ())
    course = Courses(np.array(at, np.int64), np.array(seconds, np.float64), integers(value))
    proved, end = (np.array([getattr(one, name) for one in row]) for name in ("proved", "end"))
    return SearchRow(Quality.of_values([one.value for one in row]), proved, end, course)


def points(name: str, of: Searches) -> list[list[float]]:
    found: list[list[float]] = OBJECTIVE_SCORE[name].points(of).tolist()
    return found


@pytest.mark.parametrize(
    ("mine", "other", "rules", "published_2021"),
    [  # MiniZinc challenge 2024, public/challenge/2024/results.json of MiniZinc/minizinc.github.io, times in s
        (optimum(None, 103.36), optimum(None, 112.522), 0.5209302325581395, 0.5209302325581395),
        (unproved(5), unproved(7), 1.0, 1.0),
        (unproved(7), unproved(5), 0.0, 0.5),
        (unproved(5), unproved(5), 0.5, 0.5),
        (optimum(5, 2.0), unproved(5), 1.0, 1.0),
        (unproved(5), optimum(5, 2.0), 0.0, 0.0),
        (optimum(5, 0.4), optimum(5, 0.9), 0.5, 0.5),
        (unproved(5), unproved(None), 1.0, 1.0),
    ],
)
def test_points_of_a_pair_in_the_minizinc_challenge(
    mine: Search, other: Search, rules: float, published_2021: float
) -> None:
    assert challenge(mine, other, LIMIT) == pytest.approx(rules)
    assert challenge_2021(mine, other, LIMIT) == pytest.approx(published_2021)


any_search = st.builds(
    lambda value, proved, end: optimum(value, end) if proved else unproved(value),
    st.none() | st.integers(-3, 3),
    st.booleans(),
    st.floats(0, LIMIT),
)


@given(any_search, any_search)
def test_two_contenders_share_one_point_if_one_of_them_solved_the_instance(a: Search, b: Search) -> None:
    for pair in (challenge, incomplete):
        given_to_a, given_to_b = (pair(x, y, LIMIT) for x, y in ((a, b), (b, a)))
        if a.solved and b.solved:
            assert given_to_a + given_to_b == pytest.approx(1)
    assert challenge(a, b, LIMIT) <= challenge_2021(a, b, LIMIT)


def test_an_instance_that_a_contender_did_not_solve_gives_it_nothing() -> None:
    of = searches([[unproved(None)], [unproved(None)], [unproved(4)]], [4])
    assert points("minizinc", of) == [[0], [0], [2]]
    assert points("minizinc-incomplete", of) == [[0], [0], [2]]
    shown = searches([[optimum(None, 1.0)], [unproved(None)]], [None])
    assert points("minizinc-incomplete", shown) == [[1], [0]], "a proof that there is no solution is one"


def test_the_area_is_that_of_the_challenges_script() -> None:
    course = (TimedValue(100.0, 50), TimedValue(400.0, 20))
    found = area_of(Search(20, False, LIMIT, course), worst=60, best=10, limit=LIMIT)
    steps = 0.5 * ((60 - 10) / 50 * 100 + (50 - 10) / 50 * 300) + 0.5 * (20 - 10) / 50 * 800
    assert found == pytest.approx((0.25 * 100 + steps + 0.25 * LIMIT) / LIMIT)
    assert area_of(unproved(None), 60, 10, LIMIT) == 1
    assert area_of(optimum(None, 300.0), 60, 10, LIMIT) == 0.25
    alone = area_of(Search(7, True, 600.0, (TimedValue(60.0, 7),)), 7, 7, LIMIT)
    assert alone == pytest.approx((0.25 * 60 + 0.5 * 60 + 0.25 * 600) / LIMIT)


def test_anytime_points_are_those_of_the_maxsat_evaluation() -> None:
    # 2022, incomplete, unweighted, 60 s: AMAZON.wcnf, best 51608, table-all.html prints 0.807 (63979) and 0.776 (66497)
    of = searches([[unproved(63979)], [unproved(66497)], [unproved(51608)], [unproved(None)]], [51608])
    assert [round(row[0], 3) for row in points("maxsat-anytime", of)] == [0.807, 0.776, 1.0, 0.0]
    with pytest.raises(NoScore, match="costs that are not negative"):
        OBJECTIVE_SCORE["maxsat-anytime"].points(searches([[unproved(-1)]], [-1]))


def test_the_primal_integral_is_the_mean_gap_over_time() -> None:
    course = ((300.0, 40), (600.0, 10))
    of = searches([[unproved(10, *course)], [unproved(None)]], [10])
    (mine,), (none,) = points("primal-integral", of)
    assert mine == pytest.approx((300 * 1 + 300 * 0.75 + 600 * 0) / LIMIT)
    assert none == 1
    assert points("gap", of) == [[0.0], [1.0]]


def test_the_best_value_counts_and_so_does_a_proof_that_there_is_no_solution() -> None:
    of = searches([[unproved(5), optimum(None, 1.0)], [optimum(6, 2.0), unproved(None)]], [5, None])
    assert points("best", of) == [[1.0, 1.0], [0.0, 0.0]]


@pytest.mark.parametrize(
    ("value", "best", "expected"),
    [(0, 0, 0.0), (5, 0, 1.0), (-5, 5, 1.0), (10, 5, 0.5), (-5, -10, 0.5), (None, 3, 1.0), (2 * 10**30, 10**30, 0.5)],
)
def test_the_gap_is_berthold_s(value: int | None, best: int, expected: float) -> None:
    assert gap(value, best) == expected


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        ([unproved(5), unproved(5), unproved(7), unproved(None)], [1, 1, 0, 0]),
        ([optimum(5, 9.0), unproved(5), unproved(7), unproved(None)], [1, 0.5, 0, 0]),
        ([optimum(None, 9.0), unproved(None), unproved(None), unproved(None)], [1, 0, 0, 0]),
    ],
    ids=["nobody proves the best value", "somebody does", "no solution"],
)
def test_points_of_the_xcsp3_competition(column: list[Search], expected: list[float]) -> None:
    assert np.array(points("xcsp3", searches([[one] for one in column], [5]))).ravel().tolist() == expected


def test_the_time_to_a_target_is_twice_the_limit_where_it_is_never_reached() -> None:
    course = [(1.0, 1100), (7.0, 1010), (30.0, 1000)]
    of = searches([[unproved(1000, *course)], [unproved(1011, (5.0, 1011))], [unproved(None)]], [1000])
    assert points("target", of) == [[7], [2 * LIMIT], [2 * LIMIT]]
    wider = objective_score(score_name("target:1.1"))
    assert wider.points(of).tolist() == [[7], [5], [2 * LIMIT]]
    assert objective_score(score_name("target:0")).points(of).tolist() == [[30], [2 * LIMIT], [2 * LIMIT]]


def test_only_instances_with_an_objective_count_for_scores_of_values() -> None:
    of = searches([[unproved(3), optimum(None, 5.0)]], [3, None], [True, False])
    counted = {name: score.counts(of).tolist() for name, score in OBJECTIVE_SCORE.items()}
    every = ("minizinc", "minizinc-2013", "minizinc-2021", "minizinc-incomplete", "xcsp3")
    assert [counted.pop(name) for name in every] == [[True, True]] * 5
    assert set(map(tuple, counted.values())) == {(True, False)}


def test_every_score_is_described() -> None:
    assert list(OBJECTIVE_SCORES) == list(OBJECTIVE_SCORE)


def ranking(harness: Harness, journal: Path, by: str) -> dict[str, Any]:
    found: dict[str, Any] = harness("report", journal, "--rank", by, "--json", "-").summary["ranking"]
    return found


def test_a_journal_is_ranked_by_each_score_as_computed_by_hand(harness: Harness, tmp_path: Path) -> None:
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    for i in range(3):
        (corpus / f"{i}.wcnf").write_text(f"h 1 2 0\nh 1 3 0\nh 2 3 0\n{3 + i} -1 0\n4 -2 0\n5 -3 0\n")
    (corpus / "plain.cnf").write_text("p cnf 1 1\n1 0\n")
    journal = tmp_path / "j.sqlite"
    done = harness("run", corpus, "-b", "cpsat,better:modest,better:late", "-t", "1", "-o", journal)
    assert "3 of 4 instances" not in done.err
    scores = {
        by: {c["name"]: c["score"] for c in ranking(harness, journal, by)["contenders"]}
        for by in OBJECTIVE_SCORES
        if by != "count"
    }
    assert scores["maxsat"] == scores["pb"] == {"cpsat": 3, "better:modest": 0, "better:late": 0}
    assert scores["gap"]["better:modest"] == scores["gap"]["cpsat"] == 0
    assert scores["maxsat-anytime"]["cpsat"] == 1
    assert scores["minizinc"]["cpsat"] == 2 * 4  # it alone proves the three, and takes the formula
    ranks = ranking(harness, journal, "gap")
    assert (ranks["instances"], ranks["of"], ranks["virtual_best"]) == (3, 4, 0)
    alone = {c["name"]: c["score"] for c in ranking(harness, journal, "vbs:maxsat")["contenders"]}
    assert alone == scores["maxsat"]  # nobody else proves anything
    by_kind = harness("report", journal, "--by", "kind", "--rank", "maxsat-anytime", "--json", "-").summary["groups"]
    every = {c["name"]: c["score"] for c in by_kind["groups"][-1]["contenders"]}
    assert every == pytest.approx(scores["maxsat-anytime"])
    assert "3 of 4 instances count for this score" in harness("report", journal, "--rank", "gap").out


def test_a_score_of_values_is_refused_for_a_journal_without_objectives(harness: Harness, tmp_path: Path) -> None:
    journal = tmp_path / "j.sqlite"
    harness("run", "hardest", "-n", "2", "-b", "native:python", "-o", journal)
    done = harness("report", journal, "--rank", "gap")
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert "gap ranks by the values of objectives, and no instance of this journal has one" in done.err


def test_numbers_of_models_count_within_the_margin_of_the_exact_one() -> None:
    exact, near, half = optimum(-1000, 1.0), unproved(-1001), unproved(-600)
    other = optimum(-7, 1.0)
    of = searches([[exact, exact], [near, other], [half, half]], [-1000, -1000], [True, True])
    points = {
        by: objective_score(score_name(by)).points(of)[:, 0].tolist() for by in ("count", "count:0.1", "count:x1.8")
    }
    assert points == {"count": [1, 0, 0], "count:0.1": [1, 1, 0], "count:x1.8": [1, 1, 1]}
    score = objective_score(score_name("count:0.1"))
    assert score.counts(of).tolist() == [True, False], "exact numbers that differ decide nothing"
    assert score.beyond is not None
    assert score.beyond(of).tolist() == [0, 0, 1]
    assert (
        score_name("count:x1.8").described
        == "instances with a number of models within a factor of 1.8 of the exact one"
    )


def test_the_model_counting_competition_ranks_counters(harness: Harness, tmp_path: Path) -> None:
    (tmp_path / "a.cnf").write_text("p cnf 3 1\n1 2 0\n")
    journal = tmp_path / "j.sqlite"
    assert harness("run", tmp_path / "a.cnf", "--count", "all", "-b", "models:native", "-o", journal).code == 0
    found = harness("report", journal, "--rules", "mc-2024", "--json", "-").summary["competition"]["rankings"]
    assert [(r["score"], r["contenders"][0]["score"]) for r in found] == [
        ("count", 1), ("count:0.1", 1), ("count:x1.8", 1), ("count:20", 1)
    ]  # fmt: skip
    plain = tmp_path / "plain.sqlite"
    (tmp_path / "a.wcnf").write_text("h 1 2 0\n3 -1 0\n4 -2 0\n")
    assert harness("run", tmp_path / "a.wcnf", "-b", "cpsat", "-o", plain).code == 0
    done = harness("report", plain, "--rank", "count")
    assert (done.code, done.err) == (2, "harness: count ranks by numbers of models: run with --count all\n")
