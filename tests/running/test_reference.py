"""Reference work."""

import pytest

from harness.running.reference import Sampler, measure


def test_reference_work_is_timed_on_both_clocks() -> None:
    samples = measure(3)
    assert len(samples) == 3
    assert all(wall > 0 and cpu > 0 for wall, cpu in samples)


def test_a_sampler_times_the_reference_work_when_it_is_due(monkeypatch: pytest.MonkeyPatch) -> None:
    sampler = Sampler()
    assert sampler.sample() == ()
    monkeypatch.setattr("harness.running.reference.SAMPLE_INTERVAL_S", 0.0)
    (sample,) = sampler.sample()
    assert min(sample) > 0
