"""Cost of isolation, judging and the journal.

    python benchmarks/engine.py overhead            the runner compared with a plain loop in one process
    python benchmarks/engine.py throughput          outcomes per second through worker, judge and journal
    python benchmarks/engine.py million [--top N]   cost per puzzle and memory of the parent, 10^4 to 10^6 puzzles

`overhead` runs the puzzles in the runner and in a plain loop of `session.ask` in a process of its own, in turn block by
block, on one core. It compares the CPU time of the runner's worker, and that of worker and parent, with the loop's; the
intervals are by bootstrap over rounds, each with new processes, and over their blocks. `throughput` and `million` use
the compiled kernel, whose solving time is small compared with the runner's.
"""

import argparse
import multiprocessing
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from typing import NamedTuple

from figures import Figure, add_option, cpu_clock, in_turn, pair_ratio, ratio, report

from backends.contract import registry
from backends.contract.answer import Ask
from encoders.registry import ENCODINGS, Spec
from harness.model.contender import Contender, resolve
from harness.model.host import cores
from harness.model.settings import RunSettings
from harness.running.workers.descendants import descendants
from harness.runs.runner import Run
from harness.storing.journal import Journal
from puzzles.boards.layout import Puzzle
from puzzles.corpora import find
from puzzles.formats import ReaderOptions, read


class Block(NamedTuple):
    """Puzzles of a block, and CPU seconds: of the runner's worker, of the plain loop, of the runner's parent."""

    puzzles: int
    worker: float
    loop: float
    parent: float


def corpus(name: str) -> list[Puzzle]:
    return list(read(find(name), ReaderOptions()))


def relabelled(puzzles: list[Puzzle], number: int, seed: int) -> Iterator[str]:
    """Yield lines of puzzles drawn from those given, with relabelled values."""
    random = Random(seed)
    lines = ["".join(".123456789"[d.bit_length()] if d.bit_count() == 1 else "." for d in p.domains) for p in puzzles]
    for _ in range(number):
        labels = "".join(random.sample("123456789", 9))
        yield random.choice(lines).translate(str.maketrans("123456789", labels))


def run_blocks(puzzles: list[Puzzle], contender: Contender) -> Iterator[int]:
    """Run puzzles in the harness; yield the number of outcomes of each block, while the worker is idle."""
    with tempfile.TemporaryDirectory() as folder, Journal.create(Path(folder) / "j.sqlite") as journal:
        journal.corpora.add("corpus", puzzles)
        journal.contenders.add([contender])
        journal.facts.put(settings=RunSettings().as_dict())
        yield from Run(journal).solve()


def plain_loop(pipe: Connection, contender: Contender, puzzles: list[Puzzle]) -> None:
    """Solve slices of the puzzles on command, each in a plain loop on the worker's core; send its CPU seconds."""
    os.sched_setaffinity(0, {cores()[-1]})
    formula = Spec(ENCODINGS[contender.encoding]).formula(puzzles[0].problem)
    session = registry.find(contender.backend).open(formula)
    asks = [Ask(p.domains) for p in puzzles]
    while (span := pipe.recv()) is not None:
        start = time.process_time()
        for ask in asks[slice(*span)]:
            session.ask(ask)
        pipe.send(time.process_time() - start)


def paired_blocks(puzzles: list[Puzzle], contender: Contender) -> list[Block]:
    """Run puzzles in new processes; return the costs of their blocks, without those of the first tenth.

    The worker and what the runner starts beside it are all processes below this one but the plain loop.
    """
    context = multiprocessing.get_context("spawn")
    pipe, end = context.Pipe()
    loop = context.Process(target=plain_loop, args=(end, contender, puzzles), daemon=True)
    loop.start()
    found, done, worker, parent = [], 0, 0.0, time.process_time()
    for some in run_blocks(puzzles, contender):
        parent = time.process_time() - parent
        below = sum(cpu_clock(pid) for pid in descendants(os.getpid()) if pid != loop.pid)
        pipe.send((done, done + some))
        block = Block(some, below - worker, pipe.recv(), parent)
        found += [block] if done >= len(puzzles) // 10 else []  # before that blocks are short, and the solvers cold
        done, worker, parent = done + some, below, time.process_time()
    pipe.send(None)
    loop.join()
    return found


def overhead(rounds: int) -> Iterator[Figure]:
    """Compare the runner with a plain loop for solves of a millisecond or more, with new processes in each round."""
    puzzles = corpus("minimal") * 3
    contenders, _ = resolve(["pysat:minisat22/extended", "pysat:cadical195/extended", "cpsat"])
    ways = {c.name: partial(paired_blocks, contender=c) for c in contenders}
    for name, groups in in_turn(ways, [puzzles] * rounds).items():
        blocks = [block for group in groups for block in group]
        n = sum(b.puzzles for b in blocks) / 1e3
        yield Figure("", name, "blocks", len(blocks))
        yield Figure("", name, "plain loop, per puzzle", sum(b.loop for b in blocks) / n, "ms")
        worker = pair_ratio([[(b.worker, b.loop) for b in group] for group in groups])
        yield ratio("", name, "worker / plain loop", worker)
        both = pair_ratio([[(b.worker + b.parent, b.loop) for b in group] for group in groups])
        yield ratio("", name, "worker and parent / plain loop", both)
        yield Figure("", name, "parent, per puzzle", sum(b.parent for b in blocks) / n, "ms")


def time_runner(puzzles: list[Puzzle], contender: Contender) -> float:
    """Return seconds per outcome of a run, after its first tenth."""
    done, first, start, end = 0, 0, 0.0, 0.0
    for some in run_blocks(puzzles, contender):
        done += some
        end = time.perf_counter()
        if not start and done >= len(puzzles) // 11:
            start, first = end, done
    return (end - start) / (done - first)


def throughput(number: int, rounds: int) -> Iterator[Figure]:
    """Measure outcomes per second through worker, judge and journal."""
    puzzles = corpus("easy")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "many.txt"
        path.write_text("#: sudoku 3x3\n" + "\n".join(relabelled(puzzles, number, 1)) + "\n")
        many = list(read(path, ReaderOptions()))
    assert len(many) == number
    contenders, _ = resolve(["native:kernel"])
    rates = [1 / time_runner(many, contenders[0]) for _ in range(rounds)]
    yield Figure(f"{number:,} puzzles", "native:kernel", "outcomes per second, median", statistics.median(rates), "1/s")


def million(top: int) -> Iterator[Figure]:
    """Time whole runs from the command line, each with ten times as many puzzles as the one before."""
    puzzles, number = corpus("easy"), 10_000
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
            process.returncode = os.waitstatus_to_exitcode(status)
            assert process.returncode == 0, process
            size = Path(f"{folder}/j.sqlite").stat().st_size
        made = partial(Figure, f"{number:,} puzzles", "native:kernel")
        yield made("whole run", seconds, "s")
        yield made("per puzzle", seconds / number * 1e6, "us")
        yield made("CPU time per puzzle", (usage.ru_utime + usage.ru_stime) / number * 1e6, "us")
        yield made("peak of the parent", usage.ru_maxrss / 1024, "MiB")
        yield made("journal", size / 2**20, "MiB")
        number *= 10


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("overhead", "throughput", "million"))
    parser.add_argument("--rounds", type=int, default=5, help="of overhead and throughput")
    parser.add_argument("--number", type=int, default=100_000, help="puzzles of throughput")
    parser.add_argument("--top", type=int, default=1_000_000, help="puzzles of the largest run of million")
    add_option(parser)
    args = parser.parse_args()
    found = {
        "overhead": lambda: overhead(args.rounds),
        "throughput": lambda: throughput(args.number, args.rounds),
        "million": lambda: million(args.top),
    }[args.what]()
    report(found, args.json)


if __name__ == "__main__":
    main()
