"""No temporary file of a run is left, not even if the run is killed."""

import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from tests.attacks.planting import BOARDS, plant, wait_for
from tests.conftest import Harness

NULL = subprocess.DEVNULL


@pytest.mark.slow
def test_a_finished_run_leaves_no_temporary_file(tmp_path: Path, environment: dict[str, str]) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    (tmp_path / "two.txt").write_text(BOARDS)
    words = ["--program", "mine=sh -c 'mktemp; mktemp -d; exit 3' {cnf}", "-b", "dimacs:mine", "-b", "pysat", "--proof"]
    words += ["--env", f"same={sys.executable}", "-b", "native:python@same"]
    command = [sys.executable, "-m", "harness", "run", "two.txt", *words]
    done = subprocess.run(
        command, cwd=tmp_path, env=environment | {"TMPDIR": str(temporary)}, stdin=NULL, capture_output=True, text=True
    )
    assert done.returncode == 4, done.stderr  # the program fails
    assert list(temporary.iterdir()) == []


def test_a_disk_without_room_for_temporary_files_is_one_line(
    harness: Harness, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unusable(prefix: str) -> str:
        raise FileNotFoundError(2, "No usable temporary directory found")

    (tmp_path / "two.txt").write_text(BOARDS)
    monkeypatch.setattr(tempfile, "mkdtemp", unusable)
    done = harness("run", "two.txt", "-b", "native:python")
    assert done.code == 2
    assert done.err == "harness: temporary files can't be written: No usable temporary directory found: set TMPDIR\n"


@pytest.mark.slow
def test_a_killed_run_leaves_no_temporary_file(tmp_path: Path, environment: dict[str, str]) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    (tmp_path / "two.txt").write_text(BOARDS)
    words = plant(tmp_path, "mine", "mktemp > made; sleep 60")
    run = subprocess.Popen(
        [sys.executable, "-m", "harness", "run", "two.txt", *words, "-t", "60"],
        cwd=tmp_path,
        env=environment | {"TMPDIR": str(temporary)},
        stdin=NULL,
        stdout=NULL,
        stderr=NULL,
    )
    assert wait_for(lambda: (tmp_path / "made").exists() and (tmp_path / "made").read_text())
    assert list(temporary.iterdir()) != []
    run.kill()
    run.wait()
    assert wait_for(lambda: list(temporary.iterdir()) == [])
