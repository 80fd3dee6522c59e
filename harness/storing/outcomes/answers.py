"""Answers in the journal that need a look: failures, disputes, wrong ones, and solutions that are right."""

from collections.abc import Iterator
from typing import NamedTuple

from backends.contract.answer import Reason
from harness.model.outcome import Verdict
from harness.storing.connection import Connection
from harness.storing.instances import Instances
from harness.storing.outcomes.logs import Logs
from harness.storing.outcomes.solutions import unpack_solutions
from harness.storing.problems import Problems
from puzzles.problem.values import Solution

MAX_DETAIL = 500  # characters of a message in `failures`


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


class NotableAnswers:
    """Answers of a journal that need a look."""

    def __init__(self, connection: Connection, problems: Problems, instances: Instances, logs: Logs) -> None:
        self.db, self.problems, self.instances, self.logs = connection.db, problems, instances, logs

    def trouble(self, contender: int) -> list[Trouble]:
        """Return the distinct error messages, each the first line of a detail, by first instance."""
        query = (
            "select min(p.id), p.name, o.reason, o.detail, count(*) from outcomes o"
            " join puzzles p on p.id = o.puzzle where o.contender = ? and o.detail is not null"
            " group by o.detail order by 1"
        )
        found: dict[str, Trouble] = {}
        logs = {puzzle: log.out for (_, puzzle), log in self.logs.of(contender).items()}
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

    def split(self) -> list[tuple[int, int, int]]:
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
        shown = unpack_solutions(blob, self.instances.outline_of(puzzle).variables, found).tolist()
        return WrongAnswer(repeat, status, reason, bool(complete), found, valid, detail.partition("\n")[0], shown)

    def right(self) -> Iterator[tuple[int, Solution]]:
        """Yield a valid solution of each instance with one, by instance."""
        query = (
            "select o.puzzle, p.problem, o.solutions, o.found from outcomes o join puzzles p on p.id = o.puzzle"
            " where o.valid > 0 group by o.puzzle"
        )
        for i, problem, blob, found in self.db.execute(query):
            yield i, tuple(unpack_solutions(blob, self.problems.outlines[problem].variables, found)[0].tolist())
