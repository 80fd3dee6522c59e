"""Outcomes in the journal, read back as columns.

All queries of outcomes are in this file, but for those of leases, validation and union, so that they are together where
the table changes.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, islice, pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from backends.contract.answer import COUNTERS, Reason
from harness.model.merit import Merit, Optimised, Stated
from harness.model.outcome import CERTIFIED, FORMULA_CERTIFIED, OUTSIDE, PHASES, ROW, Batch, KeptLog, Outcomes, Verdict
from harness.model.trajectory import Step, StepKind, Trajectory
from harness.storing import schema
from harness.storing.outcomes.leases import REVISED, LeaseTable
from harness.storing.outcomes.solutions import unpack_all, unpack_solutions
from harness.storing.outcomes.words import UNBACKED, column_type, narrowed, proof_sql, split_word, word_sql, words_of
from harness.storing.rules import exact
from puzzles.problem import Problem
from puzzles.problem.arrays import Int8Array, Int32Array, Int64Array, UInt64Array
from puzzles.problem.columns import index_type
from puzzles.problem.values import Solution

CHUNK = 2000  # instances whose outcomes are restored per step
MAX_DETAIL = 500  # characters of a message in `failures`
FETCHED = 20_000  # rows converted per step
MOST_JOINED = 1 << 24  # values of solutions that SQLite joins
Columns = dict[str, npt.NDArray[Any]]


class WrongAnswer(NamedTuple):
    """Answer of a wrong outcome."""

    repeat: int
    status: int
    reason: int
    complete: bool
    found: int
    valid: int
    detail: str
    solutions: list[list[int]]


class Trouble(NamedTuple):
    """Failure message: its first instance, reason, text, origin in the code, and number of times.

    log  where what the program has printed on this instance is kept, or ''
    """

    puzzle: str
    reason: Reason
    why: str
    traceback: str
    times: int
    log: str = ""


class Stored(NamedTuple):
    """Stored outcomes of a batch, with the stored numbers of valid solutions and verdicts."""

    outcomes: Outcomes
    valid: Int32Array
    verdict: Int8Array


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


class Turns(NamedTuple):
    """Outcomes of a contender at a place with one verdict and reason: their number, and nanoseconds of wall time."""

    place: int
    contender: int
    verdict: int
    reason: int
    outcomes: int
    wall: int


class Certificate(NamedTuple):
    """Certificate of an answer: contender, repeat, what it certifies, number of solutions, detail."""

    contender: int
    repeat: int
    proof: int
    found: int
    detail: str


class OutcomeRow(NamedTuple):
    """Outcome with names instead of ids; `measured` as in schema.MEASURED, None for unknown.

    `solutions` have the variables of the source, without constants.
    """

    number: int  # id of the instance
    who: tuple[Any, ...]  # corpus, instance, contender, version, repeat, verdict, valid, proof
    measured: tuple[Any, ...]
    detail: str | None
    solutions: list[list[int]]
    values: Sequence[str]


class OutcomeTable(LeaseTable):
    """Outcomes of a journal.

    confirmed  int8[n], by id of the instance the bits of each Confirmation; None until the outcomes are judged again
    """

    confirmed: Int8Array | None = None

    def confirmations(self) -> Int8Array:
        """Return `confirmed`, without any Confirmation until the outcomes are judged again."""
        return np.zeros(self.size() + 1, np.int8) if self.confirmed is None else self.confirmed

    def columns(self, contender: int, *names: str, repeat: int | None = None) -> Columns:
        """Return columns of a contender's outcomes, by repeat and instance; NULL is -1. Numeric columns only.

        Those of a large journal are kept in the user's cache.
        """
        where = "" if repeat is None else f"and repeat = {int(repeat)}"
        words = words_of(names)
        query = (
            f"select {', '.join(map(word_sql, words))} from outcomes where contender = {int(contender)} {where}"
            " order by repeat, puzzle"
        )
        part = None if self.conditions or self.shown is not None else f"{self.source} {query}"
        if part and (known := self.memory.recall(part)) is not None:
            return {name: known[name].astype(column_type(name)) for name in names}
        found = self.read_columns(query, names, words)
        if part:
            self.memory.keep(part, {name: narrowed(column) for name, column in found.items()})
        return found

    def read_columns(self, query: str, names: Sequence[str], words: Sequence[Any]) -> Columns:
        """Return the columns that a query gives as words."""
        cursor = self.db.execute(query)
        parts: dict[str, list[npt.NDArray[Any]]] = {name: [np.empty(0, column_type(name))] for name in names}
        while len(flat := np.fromiter(chain.from_iterable(islice(cursor, FETCHED)), np.int64)):
            for word, values in zip(words, flat.reshape(-1, len(words)).T, strict=True):
                for name, column in split_word(word, values):
                    parts[name].append(column)
        return {name: np.concatenate(parts.pop(name)) for name in list(parts)}  # each is freed before the next

    def numbers(self, query: str, values: Sequence[int]) -> Int64Array:
        """Return the cells of a query's rows, one after another; this takes a third of the time of `fetchall`."""
        return np.fromiter(chain.from_iterable(self.db.execute(query, values)), np.int64)

    def totals(self, contender: int) -> dict[str, int | None]:
        """Return the sum of each counter, the highest peak and the longest of each phase; None where all are NULL."""
        highest = ("peak", *PHASES)
        parts = ", ".join([*map("sum({})".format, COUNTERS), *map("max({})".format, highest)])
        row = self.db.execute(f"select {parts} from outcomes where contender = ?", (contender,)).fetchone()
        return dict(zip((*COUNTERS, *highest), row, strict=True))

    def statistic_names(self) -> list[str]:
        """Return the names of the numbers that programs have printed, but for counters."""
        return [name for (name,) in self.db.execute("select distinct name from statistics order by name")]

    def statistic(self, contender: int, name: str) -> list[tuple[int, float]]:
        """Return instance and number of each outcome of a contender that has a counter or number of this name."""
        if name in COUNTERS:
            query = f"select puzzle, {name} from outcomes where contender = ? and {name} is not null"
            return self.db.execute(query, (contender,)).fetchall()
        query = "select puzzle, value from statistics where contender = ? and name = ?"
        return self.db.execute(query, (contender, name)).fetchall()

    def all_statistics(self, contender: int) -> dict[tuple[int, int], dict[str, float]]:
        """Return the numbers that a contender's programs have printed, by repeat and instance, but for counters."""
        found: dict[tuple[int, int], dict[str, float]] = {}
        query = "select repeat, puzzle, name, value from statistics where contender = ?"
        for repeat, puzzle, name, value in self.db.execute(query, (contender,)):
            found.setdefault((repeat, puzzle), {})[name] = value
        return found

    def logs(self, contender: int) -> dict[tuple[int, int], KeptLog]:
        """Return where the output of a contender's programs is kept, by repeat and instance."""
        query = "select repeat, puzzle, out, err from logs where contender = ? order by 1, 2"
        rows = self.db.execute(query, (contender,))
        return {(repeat, puzzle): KeptLog(out, err) for repeat, puzzle, out, err in rows}

    def rename_logs(self, rename: Callable[[int, int, str], str]) -> None:
        """Store other paths of logs: `rename` returns that of a contender's number, a repeat and a path."""
        rows = self.db.execute("select contender, repeat, puzzle, out, err from logs").fetchall()
        with self.transaction():
            for contender, repeat, puzzle, *paths in rows:
                names = (None if path is None else rename(contender, repeat, path) for path in paths)
                self.db.execute(
                    "update logs set out = ?, err = ? where contender = ? and repeat = ? and puzzle = ?",
                    (*names, contender, repeat, puzzle),
                )

    def log_count(self) -> int:
        """Return the number of outcomes whose programs' output is kept."""
        return int(self.db.execute("select count(*) from logs").fetchone()[0])

    def set_apart(self, contender: int) -> dict[str, float] | None:
        """Return the mean nanoseconds of our work on files by phase, over outcomes with such work; None without any."""
        # `cross join` keeps the order: most journals have no row in `outside`
        means = ", ".join(f"avg(x.{phase})" for phase in OUTSIDE)
        using = "outside x cross join outcomes o using (contender, repeat, puzzle)"
        query = f"select {means} from {using} where contender = ?"
        row = self.db.execute(query, (contender,)).fetchone()
        return None if row[0] is None else dict(zip(OUTSIDE, row, strict=True))

    def repeats(self) -> int:
        """Return the number of repeats that have outcomes."""
        return max(map(self.repeats_of, range(len(self.setups()))), default=0)

    def repeats_of(self, contender: int) -> int:
        """Return the number of repeats that have outcomes of a contender."""
        query = "select coalesce(max(repeat) + 1, 0) from outcomes where contender = ?"
        return int(self.db.execute(query, (contender,)).fetchone()[0])

    def turns(self) -> Iterator[Turns]:
        """Yield the outcomes of each place, by contender, verdict and reason."""
        query = (
            "select l.place, o.contender, o.verdict, o.reason, count(*), sum(o.wall) from outcomes o"
            " join leases l on l.id = o.lease group by 1, 2, 3, 4"
        )
        return map(Turns._make, self.db.execute(query))

    def update_verdicts(self, revisions: Iterable[Revision]) -> None:
        """Store changed numbers of valid solutions and verdicts of outcomes."""
        rows = chain.from_iterable(revision.rows() for revision in revisions)
        with self.transaction():
            self.db.executemany(
                "update main.outcomes set verdict = ?, valid = ? where puzzle = ? and contender = ? and repeat = ?",
                rows,
            )

    def show_verdicts(self, revisions: Iterable[Revision]) -> None:
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
        self.show_outcomes()

    def stored_outcomes(
        self, puzzle: int | None = None, measured: Sequence[str] = schema.MEASURED
    ) -> Iterator[Outcomes]:
        """Yield all outcomes, or those of one instance, with domains, in chunks of one contender and instances of one
        problem.

        Columns of `rows` outside `measured` are 0.
        """
        return (stored.outcomes for chunk in self.outcome_chunks(puzzle, measured) for stored in chunk)

    def outcome_chunks(
        self, puzzle: int | None = None, measured: Sequence[str] = schema.MEASURED
    ) -> Iterator[Iterator[Stored]]:
        """Yield, for each chunk of instances of one problem, all outcomes of these instances, by contender and repeat.

        Chunks of problems stored compressed come last, by problem, so that each problem is loaded once.
        """
        who = [(c, r) for c in range(len(self.setups())) for r in range(self.repeats_of(c))]
        large = ", ".join(map(str, self.problems.compressed))
        if puzzle:
            chunks = self.instance_chunks(f"id = {int(puzzle)} order by id")
        else:
            small_first = (f"problem not in ({large}) order by id", f"problem in ({large}) order by problem, id")
            chunks = chain.from_iterable(map(self.instance_chunks, small_first))
        for problem, ids, domains in chunks:
            batches = (Batch(contender, repeat, problem, ids, domains, len(ids)) for contender, repeat in who)
            yield (found for batch in batches if (found := self._stored_outcomes(batch, measured)))

    def instance_chunks(self, where: str) -> Iterator[tuple[Problem, Int64Array, UInt64Array]]:
        """Yield problem, ids and domains of the instances that a condition selects, in runs of one problem."""
        cursor = self.db.execute(f"select id, problem, domains from puzzles where {where}")
        while chunk := cursor.fetchmany(CHUNK):
            ids, problems, blobs = zip(*chunk, strict=True)
            numbers = np.array(ids, np.int64)
            ends = np.flatnonzero((np.diff(problems) != 0) | (np.diff(numbers) != 1)) + 1
            for start, end in pairwise([0, *ends.tolist(), len(ids)]):
                problem = self.problems[problems[start]]
                yield problem, numbers[start:end], self.domains(problem, blobs[start:end])

    def _stored_outcomes(self, asked: Batch, measured: Sequence[str]) -> Stored | None:
        """Return the stored outcomes of a batch of consecutive ids, None if nothing is stored."""
        words = words_of(("proof", "valid", "verdict", *measured))
        some = "from outcomes where contender = ? and repeat = ? and puzzle between ? and ? order by puzzle"
        which = (asked.contender, asked.repeat, int(asked.puzzles[0]), int(asked.puzzles[-1]))
        flat = self.numbers(f"select {', '.join(map(word_sql, words))} {some}", which).reshape(-1, len(words))
        if not len(flat):
            return None
        columns = dict(chain.from_iterable(map(split_word, words, flat.T)))
        rows = np.zeros(len(flat), ROW)
        for name in measured:
            rows[name] = columns[name]
        if len(flat) < len(asked.puzzles):
            at = self.numbers(f"select puzzle {some}", which) - asked.puzzles[0]
            asked = replace(asked, puzzles=asked.puzzles[at], domains=asked.domains[at], cap=len(at))
        stored = self.stored_solutions(some, which, rows["found"] * np.int64(len(asked.problem.variables)))
        solutions = unpack_all(stored, len(asked.problem.variables), rows["found"]).astype(index_type(asked.problem))
        outcomes = Outcomes(asked, rows, solutions, {}, proved=columns["proof"])
        if asked.problem.objective is not None:
            known = self.statements(asked.contender, asked.repeat, int(asked.puzzles[0]), int(asked.puzzles[-1]))
            found = {i: known[p] for i, p in enumerate(asked.puzzles.tolist()) if p in known}
            if self.imported:  # a value is what was stated
                found = {i: row._replace(stated=row.value) for i, row in found.items()}
            outcomes = replace(outcomes, trajectories={i: Trajectory((), *row[1:]) for i, row in found.items()})
        return Stored(outcomes, columns["valid"], columns["verdict"])

    def stored_solutions(self, some: str, values: Sequence[int], lengths: Int64Array) -> Sequence[bytes | None]:
        """Return the stored solutions of the outcomes that a query selects, given their `lengths` in values.

        Values of one byte each, as most are, come in one piece that SQLite joins: a row costs more than its bytes.
        """
        if (total := int(lengths.sum())) <= MOST_JOINED:
            joined = f"select cast(group_concat(solutions, '') as blob) from (select solutions {some})"
            (whole,) = self.db.execute(joined, values).fetchone()
            if len(whole or b"") == total:
                return [whole]
        return list(chain.from_iterable(self.db.execute(f"select solutions {some}", values)))

    def statements(self, contender: int, repeat: int, first: int, last: int) -> dict[int, Statement]:
        """Return the stored values of objectives for a contender, a repeat and a range of instances, by id."""
        query = (
            "select puzzle, value, stated, bound, dropped, faults from objectives"
            " where contender = ? and repeat = ? and puzzle between ? and ?"
        )
        rows = self.db.execute(query, (contender, repeat, first, last))
        puzzles, *columns = transposed(rows.fetchall(), 6)
        return dict(zip(puzzles, map(Statement, *map(exact_integers, columns)), strict=True))

    def bounds(self, contender: int) -> tuple[list[int], list[int]]:
        """Return the instances of a contender's stated bounds, and the bounds."""
        query = "select puzzle, bound from objectives where contender = ? and bound is not null"
        puzzles, bounds = transposed(self.db.execute(query, (contender,)).fetchall(), 2)
        return list(puzzles), list(exact_integers(bounds))

    def optimised(self, contender: int, repeat: int, puzzles: Int64Array) -> Optimised:
        """Return the values and statements of outcomes, as they were judged when they were stored."""
        known, ids = self.statements(contender, repeat, 1, self.size()), puzzles.tolist()
        rows = [known.get(puzzle, UNSTATED) for puzzle in ids]
        false = np.array([row.faults or None not in (row.stated, row.value) for row in rows], np.bool_)
        merit, bound = Merit.of_values([row.value for row in rows]), Stated.of_values([row.bound for row in rows])
        return Optimised(self.objectives[puzzles], merit, bound, false)

    def values(self, contender: int) -> Iterator[ValueRow]:
        """Yield the value of each outcome of a contender on instances with an objective; none of a wrong one."""
        last = f"kind != {int(StepKind.BOUNDED)} and t.stated is null"
        shown = int(not self.imported)  # imported results come without their solutions
        query = (
            f"select b.puzzle, b.repeat, case when o.valid >= {shown} and o.verdict != ? then b.value end,"
            f" b.bound, o.wall,"
            f" (select max(ns) from trajectories t where {JOIN} and {last} and t.value = b.value),"
            f" (select count(*) from trajectories t where {JOIN} and {last}), b.dropped,"
            " o.complete and o.found and o.reason = 0 and o.verdict not in (?, ?)"
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

    def true_steps(self, contender: int) -> Iterator[tuple[int, int, int, int, int]]:
        """Yield repeat, instance, nanoseconds, kind and value of the steps of a contender that are not false."""
        query = (
            "select repeat, puzzle, ns, kind, value from trajectories"
            " where contender = ? and value is not null and stated is null order by 1, 2, step"
        )
        for row in self.db.execute(query, (contender,)):
            yield row if type(row[4]) is int else (*row[:4], int(row[4]))

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

    def trouble(self, contender: int) -> list[Trouble]:
        """Return the distinct error messages, each the first line of a detail, by first instance."""
        query = (
            "select min(p.id), p.name, o.reason, o.detail, count(*) from outcomes o"
            " join puzzles p on p.id = o.puzzle where o.contender = ? and o.detail is not null"
            " group by o.detail order by 1"
        )
        found: dict[str, Trouble] = {}
        logs = {puzzle: log.out for (_, puzzle), log in self.logs(contender).items()}
        for puzzle, name, reason, detail, times in self.db.execute(query, (contender,)):
            why, _, rest = detail.partition("\n")
            known = found.get(why, Trouble(name, Reason(reason), why, "", 0, logs.get(puzzle, "")))
            found[why] = known._replace(traceback=known.traceback or rest, times=known.times + times)
        return list(found.values())

    def failures(self, contender: int) -> Iterator[tuple[int, str]]:
        """Yield instance and first line of each error message of a contender, by repeat and instance."""
        query = (
            f"select puzzle, substr(detail, 1, {MAX_DETAIL}) from outcomes where contender = ? and detail is not null"
            " order by repeat, puzzle"
        )
        for puzzle, detail in self.db.execute(query, (contender,)):
            yield puzzle, detail.partition("\n")[0]

    def disputes(self) -> Iterator[tuple[int, int, Verdict]]:
        """Yield instance, contender and verdict of each answer that is wrong or refutes the corpus, once, in order."""
        verdicts = f"({int(Verdict.WRONG)}, {int(Verdict.CORPUS_WRONG)})"
        query = f"select distinct puzzle, contender, verdict from outcomes where verdict in {verdicts} order by 1, 2, 3"
        for puzzle, contender, verdict in self.db.execute(query):
            yield puzzle, contender, Verdict(verdict)

    def split_answers(self) -> list[tuple[int, int, int]]:
        """Return instance, contender and status of all answers to instances that some call satisfiable, others
        unsatisfiable.

        Refuted answers do not count. Each contender is named once for each of its answers.
        """
        answered = f"verdict in ({int(Verdict.CORRECT)}, {int(Verdict.UNCERTIFIED)}) and status != 0"
        split = f"select puzzle from outcomes where {answered} group by puzzle having min(status) != max(status)"
        query = f"select distinct puzzle, contender, status from outcomes where {answered} and puzzle in ({split})"
        return list(self.db.execute(f"{query} order by puzzle, contender, status"))

    def first_wrong(self, contender: int, puzzle: int) -> WrongAnswer:
        """Return a contender's first wrong outcome on an instance, by repeat."""
        # the primary key finds an outcome only if its repeat is named too
        query = (
            "select repeat, status, reason, complete, found, valid, coalesce(detail, ''), solutions from outcomes"
            " where contender = ? and puzzle = ?"
            " and verdict = ? and repeat in (select repeat from leases) order by repeat limit 1"
        )
        row = self.db.execute(query, (contender, puzzle, int(Verdict.WRONG))).fetchone()
        repeat, status, reason, complete, found, valid, detail, blob = row
        shown = unpack_solutions(blob, self.outline_of(puzzle).variables, found).tolist()
        return WrongAnswer(repeat, status, reason, bool(complete), found, valid, detail.partition("\n")[0], shown)

    def witness(self, puzzle: int, value: int) -> int | None:
        """Return the number of a contender whose checked solution of an instance has a value, None if there is none."""
        query = (
            "select b.contender from objectives b join outcomes o using (contender, repeat, puzzle)"
            " where puzzle = ? and b.value = ? and o.valid > 0 order by 1 limit 1"
        )
        row = self.db.execute(query, (puzzle, exact(value))).fetchone()
        return None if row is None else int(row[0])

    def certificates(self, puzzle: int) -> list[Certificate]:
        """Return the certificates of answers to an instance, by contender and repeat."""
        query = (
            "select contender, repeat, proof, found, coalesce(detail, '') from outcomes"
            f" where puzzle = ? and proof in ({CERTIFIED}, {FORMULA_CERTIFIED}) and not {UNBACKED.format('outcomes')}"
            " order by contender, repeat"
        )
        return [Certificate(*row) for row in self.db.execute(query, (puzzle,))]

    def unbacked_certificates(self) -> int:
        """Return the number of stored certificates that do not count, as the journal names no checked proof."""
        query = f"select count(*) from outcomes where {UNBACKED.format('outcomes')}"
        return int(self.db.execute(query).fetchone()[0])

    def right_solutions(self) -> Iterator[tuple[int, Solution]]:
        """Yield a valid solution of each instance with one, by instance."""
        query = (
            "select o.puzzle, p.problem, o.solutions, o.found from outcomes o join puzzles p on p.id = o.puzzle"
            " where o.valid > 0 group by o.puzzle"
        )
        for i, problem, blob, found in self.db.execute(query):
            yield i, tuple(unpack_solutions(blob, self.problems.outlines[problem].variables, found)[0].tolist())

    def rows(self) -> Iterator[OutcomeRow]:
        """Yield every outcome by contender, repeat and instance."""
        query = (
            "select p.id, k.name, p.name, c.name, c.version, o.repeat, o.verdict, o.valid,"
            f" {proof_sql('o')},"
            f" {', '.join('o.' + m for m in schema.MEASURED)}, o.detail, o.solutions, p.problem"
            " from outcomes o join puzzles p on p.id = o.puzzle join contenders c on c.id = o.contender"
            " join corpora k on k.id = p.corpus order by o.contender, o.repeat, o.puzzle"
        )
        found = schema.MEASURED.index("found")
        for row in self.db.execute(query):
            who, measured, (detail, blob, problem_id) = row[1:9], row[9:-3], row[-3:]
            problem = self.problems.outlines[problem_id]
            named = problem.variables - problem.constants
            shown = unpack_solutions(blob, problem.variables, measured[found])[:, :named].tolist()
            yield OutcomeRow(row[0], who, measured, detail, shown, problem.values)
