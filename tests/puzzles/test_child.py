"""A child that runs to its end: its exit code and what it printed, whatever the machine does meanwhile."""

import os

import pytest

from puzzles.processes.child import ChildLimits, finished

LIMITS = ChildLimits(cpu=5, wall=60.0, memory=1 << 30, stack=8 << 20, file=1 << 16, printed=1 << 16)


@pytest.mark.slow
@pytest.mark.parametrize("command", [("true",), ("sh", "-c", "exec >&- 2>&-; sleep 0.05")], ids=["at once", "later"])
def test_the_end_of_a_child_is_awaited_after_that_of_its_pipes(command: tuple[str, ...]) -> None:
    ends = [finished(command, b"", LIMITS, dict(os.environ)) for _ in range(40 if len(command) == 1 else 1)]
    assert {(end.code, end.printed, end.beyond) for end in ends} == {(0, b"", "")}
