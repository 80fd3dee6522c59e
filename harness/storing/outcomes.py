"""Leases and outcomes in the journal: committed per lease, read back as columns.

The file is long because all queries of outcomes are in it, but for those of validation and union: whoever changes their
table finds them together.
"""

import time
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import chain, groupby, islice
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from backends.answer import Int8Array, Int32Array, Int64Array, Reason, UInt64Array
from harness.model.lease import LeaseResult
from harness.model.outcome import NO_PROOF, ROW, Batch, Judged, Outcomes, Verdict
from harness.storing import schema
from harness.storing.instances import Instances
from puzzles.columns import Solutions, index_type
from puzzles.layout import Solution
from puzzles.problem import Problem

CHUNK = 2000  # instances whose outcomes are restored per step
MAX_DETAIL = 500  # characters of a message in `failures`
FETCHED = 20_000  # rows converted per step
CHECKPOINT_S = 2.0  # between checkpoints, so that the journal's own file lacks little if its log is lost
Columns = dict[str, npt.NDArray[Any]]
COLUMN_TYPES = {  # all other columns are 64 bits wide
    **dict.fromkeys(("status", "reason", "complete", "amortised", "verdict", "proof"), np.int8),
    **dict.fromkeys(("repeat", "found", "valid"), np.int32),
}
WORDS = {  # narrow columns that are read as one integer, and the bits of each; only the last in a word may be negative
    ("verdict", "status", "reason", "complete", "amortised", "proof"): 8,
    ("found", "valid"): 32,
    ("puzzle", "repeat"): 32,
}
NULLABLE = schema.OPTIONAL | {"proof"}


class Span(NamedTuple):
    """Stored block: its number, first and last instance."""

    number: int
    first: int
    last: int


class Wrong(NamedTuple):
    """Answer of a wrong outcome."""

    status: int
    found: int
    valid: int
    solutions: list[list[int]]


class Trouble(NamedTuple):
    """Failure message: the first instance with it, its reason, its text, where it was raised, and how often."""

    puzzle: str
    reason: Reason
    why: str
    traceback: str
    times: int


class Work(NamedTuple):
    """Leases of a place: how many, of them whole, their first begin, last end, and sum of durations, in nanoseconds."""

    leases: int
    whole: int
    began: int
    ended: int
    busy: int


class Turns(NamedTuple):
    """Outcomes of a contender at a place with one verdict and reason: their number, and nanoseconds of wall time."""

    place: int
    contender: int
    verdict: int
    reason: int
    outcomes: int
    wall: int


class Row(NamedTuple):
    """Outcome with names instead of ids; `measured` as in schema.MEASURED, None for unknown."""

    number: int  # id of the instance
    who: tuple[Any, ...]  # corpus, instance, contender, version, repeat, verdict, valid, proof
    measured: tuple[Any, ...]
    detail: str | None
    solutions: list[list[int]]
    values: Sequence[str]


class OutcomeTable(Instances):
    """Leases and outcomes of a journal."""

    def add(self, result: LeaseResult, judged: Sequence[Judged]) -> None:
        """Commit a lease that ran at one place."""
        self.add_lease([(result, judged)])

    def add_lease(self, parts: Sequence[tuple[LeaseResult, Sequence[Judged]]]) -> None:
        """Commit a lease with its block, its reference work and its judged outcomes, in one transaction.

        It has a part for each place that ran some of it, mostly one. Replaces a partial lease of an interrupted run. A
        lease that is stored whole is an error.
        """
        lease = parts[0][0].lease
        block, first, last = lease.block, int(lease.block.puzzles[0]), int(lease.block.puzzles[-1])
        with schema.transaction(self.db, self.path):
            self.db.execute("insert or ignore into blocks values (?, ?, ?)", (block.number, first, last))
            query = "select id from leases where block = ? and repeat = ? and not whole"
            for (old,) in self.db.execute(query, (block.number, lease.repeat)).fetchall():
                self.db.execute(
                    "delete from outcomes where lease = ? and repeat = ? and puzzle between ? and ?",
                    (old, lease.repeat, first, last),
                )
                self.db.execute("delete from leases where id = ?", (old,))
            for result, judged in parts:
                row = (block.number, lease.repeat, result.place, result.began, result.ended, result.whole)
                number = self.db.execute("insert into leases values (null, ?, ?, ?, ?, ?, ?)", row).lastrowid or 0
                samples = [(number, wall, cpu) for wall, cpu in result.samples]
                self.db.executemany("insert into reference values (null, ?, ?, ?)", samples)
                for one in judged:
                    self.db.executemany(schema.INSERT, rows(number, one))
        if time.monotonic() - self.checkpointed > CHECKPOINT_S:
            self.checkpoint()

    def spans(self) -> list[Span]:
        """Return all blocks, in order of first instance."""
        return [Span(*row) for row in self.db.execute("select id, first, last from blocks order by first")]

    def whole_leases(self) -> set[tuple[int, int]]:
        """Return block and repeat of every lease that is stored whole."""
        return set(self.db.execute("select block, repeat from leases where whole"))

    def blocks_of(self, contender: int) -> Int64Array:
        """Return the block in which a contender first ran each instance, by instance id; -1 for none.

        Imported instances ran one by one.
        """
        if self.imported:
            return np.arange(self.size() + 1, dtype=np.int64)
        found: Int64Array = np.full(self.size() + 1, -1, np.int64)
        query = (
            "select b.id, b.first, b.last from leases l join blocks b on b.id = l.block where exists"
            " (select 1 from outcomes o where o.contender = ? and o.repeat = l.repeat and o.puzzle = b.first"
            " and o.lease = l.id) order by l.repeat desc"
        )
        for number, first, last in self.db.execute(query, (contender,)):
            found[first : last + 1] = number
        return found

    def leases_split(self) -> bool:
        """Return True if a block of a repeat has several leases, since places that ran it were lost."""
        query = "select 1 from leases group by block, repeat having count(*) > 1 limit 1"
        return self.db.execute(query).fetchone() is not None

    def work(self) -> dict[int, Work]:
        """Return the leases of each place that has some, by its id."""
        query = (
            "select place, count(*), sum(whole), min(began), max(ended), sum(ended - began) from leases group by place"
        )
        return {place: Work(*row) for place, *row in self.db.execute(query)}

    def turns(self) -> Iterator[Turns]:
        """Yield the outcomes of each place, by contender, verdict and reason."""
        query = (
            "select l.place, o.contender, o.verdict, o.reason, count(*), sum(o.wall) from outcomes o"
            " join leases l on l.id = o.lease group by 1, 2, 3, 4"
        )
        return map(Turns._make, self.db.execute(query))

    def lease_counts(self) -> dict[tuple[int, int], int]:
        """Return the number of leases with outcomes, by place and contender."""
        query = (
            "select l.place, o.contender, count(distinct o.lease) from outcomes o join leases l on l.id = o.lease"
            " group by 1, 2"
        )
        return {(place, contender): n for place, contender, n in self.db.execute(query)}

    @contextmanager
    def restricted(self, places: Collection[int], loose_samples: bool) -> Iterator[None]:
        """Show queries the leases of these places alone, with their outcomes and reference work.

        `loose_samples`: with the reference work that belongs to no lease.
        """
        chosen = f"select id from main.leases where place in ({', '.join(map(str, places))})"
        loose = " or lease is null" if loose_samples else ""
        shown = {"leases": "id", "outcomes": "lease", "reference": "lease"}
        for table, key in shown.items():
            where = f"{key} in ({chosen}){loose if table == 'reference' else ''}"
            self.db.execute(f"create temp view {table} as select * from main.{table} where {where}")
        asked = np.unique([puzzle for (puzzle,) in self.db.execute("select distinct puzzle from outcomes")])
        self.shown = [(int(run[0]), int(run[-1])) for run in np.split(asked, np.flatnonzero(np.diff(asked) > 1) + 1)]
        try:
            yield
        finally:
            self.shown = None
            for table in shown:
                self.db.execute(f"drop view temp.{table}")

    def update_verdicts(
        self, contender: int, repeat: int, puzzles: Int64Array, valid: Int32Array, verdict: Int8Array
    ) -> None:
        """Store changed numbers of valid solutions and verdicts of outcomes."""
        who = zip(verdict.tolist(), valid.tolist(), puzzles.tolist(), strict=True)
        with schema.transaction(self.db, self.path):
            self.db.executemany(
                "update main.outcomes set verdict = ?, valid = ? where puzzle = ? and contender = ? and repeat = ?",
                [(*row, contender, repeat) for row in who],
            )

    def began(self) -> int:
        """Return when the first lease began, in nanoseconds since the epoch; 0 if there is none or it is unknown."""
        return int(self.db.execute("select coalesce(min(began), 0) from leases").fetchone()[0])

    def repeats(self) -> int:
        """Return the number of repeats that have outcomes."""
        return int(self.db.execute("select coalesce(max(repeat) + 1, 0) from outcomes").fetchone()[0])

    def repeats_of(self, contender: int) -> int:
        """Return the number of repeats that have outcomes of a contender."""
        query = "select coalesce(max(repeat) + 1, 0) from outcomes where contender = ?"
        return int(self.db.execute(query, (contender,)).fetchone()[0])

    def columns(self, contender: int, *names: str, repeat: int | None = None) -> Columns:
        """Return columns of a contender's outcomes, by repeat and instance; NULL is -1. Numeric columns only."""
        where = "" if repeat is None else f"and repeat = {int(repeat)}"
        words = words_of(names)
        cursor = self.db.execute(
            f"select {', '.join(map(word_sql, words))} from outcomes where contender = ? {where}"
            " order by repeat, puzzle",
            (contender,),
        )
        parts: dict[str, list[npt.NDArray[Any]]] = {name: [np.empty(0, column_type(name))] for name in names}
        while len(flat := np.fromiter(chain.from_iterable(islice(cursor, FETCHED)), np.int64)):
            for word, values in zip(words, flat.reshape(-1, len(words)).T, strict=True):
                for name, column in split_word(word, values):
                    parts[name].append(column)
        return {name: np.concatenate(chunks) for name, chunks in parts.items()}

    def totals(self, contender: int, *names: str) -> dict[str, tuple[int, int] | None]:
        """Return sum and maximum of columns over a contender's outcomes; None where all are NULL."""
        parts = ", ".join(f"sum({n}), max({n})" for n in names)
        row = self.db.execute(f"select {parts} from outcomes where contender = ?", (contender,)).fetchone()
        pairs = zip(row[::2], row[1::2], strict=True)
        return {name: None if pair[0] is None else pair for name, pair in zip(names, pairs, strict=True)}

    def stored_outcomes(
        self, puzzle: int | None = None, measured: Sequence[str] = schema.MEASURED
    ) -> Iterator[Outcomes]:
        """Yield all outcomes, or one instance's, with domains, in chunks of instances of one problem and a contender.

        Those of problems stored compressed come last, by problem, so that each is loaded once. Columns of rows that are
        not in `measured` are 0.
        """
        who = [(c, r) for c in range(len(self.setups())) for r in range(self.repeats_of(c))]
        large = ", ".join(map(str, self.problems.compressed))
        if puzzle:
            chunks = self.instance_chunks(f"id = {int(puzzle)} order by id")
        else:
            small_first = (f"problem not in ({large}) order by id", f"problem in ({large}) order by problem, id")
            chunks = chain.from_iterable(map(self.instance_chunks, small_first))
        for problem, ids, domains in chunks:
            for contender, repeat in who:
                batch = Batch(contender, repeat, problem, ids, domains, len(ids))
                if found := self._stored_outcomes(batch, measured):
                    yield found

    def instance_chunks(self, where: str) -> Iterator[tuple[Problem, Int64Array, UInt64Array]]:
        """Yield problem, ids and domains of the instances that a condition selects, in runs of one problem."""
        rows = enumerate(self.db.execute(f"select id, problem, domains from puzzles where {where}"))
        for (problem_id, _), group in groupby(rows, key=lambda row: (row[1][1], row[1][0] - row[0])):
            problem = self.problems[problem_id]
            while chunk := list(islice(group, CHUNK)):
                ids, _, blobs = zip(*(row for _, row in chunk), strict=True)
                yield problem, np.array(ids, np.int64), self.domains(problem, blobs)

    def _stored_outcomes(self, asked: Batch, measured: Sequence[str]) -> Outcomes | None:
        """Return the stored outcomes of a batch of consecutive ids, None if there are none."""
        words = words_of(("puzzle", "proof", *measured))
        stored = self.db.execute(
            f"select {', '.join(map(word_sql, words))}, solutions from outcomes"
            " where contender = ? and repeat = ? and puzzle between ? and ? order by puzzle",
            (asked.contender, asked.repeat, int(asked.puzzles[0]), int(asked.puzzles[-1])),
        ).fetchall()
        if not stored:
            return None
        *values, blobs = zip(*stored, strict=True)
        split = (split_word(word, np.array(column, np.int64)) for word, column in zip(words, values, strict=True))
        columns = dict(chain.from_iterable(split))
        rows = np.zeros(len(stored), ROW)
        for name in measured:
            rows[name] = columns[name]
        if len(stored) < len(asked.puzzles):
            at = columns["puzzle"] - asked.puzzles[0]
            asked = replace(asked, puzzles=asked.puzzles[at], domains=asked.domains[at], cap=len(at))
        solutions = unpack_all(blobs, len(asked.problem.variables), rows["found"]).astype(index_type(asked.problem))
        return Outcomes(asked, rows, solutions, {}, proved=columns["proof"])

    def trouble(self, contender: int) -> list[Trouble]:
        """Return the distinct error messages, each the first line of a detail, by first instance."""
        query = (
            "select min(p.id), p.name, o.reason, o.detail, count(*) from outcomes o"
            " join puzzles p on p.id = o.puzzle where o.contender = ? and o.detail is not null"
            " group by o.detail order by 1"
        )
        found: dict[str, Trouble] = {}
        for _, name, reason, detail, times in self.db.execute(query, (contender,)):
            why, _, rest = detail.partition("\n")
            known = found.get(why, Trouble(name, Reason(reason), why, "", 0))
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

    def wrong_answers(self) -> list[tuple[int, int]]:
        """Return the distinct pairs of instance and contender with a wrong answer."""
        query = "select distinct puzzle, contender from outcomes where verdict = ? order by puzzle, contender"
        return list(self.db.execute(query, (int(Verdict.WRONG),)))

    def split_answers(self) -> list[tuple[int, int, int]]:
        """Return instance, contender and status of all answers to instances that some call satisfiable, some not.

        Refuted answers do not count. Each contender is named once for each of its answers.
        """
        answered = f"verdict in ({int(Verdict.CORRECT)}, {int(Verdict.UNCERTIFIED)}) and status != 0"
        split = f"select puzzle from outcomes where {answered} group by puzzle having min(status) != max(status)"
        query = f"select distinct puzzle, contender, status from outcomes where {answered} and puzzle in ({split})"
        return list(self.db.execute(f"{query} order by puzzle, contender, status"))

    def first_wrong(self, contender: int, puzzle: int) -> Wrong:
        """Return a contender's first wrong outcome on an instance, by repeat."""
        # the primary key finds an outcome only if its repeat is named too
        query = (
            "select status, found, valid, solutions from outcomes where contender = ? and puzzle = ? and verdict = ?"
            " and repeat in (select repeat from leases) order by repeat limit 1"
        )
        status, found, valid, blob = self.db.execute(query, (contender, puzzle, int(Verdict.WRONG))).fetchone()
        shown = unpack_solutions(blob, self.outline_of(puzzle).variables, found).tolist()
        return Wrong(status, found, valid, shown)

    def disputed(self) -> Int64Array:
        """Return the instances with an answer that is wrong or refutes the corpus."""
        query = "select distinct puzzle from outcomes where verdict in (?, ?)"
        found = self.db.execute(query, (int(Verdict.WRONG), int(Verdict.CORPUS_WRONG)))
        return np.fromiter((p for (p,) in found), np.int64)

    def right_solutions(self) -> Iterator[tuple[int, Solution]]:
        """Yield a valid solution of each instance that has one, by instance."""
        query = (
            "select o.puzzle, p.problem, o.solutions, o.found from outcomes o join puzzles p on p.id = o.puzzle"
            " where o.valid > 0 group by o.puzzle"
        )
        for i, problem, blob, found in self.db.execute(query):
            yield i, tuple(unpack_solutions(blob, self.problems.outlines[problem].variables, found)[0].tolist())

    def rows(self) -> Iterator[Row]:
        """Yield every outcome by contender, repeat and instance."""
        query = (
            "select p.id, k.name, p.name, c.name, c.version, o.repeat, o.verdict, o.valid, o.proof,"
            f" {', '.join('o.' + m for m in schema.MEASURED)}, o.detail, o.solutions, p.problem"
            " from outcomes o join puzzles p on p.id = o.puzzle join contenders c on c.id = o.contender"
            " join corpora k on k.id = p.corpus order by o.contender, o.repeat, o.puzzle"
        )
        found = schema.MEASURED.index("found")
        for row in self.db.execute(query):
            who, measured, (detail, blob, problem_id) = row[1:9], row[9:-3], row[-3:]
            problem = self.problems.outlines[problem_id]
            shown = unpack_solutions(blob, problem.variables, measured[found]).tolist()
            yield Row(row[0], who, measured, detail, shown, problem.values)


def column_type(name: str) -> type[Any]:
    """Return the element type of a column."""
    return COLUMN_TYPES.get(name, np.int64)


def words_of(names: Sequence[str]) -> list[dict[str, int]]:
    """Return the words to read for these columns, each as its columns and the first bit of each.

    The time that SQLite takes to return a row grows with its number of values, so narrow columns share one.
    """
    shared = [[name for name in columns if name in names] for columns in WORDS]
    alone = [[name] for name in names if not any(name in columns for columns in WORDS)]
    bits = [*WORDS.values(), *(64 for _ in alone)]
    found = zip([*shared, *alone], bits, strict=True)
    return [{name: i * width for i, name in enumerate(columns)} for columns, width in found if columns]


def word_sql(word: dict[str, int]) -> str:
    """Return the SQL expression of a word; NULL is -1."""
    value = {name: f"coalesce({name}, -1)" if name in NULLABLE else name for name in word}
    return " | ".join(f"({value[name]} << {shift})" if shift else value[name] for name, shift in word.items())


def split_word(word: dict[str, int], values: Int64Array) -> Iterator[tuple[str, npt.NDArray[Any]]]:
    """Yield name and values of each column of a word."""
    stops = [*list(word.values())[1:], 64]
    for (name, shift), stop in zip(word.items(), stops, strict=True):
        yield name, (values << 64 - stop >> 64 - stop + shift).astype(column_type(name))


def rows(lease: int, judged: Judged) -> Iterator[tuple[Any, ...]]:
    """Return judged outcomes as table rows."""
    outcomes = judged.outcomes
    batch, n = outcomes.batch, len(outcomes.rows)
    measured: list[list[Any]] = []
    for column in schema.MEASURED:
        values = outcomes.rows[column].tolist()
        measured.append([None if v < 0 else v for v in values] if column in schema.OPTIONAL else values)
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
    return zip(*who, *found, *measured, details, blobs, strict=True)


def pack_solutions(solutions: Solutions) -> npt.NDArray[Any]:
    """Return solutions in 8 bits per value if that is enough, else in 16 or 32."""
    most = int(solutions.max(initial=0))
    return solutions.astype(np.uint8 if most < 1 << 8 else np.uint16 if most < 1 << 16 else np.uint32)


def unpack_all(blobs: Sequence[bytes | None], variables: int, found: Int32Array) -> Solutions:
    """Return the stored solutions of several outcomes, one after another."""
    values = found * np.int64(variables)
    lengths = np.array([len(blob or b"") for blob in blobs], np.int64)
    widths = {width for width in (1, 2, 4) if (lengths == values * width).all()}
    if widths:  # mostly one for all, so that one step unpacks them
        return unpack_solutions(b"".join(blob or b"" for blob in blobs), variables, int(found.sum()))
    parts = zip(blobs, found.tolist(), strict=True)
    return np.concatenate([unpack_solutions(blob, variables, number) for blob, number in parts])


def unpack_solutions(blob: bytes | None, variables: int, found: int) -> Solutions:
    """Return stored solutions [found, variables] of any value width; those without variables have no blob."""
    if not blob:
        return np.empty((found, variables), np.uint16)
    size = len(blob) // max(variables * found, 1)
    raw = np.frombuffer(blob, {1: np.uint8, 2: np.uint16, 4: np.uint32}[size])
    shown: Solutions = (raw if size == 4 else raw.astype(np.uint16)).reshape(found, variables)
    return shown
