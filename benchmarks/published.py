"""Published tables of optimisation, imported and ranked again: is every figure equal?

    python benchmarks/published.py FOLDER

FOLDER holds clones of MiniZinc/minizinc.github.io and maxsat-evaluations/maxsat-evaluations.github.io from GitHub, or
one of them, under the second part of these names. For each MiniZinc Challenge the points of each solver on each
instance are compared with the sums of the published matrix, and for 2024 the areas of free search with AREAS; for each
anytime table of the MaxSAT Evaluation 2022 the averages with those of its summary page; for the exact tracks of 2024
the numbers solved with EXACT.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from figures import Figure, add_option, report
from suite import SKIPPED

from harness.reporting.frame.reading import open_judged
from harness.reporting.frame.searches import Searches, searches
from harness.reporting.views.ranking.objective_scores import OBJECTIVE_SCORE

LIMITS = {2013: 900, 2014: 900}  # seconds; else 1200
SCORES = {
    **dict.fromkeys((2013, 2014, 2015, 2016), "minizinc-2013"),
    **dict.fromkeys((2018, 2019, 2020), "minizinc"),
    **dict.fromkeys((2021, 2024, 2025), "minizinc-2021"),
}
AVERAGE = re.compile(r"<td>\s*[^<]+?\s*</td><td>\s*([0-9.]+)\s*</td>")
AREAS = {  # of free search in 2024, as the page of its results shows them
    "or-tools_cp-sat-free": 0.1911,
    "chuffed-free": 0.2241,
    "picatsat-free": 0.2529,
    "cplex-free": 0.3120,
    "gurobi-free": 0.3190,
    "choco-solver__cp_-free": 0.3472,
}
EXACT = {  # solved in the exact tracks of 2024, by the row `count` of its HTML pages, from the first to the last
    "unweighted": (421, 419, 415, 412, 411, 404, 404, 404, 404, 402, 401, 400, 352, 346, 334),
    "weighted": (448, 445, 442, 435, 434, 434, 431, 431, 420, 416, 415, 394, 384, 382, 318),
}


def imported(form: str, files: Sequence[Path], limit: int, journal: Path) -> None:
    """Import the files of a table."""
    command = [sys.executable, "-m", "harness", "import", "--format", form, *map(str, files), "-t", str(limit)]
    done = subprocess.run([*command, "-o", str(journal)], capture_output=True, text=True, timeout=600)
    if done.returncode:
        sys.exit(done.stderr)


def searched(journal: Path, only: Sequence[str] = ()) -> tuple[list[str], list[str], Searches]:
    """Return contenders, all or some of them, instances and searches of a journal."""
    with open_judged(journal) as run:
        results = run.results()
        names = list(only or results.by_name)
        instances = [run.journal.instances.name(i) for i in range(1, run.journal.instances.size() + 1)]
        return names, instances, searches(results, names, "wall")


def challenge(year: int, file: Path, folder: Path) -> Iterator[Figure]:
    """Yield the figures of a MiniZinc Challenge."""
    data = json.loads(file.read_text())["results"]
    imported("minizinc", [file], LIMITS.get(year, 1200), folder / f"{year}.sqlite")
    names, instances, found = searched(folder / f"{year}.sqlite")
    groups = zip(data["problems"], data["instances"], strict=True)
    at = {f"{problem}/{data['benchmarks'][i]}": i for problem, group in groups for i in group}
    order, rows = [at[name] for name in instances], [data["solvers"].index(name) for name in names]
    matrix = np.array(data["scores"], np.float64)
    for solver in range(len(matrix)):
        matrix[solver, solver] = 0
    differences = np.abs(OBJECTIVE_SCORE[SCORES[year]].points(found) - matrix.sum(axis=1)[rows][:, order])
    case, way = f"MiniZinc Challenge {year}", SCORES[year]
    yield Figure(case, way, "sums", differences.size)
    yield Figure(case, way, "other than published", int((differences > 0.006).sum()))
    if year == 2024:
        yield from areas(data, folder / f"{year}.sqlite")


def areas(data: dict[str, Any], journal: Path) -> Iterator[Figure]:
    """Yield the figures of the areas of free search, which are scaled to those of its category."""
    free = [name for name, free in zip(data["solvers"], data["free_solvers"], strict=True) if free]
    names, _, found = searched(journal, free)
    score = OBJECTIVE_SCORE["minizinc-area"]
    means = dict(zip(names, score.points(found)[:, score.counts(found)].mean(axis=1), strict=True))
    yield Figure("MiniZinc Challenge 2024, free", "minizinc-area", "averages", len(AREAS))
    apart = int(sum(round(means[name], 4) != value for name, value in AREAS.items()))
    yield Figure("MiniZinc Challenge 2024, free", "minizinc-area", "other than published", apart)


def anytime(file: Path, summary: Path, limit: int, folder: Path) -> Iterator[Figure]:
    """Yield the figures of a table of an anytime track."""
    track = file.parent.name
    imported("maxsat", [file], limit, folder / f"{track}.sqlite")
    _, _, found = searched(folder / f"{track}.sqlite")
    score = OBJECTIVE_SCORE["maxsat-anytime"]
    ours = sorted(score.points(found)[:, score.counts(found)].mean(axis=1))
    published = sorted(map(float, AVERAGE.findall(summary.read_text())))
    apart = [abs(a - b) > 0.0006 for a, b in zip(ours, published, strict=True)]
    yield Figure(f"MaxSAT Evaluation 2022, {track}", "maxsat-anytime", "averages", len(ours))
    yield Figure(f"MaxSAT Evaluation 2022, {track}", "maxsat-anytime", "other than published", int(sum(apart)))


def exact(track: str, file: Path, folder: Path) -> Iterator[Figure]:
    """Yield the figures of a table of an exact track."""
    imported("maxsat", [file], 3600, folder / f"{track}.sqlite")
    with open_judged(folder / f"{track}.sqlite") as run:
        solved = sorted((int(c.decided[1:].sum()) for c in run.results().contenders), reverse=True)
    yield Figure(f"MaxSAT Evaluation 2024, {track}", "solved", "solvers", len(solved))
    apart = sum(a != b for a, b in zip(solved, EXACT[track], strict=True))
    yield Figure(f"MaxSAT Evaluation 2024, {track}", "solved", "other than published", apart)


def figures(clones: Path, folder: Path) -> Iterator[Figure]:
    """Yield the figures of all tables that are there; `folder` takes their journals."""
    challenges, evaluations = clones / "minizinc.github.io", clones / "maxsat-evaluations.github.io"
    for year in SCORES:
        if (file := challenges / "public" / "challenge" / str(year) / "results.json").is_file():
            yield from challenge(year, file, folder)
    for track, limit in product(("unweighted", "weighted"), (60, 300)):
        page = evaluations / "2022" / "results" / "incomplete" / f"{track}-{limit}s"
        if (file := page / "table-all.html").is_file():
            yield from anytime(file, page / "summary.html", limit, folder)
    for track in EXACT:
        if (file := evaluations / "2024" / "results" / "exact" / f"{track}.csv").is_file():
            yield from exact(track, file, folder)


def report_clones(text: str | None, figures: Callable[[Path, Path], Iterator[Figure]]) -> None:
    """Report the figures of the folder of clones that the command line names; exit with SKIPPED if there are none."""
    parser = argparse.ArgumentParser(description=text, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    add_option(parser)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = list(figures(args.folder, Path(folder)))
    if not found:
        print(f"{args.folder}: none of the clones")
        sys.exit(SKIPPED)
    report(found, args.json)


if __name__ == "__main__":
    report_clones(__doc__, figures)
