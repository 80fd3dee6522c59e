"""CPU time that a run of a program costs outside the program, beside a plain loop of subprocess.run.

    python benchmarks/program_runs.py [--files 200] [--rounds 5]

The program (/bin/true) ends at once, so all CPU time is the harness's and the system's for a process. Both ways solve
the same CNF files in turn: `run` in a process of its own, with its workers, and the loop in another. What each takes
for a tenth of the files is taken off, so that starts cost neither.
"""

import argparse
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from figures import Figure, add_option, children_cpu, mean_ratio, report

LOOP = """
import subprocess, sys
for path in sys.argv[1:]:
    subprocess.run(["/bin/true", path], capture_output=True)
"""


def cpu_of(command: list[str], folder: Path) -> float:
    """Return the CPU seconds of a command and all that it starts."""
    before = children_cpu()
    subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    return children_cpu() - before


def by_run(folder: Path, number: int, round_: int) -> float:
    """Return the CPU seconds of a run of the first files."""
    words = ["-b", "dimacs:true", "--program", "true=/bin/true {cnf}", "-w", "0", "-n", str(number)]
    output = ["-o", f"j{round_}-{number}.sqlite"]
    return cpu_of([sys.executable, "-m", "harness", "run", "files", *words, *output], folder)


def by_loop(folder: Path, number: int) -> float:
    """Return the CPU seconds of a loop over the first files."""
    paths = sorted(map(str, (folder / "files").iterdir()))[:number]
    return cpu_of([sys.executable, "-c", LOOP, *paths], folder)


def measured(files: int, rounds: int) -> Iterator[Figure]:
    """Yield the milliseconds of one program for each way, and their ratio."""
    runs, loops = list[float](), list[float]()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "files").mkdir()
        for i in range(files):
            (folder / "files" / f"{i:05}.cnf").write_text(f"p cnf {i + 1} 1\n1 0\n")
        few = files // 10
        for round_ in range(rounds):
            loops.append(1000 * (by_loop(folder, files) - by_loop(folder, few)) / (files - few))
            runs.append(1000 * (by_run(folder, files, round_) - by_run(folder, few, round_)) / (files - few))
    for way, found in (("loop", loops), ("run", runs)):
        yield Figure(f"{files} files", way, "CPU time of a program's run", statistics.median(found), "ms")
    value, low, high = mean_ratio([run / loop for run, loop in zip(runs, loops, strict=True)])
    yield Figure(f"{files} files", "run / loop", "CPU time of a program's run, ratio", value, "", low, high)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--files", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=5)
    add_option(parser)
    arguments = parser.parse_args()
    report(measured(arguments.files, arguments.rounds), arguments.json)


if __name__ == "__main__":
    main()
