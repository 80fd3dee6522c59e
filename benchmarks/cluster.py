"""Cost of a cluster at the machine that deals its leases.

    python benchmarks/cluster.py dealer [--leases N] [--places N]    CPU time a lease, and memory, of a long run
    python benchmarks/cluster.py throughput [--number N]             outcomes through Dask on loopback, and locally

`dealer` deals leases of ten instances and two contenders to places that only pretend to work: they answer in random
order, at once, and claim to have taken 5 s. One in two hundred is lost instead. Everything else is real: leases are cut
from a journal, answers are checked as those of a cluster, judged and committed.

`throughput` solves easy puzzles with the compiled kernel, whose solving time is small compared with all else, in a
local run and at one place of a scheduler on this machine, in turn, without the first tenth. CPU time is that of all
processes of a run; on a busy machine it says more than wall time.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random
from unittest.mock import patch

import numpy as np
from engine import corpus, relabelled
from tabulate import tabulate

from backends.contract.answer import Reason, Status
from harness.model.contender import resolve
from harness.model.lease import Lease, LeaseResult, Place
from harness.model.outcome import ROW, Batch, Outcomes
from harness.model.settings import Cluster, RunSettings
from harness.running.blocks import LeaseSize
from harness.running.dealer import Event, Finished, Joined, Left
from harness.running.engines.layout import encode
from harness.running.engines.messages import ANSWER, LeaseReply, Packer, Returned
from harness.running.engines.wire import received, returned
from harness.running.place import facts
from harness.running.workers.run_context import OpenState
from harness.runs.runner import Run
from harness.storing.journal import Journal
from puzzles.formats import ReaderOptions, read
from puzzles.problem.columns import index_type

INSTANCES = 10  # of a lease
LEASE_S = 5.0
LOSS = 1 / 200
GRID = "1234341221434321"


class PretendedPlaces:
    """Engine whose places have the answers of grids with one empty square, after as long as they claim."""

    lease_size = LeaseSize(seconds=LEASE_S)

    def __init__(self, places: int, contenders: int) -> None:
        self.random, self.settings = Random(1), RunSettings()
        self.states = [OpenState() for _ in range(contenders)]
        self.held: dict[str, tuple[int, Lease]] = {}
        self.joining = deque(f"place-{number}" for number in range(places))
        self.names, self.place, self.packer = places, facts((), ""), Packer(Path(tempfile.gettempdir()))

    def facts(self, place: str) -> Place:
        return self.place

    def assign(self, place: str, ticket: int, lease: Lease) -> None:
        self.packer.packed(lease)
        self.held[place] = ticket, lease

    def events(self) -> Iterator[Event]:
        if self.joining:
            yield Joined(self.joining.popleft())
            return
        place = self.random.choice(list(self.held))
        ticket, lease = self.held.pop(place)
        if self.random.random() < LOSS:
            self.names += 1
            self.joining.append(f"place-{self.names}")
            yield Left(place, "pretended")
            return
        sent = encode(ANSWER, LeaseReply(Returned.of(answered(lease), self.states)))
        yield Finished(place, ticket, received(lease, returned(sent), self.settings))

    def dismiss(self, place: str) -> None:
        raise AssertionError(place)

    def give_up(self, place: str, others: int) -> None:
        pass

    def opened(self) -> list[OpenState]:
        return self.states

    def close(self) -> list[Finished]:
        return []


def answered(lease: Lease) -> LeaseResult:
    """Return a result in which every contender has solved every grid."""
    now = time.time_ns()
    seconds = LEASE_S / INSTANCES * len(lease.block.puzzles)
    outcomes = tuple(solved(batch) for batch in lease.batches())
    return LeaseResult(lease, 0, now, now + int(seconds * 1e9), outcomes, samples=((1_000_000, 1_000_000),))


def solved(batch: Batch) -> Outcomes:
    """Return the solutions of grids whose empty square is the first."""
    n = len(batch.puzzles)
    values = np.log2(batch.domains[:, :, 0].astype(float)).astype(index_type(batch.problem))
    values[:, 0] = 6 - values[:, 1:4].sum(axis=1)  # values are 0 to 3
    rows = np.zeros(n, dtype=ROW)
    rows["status"], rows["reason"], rows["found"] = Status.SATISFIABLE, Reason.NONE, 1
    rows["wall"] = rows["cpu"] = rows["solve"] = 1000
    return Outcomes(batch, rows, values, {})


def grids(number: int) -> Iterator[str]:
    """Yield grids with relabelled values and one empty square."""
    random = Random(1)
    for _ in range(number):
        yield "." + GRID.translate(str.maketrans("1234", "".join(random.sample("1234", 4))))[1:]


def resident() -> float:
    """Return the memory of this process in MiB."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE") / (1 << 20)


def dealer(leases: int, places: int) -> None:
    """Deal leases to pretended places; print CPU time and memory as they go."""
    contenders, _ = resolve(["native:python", "pysat"])
    rows, steps = [], max(1, leases // 10)
    with tempfile.TemporaryDirectory() as folder:
        corpus = Path(folder) / "grids.txt"
        corpus.write_text("#: sudoku 2x2\n" + "\n".join(grids(leases * INSTANCES)) + "\n")
        with Journal.create(Path(folder) / "j.sqlite") as journal:
            journal.corpora.add("grids", read(corpus, ReaderOptions()))
            journal.contenders.add(contenders)
            journal.facts.put(settings=RunSettings().as_dict())
            run, done, before = Run(journal), 0, time.process_time()
            with patch.object(run, "engine", lambda *_: PretendedPlaces(places, len(contenders))):
                for _ in run.solve():
                    done += 1
                    if done % steps == 0:
                        now = time.process_time()
                        each = (now - before) / steps
                        rows.append([f"{done:,}", f"{each * 1e3:.1f} ms", f"{each / LEASE_S:.2%}", f"{resident():.0f}"])
                        before = now
    print(f"{done:,} leases of {INSTANCES} instances x {len(contenders)} contenders, {places} places")
    print(tabulate(rows, ["leases", "CPU time, each", f"of {LEASE_S:g} s", "memory, MiB"], disable_numparse=True))


@contextmanager
def cluster(folder: str) -> Iterator[tuple[Cluster, list[int]]]:
    """Run a scheduler and a place; give the cluster and the ids of both processes."""
    file, ids = f"{folder}/s.json", []
    with ExitStack() as stack:
        for verb, rest in (("scheduler", ["--port", "0"]), ("place", [])):
            words = [sys.executable, "-m", "harness", verb, "--scheduler-file", file, *rest]
            process = stack.enter_context(subprocess.Popen(words, stdout=subprocess.PIPE))
            stack.callback(process.terminate)
            assert process.stdout is not None
            process.stdout.readline()
            ids.append(process.pid)
        yield Cluster(file), ids


def cpu_seconds(ids: Sequence[int]) -> float:
    """Return the CPU time of processes and all below them, with that of children which have ended."""
    import psutil

    total = 0.0
    for number in ids:
        process = psutil.Process(number)
        for each in [process, *process.children(recursive=True)]:
            times = each.cpu_times()
            total += times.user + times.system + times.children_user + times.children_system
    return total


def measured(path: Path, cluster: Cluster | None, ids: Sequence[int]) -> tuple[float, float]:
    """Return outcomes per second of wall and of CPU time, without the first tenth."""
    contenders, _ = resolve(["native:kernel"])
    many = list(read(path, ReaderOptions()))
    with tempfile.TemporaryDirectory() as folder, Journal.create(Path(folder) / "j.sqlite") as journal:
        journal.corpora.add("corpus", many)
        journal.contenders.add(contenders)
        journal.facts.put(settings=RunSettings().as_dict())
        done, first, start, cpu = 0, 0, 0.0, 0.0
        for some in Run(journal).solve(cluster=cluster):
            done += some
            if not first and done >= len(many) // 10:
                first, start, cpu = done, time.perf_counter(), cpu_seconds(ids)
        return (done - first) / (time.perf_counter() - start), (done - first) / (cpu_seconds(ids) - cpu)


def throughput(number: int, rounds: int) -> None:
    """Compare outcomes per second through Dask with a local run."""
    rates: dict[str, list[tuple[float, float]]] = {"local": [], "Dask, one place": []}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "many.txt"
        path.write_text("#: sudoku 3x3\n" + "\n".join(relabelled(corpus("easy"), number, 1)) + "\n")
        with cluster(folder) as (there, ids):
            for _ in range(rounds):
                rates["local"].append(measured(path, None, [os.getpid()]))
                rates["Dask, one place"].append(measured(path, there, [os.getpid(), *ids]))
    medians = {name: map(statistics.median, zip(*found, strict=True)) for name, found in rates.items()}
    rows = [[name, *(f"{rate:,.0f}" for rate in found)] for name, found in medians.items()]
    headers = [f"{number:,} puzzles, native:kernel", "outcomes/s", "outcomes/s of CPU"]
    print(tabulate(rows, headers, disable_numparse=True))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("dealer", "throughput"))
    parser.add_argument("--leases", type=int, default=10_000)
    parser.add_argument("--places", type=int, default=50)
    parser.add_argument("--number", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    if args.what == "dealer":
        dealer(args.leases, args.places)
    else:
        throughput(args.number, args.rounds)


if __name__ == "__main__":
    main()
