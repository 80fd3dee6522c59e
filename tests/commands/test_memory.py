"""`run` limits memory by default, says so, and keeps the limit of its start on resuming."""

import sys
from pathlib import Path

import pytest

from harness.model import host
from harness.model.settings import COMPARED
from harness.storing.journal import Journal
from tests.conftest import Harness

MIB = 1 << 20
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="limits memory on Linux only")


def limits(path: Path) -> tuple[int, int]:
    """Return the stated and the default limit in a journal, in MiB."""
    with Journal.open(path) as journal:
        settings = journal.facts.settings()
    return settings.memory // MIB, settings.default_memory // MIB


def test_run_has_a_default_limit_that_m_0_turns_off(
    harness: Harness, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(host, "default_memory", lambda jobs: 5000 * MIB // jobs)
    (tmp_path / "one.txt").write_text("#: sudoku 2x2\n1.34341221434321\n")
    words = ("run", "one.txt", "-b", "native:python")
    assert "5,000 MiB" in harness(*words, "-o", "default.sqlite").out
    assert "MiB" not in harness(*words, "-m", 0, "-o", "none.sqlite").out
    harness(*words, "-m", 700, "-o", "stated.sqlite")
    harness("run", "--resume", "default.sqlite", "-j", 2)
    names = ("default", "none", "stated")
    assert [limits(tmp_path / f"{name}.sqlite") for name in names] == [(0, 5000), (0, 0), (700, 0)]


def test_default_limits_of_two_machines_are_no_difference_of_settings() -> None:
    assert "memory" in COMPARED
    assert "default_memory" not in COMPARED
