"""Tables of a SAT competition with a row for each run: the raw results of 2020."""

from collections import Counter
from collections.abc import Iterator, Mapping

from backends.contract.answer import Reason, Status
from harness.importing.record import MalformedResults, Result, name_of, nanoseconds, shortened
from harness.model.outcome import NANO

LONG = {"benchmark", "solver", "configuration", "status", "result"}
TIMES = ("solver time", "time")
VERIFIER = "verifier-result"
ANSWERS = {"sat": Status.SATISFIABLE, "unsat": Status.UNSATISFIABLE}


def long_result(cells: Mapping[str, str], limit: float, taken: Counter[str]) -> Iterator[Result]:
    """Yield the result of a row. Raises MalformedResults.

    Where the verifier's result has a column, an answer that it did not verify is none.
    """
    configuration = cells["configuration"]
    solver = cells["solver"] + (f"-{configuration}" if configuration not in ("", "default") else "")
    name, status = name_of(cells["benchmark"], "instance"), cells["status"].lower()
    column = next((name for name in TIMES if name in cells), "")
    if not column:
        raise MalformedResults(f"no column {' or '.join(TIMES)}")
    result, verified = cells["result"].lower(), cells["result"].lower().endswith("-verified")
    answer = ANSWERS.get(result.removesuffix("-verified"))
    verified |= cells.get(VERIFIER, "").lower() == f"{result}-verified"
    unsolved = Result(name_of(solver, "solver"), "", name, Status.UNKNOWN)
    if answer is None and result != "unknown":
        raise MalformedResults(f"result is {shortened(cells['result'])}, not SAT, UNSAT or UNKNOWN")
    time = nanoseconds(cells[column])
    if answer is None or time > limit * NANO:
        reason = Reason.TIMEOUT if status.startswith("timeout") or answer is not None else Reason.STUCK
        reason = Reason.MEMORY if "memory" in status or status == "memout" else reason
        taken[reason.name.lower()] += 1
        yield unsolved._replace(reason=reason)
    elif VERIFIER in cells and not verified:
        taken["unverified"] += 1
        yield unsolved._replace(reason=Reason.STUCK)
    else:
        taken["solved"] += 1
        claim = answer == Status.SATISFIABLE if verified else None
        yield unsolved._replace(status=answer, wall=time, claim=claim)
