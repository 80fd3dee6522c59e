"""Places that leave a run: stopped in good order, or killed.

    python benchmarks/leaving.py [--stops N] [--kills N]

A run of native:python goes on while places come and go: each is stopped by SIGTERM, or its process killed, at a random
moment within its first seconds of work. Counts what the run notes of each, and that every outcome is there once. Other
work on the machine makes it harder, and is welcome.
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
from pathlib import Path
from random import Random

from engine import corpus, relabelled

HARNESS = [sys.executable, "-m", "harness"]


def started(*words: str) -> subprocess.Popen[str]:
    """Return a command that has printed its first line."""
    process = subprocess.Popen([*HARNESS, *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert process.stdout is not None
    process.stdout.readline()
    return process


def leases(journal: Path) -> int:
    """Return how many leases a journal holds."""
    try:
        with sqlite3.connect(f"file:{journal}?mode=ro", uri=True) as db:
            found: int = db.execute("select count(*) from leases").fetchone()[0]
            return found
    except sqlite3.Error:
        return 0


def await_lease(journal: Path, before: int) -> None:
    """Wait until a journal has more leases."""
    deadline = time.monotonic() + 100
    while leases(journal) <= before and time.monotonic() < deadline:
        time.sleep(0.05)


def leave(file: str, journal: Path, kill: bool, random: Random) -> None:
    """Let a place join, work, and leave: at a signal, or killed; then its command is killed too."""
    before, place = leases(journal), started("place", "--scheduler-file", file, "--cores", "any", "--drain", "30")
    await_lease(journal, before)
    time.sleep(random.uniform(0, 2))
    if kill:
        (child,) = map(int, Path(f"/proc/{place.pid}/task/{place.pid}/children").read_text().split())
        os.kill(place.pid, signal.SIGSTOP)  # so that no other process takes over
        os.kill(child, signal.SIGKILL)
        place.kill()
    else:
        place.send_signal(signal.SIGTERM)
    place.wait(100)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--stops", type=int, default=50)
    parser.add_argument("--kills", type=int, default=10)
    args = parser.parse_args()
    random = Random(1)
    ends = [False] * args.stops + [True] * args.kills
    random.shuffle(ends)
    with tempfile.TemporaryDirectory() as folder:
        file, journal, many = f"{folder}/s.json", Path(folder, "j.sqlite"), Path(folder, "many.txt")
        many.write_text("#: sudoku 3x3\n" + "\n".join(relabelled(corpus("hardest"), 100_000, 1)) + "\n")
        scheduler = started("scheduler", "--scheduler-file", file, "--port", "0")
        words = ["run", str(many), "-b", "native:python", "--on", f"dask:{file}", "-o", str(journal)]
        run = subprocess.Popen([*HARNESS, *words], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        assert run.stderr is not None
        while "waiting until one joins" not in run.stderr.readline():
            pass
        for kill in ends:
            leave(file, journal, kill, random)
        run.send_signal(signal.SIGINT)
        _, notes = run.communicate(timeout=300)
        scheduler.terminate()
        scheduler.wait(100)
        with sqlite3.connect(journal) as db:
            outcomes, distinct, crashes = db.execute(
                "select count(*), count(distinct puzzle), coalesce(sum(detail like 'took its place%'), 0) from outcomes"
            ).fetchone()
    whys = Counter(re.findall(r": lost: (.*)", notes))
    print(f"{args.stops} stopped, {args.kills} killed; load {os.getloadavg()[0]:.1f}")
    for why, number in whys.most_common():
        print(f"{number:5} {why}")
    print(f"{outcomes:,} outcomes of {distinct:,} instances, {crashes} that took their place down")


if __name__ == "__main__":
    main()
