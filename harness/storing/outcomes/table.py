"""Outcomes in the journal, read back as columns."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, islice
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from backends.contract.answer import COUNTERS
from harness.model.outcome import OUTSIDE, PHASES, ROW, Batch, Outcomes
from harness.storing import schema
from harness.storing.connection import Connection
from harness.storing.facts import Contenders
from harness.storing.instances import Instances
from harness.storing.outcomes.objectives import Objectives
from harness.storing.outcomes.solutions import unpack_all, unpack_solutions
from harness.storing.outcomes.words import column_type, narrowed, proof_sql, split_word, word_sql, words_of
from harness.storing.problems import Outline, Problems
from harness.storing.remembering import Derivations
from harness.storing.selection import OutcomeSelection, Revision
from puzzles.problem.arrays import Int8Array, Int32Array, Int64Array
from puzzles.problem.columns import index_type

FETCHED = 20_000  # rows converted per step
MOST_JOINED = 1 << 24  # values of solutions that SQLite joins
Columns = dict[str, npt.NDArray[Any]]


class Stored(NamedTuple):
    """Stored outcomes of a batch, with the stored numbers of valid solutions and verdicts."""

    outcomes: Outcomes
    valid: Int32Array
    verdict: Int8Array


class BatchTotals(NamedTuple):
    """Outcomes of a contender at a place with one verdict and reason: their number, and nanoseconds of wall time."""

    place: int
    contender: int
    verdict: int
    reason: int
    outcomes: int
    wall: int


class OutcomeRow(NamedTuple):
    """Outcome with names instead of ids; `measured` as in schema.MEASURED, None for unknown.

    `solutions` have the variables of the source, without constants.
    """

    number: int  # id of the instance
    who: tuple[Any, ...]  # corpus, instance, contender, version, repeat, verdict, valid, proof
    place: int | None  # where it ran
    measured: tuple[Any, ...]
    detail: str | None
    solutions: list[list[int]]
    outline: Outline


class OutcomeTable:
    """Outcomes of a journal.

    confirmed  int8[n], by id of the instance the bits of each Confirmation; None until the outcomes are judged again
    """

    confirmed: Int8Array | None = None

    def __init__(
        self,
        connection: Connection,
        problems: Problems,
        contenders: Contenders,
        instances: Instances,
        objectives: Objectives,
        selection: OutcomeSelection,
        memory: Derivations,
    ) -> None:
        self.connection, self.db, self.problems = connection, connection.db, problems
        self.contenders, self.instances = contenders, instances
        self.objectives, self.selection, self.memory = objectives, selection, memory

    def confirmations(self) -> Int8Array:
        """Return `confirmed`, without any Confirmation until the outcomes are judged again."""
        return np.zeros(self.instances.size() + 1, np.int8) if self.confirmed is None else self.confirmed

    def count(self) -> int:
        """Return the number of outcomes."""
        return int(self.db.execute("select count(*) from outcomes").fetchone()[0])

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
        part = (
            None
            if self.selection.conditions or self.selection.shown is not None
            else f"{self.selection.source} {query}"
        )
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
        return max(map(self.repeats_of, range(len(self.contenders.setups()))), default=0)

    def repeats_of(self, contender: int) -> int:
        """Return the number of repeats that have outcomes of a contender."""
        query = "select coalesce(max(repeat) + 1, 0) from outcomes where contender = ?"
        return int(self.db.execute(query, (contender,)).fetchone()[0])

    def batch_totals(self) -> Iterator[BatchTotals]:
        """Yield the outcomes of each place, by contender, verdict and reason."""
        query = (
            "select l.place, o.contender, o.verdict, o.reason, count(*), sum(o.wall) from outcomes o"
            " join leases l on l.id = o.lease group by 1, 2, 3, 4"
        )
        return map(BatchTotals._make, self.db.execute(query))

    def update_verdicts(self, revisions: Iterable[Revision]) -> None:
        """Store changed numbers of valid solutions and verdicts of outcomes."""
        rows = chain.from_iterable(revision.rows() for revision in revisions)
        with self.connection.transaction():
            self.db.executemany(
                "update main.outcomes set verdict = ?, valid = ? where puzzle = ? and contender = ? and repeat = ?",
                rows,
            )

    def stored(self, puzzle: int | None = None, measured: Sequence[str] = schema.MEASURED) -> Iterator[Outcomes]:
        """Yield all outcomes, or those of one instance, with domains, in chunks of one contender and instances of one
        problem.

        Columns of `rows` outside `measured` are 0.
        """
        return (stored.outcomes for chunk in self.chunks(puzzle, measured) for stored in chunk)

    def chunks(
        self, puzzle: int | None = None, measured: Sequence[str] = schema.MEASURED
    ) -> Iterator[Iterator[Stored]]:
        """Yield, for each chunk of instances of one problem, all outcomes of these instances, by contender and repeat.

        Chunks of problems stored compressed come last, by problem, so that each problem is loaded once.
        """
        who = [(c, r) for c in range(len(self.contenders.setups())) for r in range(self.repeats_of(c))]
        large = ", ".join(map(str, self.problems.compressed))
        if puzzle:
            chunks = self.instances.chunks(f"id = {int(puzzle)} order by id")
        else:
            small_first = (f"problem not in ({large}) order by id", f"problem in ({large}) order by problem, id")
            chunks = chain.from_iterable(map(self.instances.chunks, small_first))
        for problem, ids, domains in chunks:
            batches = (Batch(contender, repeat, problem, ids, domains, len(ids)) for contender, repeat in who)
            yield (found for batch in batches if (found := self.stored_batch(batch, measured)))

    def stored_batch(self, asked: Batch, measured: Sequence[str]) -> Stored | None:
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
            outcomes = replace(outcomes, trajectories=self.objectives.trajectories(asked))
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

    def rows(self) -> Iterator[OutcomeRow]:
        """Yield every outcome by contender, repeat and instance."""
        query = (
            "select p.id, k.name, p.name, c.name, c.version, o.repeat, o.verdict, o.valid,"
            f" {proof_sql('o')},"
            f" {', '.join('o.' + m for m in schema.MEASURED)}, l.place, o.detail, o.solutions, p.problem"
            " from outcomes o left join leases l on l.id = o.lease join puzzles p on p.id = o.puzzle"
            " join contenders c on c.id = o.contender"
            " join corpora k on k.id = p.corpus order by o.contender, o.repeat, o.puzzle"
        )
        found = schema.MEASURED.index("found")
        for row in self.db.execute(query):
            who, measured, (place, detail, blob, problem_id) = row[1:9], row[9:-4], row[-4:]
            problem = self.problems.outlines[problem_id]
            shown: list[list[int]] = [[]] * measured[found]
            if blob:
                named = problem.variables - problem.constants
                shown = unpack_solutions(blob, problem.variables, measured[found])[:, :named].tolist()
            yield OutcomeRow(row[0], who, place, measured, detail, shown, problem)
