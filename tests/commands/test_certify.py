"""`run --certify`: claims of contenders are proved by other solvers, of the instance or of a formula, or refuted."""

import csv
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.conftest import Done, Harness

WCNF = "h 1 2 0\nh 2 3 4 0\nh 1 4 0\nh 3 5 0\n30 -1 0\n45 -2 0\n20 -3 0\n35 -4 -5 0\n25 -5 0\n"
OPB = """* #variable= 4 #constraint= 2
min: +3 x1 +2 x2 -4 x3 +5 x4 ;
+1 x1 +1 x2 +1 x4 >= 2 ;
+3 x1 -2 x2 +4 x3 >= 2 ;
"""
COP = """<instance format="XCSP3" type="COP"><variables><var id="x"> 2..9 </var><var id="y"> 1..9 </var></variables>
<constraints><intension> gt(add(x,y),7) </intension></constraints>
<objectives><minimize type="sum"><list> x y </list><coeffs> 3 2 </coeffs></minimize></objectives></instance>
"""
PATIENT = ("-t", 60, "--open-limit", 300, "--proof-limit", 300)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files with an objective of three formats."""
    folder = tmp_path_factory.mktemp("certify")
    for name, text in (("a.wcnf", WCNF), ("b.opb", OPB), ("c.xml", COP)):
        (folder / name).write_text(text)
    return folder


@pytest.fixture
def proved(harness: Harness, folder: Path, tmp_path: Path) -> Done:
    """Run of CP-SAT, whose optima exact has proved; it is made once."""
    pytest.importorskip("exact")
    kept = folder / "kept.sqlite"
    if not kept.exists():
        names = [folder / name for name in ("a.wcnf", "b.opb", "c.xml")]
        by = ("--certify", "--certify-by", "exact")
        assert harness("run", *names, "-b", "cpsat", *by, *PATIENT, "-o", kept).code == 0
    shutil.copy(kept, tmp_path / "j.sqlite")
    return harness("report", tmp_path / "j.sqlite", "--json", "-")


def test_optima_of_one_solver_are_certified_by_the_proofs_of_another(proved: Done) -> None:
    entry = proved.summary["certify"]
    assert (entry["claims"], entry["twice"], entry["left"]) == (3, 3, [])
    assert (entry["instance"], entry["formula"]) == ({"exact": 2}, {"exact": 1})
    agreement = proved.summary["agreement"]
    assert [agreement[key] for key in ("certified", "certified_formula", "unopposed")] == [2, 1, 1]
    assert proved.contender("cpsat")["uncertified"] == 1, "a certificate of a formula confirms nothing"


def test_table_and_export_say_by_whom_an_answer_is_certified(harness: Harness, proved: Done, tmp_path: Path) -> None:
    text = harness("report", tmp_path / "j.sqlite").out
    assert "certify:   3 claims: 2 of the instance by exact, 1 of the formula by exact; 3 of 3 proofs checked" in text
    rows = csv.DictReader(harness("export", tmp_path / "j.sqlite", "--to", "csv").out.splitlines())
    assert [row["certified_by"] for row in rows] == ["exact", "exact", "exact formula"]


@pytest.mark.parametrize(
    "change",
    [
        "update certifications set digest = null",
        "update meta set value = json_set(value, '$.certify', json('[]')) where key = 'settings'",
    ],
)
def test_a_certificate_without_its_proof_or_the_wish_for_it_does_not_count(
    harness: Harness, proved: Done, tmp_path: Path, change: str
) -> None:
    with closing(sqlite3.connect(tmp_path / "j.sqlite")) as db, db:
        db.execute(change)
    assert proved.summary["agreement"]["certified"] == 2
    assert harness("report", tmp_path / "j.sqlite", "--json", "-").summary["agreement"]["certified"] == 0


@pytest.mark.parametrize(
    "change", ["update certifications set id = 9 where id = 1", "update certifications set proof = 7"]
)
def test_a_damaged_certification_is_one_line(harness: Harness, proved: Done, tmp_path: Path, change: str) -> None:
    with closing(sqlite3.connect(tmp_path / "j.sqlite")) as db, db:
        db.execute(change)
    done = harness("report", tmp_path / "j.sqlite")
    assert (done.code, len(done.err.splitlines())) == (2, 1)


def test_a_certificate_of_a_worse_value_is_the_first_alarm_and_then_none_counts(
    harness: Harness, proved: Done, tmp_path: Path
) -> None:
    with closing(sqlite3.connect(tmp_path / "j.sqlite")) as db, db:
        db.execute("update certifications set value = value + 1 where id = 1")
    done = harness("report", tmp_path / "j.sqlite", "--json", "-")
    first = done.summary["agreement"]["disagreements"][0]
    assert (done.code, first["alarm"], first["contenders"], first["witness"]) == (1, "certificate", ["exact"], "cpsat")
    assert done.summary["agreement"]["certified"] == 0


def test_merging_keeps_what_was_certified(harness: Harness, proved: Done, folder: Path, tmp_path: Path) -> None:
    names = [folder / name for name in ("a.wcnf", "b.opb", "c.xml")]
    harness("run", *names, "-b", "native:python", "-t", 60, "-o", tmp_path / "other.sqlite")
    merged = harness("merge", tmp_path / "other.sqlite", tmp_path / "j.sqlite", "-o", tmp_path / "both.sqlite")
    assert merged.code == 0, merged.err
    summary = harness("report", tmp_path / "both.sqlite", "--json", "-").summary
    assert (summary["agreement"]["certified"], summary["certify"]["claims"]) == (2, 3)


@pytest.mark.parametrize("prover", ["exact", "pysat:cadical195"])
def test_a_false_optimum_is_refuted_by_the_solution_of_a_prover(
    harness: Harness, folder: Path, tmp_path: Path, prover: str
) -> None:
    pytest.importorskip(prover.partition(":")[0])
    (tmp_path / "small.wcnf").write_text("h 1 2 0\nh 1 3 0\nh 2 3 0\n3 -1 0\n4 -2 0\n5 -3 0\n")
    words = ("-b", "better:content", "--certify", "--certify-by", prover, *PATIENT)
    done = harness("run", tmp_path / "small.wcnf", *words, "-o", tmp_path / "j.sqlite", "--json", "-")
    (found,) = done.summary["agreement"]["disagreements"]
    assert (done.code, found["contenders"]) == (1, ["better:content"])
    assert f"a solution of value 7 by {prover}" in found["why"]
    assert (done.summary["certify"]["refuted"], done.summary["certify"]["left"]) == (1, [])
    (again,) = harness("report", tmp_path / "j.sqlite", "--json", "-").summary["agreement"]["disagreements"]
    assert again["why"] == found["why"]


@pytest.mark.slow
def test_counts_are_certified_with_their_solutions_forbidden(harness: Harness, tmp_path: Path) -> None:
    words = ("unsolvable", "hardest", "--puzzles", 2, "--count", 2, "-b", "native", "--certify", *PATIENT)
    by = ("--certify-by", "pysat:cadical195", "-o", tmp_path / "j.sqlite", "--json", "-")
    done = harness("run", *words, *by)
    counted = done.contender("native")
    assert done.summary["certify"]["claims"] == 4
    assert done.summary["agreement"]["certified"] == done.summary["certify"]["claims"]
    assert (counted["uncertified"], done.summary["certify"]["left"]) == (0, [])


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--certify-by", "exact"), "--certify-by needs --certify"),
        (("--certify", "--certify-by", "cpsat"), "--certify-by cpsat: it writes no proofs"),
        (("--certify", "--certify-by", "nobody"), "nobody"),
    ],
)
def test_a_prover_that_cannot_be_is_bad_usage(
    harness: Harness, folder: Path, tmp_path: Path, words: tuple[str, ...], why: str
) -> None:
    done = harness("run", folder / "b.opb", "-b", "cpsat", *words, "-o", tmp_path / "j.sqlite")
    assert (done.code, len(done.err.splitlines()), (tmp_path / "j.sqlite").exists()) == (2, 1, False)
    assert why in done.err
