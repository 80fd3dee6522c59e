"""Results in CSV: a row for each instance, contender and repeat, as `export --format csv` writes it, or fewer columns.

A row has the columns instance (or puzzle), contender (or solver), status, and a time: wall_ns, cpu_ns, or seconds.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping

from backends.contract.answer import Reason, Status
from harness.importing.record import (
    MalformedResults,
    Result,
    ResultsFile,
    name_of,
    nanoseconds,
    one_of,
    shortened,
    timed,
    whole_number,
)
from harness.importing.tables import read
from harness.model.errors import BadUsage
from harness.model.outcome import NANO
from harness.model.settings import Limits
from puzzles.readers.malformed import MalformedFile

STATUSES = {
    **dict.fromkeys(("satisfiable", "sat", "s", "true", "10"), (Status.SATISFIABLE, Reason.NONE)),
    **dict.fromkeys(("unsatisfiable", "unsat", "u", "false", "20"), (Status.UNSATISFIABLE, Reason.NONE)),
    **dict.fromkeys(("unknown", "", "0"), (Status.UNKNOWN, Reason.NONE)),
    **dict.fromkeys(("timeout", "time", "to"), (Status.UNKNOWN, Reason.TIMEOUT)),
    **dict.fromkeys(("memory", "memout", "mo", "oom"), (Status.UNKNOWN, Reason.MEMORY)),
    **dict.fromkeys(("error", "crash"), (Status.UNKNOWN, Reason.ERROR)),
    "unsupported": (Status.UNKNOWN, Reason.UNSUPPORTED),
}
MALFORMED = "malformed"  # reason in the row of a file that could not be read
USUAL = "sat, unsat, unknown, timeout, memout, error or unsupported"


def read_csv(path: str) -> ResultsFile:
    """Read a file with a row for each instance, contender and repeat."""
    limits = {"limit": set[str](), "cpu_limit": set[str]()}
    seen: dict[tuple[str, ...], set[str]] = defaultdict(set)  # instances by contender, version and repeat
    refused: dict[str, MalformedFile] = {}

    def check(header: list[str]) -> None:
        for names in (("instance", "puzzle"), ("contender", "solver"), ("status",), ("seconds", "wall_ns", "cpu_ns")):
            if not any(name in header for name in names):
                raise MalformedResults(f"no column {' or '.join(names)}")

    def result(cells: Mapping[str, str]) -> Iterator[Result]:
        if cells.get("reason") == MALFORMED:
            refused.setdefault(*malformed_file(cells))
            return
        found = tidy_result(cells)
        instances = seen[found.contender, found.version, cells.get("repeat") or found.worker or cells.get("seed", "")]
        if found.instance in instances:
            raise MalformedResults(f"{shortened(found.contender)} on {shortened(found.instance)} is there twice")
        instances.add(found.instance)
        for name, known in limits.items():
            known.add(cells.get(name, ""))
        yield timed(found)

    source = read(path, result, check)
    source.malformed = list(refused.values())
    source.limits = Limits(*(common(path, name, known - {""}) for name, known in limits.items()))
    return source


def malformed_file(cells: Mapping[str, str]) -> tuple[str, MalformedFile]:
    """Return name and error of a file that could not be read, from its row."""
    name = name_of(cells.get("instance") or cells.get("puzzle") or "", "instance")
    detail = cells.get("detail", "")
    found = re.fullmatch(r"line ([0-9]{1,18}): (.*)", detail, re.DOTALL)
    return name, MalformedFile(name, int(found[1]), found[2]) if found else MalformedFile(name, 0, detail)


def common(path: str, name: str, stated: Collection[str]) -> float | None:
    """Return the limit that a column states in all rows, None without the column. Raises BadUsage."""
    if len(stated) > 1:
        several = ", ".join(map(shortened, sorted(stated)))
        raise BadUsage(f"{path}: rows of several limits ({several}): import them apart")
    try:
        return next((nanoseconds(text) / NANO for text in stated), None)
    except MalformedResults as e:
        raise BadUsage(f"{path}: the column {name}: {e}") from e


def tidy_result(cells: Mapping[str, str]) -> Result:
    """Return the result of a row."""
    status, reason = STATUSES[one_of(STATUSES, cells["status"], "status", USUAL)]
    if status == Status.UNKNOWN and (word := cells.get("reason", "")) not in ("", "none"):
        reasons = {r.name.lower(): r for r in Reason}
        reason = reasons[one_of(reasons, word, "reason")]
    claim, called_wrong = verdict(cells, status)
    wall = number(cells, "wall_ns")
    if wall is None and cells.get("seconds"):
        wall = nanoseconds(cells["seconds"])
    return Result(
        name_of(cells.get("contender") or cells.get("solver") or "", "contender"),
        cells.get("version", ""),
        name_of(cells.get("instance") or cells.get("puzzle") or "", "instance"),
        status,
        reason,
        claim,
        called_wrong,
        wall=wall,
        cpu=number(cells, "cpu_ns"),
        peak=number(cells, "peak_bytes"),
        note=cells.get("detail", ""),
        repeat=number(cells, "repeat"),
        worker=cells.get("worker", ""),
        seed=number(cells, "seed"),
    )


def number(cells: Mapping[str, str], column: str) -> int | None:
    """Return the number in a column, None if the cell is empty or missing."""
    return whole_number(text) if (text := cells.get(column)) else None


def verdict(cells: Mapping[str, str], status: Status) -> tuple[bool | None, bool]:
    """Return the claim that a row's verdict implies, and True if it calls the answer wrong.

    An answer that is called correct, or has checked solutions, makes the status known.
    """
    word, valid = cells.get("verdict", ""), cells.get("valid", "")
    if status == Status.UNKNOWN:
        return None, False
    if word == "wrong":
        return None, True
    checked = valid.isascii() and valid.isdecimal() and len(valid) < 19 and int(valid) > 0
    return (status == Status.SATISFIABLE, False) if word == "correct" or checked else (None, False)
