"""The result of a run: a SQLite file (WAL), written in batches, whole after a crash. docs/journal.md has the schema.

Puzzles go in first, so bad input is found before anything is solved, and the run reads them back block by block: a
million puzzles need no more memory than a thousand. Everything to the right of the journal is a function of it. What
goes in and what comes out stand side by side here, since each reads what the other wrote; that makes this a long file.
"""

import json
import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from itertools import groupby, islice
from pathlib import Path
from typing import Any, Self

import numpy as np

from backends.answer import Int8Array, Int32Array, Int64Array, UInt64Array
from harness.model.claims import CorpusClaims
from harness.model.contender import Contender
from harness.model.lease import Block
from harness.model.outcome import NO_PROOF, ROW, Batch, Judged, Outcomes
from harness.storing import schema
from puzzles.columns import pack, words
from puzzles.layout import Layout, Puzzle

PENDING = 2000  # outcomes between commits
PATIENCE = 1.0  # seconds between commits


class Journal:
    """An open journal. Layouts are shared objects: a puzzle read back has the same layout as its neighbours."""

    def __init__(self, path: Path, db: sqlite3.Connection) -> None:
        self.path, self.db = path, db
        self.layouts: dict[int, Layout] = {}
        self.pending: list[tuple[Any, ...]] = []
        self.committed = time.monotonic()

    @classmethod
    def create(cls, path: Path) -> Self:
        """A new journal. Raises BadUsage."""
        return cls(path, schema.created(path))

    @classmethod
    def open(cls, path: Path, write: bool = False) -> Self:
        """An existing journal. Raises BadUsage."""
        journal = cls(path, schema.opened(path, write))
        for i, name, squares, values, units in journal.db.execute("select * from layouts"):
            parts = (tuple(json.loads(squares)), tuple(json.loads(values)), tuple(map(tuple, json.loads(units))))
            journal.layouts[i] = Layout(name, *parts)
        return journal

    def put(self, **meta: Any) -> None:
        """Store facts about the run."""
        rows = [(key, json.dumps(value)) for key, value in meta.items()]
        with schema.one_line(self.path):
            self.db.executemany("insert or replace into meta values (?, ?)", rows)

    def meta(self) -> dict[str, Any]:
        """All facts about the run."""
        return {key: json.loads(value) for key, value in self.db.execute("select key, value from meta")}

    def add_contenders(self, contenders: Sequence[Contender]) -> None:
        rows = [(i, c.name, json.dumps(asdict(c)), c.version, None) for i, c in enumerate(contenders)]
        with schema.one_line(self.path):
            self.db.executemany("insert into contenders values (?, ?, ?, ?, ?)", rows)

    def contenders(self) -> list[Contender]:
        """Those who take part, by number."""
        found = self.db.execute("select fields, version from contenders order by id")
        return [Contender(**json.loads(fields) | {"version": version}) for fields, version in found]

    def named(self) -> list[Contender]:
        """Those who take part, as the command line named them: without what only their workers could tell."""
        return [
            Contender(**json.loads(text)) for (text,) in self.db.execute("select fields from contenders order by id")
        ]

    def set_opened(self, contender: int, version: str, setup: int) -> None:
        """What only the worker could tell."""
        with schema.one_line(self.path):
            self.db.execute("update contenders set version = ?, setup = ? where id = ?", (version, setup, contender))

    def setups(self) -> list[int | None]:
        """Nanoseconds of setup by contender."""
        return [setup for (setup,) in self.db.execute("select setup from contenders order by id")]

    def add_puzzles(self, corpus: str, puzzles: Iterable[Puzzle]) -> int:
        """Store a corpus, streaming, all of it or nothing; how many."""
        ids: dict[int, tuple[int, Layout]] = {}
        count, rest = 0, iter(puzzles)
        with schema.one_line(self.path):
            self.db.execute("begin")
            try:
                while chunk := list(islice(rest, 1000)):
                    count += len(chunk)
                    for layout, group in groupby(chunk, lambda p: p.problem):
                        rows = self.stored(corpus, self.layout_id(layout, ids), list(group))
                        self.db.executemany("insert into puzzles values (null, ?, ?, ?, ?, ?, ?, ?)", rows)
                self.db.execute("commit")
            except BaseException:
                if self.db.in_transaction:  # SQLite ends it by itself where the disk is full
                    self.db.execute("rollback")
                raise
        return count

    def layout_id(self, layout: Layout, ids: dict[int, tuple[int, Layout]]) -> int:
        """The id of a layout, stored once however many objects have its content."""
        if id(layout) not in ids:
            same = (i for i, known in self.layouts.items() if known.key == layout.key)
            number = next(same, None)
            if number is None:
                number = len(self.layouts) + 1
                self.layouts[number] = layout
                parts = (json.dumps(layout.squares), json.dumps(layout.values), json.dumps(layout.units))
                self.db.execute("insert into layouts values (?, ?, ?, ?, ?)", (number, layout.name, *parts))
            ids[id(layout)] = (number, layout)  # the layout is kept, so that its id stays its own
        return ids[id(layout)][0]

    def stored(self, corpus: str, layout: int, puzzles: list[Puzzle]) -> Iterator[tuple[Any, ...]]:
        """Rows of the puzzles table, but for the id; all puzzles are of one layout."""
        board = puzzles[0].problem
        domains = pack(board, [p.domains for p in puzzles]).astype(schema.narrow(board))
        for p, masks in zip(puzzles, domains, strict=True):
            solution = None if p.solution is None else np.array(p.solution, np.uint16).tobytes()
            yield corpus, p.name, layout, masks.tobytes(), p.count, p.at_least, solution

    def corpora(self) -> list[tuple[str, int]]:
        """Names and sizes, in the order given."""
        return list(self.db.execute("select corpus, count(*) from puzzles group by corpus order by min(id)"))

    def size(self) -> int:
        """How many puzzles; their ids are 1 to this."""
        return int(self.db.execute("select coalesce(max(id), 0) from puzzles").fetchone()[0])

    def layout_counts(self) -> list[tuple[Layout, int]]:
        """Each layout and how many puzzles it has."""
        found = self.db.execute("select layout, count(*) from puzzles group by layout order by min(id)")
        return [(self.layouts[i], n) for i, n in found]

    def domains(self, layout: Layout, blobs: Sequence[bytes]) -> UInt64Array:
        """Stored domains as uint64[n, squares, words]."""
        flat = np.frombuffer(b"".join(blobs), schema.narrow(layout)).astype(np.uint64)
        return flat.reshape(len(blobs), len(layout.squares), words(layout))

    def blocks(self, size: "dict[int, int]") -> Iterator[Block]:
        """Neighbouring puzzles of one layout, at most size[layout id] of them."""
        at, last = 1, self.size()
        while at <= last:
            layout = self.db.execute("select layout from puzzles where id = ?", (at,)).fetchone()[0]
            found = self.db.execute(
                "select id, layout, domains from puzzles where id >= ? and id < ? order by id", (at, at + size[layout])
            )
            rows = []
            for row in found:
                if row[1] != layout:
                    break
                rows.append(row)
            ids = np.array([row[0] for row in rows], np.int64)
            yield Block(self.layouts[layout], ids, self.domains(self.layouts[layout], [row[2] for row in rows]))
            at = rows[-1][0] + 1

    def puzzle(self, number: int) -> Puzzle:
        """One puzzle by its id."""
        row = self.db.execute(
            "select name, layout, domains, known, at_least, solution from puzzles where id = ?", (number,)
        )
        name, layout_id, blob, known, at_least, solution = row.fetchone()
        layout = self.layouts[layout_id]
        masks = self.domains(layout, [blob])[0].tolist()
        domains = tuple(sum(word << 64 * w for w, word in enumerate(cell)) for cell in masks)
        claim = None if solution is None else tuple(np.frombuffer(solution, np.uint16).tolist())
        return Puzzle(name, layout, domains, known, bool(at_least), claim)

    def known(self) -> CorpusClaims:
        """What the corpora claim, by puzzle id; a claimed solution alone claims one at least."""
        n = self.size() + 1
        count, at_least = np.full(n, -1, np.int32), np.zeros(n, np.bool_)
        query = (
            "select id, known, at_least, solution is not null from puzzles"
            " where known is not null or solution is not null"
        )
        for i, known, lower, solved in self.db.execute(query):
            count[i] = known if known is not None else 1
            at_least[i] = lower or (known is None and solved)
        return CorpusClaims(count, at_least)

    def add(self, judged: Judged) -> None:
        """Store outcomes; they are committed every so many, or every so often."""
        outcomes = judged.outcomes
        rows, batch = outcomes.rows, outcomes.batch
        n = len(rows)
        measured: list[list[Any]] = []
        for column in schema.MEASURED:
            values = rows[column].tolist()
            if column in schema.OPTIONAL:
                values = [None if v < 0 else v for v in values]
            measured.append(values)
        kind = np.uint8 if outcomes.solutions.max(initial=0) < 256 else np.uint16
        blob = outcomes.solutions.astype(kind).tobytes()
        wide = outcomes.solutions.shape[1] * kind().itemsize
        ends = (np.cumsum(rows["found"]) * wide).tolist()
        blobs = [blob[a:b] or None for a, b in zip([0, *ends[:-1]], ends, strict=True)]
        details = [outcomes.details.get(i) for i in range(n)] if outcomes.details else [None] * n
        who = ([batch.contender] * n, [batch.repeat] * n, batch.puzzles.tolist())
        proof = [None if p == NO_PROOF else p for p in judged.proof.tolist()]
        found = (judged.verdict.tolist(), judged.valid.tolist(), proof)
        self.pending += zip(*who, *found, *measured, details, blobs, strict=True)
        if len(self.pending) >= PENDING or time.monotonic() - self.committed > PATIENCE:
            self.commit()

    def commit(self) -> None:
        """Write what is pending, as one transaction."""
        with schema.one_line(self.path):
            self.db.execute("begin")
            try:
                self.db.executemany(schema.INSERT, self.pending)
                self.db.execute("commit")
            except BaseException:
                if self.db.in_transaction:
                    self.db.execute("rollback")
                raise
        self.pending.clear()
        self.committed = time.monotonic()

    def revise(self, contender: int, repeat: int, puzzles: Int64Array, valid: Int32Array, verdict: Int8Array) -> None:
        """Store what the judge says now of outcomes of which it said something else."""
        who = zip(verdict.tolist(), valid.tolist(), puzzles.tolist(), strict=True)
        with schema.one_line(self.path):
            self.db.execute("begin")
            self.db.executemany(
                "update outcomes set verdict = ?, valid = ? where puzzle = ? and contender = ? and repeat = ?",
                [(*row, contender, repeat) for row in who],
            )
            self.db.execute("commit")

    def done(self, contender: int, repeat: int) -> Int64Array:
        """The puzzles that have an outcome, ascending."""
        found = self.db.execute(
            "select puzzle from outcomes where contender = ? and repeat = ? order by puzzle", (contender, repeat)
        )
        return np.fromiter((p for (p,) in found), np.int64)

    def repeats(self) -> int:
        """How many repeats have outcomes."""
        return int(self.db.execute("select coalesce(max(repeat) + 1, 0) from outcomes").fetchone()[0])

    def columns(self, contender: int, *names: str, repeat: int | None = None) -> dict[str, Int64Array]:
        """Columns of a contender's outcomes, by repeat and puzzle; NULL is -1. No solutions and no texts."""
        where = "" if repeat is None else f"and repeat = {int(repeat)}"
        cursor = self.db.execute(
            f"select {', '.join(f'coalesce({n}, -1)' for n in names)} from outcomes"
            f" where contender = ? {where} order by repeat, puzzle",
            (contender,),
        )
        parts = []
        while chunk := cursor.fetchmany(50_000):
            parts.append(np.array(chunk, np.int64))
        table = np.concatenate(parts) if parts else np.empty((0, len(names)), np.int64)
        return {name: table[:, i] for i, name in enumerate(names)}

    def stored_outcomes(self, chunk: int = 2000, puzzle: int | None = None) -> Iterator[Outcomes]:
        """All outcomes, or a puzzle's, with their boards, in chunks of one contender, repeat and layout."""
        query = (
            f"select o.contender, o.repeat, p.problem, o.puzzle, p.domains, o.solutions, coalesce(o.proof, {NO_PROOF}),"
            f" {', '.join('o.' + c for c in schema.MEASURED)}"
            f" from outcomes o join puzzles p on p.id = o.puzzle{' where o.puzzle = ?' if puzzle else ''}"
            " order by o.contender, o.repeat, o.puzzle"
        )
        rows: list[tuple[Any, ...]] = []
        for row in self.db.execute(query, (puzzle,) if puzzle else ()):
            if rows and (row[:3] != rows[0][:3] or len(rows) == chunk):
                yield self.restored(rows)
                rows = []
            rows.append(row)
        if rows:
            yield self.restored(rows)

    def restored(self, stored: list[tuple[Any, ...]]) -> Outcomes:
        """Stored outcomes as columns again."""
        contender, repeat, layout_id = stored[0][:3]
        layout = self.layouts[layout_id]
        rows = np.zeros(len(stored), ROW)
        for i, column in enumerate(schema.MEASURED):
            rows[column] = [-1 if row[7 + i] is None else row[7 + i] for row in stored]
        squares = len(layout.squares)
        parts = [
            np.frombuffer(row[5], np.uint8 if len(row[5]) == squares * found else np.uint16).astype(np.uint16)
            for row, found in zip(stored, rows["found"].tolist(), strict=True)
            if row[5]
        ]
        solutions = np.concatenate(parts) if parts else np.empty(0, np.uint16)
        ids = np.array([row[3] for row in stored], np.int64)
        domains = self.domains(layout, [row[4] for row in stored])
        batch = Batch(contender, repeat, layout, ids, domains, len(ids))
        proved = np.array([row[6] for row in stored], np.int8)
        return Outcomes(batch, rows, solutions.reshape(-1, squares), {}, proved=proved)

    def discard(self) -> None:
        """Close and remove a journal that was not even filled."""
        self.db.close()
        for suffix in ("", "-wal", "-shm"):
            self.path.with_name(self.path.name + suffix).unlink(missing_ok=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Close; the write-ahead log is folded in. What is pending was committed by whoever added it."""
        schema.closed(self.db)
