"""Results in CSV: rows of `export --format csv` or with the same columns, and the SAT competitions' table.

A row has the columns instance (or puzzle), contender (or solver), status, and a time: wall_ns, cpu_ns, or seconds.
The SAT competitions' table has a column for each solver with seconds, or the PAR-2 value where it solved nothing, and
`vresult`, the status of the instance.
"""

import csv
from collections.abc import Callable, Iterator, Mapping
from typing import NoReturn

from backends.answer import Reason, Status
from harness.importing.record import (
    NANO,
    Malformed,
    Result,
    Source,
    at,
    name_of,
    nanoseconds,
    one_of,
    shortened,
    timed,
    whole_number,
)
from harness.model.errors import BadUsage
from harness.reporting.printable import FORMULA

MAX_CELL = 1 << 20
STATUSES = {
    **dict.fromkeys(("satisfiable", "sat", "s", "true", "10"), (Status.SATISFIABLE, Reason.NONE)),
    **dict.fromkeys(("unsatisfiable", "unsat", "u", "false", "20"), (Status.UNSATISFIABLE, Reason.NONE)),
    **dict.fromkeys(("unknown", "", "0"), (Status.UNKNOWN, Reason.NONE)),
    **dict.fromkeys(("timeout", "time", "to"), (Status.UNKNOWN, Reason.TIMEOUT)),
    **dict.fromkeys(("memory", "memout", "mo", "oom"), (Status.UNKNOWN, Reason.MEMORY)),
    **dict.fromkeys(("error", "crash"), (Status.UNKNOWN, Reason.ERROR)),
    "unsupported": (Status.UNKNOWN, Reason.UNSUPPORTED),
}
USUAL = "sat, unsat, unknown, timeout, memout, error or unsupported"
RESULTS = {"sat": True, "unsat": False, "unknown": None}  # words of vresult
FIRST = ("hash", "instance", "benchmark")  # names of the column of instances of a competition's table
Line = tuple[int, list[str]]


def lines(path: str) -> Iterator[Line]:
    """Yield the rows of a CSV file with their line numbers, without empty ones. Raises BadUsage."""
    csv.field_size_limit(MAX_CELL)
    try:
        with open(path, encoding="utf-8-sig", newline="") as file:
            reader = csv.reader(file, strict=True)
            try:
                yield from ((reader.line_num, row) for row in reader if row)
            except csv.Error as e:
                raise at(path, reader.line_num, e) from e
            except UnicodeDecodeError as e:
                raise at(path, reader.line_num + 1, "not UTF-8 text") from e
    except OSError as e:
        raise BadUsage(f"{path}: {e.strerror}") from e


def read(
    path: str, result: Callable[[Mapping[str, str]], Iterator[Result]], check: Callable[[list[str]], None]
) -> Source:
    """Read a file whose first row names its columns. Raises BadUsage with the line of a mistake."""
    rows, source = lines(path), Source(path)
    number, header = next(rows, (1, []))
    try:
        if not header:
            raise Malformed("no row of column names")
        if len(set(header)) < len(header):
            twice = next(name for name in header if header.count(name) > 1)
            raise Malformed(f"two columns are named {shortened(twice)}")
        check(header)
        for line, row in rows:
            number = line
            if len(row) != len(header):
                raise Malformed(f"{len(row)} cells, but there are {len(header)} columns")
            source.results += result(dict(zip(header, map(unquoted, row), strict=True)))
    except Malformed as e:
        raise at(path, number, e) from e
    return source


def unquoted(cell: str) -> str:
    """Return a cell without the apostrophe that keeps spreadsheets from taking it for a formula."""
    return cell[1:] if cell.startswith(tuple("'" + sign for sign in FORMULA)) else cell


def read_csv(path: str) -> Source:
    """Read rows of results, one an instance and contender, and a repeat."""
    limits: set[str] = set()
    seen: set[tuple[str, ...]] = set()

    def check(header: list[str]) -> None:
        for names in (("instance", "puzzle"), ("contender", "solver"), ("status",), ("seconds", "wall_ns", "cpu_ns")):
            if not any(name in header for name in names):
                raise Malformed(f"no column {' or '.join(names)}")

    def result(cells: Mapping[str, str]) -> Iterator[Result]:
        found = tidy_result(cells)
        key = (found.contender, found.version, found.instance, cells.get("repeat", ""))
        if key in seen:
            raise Malformed(f"{shortened(found.contender)} on {shortened(found.instance)} is there twice")
        seen.add(key)
        limits.add(cells.get("limit", ""))
        yield timed(found)

    source = read(path, result, check)
    stated = sorted(limits - {""})
    if len(stated) > 1:
        raise BadUsage(f"{path}: rows of several limits ({', '.join(map(shortened, stated))}): import them apart")
    try:
        source.limit = nanoseconds(stated[0]) / NANO if stated else None
    except Malformed as e:
        raise BadUsage(f"{path}: the column limit: {e}") from e
    return source


def tidy_result(cells: Mapping[str, str]) -> Result:
    """Return the result of a row."""
    status, reason = STATUSES[one_of(STATUSES, cells["status"], "status", USUAL)]
    if status == Status.UNKNOWN and (word := cells.get("reason", "")) not in ("", "none"):
        reasons = {r.name.lower(): r for r in Reason}
        reason = reasons[one_of(reasons, word, "reason")]
    claim, called_wrong = verdict(cells, status)
    exact = {key: whole_number(cells[f"{key}_ns"]) if cells.get(f"{key}_ns") else None for key in ("wall", "cpu")}
    if exact["wall"] is None and cells.get("seconds"):
        exact["wall"] = nanoseconds(cells["seconds"])
    return Result(
        name_of(cells.get("contender") or cells.get("solver") or "", "contender"),
        cells.get("version", ""),
        name_of(cells.get("instance") or cells.get("puzzle") or "", "instance"),
        *(status, reason, claim, called_wrong, exact["wall"], exact["cpu"]),
        peak=whole_number(cells["peak_bytes"]) if cells.get("peak_bytes") else None,
        note=cells.get("detail", ""),
    )


def verdict(cells: Mapping[str, str], status: Status) -> tuple[bool | None, bool]:
    """Return the claim that a row's verdict makes, and if it calls the answer wrong.

    An answer called correct, or with solutions that were checked, makes its status known.
    """
    word, valid = cells.get("verdict", ""), cells.get("valid", "")
    if status == Status.UNKNOWN:
        return None, False
    if word == "wrong":
        return None, True
    checked = valid.isdecimal() and len(valid) < 19 and int(valid) > 0
    return (status == Status.SATISFIABLE, False) if word == "correct" or checked else (None, False)


def read_satcomp(path: str, limit: float) -> Source:
    """Read a table of a SAT competition with this time limit, which it does not state."""
    penalty, most = 2 * limit * NANO, limit * NANO
    seen: set[str] = set()
    solvers: list[str] = []

    def check(header: list[str]) -> None:
        if header[0] not in FIRST:
            raise Malformed(f"the first column is {shortened(header[0])}, not {', '.join(FIRST)}")
        if "vresult" not in header:
            raise Malformed("no column vresult")
        solvers[:] = [name_of(name, "solver") for name in header[1:] if name not in ("vresult", *FIRST)]
        if not solvers:
            raise Malformed("no column of a solver")

    def results(cells: Mapping[str, str]) -> Iterator[Result]:
        name = name_of(next(iter(cells.values())), "instance")
        if name in seen:
            raise Malformed(f"the instance {shortened(name)} is there twice")
        seen.add(name)
        claim = RESULTS[one_of(RESULTS, cells["vresult"], "vresult")]
        for solver in solvers:
            try:
                yield solved(solver, name, nanoseconds(cells[solver]), claim)
            except Malformed as e:
                raise Malformed(f"{solver[:40]}: {e}") from e

    def solved(solver: str, name: str, time: int, claim: bool | None) -> Result:
        if time == penalty:
            return Result(solver, "", name, Status.UNKNOWN, claim=claim)
        if time > most:
            refuse(f"{time / NANO:g} s is neither within the limit of {limit:g} s (-t) nor twice the limit")
        if claim is None:
            refuse("it has a time, but vresult is unknown")
        return Result(solver, "", name, Status.SATISFIABLE if claim else Status.UNSATISFIABLE, claim=claim, wall=time)

    return read(path, results, check)


def refuse(why: str) -> NoReturn:
    raise Malformed(why)
