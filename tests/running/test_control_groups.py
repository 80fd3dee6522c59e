"""Control groups: the kernel limits and measures the memory of the solver alone, and nothing of them is left."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from backends.contract.answer import Reason
from harness.running import control_groups
from harness.running.control_groups import kept_by, own_group
from tests.attacks.planting import BOARDS, SOLUTION, outcomes, plant_python, wait_for
from tests.conftest import Harness

MIB = 1 << 20
here = pytest.mark.skipif(kept_by(1, False) != "cgroup", reason="no control group of memory may be written here")


def holding(size: int) -> str:
    """Return a script that holds so many MiB, half of them in shared memory."""
    half = size << 19
    return (
        f"import mmap; b = bytearray({half}); b[::4096] = b'x' * {half >> 12}; m = mmap.mmap(-1, {half})\n"
        f"m[::4096] = bytes({half >> 12}); print('{SOLUTION}')"
    )


@pytest.fixture
def board(tmp_path: Path) -> Path:
    (tmp_path / "one.txt").write_text(BOARDS.rsplit("\n", 2)[0])
    return tmp_path / "one.txt"


@here
def test_a_peak_is_of_the_solver_alone(harness: Harness, board: Path, tmp_path: Path) -> None:
    words = [*plant_python(tmp_path, "small", holding(4)), *plant_python(tmp_path, "large", holding(300))]
    done = harness("run", board, *words, "-b", "native:python", "--peak", "-o", "j.sqlite", "--json", "-")
    peaks = {name: peak / MIB for name, peak in outcomes(tmp_path / "j.sqlite", "peak")}
    assert abs(peaks["lines:large"] - peaks["lines:small"] - 296) < 3, "an interpreter is beside both"
    assert peaks["native:python"] < 2, "its worker holds tens of MiB"
    assert {c["name"]: c["peak_of"] for c in done.summary["contenders"]} == {name: {"solver": 1} for name in peaks}
    assert done.summary["memory_by"] == "cgroup"


@here
def test_a_limit_is_of_the_solver_alone(harness: Harness, board: Path, tmp_path: Path) -> None:
    words = [*plant_python(tmp_path, "fits", holding(10)), *plant_python(tmp_path, "large", holding(60))]
    done = harness("run", board, *words, "-b", "native:python", "-m", 24, "-o", "j.sqlite")
    assert dict(outcomes(tmp_path / "j.sqlite", "reason")) == {
        "lines:fits": Reason.NONE,
        "lines:large": Reason.MEMORY,
        "native:python": Reason.NONE,  # of a worker that holds more than the limit
    }
    assert "24 MiB of the solver alone (cgroup)" in done.out


@here
def test_a_limit_holds_within_a_boundary_too(harness: Harness, board: Path, tmp_path: Path) -> None:
    words = [*plant_python(tmp_path, "fits", holding(10)), *plant_python(tmp_path, "large", holding(60))]
    done = harness("run", board, *words, "-m", 24, "--sandbox", "-o", "results/j.sqlite")
    if "not to be had" in done.err:
        pytest.skip("this system has no boundaries")
    found = dict(outcomes(tmp_path / "results" / "j.sqlite", "reason"))
    assert found == {"lines:fits": Reason.NONE, "lines:large": Reason.MEMORY}


@here
def test_groups_go_with_their_run_even_if_it_is_killed(
    board: Path, environment: dict[str, str], tmp_path: Path
) -> None:
    tell = "open('part', 'w').write(open('/proc/self/cgroup').read()); os.rename('part', 'begun'); time.sleep(60)"
    words = plant_python(tmp_path, "sleeps", tell)
    command = [sys.executable, "-m", "harness", "run", str(board), *words, "-m", "64", "-t", "60"]
    null = subprocess.DEVNULL
    with subprocess.Popen(command, cwd=tmp_path, env=environment, stdin=null, stdout=null, stderr=null) as run:
        assert wait_for(lambda: (tmp_path / "begun").exists())
        found = own_group(str(tmp_path / "begun"))
        assert found
        worker = found[1]
        assert worker.parent.name.startswith("crosscheck-")
        assert worker.exists()
        run.kill()
    assert wait_for(lambda: not worker.parent.exists(), 20)


def test_without_groups_the_word_is_sampled(
    harness: Harness, board: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(control_groups, "own_group", lambda: None)
    done = harness("run", board, "-b", "native:python", "-m", 900, "--cpu-limit", 5, "-o", "j.sqlite")
    assert "limit 10 s, 5 s of CPU time and 900 MiB with child processes (sampled)" in done.out
    assert harness("report", "j.sqlite", "--json", "-").summary["memory_by"] == "sampled"


def test_the_group_with_the_memory_controller_is_found_in_both_versions(tmp_path: Path) -> None:
    lines, root = tmp_path / "cgroup", tmp_path / "fs"
    (root / "memory").mkdir(parents=True)
    lines.write_text("4:memory:/mine\n2:cpu,cpuacct:/other\n0::/unified\n")
    assert own_group(str(lines), root) == (1, root / "memory" / "mine")
    lines.write_text("0::/user.slice/mine\n")
    assert own_group(str(lines), root) is None, "the unified hierarchy is not mounted there"
    (root / "cgroup.controllers").write_text("cpu memory\n")
    assert own_group(str(lines), root) == (2, root / "user.slice/mine")
    assert own_group(os.devnull, root) is None
