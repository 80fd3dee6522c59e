"""Bytes on the wire, and peaks of memory, where a large instance is solved at two machines.

    python benchmarks/large_lease.py [--megabytes 139] [--repeats 3]

Needs Linux and root, else it says so and skips. All processes are in a network namespace of their own, whose loopback
counts what they send; each place is in a mount namespace in which the client's files are not there, as on another
machine. The contender is a program that reads the file and gives up.
"""

import argparse
import contextlib
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

sys.path[:0] = [str(Path(__file__).resolve().parent)]


from clusters import Cluster, end_on_sigterm  # noqa: E402

INSIDE = "--inside"
READS = """\
#!/bin/sh
case $1 in --version) echo 1; exit ;; esac
for file; do :; done
wc -c < "$file" > /dev/null
echo "s UNKNOWN"
"""
COVERED = 'for folder; do test "$folder" = -- && break; mount -t tmpfs none "$folder"; shift; done; shift; exec "$@"'


def write_formula(path: Path, megabytes: int) -> None:
    """Write a random formula of so many megabytes, with clauses of three literals."""
    random, variables = np.random.default_rng(1), 1_000_000
    clauses = megabytes * 1_000_000 // 23
    with path.open("w") as file:
        file.write(f"p cnf {variables} {clauses}\n")
        for at in range(0, clauses, 100_000):
            rows = random.integers(1, variables, (min(100_000, clauses - at), 3)) * random.choice((-1, 1), (1, 3))
            file.write("".join(f"{a} {b} {c} 0\n" for a, b, c in rows.tolist()))


def peak(pid: int) -> float:
    """Return the peak memory of a process in MB."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 / 1e6 for line in lines if line.startswith("VmHWM"))


def sent() -> float:
    """Return the MB that were sent on the loopback."""
    lines = Path("/proc/net/dev").read_text().splitlines()
    return next(int(line.split()[9]) / 1e6 for line in lines if line.strip().startswith("lo:"))


def measured(folder: Path, megabytes: int, repeats: int) -> None:
    """Run, and print what it took."""
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    corpus, own, program = folder / "corpus", folder / "own", folder / "reads"
    corpus.mkdir()
    own.mkdir()
    write_formula(corpus / "large.cnf", megabytes)
    program.write_text(READS)
    program.chmod(0o755)
    cluster = Cluster(folder)
    words = ["run", str(corpus / "large.cnf"), "-b", "dimacs:reads", "--program", f"reads={program}", "-t", "60"]
    try:
        cluster.start_scheduler()
        prefix = ("unshare", "--mount", "sh", "-c", COVERED, "sh", str(corpus), str(own), "--")
        for name in ("first", "second"):
            cluster.start_place(name, prefix)
        before, began, peaks = sent(), time.monotonic(), {"scheduler": 0.0, "run": 0.0}
        os.environ["TMPDIR"] = str(own)
        run = cluster.start_run(folder / "j.sqlite", [*words, "-r", str(repeats)])
        while run.poll() is None:
            for name in peaks:
                with contextlib.suppress(OSError, StopIteration):
                    peaks[name] = peak(cluster.roots[name].pid)
            time.sleep(0.05)
        print(f"{os.path.getsize(corpus / 'large.cnf') / 1e6:.0f} MB of CNF, {repeats} repeats, two places")
        print(f"{sent() - before:7.0f} MB on the wire, {time.monotonic() - began:.0f} s; exit code {run.returncode}")
        for name, megabytes_held in peaks.items():
            print(f"{megabytes_held:7.0f} MB is the peak of the {name}")
        if run.returncode not in (0, 4):
            print(cluster.log("run"))
    finally:
        cluster.stop()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--megabytes", type=int, default=139)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument(INSIDE, action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    end_on_sigterm()
    if not args.inside:
        if sys.platform != "linux" or os.geteuid() != 0:
            print("skipped: needs Linux and root")
            return
        sys.exit(subprocess.call(["unshare", "--net", "--mount", sys.executable, *sys.argv, INSIDE]))
    with tempfile.TemporaryDirectory() as folder:
        measured(Path(folder), args.megabytes, args.repeats)


if __name__ == "__main__":
    main()
