"""False calls and power of `compare` on synthetic runs: a small version of benchmarks/synthetic.py."""

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.append(str(Path(__file__).resolve().parents[2] / "benchmarks"))

from synthetic import Cell, calls, single_calls

from harness.reporting.statistics.calls import Call
from harness.reporting.statistics.single import changed

TRIALS = 120


@pytest.mark.parametrize("worker", [0.0, 0.025, 0.05, 0.1])
@pytest.mark.parametrize("repeats", [1, 2, 3, 5])
def test_equal_contenders_are_hardly_ever_called_different_however_much_workers_differ(
    worker: float, repeats: int
) -> None:
    said = calls(Cell(repeats, worker=worker), TRIALS)
    assert said[Call.REGRESSED] + said[Call.IMPROVED] <= 0.035 * TRIALS


def test_a_ten_percent_effect_is_always_called_with_five_repeats() -> None:
    assert calls(Cell(5, 0.1, worker=0.01), TRIALS)[Call.REGRESSED] == TRIALS


def test_an_effect_at_the_threshold_is_called_four_times_in_five_with_ten_repeats() -> None:
    assert calls(Cell(10, 0.05, worker=0.025), TRIALS)[Call.REGRESSED] >= 0.8 * TRIALS


def test_one_repeat_decides_only_effects_beyond_what_workers_can_do() -> None:
    assert calls(Cell(1, 0.1), TRIALS) == {Call.INCONCLUSIVE: TRIALS}
    assert calls(Cell(1, 1.0), TRIALS)[Call.REGRESSED] == TRIALS


def test_instances_whose_effects_differ_hide_a_small_mean_effect() -> None:
    assert calls(Cell(5, 0.1, instance=0.5), TRIALS)[Call.REGRESSED] < 0.2 * TRIALS


@pytest.mark.parametrize("repeats", [1, 2, 3, 5])
@pytest.mark.parametrize(("noise", "hiccups"), [(0.02, 0.01), (0.5, 0.05)])
def test_a_hundred_thousand_equal_instances_give_no_single_call(repeats: int, noise: float, hiccups: float) -> None:
    cell = Cell(repeats, worker=0.02, instances=100_000, noise=noise, hiccups=hiccups)
    assert single_calls(cell, 1) == (0, 0)


@pytest.mark.parametrize("repeats", [2, 3, 5])
def test_a_noisy_few_among_many_quiet_instances_give_no_single_call(repeats: int) -> None:
    rng = np.random.default_rng(3)
    deviations = np.where(np.arange(20_000) < 200, 0.7, 0.02)
    x, y = (np.exp(rng.normal(0, 1, (repeats, 20_000)) * deviations) for _ in range(2))
    slower, faster = changed(x, y, "wall")
    assert not slower.any()
    assert not faster.any()


@pytest.mark.parametrize(("repeats", "share"), [(1, 1.0), (2, 0.95), (3, 1.0), (5, 1.0)])
def test_six_of_48_instances_that_became_113_times_slower_are_found(repeats: int, share: float) -> None:
    right, false = single_calls(Cell(repeats, worker=0.02, instances=48), 20, slowed=6, factor=113)
    assert right >= share * 120
    assert false == 0


def test_slow_instances_are_found_although_asks_are_disturbed_now_and_then() -> None:
    right, _ = single_calls(Cell(5, worker=0.02, instances=48, hiccups=0.02), 20, slowed=6, factor=113)
    assert right >= 0.9 * 120
