"""Schema 1: temporary tables and views that present its journals in the current schema.

Schema 1 has no tables of places, leases, blocks and corpora, and stores each setting as a separate fact. Its blocks are
recomputed from the numbers of puzzles and contenders, by the rule of the version that wrote it.
"""

import json
import sqlite3
from itertools import pairwise
from typing import Any

import numpy as np

from harness.model.settings import RunSettings
from puzzles.layout import Layout
from puzzles.problem import dump

MAX_WORKERS = 64  # constants of the version that wrote schema 1
LARGEST_BLOCK = 1000
LARGEST_BATCH = 8 << 20  # bytes of solutions
ORIGINAL_TABLES = """
create table contenders (id integer primary key, name text not null unique, fields text not null, version text not null,
                         setup integer);
create table layouts (id integer primary key, name text not null, squares text not null, vals text not null,
                      units text not null);
create table meta (key text primary key, value text not null) without rowid;
create table outcomes (contender integer not null, repeat integer not null, puzzle integer not null,
                       verdict integer not null, valid integer not null, proof integer, status integer, reason integer,
                       complete integer, amortised integer, found integer, wall integer, cpu integer, encode integer,
                       load integer, solve integer, decode integer, decisions integer, conflicts integer,
                       propagations integer, restarts integer, peak integer, detail text, solutions blob,
                       primary key (contender, repeat, puzzle)) without rowid;
create table puzzles (id integer primary key, corpus text not null, name text not null, layout integer not null,
                      domains blob not null, known integer, at_least integer not null, solution blob);
"""
TABLES = """
create temp table meta (key text primary key, value text);
create temp table problems (id integer primary key, name text, digest text, content text);
create temp table corpora (id integer primary key, name text, path text, digest text);
create temp table places (id integer primary key, host text, core integer, versions text, environment text);
create temp table blocks (id integer primary key, first integer, last integer);
create temp table leases (id integer primary key, block integer, repeat integer, place integer, began integer,
                          ended integer, whole integer);
create temp table reference (id integer primary key, lease integer, wall integer, cpu integer);
create index temp.block_first on blocks (first);
create temp view puzzles as select p.id, c.id as corpus, p.name, p.layout as problem, p.domains, p.known, p.at_least,
    p.solution from main.puzzles p join temp.corpora c on c.name = p.corpus;
create temp view stored as select o.*, o.repeat * (select count(*) from temp.blocks)
    + (select b.id from temp.blocks b where b.first <= o.puzzle order by b.first desc limit 1) as lease
    from main.outcomes o;
create temp view outcomes as select * from stored;
"""


def show_as_schema2(db: sqlite3.Connection) -> None:
    """Create the temporary tables and views on a connection to a journal of schema 1."""
    old = {key: json.loads(value) for key, value in db.execute("select key, value from main.meta")}
    layouts = {
        i: Layout(name, tuple(json.loads(squares)), tuple(json.loads(values)), tuple(map(tuple, json.loads(units))))
        for i, name, squares, values, units in db.execute("select * from main.layouts")
    }
    db.executescript(TABLES)
    db.executemany("insert into temp.meta values (?, ?)", [(k, json.dumps(v)) for k, v in converted_facts(old).items()])
    rows = [(i, layout.name, layout.digest, dump(layout)) for i, layout in layouts.items()]
    db.executemany("insert into temp.problems values (?, ?, ?, ?)", rows)
    db.execute(
        "insert into temp.corpora select row_number() over (order by min(id)), corpus, null, null"
        " from main.puzzles group by corpus"
    )
    for host in old.get("hosts", [old.get("host", {})]):
        row = (json.dumps(host), json.dumps(old.get("versions", {})))
        db.execute("insert into temp.places values (null, ?, null, ?, '{}')", row)
    samples = old.get("reference", [])
    db.executemany("insert into temp.reference values (null, null, ?, ?)", samples)
    db.executemany("insert into temp.blocks values (null, ?, ?)", blocks(db, layouts, old.get("count", 1)))
    db.execute(
        "insert into temp.leases select null, b.id, r.repeat, 1, 0, 0, 1"
        " from (select distinct repeat from main.outcomes) r, temp.blocks b order by r.repeat, b.id"
    )


def converted_facts(old: dict[str, Any]) -> dict[str, Any]:
    """Return the metadata of a run in the current schema."""
    if not old:
        return {}
    settings = RunSettings(
        limit=old.get("limit", 10.0),
        count=old.get("count", 1),
        cpu=old.get("cpu"),
        memory=old.get("memory", 0) << 20,
        opening=old.get("open_limit", 60.0),
        warmup=old.get("warmup", 0),
        peak=old.get("peak", False),
        proof=old.get("proof", False),
        repeats=old.get("runs", 1),
        seed=old.get("seed", 1),
        scramble=old.get("scramble", False),
        programs=dict(pair.split("=", 1) for pair in old.get("program", [])),
        pythons=dict(pair.split("=", 1) for pair in old.get("env", [])),
    )
    kept = ("command", "host", "versions", "state", "merged")
    return {key: old[key] for key in kept if key in old} | {"settings": settings.as_dict()}


def blocks(db: sqlite3.Connection, layouts: dict[int, Layout], count: int) -> list[tuple[int, int]]:
    """Return first and last puzzle of each block, as the version that wrote the journal cut them."""
    of = np.array([layout for (layout,) in db.execute("select layout from main.puzzles order by id")], np.int64)
    (contenders,) = db.execute("select count(*) from main.contenders").fetchone()
    found: list[tuple[int, int]] = []
    starts: list[int] = (np.flatnonzero(np.diff(of, prepend=-1)) + 1).tolist()
    for first, end in pairwise([*starts, len(of) + 1]):
        step = block_size(len(of), len(layouts[int(of[first - 1])].squares), count, contenders)
        found += [(at, min(at + step, end) - 1) for at in range(first, end, step)]
    return found


def block_size(puzzles: int, squares: int, count: int, contenders: int) -> int:
    """Return the block size by the rule of schema 1."""
    largest = max(1, min(4096, LARGEST_BATCH // (2 * squares * count)))
    return max(1, min(LARGEST_BLOCK, puzzles // 16 if contenders <= MAX_WORKERS else puzzles, largest))
