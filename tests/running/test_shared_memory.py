"""Shared memory of a worker: what it writes by the short ways, and what is read after it has ended."""

from types import SimpleNamespace

import numpy as np
import pytest

from harness.running.workers.shared_memory import DONE, SharedBatch, create_file


@pytest.mark.parametrize("platform", ["linux", "darwin"])
def test_what_a_worker_wrote_is_read_after_the_file_is_closed(platform: str, monkeypatch: pytest.MonkeyPatch) -> None:
    batch = SharedBatch(create_file())
    batch.map_batch(3, 4, 1, 1, np.uint16)
    batch.progress[DONE] = 2
    monkeypatch.setattr("harness.running.workers.shared_memory.sys", SimpleNamespace(platform=platform))
    batch.close()
    assert batch.read_progress(3).done == 2


def test_a_row_that_is_written_holds_each_number_in_its_field() -> None:
    batch = SharedBatch(create_file())
    batch.map_batch(3, 4, 1, 1, np.uint16)
    row = (10, 3, 1, 0, 2**31 - 1, 2**62, -1, *range(8), 2**53, 5, 6)
    batch.set_row(1, row)
    assert batch.rows.tolist() == [(0,) * len(row), row, (0,) * len(row)]


@pytest.mark.parametrize(("index", "none"), [(np.uint16, 0xFFFF), (np.uint32, 0xFFFFFFFF)])
def test_a_value_that_a_solution_cannot_hold_is_written_as_none(index: type[np.uint16 | np.uint32], none: int) -> None:
    batch = SharedBatch(create_file())
    batch.map_batch(2, 3, 1, 2, index)
    batch.set_solution(1, 0, (4, 5, 6))
    batch.set_solution(1, 1, (-1, 7, 2**70))
    assert batch.solutions.tolist() == [[[0] * 3] * 2, [[4, 5, 6], [none, 7, none]]]
