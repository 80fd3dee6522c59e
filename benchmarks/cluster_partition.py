"""Cut a place off its scheduler, or stop it, and let it come back; check that nothing is lost or counted twice.

    python benchmarks/cluster_partition.py [--cut 5,40,400] [--stop 40]

Needs Linux, root and iproute2, else it says so and skips. Scheduler, run and one place are in a network namespace of
their own, a second place in another, joined by a pair of interfaces, with certificates. During a run the interface of
the second place goes down for so many seconds, or all its processes are stopped. Then the run must be complete, equal
to one on this machine alone except for times, and

    up to 25 s    the place is still the same one, and has not lost its lease
    from 35 s     its lease went to another place, nothing that it did after that counts, it is back under another name

The solver waits half a second before each answer, so that a lease takes longer than it costs.
"""

import argparse
import os
import shlex
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parent.parent)]

from clusters import ROOT, Cluster, below, blamed, count, end_on_sigterm, kill, leases, wait_until, without_place  # noqa: E402
from kills import faults, rows  # noqa: E402

from tests.programs import SUDOKU  # noqa: E402

PAUSE_S = 0.5
HERE, THERE = "10.77.0.1", "10.77.0.2"
SURELY_KEPT_S, SURELY_LOST_S = 25, 35
INSIDE = "--inside"  # the namespace


def call(*words: str) -> None:
    subprocess.run(words, check=True)


def join_namespaces() -> "subprocess.Popen[bytes]":
    """Create the second namespace, held by a process, and join both by a pair of interfaces."""
    holder = subprocess.Popen(["unshare", "--net", "sleep", "infinity"])
    own = os.readlink("/proc/self/ns/net")
    wait_until(lambda: os.readlink(f"/proc/{holder.pid}/ns/net") != own, 10)
    call("ip", "link", "set", "lo", "up")
    call("ip", "link", "add", "near", "type", "veth", "peer", "name", "far", "netns", str(holder.pid))
    call("ip", "address", "add", f"{HERE}/24", "dev", "near")
    call("ip", "link", "set", "near", "up")
    there = within(holder)
    call(*there, "ip", "link", "set", "lo", "up")
    call(*there, "ip", "address", "add", f"{THERE}/24", "dev", "far")
    call(*there, "ip", "link", "set", "far", "up")
    return holder


def within(holder: "subprocess.Popen[bytes]") -> tuple[str, ...]:
    """Return the prefix of commands in the second namespace."""
    return "nsenter", f"--net=/proc/{holder.pid}/ns/net"


def run_words(folder: Path, seconds: int) -> tuple[str, ...]:
    """Return the run: one place alone needs a minute longer than these seconds for it."""
    program = folder / "slow.py"
    program.write_text(SUDOKU.replace("    print(solve", f"    __import__('time').sleep({PAUSE_S}); print(solve"))
    command = f"slow={shlex.join([sys.executable, str(program)])}"
    repeats = str(1 + int((seconds + 60) / PAUSE_S / 11))
    return "run", "hardest", "-b", "lines:slow,native:python", "--program", command, "-w", "0", "-r", repeats


def interrupt(cluster: Cluster, seconds: int, stop: bool, prefix: tuple[str, ...]) -> None:
    """Cut off or stop the second place for so many seconds."""
    if stop:
        parents = cluster.marked()
        stopped = below([pid for pid, parent in parents.items() if parent == cluster.roots["far place"].pid], parents)
        for pid in stopped:
            kill(pid, signal.SIGSTOP)
        time.sleep(seconds)
        for pid in stopped:
            kill(pid, signal.SIGCONT)
    else:
        call(*prefix, "ip", "link", "set", "far", "down")
        time.sleep(seconds)
        call(*prefix, "ip", "link", "set", "far", "up")


def places(journal: Path) -> list[tuple[int, int, int]]:
    """Return each place of a journal with its number of leases and the end of the last, in ns since the epoch."""
    with closing(sqlite3.connect(f"{journal.resolve().as_uri()}?mode=ro", uri=True)) as db:
        query = "select p.id, count(l.id), coalesce(max(l.ended), 0) from places p left join leases l on l.place = p.id"
        return db.execute(f"{query} group by p.id order by p.id").fetchall()


def disturbed(folder: Path, seconds: int, stop: bool) -> list[str]:
    """Run with a place that is cut off or stopped; return what is wrong."""
    holder = join_namespaces()
    certificates, journal = folder / "certificates", folder / "disturbed.sqlite"
    cluster = Cluster(folder, ("--certificates", str(certificates)))
    words, there = run_words(folder, seconds), within(holder)
    try:
        call(sys.executable, "-m", "harness", "place", "--make-certificates", str(certificates))
        cluster.start_scheduler("--host", HERE)
        cluster.start_place("far place", there)  # becomes the first, since the other comes after it
        run = cluster.start_run(journal, words)
        assert wait_until(lambda: leases(journal) > 0, 120), cluster.log("run") + cluster.log("far place")
        cluster.start_place("near place")
        assert wait_until(lambda: len(places(journal)) == 2 and places(journal)[1][1] > 1, 120), cluster.log("run")
        began = time.time_ns()
        interrupt(cluster, seconds, stop, there)
        if seconds >= SURELY_LOST_S:
            healed = time.monotonic()
            assert wait_until(lambda: len(places(journal)) == 3, 120), cluster.log("run") + cluster.log("far place")
            print(f"back after {time.monotonic() - healed:.1f} s", flush=True)
        run.wait()
        return faults_of(folder, cluster, words, journal, seconds, began)
    finally:
        cluster.stop()
        holder.kill()
        holder.wait()


def faults_of(
    folder: Path, cluster: Cluster, words: tuple[str, ...], journal: Path, seconds: int, began: int
) -> list[str]:
    """Return what is wrong with a journal whose first place was away from `began` (ns since the epoch) on."""
    whole = folder / "whole.sqlite"
    with (folder / "whole.log").open("wb") as log:
        subprocess.run(
            [sys.executable, "-m", "harness", *words, "-o", str(whole)], cwd=ROOT, check=True, stdout=log, stderr=log
        )
    found = places(journal)
    print(f"leases of each place: {', '.join(str(n) for _, n, _ in found)}", flush=True)
    lost = ": lost: " in cluster.log("run")
    checks = {
        "rows differ": rows(journal) != rows(whole),
        "leases are broken": faults(journal) > 0,
        "outcomes are blamed": blamed(journal) > 0,
        "outcomes have no place": without_place(journal) > 0,
        "late results were sent": count(journal, "select coalesce(max(value), 0) from meta where key = 'late'") > 0,
        "a place was lost": seconds <= SURELY_KEPT_S and (lost or len(found) != 2),
        "no place was lost": seconds >= SURELY_LOST_S and not lost,
        "the place counted while it was away": seconds >= SURELY_LOST_S and found[0][2] > began + 1e9,
        "the place did nothing under its second name": seconds >= SURELY_LOST_S and not found[-1][1],
        "a traceback": any("Traceback" in cluster.log(name) for name in cluster.roots),
    }
    faulty = [what for what, holds in checks.items() if holds]
    for name in cluster.roots if faulty else ():
        print(f"{name}: {cluster.log(name)}", flush=True)
    return faulty


def missing() -> str:
    """Return why this can't run here, '' if it can."""
    if sys.platform != "linux" or os.geteuid() != 0:
        return "needs root on Linux, to make network namespaces"
    absent = [name for name in ("ip", "nsenter", "unshare") if shutil.which(name) is None]
    if absent:
        return f"needs {', '.join(absent)}"
    done = subprocess.run(["unshare", "--net", "ip", "link", "add", "near", "type", "veth"], capture_output=True)
    return f"no network namespaces here: {done.stderr.decode().strip()}" if done.returncode else ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cut", default="5,40,400", metavar="SECONDS", help="for how long to cut off")
    parser.add_argument("--stop", default="40", metavar="SECONDS", help="for how long to stop")
    parser.add_argument(INSIDE, action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    end_on_sigterm()
    if why := missing():
        print(f"skipped: {why}")
        return
    if not args.inside:
        os.execvp("unshare", ["unshare", "--net", sys.executable, *sys.argv, INSIDE])
    bad = 0
    for stop, times in ((False, args.cut), (True, args.stop)):
        for seconds in map(int, filter(None, times.split(","))):
            with tempfile.TemporaryDirectory() as name:
                found = disturbed(Path(name), seconds, stop)
            print(f"{'stopped' if stop else 'cut off'} for {seconds} s: {', '.join(found) or 'good'}", flush=True)
            bad += len(found)
    sys.exit(bad > 0)


if __name__ == "__main__":
    main()
