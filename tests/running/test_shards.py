"""Shards: parts of a run, each in a journal of its own; merged they equal the whole run, times aside."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.model.lease import Shard, instances_of
from tests.conftest import Harness
from tests.forking import run_here

pytestmark = pytest.mark.usefixtures("forked")

OF = 5
CONTENDERS = "native:python,pysat:minisat22"


@given(st.integers(0, 500), st.integers(1, 40))
def test_every_instance_is_in_one_shard_and_shards_are_balanced(instances: int, of: int) -> None:
    shards = [Shard(number, of).parts(instances) for number in range(1, of + 1)]
    ids = [i for parts in shards for first, last in parts for i in range(first, last + 1)]
    assert sorted(ids) == list(range(1, instances + 1))
    sizes = [instances_of(parts) for parts in shards]
    assert max(sizes) - min(sizes) <= -(-instances // (16 * of))


@pytest.fixture(scope="module")
def shards(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the journals of all shards, 1.sqlite to 5.sqlite, and of the whole run."""
    folder = tmp_path_factory.mktemp("shards")
    words = ["run", "several", "hardest", "-b", CONTENDERS, "--count", "2", "-r", "2"]
    for name, shard in [("whole", []), *((str(k), ["--shard", f"{k}/{OF}"]) for k in range(1, OF + 1))]:
        run_here(*words, "-o", str(folder / f"{name}.sqlite"), *shard)
    return folder


def rows(path: Path) -> list[tuple[object, ...]]:
    """Return all outcomes but for their times."""
    query = (
        "select c.name, c.version, o.repeat, p.name, o.verdict, o.valid, o.status, o.reason, o.complete, o.found,"
        " o.solutions, b.first <= o.puzzle and o.puzzle <= b.last, l.repeat = o.repeat, pl.host is not null"
        " from outcomes o join contenders c on c.id = o.contender join puzzles p on p.id = o.puzzle"
        " join leases l on l.id = o.lease join blocks b on b.id = l.block join places pl on pl.id = l.place"
        " order by o.contender, o.repeat, o.puzzle"
    )
    with closing(sqlite3.connect(path)) as db, db:
        return db.execute(query).fetchall()


def agreement(report: str) -> str:
    return next(line for line in report.splitlines() if line.startswith("agreement"))


@pytest.mark.slow
def test_merged_shards_equal_the_whole_run(harness: Harness, shards: Path) -> None:
    for k in range(1, OF + 1):
        assert f"shard {k} of {OF}: " in harness("report", str(shards / f"{k}.sqlite")).out
    names = [str(shards / f"{k}.sqlite") for k in (3, 1, 5, 4, 2)]
    done = harness("merge", *names, "-o", str(shards / "merged.sqlite"))
    assert done.code == 0, done.err
    whole = harness("report", str(shards / "whole.sqlite"))
    assert rows(shards / "merged.sqlite") == rows(shards / "whole.sqlite")
    assert agreement(done.out) == agreement(whole.out)
    again = harness("run", "--resume", str(shards / "merged.sqlite"))
    assert (again.code, "made by merging" in again.err) == (2, True)


@pytest.mark.parametrize(
    ("names", "why"),
    [
        ("1 2 4 5", "missing of 5 shards: 3"),
        ("1", "missing of 5 shards: 2, 3, 4, 5"),
        ("1 2 3 4 5 3", "shard 3 is there twice: 3.sqlite and 3.sqlite"),
        ("1 2 3 4 5 whole", "not shards of one run: 1.sqlite is shard 1 of 5 and whole.sqlite is a whole run"),
        ("1 2 3 4 other", "1.sqlite and other.sqlite have different contenders: pysat:minisat22"),
        (
            "1 2 3 4 unfinished",
            "shard 5 is not complete: continue it with `python -m harness run --resume`",
        ),
        ("whole", "merge takes two journals, or all shards of a run"),
    ],
)
def test_missing_doubled_and_foreign_shards_are_named(
    harness: Harness, shards: Path, monkeypatch: pytest.MonkeyPatch, names: str, why: str
) -> None:
    monkeypatch.chdir(shards)
    for name, change in (
        ("other", "update contenders set version = 'a' where name like 'pysat%'"),
        ("unfinished", "update meta set value = '\"interrupted\"' where key = 'state'"),
    ):
        shutil.copy("5.sqlite", f"{name}.sqlite")
        with closing(sqlite3.connect(f"{name}.sqlite")) as db, db:
            db.execute(change)
    done = harness("merge", *[f"{name}.sqlite" for name in names.split()], "-o", "new.sqlite")
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert why in done.err
    assert not Path("new.sqlite").exists()


@pytest.mark.parametrize("text", ["0/3", "4/3", "3", "1/", "x/y", "1/100001"])
def test_a_shard_is_a_number_of_another(harness: Harness, text: str) -> None:
    done = harness("run", "hardest", "--shard", text)
    assert (done.code, "is not K/N with 1 <= K <= N" in done.err) == (2, True)


@pytest.mark.slow
def test_a_shard_without_instances_is_complete(harness: Harness, tmp_path: Path) -> None:
    for k in range(1, 4):
        words = ["run", "hardest", "-n", "2", "-b", CONTENDERS, "--shard", f"{k}/3", "-o", str(tmp_path / f"{k}")]
        assert harness(*words).code == 0
    done = harness("merge", *[str(tmp_path / f"{k}") for k in range(1, 4)], "-o", str(tmp_path / "merged"))
    assert (done.code, "2 of 2 puzzles" in done.out) == (0, True), done.out + done.err


@pytest.mark.slow
def test_an_empty_shard_merges_in_any_order_though_its_workers_reported_no_version(
    harness: Harness, tmp_path: Path
) -> None:
    for k in range(1, 4):
        words = ["run", "hardest", "-n", "2", "-b", "native:python", "--shard", f"{k}/3", "-o", str(tmp_path / f"{k}")]
        assert harness(*words).code == 0
    empty = [k for k in range(1, 4) if not change_version(tmp_path / f"{k}", "1.0, by a kernel")]
    assert len(empty) == 1
    opened = sorted({1, 2, 3} - {*empty})
    for number, order in enumerate([(*empty, *opened), (*opened, *empty)]):
        merged = tmp_path / f"merged{number}"
        done = harness("merge", *[str(tmp_path / f"{k}") for k in order], "-o", str(merged))
        assert done.code == 0, done.err
        with closing(sqlite3.connect(merged)) as db, db:
            assert db.execute("select version from contenders").fetchall() == [("1.0, by a kernel",)]


def change_version(path: Path, version: str) -> bool:
    """Change the version that the workers of a shard reported; return False if none was opened."""
    with closing(sqlite3.connect(path)) as db, db:
        return db.execute("update contenders set version = ? where setup is not null", (version,)).rowcount > 0


@pytest.mark.slow
def test_shards_of_boards_of_different_layouts_merge_whichever_variant_of_native_ran_last(
    harness: Harness, tmp_path: Path
) -> None:
    (tmp_path / "mixed.txt").write_text("." * 81 + "\n" + "." * 16 + "\n")
    names = [str(tmp_path / f"{k}.sqlite") for k in (1, 2)]
    for k, name in enumerate(names, 1):
        done = harness("run", str(tmp_path / "mixed.txt"), "-b", "native", "--shard", f"{k}/2", "-o", name)
        assert done.code == 0, done.err
    done = harness("merge", *names, "-o", str(tmp_path / "merged.sqlite"))
    assert (done.code, "2/2" in done.out) == (0, True), done.err
