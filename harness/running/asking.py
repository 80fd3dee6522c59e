"""Ask a program for its version.

`python -m harness.running.asking SECONDS[,BOUNDARY] PROGRAM [SCRIPT]` prints the first line of its answer.

The program runs without input, within limits of time, memory and output, and with temporary files of its own. All
processes that the program starts end with this process, even without a parent. BOUNDARY is the descriptor of a file
that says what the program sees.
"""

import os
import resource
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence

from harness.running.reaper import MARK
from puzzles.processes.guarding import LINUX, adopt_orphans, end_children

MEMORY = 1 << 30  # bytes of data memory
OUTPUT = 1 << 16  # bytes of each file that it writes, its output included


def first_line(words: Sequence[str], folder: str, seconds: float) -> str:
    """Return the first line that a program prints with --version, '' if it fails."""
    with tempfile.TemporaryFile(dir=folder) as output:
        try:
            process = subprocess.Popen(
                [*words, "--version"],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.DEVNULL,
                env={**os.environ, "TMPDIR": folder},
                start_new_session=True,
                preexec_fn=limit,
            )
        except (OSError, subprocess.SubprocessError):
            return ""
        try:
            code = process.wait(seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            code = process.wait()
        output.seek(0)
        first, *_ = output.read(OUTPUT).decode(errors="replace").strip().split("\n")
    return first if code == 0 else ""


def limit() -> None:
    """Limit the memory and the output of this process."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_FSIZE, (OUTPUT, OUTPUT))


def main() -> None:
    """Answer, and leave nothing behind."""
    seconds, *within = sys.argv[1].split(",")
    if within:
        from puzzles.processes.boundary import Boundary, start_within

        start_within(Boundary.load(int(within[0])))
    if LINUX:
        adopt_orphans()
    with tempfile.TemporaryDirectory(prefix=f"crosscheck-{os.environ.get(MARK, '')}-") as folder:
        line = first_line(sys.argv[2:], folder, float(seconds))
        end_children()
    print(line)


if __name__ == "__main__":
    main()
