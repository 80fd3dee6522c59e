"""Luck of seeds: variation between repeats of an instance, apart from what instances share."""

from pathlib import Path

import numpy as np
import pytest

from harness.reporting.statistics.variation import luck, variances
from tests.conftest import Harness


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


def seeded(path: Path, deviation: float) -> Path:
    """Write times of two contenders on 40 instances under five seeds, whose log times have a deviation by seed."""
    rng, rows = np.random.default_rng(9), ["instance,solver,status,seconds,seed"]
    for i in range(40):
        for seed in range(5):
            one, two = np.exp(rng.normal(0, deviation / 2**0.5, 2))
            rows += [f"i{i},one,sat,{one:.6f},{seed}", f"i{i},two,sat,{1.2 * two:.6f},{seed}"]
    path.write_text("\n".join(rows) + "\n")
    return path


def test_a_planted_seed_effect_is_named(tmp_path: Path, harness: Harness) -> None:
    journal = tmp_path / "j.sqlite"
    assert harness("import", "--format", "csv", seeded(tmp_path / "r.csv", 0.7), "-t", 100, "-o", journal).code == 0
    (line,) = (
        text for text in harness("report", journal, "--json", "-").summary["headline"]["details"] if "luck" in text
    )
    assert line.startswith("Of one and two the luck of seeds is ")
    found = harness("compare", journal, "--json", "-").summary["comparisons"][0]["luck"]
    assert found["of"] == "seeds"
    assert found["sd"] == pytest.approx(0.7, abs=0.08)
    assert found["low"] <= 1.0 <= found["high"] + 1e-9
    assert f"(log sd {found['sd']:.2f})" in line
    assert f"(log sd {found['sd']:.2f})" in harness("compare", journal).out


def test_repeats_of_one_seed_are_noise_and_no_luck(tmp_path: Path, harness: Harness) -> None:
    path, journal = seeded(tmp_path / "r.csv", 0.7), tmp_path / "j.sqlite"
    path.write_text(path.read_text().replace("seconds,seed", "seconds,repeat"))
    assert harness("import", "--format", "csv", path, "-t", 100, "-o", journal).code == 0
    assert "luck" not in harness("report", journal, "--rank", "par2").out + harness("compare", journal).out
