"""Cost of a lease on a stock Dask cluster, and what crosses the wire for a large instance.

    python benchmarks/cluster.py leases [--leases 1000]      CPU time a lease: run, scheduler, workers and places
    python benchmarks/cluster.py large [--megabytes 139]     bytes sent to two workers of one machine, peaks

Needs root on Linux: scheduler and run are in a network namespace, the workers in another. `leases` solves one easy
board a lease with the compiled kernel at two places. In `large` a program reads a CNF file and gives up; the workers
have a mount namespace in which the client's folder is empty, as on another machine.
"""

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent)]

from clusters import WORKERS, Cluster, count, enter, wait_until  # noqa: E402

HERTZ = os.sysconf("SC_CLK_TCK")
IMPATIENT = "hard", "-b", "native:kernel", "-w", "0"
READS = """\
#!/bin/sh
case $1 in --version) echo 1; exit ;; esac
for file; do :; done
cat "$file" > /dev/null
echo 's UNKNOWN'
"""


def cpu(pids: list[int]) -> float:
    """Return the seconds of CPU time of processes, with their children that have ended."""
    total = 0
    for pid in pids:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        total += sum(map(int, fields[11:15]))
    return total / HERTZ


def peak(pid: int) -> int:
    """Return the most megabytes that a process has had."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return int(next(line.split()[1] for line in lines if line.startswith("VmHWM"))) >> 10


def sent(interface: str) -> int:
    """Return the bytes that an interface of this namespace has sent."""
    lines = Path("/proc/self/net/dev").read_text().splitlines()
    return int(next(line.split()[9] for line in lines if line.split()[0] == f"{interface}:"))


def started(folder: Path) -> Cluster:
    """Start a scheduler and two workers on one machine."""
    cluster = Cluster(folder)
    cluster.start_scheduler()
    for name in WORKERS:
        cluster.start_worker(name, namespace="machine")
    return cluster


def leases(folder: Path, number: int) -> None:
    """Measure leases of one board."""
    cluster, journal = started(folder), folder / "j.sqlite"
    try:
        run = cluster.start_run(journal, (*IMPATIENT, "-n", "16", "-r", str(-(-number // 16))))
        scheduler, began = cluster.roots["scheduler"].pid, 0.0
        wait_until(lambda: count(journal, "select count(*) from leases") > 0, 120)
        at, first = time.monotonic(), count(journal, "select count(*) from leases")
        before = [cpu([pid]) for pid in (run.pid, scheduler)]
        while run.poll() is None:
            try:
                after = [cpu([pid]) for pid in (run.pid, scheduler)]
            except OSError:
                break
            began = time.monotonic()
            time.sleep(0.05)
        done = count(journal, "select count(*) from leases") - first
        a, b = (1000 * (late - early) / done for early, late in zip(before, after, strict=True))
        wall = 1000 * (began - at) / done
        print(f"{done} leases: {wall:.1f} ms each; CPU time: run {a:.1f} ms, scheduler {b:.1f} ms")
    finally:
        cluster.stop()


def large(folder: Path, megabytes: int) -> None:
    """Measure a large instance."""
    files = folder / "files"
    files.mkdir()
    line = b"".join(b"%d %d -%d 0\n" % (i, i + 1, i + 2) for i in range(1, 100_001))
    with (files / "large.cnf").open("wb") as file:
        copies = (megabytes << 20) // len(line)
        file.write(b"p cnf 100002 %d\n" % (copies * 100_000))
        for _ in range(copies):
            file.write(line)
    program = folder / "reads.sh"
    program.write_text(READS)
    program.chmod(0o755)
    cluster = Cluster(folder)
    cluster.environment["TMPDIR"] = str(folder)
    try:
        cluster.start_scheduler()
        for name in WORKERS:
            cluster.start_worker(name, namespace="machine", hidden=files)
        time.sleep(10)
        before = sent("near2")
        words = (str(files / "large.cnf"), "-b", "dimacs:reads", "--program", f"reads={program} {{cnf}}")
        run = cluster.start_run(folder / "j.sqlite", (*words, "-r", "4", "-w", "0", "-t", "100"))
        most = {"run": 0, "scheduler": 0}
        while run.poll() is None:
            for name in most:
                try:
                    most[name] = max(most[name], peak(cluster.roots[name].pid))
                except (OSError, StopIteration):
                    break
            time.sleep(0.1)
        size = (files / "large.cnf").stat().st_size
        places = count(folder / "j.sqlite", "select count(distinct place) from leases")
        total = sent("near2") - before
        print(f"{size / 1e6:.0f} MB to {places} places: {total / 1e6:.0f} MB sent; peaks in MB: {most}")
    finally:
        cluster.stop()


def main() -> None:
    enter()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("leases", "large"))
    parser.add_argument("--leases", type=int, default=1000)
    parser.add_argument("--megabytes", type=int, default=139)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        if args.what == "leases":
            leases(Path(name), args.leases)
        else:
            large(Path(name), args.megabytes)


if __name__ == "__main__":
    main()
