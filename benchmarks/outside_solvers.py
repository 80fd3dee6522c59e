"""Cost outside the solver, beside CPMpy with the same solver: time to write, load and read what the solver works on.

    python benchmarks/outside_solvers.py [--rounds 3] [--puzzles 10] [CORPUS ...]

`run` solves the corpora with each of PAIRS that is installed, interleaved on every instance. Compared are the mean
milliseconds of the phases encode, load and decode over the instances that both solved (docs/reference/summary.md);
the search is in neither. CPMpy has no interface to clingo, which stands beside CPMpy with OR-Tools: its loading is the
grounder's work.
"""

import argparse
import sqlite3
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from figures import Figure, add_option, pair_ratio, ratio, report
from suite import SKIPPED

PAIRS = (
    ("z3:int", "cpmpy:z3"),
    ("choco", "cpmpy:choco"),
    ("highs", "cpmpy:highs"),
    ("exact", "cpmpy:exact"),
    ("pumpkin", "cpmpy:pumpkin"),
    ("cpsat", "cpmpy:ortools"),
    ("clingo", "cpmpy:ortools"),
)
CORPORA = ("hard", "sudoku-16", "killer", "csp")
QUERY = """
select p.id, p.corpus, min(o.encode + o.load + o.decode) / 1e6
from outcomes o join contenders c on c.id = o.contender join puzzles p on p.id = o.puzzle
where c.name = ? and o.status <> 0 and o.verdict in (0, 4) group by p.id
"""


def installed() -> list[str]:
    """Return the contenders of PAIRS that can be opened."""
    from backends.contract import registry
    from backends.contract.registry import NoBackend

    found = []
    for name in dict.fromkeys(name for pair in PAIRS for name in pair):
        try:
            registry.find(name)
        except NoBackend as e:
            print(f"left out: {e}")
        else:
            found.append(name)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpora", nargs="*", default=CORPORA)
    parser.add_argument("--rounds", type=int, default=3, help="repeats; the least of them counts")
    parser.add_argument("--puzzles", type=int, default=10, help="of each corpus")
    add_option(parser)
    args = parser.parse_args()
    names = installed()
    if not any(set(pair) <= set(names) for pair in PAIRS):
        print("none of the pairs is installed")
        sys.exit(SKIPPED)
    with tempfile.TemporaryDirectory() as folder:
        journal = Path(folder, "run.sqlite")
        command = [sys.executable, "-m", "harness", "run", *args.corpora, "-b", ",".join(names), "-t", "20"]
        command += ["-r", str(args.rounds), "-n", str(args.puzzles), "-o", str(journal)]
        done = subprocess.run(command, stdout=subprocess.DEVNULL, check=False)
        assert done.returncode in (0, 4), done
        with closing(sqlite3.connect(journal)) as db, db:
            corpora = dict(db.execute("select id, name from corpora"))
            rows = {name: {i: (corpora[c], ms) for i, c, ms in db.execute(QUERY, (name,))} for name in names}
    report(figures(corpora, rows), args.json)


def figures(corpora: dict[int, str], rows: dict[str, dict[int, tuple[str, float]]]) -> Iterator[Figure]:
    """Yield the mean times of all pairs on the instances of each corpus that both solved."""
    for ours, theirs in PAIRS:
        if not {ours, theirs} <= rows.keys():
            continue
        for corpus in corpora.values():
            both = [i for i in rows[ours].keys() & rows[theirs].keys() if rows[ours][i][0] == corpus]
            if both:
                pairs = [(rows[ours][i][1], rows[theirs][i][1]) for i in both]
                a, b = (statistics.fmean(times) for times in zip(*pairs, strict=True))
                yield Figure(corpus, f"{ours} beside {theirs}", "instances", len(both))
                yield Figure(corpus, f"{ours} beside {theirs}", "outside", a, "ms")
                yield Figure(corpus, f"{ours} beside {theirs}", "of CPMpy", b, "ms")
                yield ratio(corpus, f"{ours} beside {theirs}", "ratio", pair_ratio([pairs]))


if __name__ == "__main__":
    main()
