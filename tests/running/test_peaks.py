"""Peak memory of each ask: of the program alone, of the worker, or of the worker with its child processes."""

import subprocess
import sys
from pathlib import Path

import pytest

from harness.running import control_groups
from harness.running.workers.limits import BatchWatch
from tests.attacks.planting import SOLUTION, outcomes, plant
from tests.conftest import Harness

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")

MIB = 1 << 20
ASKS = 4


@pytest.fixture(autouse=True)
def no_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    """A system without control groups."""
    monkeypatch.setattr(control_groups, "own_group", lambda: None)


@pytest.fixture
def boards(tmp_path: Path) -> Path:
    """Boards that are asked one by one."""
    (tmp_path / "boards.txt").write_text("#: sudoku 2x2\n" + "1.34341221434321\n" * ASKS)
    return tmp_path / "boards.txt"


def touching(size: int) -> str:
    """Return a script that holds so many MiB in a child process."""
    return f"dd if=/dev/zero of=/dev/null bs={size}M count=1 2> /dev/null; echo {SOLUTION}"


@pytest.mark.slow
def test_a_program_has_the_same_peak_in_every_ask_without_its_worker(
    harness: Harness, boards: Path, tmp_path: Path
) -> None:
    sizes = (3, 64)
    words = [word for size in sizes for word in plant(tmp_path, f"of{size}", touching(size))]
    done = harness("run", boards, *words, "--peak", "-o", "j.sqlite", "--json", "-")
    for size in sizes:
        peaks = [peak for name, peak in outcomes(tmp_path / "j.sqlite", "peak") if name == f"lines:of{size}"]
        assert len(peaks) == ASKS
        assert all(size * MIB <= peak <= (size + 6) * MIB for peak in peaks), (size, peaks)
        assert done.contender(f"lines:of{size}")["peak_of"] == {"program": ASKS}


@pytest.mark.slow
def test_a_program_that_ends_at_once_is_reaped_by_its_worker() -> None:
    code = (
        "from backends.programs.launching import MEMORY, ProgramProcess\n"
        "from puzzles.processes.guarding import adopt_orphans\n"
        "adopt_orphans(); MEMORY.begin()\n"
        "for i in range(300):\n"
        "    program = ProgramProcess(['/bin/true'])\n"
        "    assert program.wait(60) == 0\n"
        "    program.end()\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=300)


@pytest.mark.slow
def test_processes_of_a_program_that_run_side_by_side_count_together(
    harness: Harness, boards: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    look = BatchWatch.look

    def look_and_tell(watch: BatchWatch, now: float) -> int:
        held = look(watch, now)
        if watch.peaks_below.get(0, 0) >= 2 * 40 * MIB:
            (tmp_path / "seen").touch()
        return held

    monkeypatch.setattr(BatchWatch, "look", look_and_tell)
    holding = "head -c 40m /dev/zero | tail -c 40m | (until [ -e seen ]; do sleep 0.05; done; cat > /dev/null) & "
    words = plant(tmp_path, "two", f"{holding} {holding} wait; echo {SOLUTION}")
    done = harness("run", boards, "-n", 1, *words, "--peak", "-w", 0, "-t", 100, "-o", "j.sqlite", "--json", "-")
    assert done.contender("lines:two")["solved"] == 1
    ((_, peak),) = outcomes(tmp_path / "j.sqlite", "peak")
    assert peak >= 2 * 40 * MIB


@pytest.mark.slow
def test_the_column_says_what_a_peak_is_of(harness: Harness, boards: Path, tmp_path: Path) -> None:
    words = [*plant(tmp_path, "mine", touching(3)), "-b", "native:python", "-b", "neighbours:outside"]
    done = harness("run", boards, *words, "--peak", "-o", "j.sqlite")
    shown = {line.split()[0]: line for line in done.out.splitlines() if line.split()}
    assert "peak of" in shown["contender"]
    for name, of in (("lines:mine", "program"), ("native:python", "worker"), ("neighbours:outside", "group")):
        assert of in shown[name].split(), shown[name]
    lines = harness("report", "j.sqlite", "--format", "csv").out.splitlines()
    assert {line.split(",")[lines[0].split(",").index("peak of")] for line in lines[1:]} == {
        "program",
        "worker",
        "group",
    }


def test_a_missing_program_is_an_error_that_says_so(harness: Harness, boards: Path, tmp_path: Path) -> None:
    words = plant(tmp_path, "mine", "rm -f mine2; ./mine2")
    done = harness("run", boards, "-n", 1, *words, "--peak", "--json", "-")
    assert "127" in done.contender("lines:mine")["trouble"][0]["why"]
