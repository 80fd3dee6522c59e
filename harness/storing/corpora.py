"""Corpora in the journal: their files, and their instances, which are stored before the run."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from harness.storing.claims import claim_columns, claim_type
from harness.storing.connection import PARAMETERS, Connection
from harness.storing.problems import Problems
from harness.storing.side_tables import MALFORMED
from puzzles.problem import Instance, Problem
from puzzles.problem.arrays import Int64Array
from puzzles.problem.columns import mask_type, pack_marks, packer, words
from puzzles.readers.malformed import MalformedFile

CHUNK = 1000  # instances per step
SHARED_ROWS = PARAMETERS // 8  # in one statement, of eight columns each
CHUNK_DOMAINS = 1 << 18  # and no more domains, if instances have many


class StoredCorpus(NamedTuple):
    """Corpus: its id, its name in tables, and the path of its file or folder; None for standard input."""

    id: int
    name: str
    path: str | None


class StoredMalformed(NamedTuple):
    """File that could not be read, with the name of its corpus."""

    corpus: str
    file: MalformedFile


class LoneRows:
    """Rows of the table of instances that are not inserted yet: those of lone instances share statements."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.parts: list[dict[str, list[Any]]] = []
        self.domains = 0  # number of domains in the rows

    def add(self, corpus: int, number: int, chunk: Sequence[Instance[Any]]) -> Sequence[bytes]:
        """Take instances of one problem; insert rows that are worth a statement. Return their stored domains."""
        if not chunk:
            return ()
        columns = columns_of(corpus, number, chunk)
        if len(chunk) > 1:
            self.insert()
            self.connection.insert("puzzles", columns)
        else:
            self.parts.append(columns)
            self.domains += len(chunk[0].problem.variables)
            if len(self.parts) == SHARED_ROWS or self.domains > CHUNK_DOMAINS:
                self.insert()
        return columns["domains"]

    def insert(self) -> None:
        """Insert the pending rows."""
        if self.parts:
            self.connection.insert_joined("puzzles", self.parts)
            self.parts, self.domains = [], 0


class Corpora:
    """Corpora of a journal, in the order given."""

    def __init__(self, connection: Connection, problems: Problems) -> None:
        self.connection, self.db, self.problems = connection, connection.db, problems
        self.boards: list[tuple[Int64Array, Int64Array]] = []  # ids of those added, and hashes of their content

    def add(
        self,
        name: str,
        instances: Iterable[Instance[Any]],
        path: str | None = None,
        digest: str | None = None,
        refused: Sequence[MalformedFile] = (),
    ) -> int:
        """Store a streamed corpus in one transaction, with path and digest of its file; return its size.

        `refused` has the files that could not be read when the stream has ended.
        """
        with self.connection.transaction():
            row = (name, None if path is None else json.dumps(path), digest)  # JSON: a path need not be UTF-8
            corpus = self.db.execute("insert into corpora values (null, ?, ?, ?)", row).lastrowid or 0
            count = self.add_instances(corpus, instances)
            texts = ((corpus, file.name, file.line, file.reason) for file in refused)
            self.db.executemany(f"insert into {MALFORMED} values (null, ?, ?, ?, ?)", texts)
        vars(self).pop("counts", None)
        return count

    def add_instances(self, corpus: int, instances: Iterable[Instance[Any]]) -> int:
        """Store instances, consecutive ones of a problem together, and return their number.

        No earlier problem is in memory while an instance is read, but for that of the one before it.
        """
        chunk: list[Instance[Any]] = []
        problem, number, size, count = None, 0, 0, 0
        rows, before = LoneRows(self.connection), self.connection.max_id("puzzles")

        for instance in instances:
            if instance.problem is not problem or len(chunk) == size:
                self.keep(before + count, rows.add(corpus, number, chunk), problem)
                chunk = []
                problem = instance.problem
                number = self.problems.number_of(problem)
                size = max(1, min(CHUNK, CHUNK_DOMAINS // max(1, len(problem.variables))))
            chunk.append(instance)
            count += 1
        self.keep(before + count, rows.add(corpus, number, chunk), problem)
        rows.insert()
        return count

    def keep(self, last: int, stored: Sequence[bytes], problem: Problem | None) -> None:
        """Keep hashes of the stored domains of boards up to the id `last`."""
        if problem is not None and problem.shared and stored:
            hashes = np.fromiter(map(hash, stored), np.int64, len(stored))
            self.boards.append((np.arange(last - len(stored), last) + 1, hashes ^ hash(problem.digest)))

    def repeated(self) -> Iterator[tuple[int, int]]:
        """Yield the id of each board added that is equal to an earlier one by content, and that of the first one."""
        if self.boards:
            ids, keys = map(np.concatenate, zip(*self.boards, strict=True))
            _, first, group = np.unique(keys, return_index=True, return_inverse=True)
            firsts = ids[first[group]]
            again = firsts != ids
            yield from zip(ids[again].tolist(), firsts[again].tolist(), strict=True)

    def sizes(self) -> list[tuple[str, int]]:
        """Return names and sizes of the corpora, in the order given."""
        sizes = Counter[int]()
        for corpus, _, n in self.counts:
            sizes[corpus] += n
        return [(corpus.name, sizes[corpus.id]) for corpus in self.sources()]

    def malformed(self) -> list[StoredMalformed]:
        """Return the files that could not be read, in the order read."""
        query = f"select c.name, m.name, m.line, m.reason from {MALFORMED} m join corpora c on c.id = m.corpus"
        rows = self.db.execute(f"{query} order by m.id").fetchall()
        return [StoredMalformed(corpus, MalformedFile(*file)) for corpus, *file in rows]

    def sources(self) -> list[StoredCorpus]:
        """Return the corpora, in the order given."""
        found = self.db.execute("select id, name, path from corpora order by id")
        return [StoredCorpus(i, name, None if path is None else json.loads(path)) for i, name, path in found]

    def files(self) -> dict[str, str | None]:
        """Return the digest of each corpus file, by path."""
        found = self.db.execute("select path, digest from corpora where path is not null order by id")
        return {json.loads(path): digest for path, digest in found}

    @cached_property
    def counts(self) -> list[tuple[int, int, int]]:
        """Corpus, problem, and number of instances of both, in order of their first instances."""
        return list(
            self.db.execute("select corpus, problem, count(*) from puzzles group by corpus, problem order by min(id)")
        )


def columns_of(corpus: int, number: int, instances: Sequence[Instance[Any]]) -> dict[str, list[Any]]:
    """Return instances of one problem as columns by name, in the order of the table's columns."""
    n, problem = len(instances), instances[0].problem
    kind = claim_type(problem.values)
    claims = [None if p.solution is None else np.array(p.solution, kind).tobytes() for p in instances]
    return {
        "id": [None] * n,
        "corpus": [corpus] * n,
        "name": [p.name for p in instances],
        "problem": [number] * n,
        "domains": packed(problem, instances),
        **claim_columns(problem, instances),
        "solution": claims,
    }


def packed(problem: Problem, instances: Sequence[Instance[Any]]) -> list[bytes]:
    """Return the domains of instances of one problem in stored form."""
    masks = instances[0].masks
    if masks is None or words(problem) > 1 or any(p.masks is not masks for p in instances):
        return list(map(packer(problem, mask_type(problem.values)), (p.domains for p in instances)))
    column = pack_marks(problem, masks, "".join(p.marks for p in instances))
    data, size = column.tobytes(), column[0].nbytes
    return [data[at : at + size] for at in range(0, len(data), size)]
