"""Kill and resume runs; check that no row is lost, doubled or different.

    python benchmarks/kills.py [--kills 100] [--seed 1] [-j 2] [--commits] [--objective]

One undisturbed run is the reference. Then runs of the same are killed, resumed and killed again, until `--kills` is
reached. Every completed journal is compared with the reference, row by row except for times, and its leases are
checked: each block of puzzles once per repeat, no puzzle in two blocks, every outcome within its lease. A journal that
can't be resumed must never have begun: it is not there, or its refusal says that its puzzles were being loaded.

Kills come after a random time or, with `--commits`, at a random statement of SQL: before it, after half of its rows, or
after it. Each kind of statement (of tables, puzzles, metadata, leases, outcomes, verdicts, checkpoints) is hit equally
often, and its process kills itself with SIGKILL, in a fork of this one. With `--objective` instances have one: no
value, improvement or bound of a committed lease may be lost, or be there twice.
"""

import argparse
import json
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import closing, redirect_stderr, redirect_stdout
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT)]

from figures import Figure, add_option, report  # noqa: E402

from harness.cli import main as command_line  # noqa: E402

RUN = ("run", "hardest", "-b", "native:python", "-b", "pysat:minisat22/extended", "-b", "cpsat", "-r", "4")
SHORT = ("run", "hardest", "-n", "3", "-b", "native:python", "-b", "native:norvig", "-r", "2")
READING = ("select", "pragma")
PHASES = ("before", "amid", "after")


class Target(NamedTuple):
    """Statement at which to die: its kind, its number among those of the kind, and one of PHASES."""

    kind: str
    number: int
    phase: str


class Watched(sqlite3.Connection):
    """Connection that counts statements by kind in `seen` and kills its process at `target`."""

    seen: Counter[str]
    target: Target | None = None

    def reached(self, sql: str, phase: str) -> bool:
        """Return True if this statement is the target at this phase; `before` counts it."""
        kind = " ".join(sql.lower().split()[:3])
        if kind.startswith(READING) and "wal_checkpoint" not in kind and "journal_mode" not in kind:
            return False
        if phase == "before":
            Watched.seen[kind] += 1
        return Watched.target == (kind, Watched.seen[kind], phase)

    def execute(self, sql: str, *rest: Any) -> sqlite3.Cursor:
        return self.deadly(sql, lambda: super(Watched, self).execute(sql, *rest))

    def executescript(self, sql: str) -> sqlite3.Cursor:
        return self.deadly(sql, lambda: super(Watched, self).executescript(sql))

    def executemany(self, sql: str, rows: Iterable[Any]) -> sqlite3.Cursor:
        every = list(rows)
        if self.reached(sql, "before"):
            die()
        half = super().executemany(sql, every[: len(every) // 2])
        if self.reached(sql, "amid"):
            die()
        super().executemany(sql, every[len(every) // 2 :])
        if self.reached(sql, "after"):
            die()
        return half

    def deadly(self, sql: str, run: Any) -> sqlite3.Cursor:
        if self.reached(sql, "before"):
            die()
        cursor: sqlite3.Cursor = run()
        if self.reached(sql, "amid") or self.reached(sql, "after"):
            die()
        return cursor


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def fork(words: tuple[str, ...], target: Target | None, report: Path) -> int:
    """Run a command in a fork that dies at the target; return its wait status. `report` gets what it printed."""
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            Watched.seen, Watched.target = Counter(), target
            real = sqlite3.connect
            sqlite3.connect = lambda *a, **k: real(*a, factory=Watched, **k)  # type: ignore[assignment]
            with report.open("w") as out, redirect_stdout(out), redirect_stderr(out):
                code = command_line(words)
            report.with_suffix(".json").write_text(json.dumps(Watched.seen))
        finally:
            os._exit(code)
    return os.waitpid(pid, 0)[1]


def optimising(folder: Path) -> tuple[str, ...]:
    """Return the words of a run on three instances with an objective, which are written to a folder."""
    corpus = folder / "corpus"
    corpus.mkdir()
    for price in (3, 4, 9):
        text = f"h 1 2 0\nh 1 3 0\nh 2 3 0\n{price} -1 0\n4 -2 0\n5 -3 0\n"
        (corpus / f"{price}.wcnf").write_text(text)
    return ("run", str(corpus), "-b", "cpsat", "-b", "cpsat[random_seed=2]", "-r", "2")


def at_commits(folder: Path, kills: int, random: Random, jobs: int, short: tuple[str, ...] = SHORT) -> dict[str, int]:
    """Kill runs at statements until there were enough kills; return counts of what came of them."""
    report, whole = folder / "report", folder / "whole.sqlite"
    if fork((*short, "-j", str(jobs), "-o", str(whole)), None, report):
        sys.exit(f"the undisturbed run failed: {report.read_text()}")
    expected = rows(whole)
    first: dict[str, int] = json.loads(report.with_suffix(".json").read_text())
    broken_off = str(folder / "broken-off.sqlite")
    fork((*short, "-o", broken_off), Target("insert into leases", 2, "after"), report)
    fork(("run", "--resume", broken_off), None, report)
    again: dict[str, int] = json.loads(report.with_suffix(".json").read_text())
    done = Counter({"kills": 0, "journals": 0, "never begun": 0, "failed": 0, "different": 0, "broken": 0})
    hit: Counter[str] = Counter()
    while done["kills"] < kills:
        path = folder / f"{done['journals']}.sqlite"
        resume = False
        while True:
            kinds = again if resume else first
            kind = random.choice(list(kinds))
            target = Target(kind, random.randint(1, kinds[kind]), random.choice(PHASES))
            words = ("run", "--resume", str(path)) if resume else (*short, "-o", str(path))
            spare = done["kills"] >= kills or (resume and random.random() < 0.3)
            status = fork((*words, "-j", str(jobs)), None if spare else target, report)
            if os.WIFSIGNALED(status):
                done["kills"] += 1
                hit[kind] += 1
                resume = path.exists()
                continue
            refused = report.read_text()
            if os.waitstatus_to_exitcode(status) == 2 and "interrupted while loading puzzles" in refused:
                done["never begun"] += 1
                path.unlink()
                resume = False
                continue
            break
        done["journals"] += 1
        if os.waitstatus_to_exitcode(status):
            done["failed"] += 1
            print(f"{words}: {refused}", flush=True)
        else:
            done["different"] += rows(path) != expected
            done["broken"] += faults(path) > 0
        show_progress(done)
    for name, n in sorted(hit.items()):
        print(f"{n:5} kills at: {name}")
    return dict(done)


def harness(*arguments: str) -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-m", "harness", *arguments]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def rows(path: Path) -> list[tuple[object, ...]]:
    """Return everything in a journal that must not depend on when a run was killed."""
    with closing(sqlite3.connect(path)) as db:
        query = (
            "select contender, repeat, puzzle, verdict, valid, status, complete, found, solutions, value, stated,"
            " faults from outcomes left join objectives using (contender, repeat, puzzle) order by 1, 2, 3"
        )
        return db.execute(query).fetchall()


def faults(path: Path) -> int:
    """Count overlapping blocks, doubled, missing or interrupted leases, and outcomes without a lease; improvements
    without an outcome, or that improve nothing, and values that are not those of the last improvement.
    """
    same = "s.contender = t.contender and s.repeat = t.repeat and s.puzzle = t.puzzle and s.kind = 0"
    queries = (
        "select count(*) from blocks a join blocks b on a.id < b.id and a.last >= b.first and a.first <= b.last",
        "select count(*) from (select 1 from leases group by block, repeat having count(*) > 1)",
        "select count(*) from leases where not whole",
        "select count(*) from blocks b, (select distinct repeat from leases) r where not exists"
        " (select 1 from leases l where l.block = b.id and l.repeat = r.repeat)",
        "select count(*) from outcomes o where not exists (select 1 from leases l join blocks b on b.id = l.block"
        " where l.id = o.lease and l.repeat = o.repeat and o.puzzle between b.first and b.last)",
        "select count(*) from trajectories left join outcomes o using (contender, repeat, puzzle)"
        " where o.lease is null",
        f"select count(*) from trajectories t join trajectories s on {same} and s.step < t.step"
        " where t.kind = 0 and (s.value <= t.value or s.ns > t.ns)",
        "select count(*) from objectives b join outcomes o using (contender, repeat, puzzle)"
        " where o.found and b.value != (select min(t.value) from trajectories t"
        " where t.contender = b.contender and t.repeat = b.repeat and t.puzzle = b.puzzle and t.kind = 0)",
    )
    with closing(sqlite3.connect(path)) as db:
        return sum(int(db.execute(query).fetchone()[0]) for query in queries)


def resumable(path: Path) -> bool:
    """Return True if the puzzles were stored before the kill."""
    if not path.exists():
        return False
    with closing(sqlite3.connect(path)) as db:
        return bool(db.execute("select 1 from meta where key = 'state'").fetchone())


def begin(path: Path, jobs: int, words: tuple[str, ...]) -> "subprocess.Popen[bytes]":
    """Start a run, or resume it if possible."""
    if resumable(path):
        return harness("run", "--resume", str(path), "-j", str(jobs))
    for suffix in ("", "-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
    return harness(*words, "-o", str(path), "-j", str(jobs))


def at_random_times(
    folder: Path, kills: int, random: Random, jobs: int, words: tuple[str, ...] = RUN
) -> dict[str, int]:
    """Kill runs after random times until there were enough kills; return counts of what came of them."""
    done = Counter({"kills": 0, "journals": 0, "different": 0, "broken": 0})
    whole = folder / "whole.sqlite"
    start = time.monotonic()
    if begin(whole, jobs, words).wait():
        sys.exit("the undisturbed run failed")
    length = time.monotonic() - start
    expected = rows(whole)
    while done["kills"] < kills:
        path = folder / f"{done['journals']}.sqlite"
        while True:
            process = begin(path, jobs, words)
            try:
                process.communicate(timeout=random.uniform(0.1, length))
            except subprocess.TimeoutExpired:
                if done["kills"] < kills:
                    process.kill()
                    process.communicate()
                    done["kills"] += 1
                    continue
                process.communicate()
            break
        done["journals"] += 1
        done["different"] += rows(path) != expected
        done["broken"] += faults(path) > 0
        show_progress(done)
    print(f"a run takes {length:.1f} s undisturbed and has {len(expected)} rows")
    return dict(done)


def show_progress(done: Mapping[str, int]) -> None:
    """Print the counts so far."""
    print(", ".join(f"{n} {what}" for what, n in done.items()), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-j", "--jobs", type=int, default=2)
    parser.add_argument("--commits", action="store_true", help="aim at statements of SQL")
    parser.add_argument("--objective", action="store_true", help="runs on instances with an objective")
    add_option(parser)
    args = parser.parse_args()
    aim = at_commits if args.commits else at_random_times
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        words = optimising(folder) if args.objective else SHORT if args.commits else RUN
        done = aim(folder, args.kills, Random(args.seed), args.jobs, words)
    report((Figure("", "commits" if args.commits else "random times", what, n) for what, n in done.items()), args.json)
    sys.exit(any(done.get(what) for what in ("failed", "different", "broken")))


if __name__ == "__main__":
    main()
