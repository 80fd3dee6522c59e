"""Process of a command: set up to run one verb, unless the verb is run in a process of someone else."""

import gc
import os
import subprocess
import sys

import pytest

from harness.cli import main


@pytest.mark.skipif(sys.platform != "linux", reason="reads the threads of a process from /proc")
def test_a_command_starts_no_threads_of_numpy() -> None:
    script = "import os; from harness.cli import main; main(); import numpy; print(len(os.listdir('/proc/self/task')))"
    environment = {name: value for name, value in os.environ.items() if "THREADS" not in name}
    done = subprocess.run(
        [sys.executable, "-c", script, "list", "--corpora"], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "1"


def test_a_verb_that_is_called_leaves_the_process_as_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    before = gc.get_threshold(), dict(os.environ)
    assert main(["list", "--corpora"]) == 0
    assert capsys.readouterr().out
    assert (gc.get_threshold(), dict(os.environ)) == before
