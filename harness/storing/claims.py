"""Claims of corpora in the journal: numbers of solutions, values, and solutions."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import groupby, islice
from typing import Any

import numpy as np

from harness.model.quality import CorpusClaims, Quality, Stated
from harness.storing.connection import Connection
from harness.storing.problems import Problems
from harness.storing.rules import exact
from puzzles.problem import Instance, Problem
from puzzles.problem.arrays import BoolArray, Int64Array, UInt16Array, UInt64Array
from puzzles.problem.values import Domains, IntegerRange, Values

CHUNK = 1000  # instances per step
VALUE_CLAIM, BEST_KNOWN = 2, 3  # values of `at_least`: `known` is the optimum, or the value of some solution


class Claims:
    """Claims of the corpora of a journal."""

    def __init__(self, connection: Connection, problems: Problems) -> None:
        self.connection, self.db, self.problems = connection, connection.db, problems

    def all(self) -> CorpusClaims:
        """Return the claimed qualities, by id: numbers of solutions, or values; at least that of a claimed solution."""
        query = (
            "select id, coalesce(known, 1), at_least or known is null from puzzles"
            f" where (known is not null or solution is not null) and at_least < {VALUE_CLAIM}"
        )
        rows, n = self.db.execute(query).fetchall(), self.connection.max_id("puzzles") + 1
        claims = CorpusClaims(Stated.of_counts({i: known for i, known, _ in rows}, n), np.zeros(n, np.bool_))
        claims.at_least[[i for i, _, lower in rows if lower]] = True
        if values := self.db.execute(
            f"select id, known, at_least from puzzles where at_least >= {VALUE_CLAIM}"
        ).fetchall():
            at = np.array([i for i, _, _ in values])
            claims.stated.put(at, Quality.of_values([int(known) for _, known, _ in values]))
            claims.at_least[at] = [kind == BEST_KNOWN for _, _, kind in values]
        return claims

    @cached_property
    def known_values(self) -> BoolArray:
        """True for each instance of which the corpus claims the value of a solution, by id."""
        found = np.zeros(self.connection.max_id("puzzles") + 1, np.bool_)
        for (i,) in self.db.execute(f"select id from puzzles where at_least >= {VALUE_CLAIM}"):
            found[i] = True
        return found

    def solutions(self) -> Iterator[tuple[Problem, Int64Array, UInt64Array, UInt16Array]]:
        """Yield problem, ids, domains and solutions claimed by corpora, in chunks of one problem."""
        query = "select id, problem, domains, solution from puzzles where solution is not null order by id"
        for problem_id, group in groupby(self.db.execute(query), key=lambda row: row[1]):
            problem = self.problems[problem_id]
            while chunk := list(islice(group, CHUNK)):
                ids = np.array([row[0] for row in chunk], np.int64)
                solutions = np.stack([unpack_claim(problem, row[3]) for row in chunk])
                yield problem, ids, self.problems.domains(problem, [row[2] for row in chunk]), solutions

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """Yield the stored claims of every instance, by id."""
        return iter(self.db.execute("select known, at_least, solution from puzzles order by id"))


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


def claim_type(values: Values) -> type[np.unsignedinteger[Any]]:
    """Return the type of the value indices in a stored claim, for a problem with these values."""
    if isinstance(values, IntegerRange):
        return np.uint64
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
