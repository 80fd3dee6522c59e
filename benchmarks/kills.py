"""Kill and resume runs at random moments; check that no row is lost, doubled or different.

    python benchmarks/kills.py [--kills 100] [--seed 1] [-j 2]

One undisturbed run is the reference. Then runs of the same are killed after a random time, resumed and killed again,
until `--kills` is reached. Every completed journal is compared with the reference, row by row except for times, and its
leases are checked: each block of puzzles once per repeat, no puzzle in two blocks, every outcome within its lease.
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
    """Return everything in a journal that must not depend on when a run was killed."""
    with closing(sqlite3.connect(path)) as db:
        query = "select contender, repeat, puzzle, verdict, valid, status, complete, found, solutions from outcomes"
        return db.execute(f"{query} order by 1, 2, 3").fetchall()


def faults(path: Path) -> int:
    """Count overlapping blocks, doubled, missing or interrupted leases, and outcomes without a lease."""
    queries = (
        "select count(*) from blocks a join blocks b on a.id < b.id and a.last >= b.first and a.first <= b.last",
        "select count(*) from (select 1 from leases group by block, repeat having count(*) > 1)",
        "select count(*) from leases where not whole",
        "select abs(4 * (select count(*) from blocks) - (select count(*) from leases))",
        "select count(*) from outcomes o where not exists (select 1 from leases l join blocks b on b.id = l.block"
        " where l.id = o.lease and l.repeat = o.repeat and o.puzzle between b.first and b.last)",
    )
    with closing(sqlite3.connect(path)) as db:
        return sum(int(db.execute(query).fetchone()[0]) for query in queries)


def resumable(path: Path) -> bool:
    """Return True if the puzzles were stored before the kill."""
    if not path.exists():
        return False
    with closing(sqlite3.connect(path)) as db:
        known = db.execute("select 1 from sqlite_master where name = 'meta'").fetchone()
        return bool(known and db.execute("select 1 from meta where key = 'state'").fetchone())


def begin(path: Path, jobs: int) -> "subprocess.Popen[bytes]":
    """Start a run, or resume it if possible."""
    if resumable(path):
        return harness("run", "--resume", str(path), "-j", str(jobs))
    for suffix in ("", "-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
    return harness(*RUN, "-o", str(path), "-j", str(jobs))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-j", "--jobs", type=int, default=2)
    args = parser.parse_args()
    random = Random(args.seed)
    kills = finished = different = broken = 0
    with tempfile.TemporaryDirectory() as folder:
        whole = Path(folder) / "whole.sqlite"
        start = time.monotonic()
        if begin(whole, args.jobs).wait():
            sys.exit("the undisturbed run failed")
        length = time.monotonic() - start
        expected = rows(whole)
        while kills < args.kills:
            path = Path(folder) / f"{finished}.sqlite"
            while True:
                process = begin(path, args.jobs)
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
            broken += faults(path)
            print(
                f"{kills} kills, {finished} journals done, {different} differ, {broken} faults of leases",
                flush=True,
            )
    print(f"a run takes {length:.1f} s undisturbed and has {len(expected)} rows")
    sys.exit(bool(different or broken))


if __name__ == "__main__":
    main()
