"""Places of a run in its journal, and the reference work that ran there."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from harness.model.lease import Place, Sample
from harness.storing.connection import Connection
from harness.storing.facts import RunFacts


class Places:
    """Places of a run by id, and samples of reference work."""

    def __init__(self, connection: Connection, facts: RunFacts) -> None:
        self.connection, self.db, self.facts = connection, connection.db, facts

    def add(self, places: Sequence[Place]) -> list[int]:
        """Store places and return their ids."""
        found = []
        with self.connection.transaction():
            for p in places:
                row = (json.dumps(p.host), p.core, json.dumps(p.versions), json.dumps(p.environment))
                found.append(self.db.execute("insert into places values (null, ?, ?, ?, ?)", row).lastrowid or 0)
        return found

    def all(self) -> list[Place]:
        """Return all places, in order of id."""
        return list(self.numbered().values())

    def numbered(self) -> dict[int, Place]:
        """Return all places by id."""
        rows = self.db.execute("select id, host, core, versions, environment from places order by id")
        return {i: Place(json.loads(h), core, json.loads(v), json.loads(e)) for i, h, core, v, e in rows}

    def used(self) -> dict[int, Place]:
        """Return the places that have leases, by id."""
        used = {place for (place,) in self.db.execute("select distinct place from leases")}
        return {i: place for i, place in self.numbered().items() if i in used}

    def hosts(self) -> list[dict[str, Any]]:
        """Return the distinct machines of all places, in order of id."""
        found: list[dict[str, Any]] = []
        for place in self.all():
            if place.host not in found:
                found.append(place.host)
        return found or [self.facts.all()["host"]]

    def add_samples(self, samples: Sequence[Sample]) -> None:
        """Store reference samples that belong to no lease."""
        with self.connection.transaction():
            self.db.executemany("insert into reference values (null, null, ?, ?)", samples)

    def placed_samples(self) -> Iterator[tuple[int | None, int]]:
        """Yield place (None without a lease) and wall time (ns) of each reference sample, in running order."""
        query = "select l.place, r.wall from reference r left join leases l on l.id = r.lease order by r.id"
        return iter(self.db.execute(query))

    def samples(self) -> list[Sample]:
        """Return all reference samples (nanoseconds of wall and CPU time), in running order."""
        return [(wall, cpu) for wall, cpu in self.db.execute("select wall, cpu from reference order by id")]
