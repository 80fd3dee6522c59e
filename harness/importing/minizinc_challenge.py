"""Results of a MiniZinc Challenge: `results.json`, as published for 2011 to 2025, or these columns without a frame.

`results` holds columns over solvers and benchmarks: a status, milliseconds (in text: seconds), the objective and, since
2018, all improvements with their milliseconds. `kind` is the sense of each problem, and `instances` has the benchmarks
of each. The matrices of points are not read: `report --rank minizinc` computes them.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from backends.contract.answer import Reason, Status
from harness.importing.record import (
    MAX_SECONDS,
    MalformedResults,
    Result,
    ResultsFile,
    StatedSearch,
    counted,
    name_of,
    shortened,
)
from harness.importing.unpacking import text_of
from harness.model.errors import BadUsage
from harness.model.outcome import NANO

SENSES = {"SAT": None, "MIN": False, "MAX": True}
SOLVED, PROVED = ("S", "SC", "SU"), ("SC", "C", "UC")  # of 2011: SU, UC, UU, E
UNSOLVED = {  # words of results without an answer
    **dict.fromkeys(("UNK", "UU", "UNKNOWN"), Reason.TIMEOUT),
    "": Reason.STUCK,
    **dict.fromkeys(("ERR", "E"), Reason.ERROR),
    "MZN": Reason.UNSUPPORTED,
}
INCORRECT = ("INC", "ERROR Incorrect")
COLUMNS = ("results", "times", "objectives")
STEPS = ("step_obj", "step_times")
MS, S = 10**6, NANO  # nanoseconds
MAX_DIGITS = 1000  # of a number
LONG_NUMBER = re.compile(rf"[0-9]{{{MAX_DIGITS + 1},}}+")


def read_challenge(path: str, limit: float) -> ResultsFile:
    """Read the results of a year; `limit` is its time limit, which they do not state. Raises BadUsage."""
    source, taken = ResultsFile(path), Counter[str]()
    text = text_of(path)
    if (long := next(LONG_NUMBER.finditer(text), None)) is not None:
        line = 1 + text.count("\n", 0, long.start())
        raise BadUsage(f"{path}:{line}: a number of {len(long[0]):,} digits, more than {MAX_DIGITS}")
    try:
        for found in results_of(json.loads(text), limit, taken):
            source.add(found)
    except json.JSONDecodeError as e:
        raise BadUsage(f"{path}:{e.lineno}: not JSON: {e.msg}") from e
    except RecursionError as e:
        raise BadUsage(f"{path}: not JSON") from e
    except MalformedResults as e:
        raise BadUsage(f"{path}: {e}") from e
    source.notes = [f"{len(source.results):,} results: {counted(taken)}"]
    return source


def results_of(data: Any, limit: float, taken: Counter[str]) -> Iterator[Result]:
    """Yield all results. Raises MalformedResults."""
    found = data.get("results") if isinstance(data, dict) else None
    if isinstance(found, list):
        found = data
    if not isinstance(found, dict):
        raise MalformedResults("not the results of a MiniZinc Challenge: no object `results`")
    solvers, benchmarks = (texts(found, key) for key in ("solvers", "benchmarks"))
    names, senses = instances_of(found, benchmarks)
    columns = {key: matrix(found, key, len(solvers), len(names)) for key in COLUMNS}
    steps = {key: matrix(found, key, len(solvers), len(names)) for key in STEPS} if STEPS[0] in found else {}
    for s, solver in enumerate(solvers):
        for i, name in enumerate(names):
            if name is None:
                continue
            word, time, value = (columns[key][s][i] for key in COLUMNS)
            course = list(zip(steps[STEPS[1]][s][i], steps[STEPS[0]][s][i], strict=False)) if steps else []
            try:
                yield result(Result(name_of(solver, "solver"), "", name, Status.UNKNOWN), senses[i], word, time, value,
                             course, limit, taken)  # fmt: skip
            except MalformedResults as e:
                raise MalformedResults(f"{shortened(solver)}, {shortened(name)}: {e}") from e


def instances_of(found: dict[str, Any], benchmarks: list[str]) -> tuple[list[str | None], list[bool | None]]:
    """Return name and sense of each benchmark; the sense is None without a problem. Raises MalformedResults."""
    names: list[str | None] = [None] * len(benchmarks)
    senses: list[bool | None] = [None] * len(benchmarks)
    kinds, problems, groups = (texts(found, "kind"), texts(found, "problems"), found.get("instances"))
    if not isinstance(groups, list) or not len(kinds) == len(problems) == len(groups):
        raise MalformedResults("kind, problems and instances do not have the same length")
    for kind, problem, group in zip(kinds, problems, groups, strict=True):
        if kind not in SENSES or not isinstance(group, list):
            raise MalformedResults(f"{shortened(problem)} is {shortened(kind)}, not {', '.join(SENSES)}")
        for i in group:
            if type(i) is not int or not 0 <= i < len(benchmarks) or names[i] is not None:
                raise MalformedResults(
                    f"instances of {shortened(problem)}: {shortened(str(i))} is no benchmark of its own"
                )
            names[i], senses[i] = name_of(f"{problem}/{benchmarks[i]}", "instance"), SENSES[kind]
    return names, senses


def result(
    unsolved: Result, maximise: bool | None, word: Any, time: Any, value: Any, steps: Any, limit: float,
    taken: Counter[str],
) -> Result:  # fmt: skip
    """Return the result of a cell. Raises MalformedResults."""
    said = word.strip() if isinstance(word, str) else None
    if said is None or said not in (*SOLVED, *PROVED, *UNSOLVED, *INCORRECT):
        raise MalformedResults(f"result is {shortened(str(word))}, not S, SC, C, UNK, ERR, INC or MZN")
    taken[said or "without a result"] += 1
    if maximise is not None:
        unsolved = unsolved._replace(search=StatedSearch(maximise))
    if said in UNSOLVED:
        return unsolved._replace(reason=UNSOLVED[said])
    if said in INCORRECT:
        return unsolved._replace(status=Status.SATISFIABLE, called_wrong=True, wall=round(limit * NANO))
    ended = nanoseconds_of(time)
    if ended is None:
        raise MalformedResults(f"{said} without a time")
    solved, proved = said in SOLVED, said in PROVED
    status = Status.SATISFIABLE if solved else Status.UNSATISFIABLE
    if maximise is None:
        return unsolved._replace(status=status, wall=ended)
    search = StatedSearch(maximise, proved=proved)
    if solved:
        search = search._replace(
            value=integer(value), steps=tuple((nanoseconds_of(t) or 0, integer(v)) for t, v in steps)
        )
    reason = Reason.NONE if proved else Reason.TIMEOUT
    return unsolved._replace(status=status, reason=reason, wall=ended, search=search)


def nanoseconds_of(time: Any) -> int | None:
    """Return a time: a number of milliseconds, a text of seconds, None for a blank. Raises MalformedResults."""
    if isinstance(time, str) and not time.strip():
        return None
    if isinstance(time, str) and re.fullmatch(r"[0-9]{1,18}", time.strip()):
        time, unit = int(time), S
    else:
        unit = MS
    if type(time) is not int or not 0 <= time * unit <= MAX_SECONDS * NANO:
        raise MalformedResults(f"{shortened(str(time))} is not a time in milliseconds")
    return int(time) * unit


def integer(value: Any) -> int:
    """Return an objective. Raises MalformedResults if it is no integer."""
    text = value.strip() if isinstance(value, str) else value
    if isinstance(text, str) and re.fullmatch(rf"-?[0-9]{{1,{MAX_DIGITS}}}", text):
        return int(text)
    if type(text) is not int:
        raise MalformedResults(f"the objective {shortened(str(value))} is not an integer")
    return text


def texts(found: dict[str, Any], key: str) -> list[str]:
    """Return a list of texts. Raises MalformedResults."""
    column = found.get(key)
    if not isinstance(column, list) or not all(isinstance(text, str) for text in column):
        raise MalformedResults(f"{key} is not a list of texts")
    return column


def matrix(found: dict[str, Any], key: str, rows: int, columns: int) -> list[list[Any]]:
    """Return a list of lists, by solver and benchmark. Raises MalformedResults."""
    cells = found.get(key)
    if not isinstance(cells, list) or len(cells) != rows:
        raise MalformedResults(f"{key} is not a list for each of {rows} solvers")
    if any(not isinstance(row, list) or len(row) != columns for row in cells):
        raise MalformedResults(f"{key} has not {columns} cells for each solver")
    return cells
