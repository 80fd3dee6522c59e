"""Shared memory of a worker that has ended."""

from types import SimpleNamespace

import numpy as np
import pytest

from harness.running.workers.shared_memory import DONE, SharedBatch, create_file


@pytest.mark.parametrize("platform", ["linux", "darwin"])
def test_what_a_worker_wrote_is_read_after_the_file_is_closed(platform: str, monkeypatch: pytest.MonkeyPatch) -> None:
    batch = SharedBatch(create_file())
    batch.map_batch(3, 4, 1, 1, np.uint16)
    batch.pulse[DONE] = 2
    monkeypatch.setattr("harness.running.workers.shared_memory.sys", SimpleNamespace(platform=platform))
    batch.close()
    assert batch.read_pulse(3).done == 2
