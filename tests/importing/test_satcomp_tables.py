"""Tables of SAT competitions in each year's columns; figures of published ones are in docs/reference/formats.md."""

from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Done, Harness

WIDE = {  # year: columns and rows, of one shape in all years
    "2020": "cnf,solution,a,b\nx,SATISFIABLE,1.5,TIMEOUT\ny,UNSATISFIABLE,FAILED,2\nz,UNKNOWN,UNKNOWN,TIMEOUT\n",
    "2021": "hash,result,filename,a,b\nx,sat,x,1.5,timeout\ny,unsat,y.cnf,memout,2\nz,unknown,z,unverified,TIMEOUT\n",
    "2022": "hash,benchmark,verified-result,claimed-result,a,b\nx,x.cnf,sat,sat,1.5,20.0\ny,y.cnf,unsat,unsat,20,2\n"
    "z,z.cnf,unknown,unknown,20,20\n",
    "2023": "hash,a,b,aresult\nx,1.5,20.0,sat\ny,20,2,unsat\nz,20,20,unknown\n",
    "2024": "hash,a,b,vresult\nx,1.5,20.0,sat\ny,20,2,unsat\nz,20,20,unknown\n",
}
LONG = """benchmark,solver,configuration,solver time,status,result,verifier time,verifier-result
x,a,default,1.5,complete,SAT,0.1,SAT-VERIFIED
x,a,fast,0.5,complete,SAT,0.1,SAT-VERIFIED
y,a,default,2,complete,UNSAT,0.1,UNSAT-VERIFIED
y,a,fast,3,complete,UNSAT,9,--
z,a,default,10.02,timeout (wallclock),UNKNOWN,0,--
z,a,fast,4,memout,UNKNOWN,0,--
"""


def imported(harness: Harness, *files: Path, limit: float = 10) -> Done:
    return harness("import", "--format", "satcomp", *files, "-t", limit, "-o", "j.sqlite")


def entries(harness: Harness) -> dict[str, dict[str, Any]]:
    return {c["name"]: c for c in harness("report", "j.sqlite", "--json", "-").summary["contenders"]}


@pytest.mark.parametrize("year", WIDE)
def test_the_columns_of_each_year_give_the_same_scores(year: str, tmp_path: Path, harness: Harness) -> None:
    (tmp_path / "t.csv").write_text(WIDE[year])
    done = imported(harness, tmp_path / "t.csv")
    assert done.code == 0
    assert "2 solvers; 3 rows; cells: " in done.err
    found = entries(harness)
    assert {name: (c["satisfiable"], c["unsatisfiable"], c["par2"]) for name, c in found.items()} == {
        "a": (1, 0, 41.5 / 3),
        "b": (0, 1, pytest.approx(42 / 3)),
    }


def test_words_of_cells_keep_their_meaning_and_are_counted(tmp_path: Path, harness: Harness) -> None:
    (tmp_path / "t.csv").write_text(
        "hash,result,a\nv,sat,timeout\nw,sat,memout\nx,sat,FAILED\ny,sat,unverified\nz,sat,10.5\nu,sat,1\n"
    )
    done = harness("import", "--format", "satcomp", tmp_path / "t.csv", "-t", 10, "-o", "j.sqlite")
    assert done.code == 0
    assert "1 timeout, 1 memout, 1 failed, 1 unverified, 1 beyond the limit" in done.err.replace("\n", " ")
    found = entries(harness)["a"]
    assert [found[k] for k in ("timeout", "memory", "error", "unknown", "solved")] == [2, 1, 1, 1, 1]


def test_an_incorrect_cell_is_a_wrong_answer(tmp_path: Path, harness: Harness) -> None:
    (tmp_path / "t.csv").write_text("cnf,solution,a,b\nx,UNSATISFIABLE,INCORRECT,1\n")
    assert imported(harness, tmp_path / "t.csv").code == 0
    assert {name: c["wrong"] for name, c in entries(harness).items()} == {"a": 1, "b": 0}


def test_a_claimed_result_answers_where_none_is_verified_but_certifies_nothing(
    tmp_path: Path, harness: Harness
) -> None:
    (tmp_path / "t.csv").write_text("hash,verified-result,claimed-result,a,b\nx,unknown,unsat,1,20\ny,sat,sat,1,1\n")
    imported(harness, tmp_path / "t.csv")
    found = entries(harness)["a"]
    assert (found["solved"], found["unsatisfiable"], found["uncertified"]) == (2, 1, 1)


def test_a_time_of_an_instance_without_a_result_is_no_answer(tmp_path: Path, harness: Harness) -> None:
    (tmp_path / "t.csv").write_text("hash,a,b,aresult\nx,1,2,unknown\ny,1,2,sat\n")
    assert "2 times of instances without a result" in imported(harness, tmp_path / "t.csv").err
    assert entries(harness)["a"]["solved"] == 1


def test_a_table_without_results_takes_them_from_another_file(tmp_path: Path, harness: Harness) -> None:
    (tmp_path / "t.csv").write_text("hash,filename,a\nx,x.cnf,1\ny,y.cnf,timeout\n")
    (tmp_path / "r.csv").write_text("hash,result\nx,unsat\ny,sat\n")
    alone = imported(harness, tmp_path / "t.csv")
    assert (alone.code, alone.err.count("\n")) == (2, 1)
    assert "add a file that has hash and one of them" in alone.err
    assert "result of another file" in imported(harness, tmp_path / "r.csv", tmp_path / "t.csv").err
    assert entries(harness)["a"]["unsatisfiable"] == 1


def test_a_row_for_each_run_needs_verified_answers_where_it_states_them(tmp_path: Path, harness: Harness) -> None:
    (tmp_path / "t.csv").write_text(LONG)
    assert "6 rows: 3 solved, 1 unverified, 1 timeout, 1 memory" in imported(harness, tmp_path / "t.csv").err
    assert {name: c["par2"] for name, c in entries(harness).items()} == {
        "a": 23.5 / 3,
        "a-fast": pytest.approx(40.5 / 3),
    }


def test_a_limit_that_most_times_exceed_is_refused(tmp_path: Path, harness: Harness) -> None:
    (tmp_path / "t.csv").write_text(WIDE["2024"])
    done = imported(harness, tmp_path / "t.csv", limit=1)
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert "most times are beyond the limit of 1 s (-t)" in done.err
