"""Selection: the outcomes that all queries of a journal show, and the verdicts that they show."""

from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from itertools import chain
from typing import NamedTuple

import numpy as np

from harness.model.lease import Part
from harness.storing import schema
from harness.storing.connection import Connection
from puzzles.problem.arrays import Int8Array, Int32Array, Int64Array

REVISED = "temp.judged"  # view of the outcomes with verdicts that are other than stored


class Revision(NamedTuple):
    """Outcomes of a contender and repeat whose numbers of valid solutions or verdicts differ from the stored ones."""

    contender: int
    repeat: int
    puzzles: Int64Array
    valid: Int32Array
    verdict: Int8Array

    def rows(self) -> Iterator[tuple[int, int, int, int, int]]:
        """Yield verdict, valid, puzzle, contender and repeat of each outcome."""
        for verdict, valid, puzzle in zip(
            self.verdict.tolist(), self.valid.tolist(), self.puzzles.tolist(), strict=True
        ):
            yield verdict, valid, puzzle, self.contender, self.repeat


class OutcomeSelection:
    """Outcomes that queries show: by temporary views, which hide the tables of the file.

    shown       instances to which queries are restricted, None for all
    conditions  SQL of what holds for the outcomes that queries show
    source      table or view of the outcomes, with the stored verdicts or revised ones
    """

    def __init__(self, connection: Connection) -> None:
        self.db = connection.db
        self.shown: list[Part] | None = None
        self.conditions: list[str] = []
        self.source = schema.STORED

    @property
    def everything(self) -> bool:
        """True if queries show all outcomes."""
        return not self.conditions and self.shown is None

    @contextmanager
    def of_places(self, places: Collection[int], loose_samples: bool) -> Iterator[None]:
        """Let queries show only the leases of these places, with their outcomes and reference work.

        `loose_samples` adds the reference work without a lease.
        """
        chosen = f"select id from main.leases where place in ({', '.join(map(str, places))})"
        loose = " or lease is null" if loose_samples else ""
        shown = {"leases": f"id in ({chosen})", "reference": f"lease in ({chosen}){loose}"}
        for table, where in shown.items():
            self.db.execute(f"create temp view {table} as select * from main.{table} where {where}")
        try:
            with self.where(f"lease in ({chosen})"):
                yield
        finally:
            for table in shown:
                self.db.execute(f"drop view temp.{table}")

    @contextmanager
    def where(self, condition: str) -> Iterator[None]:
        """Let queries show only outcomes that satisfy a condition too, and `parts` their instances alone."""
        before = self.shown
        self.conditions.append(condition)
        self.show()
        asked = np.unique([puzzle for (puzzle,) in self.db.execute("select distinct puzzle from outcomes")])
        runs = np.split(asked, np.flatnonzero(np.diff(asked) > 1) + 1)
        self.shown = [(int(run[0]), int(run[-1])) for run in runs if len(run)]
        try:
            yield
        finally:
            self.shown = before
            self.conditions.remove(condition)
            self.show()

    def show(self) -> None:
        """Let queries show only outcomes that satisfy the conditions, with the verdicts of `source`."""
        self.db.execute("drop view if exists temp.outcomes")
        if self.conditions or self.source != schema.STORED:
            where = f"where {' and '.join(self.conditions)}" if self.conditions else ""
            self.db.execute(f"create temp view outcomes as select * from {self.source} {where}")

    def revise(self, revisions: Iterable[Revision]) -> None:
        """Let queries show changed numbers of valid solutions and verdicts; the stored ones stay."""
        self.db.execute(
            "create temp table if not exists revised (verdict integer, valid integer, puzzle integer,"
            " contender integer, repeat integer, primary key (contender, repeat, puzzle)) without rowid"
        )
        rows = chain.from_iterable(revision.rows() for revision in revisions)
        self.db.executemany("insert or replace into temp.revised values (?, ?, ?, ?, ?)", rows)
        if self.source == REVISED:
            return
        derived = {
            c: f"coalesce(r.{c}, o.{c}) as {c}" if c in ("verdict", "valid") else f"o.{c}" for c in schema.OUTCOME
        }
        self.db.execute(
            f"create temp view {REVISED} as select {', '.join(derived.values())} from {self.source} o left join revised"
            " r on r.contender = o.contender and r.repeat = o.repeat and r.puzzle = o.puzzle"
        )
        self.source = REVISED
        self.show()
