"""Corpora and instances in the journal: stored before the run, read back block by block."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain, groupby, islice
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np

from harness.model.lease import SHARD, Block, Part, Shard
from harness.model.merit import CorpusClaims, Merit, Stated
from harness.storing.connection import PARAMETERS, Connection
from harness.storing.problems import Outline
from harness.storing.rules import exact
from harness.storing.side_tables import MALFORMED
from puzzles.problem import Instance, Problem
from puzzles.problem.arrays import BoolArray, Int64Array, UInt16Array, UInt64Array
from puzzles.problem.columns import mask_type, pack_marks, packer, unpack, words
from puzzles.problem.values import Domains, Values
from puzzles.readers.malformed import MalformedFile

CHUNK = 1000  # instances per step
VALUE_CLAIM, BEST_KNOWN = 2, 3  # values of `at_least`: `known` is the optimum, or the value of some solution
SHARED_ROWS = PARAMETERS // 8  # in one statement, of eight columns each
CHUNK_DOMAINS = 1 << 18  # and no more domains, if instances have many


class StoredCorpus(NamedTuple):
    """Corpus: its id, its name in tables, and the path of its file or folder; None for standard input."""

    id: int
    name: str
    path: str | None


class ListedInstances(NamedTuple):
    """Names, positions in `sources`, and ids of the problems of all instances, by id."""

    names: list[str]
    corpora: Int64Array
    problems: Int64Array


class StoredMalformed(NamedTuple):
    """File that could not be read, with the name of its corpus."""

    corpus: str
    file: MalformedFile


class LoneRows:
    """Rows of the table of instances that are not inserted yet: those of lone instances share statements."""

    def __init__(self, journal: Connection) -> None:
        self.journal = journal
        self.parts: list[dict[str, list[Any]]] = []
        self.domains = 0  # number of domains in the rows

    def add(self, corpus: int, number: int, chunk: Sequence[Instance[Any]]) -> None:
        """Take instances of one problem; insert rows that are worth a statement."""
        if len(chunk) > 1:
            self.insert()
            self.journal.insert("puzzles", columns_of(corpus, number, chunk))
        elif chunk:
            self.parts.append(columns_of(corpus, number, chunk))
            self.domains += len(chunk[0].problem.variables)
            if len(self.parts) == SHARED_ROWS or self.domains > CHUNK_DOMAINS:
                self.insert()

    def insert(self) -> None:
        """Insert the rows that are held."""
        if self.parts:
            self.journal.insert_joined("puzzles", self.parts)
            self.parts, self.domains = [], 0


class Instances(Connection):
    """Corpora and instances of a journal. Instances have ids from 1, in the order read."""

    def add_corpus(
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
        with self.transaction():
            row = (name, None if path is None else json.dumps(path), digest)  # JSON: a path need not be UTF-8
            corpus = self.db.execute("insert into corpora values (null, ?, ?, ?)", row).lastrowid or 0
            count = self.add_instances(corpus, instances)
            texts = ((corpus, file.name, file.line, file.reason) for file in refused)
            self.db.executemany(f"insert into {MALFORMED} values (null, ?, ?, ?, ?)", texts)
        vars(self).pop("_counts", None)
        return count

    def add_instances(self, corpus: int, instances: Iterable[Instance[Any]]) -> int:
        """Store instances, consecutive ones of a problem together, and return their number.

        No earlier problem is in memory while an instance is read, but for that of the one before it.
        """
        chunk: list[Instance[Any]] = []
        problem, number, size, count = None, 0, 0, 0
        rows = LoneRows(self)

        for instance in instances:
            if instance.problem is not problem or len(chunk) == size:
                rows.add(corpus, number, chunk)
                chunk = []
                problem = instance.problem
                number = self.problems.number_of(problem)
                size = max(1, min(CHUNK, CHUNK_DOMAINS // max(1, len(problem.variables))))
            chunk.append(instance)
            count += 1
        rows.add(corpus, number, chunk)
        rows.insert()
        return count

    def corpora(self) -> list[tuple[str, int]]:
        """Return names and sizes of the corpora, in the order given."""
        sizes = Counter[int]()
        for corpus, _, n in self._counts:
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

    def listing(self) -> Iterator[tuple[str, int, int]]:
        """Yield name, position in `sources`, and id of the problem of every instance, by id."""
        names, corpora, problems = self.listed()
        return zip(names, corpora.tolist(), problems.tolist(), strict=True)

    def listed(self) -> ListedInstances:
        """Return the columns of `listing`."""
        rows = self.db.execute("select name, corpus, problem from puzzles order by id").fetchall()
        names, *numbers = zip(*rows, strict=True) if rows else ((), (), ())
        corpora, problems = (np.array(column, np.int64) for column in numbers)
        positions = np.searchsorted([corpus.id for corpus in self.sources()], corpora)
        return ListedInstances(list(names), positions, problems)

    def files(self) -> dict[str, str | None]:
        """Return the digest of each corpus file, by path."""
        found = self.db.execute("select path, digest from corpora where path is not null order by id")
        return {json.loads(path): digest for path, digest in found}

    def size(self) -> int:
        """Return the number of instances, which is also the highest id."""
        return self.max_id("puzzles")

    def shard(self) -> Shard:
        """Return the shard whose outcomes the journal holds; a whole run is shard 1 of 1."""
        return Shard(*self.fact(SHARD, ()))

    def parts(self) -> list[Part]:
        """Return the instances of the journal: all, but for a shard, or where queries are restricted."""
        return self.shown if self.shown is not None else self.shard().parts(self.size())

    def problem_counts(self) -> list[tuple[Outline, int]]:
        """Return the outline of each problem and its number of instances."""
        return [(self.problems.outlines[i], n) for i, n in self._problem_counts.items()]

    def counted_problems(self) -> Iterator[tuple[Problem, int]]:
        """Yield each problem and its number of instances."""
        return ((self.problems[i], n) for i, n in self._problem_counts.items())

    @property
    def _problem_counts(self) -> Counter[int]:
        """Number of instances of each problem, in order of their first instances."""
        found = Counter[int]()
        for _, problem, n in self._counts:
            found[problem] += n
        return found

    @cached_property
    def _counts(self) -> list[tuple[int, int, int]]:
        """Corpus, problem, and number of instances of both, in order of their first instances."""
        return list(
            self.db.execute("select corpus, problem, count(*) from puzzles group by corpus, problem order by min(id)")
        )

    @cached_property
    def lone_problems(self) -> frozenset[int]:
        """Numbers of the problems with a single instance, once all corpora are stored."""
        return frozenset(i for i, n in self._problem_counts.items() if n == 1)

    def sizes_of_lone_problems(self) -> dict[int, float]:
        """Return the stored size of the problem of each instance that shares it with no other, by instance."""
        query = "select z.id, z.problem, length(p.content) from puzzles z join problems p on p.id = z.problem"
        lone = self.lone_problems
        return {i: float(size) for i, problem, size in self.db.execute(query) if problem in lone} if lone else {}

    def domains(self, problem: Problem, blobs: Sequence[bytes]) -> UInt64Array:
        """Return stored domains as uint64[n, variables, words]."""
        kind = mask_type(problem.values)
        found = np.frombuffer(b"".join(blobs), kind).reshape(len(blobs), len(problem.variables), words(problem))
        if (found[:, :, -1:] >> kind((len(problem.values) - 1) % 64) > 1).any():
            raise self.damaged("a domain has a value that its problem lacks")
        return found.astype(np.uint64)

    def block(self, number: int, first: int, last: int) -> Block:
        """Return the block of instances `first` to `last`, cut where another problem begins."""
        query = "select problem, domains from puzzles where id between ? and ? order by id"
        problem, rows = next(groupby(self.db.execute(query, (first, last)), itemgetter(0)))
        blobs, found = [blob for _, blob in rows], self.problems[problem]
        ids = np.arange(first, first + len(blobs))
        return Block(number, found, ids, self.domains(found, blobs), alone=problem in self.lone_problems)

    def outline_of(self, number: int) -> Outline:
        """Return the outline of the problem of an instance."""
        return self.problems.outlines[self.problem_of(number)]

    def problem_ids(self) -> Int64Array:
        """Return the id of the problem of every instance, by id."""
        return np.fromiter(chain.from_iterable(self.db.execute("select problem from puzzles order by id")), np.int64)

    def problem_of(self, number: int) -> int:
        """Return the id of the problem of an instance."""
        return int(self.db.execute("select problem from puzzles where id = ?", (number,)).fetchone()[0])

    def puzzle(self, number: int) -> Instance[Any]:
        """Return an instance by its id."""
        (found,) = self.puzzles([number])
        return found

    def puzzles(self, numbers: Sequence[int]) -> list[Instance[Any]]:
        """Return instances by their ids, of which there are at most CHUNK."""
        query = (
            "select problem, id, domains, name, solution, known, at_least from puzzles"
            f" where id in ({', '.join(map(str, map(int, numbers)))}) order by problem"
        )
        found = dict[int, Instance[Any]]()
        for number, rows in groupby(self.db.execute(query), itemgetter(0)):
            problem = self.problems[number]
            _, ids, blobs, *columns = zip(*rows, strict=True)
            every = zip(ids, unpack(self.domains(problem, blobs)), *columns, strict=True)
            found |= {i: restored(problem, *row) for i, *row in every}
        return [found[i] for i in numbers]

    def name(self, number: int) -> str:
        """Return the name of an instance, FILE:LINE."""
        return str(self.db.execute("select name from puzzles where id = ?", (number,)).fetchone()[0])

    def claims(self) -> CorpusClaims:
        """Return the claimed merits, by id: numbers of solutions, or values; at least that of a claimed solution."""
        query = (
            "select id, coalesce(known, 1), at_least or known is null from puzzles"
            f" where (known is not null or solution is not null) and at_least < {VALUE_CLAIM}"
        )
        rows, n = self.db.execute(query).fetchall(), self.size() + 1
        claims = CorpusClaims(Stated.of_counts({i: known for i, known, _ in rows}, n), np.zeros(n, np.bool_))
        claims.at_least[[i for i, _, lower in rows if lower]] = True
        if values := self.db.execute(
            f"select id, known, at_least from puzzles where at_least >= {VALUE_CLAIM}"
        ).fetchall():
            at = np.array([i for i, _, _ in values])
            claims.stated.put(at, Merit.of_values([int(known) for _, known, _ in values]))
            claims.at_least[at] = [kind == BEST_KNOWN for _, _, kind in values]
        return claims

    @cached_property
    def objectives(self) -> BoolArray:
        """True for each instance with an objective: bool[size + 1], by id, when all corpora are stored."""
        having = [i for i, outline in self.problems.outlines.items() if outline.objective]
        found = np.zeros(self.size() + 1, np.bool_)
        if having:
            found[1:] = np.isin(self.problem_ids(), having)
        return found

    @cached_property
    def known_values(self) -> BoolArray:
        """True for each instance of which the corpus claims the value of a solution, by id."""
        found = np.zeros(self.size() + 1, np.bool_)
        for (i,) in self.db.execute(f"select id from puzzles where at_least >= {VALUE_CLAIM}"):
            found[i] = True
        return found

    @property
    def has_objectives(self) -> bool:
        """True if some instance has an objective."""
        return any(outline.objective for outline in self.problems.outlines.values())

    def claimed_solutions(self) -> Iterator[tuple[Problem, Int64Array, UInt64Array, UInt16Array]]:
        """Yield problem, ids, domains and solutions claimed by corpora, in chunks of one problem."""
        query = "select id, problem, domains, solution from puzzles where solution is not null order by id"
        for problem_id, group in groupby(self.db.execute(query), key=lambda row: row[1]):
            problem = self.problems[problem_id]
            while chunk := list(islice(group, CHUNK)):
                ids = np.array([row[0] for row in chunk], np.int64)
                solutions = np.stack([unpack_claim(problem, row[3]) for row in chunk])
                yield problem, ids, self.domains(problem, [row[2] for row in chunk]), solutions

    def contents(self) -> Iterator[tuple[int, str, str, bytes]]:
        """Yield id, name, digest of the problem, and stored domains of every instance, by id."""
        digests = {number: digest for (_, digest), number in self.problems.numbers.items()}
        for i, name, problem, domains in self.db.execute("select id, name, problem, domains from puzzles order by id"):
            yield i, name, digests[problem], domains

    def claim_rows(self) -> Iterator[tuple[Any, ...]]:
        """Yield the stored claims of every instance, by id."""
        return iter(self.db.execute("select known, at_least, solution from puzzles order by id"))


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


def claim_columns(problem: Problem, instances: Sequence[Instance[Any]]) -> dict[str, list[Any]]:
    """Return the stored claims of instances of one problem: numbers, and their meanings."""
    if problem.objective is None:
        return {"known": [p.count for p in instances], "at_least": [p.at_least for p in instances]}
    known, meaning = zip(*map(claim_cells, instances), strict=True)
    return {"known": list(known), "at_least": list(meaning)}


def claim_cells(instance: Instance[Any]) -> tuple[int | bytes | None, int]:
    """Return the stored claim of an instance with an objective: a number, and its meaning.

    The claim that there is a solution is one of a value that all solutions have.
    """
    goal, value, at_least = instance.problem.objective, instance.optimum, instance.at_least
    if goal is None or (value is None and not instance.count):
        return instance.count, int(at_least)
    if value is None:
        value, at_least = goal.bounds(instance.domains, instance.problem)[1], True
    shown = exact(value)
    return shown.encode() if isinstance(shown, str) else shown, BEST_KNOWN if at_least else VALUE_CLAIM


def packed(problem: Problem, instances: Sequence[Instance[Any]]) -> list[bytes]:
    """Return the domains of instances of one problem in stored form."""
    masks = instances[0].masks
    if masks is None or words(problem) > 1 or any(p.masks is not masks for p in instances):
        return list(map(packer(problem, mask_type(problem.values)), (p.domains for p in instances)))
    column = pack_marks(problem, masks, "".join(p.marks for p in instances))
    data, size = column.tobytes(), column[0].nbytes
    return [data[at : at + size] for at in range(0, len(data), size)]


def claim_type(values: Values) -> type[np.unsignedinteger[Any]]:
    """Return the type of the value indices in a stored claim, for a problem with these values."""
    return np.uint16 if len(values) < 1 << 16 else np.uint32


def restored(
    problem: Problem, domains: Domains, name: str, solution: bytes | None, known: int | None, at_least: int
) -> Instance[Any]:
    """Return an instance from its row."""
    claim = None if solution is None else tuple(unpack_claim(problem, solution).tolist())
    if at_least >= VALUE_CLAIM:
        return Instance(name, problem, domains, None, at_least == BEST_KNOWN, claim, optimum=int(known or 0))
    return Instance(name, problem, domains, known, bool(at_least), claim)


def unpack_claim(problem: Problem, blob: bytes) -> UInt16Array:
    """Return a stored solution, one value per variable."""
    found: UInt16Array = np.frombuffer(blob, claim_type(problem.values))
    return found
