"""Damaged and crafted journals, findings and golden files: one line and exit 2, and nothing is run or opened."""

import json
import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from tests.conftest import ROOT, Harness
from tests.journals import make, noisy

sys.path.append(str(ROOT / "benchmarks"))

import attack_files

pytestmark = pytest.mark.usefixtures("forked")

DEEP = "[" * 100_000
CRAFTED = {
    "an id that asks for 7.5 GiB": "update puzzles set id = 1000000000 where id = 3",
    "a repeat that never ends": "update outcomes set repeat = 1000000 where puzzle = 1 and repeat = 1",
    "a number that is text": "update outcomes set wall = 'long'",
    "a fraction": "update outcomes set found = 0.5",
    "a negative time": "update outcomes set wall = -1",
    "an unknown verdict": "update outcomes set verdict = 99",
    "a time that is not a number": "update meta set value = json_set(value, '$.limit', 'NaN') where key = 'settings'",
    "a limit on no clock": "update meta set value = json_set(value, '$.wall_known', json('false'))"
    " where key = 'settings'",
    "a count of 10^9": "update meta set value = json_set(value, '$.count', 1000000000) where key = 'settings'",
    "a count of 0": "update meta set value = json_set(value, '$.count', 0) where key = 'settings'",
    "JSON of another shape": "update meta set value = '[]' where key = 'host'",
    "JSON without end": f"update meta set value = '{DEEP}' where key = 'settings'",
    "text for domains": "update puzzles set domains = 'x'",
    "domains of another length": "update puzzles set domains = zeroblob(100000)",
    "solutions of another length": "update outcomes set solutions = x'00'",
    "no solutions where some were found": "update outcomes set solutions = null",
    "a board of 10^9 values": 'update problems set content = \'{"name": "x", "squares": ["a"],'
    ' "values": {"range": [0, 1000000000]}, "units": []}\'',
    "a unit of a square that is not there": "update problems set content = replace(content, '[0,1,', '[99,1,')",
    "another board than its digest": "update problems set content = replace(content, 'A1', 'A0')",
    "a block beyond the end": "update blocks set last = 1000000000",
    "no place": "delete from places",
    "no settings": "delete from meta where key = 'settings'",
    "clocks that are none": """insert into meta values ('clocks', '{"cpu": 1}')""",
    "clocks of other sums": """insert into meta values ('clocks', '{"x": {"puzzles": 1}}')""",
    "a shard of none": "insert into meta values ('shard', '[0, 0]')",
    "a shard that is no pair": "insert into meta values ('shard', '[1, 2, 3]')",
    "no outcomes table": "drop table outcomes",
    "a column of another name": "alter table outcomes rename column wall to walls",
    "a computed column": "alter table outcomes add column more integer as (wall * 2)",
    "a view": "create view v as select 1",
    "a view in place of a table": "drop table reference;"
    " create view reference as select 1 as id, 1 as lease, 1 as wall, 1 as cpu",
    "a trigger": "create trigger t after update on outcomes begin delete from meta; end",
    "a virtual table": "create virtual table v using fts5(x)",
    "schema 1": "pragma user_version = 1",
    "schema 0": "pragma user_version = 0",
    "a negative schema": "pragma user_version = -1",
}


@pytest.fixture
def sound(tmp_path: Path) -> Path:
    return make(tmp_path / "sound.sqlite", {"x": noisy(1, 2, 3), "y": noisy(2, 2, 3)})


@pytest.mark.slow
@pytest.mark.parametrize("script", CRAFTED.values(), ids=CRAFTED)
def test_every_verb_refuses_a_crafted_journal_in_one_line(
    script: str, sound: Path, tmp_path: Path, harness: Harness
) -> None:
    other = make(tmp_path / "other.sqlite", {"x": noisy(3, 2, 3)})
    with closing(sqlite3.connect(sound)) as db:
        db.executescript(script)
    for words in attack_files.verbs(sound, other):
        done = harness(*words)
        assert done.code == 2, words
        assert len(done.err.splitlines()) == 1, words
        assert str(sound) in done.err


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("update puzzles set domains = cast(zeroblob(30) || x'ffff' as blob)", ("report",)),
        ("update puzzles set name = cast(x'ff' as text)", ("export", "--to", "json")),
        ("update outcomes set detail = cast(x'ff' as text)", ("export", "--to", "csv")),
    ],
    ids=["a value that the board lacks", "a name that is not UTF-8", "a detail that is not UTF-8"],
)
def test_what_is_checked_when_it_is_read_is_refused_in_one_line_too(
    script: str, words: tuple[str, ...], sound: Path, harness: Harness
) -> None:
    with closing(sqlite3.connect(sound)) as db:
        db.executescript(script)
    done = harness(words[0], sound, *words[1:])
    assert done.code == 2
    assert len(done.err.splitlines()) == 1
    assert str(sound) in done.err


def test_a_trigger_of_a_journal_is_never_run(sound: Path, harness: Harness) -> None:
    with closing(sqlite3.connect(sound)) as db:
        db.executescript("create trigger t after update on outcomes begin delete from meta; end")
    assert harness("judge", sound).code == 2
    with closing(sqlite3.connect(sound)) as db:
        assert db.execute("select count(*) from meta").fetchone() != (0,)


@pytest.mark.parametrize(
    ("entry", "why"),
    [
        *(({"count": n}, "count, seconds or memory is out of range") for n in (10**9, 10**30)),
        ({"memory": 10**30}, "count, seconds or memory is out of range"),
        ({"seconds": "NaN"}, "count, seconds or memory is out of range"),
        ({"versions": ""}, "versions are not by name"),
    ],
    ids=str,
)
def test_a_finding_with_entries_that_make_no_sense_is_refused(
    entry: dict[str, object], why: str, tmp_path: Path, harness: Harness
) -> None:
    lines = (ROOT / "tests" / "findings" / "kernel-clash-in-a-box.finding").read_text(encoding="utf-8").splitlines()
    data = json.loads("\n".join(line for line in lines if not line.startswith("#")))
    (tmp_path / "x.finding").write_text(json.dumps(data | entry))
    done = harness("replay", "x.finding")
    assert done.code == 2
    assert done.err.endswith(f"{why}\n")


@pytest.mark.slow
@pytest.mark.parametrize("attack", ["journals", "findings", "golden"])
def test_random_damage_ends_in_one_line_and_a_known_exit_code(
    attack: str, tmp_path: Path, harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(attack_files, "LIMIT_S", 200)
    count = {"journals": 80, "findings": 16, "golden": 4}[attack]
    found = attack_files.ATTACKS[attack](tmp_path, count, Random(11))
    assert [(what, why) for what, why in found if why] == []
