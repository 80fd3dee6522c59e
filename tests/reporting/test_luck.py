"""Luck of seeds: variation between repeats of an instance, apart from what instances share."""

import numpy as np
import pytest

from harness.reporting.statistics.variation import luck, variances


def test_a_planted_seed_effect_is_measured_and_its_share_covered() -> None:
    rng, sds, covered, number = np.random.default_rng(53), [], 0, 100
    for _ in range(number):
        found = luck(rng.normal(0, 0.7, (5, 40)) + rng.normal(0, 0.35, 40))
        assert found is not None
        sds.append(found.sd)
        covered += found.low <= 0.8 <= found.high
        assert found.of_median < found.share
    assert np.mean(sds) == pytest.approx(0.7, abs=0.02)
    assert covered >= 88


def test_parts_of_the_variance_are_those_of_the_analysis_of_variance() -> None:
    values, of = np.array([1.0, 2.0, 3.0, 5.0, 6.0]), np.array([0, 0, 1, 1, 1])
    found = variances(values, of)
    assert found is not None  # means 3/2 and 14/3, squares 1/2 and 14/3 within, 2 x 3.61 + 3 x 1.60 between
    assert (found.within, found.between) == pytest.approx((31 / 6 / 3, 361 / 30))
    assert found.groups == 2
    assert found.size == pytest.approx(5 - 13 / 5)


def test_luck_needs_repeats_of_instances() -> None:
    assert luck(np.zeros((1, 50))) is None
    assert luck(np.full((5, 50), np.nan)) is None
    assert luck(np.tile(np.arange(50.0), (5, 1))) is None  # repeats are equal
    unknown = np.random.default_rng(1).normal(0, 1, (4, 20))
    unknown[1:, :10] = np.nan
    found = luck(unknown)
    assert found is not None
    assert found.instances == 10
