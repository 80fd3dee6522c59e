"""CPU time of a program that a contender started on opening: counted from the start of an ask, not before."""

import subprocess
import sys

import pytest

from harness.running.workers.descendants import Usage, descendant_usage, group_usage
from harness.running.workers.inside.clocks import cpu_after
from tests.attacks.planting import wait_for

SPIN = "import time\nwhile time.process_time() < 0.3: pass\ntime.sleep(60)"


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_the_time_of_a_kept_child_is_counted_while_it_runs() -> None:
    with subprocess.Popen([sys.executable, "-S", "-E", "-c", SPIN]) as child:
        try:
            assert wait_for(lambda: group_usage(child.pid).cpu >= 0.25)
            assert cpu_after({child.pid}) - cpu_after(frozenset()) >= 0.1e9
        finally:
            child.kill()
    assert group_usage(child.pid) == descendant_usage(child.pid) == Usage()
