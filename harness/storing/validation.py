"""Validation of a journal on opening: damaged or foreign files are refused with a one-line reason.

The file must have the tables that this tool writes and nothing that runs by itself. Every number must be in its range,
since ids become indices and repeats become sizes of arrays, and every blob the length of what it encodes. Masks of
domains and the encoding of texts are checked where they are read.
"""

import json
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from backends.contract.answer import Reason, Status
from harness.model.lease import INTERRUPTED, PART, WHOLE
from harness.model.outcome import CERTIFIED, FORMULA_CERTIFIED, MAX_PLACED, REFUSED, UNCHECKED, Verdict
from harness.storing import schema
from harness.storing.claims import VALUE_CLAIM, claim_type
from harness.storing.documents import (
    Damaged,
    check_contender,
    check_facts,
    check_host,
    check_mapping,
)
from harness.storing.problems import Outline, Problems
from harness.storing.rules import AMOUNT, BLOB, EXACT_CLAIM, MAX_INT, TEXT, integer, one_of, or_null, quick_test
from harness.storing.side_tables import CERTIFICATIONS, PLAIN_TABLES, SIDE_TABLES, definition, may_be_missing
from puzzles.problem.columns import mask_type, words_of

MAX_INT32 = (1 << 31) - 1
MAX_EMPTY_REPEATS = 256  # repeats whose leases were all still running when a later one's was stored
Rules = dict[str, dict[str, str]]  # rules by table and column


def validated(db: sqlite3.Connection, path: Path, known: bool = False) -> Problems:
    """Return the problems of a journal, after all checks; `known` if its content has passed those of all rows before.

    Raises Damaged, and other errors of decoding.
    """
    check_schema(db)
    if not known:
        check_structure(db)
    for table in set(may_be_missing()) - dict(columns_by_table(db)).keys():
        db.execute(f"create temp {definition(table)}")
    problems = Problems(db, path)
    problems.read()
    if not known:
        check_content(db, problems.outlines)
    return problems


def check_schema(db: sqlite3.Connection) -> None:
    """Raise Damaged if the file has triggers, views, virtual tables or computed columns, or lacks a table."""
    for kind, name, sql in db.execute("select type, name, sql from sqlite_master"):
        if kind not in ("table", "index") or (sql and str(sql).upper().startswith("CREATE VIRTUAL")):
            raise Damaged(f"it has the {kind} {name!r}, which this tool does not write")
    found = dict(columns_by_table(db))
    for name, columns in found.items():
        if any(hidden for *_, hidden in columns):
            raise Damaged(f"its table {name!r} has computed columns")
    with closing(sqlite3.connect(":memory:")) as reference:
        reference.executescript(schema.creation())
        expected = columns_by_table(reference)
    for name, columns in expected:
        if found.get(name) != columns and (name in found or name not in may_be_missing()):
            raise Damaged(f"its table {name!r} is not that of a journal")


def columns_by_table(db: sqlite3.Connection) -> list[tuple[str, list[tuple[Any, ...]]]]:
    """Return name, type, not-null, default, key and hidden flag of each column, by table."""
    names = [name for (name,) in db.execute("select name from sqlite_master where type = 'table' order by name")]
    query = "select name, lower(type), [notnull], dflt_value, pk, hidden from pragma_table_xinfo(?)"
    return [(name, db.execute(query, (name,)).fetchall()) for name in names]


def check_structure(db: sqlite3.Connection) -> None:
    """Raise Damaged if SQLite finds the file's pages inconsistent."""
    (found,) = db.execute("pragma quick_check(1)").fetchone()
    if found != "ok":
        raise Damaged(str(found).splitlines()[-1])


def check_content(db: sqlite3.Connection, problems: Mapping[int, Outline]) -> None:
    """Raise Damaged, or another error of decoding, if this tool does not write a stored value."""
    facts = {key: json.loads(value) for key, value in db.execute("select key, value from meta")}
    if "state" in facts:
        check_facts(facts)
        most = max((problem.variables for problem in problems.values()), default=0)
        if facts["settings"].get("count", 1) * most > MAX_PLACED:
            raise Damaged("the setting count asks for more solutions than memory holds")
    for name, text, version in db.execute("select name, fields, version from contenders"):
        check_contender(name, json.loads(text), version)
    for host, versions, environment in db.execute("select host, versions, environment from places"):
        check_host(json.loads(host), json.loads(versions))
        check_mapping("environment", json.loads(environment), str)
    for (path,) in db.execute("select path from corpora where path is not null"):
        if not isinstance(json.loads(path), str):
            raise Damaged("the path of a corpus is not text")
    check_numbers(db, rules(db))
    check_lengths(db, problems)
    check_relations(db, merged="merged" in facts)


def rules(db: sqlite3.Connection) -> Rules:
    """Return the rules of all numeric and blob columns; ids are bounded by the rows that they reference."""

    def highest(table: str) -> int:
        return int(db.execute(f"select coalesce(max(id), 0) from {table}").fetchone()[0])

    def number(table: str) -> int:
        return int(db.execute(f"select count(*) from {table}").fetchone()[0])

    size, contenders = number("puzzles"), number("contenders")
    (repeats,) = db.execute("select count(distinct repeat) from leases").fetchone()
    repeat, flag, count = integer(0, repeats + MAX_EMPTY_REPEATS), one_of((0, 1)), integer(0, MAX_INT32)
    enumerations = {"status": one_of(Status), "reason": one_of(Reason), "complete": flag, "amortised": flag}
    outcome = {"contender": integer(0, contenders - 1), "repeat": repeat, "puzzle": integer(1, size)}
    return {
        "corpora": {"id": integer(1, MAX_INT32), "name": TEXT, "digest": or_null(TEXT)},
        "puzzles": {
            "id": integer(1, size),  # so the highest is their number
            "corpus": integer(1, highest("corpora")),
            "name": TEXT,
            "known": or_null(f"case when at_least < {VALUE_CLAIM} then {AMOUNT} else {EXACT_CLAIM} end"),
            "at_least": integer(0, 3),
        },
        "contenders": {"id": integer(0, contenders - 1), "setup": or_null(AMOUNT)},
        "places": {"core": or_null(count)},
        "blocks": {"id": integer(1, MAX_INT32), "first": integer(1, size), "last": integer(1, size)},
        "leases": {
            "id": integer(1, MAX_INT32),
            "block": integer(1, highest("blocks")),
            "repeat": repeat,
            "place": integer(1, highest("places")),
            "began": AMOUNT,
            "ended": AMOUNT,
            "whole": one_of((INTERRUPTED, WHOLE, PART)),
        },
        "reference": {"lease": or_null(count), "wall": integer(1, MAX_INT), "cpu": AMOUNT},
        **{name: {c: column.rule for c, column in t.items()} for name, t in PLAIN_TABLES.items()},
        **{name: outcome | {c: column.rule for c, column in t.columns.items()} for name, t in SIDE_TABLES.items()},
        "outcomes": {
            **outcome,
            "lease": integer(1, highest("leases")),
            "verdict": one_of(Verdict),
            "valid": f"{integer(-1, MAX_INT32)} and {{c}} <= found",
            "proof": or_null(one_of((REFUSED, CERTIFIED, UNCHECKED, FORMULA_CERTIFIED))),
            **{c: or_null(AMOUNT) if c in schema.OPTIONAL else AMOUNT for c in schema.MEASURED},
            **enumerations,
            "found": count,
            "detail": or_null(TEXT),
            "solutions": or_null(BLOB),
        },
    }


def check_numbers(db: sqlite3.Connection, every: Rules) -> None:
    """Raise Damaged if a value breaks its rule; one pass over each table."""
    for table, by_column in every.items():
        if db.execute(f"select 1 from {table} where not ({quick_test(by_column)}) limit 1").fetchone():
            for column, rule in by_column.items():
                test = rule.format(c=column)
                if row := db.execute(f"select {column} from {table} where not ({test}) limit 1").fetchone():
                    raise Damaged(f"{table}.{column} has the value {str(row[0])[:40]!r}")


def check_lengths(db: sqlite3.Connection, problems: Mapping[int, Outline]) -> None:
    """Raise Damaged if domains, claimed solutions or solutions do not have the length of their problem."""
    query = "select distinct problem, typeof(domains), length(domains), typeof(solution), length(solution) from puzzles"
    for number, kind, length, claim, claimed in db.execute(query):
        if number not in problems:
            raise Damaged(f"puzzles.problem has the value {number!r}")
        problem = problems[number]
        variables = problem.variables
        word, index = (np.dtype(kind(problem.values)).itemsize for kind in (mask_type, claim_type))
        if (kind, length) != ("blob", variables * words_of(problem.values) * word):
            raise Damaged(f"domains of problem {number} have another length than its variables")
        if claim != "null" and (claim, claimed) != ("blob", variables * index):
            raise Damaged(f"a solution of problem {number} has another length than its variables")
    alike = len({problem.variables for problem in problems.values()}) == 1  # then any of them stands for all
    source = "outcomes o" if alike else "outcomes o join puzzles p on p.id = o.puzzle"
    of = str(next(iter(problems))) if alike else "p.problem"
    outcomes = db.execute(f"select distinct {of}, o.found, length(o.solutions) from {source}")
    shown = f"select p.problem, o.found, length(o.solutions) from {CERTIFICATIONS} o join puzzles p on p.id = o.id"
    for number, found, length in chain(outcomes, db.execute(shown)):
        values = found * problems[number].variables
        if length not in ([values << shift for shift in range(4)] if values else (None, 0)) or found > max(values, 1):
            raise Damaged(f"solutions of problem {number} have another length than their number and variables")


def check_relations(db: sqlite3.Connection, merged: bool) -> None:
    """Raise Damaged if leases name no block, or blocks overlap; blocks of two merged journals may overlap."""
    overlap = "select first, lag(last, 1, 0) over (order by first) as before, last from blocks"
    queries = {
        "a block ends before it begins": "select 1 from blocks where first > last",
        "a lease names an unknown block": "select 1 from leases where block not in (select id from blocks)",
        "a lease names an unknown place": "select 1 from leases where place not in (select id from places)",
        "a certification names an unknown instance": f"select 1 from {CERTIFICATIONS} where id not in"
        " (select id from puzzles)",
        "a block covers several problems": "select 1 from blocks b join puzzles f on f.id = b.first"
        " join puzzles l on l.id = b.last where f.problem != l.problem",
    }
    if not merged:
        queries["its blocks overlap"] = f"select 1 from ({overlap}) where first <= before"
    for why, query in queries.items():
        if db.execute(f"{query} limit 1").fetchone():
            raise Damaged(why)
