"""Kill processes of a cluster on this machine; check that no row is lost, doubled or different, and nothing left.

    python benchmarks/cluster_kills.py [--kills 100] [--seed 1] [--kinds place,reaper,command,scheduler,client,all]

One undisturbed run on this machine alone is the reference. Then runs on a scheduler and three places meet `--kills` of
each kind, by SIGKILL after a random time. What was killed is started again, and an interrupted run resumed, until it is
complete. Then its journal is compared with the reference, row by row except for times.

    place      the process of a place              scheduler  the scheduler; places and the run end with it
    reaper     the same, and its reaper with it    client     the run
    command    the `place` command                 all        everything above, at once

After each kill it is measured how long processes remain which no running command answers for, and workers at places
without a run. A lease that is lost three times is an outcome, by design; so the next kill waits for some leases.
"""

import argparse
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from random import Random

sys.path[:0] = [str(Path(__file__).resolve().parent)]

from clusters import (  # noqa: E402
    Cluster,
    below,
    blamed,
    command_line,
    count,
    end_on_sigterm,
    kill,
    leases,
    wait_until,
    without_place,
)
from kills import ROOT, faults, rows  # noqa: E402

RUN = ("run", "hardest", "several", "-b", "native:python,native:norvig,pysat:minisat22/extended", "-r", "4")
KINDS = ("place", "reaper", "command", "scheduler", "client", "all")
PLACES = ("place 1", "place 2", "place 3")
APART = 6  # leases between two kills
CLEAN_S = 2.0
LONGEST_S = 300.0  # without progress: then something hangs


class Hang(Exception):
    """A run makes no progress."""


def victims(cluster: Cluster, kind: str, random: Random) -> list[int]:
    """Return the processes that a kill of this kind hits."""
    parents, places = cluster.marked(), cluster.places()
    commands = [cluster.roots[name].pid for name in PLACES]
    match kind:
        case "place" | "reaper" if places:
            chosen = random.choice(places)
            reapers = [pid for pid, parent in parents.items() if parent == chosen and b"reaper.py" in command_line(pid)]
            return [chosen, *(reapers if kind == "reaper" else [])]
        case "command":
            return [random.choice(commands)]
        case "scheduler":
            return [cluster.roots["scheduler"].pid]
        case "client":
            return [cluster.roots["run"].pid]
        case "all":
            return list(below([process.pid for process in cluster.roots.values()], parents))
    return []


def start_again(cluster: Cluster, journal: Path) -> None:
    """Start what does not run: scheduler, places, run."""
    if not cluster.alive("scheduler"):
        cluster.start_scheduler()
    for name in PLACES:
        if not cluster.alive(name):
            cluster.start_place(name)
    if not cluster.alive("run") and not complete(journal):
        cluster.start_run(journal, RUN)


def complete(journal: Path) -> bool:
    """Return True if a journal says that its run is complete."""
    return count(journal, "select count(*) from meta where key = 'state' and value = '\"complete\"'") > 0


def one_kill(cluster: Cluster, journal: Path, kind: str, random: Random, done: Counter[str]) -> None:
    """Wait for some leases and a random time, kill, and measure for how long something remains."""
    target = leases(journal) + random.randint(1, APART)
    reached(cluster, journal, target)
    time.sleep(random.uniform(0, 2))
    if not cluster.alive("run") or not (chosen := victims(cluster, kind, random)):
        return
    for pid in chosen:
        kill(pid)
    for process in cluster.roots.values():
        if process.pid in chosen:
            process.wait()
    done["kills"] += 1
    seconds = cluster.seconds_to_clean()
    done["remained over 2 s"] += seconds > CLEAN_S
    done["remained"] += seconds == float("inf")
    print(f"{kind}: nothing left after {seconds:.1f} s", flush=True)
    if kind == "scheduler":
        done["run did not end"] += not wait_until(lambda: not cluster.alive("run"), 60)


def reached(cluster: Cluster, journal: Path, target: int) -> None:
    """Wait until the run has so many leases, or has ended. Raises Hang."""
    since, before = time.monotonic(), leases(journal)
    while before < target and cluster.alive("run"):
        time.sleep(0.1)
        if (now := leases(journal)) > before:
            since, before = time.monotonic(), now
        if time.monotonic() - since > LONGEST_S:
            raise Hang


def journal_of(cluster: Cluster, journal: Path, kind: str, kills: int, random: Random, done: Counter[str]) -> None:
    """Make one journal, with kills of a kind until there were enough of them."""
    while not complete(journal):
        start_again(cluster, journal)
        if done["kills"] < kills:
            one_kill(cluster, journal, kind, random, done)
        else:
            reached(cluster, journal, sys.maxsize)
        if not cluster.alive("run"):
            check_end(cluster, done)


def check_end(cluster: Cluster, done: Counter[str]) -> None:
    """Count runs that ended with a traceback, or by another code than a kill, complete or interrupted."""
    process = cluster.roots["run"]
    done["bad ends"] += process.wait() not in (-9, 0, 1, 130)
    if "Traceback" in cluster.log("run"):
        done["tracebacks"] += 1
        print(cluster.log("run"), flush=True)
    (cluster.folder / "run.log").write_text("")


def kills_of(kind: str, folder: Path, kills: int, random: Random, expected: list[tuple[object, ...]]) -> Counter[str]:
    """Kill runs until there were enough kills of a kind; return counts of what came of them."""
    done: Counter[str] = Counter()
    cluster = Cluster(folder)
    try:
        while done["kills"] < kills:
            journal = folder / f"{kind}-{done['journals']}.sqlite"
            journal_of(cluster, journal, kind, kills, random, done)
            done["journals"] += 1
            done["different"] += rows(journal) != expected
            done["blamed"] += blamed(journal)
            done["broken"] += faults(journal)
            done["without place"] += without_place(journal)
            print(f"{kind}: {dict(done)}", flush=True)
    except Hang:
        done["hangs"] += 1
        for name in cluster.roots:
            print(f"{name}: {cluster.log(name)[-2000:]}")
    finally:
        cluster.stop()
    return done


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kinds", default=",".join(KINDS))
    args = parser.parse_args()
    end_on_sigterm()
    bad = 0
    with tempfile.TemporaryDirectory() as name:
        whole = Path(name, "whole.sqlite")
        command = [sys.executable, "-m", "harness", *RUN, "-o", str(whole)]
        subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
        expected = rows(whole)
        for kind in args.kinds.split(","):
            folder = Path(name, kind)
            folder.mkdir()
            done = kills_of(kind, folder, args.kills, Random(args.seed), expected)
            print(f"{kind}: {len(expected)} rows a run; {', '.join(f'{n} {what}' for what, n in done.items())}")
            bad += sum(n for what, n in done.items() if what not in ("kills", "journals", "remained over 2 s"))
    sys.exit(bad > 0)


if __name__ == "__main__":
    main()
