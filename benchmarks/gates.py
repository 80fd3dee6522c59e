"""Does `compare` call planted changes, and is it silent without one, on journals resampled from measured runs.

Three runs of 400 instances are measured, each solver twice, as NAME@old and NAME: random formulas with a SAT solver;
small random weighted ones with an optimiser that proves optima; and larger ones with an optimiser under a short limit.
A trial draws 5 of the measured repeats, and exchanges the sides of a repeat at random, so there is no change but what
is planted. In the first two the limit, of wall and of CPU time, is such that a fifth of the asks are beyond it, with
the best value that they had until then. Then `compare` runs. All measured instances are used: drawing them with
replacement would add a second variation between instances, which no interval knows of.

    python benchmarks/gates.py measure FOLDER          about an hour; --part decided, proved or valued
    python benchmarks/gates.py trials FOLDER           20 trials of each planted change, 200 without
    python benchmarks/gates.py trials FOLDER --cases none --first 100 --trials 100      a slice
"""

import argparse
import math
import sqlite3
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from figures import Figure, add_option, report

from backends.contract.answer import Reason, Status
from harness.model.outcome import PHASES, Verdict
from harness.reporting.frame.pairing import sides
from harness.reporting.frame.results import aggregate
from harness.reporting.views.comparing.compare import Comparison, compare
from harness.storing.journal import Journal

REPEATS = 5
BEYOND = 0.2  # share of the asks that end at the limit
CLOCK = {"decided": "wall", "proved": "cpu", "valued": None}  # of that limit; None: as measured
FOUND = 0  # kind of a step of a trajectory: a better value
RUNS = {  # part: contender, repeats, limits
    "decided": ("pysat:minisat22", 12, ("-t", "5")),
    "proved": ("native", 7, ("-t", "60")),
    "valued": ("clingo", 7, ("-t", "0.3")),
}
Row = dict[str, Any]
Change = Callable[[Row, Row], None]  # of an outcome and its values
Plant = Callable[[Random], Change]  # the change of one trial
NEVER = 1 << 40  # nanoseconds beyond every limit


def formulas(folder: Path) -> None:
    """Write 400 random 3-SAT formulas near the threshold, and twice 400 of weighted clauses."""
    random = Random(1)
    for part in RUNS:
        (folder / part).mkdir(parents=True, exist_ok=True)
    for i in range(400):
        n = random.randrange(60, 171)
        rows = [clause(random, n) for _ in range(round(4.26 * n))]
        (folder / "decided" / f"{i:03}.cnf").write_text("".join([f"p cnf {n} {len(rows)}\n", *rows]))
    for part, least, most, density in (("proved", 20, 60, 5), ("valued", 60, 160, 7)):
        for i in range(400):
            n = random.randrange(least, most + 1)
            rows = [f"{random.randrange(1, 100)} {clause(random, n)}" for _ in range(density * n)]
            (folder / part / f"{i:03}.wcnf").write_text("".join(rows))


def clause(random: Random, n: int) -> str:
    """Return a random clause of three of n variables."""
    return " ".join(str(random.choice((1, -1)) * v) for v in random.sample(range(1, n + 1), 3)) + " 0\n"


def measured(folder: Path, part: str) -> None:
    """Run a solver twice on the instances of a part."""
    name, repeats, limits = RUNS[part]
    words = [str(folder / part), "-r", str(repeats), *limits, "--peak", "--env", f"old={sys.executable}"]
    words += ["-b", f"{name}@old", "-b", name, "-o", str(folder / f"{part}.sqlite")]
    subprocess.run([sys.executable, "-m", "harness", "run", *words], check=False)


STEPS = "select contender, repeat, puzzle, ns, value from trajectories where kind = ? order by 1, 2, 3, step"


class Drawn:
    """A measured run, from which trials are drawn: rows of outcomes by contender, repeat and instance."""

    def __init__(self, path: Path) -> None:
        self.path = path
        with closing(sqlite3.connect(path)) as db:
            db.row_factory = sqlite3.Row
            key = ("contender", "repeat", "puzzle")
            rows = list(map(dict, db.execute("select * from outcomes")))
            self.outcomes = {tuple(r[k] for k in key): r | {"cpu": r["cpu"] or r["wall"]} for r in rows}
            self.values = {tuple(r[k] for k in key): dict(r) for r in db.execute("select * from objectives")}
            self.puzzles = [dict(row) for row in db.execute("select * from puzzles order by id")]
            self.clock = CLOCK[path.stem]
            for *key, ns, value in db.execute(STEPS, (FOUND,)):
                row = self.outcomes[tuple(key)]
                step = (ns * row[self.clock or "wall"] // row["wall"], value)
                self.values[tuple(key)].setdefault("steps", []).append(step)
        self.repeats = min(Counter(puzzle for contender, _, puzzle in self.outcomes if contender).values())
        self.limit = None
        if self.clock is not None:
            self.limit = float(np.quantile([row[self.clock] for row in self.outcomes.values()], 1 - BEYOND))

    def empty(self, path: Path) -> None:
        """Write a journal with the problems and contenders of the run, and its limit."""
        path.write_bytes(self.path.read_bytes())
        with closing(sqlite3.connect(path)) as db:
            for table in ("outcomes", "objectives", "trajectories", "outside", "leases", "blocks", "puzzles"):
                db.execute(f"delete from {table}")
            db.execute("update reference set lease = null")
            if self.limit is not None:
                limit = "$.cpu" if self.clock == "cpu" else "$.limit"
                change = "update meta set value = json_set(value, ?, ?) where key = 'settings'"
                db.execute(change, (limit, self.limit / 1e9))
            db.commit()
            db.execute("vacuum")

    def fill(self, path: Path, random: Random, plant: Plant) -> None:
        """Add drawn instances and repeats to an empty journal, with a change planted in the second contender."""
        chosen = [(repeat, random.random() < 0.5) for repeat in random.sample(range(self.repeats), REPEATS)]
        change, rows, values = plant(random), [], []
        for number, source in enumerate(self.puzzles, 1):
            for repeat, (other, swapped) in enumerate(chosen):
                for contender in (0, 1):
                    key = (contender ^ swapped, other, source["id"])
                    where = {"contender": contender, "repeat": repeat, "puzzle": number}
                    row = self.outcomes[key] | where | {"lease": REPEATS * number + repeat}
                    value = self.values.get(key, {}) | where
                    if contender:
                        change(row, value)
                    steps = value.pop("steps", [])
                    if self.clock and self.limit and row[self.clock] > self.limit:
                        late(row, value, steps, self.clock, int(self.limit))
                    rows.append(row)
                    values.append(value)
        numbers = range(1, 1 + len(self.puzzles))
        with closing(sqlite3.connect(path)) as db:
            insert(
                db, "puzzles", [p | {"id": i, "name": f"drawn:{i}"} for i, p in zip(numbers, self.puzzles, strict=True)]
            )
            insert(db, "blocks", [{"id": i, "first": i, "last": i} for i in numbers])
            insert(db, "leases", [lease(i, repeat) for i in numbers for repeat in range(REPEATS)])
            insert(db, "outcomes", rows)
            if self.values:
                insert(db, "objectives", values)
            db.commit()


def lease(number: int, repeat: int) -> Row:
    """Return the row of a lease."""
    key = REPEATS * number + repeat
    return {"id": key, "block": number, "repeat": repeat, "place": 1, "began": key, "ended": key + 1, "whole": 1}


def insert(db: sqlite3.Connection, table: str, rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert rows into a table."""
    names = list(rows[0])
    text = f"insert into {table} ({', '.join(names)}) values ({', '.join('?' * len(names))})"
    db.executemany(text, [[row[name] for name in names] for row in rows])


def late(row: Row, value: Row, steps: Sequence[tuple[int, int]], clock: str, limit: int) -> None:
    """Turn an outcome into a timeout at the limit of a clock, with the last value before it, if there was one."""
    best = [found for ns, found in steps if ns <= limit][-1:]
    row |= {"reason": Reason.TIMEOUT, "verdict": Verdict.UNKNOWN, "complete": 0}
    row |= {"wall": row["wall"] * limit // row[clock], clock: limit}
    if best:
        value |= {"value": best[0], "bound": None}
    else:
        row |= {"status": Status.UNKNOWN, "found": 0, "valid": 0, "solutions": None}
        value |= dict.fromkeys(("value", "bound"))


def none(random: Random) -> Change:
    """Change nothing."""
    return lambda row, value: None


def slower(random: Random) -> Change:
    """Take 10 % longer."""

    def change(row: Row, value: Row) -> None:
        for name in ("wall", "cpu", *PHASES):
            row[name] = row[name] and round(1.1 * row[name])
        value["steps"] = [(round(1.1 * ns), found) for ns, found in value.get("steps", [])]

    return change


def wrong(random: Random) -> Change:
    """Refute one answer of 200."""

    def change(row: Row, value: Row) -> None:
        if random.random() < 1 / 200 and row["verdict"] != Verdict.UNKNOWN:
            row["verdict"] = Verdict.WRONG

    return change


def larger(random: Random) -> Change:
    """Take 30 % more memory."""

    def change(row: Row, value: Row) -> None:
        row["peak"] = round(1.3 * row["peak"])

    return change


def worse(random: Random) -> Change:
    """Let values be 1 % worse."""

    def change(row: Row, value: Row) -> None:
        if value["value"] is not None:
            value["value"] += math.ceil(abs(value["value"]) / 100)

    return change


def late_asks(random: Random) -> Change:
    """Let 5 more of 100 asks time out."""

    def change(row: Row, value: Row) -> None:
        if random.random() < 0.05:
            row["wall"] = row["cpu"] = NEVER

    return change


def late_instances(random: Random) -> Change:
    """Let 5 more of 100 instances time out, in every repeat."""
    chosen: dict[int, bool] = {}

    def change(row: Row, value: Row) -> None:
        if chosen.setdefault(row["puzzle"], random.random() < 0.05):
            row["wall"] = row["cpu"] = NEVER

    return change


CASES: dict[str, tuple[str, Plant, int]] = {  # part, change, trials
    "none": ("decided", none, 200),
    "10 % slower": ("decided", slower, 20),
    "1 of 200 wrong": ("decided", wrong, 20),
    "30 % more memory": ("decided", larger, 20),
    "5 of 100 asks time out": ("decided", late_asks, 20),
    "5 of 100 instances time out": ("decided", late_instances, 20),
    "optima: none": ("proved", none, 200),
    "optima: 10 % slower": ("proved", slower, 20),
    "optima: 1 of 200 wrong": ("proved", wrong, 20),
    "optima: 5 of 100 asks time out": ("proved", late_asks, 20),
    "optima: 5 of 100 instances time out": ("proved", late_instances, 20),
    "values: none": ("valued", none, 200),
    "values: 1 % worse": ("valued", worse, 20),
    "values: 30 % more memory": ("valued", larger, 20),
}


def called(found: Comparison) -> Iterator[str]:
    """Yield what a comparison calls for worse."""
    if found.wrong.any() or found.conflict.any():
        yield "wrong"
    if found.call == "regressed":
        yield "time"
    yield from (name for name, measure in found.measures.items() if measure.call == "regressed")
    yield from (name for name in ("slower", "lost") if getattr(found, name).any())


def trials(folder: Path, case: str, first: int, number: int) -> tuple[Counter[str], float]:
    """Return how often each exit code and each call occurs, and the share of asks without an answer."""
    part, plant, _ = CASES[case]
    undecided: list[float] = []
    drawn, counts = Drawn(folder / f"{part}.sqlite"), Counter[str]()
    with tempfile.TemporaryDirectory() as scratch:
        drawn.empty(empty := Path(scratch) / "empty.sqlite")
        for trial in range(first, first + number):
            path = Path(scratch) / "j.sqlite"
            path.write_bytes(empty.read_bytes())
            drawn.fill(path, Random(trial), plant)
            with Journal.open(path) as journal:
                results = aggregate(journal)
                names = [c.contender.name for c in results.contenders]
                found = compare(*sides(results, results, [(names[0], names[1])])[0])
                timeouts = float(np.mean([(c.states > 1).mean() for c in results.contenders]))
            counts.update(["trials", f"exit {found.exit}", *called(found)])
            undecided.append(timeouts)
    return counts, float(np.mean(undecided))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    verbs = parser.add_subparsers(dest="verb", required=True)
    measure, run = verbs.add_parser("measure"), verbs.add_parser("trials")
    for each in (measure, run):
        each.add_argument("folder", type=Path)
    measure.add_argument("--part", nargs="+", choices=list(RUNS), default=list(RUNS))
    run.add_argument("--cases", nargs="+", choices=list(CASES), default=list(CASES), metavar="CASE")
    run.add_argument("--first", type=int, default=0, help="number of the first trial")
    run.add_argument("--trials", type=int, help="default: 200 without a change, 20 with one")
    add_option(run)
    args = parser.parse_args()
    if args.verb == "measure":
        formulas(args.folder)
        for part in args.part:
            measured(args.folder, part)
        return
    figures = []
    for case in args.cases:
        counts, share = trials(args.folder, case, args.first, args.trials or CASES[case][2])
        figures += [Figure(case, "", "undecided", share), *(Figure(case, "", k, n) for k, n in sorted(counts.items()))]
    report(figures, args.json)


if __name__ == "__main__":
    main()
