"""Ask a program for its version.

`python -m harness.running.asking SECONDS[,BOUNDARY] PROGRAM [SCRIPT]` prints the first line of its answer.

The program runs without input, within limits of time, memory and output, and with temporary files of its own. All
processes that the program starts end with this process, even without a parent. BOUNDARY is the descriptor of a file
that says what the program sees.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence

from harness.running.reaper import MARK
from puzzles.processes.child import ChildLimits, finished
from puzzles.processes.guarding import LINUX, adopt_orphans, end_children

OUTPUT = 1 << 16  # bytes of each file that it writes, and of its output
LIMITS = ChildLimits(cpu=2, wall=2.0, memory=1 << 30, stack=8 << 20, file=OUTPUT, printed=OUTPUT)


def first_line(words: Sequence[str], folder: str, seconds: float) -> str:
    """Return the first line that a program prints with --version, '' if it fails."""
    environment, limits = {**os.environ, "TMPDIR": folder}, LIMITS._replace(wall=seconds)
    try:
        done = finished([*words, "--version"], b"", limits, environment)
    except (OSError, subprocess.SubprocessError):
        return ""
    first, *_ = done.printed.decode(errors="replace").strip().split("\n")
    return "" if done.code or done.beyond else first


def main() -> None:
    """Answer, and leave nothing behind."""
    seconds, *within = sys.argv[1].split(",")
    if within:
        from puzzles.processes.sandbox import Sandbox, start_within

        start_within(Sandbox.load(int(within[0])))
    if LINUX:
        adopt_orphans()
    with tempfile.TemporaryDirectory(prefix=f"crosscheck-{os.environ.get(MARK, '')}-") as folder:
        line = first_line(sys.argv[2:], folder, float(seconds))
        end_children()
    print(line)


if __name__ == "__main__":
    main()
