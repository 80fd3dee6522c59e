"""Proofs in the journal: certificates of answers, and certifications of instances after the run.

A certificate counts only if the run asked for it, and its row names the file that was checked.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from harness.model.certification import Certification
from harness.model.outcome import CERTIFIED, FORMULA_CERTIFIED
from harness.storing.connection import Connection
from harness.storing.facts import RunFacts
from harness.storing.instances import Instances
from harness.storing.outcomes.solutions import pack_solutions, unpack_solutions
from harness.storing.outcomes.words import UNBACKED
from harness.storing.rules import exact
from harness.storing.side_tables import CERTIFICATIONS, PLAIN_TABLES

BETWEEN = "\n"  # names of checkers


class Certificate(NamedTuple):
    """Certificate of an answer: contender, repeat, what it certifies, number of solutions, detail."""

    contender: int
    repeat: int
    proof: int
    found: int
    detail: str


class Proofs:
    """Proofs of a journal: a certification for each instance about which a prover was asked after the run."""

    def __init__(self, connection: Connection, facts: RunFacts, instances: Instances) -> None:
        self.connection, self.db = connection, connection.db
        self.facts, self.instances = facts, instances

    def add(self, rows: Iterable[Certification]) -> None:
        """Store certifications in one transaction; a new one replaces an earlier one of equal or lower rank."""
        known = {row.puzzle: row.rank for row in self.all()}
        places = ", ".join("?" * (1 + len(PLAIN_TABLES[CERTIFICATIONS])))
        with self.connection.transaction():
            self.db.executemany(
                f"insert or replace into {CERTIFICATIONS} values ({places})",
                (cells(row) for row in rows if row.rank >= known.get(row.puzzle, 0)),
            )

    def all(self, puzzle: int | None = None) -> Iterator[Certification]:
        """Yield all certifications, or that of an instance, by instance."""
        asked = bool(self.facts.settings().certify)
        where = "" if puzzle is None else f"where id = {int(puzzle)}"
        query = f"select id, {', '.join(PLAIN_TABLES[CERTIFICATIONS])} from {CERTIFICATIONS} {where} order by id"
        for number, prover, value, proof, checkers, detail, digest, size, ns, found, blob in self.db.execute(query):
            solutions = unpack_solutions(blob, self.instances.outline_of(number).variables, found)
            row = Certification(
                number,
                prover,
                None if value is None else int(value),
                proof,
                tuple(checkers.split(BETWEEN)) if checkers else (),
                detail,
                digest or "",
                size,
                ns,
                solutions,
            )
            backed = asked and bool(digest)
            yield row if backed or not row.holds else row.unbacked()

    def certificates(self, puzzle: int) -> list[Certificate]:
        """Return the certificates of answers to an instance, by contender and repeat."""
        query = (
            "select contender, repeat, proof, found, coalesce(detail, '') from outcomes"
            f" where puzzle = ? and proof in ({CERTIFIED}, {FORMULA_CERTIFIED}) and not {UNBACKED.format('outcomes')}"
            " order by contender, repeat"
        )
        return [Certificate(*row) for row in self.db.execute(query, (puzzle,))]

    def unbacked(self) -> int:
        """Return the number of stored certificates that do not count, as the journal names no checked proof."""
        query = f"select count(*) from outcomes where {UNBACKED.format('outcomes')}"
        return int(self.db.execute(query).fetchone()[0])


def cells(row: Certification) -> tuple[object, ...]:
    """Return the stored form of a certification."""
    stored = pack_solutions(row.solutions).tobytes() or None
    names, found = BETWEEN.join(row.by), len(row.solutions)
    said = row.puzzle, row.prover, exact(row.value), row.proof, names, row.detail
    return (*said, row.digest or None, row.size, row.ns, found, stored)
