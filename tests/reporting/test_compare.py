"""Comparison: calls need effect and significance; correctness comes first."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from harness.model.errors import BadUsage
from harness.reporting.frame import advice
from harness.reporting.frame.pairing import full_name, full_names, pair_up, sides
from harness.reporting.frame.results import aggregate
from harness.reporting.statistics.calls import Call, Thresholds, classify, overall
from harness.reporting.statistics.estimates import Ratio
from harness.reporting.views.comparing import comparison, comparison_text
from harness.reporting.views.comparing.compare import Comparison, compare
from harness.reporting.writing.writers import written
from harness.storing.journal import Journal
from tests.journals import OTHER_SETTINGS, QUIET, Times, make, noisy, puzzle


def compared(a: Path, b: Path, old: str = "x", new: str = "x") -> Comparison:
    with Journal.open(a) as left, Journal.open(b) as right:
        return compare(*sides(aggregate(left), aggregate(right), [(old, new)])[0])


def within(path: Path, old: str, new: str, threshold: float = 0.05) -> Comparison:
    with Journal.open(path) as journal:
        results = aggregate(journal)
        return compare(*sides(results, results, [(old, new)])[0], Thresholds(threshold))


@pytest.mark.parametrize(
    ("log", "low", "high", "said"),
    [
        (0.10, 0.06, 0.14, Call.REGRESSED),
        (0.03, 0.02, 0.04, Call.SAME),  # significant, but too small
        (0.10, -0.02, 0.22, Call.INCONCLUSIVE),  # large, but not significant
        (-0.10, -0.14, -0.06, Call.IMPROVED),
        (0.00, -0.04, 0.04, Call.SAME),
        (0.00, -0.06, 0.06, Call.INCONCLUSIVE),
    ],
)
def test_call_needs_effect_and_significance(log: float, low: float, high: float, said: Call) -> None:
    assert classify(Ratio(log, low, high, 100), 0.05) is said


def test_a_sure_regression_on_one_clock_is_one() -> None:
    assert overall([Call.SAME, Call.REGRESSED]) is Call.REGRESSED
    assert overall([Call.SAME, Call.INCONCLUSIVE]) is Call.SAME
    assert overall([]) is Call.INCONCLUSIVE


def test_a_ten_percent_change_is_called_and_no_change_is_same(tmp_path: Path) -> None:
    times = {"x": noisy(1), "same": noisy(2), "slow": noisy(3, factor=1.1), "fast": noisy(4, factor=0.9)}
    path = make(tmp_path / "j", times)
    assert within(path, "x", "same").call is Call.SAME
    assert within(path, "x", "slow").call is Call.REGRESSED
    assert within(path, "x", "fast").call is Call.IMPROVED
    assert within(path, "x", "slow", threshold=0.2).call is Call.SAME
    assert (within(path, "x", "same").exit, within(path, "x", "slow").exit) == (0, 3)


def test_waiting_changes_wall_time_only(tmp_path: Path) -> None:
    path = make(tmp_path / "j", {"x": noisy(1), "waits": noisy(2, factor=1.2)}, cpu_times={"waits": noisy(3)})
    found = within(path, "x", "waits")
    assert found.call is Call.REGRESSED
    assert classify(found.ratios["cpu"], 0.05) is Call.SAME


def test_drift_that_affects_both_equally_cancels_within_a_run(tmp_path: Path) -> None:
    drift = np.array([1, 1.5, 2, 1.2, 3])[:, None]
    path = make(tmp_path / "j", {"x": noisy(1) * drift, "y": noisy(2, factor=1.1) * drift})
    assert within(path, "x", "y").call is Call.REGRESSED


def test_variation_between_repeats_makes_a_comparison_inconclusive(tmp_path: Path) -> None:
    luck = np.array([1, 1.3, 0.9, 1.2, 1.0])[:, None]
    path = make(tmp_path / "j", {"x": noisy(1), "y": noisy(2) * luck})
    assert within(path, "x", "y").call is Call.INCONCLUSIVE


def test_between_journals_a_small_change_is_inconclusive_and_a_large_one_called(tmp_path: Path) -> None:
    a = make(tmp_path / "a", {"x": noisy(1)})
    assert compared(a, make(tmp_path / "b", {"x": noisy(2, factor=1.08)})).call is Call.INCONCLUSIVE
    assert compared(a, make(tmp_path / "c", {"x": noisy(3, factor=1.3)})).call is Call.REGRESSED


def test_a_slower_machine_is_not_a_regression(tmp_path: Path) -> None:
    a = make(tmp_path / "a", {"x": noisy(1)})
    slower = [[int(w * 1.3), int(c * 1.3)] for w, c in QUIET]
    assert compared(a, make(tmp_path / "b", {"x": noisy(2, factor=1.3)}, reference=slower)).call is Call.INCONCLUSIVE


def test_journals_without_reference_work_compare_as_inconclusive(tmp_path: Path) -> None:
    a = make(tmp_path / "a", {"x": noisy(1)})
    b = make(tmp_path / "b", {"x": noisy(2, factor=3)}, reference=[])
    assert compared(a, b).call is Call.INCONCLUSIVE
    with Journal.open(a) as left, Journal.open(b) as right:
        assert any(
            "no reference work" in text for text in advice.comparison_warnings(aggregate(left), aggregate(right), 100)
        )


def test_runs_of_different_settings_are_compared_with_a_warning_that_names_them(tmp_path: Path) -> None:
    a, b = make(tmp_path / "a", {"x": noisy(1)}), make(tmp_path / "b", {"x": noisy(2)}, jobs=2, scramble=True)
    with Journal.open(a) as left, Journal.open(b) as right:
        (warning,) = advice.comparison_warnings(aggregate(left), aggregate(right), 100)
    assert warning.startswith("the runs differ in scramble (False and True), jobs (1 and 2)")


def test_a_comparison_repeats_the_warnings_of_its_runs(tmp_path: Path) -> None:
    loud = make(tmp_path / "loud", {"x": noisy(1)}, reference=[[1_000_000, 1_000_000], [2_000_000, 1_000_000]] * 10)
    with Journal.open(loud) as one, Journal.open(make(tmp_path / "quiet", {"x": noisy(2)})) as two:
        before, after = aggregate(one), aggregate(two)
        assert [w.partition(":")[0] for w in advice.comparison_warnings(before, before, 100)] == ["noisy host"]
        assert any(w.startswith(f"{loud}: noisy host") for w in advice.comparison_warnings(before, after, 100))


def test_lost_and_gained_puzzles_are_named(tmp_path: Path) -> None:
    times = noisy(1, repeats=1, puzzles=8)
    a = make(tmp_path / "a", {"x": times}, odd={"x": {"undecided": [1]}})
    b = make(tmp_path / "b", {"x": times}, odd={"x": {"crashed": [2, 3]}})
    found = compared(a, b)
    assert np.flatnonzero(found.lost).tolist() == [2, 3]
    assert np.flatnonzero(found.gained).tolist() == [1]
    assert found.exit == 3


def test_undecided_on_both_sides_is_neither_lost_nor_incomplete(tmp_path: Path) -> None:
    times, odd = noisy(1, repeats=1, puzzles=8), {"x": {"undecided": [1]}}
    found = compared(make(tmp_path / "a", {"x": times}, odd=odd), make(tmp_path / "b", {"x": times}, odd=odd))
    assert not found.lost.any()
    assert found.undecided.sum() == 1
    assert (found.call, found.exit, found.strict_exit) == (Call.INCONCLUSIVE, 0, 4)


def test_satisfiable_against_unsatisfiable_is_a_conflict(tmp_path: Path) -> None:
    times = noisy(1, repeats=1, puzzles=8)
    a = make(tmp_path / "a", {"x": times}, odd={"x": {"unsatisfiable": [5]}})
    found = compared(a, make(tmp_path / "b", {"x": times}))
    assert np.flatnonzero(found.conflict).tolist() == [5]
    assert found.exit == 1


def test_an_answer_that_was_wrong_and_is_right_is_named(tmp_path: Path) -> None:
    times = noisy(1, repeats=1, puzzles=8)
    a = make(tmp_path / "a", {"x": times, "z": times}, odd={"x": {"wrong": [5]}})
    b = make(tmp_path / "b", {"x": times, "z": times})
    found = compared(a, b)
    assert (np.flatnonzero(found.mended).tolist(), found.exit) == ([5], 0)
    with Journal.open(a) as left, Journal.open(b) as right:
        result = comparison.compared(aggregate(left), aggregate(right), ("x", "x"))[1]
    lines = comparison_text.lines_below(result)
    assert [line for line in lines if line.startswith("mended: ")] == [
        f"mended: x: {result['comparisons'][0]['mended'][0]}"
    ]
    assert comparison_text.verdict(result["comparisons"][0]) == "1 mended, inconclusive"
    assert f"inconclusive: x: {comparison_text.UNKNOWN_NOISE}" in lines


def test_puzzles_are_matched_by_content_not_by_order_or_name(tmp_path: Path) -> None:
    times = noisy(1, repeats=1, puzzles=8)
    a = make(tmp_path / "a", {"x": times}, [puzzle(i) for i in range(8)], odd={"x": {"undecided": [0]}})
    b = make(tmp_path / "b", {"x": times}, [puzzle(i) for i in reversed(range(8))], odd={"x": {"undecided": [7]}})
    found = compared(a, b)
    assert found.undecided.sum() == 1
    assert not found.lost.any()


def test_amortised_times_are_compared_by_batch(tmp_path: Path) -> None:
    path = make(tmp_path / "j", {"x": noisy(1), "y": noisy(2)}, odd={"y": {"amortised": [1]}})
    with Journal.open(path) as journal:
        blocks = len(np.unique(aggregate(journal).by_name["x"].block[1:]))
    assert within(path, "x", "y").ratios["wall"].pairs == blocks == 17


def test_a_puzzle_with_a_failed_repeat_is_undecided(tmp_path: Path) -> None:
    times = noisy(1, repeats=3, puzzles=8)
    path = make(tmp_path / "j", {"x": times}, odd={"x": {"undecided": [4]}})
    with Journal.open(path) as journal:
        assert np.flatnonzero(~aggregate(journal).contenders[0].decided[1:]).tolist() == [4]


def test_contenders_are_named_as_tables_print_them_or_by_globs(tmp_path: Path) -> None:
    names = ["pysat:minisat22/direct", "pysat:glucose4/direct", "cpsat"]
    with Journal.open(make(tmp_path / "j", {name: noisy(k, 1, 4) for k, name in enumerate(names)})) as journal:
        results = aggregate(journal)
        for text in ("minisat22", "pysat:minisat22", "minisat*", "*minisat22/*"):
            assert full_name(results, text) == "pysat:minisat22/direct"
        assert full_names(results, "pysat:*") == names[:2]
        assert full_names(results, "glucose4") == names[1:2]
        with pytest.raises(
            BadUsage, match="'pysat:\\*' may be pysat:minisat22/direct or pysat:glucose4/direct: choose"
        ):
            full_name(results, "pysat:*")
        with pytest.raises(BadUsage, match="no contender 'lingeling\\*': choose from"):
            full_names(results, "lingeling*")


def test_contenders_of_one_journal_are_paired_by_environment_or_if_only_two(tmp_path: Path) -> None:
    times = noisy(1, repeats=1, puzzles=8)
    twins = make(tmp_path / "a", {"x@old": times, "x": times, "y": times})
    three = make(tmp_path / "b", {"x": times, "y": times, "z": times})
    with Journal.open(twins) as left, Journal.open(three) as right:
        a, b = aggregate(left), aggregate(right)
        assert pair_up(a, a, ()) == [("x@old", "x")]
        assert pair_up(a, b, ()) == [("x", "x"), ("y", "y")]
        with pytest.raises(BadUsage, match="--contenders"):
            pair_up(b, b, ())


@pytest.mark.parametrize("key", OTHER_SETTINGS)
def test_each_setting_in_which_two_runs_differ_is_named(key: str, tmp_path: Path) -> None:
    paths = [make(tmp_path / "a", {"x": noisy(1)}), make(tmp_path / "b", {"x": noisy(1)}, **{key: OTHER_SETTINGS[key]})]
    with Journal.open(paths[0]) as a, Journal.open(paths[1]) as b:
        (warning,) = advice.comparison_warnings(aggregate(a), aggregate(b), 100)
    assert warning.startswith(f"the runs differ in {key} (")


def test_another_python_is_named(tmp_path: Path) -> None:
    paths = [make(tmp_path / v, {"x": noisy(1)}, versions={"python": v}) for v in ("3.11.0", "3.12.0")]
    with Journal.open(paths[0]) as a, Journal.open(paths[1]) as b:
        (warning,) = advice.comparison_warnings(aggregate(a), aggregate(b), 100)
    assert "Python (3.11.0 and 3.12.0)" in warning


def slowed(times: Times, factor: float, where: slice = slice(20, 26)) -> Times:
    """Return the times with some neighbouring puzzles slowed."""
    result = times.copy()
    result[:, where] *= factor
    return result


@pytest.mark.parametrize("repeats", [1, 5])
def test_a_few_puzzles_that_became_much_slower_are_a_regression_of_their_own(tmp_path: Path, repeats: int) -> None:
    times = {"x": noisy(1, repeats, 48), "y": slowed(noisy(2, repeats, 48), 113)}
    found = within(make(tmp_path / "j", times), "x", "y")
    assert found.call is Call.INCONCLUSIVE
    assert np.flatnonzero(found.slower).tolist() == list(range(20, 26))
    assert found.exit == 3


def test_puzzles_that_became_slower_on_the_wall_alone_are_found_with_quiet_cpu_times(tmp_path: Path) -> None:
    times = {"x": noisy(1, 5, 48), "waits": slowed(noisy(2, 5, 48), 113)}
    found = within(make(tmp_path / "j", times, cpu_times={"waits": noisy(3, 5, 48)}), "x", "waits")
    assert found.call is Call.SAME
    assert found.slower.sum() == 6
    assert found.exit == 3


def test_puzzles_that_became_faster_are_named_and_no_failure(tmp_path: Path) -> None:
    times = {"x": noisy(1, 5, 48), "y": slowed(noisy(2, 5, 48), 1 / 50)}
    found = within(make(tmp_path / "j", times), "x", "y")
    assert found.faster.sum() == 6
    assert not found.slower.any()
    assert found.exit == 0


def test_a_change_of_all_puzzles_is_no_change_of_single_ones(tmp_path: Path) -> None:
    found = within(make(tmp_path / "j", {"x": noisy(1), "y": noisy(2, factor=3)}), "x", "y")
    assert found.call is Call.REGRESSED
    assert not found.slower.any()


def test_a_puzzle_slowed_in_one_repeat_of_five_is_noise(tmp_path: Path) -> None:
    after = noisy(2, 5, 48)
    after[3, 20:26] *= 113
    assert not within(make(tmp_path / "j", {"x": noisy(1, 5, 48), "y": after}), "x", "y").slower.any()


def test_an_inconclusive_comparison_says_how_many_repeats_would_decide(tmp_path: Path) -> None:
    luck = np.array([1, 1.03, 0.97])[:, None]
    times = {"x": noisy(1, 3), "y": noisy(2, 3, factor=1.08) * luck, "differs": noisy(3, 3)}
    times["differs"] = times["differs"] * np.exp(np.random.default_rng(1).normal(0, 0.5, 100))
    path = make(tmp_path / "j", times)
    noise, instances = within(path, "x", "y"), within(path, "x", "differs")
    assert (noise.call, instances.call) == (Call.INCONCLUSIVE, Call.INCONCLUSIVE)
    assert 3 < (noise.repeats or 0) < 12
    assert instances.repeats is None


def shown(a: Path, b: Path, width: int, named: tuple[str, ...] = ()) -> list[str]:
    """Return the lines of the table for a terminal of `width` characters."""
    with Journal.open(a) as left, Journal.open(b) as right:
        found = comparison.compared(aggregate(left), aggregate(right), named)[1]
    return written(replace(comparison_text.table(found), notes=()), "table", width).splitlines()


def test_a_narrow_terminal_shows_the_same_in_fewer_columns(tmp_path: Path) -> None:
    name, other = "pysat:cadical195/extended", "pysat:glucose42/extended"
    odd = {name: {"undecided": [0]}}
    times = {name: noisy(1), other: noisy(2)}
    before, after = make(tmp_path / "a", times), make(tmp_path / "b", times)
    lost = make(tmp_path / "c", times, odd=odd)
    (heads, *_, last) = shown(before, after, 200)
    assert heads.split()[:3] == ["before", "after", "verdict"]
    assert heads.endswith("puzzles  conflict  wrong  lost  gained")
    assert last.startswith(other)
    both = shown(before, after, len(heads) - 1)
    assert both[0].split()[:2] == ["contender", "verdict"]
    assert both[0].endswith("puzzles  conflict  wrong  lost  gained")
    one = shown(before, before, 120, (name, other))
    assert one[0].split()[:2] == ["before", "after"]
    assert one[0].endswith("puzzles")
    assert one[-1] == "all 0: conflict, wrong, lost, gained"
    least = shown(before, before, len(one[0]) - 1, (name, other))
    assert least[0].endswith("wall time")
    assert least[-1].endswith(f" | puzzles: {noisy(1).shape[1]}")
    part = shown(before, lost, 90)
    assert part[0].endswith("wall time  lost")
    assert part[-1] == f"all 0: conflict, wrong, gained | puzzles: {noisy(1).shape[1]}"
    assert max(map(len, [*shown(before, after, 120), *one, *part])) <= 120
