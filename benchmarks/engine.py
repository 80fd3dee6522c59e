"""Cost of isolation, judging and the journal.

    python benchmarks/engine.py overhead            the runner compared with a plain loop in one process
    python benchmarks/engine.py throughput          outcomes per second through worker, judge and journal
    python benchmarks/engine.py million [--top N]   cost per puzzle and memory of the parent, 10^4 to 10^6 puzzles

`overhead` times `Run.solve` from the opening of its worker to the last outcome, alternating with `session.ask` in a
plain loop over the same puzzles. `throughput` and `million` use the compiled kernel, whose solving time is small
compared with the runner's.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

from tabulate import tabulate

from backends import registry
from backends.answer import Ask
from encoders.registry import ENCODINGS, Spec
from harness.model.contender import Contender, resolve
from harness.model.settings import RunSettings
from harness.runs.runner import Run
from harness.storing.journal import Journal
from puzzles.corpora import find
from puzzles.formats import ReaderOptions, read
from puzzles.layout import Layout, Puzzle


def corpus(name: str) -> list[Puzzle]:
    return list(read(find(name), ReaderOptions()))


def relabelled(puzzles: list[Puzzle], number: int, seed: int) -> Iterator[str]:
    """Yield lines of puzzles drawn from those given, with relabelled values."""
    random = Random(seed)
    lines = ["".join(".123456789"[d.bit_length()] if d.bit_count() == 1 else "." for d in p.domains) for p in puzzles]
    for _ in range(number):
        labels = "".join(random.sample("123456789", 9))
        yield random.choice(lines).translate(str.maketrans("123456789", labels))


def time_runner(puzzles: list[Puzzle], contender: Contender) -> float:
    """Return seconds of a run from its first block of outcomes to the last, scaled to all puzzles."""
    warm = puzzles[: max(1, len(puzzles) // 10)]
    with tempfile.TemporaryDirectory() as folder, Journal.create(Path(folder) / "j.sqlite") as journal:
        journal.add_corpus("corpus", warm + puzzles)
        journal.add_contenders([contender])
        journal.put(settings=RunSettings().as_dict())
        done, start, end = 0, 0.0, 0.0
        for some in Run(journal).solve():
            done += some
            end = time.perf_counter()
            if not start and done >= len(warm):
                start, first = end, done
        return (end - start) * len(puzzles) / (done - first)


def time_plain_loop(puzzles: list[Puzzle], contender: Contender) -> float:
    """Return seconds of the same asks in a plain loop."""
    layout: Layout = puzzles[0].problem
    formula = Spec(ENCODINGS[contender.encoding]).formula(layout)
    session = registry.find(contender.backend).open(formula)
    asks = [Ask(p.domains) for p in puzzles]
    for ask in asks:
        session.ask(ask)
    start = time.perf_counter()
    for ask in asks:
        session.ask(ask)
    return time.perf_counter() - start


def overhead(rounds: int) -> None:
    """Compare the runner with the plain loop, for solves of a millisecond or more."""
    puzzles = corpus("minimal") * 5
    rows = []
    contenders, _ = resolve(["pysat:minisat22/extended", "pysat:cadical195/extended", "cpsat"])
    for contender in contenders:
        pairs = [(time_runner(puzzles, contender), time_plain_loop(puzzles, contender)) for _ in range(rounds)]
        ratio = statistics.median(a / b for a, b in pairs)
        alone = statistics.median(b for _, b in pairs) / len(puzzles)
        rows.append([contender.name, len(puzzles), f"{alone * 1e3:.2f} ms", f"{(ratio - 1) * 100:+.1f} %"])
    print(tabulate(rows, ["contender", "puzzles", "plain loop, per puzzle", "runner adds"], disable_numparse=True))


def throughput(number: int) -> None:
    """Measure outcomes per second through worker, judge and journal."""
    puzzles = corpus("easy")
    layout = puzzles[0].problem
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "many.txt"
        path.write_text("#: sudoku 3x3\n" + "\n".join(relabelled(puzzles, number, 1)) + "\n")
        many = list(read(path, ReaderOptions()))
        assert len(many) == number
        assert many[0].problem is layout or many[0].problem.name == layout.name
    contenders, _ = resolve(["native:kernel"])
    rates = [number / time_runner(many, contenders[0]) for _ in range(5)]
    print(f"{number:,} puzzles, native:kernel: {statistics.median(rates):,.0f} outcomes/s (median of {len(rates)})")


def million(top: int) -> None:
    """Time whole runs from the command line, each with ten times as many puzzles as the one before."""
    puzzles, rows = corpus("easy"), []
    number = 10_000
    while number <= top:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "many.txt"
            with path.open("w") as file:
                file.write("#: sudoku 3x3\n")
                file.writelines(line + "\n" for line in relabelled(puzzles, number, 1))
            command = [sys.executable, "-m", "harness", "run", str(path), "-b", "native:kernel"]
            start = time.perf_counter()
            process = subprocess.Popen([*command, "-o", f"{folder}/j.sqlite"], stdout=subprocess.DEVNULL)
            _, status, usage = os.wait4(process.pid, 0)
            seconds = time.perf_counter() - start
            process.returncode = status
            size = Path(f"{folder}/j.sqlite").stat().st_size
        peak = usage.ru_maxrss / 1024
        rows.append(
            [
                f"{number:,}",
                f"{seconds:.1f} s",
                f"{seconds / number * 1e6:.1f} us",
                f"{peak:.0f} MB",
                f"{size >> 20} MB",
            ]
        )
        number *= 10
    print(
        tabulate(
            rows, ["puzzles", "whole run", "per puzzle", "peak memory of the parent", "journal"], disable_numparse=True
        )
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("overhead", "throughput", "million"))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--number", type=int, default=100_000)
    parser.add_argument("--top", type=int, default=1_000_000)
    args = parser.parse_args()
    if args.what == "overhead":
        overhead(args.rounds)
    elif args.what == "throughput":
        throughput(args.number)
    else:
        million(args.top)


if __name__ == "__main__":
    main()
