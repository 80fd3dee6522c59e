"""Raw rows of a journal as csv, json, markdown: one per contender, repeat and puzzle, unrounded, empty if unknown.

Then come rows of the files that could not be read: one per contender, with the reason `malformed`.
"""

import csv
import json
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain, starmap
from operator import itemgetter
from typing import Any, TextIO

from backends.contract.answer import Reason, Status
from harness.model.outcome import CERTIFIED, FLATTENED, FORMULA_CERTIFIED, PHASES, Confirmation, Verdict
from harness.reporting.writing.printable import csv_cell, markdown_text
from harness.storing.journal import Journal
from harness.storing.outcomes.table import OutcomeRow
from harness.storing.schema import MEASURED
from puzzles.problem.declared import assignment, equation

UNITS = {"wall": "wall_ns", "cpu": "cpu_ns", "peak": "peak_bytes"} | {p: f"{p}_ns" for p in PHASES}
PARTS = ("backend", "encoding", "at_most_one", "warm", "env")  # parts of a contender's name
AXES = ("linear", "table")  # parts too, which came later
KEYS = ("corpus", "puzzle", "contender", "version", "repeat", "verdict", "valid", "proof")
COLUMNS = (*KEYS, *(UNITS.get(name, name) for name in MEASURED))
TEXTS = ("detail", "solutions")
FLATTENING_NS = "flatten_ns"  # column of the time that MiniZinc's compiler took, where it made some instance
PRINTED = "log_"  # begins the columns of numbers that programs have printed, but for counters
MALFORMED = "malformed"  # reason of a row without an outcome
FLAGS = ("complete", "amortised")
ENUMS = (("verdict", Verdict), ("status", Status), ("reason", Reason))
# Columns of instances with an objective, in the terms of the source.
OBJECTIVE = ("objective", "bound", "optimal", "improvements")
CERTIFIED_BY = (
    "certified_by"  # the prover of a complete answer (--certify), and "formula" if its proof is of that alone
)
CONFIRMED = "confirmed"  # what else says that a complete answer is complete: the words of Confirmation
WORKER = "worker"  # number among the workers of its contender; none where results are imported without workers
NAMES = (*COLUMNS, *TEXTS, *PARTS, "count", "limit", *AXES, "cpu_limit", *OBJECTIVE, CERTIFIED_BY, CONFIRMED, WORKER)
STRINGS = (
    *("corpus", "puzzle", "contender", "version", "verdict", "status", "reason", "detail", *PARTS, *AXES),
    *(CERTIFIED_BY, CONFIRMED),
)
TYPES = {  # types of columns
    **dict.fromkeys(NAMES, "integer"),
    **dict.fromkeys(STRINGS, "text"),
    **dict.fromkeys((*FLAGS, "warm", "optimal"), "boolean"),
    **dict.fromkeys(("objective", "bound"), "exact"),
    "solutions": "list",
    "limit": "float",
    "cpu_limit": "float",
}


def solution_text(symbols: Sequence[str], solution: Sequence[int]) -> str:
    """Return a solution as text, spaces between longer symbols, ? for a value out of range."""
    between = "" if all(len(symbol) == 1 for symbol in symbols) else " "
    return between.join(symbols[v] if v < len(symbols) else "?" for v in solution)


def names_of(journal: Journal) -> tuple[str, ...]:
    """Return the columns of a journal: NAMES, FLATTENING_NS if it has any, the numbers that its programs printed."""
    flattened = (FLATTENING_NS,) if journal.facts.get(FLATTENED, {}) else ()
    return (*NAMES, *flattened, *(f"{PRINTED}{name}" for name in journal.logs.statistic_names()))


def type_of(name: str) -> str:
    """Return the type of a column."""
    return "integer" if name == FLATTENING_NS else TYPES.get(name, "float")


def rows(journal: Journal) -> Iterator[dict[str, Any]]:
    """Yield every outcome by contender, repeat and instance, with None for unknown values.

    The last columns are the parts of the contender's name, and the count and limits (seconds of wall and CPU time) of
    its asks.
    """
    settings = journal.facts.settings()
    limits = settings.limits
    asked = {"count": settings.count, "limit": limits.wall, "cpu_limit": limits.cpu}
    unknown = dict.fromkeys((CERTIFIED_BY, CONFIRMED, WORKER, *OBJECTIVE, *names_of(journal)[len(NAMES) :]))
    blank = dict.fromkeys((*COLUMNS, *TEXTS))
    contenders = {
        c.name: blank | {part: getattr(c, part) for part in (*PARTS, *AXES)} | asked | unknown
        for c in journal.contenders.all()
    }
    goals, printed, provers = objectives(journal), numbers_printed(journal), provers_of(journal)
    confirmed = [Confirmation(bits).words() or None for bits in journal.outcomes.confirmations().tolist()]
    flattened = journal.facts.get(FLATTENED, {})
    places = max(journal.places.numbered(), default=1) if journal.facts.workers_known else None
    words = [(name, {one.value: one.name.lower() for one in kind}) for name, kind in ENUMS]
    for stored in journal.outcomes.rows():
        row: dict[str, Any] = contenders[stored.who[2]].copy()
        row.update(zip(COLUMNS, (*stored.who, *stored.measured), strict=True))
        for name, meaning in words:
            row[name] = meaning[row[name]]
        for name in FLAGS:
            row[name] = bool(row[name])
        row["detail"] = stored.detail
        row["solutions"] = solution_texts(journal, stored) if stored.solutions else []
        if row["complete"] and row["verdict"] in ("correct", "uncertified"):
            row[CERTIFIED_BY], row[CONFIRMED] = provers.get(stored.number), confirmed[stored.number]
        if places is not None:
            row[WORKER] = row["repeat"] * places + (stored.place or 1) - 1
        if (ns := flattened.get(str(stored.number))) is not None:
            row[FLATTENING_NS] = ns
        key = (row["contender"], row["repeat"], stored.number)
        for known in (goals, printed):
            row.update(known.get(key, ()))
        yield row


def solution_texts(journal: Journal, stored: OutcomeRow) -> list[str]:
    """Return the solutions of an outcome as texts: by name where the source declares what its variables are."""
    if not stored.outline.declared:
        return [solution_text(stored.outline.values, solution) for solution in stored.solutions]
    problem = journal.instances.get(stored.number).problem
    legal = [solution for solution in stored.solutions if max(solution, default=0) < len(problem.values)]
    return [" ".join(starmap(equation, assignment(problem, solution))) for solution in legal]


def provers_of(journal: Journal) -> dict[int, str]:
    """Return the column CERTIFIED_BY by id of the instance."""
    of = {CERTIFIED: "", FORMULA_CERTIFIED: " formula"}
    return {row.puzzle: row.prover + of[row.proof] for row in journal.proofs.all() if row.holds}


def numbers_printed(journal: Journal) -> dict[tuple[str, int, int], dict[str, float]]:
    """Return the numbers that programs have printed as columns, by contender, repeat and id of the instance."""
    return {
        (contender.name, *key): {f"{PRINTED}{name}": value for name, value in numbers.items()}
        for number, contender in enumerate(journal.contenders.all())
        for key, numbers in journal.logs.statistics(number).items()
    }


def malformed_rows(journal: Journal) -> Iterator[dict[str, Any]]:
    """Yield a row for each contender and file that could not be read, without times; `detail` has line and reason."""
    for corpus, file in journal.corpora.malformed():
        detail = f"line {file.line}: {file.reason}" if file.line else file.reason
        state = {"verdict": "unknown", "status": "unknown", "reason": MALFORMED, "detail": detail, "repeat": 0}
        for c in journal.contenders.all():
            parts = {part: getattr(c, part) for part in (*PARTS, *AXES)}
            who = {"corpus": corpus, "puzzle": file.name, "contender": c.name, "version": c.version}
            yield dict.fromkeys(names_of(journal)) | who | state | parts


def all_rows(journal: Journal) -> Iterator[dict[str, Any]]:
    """Yield every outcome, then the rows of files that could not be read."""
    return chain(rows(journal), malformed_rows(journal))


def objectives(journal: Journal) -> dict[tuple[str, int, int], dict[str, Any]]:
    """Return the columns OBJECTIVE of outcomes that have them, by contender, repeat and id of the instance.

    optimal  the answer states that its solution is the best, and is not refuted
    """
    found = {}
    for number, contender in enumerate(journal.contenders.all() if journal.instances.has_objectives else ()):
        for row in journal.objectives.values(number):
            sign = journal.instances.outline_of(row.puzzle).sign
            value, bound = (None if n is None else sign * n for n in (row.value, row.bound))
            columns = (value, bound, row.optimal, row.improvements)
            found[contender.name, row.repeat, row.puzzle] = dict(zip(OBJECTIVE, columns, strict=True))
    return found


STEP_TYPES = {  # types of the columns of steps
    **dict.fromkeys(("corpus", "puzzle", "contender", "kind"), "text"),
    **dict.fromkeys(("repeat", "ns"), "integer"),
    **dict.fromkeys(("value", "stated"), "exact"),
}


def step_rows(journal: Journal) -> Iterator[dict[str, Any]]:
    """Yield every step of every search for the best solution, by contender, repeat and instance, in order of time.

    kind is improved, bounded or claimed; values are as the source states them, None of what is no solution; `stated` is
    the value that the contender stated, if it is another.
    """
    names, corpora = list(journal.instances.listing()), journal.corpora.sources()
    for number, contender in enumerate(journal.contenders.all()):
        for repeat, puzzle, step in journal.objectives.all_steps(number):
            name, corpus, _ = names[puzzle - 1]
            sign = journal.instances.outline_of(puzzle).sign
            value, stated = (None if n is None else sign * n for n in (step.value, step.stated))
            who = (corpora[corpus].name, name, contender.name, step.kind.name.lower(), repeat, step.ns)
            yield dict(zip(STEP_TYPES, (*who, value, stated), strict=True))


def cell(value: Any) -> str:
    """Format a value as one cell."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(int(value))
    return ";".join(value) if isinstance(value, list) else str(value)


def write_csv(journal: Journal, file: TextIO) -> None:
    """Write all rows as RFC 4180 says: commas, doubled quotes, CRLF."""
    writer, names = csv.writer(file), names_of(journal)
    writer.writerow(names)
    others = [i for i, name in enumerate(names) if type_of(name) not in ("integer", "float")]
    text, values = lru_cache(1 << 16)(csv_cell), itemgetter(*names)

    def cells(row: dict[str, Any]) -> list[Any]:
        """Return a row with its texts escaped; numbers are as the writer prints them."""
        found = list(values(row))
        for i in others:
            if (one := found[i]) is not None:
                found[i] = text(one if isinstance(one, str) else cell(one))
        return found

    writer.writerows(map(cells, all_rows(journal)))


def write_json(journal: Journal, file: TextIO) -> None:
    """Write all rows as a list of objects, one a line."""
    between = "[\n"
    for row in all_rows(journal):
        file.write(between + json.dumps(row))
        between = ",\n"
    file.write("[]\n" if between == "[\n" else "\n]\n")


def write_markdown(journal: Journal, file: TextIO) -> None:
    """Write all rows as a table."""
    names = names_of(journal)
    file.write(f"| {' | '.join(names)} |\n|{' --- |' * len(names)}\n")
    for row in all_rows(journal):
        file.write(f"| {' | '.join(markdown_text(cell(row[name])) for name in names)} |\n")
