"""Journal file: its schema, and functions that create, open and close it. See docs/reference/journal.md."""

import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path

from backends.contract.answer import COUNTERS
from harness.model.errors import BadUsage, NameTaken
from harness.model.outcome import PHASES
from harness.storing.side_tables import definition, may_be_missing
from puzzles.files import write_file

SCHEMA, WITH_RANGES = 2, 3  # the second one of journals with problems over ranges, which else are the same
APPLICATION = 0x43524F53  # 'CROS' in the file header marks a journal
MEASURED = ("status", "reason", "complete", "amortised", "found", "wall", "cpu", *PHASES, *COUNTERS, "peak")
OUTDATED = "read it with the version that wrote it, or start a new run"
MAX_BYTES = 1 << 28  # bytes of one stored value
UNDECODABLE = (
    *(ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError, MemoryError),
    zlib.error,
)
OPTIONAL = frozenset((*COUNTERS, "cpu", "peak"))  # -1 in a row, NULL in the journal
OUTCOME = ("contender", "repeat", "puzzle", "lease", "verdict", "valid", "proof", *MEASURED, "detail", "solutions")
STORED = "main.outcomes"  # outcomes with the verdicts that the file holds
TABLES = f"""
create table meta (key text primary key, value text not null) without rowid;
create table problems (id integer primary key, name text not null, digest text not null, content text not null);
create table corpora (id integer primary key, name text not null, path text, digest text);
create table puzzles (id integer primary key, corpus integer not null, name text not null, problem integer not null,
                      domains blob not null, known integer, at_least integer not null, solution blob);
create table contenders (id integer primary key, name text not null unique, fields text not null, version text not null,
                         setup integer);
create table places (id integer primary key, host text not null, core integer, versions text not null,
                     environment text not null);
create table blocks (id integer primary key, first integer not null, last integer not null);
create table leases (id integer primary key, block integer not null, repeat integer not null, place integer not null,
                     began integer not null, ended integer not null, whole integer not null,
                     unique (block, repeat, place));
create table reference (id integer primary key, lease integer, wall integer not null, cpu integer not null);
create table outcomes (contender integer not null, repeat integer not null, puzzle integer not null,
                       lease integer not null, verdict integer not null, valid integer not null, proof integer,
                       {", ".join(f"{c} integer" for c in MEASURED)}, detail text, solutions blob,
                       primary key (contender, repeat, puzzle)) without rowid;
"""


def creation() -> str:
    """Return the SQL that creates all tables."""
    return TABLES + "".join(f"create {definition(name)};" for name in may_be_missing())


@contextmanager
def as_bad_usage(path: Path | str) -> Iterator[None]:
    """Turn SQLite and system errors into BadUsage with one line for the user."""
    try:
        yield
    except (sqlite3.Error, OSError) as e:
        text = e.strerror if isinstance(e, OSError) and e.strerror else str(e)
        raise BadUsage(f"{path}: {text}") from e


@contextmanager
def opening(path: Path) -> Iterator[None]:
    """Turn every error that reading a damaged journal can raise into BadUsage with one line for the user."""
    with as_bad_usage(path):
        try:
            yield
        except BadUsage:
            raise
        except UNDECODABLE as e:
            why = f"{e} is missing" if isinstance(e, KeyError) else str(e) or type(e).__name__
            raise BadUsage(f"{path}: not a journal, or a damaged one: {why}") from e


@contextmanager
def transaction(db: sqlite3.Connection, path: Path) -> Iterator[None]:
    """Commit the statements of the block, or roll them back. Raises BadUsage on write errors."""
    with as_bad_usage(path):
        db.execute("begin immediate")
        try:
            yield
            db.execute("commit")
        except BaseException:
            if db.in_transaction:  # SQLite has already rolled back if the disk is full
                db.execute("rollback")
            raise


def create_database(path: Path) -> sqlite3.Connection:
    """Create a journal with empty tables. Raises BadUsage, NameTaken if the file exists.

    The file appears under its name when it is complete, so a killed process or a full disk leaves no partial journal.
    """
    if path.exists():
        raise NameTaken(f"{path}: already exists: choose another with -o (--resume goes on with an interrupted run)")
    part = path.with_name(path.name + ".part")
    with as_bad_usage(path):
        try:
            part.unlink(missing_ok=True)
            with closing(sqlite3.connect(part, isolation_level=None)) as db:
                header = f"pragma application_id = {APPLICATION}; pragma user_version = {SCHEMA};"
                db.executescript(f"begin; {header} {creation()} commit;")
            part.rename(path)
        finally:
            part.unlink(missing_ok=True)
        db = connect(path, "rw")
        log_ahead(db)
        return db


def connect(path: Path, mode: str) -> sqlite3.Connection:
    """Connect to a journal for reading ("ro") or writing ("rw"); the schema of the file can't run code."""
    return guarded(sqlite3.connect(f"{path.resolve().as_uri()}?mode={mode}", uri=True, isolation_level=None))


def private_database() -> sqlite3.Connection:
    """Return an empty temporary database, to which journals can be attached."""
    return guarded(sqlite3.connect("", uri=True, isolation_level=None))


def guarded(db: sqlite3.Connection) -> sqlite3.Connection:
    """Limit what a file that is read can do, and return the connection."""
    db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_BYTES)
    for pragma in ("trusted_schema = off", "cell_size_check = on", "mmap_size = 0", "ignore_check_constraints = on"):
        db.execute(f"pragma {pragma}")
    return db


def log_ahead(db: sqlite3.Connection) -> None:
    """Use a write-ahead log, which the file's header records."""
    db.execute("pragma journal_mode = wal")
    db.execute("pragma synchronous = normal")


def is_sqlite(path: Path) -> bool:
    """Return True if the file has SQLite's first bytes."""
    with path.open("rb") as file:
        return file.read(15) == b"SQLite format 3"


def refuse_journal(path: Path) -> None:
    """Raise BadUsage if output to `path` would overwrite a journal, or another SQLite file. Raises OSError."""
    if path.is_file() and is_sqlite(path):
        raise BadUsage(f"{path}: is a journal (SQLite file) and is not overwritten: choose another name")


def write_text(path: str, text: str) -> None:
    """Write output to a file, which must not be a journal. Raises BadUsage."""
    with as_bad_usage(path):
        refuse_journal(Path(path))
        write_file(path, text)


def open_database(path: Path, write: bool) -> sqlite3.Connection:
    """Open a journal, not yet validated. Raises BadUsage on other files and schemas, and leaves them unchanged."""
    if not path.is_file():
        there = "a pipe or device, not a journal" if path.exists() else "no such journal"
        raise BadUsage(f"{path}: {'is a directory, not a journal' if path.is_dir() else there}")
    with opening(path), ExitStack() as stack:
        if not is_sqlite(path):
            raise BadUsage(f"{path}: not a journal (not an SQLite file)")
        db = connect(path, "rw" if write else "ro")
        stack.callback(db.close)
        if db.execute("pragma application_id").fetchone()[0] != APPLICATION:
            raise BadUsage(f"{path}: an SQLite file, but not a journal of this tool")
        version = int(db.execute("pragma user_version").fetchone()[0])
        if version > WITH_RANGES:
            newest = f"schema {version} is newer than this version reads ({WITH_RANGES})"
            raise BadUsage(f"{path}: {newest}: upgrade crosscheck")
        if version < SCHEMA:
            raise BadUsage(f"{path}: a journal of schema {version}, which this version does not read: {OUTDATED}")
        if write:
            log_ahead(db)
        stack.pop_all()
    return db


def close_database(db: sqlite3.Connection) -> None:
    """Close the database, if possible merging its write-ahead log, so that read-only users need one file."""
    with suppress(sqlite3.Error):
        db.execute("pragma journal_mode = delete")
    db.close()
