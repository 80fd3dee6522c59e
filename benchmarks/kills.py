"""Runs killed with kill -9 at random moments, and resumed: is a row lost, or there twice, or different?

    python benchmarks/kills.py [--kills 100] [--seed 1]

One undisturbed run is the reference. Then runs of the same are killed after a random time, resumed, killed again, until
so many kills are done; every journal that gets to its end is compared with the reference, row by row, times aside.
"""

import argparse
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path
from random import Random

RUN = ("run", "hardest", "-b", "native:python", "-b", "pysat:minisat22/extended", "-b", "cpsat", "-r", "4")


def harness(*arguments: str) -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-m", "harness", *arguments]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def rows(path: Path) -> list[tuple[object, ...]]:
    """Everything in a journal that must not depend on when a run was killed."""
    with closing(sqlite3.connect(path)) as db:
        query = "select contender, repeat, puzzle, verdict, valid, status, complete, found, solutions from outcomes"
        return db.execute(f"{query} order by 1, 2, 3").fetchall()


def resumable(path: Path) -> bool:
    """Whether the puzzles were in before the kill."""
    if not path.exists():
        return False
    with closing(sqlite3.connect(path)) as db:
        known = db.execute("select 1 from sqlite_master where name = 'meta'").fetchone()
        return bool(known and db.execute("select 1 from meta where key = 'state'").fetchone())


def begin(path: Path) -> "subprocess.Popen[bytes]":
    """Start a run, or resume it where it can be."""
    if resumable(path):
        return harness("run", "--resume", str(path))
    for suffix in ("", "-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
    return harness(*RUN, "-o", str(path))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    random = Random(args.seed)
    kills = finished = different = 0
    with tempfile.TemporaryDirectory() as folder:
        whole = Path(folder) / "whole.sqlite"
        start = time.monotonic()
        if harness(*RUN, "-o", str(whole)).wait():
            sys.exit("the undisturbed run failed")
        length = time.monotonic() - start
        expected = rows(whole)
        while kills < args.kills:
            path = Path(folder) / f"{finished}.sqlite"
            while True:
                process = begin(path)
                try:
                    process.communicate(timeout=random.uniform(0.1, length))
                except subprocess.TimeoutExpired:
                    if kills < args.kills:
                        process.kill()
                        process.communicate()
                        kills += 1
                        continue
                    process.communicate()
                break
            finished += 1
            different += rows(path) != expected
            print(f"{kills} kills, {finished} journals finished, {different} differ", flush=True)
    print(f"a run takes {length:.1f} s undisturbed and has {len(expected)} rows")
    sys.exit(bool(different))


if __name__ == "__main__":
    main()
