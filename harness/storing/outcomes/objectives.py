"""Values of objectives in the journal, and the steps of the searches that found them."""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from harness.model.outcome import Batch, Verdict
from harness.model.quality import Optimised, Quality, Stated
from harness.model.trajectory import Step, StepKind, Trajectory
from harness.storing.connection import Connection
from harness.storing.facts import RunFacts
from harness.storing.instances import Instances
from harness.storing.rules import exact
from puzzles.problem.arrays import Int64Array


class Statement(NamedTuple):
    """Stored values of the objective of an outcome: see side_tables.values. `stated` is None if it is the value."""

    value: int | None = None
    stated: int | None = None
    bound: int | None = None
    dropped: int = 0
    faults: int = 0


class ValueRow(NamedTuple):
    """Value of an outcome: nanoseconds of its ask, those until the value was reached, and its improvements."""

    puzzle: int
    repeat: int
    value: int | None
    bound: int | None
    wall: int
    reached: int | None
    improvements: int
    dropped: int
    optimal: bool


UNSTATED = Statement()
JOIN = "t.contender = b.contender and t.repeat = b.repeat and t.puzzle = b.puzzle"


def integer_of(cell: int | str | None) -> int | None:
    """Return a stored integer of any size."""
    return None if cell is None else int(cell)


def transposed(rows: Sequence[Sequence[Any]], width: int) -> Sequence[Sequence[Any]]:
    """Return the columns of rows, of which there may be none."""
    return list(zip(*rows, strict=True)) or [()] * width


def exact_integers(column: Sequence[int | str | None]) -> Sequence[Any]:
    """Return a column of stored integers of any size; None stays."""
    return list(map(integer_of, column)) if str in set(map(type, column)) else column


def step_of(ns: int, kind: int, value: int | str | None, stated: int | str | None) -> Step:
    """Return a step from its row."""
    return Step(ns, StepKind(kind), integer_of(value), integer_of(stated))


class StepColumns(NamedTuple):
    """Steps of searches in columns int64[steps]; `value` is object[steps] of Python integers if 64 bits are too few."""

    repeat: Int64Array
    puzzle: Int64Array
    kind: Int64Array
    ns: Int64Array
    value: npt.NDArray[Any]


class Objectives:
    """Values of the outcomes of instances with an objective."""

    def __init__(self, connection: Connection, facts: RunFacts, instances: Instances) -> None:
        self.db, self.facts, self.instances = connection.db, facts, instances

    def statements(self, contender: int, repeat: int, first: int, last: int) -> dict[int, Statement]:
        """Return the stored values of objectives for a contender, a repeat and a range of instances, by id."""
        query = (
            "select puzzle, value, stated, bound, dropped, faults from objectives"
            " where contender = ? and repeat = ? and puzzle between ? and ?"
        )
        rows = self.db.execute(query, (contender, repeat, first, last))
        puzzles, *columns = transposed(rows.fetchall(), 6)
        return dict(zip(puzzles, map(Statement, *map(exact_integers, columns)), strict=True))

    def trajectories(self, asked: Batch) -> dict[int, Trajectory]:
        """Return what the outcomes of a batch have stated of their objective, without steps, by position."""
        known = self.statements(asked.contender, asked.repeat, int(asked.puzzles[0]), int(asked.puzzles[-1]))
        found = {i: known[p] for i, p in enumerate(asked.puzzles.tolist()) if p in known}
        if self.facts.imported or self.facts.settings().count_models:  # a value is what was stated
            found = {i: row._replace(stated=row.value) for i, row in found.items()}
        return {i: Trajectory((), *row[1:]) for i, row in found.items()}

    def bounds(self, contender: int) -> tuple[list[int], list[int]]:
        """Return the instances of a contender's stated bounds, and the bounds."""
        query = "select puzzle, bound from objectives where contender = ? and bound is not null"
        puzzles, bounds = transposed(self.db.execute(query, (contender,)).fetchall(), 2)
        return list(puzzles), list(exact_integers(bounds))

    def optimised(self, contender: int, repeat: int, puzzles: Int64Array) -> Optimised:
        """Return the values and statements of outcomes, as they were judged when they were stored."""
        known, ids = self.statements(contender, repeat, 1, self.instances.size()), puzzles.tolist()
        rows = [known.get(puzzle, UNSTATED) for puzzle in ids]
        false = np.array([row.faults or None not in (row.stated, row.value) for row in rows], np.bool_)
        quality, bound = Quality.of_values([row.value for row in rows]), Stated.of_values([row.bound for row in rows])
        return Optimised(self.instances.with_objective[puzzles], quality, bound, false)

    def values(self, contender: int) -> Iterator[ValueRow]:
        """Yield the value of each outcome of a contender on instances with an objective; none of a wrong one."""
        last = f"kind != {int(StepKind.BOUNDED)} and t.stated is null"
        counts = self.facts.settings().count_models
        shown = int(not (self.facts.imported or counts))  # these come without solutions
        query = (
            f"select b.puzzle, b.repeat, case when o.valid >= {shown} and o.verdict != ? then b.value end,"
            f" b.bound, o.wall,"
            f" (select max(ns) from trajectories t where {JOIN} and {last} and t.value = b.value),"
            f" (select count(*) from trajectories t where {JOIN} and {last}), b.dropped,"
            f" o.complete and (o.found or {int(counts)}) and o.reason = 0 and o.verdict not in (?, ?)"
            " from objectives b join outcomes o using (contender, repeat, puzzle) where contender = ?"
        )
        wrong, corpus = int(Verdict.WRONG), int(Verdict.CORPUS_WRONG)
        rows = self.db.execute(query, (wrong, wrong, corpus, contender)).fetchall()
        puzzles, repeats, values, bounds, *others, optimal = transposed(rows, len(ValueRow._fields))
        every = (puzzles, repeats, exact_integers(values), exact_integers(bounds), *others, map(bool, optimal))
        yield from map(ValueRow, *every)

    def steps(self, contender: int, repeat: int, puzzle: int) -> tuple[Step, ...]:
        """Return the steps of a search for the best solution."""
        query = (
            "select ns, kind, value, stated from trajectories where contender = ? and repeat = ? and puzzle = ?"
            " order by step"
        )
        rows = self.db.execute(query, (contender, repeat, puzzle))
        return tuple(step_of(*row) for row in rows)

    def all_steps(self, contender: int) -> Iterator[tuple[int, int, Step]]:
        """Yield repeat, instance and step of every search of a contender, in this order."""
        query = (
            "select repeat, puzzle, ns, kind, value, stated from trajectories where contender = ? order by 1, 2, step"
        )
        for repeat, puzzle, *row in self.db.execute(query, (contender,)):
            yield repeat, puzzle, step_of(*row)

    def step_columns(self, contender: int) -> StepColumns:
        """Return the steps of a contender that are not false, by repeat and instance."""
        query = (
            "select repeat << 34 | puzzle << 2 | kind, ns, value from trajectories"
            " where contender = ? and value is not null and stated is null order by repeat, puzzle, step"
        )
        try:
            cells = chain.from_iterable(self.db.execute(query, (contender,)))
            words, ns, value = np.fromiter(cells, np.int64).reshape(-1, 3).T
        except OverflowError:  # a value beyond 64 bits, which is stored as text
            cells = chain.from_iterable(self.db.execute(query, (contender,)))
            table = np.array(list(map(int, cells)), object).reshape(-1, 3)
            words, ns, value = (*table[:, :2].astype(np.int64).T, table[:, 2])
        return StepColumns(words >> 34, words >> 2 & 0xFFFFFFFF, words & 3, ns, value)

    def witness(self, puzzle: int, value: int) -> int | None:
        """Return the number of a contender whose checked solution of an instance has a value, None if there is none."""
        query = (
            "select b.contender from objectives b join outcomes o using (contender, repeat, puzzle)"
            " where puzzle = ? and b.value = ? and o.valid > 0 order by 1 limit 1"
        )
        row = self.db.execute(query, (puzzle, exact(value))).fetchone()
        return None if row is None else int(row[0])
