"""Certifications in the journal: a row for each instance about which a prover was asked after the run.

A certificate counts only if the run asked for certifications, and the row names the file that was checked.
"""

from collections.abc import Iterable, Iterator

from harness.model.certification import Certification
from harness.storing.instances import Instances
from harness.storing.outcomes.solutions import pack_solutions, unpack_solutions
from harness.storing.rules import exact
from harness.storing.side_tables import CERTIFICATIONS, PLAIN_TABLES

BETWEEN = "\n"  # names of checkers


class CertificationTable(Instances):
    """Certifications of a journal."""

    def add_certifications(self, rows: Iterable[Certification]) -> None:
        """Store certifications in one transaction; that of an instance replaces an earlier one that shows no more."""
        known = {row.puzzle: row.rank for row in self.certifications()}
        places = ", ".join("?" * (1 + len(PLAIN_TABLES[CERTIFICATIONS])))
        with self.transaction():
            self.db.executemany(
                f"insert or replace into {CERTIFICATIONS} values ({places})",
                (cells(row) for row in rows if row.rank >= known.get(row.puzzle, 0)),
            )

    def certifications(self, puzzle: int | None = None) -> Iterator[Certification]:
        """Yield all certifications, or that of an instance, by instance."""
        asked = bool(self.settings().certify)
        where = "" if puzzle is None else f"where id = {int(puzzle)}"
        query = f"select id, {', '.join(PLAIN_TABLES[CERTIFICATIONS])} from {CERTIFICATIONS} {where} order by id"
        for number, prover, value, proof, checkers, detail, digest, size, ns, found, blob in self.db.execute(query):
            solutions = unpack_solutions(blob, self.outline_of(number).variables, found)
            row = Certification(
                *(
                    number,
                    prover,
                    None if value is None else int(value),
                    proof,
                    tuple(checkers.split(BETWEEN)) if checkers else (),
                    detail,
                ),
                *(digest or "", size, ns, solutions),
            )
            backed = asked and bool(digest)
            yield row if backed or not row.holds else row.unbacked()


def cells(row: Certification) -> tuple[object, ...]:
    """Return the stored form of a certification."""
    stored = pack_solutions(row.solutions).tobytes() or None
    names, found = BETWEEN.join(row.by), len(row.solutions)
    return (
        *(row.puzzle, row.prover, exact(row.value), row.proof, names, row.detail, row.digest or None),
        *(row.size, row.ns, found, stored),
    )
