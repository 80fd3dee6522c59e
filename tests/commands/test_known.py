"""Known answers: compared, refuted by checked solutions alone, corrected on request, and imported."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from harness.importing.known_tables import read_known
from harness.model.errors import BadUsage
from harness.reporting.formats.golden import Today
from harness.reporting.formats.known_answers import merged, refutation
from harness.storing.known import Record, connected, found, store
from puzzles.objectives.linear import LinearObjective
from tests.conftest import Harness

TEXT = {
    "a.cnf": "p cnf 3 2\n1 -2 0\n2 3 0\n",
    "b.cnf": "p cnf 1 2\n1 0\n-1 0\n",
    "c.opb": "* #variable= 2 #constraint= 1\nmin: +3 x1 +2 x2 ;\n+1 x1 +1 x2 >= 1 ;\n",
}
GBD = "5c199826eee734c6484e691f3c129214"  # of a.cnf


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    folder = tmp_path / "corpus"
    folder.mkdir()
    for name, text in TEXT.items():
        (folder / name).write_text(text)
    return folder


@pytest.mark.slow
def test_a_false_record_is_refuted_and_corrected_on_request(harness: Harness, corpus: Path, tmp_path: Path) -> None:
    file = tmp_path / "known.sqlite"
    run = ["run", str(corpus), "-b", "native", "-b", "pysat:cadical195", "-b", "cpsat", "--known", str(file), "-o"]
    assert "0 known answers agree, 3 are new" in harness(*run, str(tmp_path / "1.sqlite")).err
    with closing(sqlite3.connect(file)) as db, db:
        rows = {row[1]: row for row in db.execute("select * from known")}
        assert [rows[name][2:4] for name in TEXT] == [("satisfiable", ""), ("unsatisfiable", ""), ("optimal", "2")]
        db.execute("update known set status = 'unsatisfiable', solutions = '0' where name = 'a.cnf'")
        db.execute("update known set status = 'satisfiable', solutions = '1+' where name = 'b.cnf'")
        db.execute("update known set value = '5' where name = 'c.opb'")
    false = harness(*run, str(tmp_path / "2.sqlite"))
    assert false.code == 2
    assert "KNOWN ANSWER REFUTED: a.cnf: unsatisfiable" in false.err
    assert "KNOWN ANSWER REFUTED: c.opb: optimal 5" in false.err
    assert "no solution shows which is wrong: b.cnf" in false.err
    assert " 0 wrong" not in false.err
    assert harness(*run, str(tmp_path / "3.sqlite"), "--correct-known").code == 2
    assert "REFUTED" not in harness(*run, str(tmp_path / "4.sqlite")).err


def test_answers_of_a_gbd_database_are_imported(harness: Harness, corpus: Path, tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "cnf.db")) as db, db:
        db.execute("create table features (hash unique, result text default 'v')")
        db.execute("create table filename (hash, value)")
        db.executemany("insert into features values (?, ?)", [(GBD, "unsat"), ("0" * 32, "unknown")])
        db.execute("insert into filename values (?, 'easy.cnf')", (GBD,))
    file = str(tmp_path / "known.sqlite")
    made = harness("import", "--format", "known", str(tmp_path / "cnf.db"), "-o", file)
    assert "1 known answers, 1 rows without one" in made.out
    run = harness("run", str(corpus / "a.cnf"), "-b", "native:cdcl", "--known", file, "-o", str(tmp_path / "j.sqlite"))
    assert run.code == 2
    assert "KNOWN ANSWER REFUTED: a.cnf: unsatisfiable" in run.err


WEIGHTED = """c t wmc
p cnf 2 1
1 2 0
c p weight 1 1/3 0
c p weight -1 2/3 0
c p weight 2 1/2 0
c p weight -2 1/2 0
"""


def test_a_number_of_models_is_known_as_a_fraction(harness: Harness, tmp_path: Path) -> None:
    (tmp_path / "w.cnf").write_text(WEIGHTED)
    file = tmp_path / "known.sqlite"
    words = "-b", "models:native", "--known", file, "-o"
    count = "run", tmp_path / "w.cnf", "--count", "all"
    assert "1 are new" in harness(*count, "--certify", *words, tmp_path / "1.sqlite").err
    assert "1 known answers agree" in harness(*count, "--certify", *words, tmp_path / "2.sqlite").err
    with closing(sqlite3.connect(file)) as db, db:
        assert db.execute("select status, value from known").fetchall() == [("counted", "2/3")]
        db.execute("update known set value = '1/2'")
    assert "REFUTED" not in harness(*count, *words, tmp_path / "3.sqlite").err  # one counter alone shows nothing
    false = harness(*count, "--certify", *words, tmp_path / "4.sqlite")
    assert "KNOWN ANSWER REFUTED: w.cnf: counted 1/2 (from" in false.err


def test_bounds_of_solutions_are_kept_and_refuted(tmp_path: Path) -> None:
    goal = LinearObjective.of({0: 1})
    old, new = Record("k", "a", "feasible", "7", "3"), Record("k", "a", "feasible", "6", "2")
    assert merged(new, old, goal) == Record("k", "a", "feasible", "6", "3")
    assert merged(old, new, goal) == Record("k", "a", "feasible", "6", "3")
    today = Today({"count": "?"}, "?", None, goal, 2)
    assert (refutation(old, today), refutation(new, today)) == ("a checked solution has the value 2", "")


def test_a_table_is_read_by_its_columns(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text(f"hash,status,value\n{GBD},optimal,+07\n{'1' * 32},feasible,\n{'2' * 32},SAT,\n")
    records, without = read_known(path)
    assert [(r.key[:5], r.status, r.value) for r in records] == [
        ("gbd:5", "optimal", "7"),
        ("gbd:2", "satisfiable", ""),
    ]
    assert without == 1
    for text, message in (("name\nx\n", ":1: no column 'hash'"), ("hash\nx\n", ":2: 'x' is no hash")):
        path.write_text(text)
        with pytest.raises(BadUsage, match=message):
            read_known(path)


def test_another_database_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "other.sqlite"
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("create table known (x)")
    with pytest.raises(BadUsage, match="another SQLite database"), connected(path):
        pass
    path.write_text("no database at all, but long enough to be looked at" * 99)
    with pytest.raises(BadUsage, match="no file of known answers"), connected(path):
        pass


def test_records_are_replaced_by_their_key(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "known.sqlite"
    store(path, [Record("k", "a", "feasible", "7")])
    store(path, [Record("k", "a", "optimal", "5")])
    assert found(path, ["k", "other"]) == {"k": Record("k", "a", "optimal", "5")}
