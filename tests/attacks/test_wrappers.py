"""A solver behind a wrapper ends with its ask, and its CPU time is counted, wherever the wrapper hides it."""

import sys
from pathlib import Path

import pytest

from backends.contract.answer import Reason
from harness.model.outcome import Verdict
from tests.attacks.planting import BOARDS, SOLUTION, outcomes, plant, plant_python
from tests.conftest import Harness

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")

LOOK = 'read board; test -f pid && { kill -0 "$(cat pid)" 2>/dev/null && echo alive || echo gone; } >> log\n'
SOLVER = "sh -c 'echo $$ > pid; exec sleep 60'"
WRAPPERS = {
    "child": f"{SOLVER}; echo unknown",
    "session": f"setsid {SOLVER}; echo unknown",
    "daemon": f"(setsid {SOLVER} > /dev/null 2>&1 &); sleep 60",
}
# A grandchild whose parent has ended spins for a third of a second, then stays.
DAEMON = """\
if os.fork() == 0:
    os.setsid(); os.closerange(0, 3)
    if os.fork() == 0:
        while time.process_time() < 0.3 or FOREVER: pass
        open('spun', 'w').close()
        time.sleep(60)
    os._exit(0)
os.wait()
while not os.path.exists('spun'): time.sleep(0.01)
os.unlink('spun')
"""


@pytest.mark.slow
def test_a_wrapped_solver_is_gone_before_the_next_ask(harness: Harness, tmp_path: Path) -> None:
    (tmp_path / "two.txt").write_text(BOARDS)
    words = []
    for name, script in WRAPPERS.items():
        folder = tmp_path / name
        folder.mkdir()
        words += plant(folder, name, LOOK + script)
    harness("run", "two.txt", *words, "-t", 1.5, "-o", "j.sqlite")
    logs = {name: set((tmp_path / name / "log").read_text().split()) for name in WRAPPERS}
    assert logs == {name: {"gone"} for name in WRAPPERS}
    assert {row[1:] for row in outcomes(tmp_path / "j.sqlite", "reason")} == {(Reason.TIMEOUT,)}


@pytest.mark.slow
@pytest.mark.parametrize("forever", [False, True])
def test_cpu_time_of_a_daemon_is_counted_and_limited(harness: Harness, tmp_path: Path, forever: bool) -> None:
    (tmp_path / "one.txt").write_text(BOARDS.rsplit("\n", 2)[0])
    words = plant_python(tmp_path, "mine", DAEMON.replace("FOREVER", str(forever)) + f"print('{SOLUTION}')")
    harness("run", "one.txt", *words, "--cpu", 0.6 if forever else 20, "-t", 60, "-o", "j.sqlite")
    ((_, verdict, reason, cpu, detail),) = outcomes(tmp_path / "j.sqlite", "verdict", "reason", "cpu", "detail")
    if forever:
        assert (verdict, reason, detail) == (Verdict.UNKNOWN, Reason.TIMEOUT, "killed after 0.6 s of CPU time")
    else:
        assert verdict == Verdict.CORRECT
        assert cpu >= 0.3e9
