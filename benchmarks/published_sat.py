"""Published tables of SAT competitions, imported and scored again: is every row of the results pages equal?

    python benchmarks/published_sat.py FOLDER

FOLDER holds clones of the repositories satcompetition/2020 to satcompetition/2024 from GitHub, or some of them, by
year. Rows are compared if a solver of the table and one of the page have the same letters and digits. PAR-2 is compared
to the last digit of the page; pages of 2020 and 2021 cut it to whole seconds.
"""

import csv
import html
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from zipfile import ZipFile

from figures import Figure
from published import imported, report_clones

from harness.reporting.frame.reading import open_judged

CLOUD = 1000  # seconds of wall time: the limit of cloud tracks
ARCHIVES = {
    2022: "downloads/sc2022-detailed-results.zip",
    2023: "downloads/sc2023-detailed-results.zip",
    2024: "downloads/detailed_results.zip",
}


class Table(NamedTuple):
    """Table of a track, with a second file that states results if it has none.

    page  number of the table of results.html, from 0; None: the page has none of this track
    """

    year: int
    file: str
    page: int | None
    limit: int = 5000
    results: str = ""


TABLES = (
    Table(2020, "paper/vbs/results_vbs_main_noPlan.csv", 0),
    Table(2020, "downloads/parallel.csv", 2),
    Table(2020, "downloads/cloud.csv", 3, CLOUD),
    Table(2021, "results/r_main.csv", 0),
    Table(2021, "results/main.csv", 0, results="results/results.csv"),
    Table(2021, "results/r_parallel.csv", 1),
    Table(2021, "results/r_cloud.csv", 2, CLOUD),
    Table(2021, "results/r_nolimits.csv", 3),
    Table(2022, "main-seq.csv", 0),
    Table(2022, "anni-seq.csv", 1),
    Table(2022, "main-par.csv", 2),
    Table(2022, "anni-par.csv", 3),
    Table(2022, "anni-clo.csv", 4, CLOUD),
    Table(2022, "main-clo.csv", 5, CLOUD),
    Table(2022, "nolimits.csv", 6),
    Table(2023, "results_main_detailed.csv", 0),
    Table(2023, "results_parallel_detailed.csv", 1),
    Table(2023, "results_cloud_detailed.csv", 2, CLOUD),
    Table(2023, "results_nolimit_detailed.csv", None, results="results_main_detailed.csv"),
    Table(2024, "detailed_main.csv", 0),
    Table(2024, "detailed_parallel.csv", 1),
    Table(2024, "detailed_cloud.csv", 2, CLOUD),
    Table(2024, "detailed_nolimits.csv", None, results="detailed_main.csv"),
)


class Row(NamedTuple):
    """PAR-2 and instances solved of a solver."""

    par2: float
    solved: int


def key(name: str) -> str:
    """Return the letters and digits of a solver's name."""
    return re.sub(r"[^a-z0-9]", "", name.lower())


def published(table: Table, page: Path) -> dict[str, Row]:
    """Return the rows of a table of a results page."""
    text = re.findall(r"<table.*?</table>", page.read_text(), re.DOTALL)[table.page or 0]
    rows = re.findall(r"<tr.*?</tr>", text, re.DOTALL)
    head, *lines = [re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", row, re.DOTALL) for row in rows]
    first = 2 if "Configuration" in head else 1  # in 2021 one cell holds the names of the first two columns
    found = {}
    for line in lines:
        cells = [html.unescape(re.sub(r"<[^>]+>", "", cell)).strip() for cell in line]
        name = "".join(cell for cell in cells[:first] if cell != "default")
        found[key(name)] = Row(float(cells[first]), int(float(cells[first + 1])))
    return found


def present(table: Table, folder: Path, scratch: Path) -> Path | None:
    """Return the path of a file of a clone, extracted from its archive if it is in one; None without it."""
    clone, archive = folder / str(table.year), folder / str(table.year) / ARCHIVES.get(table.year, "-")
    if not archive.is_file():
        return path if (path := clone / table.file).is_file() else None
    with ZipFile(archive) as files:
        names = [name for name in files.namelist() if Path(name).name == table.file]
        return Path(files.extract(names[0], scratch)) if names else None


def stated(file: Path, scratch: Path) -> Path:
    """Write the instances and results of a table to a file of their own."""
    with file.open(newline="") as source:
        rows = list(csv.DictReader(source))
    names = [name for name in ("aresult", "vresult", "result") if name in rows[0]]
    path = scratch / "results.csv"
    path.write_text("".join(f"{a},{b}\n" for a, b in [("hash", "result"), *((r["hash"], r[names[0]]) for r in rows)]))
    return path


def scored(files: list[Path], limit: int, journal: Path) -> tuple[dict[str, Row], int]:
    """Import a table, and return the rows of its solvers and the number of instances."""
    imported("satcomp", files, limit, journal)
    with open_judged(journal) as run:
        rows = {key(c["name"]): Row(c["par2"] or 0.0, c["solved"]) for c in run.summary()["contenders"]}
        return rows, run.journal.instances.size()


def figures(folder: Path, scratch: Path) -> Iterator[Figure]:
    """Yield the figures of all tables that are there."""
    for number, table in enumerate(TABLES):
        path = present(table, folder, scratch)
        if path is None:
            continue
        files = [path]
        if table.results:
            second = present(table._replace(file=table.results), folder, scratch)
            files += [stated(second, scratch)] if second else []
        ours, instances = scored(files, table.limit, scratch / f"{number}.sqlite")
        case = f"{table.year} {Path(table.file).name}"
        yield Figure(case, "", "instances", instances)
        yield Figure(case, "", "solvers", len(ours))
        if table.page is not None:
            theirs = published(table, folder / str(table.year) / "results.html")
            both, cut = ours.keys() & theirs.keys(), 1.0 if table.year < 2022 else 0.0101
            times = {name for name in both if abs(ours[name].par2 - theirs[name].par2) < cut}
            counts = {name for name in both if ours[name].solved == theirs[name].solved}
            yield Figure(case, "", "rows compared", len(both))
            yield Figure(case, "", "PAR-2 equal", len(times))
            yield Figure(case, "", "solved equal", len(counts))
            yield Figure(case, "", "both equal", len(times & counts))


if __name__ == "__main__":
    report_clones(__doc__, figures)
