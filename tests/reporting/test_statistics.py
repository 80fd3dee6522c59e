"""Statistics of times."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.reporting.statistics import estimates as stats
from harness.reporting.statistics.times import others_deviation


def test_median_by_key_takes_even_and_odd_numbers_of_repeats() -> None:
    keys, values = np.array([2, 1, 2, 1, 2]), np.array([30, 1, 10, 2, 20])
    assert stats.mean_of_both(values, stats.middle_by(keys, values)).tolist() == [1.5, 20]


def test_par_charges_a_factor_of_the_limit_for_each_unsolved_puzzle() -> None:
    solved = np.array([1.0, 3.0])
    assert stats.par(solved, 4, limit=10, factor=2) == 11
    assert stats.par(solved, 4, limit=10, factor=10) == 51
    assert stats.par(np.empty(0), 0, 10, 2) is None


def test_geometric_mean_ratio_is_of_pairs_not_of_sums() -> None:
    ratio = stats.paired_ratio(np.array([1.0, 100.0, 1.0]), np.array([4.0, 100.0, 2.0]), np.arange(3))
    assert np.exp(ratio.log) == pytest.approx(2)


def test_same_data_give_the_same_interval() -> None:
    rng = np.random.default_rng(3)
    x, y = rng.lognormal(size=50), rng.lognormal(size=50)
    assert stats.paired_ratio(x, y, np.arange(50)) == stats.paired_ratio(x, y, np.arange(50))


def test_interval_has_its_nominal_coverage() -> None:
    rng, covered = np.random.default_rng(5), 0
    for _ in range(300):
        logs = rng.normal(0.1, 0.3, 20)
        ratio = stats.paired_ratio(np.ones(20), np.exp(logs), np.arange(20), level=0.9, draws=500)
        covered += ratio.low <= 0.1 <= ratio.high
    assert 0.85 <= covered / 300 <= 0.95


def test_noise_that_a_batch_shares_widens_the_interval() -> None:
    rng = np.random.default_rng(7)
    of = np.repeat(np.arange(20), 10)
    after = np.exp(rng.normal(0, 0.1, 20))[of]
    alone = stats.paired_ratio(np.ones(200), after, np.arange(200))
    shared = stats.paired_ratio(np.ones(200), after, of)
    assert shared.high - shared.low > 2 * (alone.high - alone.low)


def test_two_clusters_give_an_infinite_interval() -> None:
    ratio = stats.paired_ratio(np.ones(10), np.full(10, 2.0), np.repeat([0, 1], 5))
    assert ratio.low == -np.inf
    assert ratio.high == np.inf


def test_repeats_that_differ_more_leave_a_larger_margin() -> None:
    calm = stats.worker_margin(np.array([0.0, 0.001, -0.001, 0.0, 0.0]))
    wild = stats.worker_margin(np.array([0.0, 0.1, -0.1, 0.05, -0.05]))
    assert wild > 2 * calm


def test_one_repeat_allows_for_the_largest_difference_of_workers() -> None:
    once = stats.z_score(0.99) * stats.LARGEST_WORKER_SD
    assert stats.worker_margin(np.array([0.3])) == stats.worker_margin(np.empty(0)) == pytest.approx(once)
    assert stats.worker_margin(np.zeros(5)) < once / 4


def test_other_contenders_whose_workers_differ_widen_the_margin() -> None:
    effects = np.array([0.0, 0.01, -0.01])
    rng, drift = np.random.default_rng(2), np.array([0.0, 0.5, 1.0])
    calm, wild = ([rng.normal(0, sd, 3) + drift for _ in range(6)] for sd in (0.001, 0.1))
    assert others_deviation(calm) < 0.01  # drift of the machine is not a difference of workers
    assert 0.07 < others_deviation(wild) < 0.28
    margins = [stats.worker_margin(effects, max(stats.BETWEEN_WORKER_SD, others_deviation(o))) for o in (calm, wild)]
    assert margins[1] > 2 * margins[0]
    assert others_deviation(wild[:2]) == 0
    assert others_deviation([*wild[:2], np.empty(0), np.array([0.0, np.nan, 0.0])]) == 0  # interrupted


def test_student_quantiles_are_the_tabulated_ones() -> None:
    table = ((1, 63.657), (2, 9.925), (3, 5.841), (4, 4.604), (5, 4.032), (8, 3.355), (12, 3.055), (30, 2.750))
    for freedom, quantile in table:
        assert stats.student_quantile(0.99, freedom) == pytest.approx(quantile, rel=1e-3)
    for freedom, quantile in ((3, 2.353), (10, 1.812)):
        assert stats.student_quantile(0.9, freedom) == pytest.approx(quantile, rel=1e-3)


def test_drift_widens_the_interval_on_one_side_only() -> None:
    ratio = stats.Ratio(0.2, 0.1, 0.3, 5)
    slower_machine = stats.widen(ratio, 0.0, 0.15)
    assert slower_machine.low == pytest.approx(-0.05)
    assert slower_machine.high == pytest.approx(0.3)


def test_virtual_best_solver_takes_the_fastest_of_each_puzzle() -> None:
    nan = np.nan
    found = stats.portfolio(np.array([[1.0, 5.0, nan, nan], [2.0, 3.0, 4.0, nan], [9.0, 9.0, 9.0, nan]]), limit=10)
    assert found.best == (1 + 3 + 4 + 20) / 4
    assert found.wins.tolist() == [1, 2, 0]
    assert found.alone.tolist() == [0, 0, 0]
    assert found.worth.tolist() == [1 / 4, (2 + 5) / 4, 0]


def test_deciding_a_puzzle_alone_is_worth_its_penalty() -> None:
    found = stats.portfolio(np.array([[1.0, np.nan], [1.0, 4.0]]), limit=10)
    assert found.alone.tolist() == [0, 1]
    assert found.worth.tolist() == [0, 8]


@given(
    st.lists(st.floats(1e-9, 1e9), min_size=1, max_size=40), st.sampled_from((0.0, 0.05, 0.25, 0.5, 0.75, 0.95, 1.0))
)
def test_quantiles_and_medians_are_those_of_numpy(values: list[float], share: float) -> None:
    """To the last bit, so that a journal's report stays the same text."""
    assert stats.quantile(np.array(values), share) == np.quantile(values, share)
    assert stats.median(np.array(values)) == np.median(values)
