"""Instances in the journal, read back block by block. Their ids begin with 1, in the order read."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import chain, groupby, pairwise
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np

from harness.model.lease import SHARD, Block, Part, Shard
from harness.storing.claims import restored
from harness.storing.connection import Connection
from harness.storing.corpora import Corpora
from harness.storing.facts import RunFacts
from harness.storing.problems import Outline, Problems
from harness.storing.selection import OutcomeSelection
from puzzles.labels import QUERIES
from puzzles.problem import Instance, Problem
from puzzles.problem.arrays import BoolArray, Int64Array, UInt64Array
from puzzles.problem.columns import unpack

CHUNK = 2000  # instances per step


class ListedInstances(NamedTuple):
    """Names, positions in `sources`, and ids of the problems of all instances, by id."""

    names: list[str]
    corpora: Int64Array
    problems: Int64Array


class Instances:
    """Instances of a journal."""

    def __init__(
        self, connection: Connection, problems: Problems, facts: RunFacts, corpora: Corpora, selection: OutcomeSelection
    ) -> None:
        self.connection, self.db, self.problems = connection, connection.db, problems
        self.facts, self.corpora, self.selection = facts, corpora, selection

    def listing(self) -> Iterator[tuple[str, int, int]]:
        """Yield name, position in `sources`, and id of the problem of every instance, by id."""
        names, corpora, problems = self.listed()
        return zip(names, corpora.tolist(), problems.tolist(), strict=True)

    def listed(self) -> ListedInstances:
        """Return the columns of `listing`."""
        rows = self.db.execute("select name, corpus, problem from puzzles order by id").fetchall()
        names, *numbers = zip(*rows, strict=True) if rows else ((), (), ())
        corpora, problems = (np.array(column, np.int64) for column in numbers)
        positions = np.searchsorted([corpus.id for corpus in self.corpora.sources()], corpora)
        return ListedInstances(list(names), positions, problems)

    def size(self) -> int:
        """Return the number of instances, which is also the highest id."""
        return self.connection.max_id("puzzles")

    def shard(self) -> Shard:
        """Return the shard whose outcomes the journal holds; a whole run is shard 1 of 1."""
        return Shard(*self.facts.get(SHARD, ()))

    def parts(self) -> list[Part]:
        """Return the ranges of the journal's instances: fewer than the run's in a shard or a restricted query."""
        return self.selection.shown if self.selection.shown is not None else self.shard().parts(self.size())

    def problem_counts(self) -> list[tuple[Outline, int]]:
        """Return the outline of each problem and its number of instances."""
        return [(self.problems.outlines[i], n) for i, n in self.numbers_by_problem.items()]

    def counted_problems(self) -> Iterator[tuple[Problem, int]]:
        """Yield each problem and its number of instances."""
        return ((self.problems[i], n) for i, n in self.numbers_by_problem.items())

    @property
    def numbers_by_problem(self) -> Counter[int]:
        """Number of instances of each problem, in order of their first instances."""
        found = Counter[int]()
        for _, problem, n in self.corpora.counts:
            found[problem] += n
        return found

    @cached_property
    def lone_problems(self) -> frozenset[int]:
        """Numbers of the problems with a single instance, once all corpora are stored."""
        return frozenset(i for i, n in self.numbers_by_problem.items() if n == 1)

    def sizes_of_lone_problems(self) -> dict[int, float]:
        """Return the stored size of the problem of each instance that shares it with no other, by instance."""
        query = "select z.id, z.problem, length(p.content) from puzzles z join problems p on p.id = z.problem"
        lone = self.lone_problems
        return {i: float(size) for i, problem, size in self.db.execute(query) if problem in lone} if lone else {}

    def block(self, number: int, first: int, last: int) -> Block:
        """Return the block of instances `first` to `last`, cut where another problem begins."""
        query = "select problem, domains from puzzles where id between ? and ? order by id"
        problem, rows = next(groupby(self.db.execute(query, (first, last)), itemgetter(0)))
        blobs, found = [blob for _, blob in rows], self.problems[problem]
        ids = np.arange(first, first + len(blobs))
        return Block(number, found, ids, self.problems.domains(found, blobs), alone=problem in self.lone_problems)

    def outline_of(self, number: int) -> Outline:
        """Return the outline of the problem of an instance."""
        return self.problems.outlines[self.problem_of(number)]

    def problem_ids(self) -> Int64Array:
        """Return the id of the problem of every instance, by id."""
        return np.fromiter(chain.from_iterable(self.db.execute("select problem from puzzles order by id")), np.int64)

    def problem_of(self, number: int) -> int:
        """Return the id of the problem of an instance."""
        return int(self.db.execute("select problem from puzzles where id = ?", (number,)).fetchone()[0])

    def get(self, number: int) -> Instance[Any]:
        """Return an instance by its id."""
        (found,) = self.several([number])
        return found

    def several(self, numbers: Sequence[int]) -> list[Instance[Any]]:
        """Return instances by their ids, of which there are at most CHUNK."""
        query = (
            "select problem, id, domains, name, solution, known, at_least from puzzles"
            f" where id in ({', '.join(map(str, map(int, numbers)))}) order by problem"
        )
        found = dict[int, Instance[Any]]()
        for number, rows in groupby(self.db.execute(query), itemgetter(0)):
            problem = self.problems[number]
            _, ids, blobs, *columns = zip(*rows, strict=True)
            every = zip(ids, unpack(self.problems.domains(problem, blobs)), *columns, strict=True)
            found |= {i: restored(problem, *row) for i, *row in every}
        return [found[i] for i in numbers]

    def name(self, number: int) -> str:
        """Return the name of an instance, FILE:LINE."""
        return str(self.db.execute("select name from puzzles where id = ?", (number,)).fetchone()[0])

    @cached_property
    def with_objective(self) -> BoolArray:
        """True for each instance with an objective: bool[size + 1], by id, when all corpora are stored."""
        return self.having(lambda outline: bool(outline.objective))

    @property
    def scripts(self) -> BoolArray:
        """True for each query script: bool[size + 1], by id."""
        return self.having(lambda outline: outline.label == QUERIES)

    def having(self, condition: Callable[[Outline], bool]) -> BoolArray:
        """Return the instances whose outline is so: bool[size + 1], by id."""
        wanted = [i for i, outline in self.problems.outlines.items() if condition(outline)]
        found = np.zeros(self.size() + 1, np.bool_)
        if wanted:
            found[1:] = np.isin(self.problem_ids(), wanted)
        return found

    @property
    def has_objectives(self) -> bool:
        """True if some instance has an objective."""
        return any(outline.objective for outline in self.problems.outlines.values())

    def contents(self) -> Iterator[tuple[int, str, str, bytes]]:
        """Yield id, name, digest of the problem, and stored domains of every instance, by id."""
        digests = {number: digest for (_, digest), number in self.problems.numbers.items()}
        for i, name, problem, domains in self.db.execute("select id, name, problem, domains from puzzles order by id"):
            yield i, name, digests[problem], domains

    def chunks(self, where: str) -> Iterator[tuple[Problem, Int64Array, UInt64Array]]:
        """Yield problem, ids and domains of the instances that a condition selects, in runs of one problem."""
        cursor = self.db.execute(f"select id, problem, domains from puzzles where {where}")
        while chunk := cursor.fetchmany(CHUNK):
            ids, problems, blobs = zip(*chunk, strict=True)
            numbers = np.array(ids, np.int64)
            ends = np.flatnonzero((np.diff(problems) != 0) | (np.diff(numbers) != 1)) + 1
            for start, end in pairwise([0, *ends.tolist(), len(ids)]):
                problem = self.problems[problems[start]]
                yield problem, numbers[start:end], self.problems.domains(problem, blobs[start:end])
