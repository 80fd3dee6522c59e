"""Control groups: the kernel limits and measures the memory of the solver alone, and nothing of them is left."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from backends.contract.answer import Reason
from harness.running import control_groups
from harness.running.control_groups import WorkerGroup, join, kept_by, own_group
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


def told_group(path: Path) -> Path:
    """Return the folder of the group that a process has told, as /proc/self/cgroup names it in either version."""
    lines = dict(line.split(":", 2)[1:] for line in path.read_text().splitlines() if line.count(":") >= 2)
    name = "memory" if "memory" in lines else ""
    return control_groups.ROOT / name / lines[name].lstrip("/")


@pytest.fixture
def board(tmp_path: Path) -> Path:
    (tmp_path / "one.txt").write_text(BOARDS.rsplit("\n", 2)[0])
    return tmp_path / "one.txt"


@pytest.mark.slow
@here
def test_a_peak_is_of_the_solver_alone(harness: Harness, board: Path, tmp_path: Path) -> None:
    words = [*plant_python(tmp_path, "small", holding(4)), *plant_python(tmp_path, "large", holding(300))]
    done = harness("run", board, *words, "-b", "native:python", "--peak", "-o", "j.sqlite", "--json", "-")
    peaks = {name: peak / MIB for name, peak in outcomes(tmp_path / "j.sqlite", "peak")}
    assert abs(peaks["lines:large"] - peaks["lines:small"] - 296) < 3, "an interpreter is beside both"
    assert peaks["native:python"] < 2, "its worker holds tens of MiB"
    assert {c["name"]: c["peak_of"] for c in done.summary["contenders"]} == {name: {"solver": 1} for name in peaks}
    assert done.summary["memory_by"] == "cgroup"


@pytest.mark.slow
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


@pytest.mark.slow
@here
def test_a_limit_holds_within_a_sandbox_too(harness: Harness, board: Path, tmp_path: Path) -> None:
    words = [*plant_python(tmp_path, "fits", holding(10)), *plant_python(tmp_path, "large", holding(60))]
    done = harness("run", board, *words, "-m", 24, "--sandbox", "-o", "results/j.sqlite")
    if "not to be had" in done.err:
        pytest.skip("this system has no sandboxes")
    found = dict(outcomes(tmp_path / "results" / "j.sqlite", "reason"))
    assert found == {"lines:fits": Reason.NONE, "lines:large": Reason.MEMORY}


@here
def test_peaks_of_equal_runs_of_a_program_differ_by_less_than_a_batch_of_charges(
    harness: Harness, tmp_path: Path
) -> None:
    (tmp_path / "six.txt").write_text("#: sudoku 2x2\n" + "1.34341221434321\n" * 6)
    words = plant_python(tmp_path, "holds", holding(4))
    harness("run", "six.txt", *words, "--peak", "-w", "0", "-j", "1", "-o", "j.sqlite")
    peaks = sorted(peak for _, peak in outcomes(tmp_path / "j.sqlite", "peak"))
    assert peaks[4] - peaks[1] <= 64 * os.sysconf("SC_PAGE_SIZE"), "the first reads files, another may move to a core"


@pytest.mark.slow
@here
def test_measured_programs_have_a_group_of_their_own_within_the_limit_of_the_worker(
    harness: Harness, board: Path, tmp_path: Path
) -> None:
    tell = f"print(open('/proc/self/cgroup').read(), os.getpgid(0) == os.getpid(), file=open('{tmp_path}/own', 'w'))\n"
    fits, large = (plant_python(tmp_path, name, tell + holding(n)) for name, n in (("fits", 10), ("large", 60)))
    for words, reason in ((fits, Reason.NONE), (large, Reason.MEMORY)):
        harness("run", board, *words, "--peak", "-m", 24, "-o", f"{reason.name}.sqlite")
        assert {found for _, found in outcomes(tmp_path / f"{reason.name}.sqlite", "reason")} == {reason}
        assert (tmp_path / "own").read_text().endswith("True\n"), "it leads a process group"
        assert told_group(tmp_path / "own").name == "programs"


@pytest.mark.slow
@here
def test_the_peak_of_a_killed_run_is_not_that_of_a_larger_one_before_it(harness: Harness, tmp_path: Path) -> None:
    (tmp_path / "two.txt").write_text("#: sudoku 2x2\n" + "1.34341221434321\n" * 2)
    script = f"first = not os.path.exists('begun'); open('begun', 'w')\nif first:\n  {holding(80).splitlines()[0]}\n"
    ends = f"if first: print('{SOLUTION}')\nwhile not first: pass"
    words = plant_python(tmp_path, "computes", script + ends)
    harness("run", "two.txt", *words, "--peak", "-w", 0, "-t", 60, "--cpu", 0.5, "-j", 1)  # its worker is killed
    (journal,) = tmp_path.rglob("*.sqlite")
    (large, killed) = outcomes(journal, "reason, peak")
    assert (large[1], killed[1]) == (Reason.NONE, Reason.TIMEOUT)
    assert large[2] > 40 * MIB > 2 * killed[2]


@pytest.mark.slow
@here
@pytest.mark.parametrize("peak", [(), ("--peak",)])
def test_groups_go_with_their_run_even_if_it_is_killed(
    board: Path, environment: dict[str, str], tmp_path: Path, peak: tuple[str, ...]
) -> None:
    tell = "open('part', 'w').write(open('/proc/self/cgroup').read()); os.rename('part', 'begun'); time.sleep(60)"
    words = plant_python(tmp_path, "sleeps", tell)
    command = [sys.executable, "-m", "harness", "run", str(board), *words, "-m", "64", "-t", "60", *peak]
    null = subprocess.DEVNULL
    with subprocess.Popen(command, cwd=tmp_path, env=environment, stdin=null, stdout=null, stderr=null) as run:
        assert wait_for(lambda: (tmp_path / "begun").exists())
        found = told_group(tmp_path / "begun")
        worker = found.parent if found.name == "programs" else found
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
    group(root / "user.slice", "memory pids")
    assert own_group(str(lines), root) == (2, root / "user.slice")
    assert own_group(os.devnull, root) is None


def group(folder: Path, handed: str, **limits: str) -> Path:
    """Write what the kernel says of a group of version 2: controllers that it hands down, and its limits."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in {"subtree_control": handed, "procs": ""}.items():
        (folder / f"cgroup.{name}").write_text(f"{text}\n")
    for name in ("memory", "cpu"):
        (folder / f"{name}.max").write_text(f"{limits.get(name, 'max')}\n")
    return folder


SLICE = "user.slice/user-1000.slice/user@1000.service"


@pytest.mark.parametrize(
    ("own", "limits", "others", "expected"),
    [
        (f"{SLICE}/app.slice/run-1.scope", {}, "", f"{SLICE}/app.slice"),  # systemd-run --user --scope
        (f"{SLICE}/app.slice/run-1.scope", {"memory": "8589934592"}, "", None),  # its limit would not hold beside it
        ("user.slice/user-1000.slice/session-3.scope", {}, "user.slice/user-1000.slice", None),  # of an SSH session
        ("", {}, "", ""),  # root of a container that has handed memory down
    ],
    ids=["delegated", "limited", "not delegated", "whole tree"],
)
def test_version_2_makes_groups_where_this_user_may_and_no_limit_is_left(
    own: str, limits: dict[str, str], others: str, expected: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    group(tmp_path, "" if own else "memory")
    for folder in ("user.slice", "user.slice/user-1000.slice", SLICE, f"{SLICE}/app.slice"):
        group(tmp_path / folder, "memory pids")
    if own:
        group(tmp_path / own, "", **limits)
    mine = tmp_path / SLICE

    def may(path: Path, mode: int) -> bool:
        return not own or path.is_relative_to(mine)

    monkeypatch.setattr(os, "access", may)
    found = control_groups.delegated(tmp_path / own, tmp_path)
    assert found == (None if expected is None else tmp_path / expected)


@pytest.fixture
def second(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Folder of this process's group in a made tree of version 2, whose new groups get the kernel's files."""
    (tmp_path / "cgroup.controllers").write_text("memory\n")
    made = tmp_path / "mine"
    made.mkdir()
    make = Path.mkdir

    def filled(path: Path, *args: Any, **options: Any) -> None:
        make(path, *args, **options)
        if path.is_relative_to(made):
            for name, text in SECOND.items():
                (path / name).write_text(text)

    monkeypatch.setattr(Path, "mkdir", filled)
    monkeypatch.setattr(control_groups, "own_group", lambda: (2, made))
    monkeypatch.setattr(
        control_groups, "remove_groups", shutil.rmtree
    )  # groups of the kernel go though they have files
    return made


SECOND = {
    "memory.current": "1000",
    "memory.peak": "5000",
    "memory.max": "max",
    "memory.high": "max",
    "memory.swap.max": "max",
    "memory.events": "low 0\nhigh 0\nmax 4\noom 3\noom_kill 2\noom_group_kill 0\n",
    "cgroup.procs": "",
    "cgroup.subtree_control": "",
}


def test_version_2_hands_the_controller_down_and_keeps_limits_of_the_solver_alone(second: Path) -> None:
    folder = control_groups.run_group("made")
    assert folder == second / "crosscheck-made"
    assert (folder / "cgroup.subtree_control").read_text() == "+memory"
    group = WorkerGroup.create(folder / "worker")
    group.limit(300)
    assert (folder / "worker" / "memory.max").read_text() == "1300"  # the worker's share is set aside
    assert (folder / "worker" / "memory.swap.max").read_text() == "0"
    assert (group.peak(), group.files.kills()) == (4000, 2)
    group.reset()
    assert group.files.highest() == 0, "the kernel would begin with what the group holds"
    join(str(folder / "worker"))
    assert (folder / "worker" / "cgroup.procs").read_text() == str(os.getpid())
    group.remove()


def test_version_2_puts_programs_beside_their_worker_within_its_limit(second: Path) -> None:
    folder = control_groups.run_group("made")
    assert folder is not None
    found = WorkerGroup.create(folder / "worker", programs=True)
    assert found.programs is not None
    assert found.joined == folder / "worker" / "own"
    assert (folder / "worker" / "cgroup.subtree_control").read_text() == "+memory"
    assert found.programs.begin() == 1000
    assert (folder / "worker" / "programs" / "memory.high").read_text().startswith("max"), "no limit of its own is left"
    assert found.kills() == 4
    found.remove()


@pytest.mark.parametrize("missing", ["memory.peak", "memory.current"])
def test_version_2_without_a_peak_that_can_be_reset_has_no_groups(
    second: Path, monkeypatch: pytest.MonkeyPatch, missing: str
) -> None:
    monkeypatch.delitem(SECOND, missing)
    assert control_groups.run_group("made") is None


def test_a_parent_that_has_not_handed_the_controller_down_has_no_groups(
    second: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = Path.write_text

    def refused(path: Path, text: str, *rest: str) -> int:
        if path.name == "cgroup.subtree_control" and text == "+memory":
            raise OSError(2, "No such file or directory")
        return write(path, text, *rest)

    monkeypatch.setattr(Path, "write_text", refused)
    assert control_groups.run_group("made") is None
