"""Times without drift: what all contenders share in a lease is removed, and workers are told from turns and noise."""

import numpy as np
import pytest

from harness.reporting.statistics.estimates import Floats, median
from harness.reporting.statistics.steady import LEAST_WORKER_SD, UNSEEN_WORKER_SD, Steady, error_of_median, steady
from harness.reporting.statistics.times import Times

BLOCKS, SIZE, REPEATS, CONTENDERS = 20, 25, 5, 4
N = BLOCKS * SIZE
BLOCK = np.repeat(np.arange(BLOCKS), SIZE)


def made(
    seed: int, noise: float = 0.0, turn: float = 0.0, worker: float = 0.0, drift: float = 0.0, repeats: int = REPEATS
) -> Floats:
    """Return float64[contenders, repeats, n] with effects of these standard deviations, and instances of all sizes."""
    rng = np.random.default_rng(seed)
    logs = rng.normal(-9, 1, N)[None, None].repeat(CONTENDERS, 0).repeat(repeats, 1)
    logs = logs + rng.normal(0, noise, logs.shape) + rng.normal(0, worker, (CONTENDERS, repeats, 1))
    logs = logs + np.repeat(rng.normal(0, turn, (CONTENDERS, repeats, BLOCKS)), SIZE, axis=2)
    times: Floats = np.exp(logs + np.repeat(rng.normal(0, drift, (1, repeats, BLOCKS)), SIZE, axis=2))
    return times


def steady_of(times: Floats, block: np.ndarray = BLOCK) -> list[Steady]:
    return steady([Times(asks, np.median(asks, axis=0), np.zeros(len(asks))) for asks in times], block)


def test_what_all_contenders_share_changes_no_ratio() -> None:
    still, moving = steady_of(made(1, noise=0.05)), steady_of(made(1, noise=0.05, drift=0.3))
    for a, b in zip(still[1:], moving[1:], strict=True):
        ratio = np.log(a.seconds / still[0].seconds) - np.log(b.seconds / moving[0].seconds)
        assert np.abs(ratio).max() < 1e-3, "but for rounding"
    assert [a.noise for a in still] == pytest.approx([b.noise for b in moving], rel=1e-6)
    assert [a.deviation for a in still] == pytest.approx([b.deviation for b in moving], rel=1e-6)


def test_noise_is_that_of_a_median_of_the_repeats() -> None:
    for noise in (0.02, 0.2):
        spread = [np.log(made(seed, noise=noise)[0] / made(seed)[0]) for seed in range(20)]
        expected = float(np.median(spread, axis=1).var())
        found = [level.noise for seed in range(5) for level in steady_of(made(seed, noise=noise, turn=0.1))]
        assert median(np.array(found)) == pytest.approx(expected, rel=0.4)


@pytest.mark.parametrize("worker", [0.02, 0.05, 0.1])
def test_the_deviation_of_workers_is_told_from_turns(worker: float) -> None:
    found = [level.deviation for seed in range(30) for level in steady_of(made(seed, 0.02, 0.1, worker, drift=0.1))]
    expected = worker * error_of_median(REPEATS) ** 0.5
    assert float(np.sqrt(np.mean(np.square(found)))) == pytest.approx(expected, rel=0.25)


def test_without_workers_effects_the_least_is_assumed() -> None:
    found = [level.deviation for seed in range(10) for level in steady_of(made(seed, noise=0.02))]
    assert max(found) < 1.3 * LEAST_WORKER_SD * error_of_median(REPEATS) ** 0.5


def test_one_repeat_shows_nothing_of_workers() -> None:
    for level in steady_of(made(1, noise=0.05, repeats=1)):
        assert (level.deviation, level.noise) == (UNSEEN_WORKER_SD, 0.0)


def test_instances_that_a_contender_did_not_decide_in_each_repeat_have_no_time() -> None:
    times = made(1, noise=0.05)
    times[1, 3, 7], times[2] = np.nan, np.nan
    found = steady_of(times)
    assert np.flatnonzero(np.isnan(found[1].seconds)).tolist() == [7]
    assert np.isnan(found[2].seconds).all()
    assert not np.isnan(found[0].seconds).any()
    assert steady_of(times[:, :, :0], BLOCK[:0])[0].noise == 0
    assert steady([], BLOCK) == []
