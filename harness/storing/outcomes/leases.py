"""Leases in the journal: each committed with its outcomes, in one transaction."""

import time
from collections.abc import Collection, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from harness.model.lease import PART, WHOLE, LeaseResult, instances_of
from harness.model.outcome import NO_PROOF, ROW, Judged, Rows
from harness.storing import schema
from harness.storing.connection import Connection
from harness.storing.facts import RunFacts
from harness.storing.instances import Instances
from harness.storing.outcomes.solutions import pack_solutions
from harness.storing.side_tables import SIDE_TABLES, insertion
from puzzles.problem.arrays import Int64Array

CHECKPOINT_S = 2.0  # seconds between checkpoints, so that the journal's own file lacks little if its log is lost


Parts = Sequence[tuple[LeaseResult, Sequence[Judged]]]  # of a lease: one for each place that ran some of it, mostly one


class Span(NamedTuple):
    """Stored block: its number, first and last instance."""

    number: int
    first: int
    last: int


class Work(NamedTuple):
    """Leases of a place: number, whole ones among them, first begin, last end, and sum of durations (ns)."""

    leases: int
    whole: int
    began: int
    ended: int
    busy: int


class Leases:
    """Leases of a journal."""

    def __init__(self, connection: Connection, facts: RunFacts, instances: Instances) -> None:
        self.connection, self.db = connection, connection.db
        self.facts, self.instances = facts, instances

    @property
    def may_be_cut(self) -> bool:
        """True if a lease may have several rows, which older journals do not allow."""
        (made,) = self.db.execute("select sql from main.sqlite_master where name = 'leases'").fetchone()
        return "unique (block, repeat, place)" in made

    def add(self, result: LeaseResult, judged: Sequence[Judged]) -> None:
        """Commit a lease that ran at one place."""
        self.add_all([[(result, judged)]])

    def add_all(self, leases: Sequence[Parts]) -> None:
        """Commit leases with their blocks, their reference work and their judged outcomes, in one transaction."""
        with self.connection.transaction():
            numbered = [pair for parts in leases for pair in self.insert(parts)]
            self.connection.insert_joined("outcomes", [columns_of(number, one) for number, one in numbered])
            for name, side in SIDE_TABLES.items():
                if rows := [row for _, one in numbered for row in side.rows_of(one)]:
                    self.db.executemany(insertion(name), rows)
        if time.monotonic() - self.connection.checkpointed > CHECKPOINT_S:
            self.connection.checkpoint()

    def insert(self, parts: Parts) -> Iterator[tuple[int, Judged]]:
        """Insert the rows of a lease, its block and its reference work; yield its judged outcomes with its id.

        A partial lease of an interrupted run is replaced; a PART of the same place is continued; a lease that is stored
        whole already is an error.
        """
        lease = parts[0][0].lease
        block, first, last = lease.block, int(lease.block.puzzles[0]), int(lease.block.puzzles[-1])
        self.db.execute("insert or ignore into blocks values (?, ?, ?)", (block.number, first, last))
        query = "select id from leases where block = ? and repeat = ? and not whole"
        for (old,) in self.db.execute(query, (block.number, lease.repeat)).fetchall():
            self.delete(old, lease.repeat, first, last)
        for result, judged in parts:
            number = self.row(block.number, lease.repeat, result)
            samples = [(number, wall, cpu) for wall, cpu in result.samples]
            if samples:
                self.db.executemany("insert into reference values (null, ?, ?, ?)", samples)
            yield from ((number, one) for one in judged)

    def delete(self, number: int, repeat: int, first: int, last: int) -> None:
        """Delete a lease with its outcomes, of this repeat and these instances."""
        within = "where repeat = ? and puzzle between ? and ?"
        elsewhere = f"contender not in (select contender from outcomes {within} and lease <> ?)"
        span = repeat, first, last
        for table in SIDE_TABLES:
            self.db.execute(f"delete from {table} {within} and {elsewhere}", (*span, *span, number))
        self.db.execute(f"delete from outcomes {within} and lease = ?", (*span, number))
        self.db.execute("delete from leases where id = ?", (number,))

    def row(self, block: int, repeat: int, result: LeaseResult) -> int:
        """Return the row id of a result: a new row, or the row of an earlier part by the same place."""
        query = "select id from leases where block = ? and repeat = ? and place = ? and whole = ?"
        earlier = self.db.execute(query, (block, repeat, result.place, PART)).fetchone()
        if earlier is not None:
            update = "update leases set ended = max(ended, ?), whole = ? where id = ?"
            self.db.execute(update, (result.ended, result.whole, *earlier))
            return int(earlier[0])
        row = (block, repeat, result.place, result.began, result.ended, result.whole)
        return self.db.execute("insert into leases values (null, ?, ?, ?, ?, ?, ?)", row).lastrowid or 0

    def spans(self) -> list[Span]:
        """Return all blocks, in order of first instance."""
        return [Span(*row) for row in self.db.execute("select id, first, last from blocks order by first")]

    def whole(self) -> set[tuple[int, int]]:
        """Return block and repeat of every lease that is stored as whole."""
        return set(self.db.execute("select block, repeat from leases where whole = ?", (WHOLE,)))

    def finished_contenders(self) -> dict[tuple[int, int], set[int]]:
        """Return the contenders that have outcomes of leases of which a PART is stored, by block and repeat."""
        query = (
            "select l.block, l.repeat, o.contender from leases l join blocks b on b.id = l.block join contenders c"
            " join outcomes o on o.contender = c.id and o.repeat = l.repeat and o.puzzle = b.first and o.lease = l.id"
            " where l.whole = ?"
        )
        found: dict[tuple[int, int], set[int]] = {}
        for block, repeat, contender in self.db.execute(query, (PART,)):
            found.setdefault((block, repeat), set()).add(contender)
        return found

    def durations(self) -> dict[int, int]:
        """Return the nanoseconds that leases of each block took, of the repeat that took longest."""
        query = (
            "select block, max(spent) from (select block, sum(ended - began) as spent from leases where whole"
            " group by block, repeat) group by block"
        )
        return dict(self.db.execute(query))

    def all(self) -> set[tuple[int, int]]:
        """Return block and repeat of every lease."""
        return set(self.db.execute("select block, repeat from leases"))

    def missing(self, done: Collection[tuple[int, int]]) -> int:
        """Return the number of instances without a block, or in a block that lacks one of the leases of some repeat.

        `done` are blocks with their repeats.
        """
        wanted = instances_of(self.instances.parts()) * self.facts.settings().repeats
        sizes = {span.number: span.last - span.first + 1 for span in self.spans()}
        return wanted - sum(sizes[block] for block, _ in {lease for lease in done if lease[0] in sizes})

    def run_again(self) -> int:
        """Mark leases that lack outcomes, so that a resume repeats them; return the number of missing outcomes."""
        (contenders,) = self.db.execute("select count(*) from contenders").fetchone()
        query = (
            "select l.block, l.repeat, b.last - b.first + 1, (select count(*) from contenders c cross join outcomes o"
            " where o.contender = c.id and o.repeat = l.repeat and o.puzzle between b.first and b.last)"
            " from leases l join blocks b on b.id = l.block where l.whole group by l.block, l.repeat"
        )
        found = {(block, repeat): contenders * n - rows for block, repeat, n, rows in self.db.execute(query)}
        short = {lease: missing for lease, missing in found.items() if missing > 0}
        with self.connection.transaction():
            self.db.executemany("update leases set whole = 0 where block = ? and repeat = ?", short)
        return sum(short.values())

    def blocks_of(self, contender: int) -> Int64Array:
        """Return the block in which a contender first ran each instance, by instance id; -1 for no block.

        Imported instances are blocks of their own.
        """
        if self.facts.imported:
            return np.arange(self.instances.size() + 1, dtype=np.int64)
        found: Int64Array = np.full(self.instances.size() + 1, -1, np.int64)
        query = (
            "select b.id, b.first, b.last from leases l join blocks b on b.id = l.block where exists"
            " (select 1 from outcomes o where o.contender = ? and o.repeat = l.repeat"
            " and o.puzzle between b.first and b.last and o.lease = l.id) order by l.repeat desc"
        )
        for number, first, last in self.db.execute(query, (contender,)):
            found[first : last + 1] = number
        return found

    def split(self) -> bool:
        """Return True if a block of a repeat has several leases: places that ran it were lost."""
        query = "select 1 from leases group by block, repeat having count(*) > 1 limit 1"
        return self.db.execute(query).fetchone() is not None

    def began(self) -> int:
        """Return the begin of the first lease (ns since the epoch), 0 if unknown or without leases."""
        return int(self.db.execute("select coalesce(min(began), 0) from leases").fetchone()[0])

    def work(self) -> dict[int, Work]:
        """Return the work of each place that has leases, by its id."""
        columns = "place, count(*), sum(whole > 0), min(began), max(ended), sum(ended - began)"
        query = f"select {columns} from leases group by place"
        return {place: Work(*row) for place, *row in self.db.execute(query)}

    def counts(self) -> dict[tuple[int, int], int]:
        """Return the number of leases with outcomes, by place and contender."""
        query = (
            "select l.place, o.contender, count(distinct o.lease) from outcomes o join leases l on l.id = o.lease"
            " group by 1, 2"
        )
        return {(place, contender): n for place, contender, n in self.db.execute(query)}


def columns_by_name(rows: Rows) -> Iterator[tuple[str, Sequence[int]]]:
    """Yield the names and values of the stored columns; those of a single row are converted together."""
    if len(rows) == 1:
        cells = dict(zip(ROW.names or (), rows[0].item(), strict=True))
        yield from ((column, (cells[column],)) for column in schema.MEASURED)
    else:
        yield from ((column, rows[column].tolist()) for column in schema.MEASURED)


def measured_cells(column: str, values: Sequence[int]) -> Sequence[int | None]:
    """Return the values of a column as they are stored: a number that is not known is none."""
    if column in schema.OPTIONAL and min(values) < 0:
        return [None if v < 0 else v for v in values]
    return values


def columns_of(lease: int, judged: Judged) -> dict[str, Sequence[Any]]:
    """Return judged outcomes as columns of the table, by name and in its order."""
    outcomes = judged.outcomes
    batch, n = outcomes.batch, len(outcomes.rows)
    measured = [measured_cells(column, values) for column, values in columns_by_name(outcomes.rows)]
    packed = pack_solutions(outcomes.solutions)
    blob = packed.tobytes()
    ends = (np.cumsum(outcomes.rows["found"]) * packed.shape[1] * packed.itemsize).tolist()
    blobs = [blob[a:b] or None for a, b in zip([0, *ends[:-1]], ends, strict=True)]
    details: list[str | None] = [None] * n
    for i, text in outcomes.details.items():
        details[i] = text.encode("utf-8", "backslashreplace").decode()  # SQLite rejects lone surrogates
    proof = [None if p == NO_PROOF else p for p in judged.proof.tolist()]
    who = ([batch.contender] * n, [batch.repeat] * n, batch.puzzles.tolist(), [lease] * n)
    found = (judged.verdict.tolist(), judged.valid.tolist(), proof)
    return dict(zip(schema.OUTCOME, (*who, *found, *measured, details, blobs), strict=True))
