"""Results of a SAT competition: for each solver a column of seconds, or of the PAR-2 value where it solved nothing.

The column `vresult` has the status of the instance, found by every solver with a time.
"""

from collections.abc import Iterator, Mapping
from typing import NoReturn

from backends.contract.answer import Status
from harness.importing.record import MalformedResults, Result, ResultsFile, name_of, nanoseconds, one_of, shortened
from harness.importing.tables import read
from harness.model.outcome import NANO

RESULTS = {"sat": True, "unsat": False, "unknown": None}  # words of vresult
FIRST = ("hash", "instance", "benchmark")  # names of the column of instances of a competition's table


def read_satcomp(path: str, limit: float) -> ResultsFile:
    """Read a table of a SAT competition; `limit` is its time limit, which the table does not state."""
    penalty, most = 2 * limit * NANO, limit * NANO
    seen: set[str] = set()
    solvers: list[str] = []

    def check(header: list[str]) -> None:
        if header[0] not in FIRST:
            raise MalformedResults(f"the first column is {shortened(header[0])}, not {', '.join(FIRST)}")
        if "vresult" not in header:
            raise MalformedResults("no column vresult")
        solvers[:] = [name_of(name, "solver") for name in header[1:] if name not in ("vresult", *FIRST)]
        if not solvers:
            raise MalformedResults("no column of a solver")

    def results(cells: Mapping[str, str]) -> Iterator[Result]:
        name = name_of(next(iter(cells.values())), "instance")
        if name in seen:
            raise MalformedResults(f"the instance {shortened(name)} is there twice")
        seen.add(name)
        claim = RESULTS[one_of(RESULTS, cells["vresult"], "vresult")]
        for solver in solvers:
            try:
                yield solved(solver, name, nanoseconds(cells[solver]), claim)
            except MalformedResults as e:
                raise MalformedResults(f"{solver[:40]}: {e}") from e

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
    raise MalformedResults(why)
