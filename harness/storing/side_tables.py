"""Side tables hold data that only some outcomes have. A new one is a line of SIDE_TABLES, without another schema.

A journal that lacks a side table is read as if the table were empty. Every side table is written, merged, validated and
removed with its outcomes: those with the same contender, repeat and puzzle. PLAIN_TABLES may be missing too: the files
of corpora that could not be read, and proofs by others of what contenders claim.
"""

import zlib
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

import numpy as np

from harness.model.outcome import CERTIFIED, FORMULA_CERTIFIED, NO_PROOF, OUTSIDE, REFUSED, UNCHECKED, Judged
from harness.model.trajectory import NOTHING, StepKind
from harness.storing.rules import AMOUNT, BLOB, EXACT, FINITE, MAX_INT, TEXT, exact, integer, one_of, or_null

OUTCOME = ("contender", "repeat", "puzzle")
Cell = int | float | str | bytes | None


class ColumnType(NamedTuple):
    """Type of a column, as SQL declares it, and the rule of its values, in which {c} is the column."""

    type: str
    rule: str


class SideTable(NamedTuple):
    """One side table: its columns by name, beside contender, repeat and puzzle, and the function that fills them.

    rows  yields the position of an outcome and the values of the columns
    key   columns that distinguish several rows of an outcome
    """

    columns: Mapping[str, ColumnType]
    rows: Callable[[Judged], Iterator[tuple[int, *tuple[Cell, ...]]]]
    key: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all columns."""
        return (*OUTCOME, *self.columns)

    def rows_of(self, judged: Judged) -> Iterator[tuple[Cell, ...]]:
        """Yield the rows of the table for judged outcomes."""
        batch = judged.outcomes.batch
        for i, *values in self.rows(judged):
            yield batch.contender, batch.repeat, int(batch.puzzles[i]), *values


VALUE = ColumnType("", or_null(EXACT))  # an integer of any size, of no type, so that SQLite leaves text as it is


def definition(name: str) -> str:
    """Return the SQL that defines a side table or a plain one, without `create`."""
    if name in PLAIN_TABLES:
        columns = ", ".join(f"{column} {kind.type}" for column, kind in PLAIN_TABLES[name].items())
        return f"table if not exists {name} (id integer primary key, {columns})"
    table = SIDE_TABLES[name]
    types = dict.fromkeys(OUTCOME, "integer not null") | {c: column.type for c, column in table.columns.items()}
    columns = ", ".join(f"{column} {kind}" for column, kind in types.items())
    return f"table if not exists {name} ({columns}, primary key ({', '.join((*OUTCOME, *table.key))})) without rowid"


def insertion(name: str) -> str:
    """Return the SQL that inserts a row into a side table."""
    return f"insert into {name} values ({', '.join('?' * len(SIDE_TABLES[name].names))})"


def checked_proofs(judged: Judged) -> Iterator[tuple[int, *tuple[Cell, ...]]]:
    """Yield the proofs that our checker read: SHA-256 and size of their files."""
    yield from ((i, *judged.outcomes.checked[i]) for i in sorted(judged.outcomes.checked))


def set_apart(judged: Judged) -> Iterator[tuple[int, *tuple[Cell, ...]]]:
    """Yield the nanoseconds of our own work on files, which count for no time and no limit of an outcome."""
    phases = np.stack([judged.outcomes.rows[phase] for phase in OUTSIDE], axis=1)
    for i in np.flatnonzero(phases.any(axis=1)).tolist():
        yield i, *phases[i].tolist()


def values(judged: Judged) -> Iterator[tuple[int, *tuple[Cell, ...]]]:
    """Yield the known values of the objective of each outcome of an instance with an objective.

    These are the value of its solution as the judge evaluated it, the stated value if it is another, the bound, and the
    numbers of false and of dropped improvements.
    """
    if judged.best is None:
        return
    false = judged.best.false.tolist()
    for i, value in enumerate(judged.best.quality.values):
        trajectory = judged.outcomes.trajectories.get(i, NOTHING)
        stated = None if trajectory.stated == value else trajectory.stated
        faults = max(trajectory.faults, int(false[i] and stated is None))
        yield i, exact(value), exact(stated), exact(trajectory.bound), faults, trajectory.dropped


def steps(judged: Judged) -> Iterator[tuple[int, *tuple[Cell, ...]]]:
    """Yield the steps of each search for the best solution: number, time, kind, value, and the stated one if false."""
    for i, trajectory in sorted(judged.outcomes.trajectories.items()):
        for number, step in enumerate(trajectory.steps):
            yield i, number, step.ns, int(step.kind), exact(step.value), exact(step.stated)


def logs(judged: Judged) -> Iterator[tuple[int, *tuple[Cell, ...]]]:
    """Yield where what the programs of an outcome have printed is kept, from the folder of the journal."""
    yield from ((i, *kept) for i, kept in sorted(judged.outcomes.kept.items()))


def statistics(judged: Judged) -> Iterator[tuple[int, *tuple[Cell, ...]]]:
    """Yield the numbers that the programs of an outcome have printed, but for those that are counters."""
    for i, numbers in sorted(judged.outcomes.statistics.items()):
        yield from ((i, name, number) for name, number in sorted(numbers.items()))


def ask_times(judged: Judged) -> Iterator[tuple[int, *tuple[Cell, ...]]]:
    """Yield the nanoseconds of CPU time of each ask of a query script, compressed."""
    for i, times in sorted(judged.outcomes.times.items()):
        yield i, zlib.compress(times.astype("<i8").tobytes(), 1)


LOGS, ASK_TIMES = "logs", "ask_times"
SIDE_TABLES: dict[str, SideTable] = {
    "proofs": SideTable(
        {
            "digest": ColumnType("text not null", f"{TEXT} and length({{c}}) = 64"),
            "size": ColumnType("integer not null", AMOUNT),
        },
        checked_proofs,
    ),
    "objectives": SideTable(
        dict.fromkeys(("value", "stated", "bound"), VALUE)
        | dict.fromkeys(("faults", "dropped"), ColumnType("integer not null", AMOUNT)),
        values,
    ),
    "trajectories": SideTable(
        {
            "step": ColumnType("integer not null", AMOUNT),
            "ns": ColumnType("integer not null", AMOUNT),
            "kind": ColumnType("integer not null", one_of(StepKind)),
            "value": VALUE,
            "stated": VALUE,
        },
        steps,
        key=("step",),
    ),
    LOGS: SideTable({"out": ColumnType("text not null", TEXT), "err": ColumnType("text", or_null(TEXT))}, logs),
    "statistics": SideTable(
        {"name": ColumnType("text not null", TEXT), "value": ColumnType("not null", FINITE)}, statistics, key=("name",)
    ),
    ASK_TIMES: SideTable({"times": ColumnType("blob not null", BLOB)}, ask_times),
    "outside": SideTable(dict.fromkeys(OUTSIDE, ColumnType("integer not null", AMOUNT)), set_apart),
}

MALFORMED, CERTIFICATIONS = "malformed", "certifications"
PROOFS = (NO_PROOF, REFUSED, CERTIFIED, UNCHECKED, FORMULA_CERTIFIED)
PLAIN_TABLES: dict[str, dict[str, ColumnType]] = {  # columns by name, beside `id`
    MALFORMED: {  # a row per file, in the order read
        "corpus": ColumnType("integer not null", integer(1, MAX_INT)),
        "name": ColumnType("text not null", TEXT),
        "line": ColumnType("integer not null", AMOUNT),
        "reason": ColumnType("text not null", TEXT),
    },
    CERTIFICATIONS: {  # a row per instance, whose id is the row's: see model/certification
        "prover": ColumnType("text not null", TEXT),
        "value": VALUE,
        "proof": ColumnType("integer not null", one_of(PROOFS)),
        "checkers": ColumnType("text not null", TEXT),  # names of those that verified it, a line each
        "detail": ColumnType("text not null", TEXT),
        "digest": ColumnType("text", or_null(f"{TEXT} and length({{c}}) = 64")),
        "size": ColumnType("integer not null", AMOUNT),
        "ns": ColumnType("integer not null", AMOUNT),
        "found": ColumnType("integer not null", AMOUNT),
        "solutions": ColumnType("blob", or_null(BLOB)),
    },
}


def may_be_missing() -> tuple[str, ...]:
    """Return the names of the tables that a journal may lack."""
    return (*SIDE_TABLES, *PLAIN_TABLES)
