"""Tables of SAT competitions as published from 2020 on.

wide   a row for each instance, a column for each solver with its seconds, twice the limit, or a word such as timeout
long   a row for each run: instance and solver, with a status and a result, as in 2020
alone  instances and their results, for tables that have none, in another file

Columns that no solver has, and words of cells, are those of the published files: docs/reference/formats.md lists them.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from backends.contract.answer import Reason, Status
from harness.importing.record import (
    MalformedResults,
    Result,
    ResultsFile,
    counted,
    name_of,
    nanoseconds,
    one_of,
    shortened,
)
from harness.importing.tables import lines, read
from harness.model.errors import BadUsage
from harness.model.outcome import NANO

FIRST = ("hash", "instance", "benchmark", "cnf", "Name")  # names of the column of instances, the preferred one first
LABELS = (*FIRST, "filename", "family", "author", "track", "VBS")
VERIFIED = ("vresult", "verified-result", "result", "aresult", "solution")  # results of instances
CLAIMED = "claimed-result"  # result of an instance where it is not verified
RESULTS = {  # words of results
    **dict.fromkeys(("sat", "satisfiable"), True),
    **dict.fromkeys(("unsat", "unsatisfiable"), False),
    **dict.fromkeys(("unknown", "", "-"), None),
}
WORDS = {  # words of cells
    **dict.fromkeys(("timeout", "to"), Reason.TIMEOUT),
    **dict.fromkeys(("memout", "mo"), Reason.MEMORY),
    **dict.fromkeys(("failed", "crash"), Reason.CRASH),
    "error": Reason.ERROR,
    **dict.fromkeys(("unknown", "unverified", "--"), Reason.STUCK),
}
WRONG = ("incorrect", "wrong")
Claims = Mapping[str, bool | None]
LONG = {"benchmark", "solver", "configuration", "status", "result"}
TIMES = ("solver time", "time")
VERIFIER = "verifier-result"
ANSWERS = {"sat": Status.SATISFIABLE, "unsat": Status.UNSATISFIABLE}


@dataclass
class Wide:
    """A table with a column for each solver: its limit in seconds, its columns, and numbers of cells by kind.

    claims  results of instances from another file, for a table without a column of them
    """

    limit: float
    claims: Claims
    instance: str = ""
    solvers: list[str] = field(default_factory=list)
    verified: str = ""
    claimed: bool = False
    taken: Counter[str] = field(default_factory=Counter)
    seen: set[str] = field(default_factory=set)

    def check(self, header: list[str]) -> None:
        """Find the columns. Raises MalformedResults."""
        self.instance = next((name for name in FIRST if name in header), "")
        if not self.instance:
            raise MalformedResults(f"no column {', '.join(FIRST)}: the first one is {shortened(header[0])}")
        self.verified = next((name for name in VERIFIED if name in header), "")
        if not self.verified and not self.claims:
            raise MalformedResults(
                f"no column {', '.join(VERIFIED)}: add a file that has {self.instance} and one of them"
            )
        self.claimed = CLAIMED in header
        apart = {*LABELS, *VERIFIED, CLAIMED}
        self.solvers = [name_of(name, "solver") for name in header if name not in apart]
        if not self.solvers:
            raise MalformedResults("no column of a solver")

    def results(self, cells: Mapping[str, str]) -> Iterator[Result]:
        """Yield the results of a row. Raises MalformedResults."""
        name = name_of(cells[self.instance], "instance")
        if name in self.seen:
            raise MalformedResults(f"the instance {shortened(name)} is there twice")
        self.seen.add(name)
        claim = self.claim(name, cells)
        answer = claim
        if claim is None and self.claimed:
            answer = RESULTS[one_of(RESULTS, cells[CLAIMED], CLAIMED)]
        for solver in self.solvers:
            try:
                yield self.result(solver, name, cells[solver].strip(), claim, answer)
            except MalformedResults as e:
                raise MalformedResults(f"{solver[:40]}: {e}") from e

    def claim(self, name: str, cells: Mapping[str, str]) -> bool | None:
        """Return the verified result of an instance, of its row or of the other file."""
        if not self.verified:
            return self.claims.get(name)
        return RESULTS[one_of(RESULTS, cells[self.verified], self.verified)]

    def result(self, solver: str, name: str, cell: str, claim: bool | None, answer: bool | None) -> Result:
        """Return the result of a cell; `answer` is the known answer of the instance, if any file states one."""
        unsolved, word = Result(solver, "", name, Status.UNKNOWN, claim=claim), cell.lower()
        if word in WORDS:
            self.taken[word] += 1
            return unsolved._replace(reason=WORDS[word], note=cell if WORDS[word] == Reason.CRASH else "")
        if word in WRONG and claim is not None:
            self.taken[word] += 1
            status = Status.UNSATISFIABLE if claim else Status.SATISFIABLE
            return unsolved._replace(status=status, wall=round(self.limit * NANO))
        time, most = nanoseconds(cell), self.limit * NANO
        if time > most:
            self.taken["twice the limit" if time == 2 * most else "beyond the limit"] += 1
            return unsolved if time == 2 * most else unsolved._replace(reason=Reason.TIMEOUT)
        if answer is None:
            self.taken["times of instances without a result"] += 1
            return unsolved._replace(reason=Reason.STUCK)
        self.taken["solved"] += 1
        return unsolved._replace(status=Status.SATISFIABLE if answer else Status.UNSATISFIABLE, wall=time)

    def note(self) -> str:
        """Return a note on how results were read."""
        result = f"result {self.verified or 'of another file'}" + f", else {CLAIMED}" * self.claimed
        columns = f"instance {self.instance}, {result}, {len(self.solvers)} solvers"
        return f"{columns}; {len(self.seen)} rows; cells: {counted(self.taken)}"


def read_satcomp(paths: Sequence[str], limit: float) -> list[ResultsFile]:
    """Read tables of a SAT competition; `limit` is its time limit, which they do not state. Raises BadUsage."""
    heads = {path: header_of(path) for path in paths}
    alone = [path for path, header in heads.items() if is_alone(header)]
    claims: dict[str, bool | None] = {}
    for path in alone:
        claims |= results_alone(path)
    tables = [path for path in paths if path not in alone] or list(paths)
    return [read_table(path, heads[path], limit, claims) for path in tables]


def read_table(path: str, header: Sequence[str], limit: float, claims: Claims) -> ResultsFile:
    """Read one table, wide or long. Raises BadUsage."""
    if set(header) >= LONG:
        taken: Counter[str] = Counter()
        source = read(path, lambda cells: long_result(cells, limit, taken), lambda header: None)
        source.notes = [f"a row for each run; {len(source.results)} rows: {counted(taken)}"]
        return source
    wide = Wide(limit, claims)
    source = read(path, wide.results, wide.check)
    if wide.taken["beyond the limit"] > wide.taken["solved"]:
        raise BadUsage(f"{path}: most times are beyond the limit of {limit:g} s (-t)")
    source.notes = [wide.note()]
    return source


def header_of(path: str) -> list[str]:
    """Return the names of the columns of a file; none of an empty one. Raises BadUsage."""
    return next(lines(path), (1, []))[1]


def is_alone(header: Sequence[str]) -> bool:
    """Return True for a table of instances and their results alone."""
    names = set(header)
    return bool(names & set(VERIFIED)) and names <= {*LABELS, *VERIFIED, CLAIMED}


def results_alone(path: str) -> dict[str, bool | None]:
    """Return the results of instances of a table without solvers. Raises BadUsage."""
    found: dict[str, bool | None] = {}

    def add(cells: Mapping[str, str]) -> Iterator[Result]:
        instance = next(name for name in FIRST if name in cells)
        kind = next(name for name in VERIFIED if name in cells)
        found[cells[instance]] = RESULTS[one_of(RESULTS, cells[kind], kind)]
        return iter(())

    def check(header: list[str]) -> None:
        if not set(header) & set(FIRST):
            raise MalformedResults(f"no column {', '.join(FIRST)}")

    read(path, add, check)
    return found


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
