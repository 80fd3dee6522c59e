"""Reference work."""

from dataclasses import replace

import numpy as np
import pytest

from harness.model.lease import Block, Lease
from harness.running.reference import measure, sampled
from puzzles.families import layout


def test_reference_work_is_timed_on_both_clocks() -> None:
    samples = measure(3)
    assert len(samples) == 3
    assert all(wall > 0 and cpu > 0 for wall, cpu in samples)


def test_sampled_adds_reference_work_to_leases_and_changes_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("harness.running.reference.SAMPLE_INTERVAL_S", 0.0)
    block = Block(1, layout("sudoku 2x2"), np.array([1]), np.zeros((1, 16, 1), np.uint64))
    leases = [Lease(block, repeat, (0, 1)) for repeat in range(3)]
    came = list(sampled(leases))
    assert [replace(lease, samples=()) for lease in came] == leases
    assert all(len(lease.samples) == 1 for lease in came)
