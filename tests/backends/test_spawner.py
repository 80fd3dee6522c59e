"""Programs that another process starts end, fail and are counted as if this process had started them."""

import subprocess
import sys

import pytest

from puzzles.processes.guarding import LINUX

SCRIPT = """
import os
from puzzles.processes.guarding import adopt_orphans, end_children

adopt_orphans()
from backends.programs.launching import STARTER, ProgramProcess, started
from backends.programs.process import ProgramFailed, run
from backends.programs.spawner import spawner

joined, join = os.pipe()
STARTER.spawner = spawner(lambda: os.write(join, b"joined"), started)
assert os.read(joined, 10) == b"joined"
own = run(["sh", "-c", "echo $$ $PPID; exit 3"])
assert own.code == 3
assert int(own.output.split()[1]) == STARTER.spawner.pid
run(["sh", "-c", "i=0; while [ $i -lt 30000 ]; do i=$((i + 1)); done"])
assert STARTER.spawner.cpu > 1_000_000
program = ProgramProcess(["sh", "-c", "sleep 60 & sleep 60"])
assert os.getpgid(program.pid) == program.pid
program.end()
assert program.code == -9
for wrong in ("no-such-program", "/"):
    try:
        run([wrong])
    except ProgramFailed as e:
        print(e)
assert STARTER.spawner.alive()
program = ProgramProcess(["sh", "-c", "exit 4"])
os.kill(STARTER.spawner.pid, 9)
os.waitid(os.P_PID, STARTER.spawner.pid, os.WEXITED | os.WNOWAIT)
assert not STARTER.spawner.alive()
assert program.wait(60) == 4, "it has become a child of this process"
try:
    run(["true"])
except ProgramFailed as e:
    print(e)
STARTER.spawner.close()
end_children()  # the inner sleep, if it had begun
try:
    print(os.waitpid(-1, os.WNOHANG))
except ChildProcessError:
    print("no children")
"""


@pytest.mark.skipif(not LINUX, reason="programs are started by their worker here")
def test_a_spawner_starts_and_reaps_programs_and_their_errors_are_those_of_the_worker() -> None:
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, timeout=60)
    assert (done.stdout.splitlines(), done.stderr) == (
        [
            "no-such-program could not be run: No such file or directory",
            "/ could not be run: Permission denied",
            "true could not be run: Broken pipe",
            "no children",
        ],
        "",
    )
