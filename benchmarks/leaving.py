"""Places that leave a run: stopped in good order, or killed. Every one of them has to be noted, once, as what it was.

    python benchmarks/leaving.py [--stops 50] [--kills 10] [--at-once 4] [--lease 1.0]

A run of native:python goes on while places come and go, several at once: each is stopped by SIGTERM, or its process
killed, at a random moment within its first seconds of work, which begin with its first worker. Leases take about
`--lease` seconds, so that many places leave between two of them. Counts what the run notes, and outcomes that are
blamed on their contender. Exits with 1 if a stop counts as a loss, a place has no note or several, or outcomes are not
those of the leases.
"""

import argparse
import os
import re
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from random import Random

sys.path[:0] = [str(Path(__file__).resolve().parent)]

from clusters import Cluster, command_line, end_on_sigterm, kill, wait_until  # noqa: E402
from engine import corpus, relabelled  # noqa: E402

from harness.running.blocks import MIN_BATCHES, MIN_BLOCKS  # noqa: E402
from harness.running.workers.descendants import descendants  # noqa: E402

WORKER_CODE = b"workers.guard"  # in the command line of the guards of a worker
INSTANCES_A_SECOND = 60  # of native:python, about
WORK_S = 3.0  # a place leaves within so many seconds of work
LONGEST_S = 300.0
STOPPED = "it was stopped"
LOST = re.compile("(place-.*): lost: (.*)")
OUTCOMES = "select count(*), coalesce(sum(detail like 'took its place%'), 0) from outcomes"
LEASES = """\
select count(*), sum(b.last - b.first + 1), avg(ended - began) / 1e9 from leases join blocks b on b.id = block
"""


def leave(cluster: Cluster, number: int, killed: bool) -> None:
    """Let a place join, work, and leave: by a signal, or killed with its command. Raises TimeoutError."""
    name = f"place {number}"
    words = ("place", "--scheduler-file", str(cluster.file), "--cores", "any", "--drain", "60")
    command = cluster.start(name, *words)
    if not wait_until(lambda: any(WORKER_CODE in command_line(pid) for pid in descendants(command.pid)), LONGEST_S):
        raise TimeoutError(cluster.log(name))
    time.sleep(Random(number).uniform(0, WORK_S))
    if killed:
        (child,) = map(int, Path(f"/proc/{command.pid}/task/{command.pid}/children").read_text().split())
        kill(command.pid, signal.SIGSTOP)  # so that no other process takes over
        kill(child)
        kill(command.pid)
    else:
        command.send_signal(signal.SIGTERM)
    command.wait(LONGEST_S)


def finished(run: "subprocess.Popen[bytes]") -> None:
    """Interrupt a run, which may take seconds to hear of the last place."""
    time.sleep(5)
    run.send_signal(signal.SIGINT)
    run.wait(LONGEST_S)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--stops", type=int, default=50)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--at-once", type=int, default=4)
    parser.add_argument("--lease", type=float, default=1.0)
    args = parser.parse_args()
    end_on_sigterm()
    ends = [False] * args.stops + [True] * args.kills
    Random(1).shuffle(ends)
    blocks = max(MIN_BLOCKS, MIN_BATCHES * args.at_once)
    instances = round(args.lease * INSTANCES_A_SECOND) * blocks
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        journal, many, cluster, began = folder / "j.sqlite", folder / "many.txt", Cluster(folder), time.monotonic()
        many.write_text("#: sudoku 3x3\n" + "\n".join(relabelled(corpus("hardest"), instances, 1)) + "\n")
        try:
            cluster.start_scheduler()
            run = cluster.start_run(journal, ["run", str(many), "-b", "native:python", "-r", "1000"])
            wait_until(lambda: "waiting until one joins" in cluster.log("run"), LONGEST_S)
            with ThreadPoolExecutor(args.at_once) as threads:
                for _ in threads.map(leave, [cluster] * len(ends), range(len(ends)), ends):
                    pass
            finished(run)
            notes = LOST.findall(cluster.log("run"))
        finally:
            cluster.stop()
        with closing(sqlite3.connect(journal)) as db:
            outcomes, crashes = db.execute(OUTCOMES).fetchone()
            leases, instances, each = db.execute(LEASES).fetchone()
    whys = Counter(why for _, why in notes)
    seconds, load = time.monotonic() - began, os.getloadavg()[0]
    print(f"{args.stops} stopped, {args.kills} killed, {args.at_once} places at once: {seconds:.0f} s; load {load:.1f}")
    for why, number in whys.most_common():
        print(f"{number:5} {why}")
    print(f"{leases:,} leases of {each:.1f} s on average, with {instances:,} instances")
    print(f"{outcomes:,} outcomes, {crashes} that took their place down")
    several = len(notes) - len({place for place, _ in notes})
    fine = whys[STOPPED] == args.stops and len(notes) == len(ends) and not (several or crashes)
    sys.exit(not (fine and outcomes == instances))


if __name__ == "__main__":
    main()
