"""Folders of processes that were killed are removed when the next folder is created, and no others."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from harness.running.folders import namespace, new_folder, owner_of

MAKE = "import harness.running.folders as f, os, signal; f.new_folder('place'); os.kill(os.getpid(), signal.SIGKILL)"

pytestmark = pytest.mark.skipif(not namespace(), reason="without /proc nothing is removed")


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    return tmp_path


def test_the_folder_of_a_killed_process_is_removed_by_the_next(temporary: Path) -> None:
    subprocess.run([sys.executable, "-c", MAKE], check=False)
    (left,) = temporary.iterdir()
    (left / "file").write_text("x")
    mine = new_folder()
    assert list(temporary.iterdir()) == [mine]


def test_folders_of_processes_that_run_or_cannot_be_seen_stay(temporary: Path) -> None:
    space, pid, start = owner_of(os.getpid()).split(".")
    kept = [
        new_folder(),
        temporary / f"crosscheck-{int(space) + 1}.{pid}.{start}-of_another_namespace",
        temporary / "crosscheck-older",
        temporary / "somebody-else",
    ]
    reused = temporary / f"crosscheck-{space}.{pid}.{int(start) - 1}-before_this_process"
    link = temporary / f"crosscheck-contents-{space}.{pid}.{int(start) - 1}-link"
    for folder in (*kept[1:], reused):
        folder.mkdir()
    link.symlink_to(kept[2])
    kept.append(new_folder("contents"))
    assert sorted(temporary.iterdir()) == sorted([*kept, link])
