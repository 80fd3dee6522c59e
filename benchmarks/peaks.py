"""Peak memory of programs beside runexec and GNU time, and CPU time of a session's own child process (Linux).

    python benchmarks/peaks.py [--runexec PATH] [--time PATH] [--asks N] [--json FILE]

`memory`: programs of several sizes, which touch all of it in every ask, run as contenders with --peak, and as often by
each tool. GNU time reports the largest resident set of a process, as we do. runexec reports what a control group was
charged: without files that are mapped but were read before, such as libraries, about 1 MiB, and with buffers of the
kernel. Figures are medians, and the range of each ratio over all asks to the tool's median.

`cpu`: boards that take 3 ms of CPU time each, computed by the worker or by a child process of the session.
"""

import argparse
import os
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

from figures import Figure, add_option, report

ROOT = Path(__file__).resolve().parent.parent
SIZES = (5, 20, 100, 350, 1024)  # MiB
LEAST = 1.5  # MiB that dd has besides its buffer
BOARD, SOLUTION = "1.34341221434321", "1234341221434321"
MIB = 1 << 20


def script(size: int) -> str:
    """Return a shell script that ends as dd, which touches so many MiB."""
    return f"echo {SOLUTION}; exec dd if=/dev/zero of=/dev/null bs={int(1024 * (size - LEAST))}k count=1 2> /dev/null"


def run(folder: Path, boards: int, *words: str) -> Path:
    """Run contenders on boards that are alike; return the journal."""
    corpus, journal = folder / "boards.txt", folder / "j.sqlite"
    corpus.write_text("#: sudoku 2x2\n" + f"{BOARD}\n" * boards)
    journal.unlink(missing_ok=True)
    plugins = os.pathsep.join([str(ROOT), str(ROOT / "tests" / "plugins")])
    command = [sys.executable, "-m", "harness", "run", str(corpus), *words, "-m", "0", "-t", "100", "-o", str(journal)]
    done = subprocess.run(command, env=os.environ | {"PYTHONPATH": plugins}, capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stdout + done.stderr)
    return journal


def column(journal: Path, name: str, contender: str) -> list[int]:
    """Return a column of a contender's outcomes."""
    query = f"select {name} from outcomes o join contenders c on c.id = o.contender where c.name = ? order by puzzle"
    with closing(sqlite3.connect(journal)) as db:
        return [value for (value,) in db.execute(query, [contender])]


def by_time(tool: str, text: str) -> float:
    """Return the MiB that GNU time reports for a script."""
    done = subprocess.run(
        [tool, "-f", "%M", "sh", "-c", text], stdin=subprocess.DEVNULL, capture_output=True, text=True
    )
    return int(done.stderr.split()[-1]) / 1024


def by_runexec(tool: str, text: str) -> float:
    """Return the MiB that runexec reports for a script."""
    words = [tool, "--quiet", "--no-container", "--output", os.devnull, "--", "sh", "-c", text]
    done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True)
    facts = dict(line.split("=", 1) for line in done.stdout.splitlines())
    return int(facts["memory"].rstrip("B")) / MIB


def memory(folder: Path, asks: int, tools: dict[str, str]) -> Iterator[Figure]:
    """Yield the peaks of each program, and their ratios to those of the tools."""
    words = [word for size in SIZES for word in contender(folder, size)]
    journal = run(folder, asks, *words, "--peak", "-w", "0")
    for size in SIZES:
        ours = [peak / MIB for peak in column(journal, "peak", f"lines:of{size}")]
        yield Figure("memory", f"{size} MiB", "crosscheck", statistics.median(ours), "MiB")
        for name, tool in tools.items():
            measure = by_time if name == "time" else by_runexec
            theirs = statistics.median(measure(tool, script(size)) for _ in range(asks))
            yield Figure("memory", f"{size} MiB", name, theirs, "MiB")
            yield Figure("memory", f"{size} MiB", f"least of crosscheck / {name}", min(ours) / theirs, "")
            yield Figure("memory", f"{size} MiB", f"most of crosscheck / {name}", max(ours) / theirs, "")


def contender(folder: Path, size: int) -> Sequence[str]:
    """Return the arguments of a program of a size."""
    path = folder / f"of{size}.sh"
    path.write_text(script(size))
    return "--program", f"of{size}=sh {path}", "-b", f"lines:of{size}"


def cpu(folder: Path, asks: int) -> Iterator[Figure]:
    """Yield the CPU time of an ask inside the worker and in a child process, and the ratio of both."""
    names = ("neighbours:inside", "neighbours:outside")
    journal = run(folder, asks, *(word for name in names for word in ("-b", name)))
    inside, outside = (statistics.mean(column(journal, "cpu", name)) / 1e6 for name in names)
    yield Figure("cpu", "3 ms an ask", "inside the worker", inside, "ms")
    yield Figure("cpu", "3 ms an ask", "in a child process", outside, "ms")
    yield Figure("cpu", "3 ms an ask", "outside / inside", outside / inside, "")


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runexec", default=shutil.which("runexec"), help="of benchexec; it needs control groups")
    parser.add_argument("--time", default=shutil.which("time"), help="GNU time")
    parser.add_argument("--asks", type=int, default=11, help="of each program (11); CPU times have 20 times as many")
    add_option(parser)
    args = parser.parse_args()
    tools = {name: tool for name, tool in (("time", args.time), ("runexec", args.runexec)) if tool}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        report([*memory(folder, args.asks, tools), *cpu(folder, 20 * args.asks)], args.json)


if __name__ == "__main__":
    main()
