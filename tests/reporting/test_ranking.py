"""Rankings: scores as their sources define them, intervals, and groups of contenders that do not differ."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from itertools import combinations
from math import factorial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from harness.model.errors import BadUsage
from harness.reporting.statistics import differences, estimates
from harness.reporting.statistics.estimates import Floats
from harness.reporting.statistics.steady import Steady
from harness.reporting.statistics.workers import Workers
from harness.reporting.views.comparing.measures import SCORES, score_name
from harness.reporting.views.figures import definitions
from harness.reporting.views.ranking import scores
from harness.reporting.views.ranking.named import contribution, virtual_best
from harness.reporting.views.ranking.rank_text import group_letters, rank_table
from harness.reporting.views.ranking.ranks import Ranked, Ranking, rank
from harness.reporting.writing.writers import written
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
    found = scores.SCORE["shapley"].points(scores.Performance(times, LIMIT)).mean(axis=1)
    assert found == pytest.approx([shapley_value(times, i, saved_by) for i in range(4)])
    found = scores.SCORE["shapley-solved"].points(scores.Performance(times, LIMIT)).sum(axis=1)
    assert found == pytest.approx([shapley_value(times, i, decided_by) for i in range(4)])


def test_shapley_values_add_up_to_what_the_virtual_best_saves() -> None:
    found = scores.SCORE["shapley"].points(scores.Performance(TIMES, LIMIT)).mean(axis=1)
    assert found.sum() == pytest.approx(2 * LIMIT - estimates.portfolio(TIMES, LIMIT).best)


@pytest.mark.parametrize("seed", range(5))
def test_the_marginal_contribution_is_the_difference_of_two_virtual_best_solvers(seed: int) -> None:
    times, everyone = some_times(seed), (0, 1, 2, 3)
    found = scores.SCORE["vbs"].points(scores.Performance(times, LIMIT)).mean(axis=1)
    without = [saved_by(times, tuple(j for j in everyone if j != i)) for i in everyone]
    assert found == pytest.approx([saved_by(times, everyone) - rest for rest in without])
    assert estimates.portfolio(times, LIMIT).worth.tolist() == found.tolist()


def test_borda_points_split_by_time_where_both_decided() -> None:
    first, second, third = scores.SCORE["borda"].points(scores.Performance(TIMES, LIMIT))
    assert first == pytest.approx([3 / 4 + 9 / 10, 1 / 2 + 1, 0, 0, 1 / 2 + 1])
    assert second == pytest.approx([1 / 4 + 9 / 12, 1 / 2 + 1, 1 + 9 / 13, 0, 1 / 2 + 1])
    assert third == pytest.approx([1 / 10 + 3 / 12, 0, 1 + 4 / 13, 0, 0])


def test_par_and_solved_are_counted_by_hand() -> None:
    of = scores.Performance(TIMES, LIMIT)
    assert scores.SCORE["par2"].points(of).mean(axis=1) == pytest.approx([44 / 5, 30 / 5, 60 / 5])
    assert scores.SCORE["par10"].points(of).mean(axis=1) == pytest.approx([204 / 5, 110 / 5, 220 / 5])
    assert scores.SCORE["solved"].points(of).sum(axis=1).tolist() == [3, 4, 3]


def test_a_shifted_geometric_mean_is_computed_by_hand() -> None:
    of, score = scores.Performance(TIMES, LIMIT), scores.SCORE["sgm"]
    wanted = np.exp(np.log(np.where(np.isnan(TIMES), LIMIT, TIMES) + 10).mean(axis=1)) - 10
    assert score.of_means(score.points(of).mean(axis=1), 5) == pytest.approx(wanted)
    assert score_name("sgm:0.5").described.startswith("shifted geometric mean of times, shift 0.5 s, the limit")


def test_a_score_that_is_a_time_is_compared_with_the_best_and_has_its_allowance_apart(
    tmp_path: Path, harness: Harness
) -> None:
    path = three(tmp_path)
    for by in ("par2", "sgm:1"):
        first, *_, last = (vars(c) for c in ranking(path, by).contenders)
        assert (first["ratio"], last["ratio"]) == (1, pytest.approx(last["score"] / first["score"]))
        assert first["score"] < first["seen_high"] < first["high"]
    text = harness("report", path, "--rank", "par2").out
    assert (
        "with unseen: upper end that allows for one more instance, undecided; with none undecided of 40 up to" in text
    )
    assert "with unseen" not in harness("report", path, "--rank", "solved").out


def test_every_score_that_the_help_names_is_defined() -> None:
    assert set(SCORES) == set(scores.SCORE)


@pytest.mark.parametrize(("kind", "base", "own"), [("vbs", "par2", "vbs"), ("shapley", "solved", "shapley-solved")])
def test_contributions_to_a_score_are_those_that_have_a_name(kind: str, base: str, own: str) -> None:
    of = scores.Performance(some_times(3), LIMIT)
    found = contribution(scores.SCORE[base], kind).points(of)
    assert found == pytest.approx(scores.SCORE[own].points(of))


def test_the_virtual_best_has_the_best_of_each_instance() -> None:
    of = scores.Performance(TIMES, LIMIT)
    assert virtual_best(scores.SCORE["par2"], of) == pytest.approx((1 + 3 + 4 + 20 + 0) / 5)
    assert virtual_best(scores.SCORE["solved"], of) == 4


@pytest.mark.parametrize(
    "text", ["par3", "vbs:vbs", "vbs:shapley-solved", "shapley:vbs:par2", "target:x", "target:", ""]
)
def test_what_is_no_score_is_refused_by_name(text: str) -> None:
    with pytest.raises(ValueError, match="is no score: choose from par2"):
        score_name(text)


def test_holm_multiplies_by_the_hypotheses_left() -> None:
    assert differences.holm(np.array([0.01, 0.04, 0.03, 0.005])) == pytest.approx([0.03, 0.06, 0.06, 0.02])


def test_equal_values_share_their_ranks() -> None:
    values = np.array([[3.0, 1.0, 3.0, 2.0]])
    assert differences.ranks(values).tolist() == [[3, 1, 3, 2]]
    assert differences.mean_ranks(values).tolist() == [[3.5, 1, 3.5, 2]]


def test_groups_are_the_longest_runs_without_a_difference() -> None:
    behind = np.zeros((4, 4), np.bool_)
    for pair in ((0, 2), (0, 3), (1, 3)):
        behind[pair] = True
    assert differences.groups_of(np.arange(4), behind) == [[0, 1], [1, 2], [2, 3]]
    assert differences.groups_of(np.arange(4), np.triu(np.ones((4, 4), np.bool_), 1)) == [[0], [1], [2], [3]]


def test_a_difference_counts_only_where_those_around_it_are_shown_too() -> None:
    differ = np.triu(np.ones((4, 4), np.bool_), 1)
    assert np.triu(differences.closed(differ), 1).tolist() == differ.tolist()
    differ[1, 3] = False  # the last has few instances, say
    rows, columns = np.nonzero(np.triu(differences.closed(differ), 1))
    assert list(zip(rows.tolist(), columns.tolist(), strict=True)) == [(0, 1), (0, 2), (0, 3)]


def keys_of(points: Floats, slopes: Floats | None = None) -> differences.Keys:
    """Return keys of contenders that were asked all, the least mean first."""
    n = len(points)
    asked, wrong = np.ones(points.shape, np.bool_), np.zeros(n, np.bool_)
    blocks, slopes = np.arange(points.shape[1]), np.zeros((n, n)) if slopes is None else slopes
    return differences.Keys(points, asked, points.mean(axis=1), slopes, wrong, blocks)


NO_WORKERS = Workers(np.zeros((2, 0)), 0.0)


def test_the_test_of_a_pair_is_students_of_its_differences() -> None:
    apart = np.array([0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0])  # W. S. Gosset, 1908: t = 1.326
    found = differences.pair_test(keys_of(np.array([np.zeros(10), apart])), NO_WORKERS, 0, 1)
    assert found == pytest.approx(0.2176, abs=1e-4)


def test_equal_differences_of_few_instances_prove_no_more_than_their_signs() -> None:
    for n in (2, 5, 6, 9):
        found = differences.pair_test(keys_of(np.array([np.ones(n), np.full(n, 2.0)])), NO_WORKERS, 0, 1)
        assert found == pytest.approx(2.0 ** (1 - n))
    assert differences.pair_test(keys_of(np.ones((2, 9))), NO_WORKERS, 0, 1) == 1, "no difference is no evidence"


def test_a_turn_that_slows_a_whole_block_counts_as_one_observation() -> None:
    """Twenty blocks of ten: differences by block alone are known no better than from twenty instances."""
    rng = np.random.default_rng(3)
    apart = np.repeat(rng.normal(1.0, 2.0, 20), 10)
    alone = keys_of(np.array([np.zeros(200), apart]))
    together = alone._replace(blocks=np.repeat(np.arange(20), 10))
    one_each = keys_of(np.array([np.zeros(20), apart[::10]]))
    expected = differences.pair_test(one_each, NO_WORKERS, 0, 1)
    assert differences.pair_test(together, NO_WORKERS, 0, 1) == pytest.approx(expected, rel=1e-6)
    assert differences.pair_test(alone, NO_WORKERS, 0, 1) < expected / 10


def test_a_test_that_speaks_against_the_order_of_the_scores_shows_nothing() -> None:
    """One heavy instance decides the order of the means; the ratios of the times without drift say the contrary."""
    times = np.array([np.ones(60), np.ones(60)])
    times[1, 1:], times[1, 0] = 0.8, 30.0
    levels = tuple(Steady(row.copy(), 0.01, 0.0) for row in (times[0], times[0] * 0.8))
    keys = keys_of(times)._replace(blocks=np.repeat(np.arange(15), 4), steady=levels)
    assert times[1].mean() > times[0].mean()
    assert differences.pair_test(keys, NO_WORKERS, 0, 1) == 1


@pytest.mark.parametrize(("noise", "weighs"), [(0.0, True), (1e-12, True), (4.0, False)])
def test_times_weigh_as_far_as_ratios_differ_by_more_than_noise(noise: float, weighs: bool) -> None:
    """The contender is slower on long instances and faster on short ones: only real differences weigh by time."""
    time = np.array([100.0, 1.0] * 30)
    ratio = np.where(time > 1, 1.2, 0.7) * np.exp(np.tile([0.01, 0.01, -0.01, -0.01], 15))
    levels = (Steady(time, noise, 0.0), Steady(time * ratio, noise, 0.0))
    keys = keys_of(np.array([time, time * ratio]))._replace(blocks=np.repeat(np.arange(15), 4), steady=levels)
    assert (differences.pair_test(keys, NO_WORKERS, 0, 1) < 0.001) == weighs


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
    assert (found.workers, found.sure) == ("measured", 40)
    assert found.groups is not None
    assert [set(group) for group in found.groups] == [{"x", "y"}, {"slow"}]


def test_par2_and_its_interval_are_those_of_the_summary_and_of_the_plots(tmp_path: Path) -> None:
    path = three(tmp_path, odd={"y": {"undecided": [0, 7]}})
    with open_journal(path) as journal:
        run = Run(journal).rejudge()
        summary, results = run.summary(), run.results()
        found = {c.name: c for c in rank(results, "par2").contenders}
        bars = {bar.name: bar for bar in definitions.par2(definitions.columns(results), results.settings.limit)}
        for entry in summary["contenders"]:
            one, bar = found[entry["name"]], bars[entry["name"]]
            assert one.score == pytest.approx(entry["par2"])
            assert (one.low, one.high) == pytest.approx((bar.low, bar.high))


def copies(folder: Path, repeats: int, spread: float, factor: float = 1.0, puzzles: int = 100) -> Path:
    """Return a journal of four copies of a solver whose workers differ by `spread`; the last is slower by `factor`."""
    rng = np.random.default_rng(1)
    times = {}
    for k in range(4):
        workers = np.exp(rng.normal(0, spread, (repeats, 1)))
        times[f"copy@{k}"] = noisy(k, repeats, puzzles, factor=factor if k == 3 else 1.0) * workers
    return make(folder / f"{repeats}-{spread}-{factor}.sqlite", times)


@pytest.mark.parametrize("by", SCORES)
@pytest.mark.parametrize("repeats", [1, 2, 5])
def test_copies_of_a_solver_are_not_told_apart_however_their_workers_differ(
    repeats: int, by: str, tmp_path: Path
) -> None:
    found = ranking(copies(tmp_path, repeats, 0.05), by)
    assert [(c.rank_low, c.rank_high) for c in found.contenders] == [(1, 4)] * 4
    assert found.groups is not None
    assert len(found.groups) == 1


def test_a_slower_copy_is_told_apart_with_enough_repeats(tmp_path: Path) -> None:
    found = ranking(copies(tmp_path, 5, 0.02, 1.2), "par2")
    assert (found.contenders[-1].name, found.contenders[-1].rank_low) == ("copy@3", 4)
    assert found.groups is not None
    assert [set(group) for group in found.groups] == [{"copy@0", "copy@1", "copy@2"}, {"copy@3"}]


def test_one_repeat_says_that_workers_are_assumed(tmp_path: Path, harness: Harness) -> None:
    text = harness("report", copies(tmp_path, 1, 0.02), "--rank", "par2").out
    assert "one repeat does not show how workers differ: 10% is assumed; use -r 5" in text
    assert "is assumed" not in harness("report", copies(tmp_path, 2, 0.02), "--rank", "par2").out


def test_an_interval_allows_for_failures_that_were_not_seen(tmp_path: Path) -> None:
    found = ranking(three(tmp_path, limit=10.0), "par2").contenders[0]
    assert found.score is not None
    assert found.high is not None
    assert found.high - found.score == pytest.approx(20 * (1 - 0.025 ** (1 / 40)), rel=0.05)
    solved = ranking(tmp_path / "j.sqlite", "solved").contenders[0]
    assert solved.low == pytest.approx(40 * 0.025 ** (1 / 40), rel=0.01)
    assert solved.high == 40


@pytest.mark.parametrize("by", SCORES)
def test_no_letter_contradicts_the_order(by: str, tmp_path: Path) -> None:
    times, odd = {}, {}
    for k in range(8):
        rng = np.random.default_rng(k)
        times[f"s{k}"] = noisy(k, 2, 40, noise=0.1 + k % 3, factor=1.2**k)
        odd[f"s{k}"] = {"undecided": np.flatnonzero(rng.random(40) < 0.05 * (k % 4)).tolist()}
    found = ranking(make(tmp_path / "j.sqlite", times, odd=odd, limit=0.1), by)
    letters = group_letters(found)
    order = [letters[c.name] for c in found.contenders]
    assert [s[0] for s in order] == sorted(s[0] for s in order)
    assert [s[-1] for s in order] == sorted(s[-1] for s in order)
    for a, b in combinations(found.contenders, 2):
        apart = not set(letters[a.name]) & set(letters[b.name])
        assert apart == any({a.name, b.name} <= {x.name, y.name} for x, y in shown_apart(found)), by


def shown_apart(found: Ranking) -> list[tuple[Ranked, Ranked]]:
    """Return the pairs of which the first surely ranks before the second, by their intervals of ranks."""
    pairs = combinations(found.contenders, 2)
    order = list(found.contenders)
    return [(a, b) for a, b in pairs if b.rank_low is not None and b.rank_low > order.index(a) + 1]


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
    monkeypatch.setattr("harness.reporting.views.figures.definitions.mistimed", lambda _: {"x"})
    path = three(tmp_path)
    assert [c.name for c in ranking(path, "par2").contenders] == ["y", "slow", "x"]
    last = ranking(path, "borda").contenders[-1]
    assert (last.name, last.rank, last.score, last.mean_rank) == ("x", None, None, None)
    assert ranking(path, "solved").contenders[-1].rank == 3, "it decided as many, but its times count for nothing"


def test_an_unknown_score_is_bad_usage(tmp_path: Path) -> None:
    with pytest.raises(BadUsage, match=r"'par3' is no score: choose from .*par2, par10"):
        ranking(three(tmp_path), "par3")


def test_a_number_that_contenders_count_ranks_them_over_the_instances_that_all_of_them_decided(
    tmp_path: Path, harness: Harness
) -> None:
    path = three(tmp_path, odd={"slow": {"undecided": [0]}})
    with closing(sqlite3.connect(path)) as db:
        db.execute("update outcomes set decisions = null, conflicts = null")
        db.execute("update outcomes set conflicts = 100 * contender + puzzle where contender < 2")
        db.commit()
    found = harness("report", path, "--rank", "conflicts", "--json", "-").summary["ranking"]
    assert (found["instances"], found["of"]) == (39, 40)
    assert [(c["name"], c["rank"], c["score"]) for c in found["contenders"]] == [
        ("x", 1, 21.0),
        ("slow", 2, 121.0),
        ("y", None, None),
    ], "means of the instances 2 to 40; y counts nothing"
    assert found["groups"] == [["x"], ["slow"]]
    text = harness("report", path, "--rank", "conflicts").out
    assert "conflicts: mean conflicts over the instances that all contenders with the number decided; less is" in text
    for words, why in (
        (("--rank", "decisions"), "--rank decisions: no contender has this number"),
        (("--rank", "number:learned"), "j.sqlite has decisions, conflicts"),
        (("--rank", "learned"), "'learned' is no score: choose from par2"),
    ):
        refused = harness("report", path, *words)
        assert (refused.code, why in refused.err) == (2, True), refused.err


def test_a_run_refuses_a_score_that_it_can_not_have_before_it_starts(harness: Harness, tmp_path: Path) -> None:
    (tmp_path / "one.txt").write_text("#: sudoku 2x2\n1.34341221434321\n")
    refused = harness("run", "one.txt", "-b", "native:norvig", "--rank", "number:learned", "-o", "j.sqlite")
    assert (refused.code, "--rank number:learned: state the number" in refused.err) == (2, True)
    assert not (tmp_path / "j.sqlite").exists()


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
    assert heads == "contender,par2,vs best,rank,low,high,rank low,rank high,mean rank,group,seen low,seen high"
    assert first.split(",")[2:4] == ["1.0", "1"]
    both = harness("report", path, "--format", "csv", "--rank", "par2", "--vbs")
    assert (both.code, both.err) == (2, "harness: --format csv prints one table: choose --vbs or --rank\n")


def test_a_ranking_fits_80_columns_and_says_what_it_leaves_out() -> None:
    names = [f"pysat:solver-{i}/extended+sequential-counter+linear=totalizer" for i in range(3)]
    ranked = tuple(Ranked(name, False, i + 1, 1, 3, i + 1.0, i + 0.5, i + 1.5, 2.0) for i, name in enumerate(names))
    ranking = Ranking("par2", "wall", 5, ranked, (tuple(names),), None, None, 10.0, "wall", False)
    table = replace(rank_table(ranking), notes=())
    wide, narrow = (written(table, "table", width).splitlines() for width in (None, 80))
    assert max(map(len, wide)) > 80 >= max(map(len, narrow))
    assert "omitted to fit 80 columns" in " ".join(narrow) or "names without" in " ".join(narrow)
    assert written(table, "csv", 80) == written(table, "csv")
