"""Makespan of few long and many short instances on many places of this machine, whose solver sleeps.

    python benchmarks/many_places.py [--places 20] [--long 4] [--short 200] [--seconds 12] [--options '']

Each place is a `place` command, as on a machine of its own. A long instance takes ten times SECONDS and has the last
name; nothing but the size of its file tells it. No schedule is shorter than the longest instance, or than all of them
shared evenly: the bound. The makespan is from the first begin of a lease to the last end. Halfway through,
`places --on` is printed.
"""

import argparse
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent)]

from clusters import ROOT, Cluster, end_on_sigterm, leases, wait_until  # noqa: E402

SLEEPS = """\
#!/bin/sh
case $1 in --version) echo 1; exit ;; esac
for file; do :; done
if test "$(wc -c < "$file")" -gt 10000; then sleep {long}; else sleep {short}; fi
echo "s UNKNOWN"
"""


def write_corpus(folder: Path, short: int, long: int) -> None:
    """Write small formulas, and large ones with the last names."""
    folder.mkdir()
    for kind, number, clauses in (("a", short, 20), ("z", long, 3000)):
        for i in range(number):
            text = "".join(f"{1 + (i + j) % 50} {-(1 + j % 49)} 0\n" for j in range(clauses))
            (folder / f"{kind}{i:03}.cnf").write_text(f"p cnf 50 {clauses}\n{text}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--places", type=int, default=20)
    parser.add_argument("--long", type=int, default=4)
    parser.add_argument("--short", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=12.0)
    parser.add_argument("--options", default="")
    args = parser.parse_args()
    end_on_sigterm()
    with tempfile.TemporaryDirectory() as name:
        folder, long = Path(name), 10 * args.seconds
        write_corpus(folder / "corpus", args.short, args.long)
        program, journal = folder / "sleeps", folder / "j.sqlite"
        program.write_text(SLEEPS.format(long=long, short=args.seconds))
        program.chmod(0o755)
        cluster, total = Cluster(folder), args.long + args.short
        try:
            cluster.start_scheduler()
            for number in range(args.places):
                cluster.start_place(f"place {number}")
            wait_until(lambda: all(cluster.log(f"place {number}") for number in range(args.places)), 300)
            words = [
                "run",
                str(folder / "corpus"),
                "-b",
                "dimacs:sleeps",
                "--program",
                f"sleeps={program}",
                "-t",
                "900",
            ]
            run = cluster.start_run(journal, [*words, *args.options.split()])
            wait_until(lambda: leases(journal) >= total // 2 or run.poll() is not None, 900)
            look = [sys.executable, "-m", "harness", "places", "--on", f"dask:{cluster.file}"]
            subprocess.run(look, cwd=ROOT, check=False)
            while run.poll() is None:
                time.sleep(0.2)
            with closing(sqlite3.connect(journal)) as db:
                began, ended, done = db.execute("select min(began), max(ended), count(*) from leases").fetchone()
            print(cluster.log("run"))
        finally:
            cluster.stop()
    bound = max(long, (args.long * long + args.short * args.seconds) / args.places)
    span = (ended - began) / 1e9
    print(f"{done} leases on {args.places} places: {span:.1f} s, {span / bound:.3f} of the bound of {bound:.1f} s")


if __name__ == "__main__":
    main()
