"""Tables of the MaxSAT Evaluations as published from 2017 on: one row for each instance, one column for each solver.

HTML, complete tracks     cells `SECONDS (COST)`: the optimum, found in this time; `LIMIT (-)`: not solved
HTML, incomplete, anytime cells `SCORE (COST)` or `COST`: the best cost at the limit; `0 (-)`, `<NA>`: no solution. Some
                          have a column of the best known cost
CSV, exact tracks         cells of seconds, or a word such as FAILED; costs are not stated, so an answer is only solved
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from html import unescape
from typing import NamedTuple

from backends.contract.answer import Reason, Status
from harness.importing.record import (
    MalformedResults,
    Result,
    ResultsFile,
    StatedSearch,
    at,
    counted,
    name_of,
    nanoseconds,
    shortened,
)
from harness.importing.tables import MAX_COLUMNS, lines
from harness.importing.unpacking import text_of
from harness.model.file_names import distinct
from harness.model.outcome import NANO

INSTANCE = ("benchmark", "instance", "name")
BEST = ("bestsol", "bestcost", "bestsolution")  # columns of the best known cost, without blanks and dashes
VIRTUAL = ("vbs",)
COST = r"[0-9]{1,40}|[0-9]\.[0-9]{1,30}E\+[0-9]{1,3}"  # large ones of 2022 are rounded by a spreadsheet
PAIR = re.compile(rf"([0-9.eE+-]+)\s*\((-|{COST})\)")
NOTHING = ("<na>", "nan", "-", "")
FAILED = {"failed": Reason.STUCK, "timeout": Reason.TIMEOUT, "memout": Reason.MEMORY, "error": Reason.ERROR}
TAG = re.compile(r"(/?[a-zA-Z]++)")
Row = tuple[int, list[str]]


class PublishedTable(NamedTuple):
    """Names of solvers and the best known cost's column, and rows with their lines, name and cells."""

    solvers: list[str]
    rows: list[tuple[int, str, list[str], int | None]]


def read_maxsat(path: str, limit: float) -> ResultsFile:
    """Read a table; `limit` is its time limit, which it does not state. Raises BadUsage."""
    rows, taken = list(rows_of(path)), Counter[str]()
    table = table_of(path, rows)
    read_cell, what = reader_of(table, limit, is_csv(path))
    source = ResultsFile(path)
    for line, name, cells, best in table.rows:
        for solver, cell in zip(table.solvers, cells, strict=True):
            try:
                result = read_cell(Result(solver, "", name, Status.UNKNOWN), cell.strip(), best)
                source.add(result)
            except MalformedResults as e:
                raise at(path, line, f"{solver[:40]}: {e}") from e
            taken["without an answer" if result.status == Status.UNKNOWN else "with an answer"] += 1
    source.notes = [f"{what}: {len(table.rows):,} instances, {len(table.solvers)} solvers; cells: {counted(taken)}"]
    return source


def rows_of(path: str) -> Iterator[Row]:
    """Yield line and cells of each row of a CSV or HTML file. Raises BadUsage."""
    if is_csv(path):
        yield from lines(path)
        return
    for line, cells in html_rows(text_of(path)):
        if len(cells) > MAX_COLUMNS:
            raise at(path, line, f"{len(cells):,} columns, more than {MAX_COLUMNS:,}")
        if cells:
            yield line, cells


def html_rows(text: str) -> Iterator[Row]:
    """Yield the rows of all tables of a page, with the line where each begins; end tags may be missing.

    Tags end at the next '>': a parser of HTML may look for the end of each to the end of the page.
    """
    cells: list[list[str]] = []
    number, counted_to, at, line, inside = 1, 0, 0, 0, False
    while (start := text.find("<", at)) >= 0:
        if inside:
            cells[-1].append(text[at:start])
        ends = "-->" if text.startswith("<!--", start) else ">"
        end = text.find(ends, start)
        if end < 0:
            break
        tag = TAG.match(text, start + 1)
        name = tag[1].lower() if tag else ""
        number, counted_to = number + text.count("\n", counted_to, start), start
        if name == "tr":
            if line:
                yield line, [plain_text(parts) for parts in cells]
            cells, line, inside = [], number, False
        elif name in ("td", "th") and line:
            cells.append([])
            inside = True
        elif name in ("/td", "/th", "/tr"):
            inside = False
        at = end + len(ends)
    if line:
        yield line, [plain_text(parts) for parts in cells]


def plain_text(parts: Sequence[str]) -> str:
    """Return the text of a cell, which other tags divide into parts."""
    return unescape("".join(parts)).strip()


def is_csv(path: str) -> bool:
    return path.lower().endswith(".csv")


def table_of(path: str, rows: Sequence[Row]) -> PublishedTable:
    """Return the columns of solvers and the rows. Raises BadUsage."""
    line, header = rows[0] if rows else (1, [])
    body = rows[1:]
    if header and not header[0] and body and len(body[0][1]) == len(header) and not any(body[0][1][1:]):
        header, body = [body[0][1][0], *header[1:]], body[1:]  # the index has a row of its own
    if not header or plain(header[0]) not in INSTANCE:
        raise at(path, line, "not a table of a MaxSAT Evaluation: no first column Benchmark, Instance or Name")
    best = next((i for i, name in enumerate(header) if plain(name) in BEST), None)
    solvers = [i for i, name in enumerate(header) if i and i != best and plain(name) not in VIRTUAL]
    if not solvers:
        raise at(path, line, "no column of a solver")
    found, seen = [], set[str]()
    for number, cells in body:
        if len(cells) != len(header):
            raise at(path, number, f"{len(cells)} cells, but there are {len(header)} columns")
        try:
            name = name_of(cells[0], "instance")
            known = None if best is None or cells[best].lower() in (*NOTHING, "-1") else cost_of(cells[best])
        except MalformedResults as e:
            raise at(path, number, e) from e
        if name in seen:
            raise at(path, number, f"the instance {shortened(name)} is there twice")
        seen.add(name)
        found.append((number, name, [cells[i] for i in solvers], known))
    return PublishedTable(list(distinct(header[i] for i in solvers)), found)


def plain(name: str) -> str:
    """Return the name of a column in lower case, without blanks and dashes."""
    return re.sub(r"[\s_-]", "", name.lower())


Reader = Callable[[Result, str, int | None], Result]


def reader_of(table: PublishedTable, limit: float, csv: bool) -> tuple[Reader, str]:
    """Return the reader of cells, and their meaning in words: times with costs, scores with costs, costs, or times."""
    pairs = [match for _, _, cells, _ in table.rows for cell in cells if (match := PAIR.fullmatch(cell.strip()))]
    if csv:
        return lambda result, cell, best: solved_in(result, cell, limit), "times until an optimum was proved"
    if not pairs:
        return lambda result, cell, best: valued(result, cell, best, limit), "best costs at the limit"
    unsolved = [float_of(match[1]) for match in pairs if match[2] == "-"]
    if max(unsolved or [float_of(match[1]) for match in pairs]) > 1:
        return lambda result, cell, best: proved_in(result, cell, limit), "times and optima"
    return lambda result, cell, best: scored(result, cell, best, limit), "scores and best costs at the limit"


def solved_in(result: Result, cell: str, limit: float) -> Result:
    """Return the result of a cell of seconds, or of a word. Raises MalformedResults."""
    if (reason := FAILED.get(cell.lower())) is not None:
        return result._replace(reason=reason)
    time = nanoseconds(cell)
    if time > limit * NANO:
        return result._replace(reason=Reason.TIMEOUT)
    return result._replace(status=Status.SATISFIABLE, wall=time)


def proved_in(result: Result, cell: str, limit: float) -> Result:
    """Return the result of a cell `SECONDS (COST)`. Raises MalformedResults."""
    match = PAIR.fullmatch(cell)
    if match is None:
        raise MalformedResults(f"{shortened(cell)} is not a time and a cost in brackets")
    result = result._replace(search=StatedSearch(False))
    time = nanoseconds(match[1])
    if match[2] == "-" or time > limit * NANO:
        return result._replace(reason=Reason.TIMEOUT)
    value = cost_of(match[2])
    search = StatedSearch(False, value, ((time, value),), proved=True)
    return result._replace(status=Status.SATISFIABLE, wall=time, search=search)


def scored(result: Result, cell: str, best: int | None, limit: float) -> Result:
    """Return the result of a cell `SCORE (COST)`. Raises MalformedResults."""
    match = PAIR.fullmatch(cell)
    if match is None:
        raise MalformedResults(f"{shortened(cell)} is not a score and a cost in brackets")
    return valued(result, match[2], best, limit)


def valued(result: Result, cell: str, best: int | None, limit: float) -> Result:
    """Return the result of a cost at the limit. Raises MalformedResults."""
    value = None if cell.lower() in NOTHING else cost_of(cell)
    result = result._replace(reason=Reason.TIMEOUT, search=StatedSearch(False, value, best=best))
    if value is None:
        return result
    return result._replace(status=Status.SATISFIABLE, wall=round(limit * NANO))


def cost_of(cell: str) -> int:
    """Return a cost. Raises MalformedResults."""
    if re.fullmatch(COST, cell.strip()) is None:
        raise MalformedResults(f"{shortened(cell)} is not a cost")
    return int(Decimal(cell.strip()))


def float_of(text: str) -> float:
    """Return a number, infinity for any other text."""
    try:
        return float(text)
    except ValueError:
        return float("inf")
