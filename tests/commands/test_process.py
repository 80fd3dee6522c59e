"""Process of a command: set up to run one verb, unless the verb is run in a process of someone else."""

import gc
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from harness.cli import main
from tests.conftest import ROOT


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


@pytest.mark.slow
def test_what_a_test_starts_can_be_interrupted_although_the_parent_of_the_tests_ignores_ctrl_c(tmp_path: Path) -> None:
    """As under a shell that starts them with `&`."""
    claims = (
        f"{Path(__file__).parent.relative_to(ROOT) / Path(__file__).name}::test_ctrl_c_interrupts_what_a_test_starts"
    )
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-n0",
        "-p",
        "no:cacheprovider",
        "--basetemp",
        str(tmp_path / "t"),
        claims,
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, preexec_fn=ignore_ctrl_c, timeout=100)
    assert done.returncode == 0, done.stdout


def ignore_ctrl_c() -> None:
    """Ignore SIGINT, in a child before it begins."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def test_ctrl_c_interrupts_what_a_test_starts() -> None:
    script = "import signal, time; signal.raise_signal(signal.SIGINT); time.sleep(100)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr.splitlines()[-1]) == (-signal.SIGINT, "KeyboardInterrupt")
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)


@pytest.mark.slow
def test_a_command_that_was_started_to_ignore_ctrl_c_ignores_it(environment: dict[str, str], tmp_path: Path) -> None:
    program = "import os, signal; input(); os.kill(int(os.environ['RUN']), signal.SIGINT); print('unknown')"
    (tmp_path / "mine.py").write_text(program)
    script = "import os, sys; os.environ['RUN'] = str(os.getpid()); from harness.cli import main; sys.exit(main())"
    mine = ("-b", "lines:mine", "--program", f"mine={sys.executable} {tmp_path / 'mine.py'}", "--pass-env", "RUN")
    command = [sys.executable, "-c", script, "run", "hardest", "-n", "1", *mine]
    done = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, preexec_fn=ignore_ctrl_c, timeout=100
    )
    assert (done.returncode, done.stderr) == (4, "")
    assert "interrupted" not in done.stdout
