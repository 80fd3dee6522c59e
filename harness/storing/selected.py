"""Journal of some instances, or some places: their rows alone, numbered anew, in a database of its own.

A selection is made once, here: whatever reads the copy reads a journal that never had anything else, so no figure needs
to know of the selection. The database is private and temporary; SQLite keeps it in memory while it is small.

    copied whole      contenders, places, metadata, corpora with an instance or a malformed file
    copied in part    instances and their problems, blocks, leases, outcomes and what belongs to these
"""

import json
import sqlite3
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from typing import Any

from harness.model.lease import SHARD
from harness.model.outcome import FLATTENED, SOURCES
from harness.storing import schema
from harness.storing.journal import Journal
from harness.storing.problems import Problems
from harness.storing.side_tables import CERTIFICATIONS, MALFORMED, PLAIN_TABLES, SIDE_TABLES

WHOLE = ("contenders", "places")
NEW_ID = "c.new"  # of an instance, in a join with the chosen ones
CHOSEN = "join temp.chosen c on c.id ="


class PlacesAlone:
    """Places whose leases are selected; `loose` selects the reference work without a lease too."""

    def __init__(self, ids: Collection[int], loose: bool) -> None:
        self.ids, self.loose = ids, loose

    @property
    def leases(self) -> str:
        """Condition on leases."""
        return f"l.place in ({', '.join(map(str, self.ids))})"

    @property
    def reference(self) -> str:
        """Condition on reference work."""
        return "lease in (select id from main.leases)" + " or lease is null" * self.loose


@contextmanager
def selected(journal: Journal, ids: Sequence[int], places: PlacesAlone | None = None) -> Iterator[Journal]:
    """Yield the journal of these instances, which ascend, with the leases of these places or of all."""
    with schema.as_bad_usage(journal.path), closing(schema.private_database()) as db:
        db.execute("attach ? as whole", (f"{journal.path.resolve().as_uri()}?mode=ro",))
        db.executescript(schema.creation())
        db.execute("create temp table chosen (id integer primary key, new integer not null)")
        db.execute("begin")
        db.executemany("insert into temp.chosen values (?, ?)", zip(ids, range(1, len(ids) + 1), strict=True))
        copy_rows(db, places)
        facts = facts_of(journal.facts.all(), ids)
        db.executemany("insert into meta values (?, ?)", ((key, json.dumps(value)) for key, value in facts.items()))
        db.execute("commit")
        db.execute("detach whole")
        yield Journal(journal.path, db, problems=problems_of(journal, db))


def copy_rows(db: sqlite3.Connection, places: PlacesAlone | None) -> None:
    """Copy the rows of the chosen instances, and of the places or all, from the database `whole`."""
    for table in WHOLE:
        db.execute(f"insert into {table} select * from whole.{table}")
    columns = "p.corpus, p.name, p.problem, p.domains, p.known, p.at_least, p.solution"
    db.execute(f"insert into puzzles select {NEW_ID}, {columns} from whole.puzzles p {CHOSEN} p.id")
    db.execute("insert into problems select * from whole.problems where id in (select problem from main.puzzles)")
    stored = {name for (name,) in db.execute("select name from whole.sqlite_master where type = 'table'")}
    if MALFORMED in stored:
        db.execute(f"insert into {MALFORMED} select * from whole.{MALFORMED}")
    used = f"select corpus from main.puzzles union select corpus from main.{MALFORMED}"
    db.execute(f"insert into corpora select * from whole.corpora where id in ({used})")
    db.execute(
        f"insert into blocks select b.id, min({NEW_ID}), max({NEW_ID}) from whole.blocks b"
        " join temp.chosen c on c.id between b.first and b.last group by b.id"
    )
    kept = f"l.block in (select id from main.blocks) and {places.leases if places else 'true'}"
    db.execute(f"insert into leases select * from whole.leases l where {kept}")
    db.execute(f"insert into reference select * from whole.reference where {places.reference if places else 'true'}")
    copy_results(db, stored, places)


def copy_results(db: sqlite3.Connection, stored: Collection[str], places: PlacesAlone | None) -> None:
    """Copy the outcomes of the chosen instances and their rows in other tables; `stored` are the existing tables."""

    def renumbered(table: str, columns: Collection[str]) -> str:
        cells = (NEW_ID if column in ("puzzle", "id") else f"o.{column}" for column in columns)
        instance = "id" if table == CERTIFICATIONS else "puzzle"
        names = f"insert into {table} ({', '.join(columns)})"
        return f"{names} select {', '.join(cells)} from whole.{table} o {CHOSEN} o.{instance}"

    of_place = " where o.lease in (select id from main.leases)" if places else ""
    db.execute(renumbered("outcomes", schema.OUTCOME) + of_place)
    known = (
        " where exists (select 1 from main.outcomes m where m.contender = o.contender and m.repeat = o.repeat"
        f" and m.puzzle = {NEW_ID})"
    )
    for table, side in SIDE_TABLES.items():
        if table in stored:
            db.execute(renumbered(table, side.names) + (known if places else ""))
    if CERTIFICATIONS in stored:
        db.execute(renumbered(CERTIFICATIONS, ("id", *PLAIN_TABLES[CERTIFICATIONS])))


def facts_of(facts: Mapping[str, Any], ids: Sequence[int]) -> dict[str, Any]:
    """Return the metadata of a selection: what is by instance has the new ids, and all its instances were asked."""
    found = {key: value for key, value in facts.items() if key != SHARD}
    for key in found.keys() & {FLATTENED, SOURCES}:
        found[key] = {str(new): found[key][str(i)] for new, i in enumerate(ids, 1) if str(i) in found[key]}
    return found


def problems_of(journal: Journal, db: sqlite3.Connection) -> Problems:
    """Return the problems of a selection, with what the whole journal knows of them."""
    whole, made = journal.problems, Problems(db, journal.path)
    used = {number for (number,) in db.execute("select id from problems")}
    made.outlines = {number: outline for number, outline in whole.outlines.items() if number in used}
    made.numbers = {key: number for key, number in whole.numbers.items() if number in used}
    made.compressed = whole.compressed & used
    return made
