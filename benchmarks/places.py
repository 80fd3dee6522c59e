"""False calls of `compare` if one of two places is slower: with whole leases, and with blocks torn over places.

Each run has a solver twice (slowed.py), interleaved, on two places: 100 puzzles, 5 repeats. These times are recorded.
Simulated is only that one place takes `--factor` times as long for everything, in wall and in CPU time:

    as recorded        no place is slower
    whole leases       all outcomes of the leases that ran on the second place take longer
    machine types      the same, and the second place is of another machine type
    torn over places   each contender's half of a lease has a place of its own, drawn at random: so tools run that deal
                       single tasks to machines and record no machine
    a place each       all of the second contender ran on the slow place

The torn journals claim one machine for all outcomes: of journals that know better, `compare` pairs no such times.
Figures: honesty.md.

    python benchmarks/places.py --runs 200
"""

import argparse
import shutil
import sqlite3
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from statistics import mean, pstdev

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from honesty import A, B, one_run, plugged_in, puzzles

from harness.model.settings import RunSettings
from harness.reporting.frame.pairing import sides
from harness.reporting.frame.results import aggregate
from harness.reporting.statistics.calls import Call
from harness.reporting.views.comparing.compare import Comparison, compare
from harness.reporting.writing.table import table_of
from harness.reporting.writing.writers import written
from harness.storing.journal import Journal

CASES = ("as recorded", "whole leases", "machine types", "torn over places", "a place each")
TIMES = ("wall", "cpu", "encode", "load", "solve", "decode")
SLOWER = f"update outcomes set {', '.join(f'{t} = cast({t} * :factor as integer)' for t in TIMES)}"


def slow_halves(db: sqlite3.Connection, case: str, rng: Random) -> Iterator[tuple[int, int]]:
    """Yield lease and contender of the outcomes that a case puts on the slow place."""
    query = "select distinct lease, contender, place from outcomes o join leases l on l.id = lease order by 1, 2"
    (second,) = db.execute("select max(place) from leases").fetchone()
    for lease, contender, place in db.execute(query).fetchall():
        own = {"as recorded": False, "torn over places": rng.random() < 0.5, "a place each": contender == 1}
        if own.get(case, place == second):
            yield lease, contender


def slowed_copy(source: Path, path: Path, case: str, factor: float, seed: int) -> None:
    """Write a copy of a journal with one place slowed, as a case has it."""
    shutil.copyfile(source, path)
    with closing(sqlite3.connect(path)) as db, db:
        for lease, contender in slow_halves(db, case, Random(seed)):
            where = {"factor": factor, "lease": lease, "contender": contender}
            db.execute(f"{SLOWER} where lease = :lease and contender = :contender", where)
        if case == "machine types":
            db.execute(
                "update places set host = json_set(host, '$.cpu', 'another') where id = (select max(id) from places)"
            )


def compared(path: Path) -> Comparison:
    """Compare the solver with itself."""
    with Journal.open(path) as journal:
        results = aggregate(journal)
        return compare(*sides(results, results, [(A, B)])[0])


def row(case: str, paths: list[Path], factor: float, scratch: Path) -> list[str]:
    """Return the calls of a case, its runs with calls of single puzzles, and the scatter of its ratios."""
    said, single, apart = Counter[Call](), 0, 0
    logs: dict[str, list[float]] = {"cpu": [], "wall": []}
    for seed, source in enumerate(paths):
        slowed_copy(source, scratch / "j.sqlite", case, factor, seed)
        found = compared(scratch / "j.sqlite")
        said[found.call] += 1
        single += bool(found.slower.any() or found.faster.any())
        apart += len(found.ratios) < 2
        for clock, ratio in found.ratios.items():
            logs[clock].append(ratio.log)
    scatter = [text for x in logs.values() for text in (f"{mean(x):+.2%}", f"{pstdev(x):.2%}")]
    return [case, *(str(said[word]) for word in Call), str(single), str(apart), *scatter]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--factor", type=float, default=1.5)
    parser.add_argument("--keep", type=Path, help="folder for the journals; existing ones are reused")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch, plugged_in():
        folder = args.keep or Path(scratch)
        paths = [folder / f"{i}.sqlite" for i in range(args.runs)]
        for i, path in enumerate(paths):
            if not path.exists():
                one_run(path, [A, B], puzzles(100), RunSettings(repeats=5, seed=i, jobs=2, warmup=1))
        rows = [row(case, paths, args.factor, Path(scratch)) for case in CASES]
        heads = ("case", *Call, "single puzzles", "types differ", "CPU ratio", "scatter", "wall ratio", "scatter")
        print(written(table_of(heads, rows), "markdown"))


if __name__ == "__main__":
    main()
