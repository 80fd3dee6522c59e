"""A child of a solver stops the harness with a signal, so that no clock checks what the solver reports: it is named."""

from pathlib import Path

import pytest

from puzzles.processes.guarding import LINUX
from tests.attacks.planting import BOARDS
from tests.conftest import Harness

pytestmark = pytest.mark.skipif(not LINUX, reason="reads /proc")


@pytest.mark.slow
def test_a_contender_that_has_the_parent_stopped_is_named_and_not_ranked(
    harness_process: Harness, tmp_path: Path
) -> None:
    (tmp_path / "one.txt").write_text(BOARDS.rsplit("\n", 2)[0])
    contenders = ("-b", "neighbours:freezing", "-b", "native:python")
    done = harness_process("run", "one.txt", *contenders, "-w", 0, "--json", "-")
    freezing, honest = done.contender("neighbours:freezing"), done.contender("native:python")
    assert (freezing["solved"], freezing["par2"], freezing["seconds"]["median"]) == (1, None, None)
    assert honest["par2"] is not None
    (warning,) = [text for text in done.summary["warnings"] if "process was stopped" in text]
    assert warning.startswith("neighbours:freezing: this process was stopped for ")
    assert "the times of 1 puzzle were not checked against the parent's clock, and it is not ranked" in warning
