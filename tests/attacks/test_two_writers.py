"""Two processes that write one journal: the second is refused in one line; readers are not."""

import fcntl
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from harness.storing.journal import Journal
from harness.storing.lock import WriteLock
from tests.conftest import Harness
from tests.journals import make, noisy

HOLD = """
import sys, time
from pathlib import Path
from harness.storing.journal import Journal
with Journal.open(Path(sys.argv[1]), write=True):
    print("held", flush=True)
    time.sleep(1000)
"""


@pytest.mark.slow
@pytest.mark.parametrize("words", [("run", "--resume"), ("judge",)], ids=" ".join)
def test_a_second_writer_is_refused_and_a_reader_is_not(
    words: tuple[str, ...], tmp_path: Path, harness: Harness, environment: dict[str, str]
) -> None:
    path = make(tmp_path / "j.sqlite", {"x": noisy(1, 1, 3)})
    holder = subprocess.Popen([sys.executable, "-c", HOLD, path], env=environment, stdout=subprocess.PIPE, text=True)
    try:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        refused = harness(*words, path)
        assert (refused.code, refused.out) == (2, "")
        assert refused.err == f"harness: {path}: another process is writing to it: wait until that has ended\n"
        assert harness("report", path).code == 0
    finally:
        holder.send_signal(signal.SIGKILL)
        holder.communicate()
    assert path.with_name("j.sqlite-lock").exists()
    assert harness("judge", path).code == 0  # the lock of a dead process blocks nobody
    assert [file.name for file in tmp_path.iterdir()] == ["j.sqlite"]


def test_a_lock_file_that_its_holder_removed_is_not_taken_for_the_lock(tmp_path: Path) -> None:
    path = tmp_path / "j.sqlite"
    first = WriteLock.acquire(path)
    stale = os.open(first.path, os.O_RDWR)
    first.release()
    fcntl.flock(stale, fcntl.LOCK_EX)
    second = WriteLock.acquire(path)
    assert second.path.exists()
    second.release()
    os.close(stale)


def test_a_journal_that_can_not_be_opened_stays_unlocked(tmp_path: Path, harness: Harness) -> None:
    path = tmp_path / "j.sqlite"
    path.write_text("no journal")
    for _ in range(2):
        assert "not a journal" in harness("judge", path).err
    assert [file.name for file in tmp_path.iterdir()] == ["j.sqlite"]


def test_a_refused_resume_leaves_the_journal_unlocked(tmp_path: Path, harness: Harness) -> None:
    path = make(tmp_path / "j.sqlite", {"x": noisy(1, 1, 3)}, merged=["a", "b"])
    for _ in range(2):
        assert "made by merging" in harness("run", "--resume", path).err
    with Journal.open(path, write=True):
        pass
