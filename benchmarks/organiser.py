"""An organiser's day, from a folder of files to an artefact that is run again: are the answers equal but for times.

    python benchmarks/organiser.py [--each 50] [--contenders A,B] [--folder FOLDER] [--json PATH]

Writes CNF files of eight families, three of them malformed, and an experiment with six contenders of which two have two
cores. Then, as an organiser would: the run with logs, numbers out of them and the page; tables of families for LaTeX;
the artefact with its instances; the run of the unpacked artefact. It ends with 1 if anything is missing or differs.

By default two contenders are programs from PyPI: pip install passagemath-kissat passagemath-glucose.
"""

import argparse
import csv
import itertools
import json
import os
import random
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from figures import Figure, add_option, report

Clauses = list[list[int]]
CONTENDERS = (
    *("pysat:cadical195", "pysat:minisat22", "native:cdcl", "cpsat[cores=2]"),
    *("dimacs:kissat", "dimacs:glucose[cores=2]"),
)
MALFORMED = {  # by name of the file; a family holds each
    "random/truncated.cnf": b"p cnf 3 9\n1 2 0\n-1 3",
    "pigeons/letters.cnf": b"p cnf 3 2\n1 2 0\n-1 x 0\n",
    "queens/picture.cnf": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
}
EXPERIMENT = """\
corpora = ["instances"]
contenders = [{contenders}]
timeout = 60
seed = 7
peak = true
keep-logs = "logs"
log-columns = "columns.toml"
rank = "par2"
html = "page.html"
json = "day.json"
output = "day.sqlite"
"""
COLUMNS = "learned = 'c learned[ :]+([0-9]+)'\n"
SAME = ("corpus", "puzzle", "contender", "repeat", "verdict", "status", "reason", "complete", "valid")


def exactly_one(literals: Sequence[int]) -> Clauses:
    """Return clauses of which exactly one literal is true."""
    return [list(literals), *([-a, -b] for a, b in itertools.combinations(literals, 2))]


def random_formula(size: int, rng: random.Random) -> Clauses:
    """Return clauses of three literals each, near the threshold."""
    n = 30 + size
    signed = [[x * rng.choice((1, -1)) for x in rng.sample(range(1, n + 1), 3)] for _ in range(int(4.2 * n))]
    return [sorted(clause) for clause in signed]


def pigeons(size: int, rng: random.Random) -> Clauses:
    """Return pigeons in holes: one hole less, as many, or one more."""
    holes = 3 + size % 4
    birds = holes + rng.choice((-1, 0, 1))
    at = [[1 + bird * holes + hole for hole in range(holes)] for bird in range(birds)]
    return [*at, *([-a[h], -b[h]] for a, b in itertools.combinations(at, 2) for h in range(holes))]


def parity(size: int, rng: random.Random) -> Clauses:
    """Return a ring of sums modulo two of two variables each."""
    n = 20 + 4 * size
    found = []
    for x in range(1, n + 1):
        y, sign = x % n + 1, rng.choice((1, -1))
        found += [[x, sign * y], [-x, -sign * y]]
    return found


def colouring(size: int, rng: random.Random) -> Clauses:
    """Return a random graph to be coloured with three colours."""
    n = 15 + size
    edges = [pair for pair in itertools.combinations(range(n), 2) if rng.random() < 4.6 / n]
    rows = [[1 + 3 * node + colour for colour in range(3)] for node in range(n)]
    return [*rows, *([-rows[a][c], -rows[b][c]] for a, b in edges for c in range(3))]


def order(size: int, rng: random.Random) -> Clauses:
    """Return a total order without a least element, or with one."""
    n = 4 + size % 5
    below = {pair: number for number, pair in enumerate(itertools.permutations(range(n), 2), 1)}
    found = [[-below[a, b], -below[b, c], below[a, c]] for a, b, c in itertools.permutations(range(n), 3)]
    found += [[-below[a, b], -below[b, a]] for a, b in itertools.combinations(range(n), 2)]
    return found + [[below[b, a] for b in range(n) if b != a] for a in range(n - rng.randrange(2))]


def horn(size: int, rng: random.Random) -> Clauses:
    """Return facts, rules and perhaps a goal that does not hold."""
    n = 40 + 5 * size
    rules = [[-a, -b, c] for a, b, c in (rng.sample(range(1, n + 1), 3) for _ in range(3 * n))]
    return [[1], [2], [3], *rules, [-rng.randint(1, n)]]


def squares(size: int, rng: random.Random) -> Clauses:
    """Return a Latin square with some given values."""
    n = 3 + size % 5
    x = {cell: number for number, cell in enumerate(itertools.product(range(n), repeat=3), 1)}
    found: Clauses = []
    for a, b in itertools.product(range(n), repeat=2):
        for line in ([x[a, b, k] for k in range(n)], [x[a, k, b] for k in range(n)], [x[k, a, b] for k in range(n)]):
            found += exactly_one(line)
    return found + [[x[rng.randrange(n), rng.randrange(n), rng.randrange(n)]] for _ in range(n)]


def queens(size: int, rng: random.Random) -> Clauses:
    """Return queens on a board, some of them placed."""
    n = 4 + size % 6
    x = {cell: number for number, cell in enumerate(itertools.product(range(n), repeat=2), 1)}
    rows = [clause for row in range(n) for clause in exactly_one([x[row, c] for c in range(n)])]
    attacks = [
        [-x[a, c], -x[b, d]]
        for (a, c), (b, d) in itertools.combinations(x, 2)
        if a != b and (c == d or abs(a - b) == abs(c - d))
    ]
    return [*rows, *attacks, *([[x[0, rng.randrange(n)]]] if rng.random() < 0.5 else [])]


FAMILIES: dict[str, Callable[[int, random.Random], Clauses]] = {
    "random": random_formula,
    "pigeons": pigeons,
    "parity": parity,
    "colouring": colouring,
    "order": order,
    "horn": horn,
    "squares": squares,
    "queens": queens,
}


def write_instances(folder: Path, each: int) -> int:
    """Write the files of all families, some malformed instead; return their number."""
    for name, family in FAMILIES.items():
        (folder / name).mkdir(parents=True)
        bad = [path for path in MALFORMED if path.startswith(f"{name}/")]
        for path in bad:
            (folder / path).write_bytes(MALFORMED[path])
        for i in range(each - len(bad)):
            clauses = family(i, random.Random(f"{name} {i}"))
            variables = max(abs(x) for clause in clauses for x in clause)
            lines = [" ".join(map(str, [*clause, 0])) for clause in clauses]
            text = "\n".join([f"p cnf {variables} {len(clauses)}", *lines, ""])
            (folder / name / f"{name}-{i:03}.cnf").write_text(text)
    return each * len(FAMILIES)


def harness(*words: str, folder: Path) -> tuple[int, str]:
    """Run a verb; return its exit code and what it printed."""
    command = [sys.executable, "-m", "harness", *words]
    done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, check=False)
    return done.returncode, done.stdout


def answers(journal: Path) -> list[tuple[str, ...]]:
    """Return all of a journal that is no time, but for the names of its corpora."""
    harness("export", str(journal), "--format", "csv", "-o", str(journal.with_suffix(".csv")), folder=journal.parent)
    with journal.with_suffix(".csv").open(newline="") as file:
        return sorted(tuple(row[name] for name in SAME[1:]) for row in csv.DictReader(file))


def day(folder: Path, each: int, contenders: Sequence[str]) -> Iterator[Figure]:
    """Do all of the work in a folder; yield counts of what was made, and of what differs."""
    number = write_instances(folder / "instances", each)
    (folder / "columns.toml").write_text(COLUMNS)
    (folder / "experiment.toml").write_text(EXPERIMENT.format(contenders=", ".join(map(json.dumps, contenders))))
    code, _ = harness("run", "experiment.toml", folder=folder)
    first = answers(folder / "day.sqlite")
    summary = json.loads((folder / "day.json").read_text())
    yield Figure("run", "", "exit code (2: malformed files)", code)
    yield Figure("run", "", "instances and malformed files", number)
    yield Figure("run", "", "malformed files", len(summary["malformed"]))
    yield Figure("run", "", "outcomes, and rows of malformed files", len(first))
    wrong = sum(c["wrong"] for c in summary["contenders"]) + len(summary["agreement"]["disagreements"])
    yield Figure("run", "", "wrong answers and disagreements", wrong)
    programs = sum(name.startswith("dimacs:") for name in contenders)
    yield Figure(
        "run", "", "runs of programs without a log", programs * (number - len(MALFORMED)) - logs(folder / "logs")
    )
    words = ("report", "day.sqlite", "--by", "folder,status", "--format", "latex")
    code, latex = harness(*words, folder=folder)
    yield Figure("table of families", "", "families without a row", sum(name not in latex for name in FAMILIES))
    code, text = harness("report", "day.sqlite", "--statistics", folder=folder)
    yield Figure(
        "statistics", "", "columns that are missing", sum(name not in text for name in ("conflicts", "decisions"))
    )
    yield Figure("page", "", "bytes", (folder / "page.html").stat().st_size)
    harness("export", "day.sqlite", "--to", "zip", "--instances", "-o", "artefact.zip", folder=folder)
    with zipfile.ZipFile(folder / "artefact.zip") as packed:
        packed.extractall(folder / "artefact")
    environment = os.environ | {"PYTHON": sys.executable, "EXPERIMENT_FOLDER": str(folder)}
    again = subprocess.run(
        ["sh", "artefact/run-again.sh"], cwd=folder, env=environment, stdout=subprocess.DEVNULL, check=False
    )
    second = answers(folder / "artefact" / "again.sqlite")
    yield Figure("run again", "", "exit code (2: malformed files)", again.returncode)
    yield Figure("run again", "", "outcomes, and rows of malformed files", len(second))
    yield Figure("run again", "", "outcomes that differ but for times", len(set(first) ^ set(second)))


def logs(folder: Path) -> int:
    """Return the number of kept outputs."""
    return sum(1 for _ in folder.rglob("*.out.gz"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--each", type=int, default=50, help="files of each family")
    parser.add_argument("--contenders", default=",".join(CONTENDERS))
    parser.add_argument("--folder", type=Path, help="folder that keeps everything, new")
    add_option(parser)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = arguments.folder or Path(name)
        folder.mkdir(parents=True, exist_ok=True)
        figures = list(day(folder.resolve(), arguments.each, arguments.contenders.split(",")))
    report(figures, arguments.json)
    sys.exit(any(f.value for f in figures if any(word in f.name for word in ("without", "missing", "differ", "wrong"))))


if __name__ == "__main__":
    main()
