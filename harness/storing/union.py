"""Union of journals, row by row. The caller checks that they are compatible.

Blocks, leases and places of each journal are numbered after those of earlier journals; every outcome keeps its lease.
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

from harness.model.contender import Contender
from harness.model.lease import CHANGED, LATE_ANSWERS, REFUSED_PLACES, SEEDLESS, SHARD
from harness.model.observing.clocks import Clocks
from harness.model.observing.observed import Observed
from harness.storing import schema
from harness.storing.facts import FAMILIES, WORKERS
from harness.storing.journal import Journal
from harness.storing.side_tables import LOGS, MALFORMED, PLAIN_TABLES, SIDE_TABLES

CHUNK = 10_000  # rows


class Move(NamedTuple):
    """Renumbering of a contender: number before and after, repeats to add, and the contender if it is new."""

    number: int
    to: int
    shift: int
    new: Contender | None


class CopiedTable(NamedTuple):
    """Table to copy into, and the columns to fill."""

    name: str
    columns: Sequence[str]


SHARED = (
    CopiedTable("problems", ("id", "name", "digest", "content")),
    CopiedTable("corpora", ("id", "name", "path", "digest")),
    CopiedTable("puzzles", ("id", "corpus", "name", "problem", "domains", "known", "at_least", "solution")),
    CopiedTable(MALFORMED, ("id", *PLAIN_TABLES[MALFORMED])),
)


@contextmanager
def write_union(sources: Sequence[tuple[Journal, Sequence[Move]]], path: Path) -> Iterator[Journal]:
    """Create the union of journals at `path`, open for writing; instances and metadata are those of the first."""
    journals = [journal for journal, _ in sources]
    client = journals[0].facts.get("host")
    with Journal.create(path) as made:
        with schema.transaction(made.db, path):
            for table in SHARED:
                copy_rows(journals[0], made, f"select {', '.join(table.columns)} from {table.name}", table)
        made.problems.read()
        for source, moved in sources:
            new = [m for m in moved if m.new]
            setups = source.contenders.setups()
            made.contenders.add([m.new for m in new if m.new], [setups[m.number] for m in new])
            with schema.transaction(made.db, path):
                copy_results(source, made, moved, client)
        made.facts.put(**merged_facts(journals) | merged_sums(sources, made))
        for journal in journals:
            made.proofs.add(journal.proofs.all())
        yield made


def merged_facts(journals: Sequence[Journal]) -> dict[str, Any]:
    """Return the metadata of the merged journal: those of the first journal but for state, origin and shard."""
    first = {key: value for key, value in journals[0].facts.all().items() if key != SHARD}
    states = {j.facts.all()["state"] for j in journals}
    state = "complete" if states == {"complete"} else "interrupted"
    facts = first | {"state": state, "merged": [str(j.path) for j in journals]}
    certify = list(dict.fromkeys(name for j in journals for name in j.facts.settings().certify))
    facts["settings"] = first["settings"] | {"certify": certify}
    if "imported" in first:
        files = [file for j in journals for file in j.facts.all()["imported"]["files"]]
        facts["imported"] = first["imported"] | {"files": files}
        if not all(j.facts.workers_known for j in journals):
            facts["imported"].pop(WORKERS, None)
    stated = [pair for j in journals for pair in j.facts.get(FAMILIES, {}).items()]
    if stated:
        facts[FAMILIES] = {stated[0][0]: {name: family for _, of in stated for name, family in of.items()}}
    if late := sum(j.facts.get(LATE_ANSWERS, 0) for j in journals):
        facts[LATE_ANSWERS] = late
    if changed := sum(j.facts.get(CHANGED, 0) for j in journals):
        facts[CHANGED] = changed
    if refused := [text for j in journals for text in j.facts.get(REFUSED_PLACES, [])]:
        facts[REFUSED_PLACES] = refused
    if seedless := dict.fromkeys(text for j in journals for text in j.facts.get(SEEDLESS, [])):
        facts[SEEDLESS] = list(seedless)
    return facts


def merged_sums(sources: Sequence[tuple[Journal, Sequence[Move]]], made: Journal) -> dict[str, Any]:
    """Return the clocks and other observations by contender of the merged journal."""
    names, times, seen = [c.name for c in made.contenders.all()], dict[str, Clocks](), dict[str, Observed]()
    for source, moves in sources:
        facts, own = source.facts.all(), [c.name for c in source.contenders.all()]
        for m in moves:
            name, before = names[m.to], own[m.number]
            if known := Clocks.stored(facts).get(before):
                times[name] = known.plus(times.get(name, Clocks()))
            if sums := Observed.stored(facts).get(before):
                seen[name] = sums.plus(seen.get(name, Observed()))
    parts = ((Clocks.key, times), (Observed.key, seen))
    return {key: {name: asdict(sums) for name, sums in found.items()} for key, found in parts if found}


def copy_rows(source: Journal, made: Journal, query: str, table: CopiedTable) -> None:
    """Copy the rows of a query of the source into a table of the new journal."""
    places = ", ".join("?" * len(table.columns))
    insertion = f"insert into {table.name} ({', '.join(table.columns)}) values ({places})"
    rows = source.db.execute(query)
    while chunk := rows.fetchmany(CHUNK):
        made.db.executemany(insertion, chunk)


def copy_results(source: Journal, made: Journal, moves: Sequence[Move], client: dict[str, Any]) -> None:
    """Copy places, blocks, leases, reference samples and outcomes, numbered after the existing ones.

    `client` is the machine of the first journal, where reference work without a lease ran. A contender with shifted
    repeats gets its own leases, since a lease belongs to one repeat.
    """
    place, block, lease = (made.connection.max_id(name) for name in ("places", "blocks", "leases"))
    shifts = sorted({m.shift for m in moves})
    spans, leases = source.connection.max_id("blocks"), source.connection.max_id("leases")
    copy_rows(
        source,
        made,
        f"select id + {place}, host, core, versions, environment from places",
        CopiedTable("places", ("id", "host", "core", "versions", "environment")),
    )
    reference, first = CopiedTable("reference", ("lease", "wall", "cpu")), client_lease(source, client)
    known = f"coalesce(lease, {first})" if first else "lease"
    copy_rows(source, made, f"select {known} + {lease}, wall, cpu from reference order by id", reference)
    for i, shift in enumerate(shifts):
        query = f"select id + {block + i * spans}, first, last from blocks"
        copy_rows(source, made, query, CopiedTable("blocks", ("id", "first", "last")))
        columns = ("id", "block", "repeat", "place", "began", "ended", "whole")
        query = (
            f"select id + {lease + i * leases}, block + {block + i * spans}, repeat + {shift}, place + {place},"
            " began, ended, whole from leases"
        )
        copy_rows(source, made, query, CopiedTable("leases", columns))
    rest = schema.OUTCOME[4:]
    for m in moves:
        i = shifts.index(m.shift)
        query = (
            f"select {m.to}, repeat + {m.shift}, puzzle, lease + {lease + i * leases}, {', '.join(rest)}"
            f" from outcomes where contender = {m.number}"
        )
        copy_rows(source, made, query, CopiedTable("outcomes", schema.OUTCOME))
        for name, side in SIDE_TABLES.items():
            own = [moved(source, made, column) if name == LOGS else column for column in side.columns]
            values = f"{m.to}, repeat + {m.shift}, puzzle, {', '.join(own)}"
            copy_rows(
                source, made, f"select {values} from {name} where contender = {m.number}", CopiedTable(name, side.names)
            )


def moved(source: Journal, made: Journal, column: str) -> str:
    """Return the SQL of a path that is relative to the folder of a journal, for the new one's folder."""
    way = Path(os.path.relpath(source.path.resolve().parent, made.path.resolve().parent)).as_posix()
    return column if way == "." else "'{}/' || {}".format(way.replace("'", "''"), column)


def client_lease(source: Journal, client: dict[str, Any]) -> int | None:
    """Return the first lease of the machine where a run was started, if that machine is not `client`; else None.

    Reference work without a lease, which would count for the machine of the first journal, is assigned to this lease.
    Places of a cluster also have the name of their machine.
    """
    own = source.facts.get("host")
    places = [i for i, place in source.places.used().items() if own.items() <= place.host.items() and own != client]
    query = f"select min(id) from leases where place in ({', '.join(map(str, places))})"
    found: int | None = source.db.execute(query).fetchone()[0]
    return found
