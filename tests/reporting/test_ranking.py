"""Rankings: scores as their sources define them, intervals, and groups of contenders that do not differ."""

from collections.abc import Callable
from itertools import combinations, product
from math import factorial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from harness.model.errors import BadUsage
from harness.reporting import statistics
from harness.reporting.comparing.measures import SCORES
from harness.reporting.plots.bootstrap import mean_interval
from harness.reporting.ranking import differences, scores
from harness.reporting.ranking.ranks import Ranking, rank
from harness.reporting.statistics import Floats
from harness.runs.runner import Run
from harness.storing.journal import open_journal
from tests.conftest import Harness
from tests.journals import make, noisy

NAN = np.nan
TIMES = np.array([[1.0, 3.0, NAN, NAN, 0.0], [3.0, 3.0, 4.0, NAN, 0.0], [9.0, NAN, 9.0, NAN, 2.0]])
LIMIT = 10.0


def some_times(seed: int, contenders: int = 4, instances: int = 5) -> Floats:
    """Return random times of which some are equal and some undecided."""
    rng = np.random.default_rng(seed)
    times = rng.integers(0, 6, (contenders, instances)).astype(np.float64)
    times[rng.random(times.shape) < 0.3] = NAN
    return times


def saved_by(times: Floats, coalition: tuple[int, ...]) -> float:
    """Return the PAR-2 that the virtual best of a coalition saves, against contenders that decide nothing."""
    total = 0.0
    for instance in times.T:
        decided = [float(t) for t in instance[list(coalition)] if not np.isnan(t)]
        total += 2 * LIMIT - min(decided) if decided else 0.0
    return float(total / times.shape[1])


def decided_by(times: Floats, coalition: tuple[int, ...]) -> float:
    return float(np.count_nonzero((~np.isnan(times[list(coalition)])).any(axis=0)))


def shapley_value(times: Floats, one: int, worth: Callable[[Floats, tuple[int, ...]], float]) -> float:
    """Return the Shapley value by its definition, a weighted sum over all coalitions of the others."""
    others, n = [i for i in range(len(times)) if i != one], len(times)
    value = 0.0
    for size in range(n):
        weight = factorial(size) * factorial(n - size - 1) / factorial(n)
        value += sum(weight * (worth(times, (*c, one)) - worth(times, c)) for c in combinations(others, size))
    return value


@pytest.mark.parametrize("seed", range(5))
def test_shapley_values_are_those_of_the_definition_over_all_coalitions(seed: int) -> None:
    times = some_times(seed)
    found = scores.SCORE["shapley"].points(times, LIMIT).mean(axis=1)
    assert found == pytest.approx([shapley_value(times, i, saved_by) for i in range(4)])
    found = scores.SCORE["shapley-solved"].points(times, LIMIT).sum(axis=1)
    assert found == pytest.approx([shapley_value(times, i, decided_by) for i in range(4)])


def test_shapley_values_add_up_to_what_the_virtual_best_saves() -> None:
    found = scores.SCORE["shapley"].points(TIMES, LIMIT).mean(axis=1)
    assert found.sum() == pytest.approx(2 * LIMIT - statistics.portfolio(TIMES, LIMIT).best)


@pytest.mark.parametrize("seed", range(5))
def test_the_marginal_contribution_is_the_difference_of_two_virtual_best_solvers(seed: int) -> None:
    times, everyone = some_times(seed), (0, 1, 2, 3)
    found = scores.SCORE["vbs"].points(times, LIMIT).mean(axis=1)
    without = [saved_by(times, tuple(j for j in everyone if j != i)) for i in everyone]
    assert found == pytest.approx([saved_by(times, everyone) - rest for rest in without])
    assert statistics.portfolio(times, LIMIT).worth.tolist() == found.tolist()


def test_borda_points_split_by_time_where_both_decided() -> None:
    first, second, third = scores.SCORE["borda"].points(TIMES, LIMIT)
    assert first == pytest.approx([3 / 4 + 9 / 10, 1 / 2 + 1, 0, 0, 1 / 2 + 1])
    assert second == pytest.approx([1 / 4 + 9 / 12, 1 / 2 + 1, 1 + 9 / 13, 0, 1 / 2 + 1])
    assert third == pytest.approx([1 / 10 + 3 / 12, 0, 1 + 4 / 13, 0, 0])


def test_par_and_solved_are_counted_by_hand() -> None:
    assert scores.SCORE["par2"].points(TIMES, LIMIT).mean(axis=1) == pytest.approx([44 / 5, 30 / 5, 60 / 5])
    assert scores.SCORE["par10"].points(TIMES, LIMIT).mean(axis=1) == pytest.approx([204 / 5, 110 / 5, 220 / 5])
    assert scores.SCORE["solved"].points(TIMES, LIMIT).sum(axis=1).tolist() == [3, 4, 3]


def test_every_score_that_the_help_names_is_defined() -> None:
    assert list(SCORES) == list(scores.SCORE)


def test_the_signed_rank_test_is_that_of_all_signs() -> None:
    for values in ([1.0, -2.0, 3.0, 4.0, 5.0], [2.0, 2.0, -2.0, 1.0, 0.0, 0.0, 7.0], [0.0, 3.0], [1.0] * 8):
        d = np.array(values)
        sizes = np.array([1 + (np.abs(d) < x).sum() + ((np.abs(d) == x).sum() - 1) / 2 for x in np.abs(d)])
        sizes[d == 0] = 0
        every = [float(sizes[np.array(signs)].sum()) for signs in product((False, True), repeat=len(d))]
        seen = float(sizes[d > 0].sum())
        tails = [sum(w <= seen for w in every), sum(w >= seen for w in every)]
        assert differences.signed_rank_test(d) == pytest.approx(min(1, 2 * min(tails) / len(every)))
    table = np.array([1, 2, -3, 4, -5, 6, 7, 8, 9, 10.0])  # the smaller sum is 8, critical for 10 pairs at 5 %
    assert differences.signed_rank_test(table) == pytest.approx(0.0488, abs=5e-5)


def test_the_normal_distribution_of_many_differences_is_close_to_the_exact_one(monkeypatch: pytest.MonkeyPatch) -> None:
    d = np.random.default_rng(1).normal(0.2, 1, 40)
    normal = differences.signed_rank_test(d)
    monkeypatch.setattr(differences, "EXACT", 40)
    assert normal == pytest.approx(differences.signed_rank_test(d), rel=0.1)


def test_no_difference_is_no_evidence() -> None:
    assert differences.signed_rank_test(np.zeros(9)) == 1


def test_holm_multiplies_by_the_hypotheses_left() -> None:
    assert differences.holm(np.array([0.01, 0.04, 0.03, 0.005])) == pytest.approx([0.03, 0.06, 0.06, 0.02])


def test_equal_values_share_their_ranks() -> None:
    values = np.array([[3.0, 1.0, 3.0, 2.0]])
    assert differences.ranks(values).tolist() == [[3, 1, 3, 2]]
    assert differences.mean_ranks(values).tolist() == [[3.5, 1, 3.5, 2]]


def test_groups_are_the_longest_runs_without_a_difference() -> None:
    differ = np.zeros((4, 4), np.bool_)
    for a, b in ((0, 2), (0, 3), (1, 3)):
        differ[a, b] = differ[b, a] = True
    assert differences.groups_of(np.arange(4), differ) == [[0, 1], [1, 2], [2, 3]]
    assert differences.groups_of(np.arange(4), ~np.eye(4, dtype=np.bool_)) == [[0], [1], [2], [3]]


def ranking(path: Path, by: str, clock: str = "wall") -> Ranking:
    with open_journal(path) as journal:
        return rank(Run(journal).rejudge().results(), by, clock)


def three(folder: Path, **more: Any) -> Path:
    """Return a journal of two contenders that are alike and one that is three times slower."""
    times = {"x": noisy(1, 3, 40), "slow": noisy(3, 3, 40, factor=3.0), "y": noisy(2, 3, 40)}
    return make(folder / "j.sqlite", times, **more)


def test_contenders_that_are_alike_share_ranks_and_a_group(tmp_path: Path) -> None:
    found = ranking(three(tmp_path), "par2")
    assert {c.name for c in found.contenders[:2]} == {"x", "y"}
    assert [(c.rank_low, c.rank_high) for c in found.contenders] == [(1, 2), (1, 2), (3, 3)]
    assert found.groups is not None
    assert [set(group) for group in found.groups] == [{"x", "y"}, {"slow"}]


def test_par2_and_its_interval_are_those_of_the_summary_and_of_the_plots(tmp_path: Path) -> None:
    path = three(tmp_path, odd={"y": {"undecided": [0, 7]}})
    with open_journal(path) as journal:
        run = Run(journal).rejudge()
        summary, results = run.summary(), run.results()
        found = {c.name: c for c in rank(results, "par2").contenders}
        for entry in summary["contenders"]:
            one = found[entry["name"]]
            assert one.score == pytest.approx(entry["par2"])
            spent = results.by_name[one.name].wall[1:]
            interval = mean_interval(np.where(np.isnan(spent), 2 * results.settings.limit, spent))
            assert (one.low, one.high) == pytest.approx(interval)


@pytest.mark.parametrize("by", SCORES)
def test_a_contender_with_a_wrong_answer_ranks_last_by_every_score(by: str, tmp_path: Path) -> None:
    times = {"liar": noisy(1, 1, 20, factor=0.1), "x": noisy(2, 1, 20), "slow": noisy(3, 1, 20, factor=9.0)}
    path = make(tmp_path / "j.sqlite", times, odd={"liar": {"unsatisfiable": [3]}, "slow": {"undecided": [1, 2]}})
    found = ranking(path, by).contenders
    assert [(c.name, c.rank, c.wrong) for c in found] == [("x", 1, False), ("slow", 2, False), ("liar", 3, True)]
    assert (found[2].rank_low, found[2].rank_high) == (3, 3)


def test_equal_numbers_of_solved_instances_are_told_apart_by_time(tmp_path: Path) -> None:
    found = ranking(three(tmp_path), "solved").contenders
    assert [c.score for c in found] == [40, 40, 40]
    assert found[2].name == "slow"
    assert found[2].rank == 3


def test_a_ranking_by_cpu_time_takes_its_times(tmp_path: Path) -> None:
    times = {"x": noisy(1, 1, 20), "y": noisy(2, 1, 20, factor=5.0)}
    path = make(tmp_path / "j.sqlite", times, cpu_times={"x": 9 * times["x"]})
    assert [c.name for c in ranking(path, "par2").contenders] == ["x", "y"]
    assert [c.name for c in ranking(path, "par2", "cpu").contenders] == ["y", "x"]


def test_contenders_whose_times_can_not_be_trusted_have_no_rank_by_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("harness.reporting.plots.definitions.mistimed", lambda _: {"x"})
    path = three(tmp_path)
    assert [c.name for c in ranking(path, "par2").contenders] == ["y", "slow", "x"]
    last = ranking(path, "borda").contenders[-1]
    assert (last.name, last.rank, last.score, last.mean_rank) == ("x", None, None, None)
    assert ranking(path, "solved").contenders[-1].rank == 3, "it decided as many, but its times count for nothing"


def test_an_unknown_score_is_bad_usage(tmp_path: Path) -> None:
    with pytest.raises(BadUsage, match="'par3' is no score: choose from par2, par10"):
        ranking(three(tmp_path), "par3")


def test_report_prints_the_ranking_and_writes_it_as_json_and_csv(tmp_path: Path, harness: Harness) -> None:
    path = three(tmp_path)
    text = harness("report", path, "--rank", "borda").out
    table = text[text.index("rank  contender") :].splitlines()
    assert [line.split()[-1] for line in table[2:5]] == ["a", "a", "b"]
    assert "borda: points of the MiniZinc challenge" in text
    found = harness("report", path, "--rank", "borda", "--json", "-").summary["ranking"]
    assert (found["score"], found["clock"], found["instances"], found["level"]) == ("borda", "wall", 40, 0.95)
    assert sum(c["score"] for c in found["contenders"]) == pytest.approx(3 * 40), "a point for each pair and instance"
    heads, first, *_ = harness("report", path, "--rank", "par2", "--format", "csv").out.splitlines()
    assert heads == "contender,par2,rank,low,high,rank low,rank high,mean rank,group"
    assert first.split(",")[2] == "1"
    both = harness("report", path, "--format", "csv", "--rank", "par2", "--vbs")
    assert (both.code, both.err) == (2, "harness: --format csv prints one table: choose --vbs or --rank\n")
