"""Cost of a lease on a stock Dask cluster, and what crosses the wire for a large instance.

    python benchmarks/cluster.py leases [--leases 1000] [--before TREE]     CPU time a lease: run and scheduler
    python benchmarks/cluster.py large [--megabytes 139]                    bytes to two workers of one machine, peaks

Needs root on Linux. `leases` solves one easy board a lease with the compiled kernel at two places, all in one network
namespace; `--before` is a worktree of 298eafc2, whose own scheduler and places take the same leases in turn. In
`large`, scheduler and run are in a network namespace, the workers in another; a program reads a CNF file and gives up.
The workers have a mount namespace in which the client's folder is empty, as on another machine.
"""

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent)]

from clusters import WORKERS, Cluster, count, enter, wait_until  # noqa: E402
from clusters import leases as leases_of  # noqa: E402

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


class Former(Cluster):
    """Cluster of 298eafc2, with the scheduler and places that it had of its own."""

    def __init__(self, folder: Path, tree: Path) -> None:
        super().__init__(folder)
        self.root, self.file = tree, folder / "s.json"
        self.environment["PYTHONPATH"] = str(tree)
        self.address = f"dask:{self.file}"

    def start_scheduler(self) -> None:
        self.start("scheduler", "harness", "scheduler", "--scheduler-file", str(self.file), "--port", "0")
        wait_until(self.file.exists, 120)

    def start_near(self, name: str) -> None:
        self.start(name, "harness", "place", "--scheduler-file", str(self.file), "--cores", "any")


def leases(cluster: Cluster, number: int) -> str:
    """Return the cost of leases of one board."""
    journal = cluster.folder / "j.sqlite"
    cluster.start_scheduler()
    for name in WORKERS:
        cluster.start_near(name)
    try:
        run = cluster.start_run(journal, (*IMPATIENT, "-n", "16", "-r", str(-(-number // 16))))
        pids = run.pid, cluster.roots["scheduler"].pid
        wait_until(lambda: leases_of(journal) > number // 10, 120)
        at, first = time.monotonic(), leases_of(journal)
        before = [cpu([pid]) for pid in pids]
        wait_until(lambda: leases_of(journal) > number * 9 // 10, 600)
        after, done = [cpu([pid]) for pid in pids], leases_of(journal) - first
        wall, (a, b) = time.monotonic() - at, (y - x for x, y in zip(before, after, strict=True))
        each = f"{1000 * wall / done:.1f} ms each; CPU time: run {1000 * a / done:.1f} ms"
        return f"{done} leases: {each}, scheduler {1000 * b / done:.1f} ms"
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
    parser.add_argument("--before", type=Path)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--megabytes", type=int, default=139)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        if args.what == "leases":
            for turn in range(args.turns):
                for tree in [args.before, None] if args.before else [None]:
                    folder = Path(name, f"{turn} {tree is None}")
                    folder.mkdir()
                    found = leases(Former(folder, tree.resolve()) if tree else Cluster(folder), args.leases)
                    print(f"{tree or 'here'}: {found}", flush=True)
        else:
            large(Path(name), args.megabytes)


if __name__ == "__main__":
    main()
