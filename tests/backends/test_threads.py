"""Threads of contenders: what options state, and what runs at once."""

import os
import subprocess
import sys

import pytest

from backends.programs import threads
from harness.running.workers import limits, running_threads
from tests.attacks.planting import wait_for
from tests.conftest import Harness

WAIT = """
import sys, threading
threading.Thread(target=threading.Event().wait, daemon=True).start()
print(flush=True)
sys.stdin.read()
"""
SPIN = """
import os, threading, time
end = time.monotonic() + 0.8
def spin():
    while time.monotonic() < end: pass
for _ in range(3):
    if os.fork() == 0: spin(); os._exit(0)
spin()
print('s UNKNOWN')
"""


@pytest.mark.parametrize(
    ("backend", "command", "option"),
    [
        ("cpsat", (), ""),
        ("cpsat[num_workers=1]", (), ""),
        ("cpsat[num_workers=8,symmetry_level=0]", (), "num_workers=8"),
        ("cpsat[symmetry_level=2]", (), ""),
        ("clingo[--parallel-mode=4]", (), "--parallel-mode=4"),
        ("scip[parallel/maxnthreads=2]", (), "parallel/maxnthreads=2"),
        ("highs[threads=0]", (), "threads=0"),
        ("dimacs:syrup", ("syrup", "-nthreads=4", "{cnf}"), "-nthreads=4"),
        ("dimacs:mine", ("mine", "--threads", "3", "{cnf}"), "--threads=3"),
        ("dimacs:syrup[-nthreads=1]", ("syrup", "-nthreads=4"), ""),
        ("xcsp3:cosoco", ("cosoco", "-nbcores=1"), ""),
        ("dimacs:mine", ("mine", "--time=20", "--seed", "7"), ""),
    ],
)
def test_an_option_states_several_threads(backend: str, command: tuple[str, ...], option: str) -> None:
    assert threads.stated(backend, command) == option


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_threads_that_wait_are_not_running() -> None:
    with subprocess.Popen([sys.executable, "-c", WAIT], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdout
        child.stdout.readline()
        assert wait_for(lambda: running_threads.running([child.pid]) == 0)
        child.kill()


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_what_has_hardly_begun_is_not_running(monkeypatch: pytest.MonkeyPatch) -> None:
    with subprocess.Popen([sys.executable, "-c", "while True: pass"]) as child:
        try:
            assert wait_for(lambda: running_threads.running([child.pid]) == 1)
            monkeypatch.setattr(running_threads, "MIN_RUN_NS", 1 << 60)
            assert running_threads.running([child.pid]) == 0
        finally:
            child.kill()


def test_a_contender_with_several_threads_on_one_core_is_noted(harness: Harness) -> None:
    note = "num_workers=2, but its worker has one core: state [cores=N] too (--no-pin: all cores)"
    run = ("run", "hardest", "-n", "1", "-b", "cpsat[num_workers=2]")
    done = harness(*run)
    assert note in done.err
    assert "cpsat[num_workers=2] has more threads (num_workers=2) than cores" in done.out + done.err
    assert note not in harness(*run, "--no-pin").err


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_threads_without_an_option_are_noticed_while_they_run(
    harness: Harness, tmp_path: os.PathLike[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "LOOK_SHARE", 0.1)  # enough looks within a second, on a busy machine too
    path = os.path.join(tmp_path, "spin.py")
    with open(path, "w") as file:
        file.write(SPIN)
    words = ("--program", f"mine={sys.executable} {path}", "-b", "dimacs:mine", "-m", "64", "-w", "0", "-o", "j")
    done = harness("run", "hardest", "-n", "1", *words)
    assert "dimacs:mine/extended: several of its threads ran at once, but it has one core" in done.err
    assert "warning: dimacs:mine/extended ran more threads at once than it has cores" in done.out
    ruled = harness("report", "j", "--rules", "sat-2026-parallel").out
    assert "more threads at once than the cores stated: dimacs:mine/extended" in ruled
