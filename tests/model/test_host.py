"""The default memory limit is half of what the machine and its control groups allow, shared among the jobs."""

import pytest

from harness.model import host
from harness.model.settings import RunSettings

GIB = 1 << 30


@pytest.mark.parametrize(
    ("machine", "groups", "jobs", "expected"),
    [
        (16 * GIB, [], 1, 8 * GIB),
        (16 * GIB, [], 4, 2 * GIB),
        (16 * GIB, [4 * GIB, 1 << 62], 1, 2 * GIB),
        (1 * GIB, [], 8, host.MIN_DEFAULT_MEMORY),
        (None, [], 1, 0),
    ],
)
def test_the_default_is_a_share_of_the_machine(
    monkeypatch: pytest.MonkeyPatch, machine: int | None, groups: list[int], jobs: int, expected: int
) -> None:
    monkeypatch.setattr(host, "memory", lambda: machine)
    monkeypatch.setattr(host, "cgroup_limits", lambda: iter(groups))
    assert host.default_memory(jobs) == expected


def test_a_default_limit_is_enforced_and_a_stated_one_replaces_it() -> None:
    assert RunSettings(default_memory=GIB).memory_limit == GIB
    assert RunSettings(memory=2 * GIB, default_memory=GIB).memory_limit == 2 * GIB
    assert RunSettings().memory_limit == 0
