"""Run all benchmarks, record their figures, and compare them with those of another version.

    python benchmarks/all.py -o PATH                  short forms of all, below 15 minutes on a quiet machine
    python benchmarks/all.py -o PATH --only native    go on with some; --full: their full form
    python benchmarks/all.py --against CHECKOUT       compare with another version
    python benchmarks/all.py --readme                 write README.md from the figures in benchmarks/recorded

The record of each benchmark goes to PATH as soon as it ends, beside those of others that are there already. One that
fails or takes too long is noted there and does not stop the others.

A comparison runs this checkout's scripts with the packages of each version. Scripts that measure CPU time run for both
at the same time on one core, so that the scheduler interleaves them; those that read the wall clock run in turn, A B A
B, and need a quiet machine. `versions`, which is part of it, interleaves the workers of both. It needs the command line
only; the other scripts fail with versions whose interfaces they do not know. Ratios are geometric means over rounds.
"""

import argparse
import datetime
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from figures import Figure, mean_ratio, ratio, table
from measuring import ROOT, Failed, Process, Tools, commit, measure, started, write_records
from readme import write_readme
from suite import BENCHMARKS, TOOLS, Benchmark

from harness.model.host import host, versions

COMPILED = "native:kernel,native:engine"


def record(names: list[str], full: bool, tools: Tools, path: Path) -> int:
    """Run benchmarks and write their records; return the number of those that failed."""
    known: dict[str, Any] = json.loads(path.read_text()) if path.exists() else {"benchmarks": {}, "failures": {}}
    failed = 0
    for name in names:
        began = time.monotonic()
        try:
            known["benchmarks"][name] = measure(BENCHMARKS[name], full, tools)
            known["failures"].pop(name, None)
            what = f"{len(known['benchmarks'][name]['figures'])} figures"
        except Failed as e:
            known["failures"][name], what = e.reason, str(e)
            failed += e.reason != "skipped"
        write_records(known, path)
        print(f"{name}: {what} ({time.monotonic() - began:.0f} s)", flush=True)
    return failed


def together(benchmark: Benchmark, full: bool, tools: Tools, sides: list[Path], folder: Path) -> list[list[Figure]]:
    """Return the figures of both versions, which run at the same time on one core. Raises Failed."""
    every, until = os.sched_getaffinity(0), time.monotonic() + 2 * benchmark.seconds(full)
    os.sched_setaffinity(0, {max(every)})
    processes: list[Process] = []
    try:
        for n, side in enumerate(sides):
            processes.append(started(benchmark, full, tools, side, folder / str(n)))
        return [process.figures(until) for process in processes]
    finally:
        os.sched_setaffinity(0, every)
        for process in processes:
            process.end()


def one_by_one(benchmark: Benchmark, full: bool, tools: Tools, sides: list[Path], folder: Path) -> list[list[Figure]]:
    """Return the figures of both versions, one after the other. Raises Failed."""
    return [
        started(benchmark, full, tools, side, folder / str(n)).figures(time.monotonic() + benchmark.seconds(full))
        for n, side in enumerate(sides)
    ]


def compared(name: str, rounds: int, full: bool, tools: Tools) -> Iterator[Figure]:
    """Yield each figure of a benchmark for the old version, the new one, and their ratio. Raises Failed."""
    benchmark, sides = BENCHMARKS[name], [Path(tools["old"]), ROOT]
    if not benchmark.compared:
        for figure in measure(benchmark, full, tools)["figures"]:
            yield Figure(**figure | {"case": f"{name}: {figure['case']}"})
        return
    found: dict[tuple[str, str, str], list[list[float]]] = {}
    run = together if benchmark.compared == "together" else one_by_one
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as folder:
            for side, figures in enumerate(run(benchmark, full, tools, sides, Path(folder))):
                for f in figures:
                    found.setdefault((f.case, f.way, f"{f.name} {f.unit}".strip()), [[], []])[side].append(f.value)
    for (case, way, what), (old, new) in found.items():
        row = f"{name}: {case}", f"{way}: {what}"
        yield from (Figure(*row, side, median(values)) for side, values in (("old", old), ("new", new)) if values)
        if len(old) == len(new) and min(old + new) > 0:
            yield ratio(*row, "new / old", mean_ratio([b / a for a, b in zip(old, new, strict=True)]))


def compile_loops(checkout: Path) -> None:
    """Have a version compile what it keeps compiled, so that no figure contains that."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "harness", "run", "several", "-n", "2", "-o", f"{folder}/j.sqlite"]
        environment = os.environ | {"PYTHONPATH": str(checkout)}
        subprocess.run(
            [*command, "-b", COMPILED], cwd=checkout, env=environment, stdout=subprocess.DEVNULL, check=False
        )


def compare(names: list[str], rounds: int, full: bool, tools: Tools) -> Iterator[Figure]:
    """Yield the comparisons of benchmarks; say which failed."""
    for name in names:
        began = time.monotonic()
        try:
            yield from compared(name, rounds, full, tools)
            result = "done"
        except Failed as e:
            result = str(e)
        print(f"{name}: {result} ({time.monotonic() - began:.0f} s)", file=sys.stderr, flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", type=Path, metavar="PATH", help="default, of records: benchmarks.json")
    parser.add_argument("--only", nargs="+", choices=BENCHMARKS, metavar="NAME", help=f"of {', '.join(BENCHMARKS)}")
    parser.add_argument("--full", action="store_true", help="the full forms, which take hours")
    parser.add_argument(
        "--with", action="append", default=[], dest="tools", metavar="NAME=PATH", help="where a tool is"
    )
    parser.add_argument("--against", type=Path, metavar="CHECKOUT", help="compare with the version in this checkout")
    parser.add_argument("--rounds", type=int, default=3, help="of a comparison, 2 or more (default 3)")
    parser.add_argument("--readme", action="store_true", help="write README.md only")
    args = parser.parse_args()
    if args.readme:
        write_readme()
        return 0
    tools = {name: path for name, _, path in (word.partition("=") for word in args.tools)}
    if unknown := tools.keys() - TOOLS:
        parser.error(f"--with takes NAME=PATH, with NAME one of {', '.join(TOOLS)}, not {', '.join(unknown)}")
    names = args.only or list(BENCHMARKS)
    if args.against is None:
        return min(1, record(names, args.full, tools, args.output or Path("benchmarks.json")))
    if args.rounds < 2:
        parser.error("--rounds must be at least 2, for an interval")
    tools["old"] = str(args.against.resolve())
    names = [name for name in names if BENCHMARKS[name].compared or "{old}" in BENCHMARKS[name].short]
    for checkout in (args.against, ROOT):
        compile_loops(checkout.resolve())
    figures = list(compare(names, args.rounds, args.full, tools))
    commits = {"old": commit(args.against.resolve()), "new": commit(ROOT)}
    print(f"old: {commits['old']}, new: {commits['new']}")
    print(table(figures))
    if args.output:
        made = {"date": datetime.date.today().isoformat(), "machine": host(), "versions": versions()}
        write_records(commits | made | {"figures": [f.as_dict() for f in figures]}, args.output)
    return 0


if __name__ == "__main__":
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda number, frame: sys.exit(128 + number))  # ends the benchmark that runs
    sys.exit(main())
