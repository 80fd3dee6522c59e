"""CPU time of a process that a session keeps beside it, in an ask of few milliseconds."""

import statistics
import subprocess
import sys
import time

import pytest

from harness.running.workers.descendants import Usage
from harness.running.workers.inside import clocks
from harness.running.workers.inside.clocks import cpu_after, cpu_before

MS = 1_000_000
WORK_MS = 3
SERVER = f"""
import sys, threading, time
def work():
    until = time.thread_time() + {WORK_MS} / 1000
    while time.thread_time() < until:
        pass
for line in sys.stdin:
    if line == "thread\\n":
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    else:
        work()
    print(flush=True)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="reads clocks of other processes")
@pytest.mark.parametrize("where", ["main", "thread"])
def test_three_ms_of_a_kept_child_are_three_ms_whichever_thread_computes(where: str) -> None:
    pipe = subprocess.PIPE
    command = [sys.executable, "-S", "-E", "-c", SERVER]
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as child:
        assert child.stdin
        assert child.stdout
        spent = []
        for _ in range(21):
            before = cpu_before({child.pid})
            child.stdin.write(f"{where}\n")
            child.stdin.flush()
            child.stdout.readline()
            spent.append((cpu_after({child.pid}) - before) / MS)
    assert WORK_MS <= statistics.median(spent) < 1.5 * WORK_MS, spent


def test_reading_the_time_of_a_kept_child_is_no_time_of_the_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    def slowly(pid: int) -> Usage:
        until = time.process_time() + 0.1
        while time.process_time() < until:
            pass
        return Usage(7.0)

    monkeypatch.setattr(clocks, "group_usage", slowly)
    assert 0 <= -(cpu_before({1}) - cpu_after({1})) < 50 * MS
