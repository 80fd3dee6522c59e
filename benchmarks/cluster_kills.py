"""Kill members of a stock Dask cluster during runs; check that no row is lost, doubled or different, and nothing left.

    python benchmarks/cluster_kills.py [--kills 20] [--kinds worker,place,stop,scheduler,client] [--tls] [--seed 1]

Needs root on Linux. A stock `dask scheduler` and the run are in a network namespace, two stock `dask worker`s in two
more. A run of 240 outcomes, by a program that waits before each answer, meets a kill after a random number of leases,
until there were `--kills` of its kind; what was killed is started again, and an interrupted run resumed. Each journal
is compared with that of a local run, row by row except for times.

    worker     SIGKILL to a worker, which its nanny starts again     place   SIGKILL to the process of a place
    stop       SIGSTOP to a worker and all below it, for 40 s        client  SIGKILL to the run
    scheduler  SIGKILL to the scheduler; the run has to end
"""

import argparse
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from random import Random

sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parent.parent)]

from clusters import ROOT, WORKER_CODE, WORKERS, Cluster, count, enter, kill, leases, wait_until  # noqa: E402
from kills import faults, rows  # noqa: E402

from tests.programs import SUDOKU  # noqa: E402

KINDS = ("worker", "place", "stop", "scheduler", "client")
PAUSE_S, STOP_S, APART, LONGEST_S = 0.15, 40, 6, 300


def run_words(folder: Path) -> tuple[str, ...]:
    """Return the run: 20 instances, three contenders, four repeats."""
    program = folder / "slow.py"
    program.write_text(SUDOKU.replace("    print(solve", f"    __import__('time').sleep({PAUSE_S}); print(solve"))
    command = f"slow={shlex.join([sys.executable, str(program)])}"
    names = "lines:slow,native:python,pysat:minisat22/extended"
    return "hard", "-n", "20", "-b", names, "--program", command, "-r", "4", "-w", "0", "-t", "60"


def complete(journal: Path) -> bool:
    """Return True if a journal says that its run is complete."""
    return count(journal, "select count(*) from meta where key = 'state' and value = '\"complete\"'") > 0


def start_again(cluster: Cluster, journal: Path, words: tuple[str, ...]) -> None:
    """Start what does not run: scheduler, workers, run."""
    if not cluster.alive("scheduler"):
        cluster.start_scheduler()
    start_workers(cluster)
    if not cluster.alive("run") and not complete(journal):
        cluster.start_run(journal, words)


def start_workers(cluster: Cluster) -> None:
    """Start the workers that do not run: they end some time after their scheduler."""
    for name in WORKERS:
        if not cluster.alive(name):
            cluster.start_worker(name)


def reached(cluster: Cluster, journal: Path, target: int) -> None:
    """Wait until the run has so many leases, or has ended."""
    since, before = time.monotonic(), leases(journal)
    while leases(journal) < target and cluster.alive("run"):
        time.sleep(0.05)
        start_workers(cluster)
        if (now := leases(journal)) > before:
            since, before = time.monotonic(), now
        if time.monotonic() - since > LONGEST_S:
            sys.exit(f"the run hangs: {cluster.log('run')}")


def one_kill(cluster: Cluster, journal: Path, kind: str, random: Random, done: Counter[str]) -> None:
    """Wait for some leases and a random time, and kill."""
    reached(cluster, journal, leases(journal) + random.randint(1, APART))
    time.sleep(random.uniform(0, 1))
    name = random.choice(WORKERS)
    code = {"worker": WORKER_CODE, "place": b"place_process"}.get(kind, b"")
    victims = {"scheduler": ["scheduler"], "client": ["run"]}.get(kind, [name])
    chosen = [pid for each in victims for pid in cluster.below(each, code)]
    if not cluster.alive("run") or not chosen:
        return
    done["kills"] += 1
    if kind == "stop":
        for number, pause in ((signal.SIGSTOP, STOP_S), (signal.SIGCONT, 0)):
            for pid in chosen:
                kill(pid, number)
            time.sleep(pause)
        return
    for pid in chosen:
        kill(pid)
    if kind in ("scheduler", "client"):
        began = time.monotonic()
        done["run did not end"] += not wait_until(lambda: not cluster.alive("run"), 60)
        done["places remained"] += not wait_until(lambda: not cluster.places(), 30)
        print(f"{kind}: nothing left after {time.monotonic() - began:.1f} s", flush=True)


def checked(cluster: Cluster, journal: Path, whole: Path, done: Counter[str]) -> None:
    """Count what is wrong with a complete journal."""
    left = "select coalesce(max(value), 0) from meta where key = 'late'"
    done["journals"] += 1
    done["rows"] += len(rows(journal))
    done["rows differ"] += len(set(rows(journal)) ^ set(rows(whole)))
    done["leases are broken"] += faults(journal)
    done["results that came late"] += count(journal, left)
    done["tracebacks"] += cluster.log("run").count("Traceback")


def main() -> None:
    enter()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--kinds", default=",".join(KINDS))
    parser.add_argument("--tls", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    random, bad = Random(args.seed), 0
    for kind in args.kinds.split(","):
        with tempfile.TemporaryDirectory() as name:
            folder, done = Path(name), Counter[str]()
            words, whole = run_words(folder), folder / "whole.sqlite"
            local = [sys.executable, "-m", "harness", "run", *words, "-o", str(whole)]
            subprocess.run(local, cwd=ROOT, check=True, capture_output=True)
            cluster = Cluster(folder, args.tls)
            try:
                while done["kills"] < args.kills:
                    journal = folder / f"{done['journals']}.sqlite"
                    while not complete(journal):
                        start_again(cluster, journal, words)
                        if done["kills"] < args.kills:
                            one_kill(cluster, journal, kind, random, done)
                        else:
                            reached(cluster, journal, sys.maxsize)
                    checked(cluster, journal, whole, done)
            finally:
                log = cluster.log("run")
                cluster.stop()
        faulty = {what: n for what, n in done.items() if n and what not in ("kills", "journals", "rows")}
        bad += bool(faulty)
        if faulty:
            print(log, flush=True)
        print(
            f"{kind}: {done['kills']} kills, {done['journals']} journals, {done['rows']} rows: {faulty or 'good'}",
            flush=True,
        )
    sys.exit(bad > 0)


if __name__ == "__main__":
    main()
