"""Each limit is stated, and used by the scores of its clock; the other one stands in where a clock has none."""

import csv
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as Xml

import numpy as np
import pytest

from harness.cli import main
from harness.model.settings import Limits
from harness.reporting.frame.reading import open_judged
from harness.reporting.page.columns import journal_columns
from harness.reporting.page.container import Container
from harness.storing.journal import open_journal
from tests.conftest import Harness
from tests.importing.files import result_file, run
from tests.journals import make

TIMES = {"x": np.full((1, 4), 0.5), "y": np.full((1, 4), 0.25)}
ODD = {"x": {"undecided": [1], "unsatisfiable": [3]}, "y": {"undecided": [0], "unsatisfiable": [3]}}


@pytest.fixture
def both(tmp_path: Path) -> Path:
    """Journal with a limit of 10 s of wall time and 3 s of CPU time."""
    return make(tmp_path / "both.sqlite", TIMES, odd=ODD, limit=10.0, cpu=3.0)


def test_a_clock_without_a_limit_takes_that_of_the_other() -> None:
    assert [Limits(10.0, 3.0).of(clock) for clock in ("wall", "cpu")] == [10.0, 3.0]
    assert [Limits(10.0).of(clock) for clock in ("wall", "cpu")] == [10.0, 10.0]
    assert [Limits(None, 3.0).clock_for(clock) for clock in ("wall", "cpu")] == ["cpu", "cpu"]
    assert list(map(str, (Limits(10.0), Limits(10.0, 3.0), Limits(None, 0.5)))) == [
        "10 s",
        "10 s, 3 s of CPU time",
        "0.5 s of CPU time",
    ]


def test_par_of_cpu_time_and_everything_made_of_it_use_the_limit_of_cpu_time(both: Path, harness: Harness) -> None:
    summary = harness("report", both, "--json", "-", "--rank", "par10", "--time", "cpu", "--vbs", "--matrix").summary
    x = summary["contenders"][0]
    assert (x["par2"], x["cpu"]["par2"], x["cpu"]["par10"]) == ((1.5 + 20) / 4, (1.5 + 6) / 4, (1.5 + 30) / 4)
    ranked = {c["name"]: c["score"] for c in summary["ranking"]["contenders"]}
    assert ranked["x"] == pytest.approx((1.5 + 30) / 4)
    assert (summary["ranking"]["limit"], summary["ranking"]["limit_clock"]) == (3.0, "cpu")
    assert summary["portfolio"]["contenders"][1]["worth"] == pytest.approx((0.25 * 2 + 6 - 0.25) / 4)
    assert summary["matrix"]["limit"] == {"seconds": 3.0, "clock": "cpu"}


def test_every_report_states_both_limits(both: Path, harness: Harness) -> None:
    stated = "limit 10 s, 3 s of CPU time"
    summary = harness("report", both, "--json", "-").summary
    assert (summary["limit"], summary["cpu_limit"]) == (10.0, 3.0)
    assert stated in harness("report", both).out
    for form in ("markdown", "latex", "github", "junit"):
        text = " ".join(harness("report", both, "--format", form).out.replace("limit:", "limit").split())
        assert stated in text, form
    row = next(csv.DictReader(harness("report", both, "--format", "csv").out.splitlines()))
    assert (row["limit"], row["CPU limit"]) == ("10.0", "3.0")
    assert "limit: 3 s of CPU time" in harness("report", both, "--rank", "par2", "--time", "cpu").out
    assert "limit: 10 s of wall time" in harness("report", both, "--rank", "par2").out
    assert (
        "Limit: 3 s of CPU time" in harness("report", both, "--rank", "par2", "--time", "cpu", "--format", "latex").out
    )
    row = next(csv.DictReader(harness("export", both, "--to", "csv").out.splitlines()))
    assert (row["limit"], row["cpu_limit"]) == ("10.0", "3.0")


def test_a_report_says_which_limit_stands_in(tmp_path: Path, harness: Harness) -> None:
    path = make(tmp_path / "wall.sqlite", TIMES, odd=ODD, limit=10.0)
    summary = harness("report", path, "--json", "-").summary
    assert summary["score_limits"]["cpu"] == {"seconds": 10.0, "clock": "wall"}
    assert "scores by CPU time use that of wall time" in " ".join(harness("report", path, "--time", "cpu").out.split())
    ranked = " ".join(harness("report", path, "--time", "cpu", "--rank", "par2").out.split())
    assert "limit: 10 s of wall time, as none of CPU time is known" in ranked
    assert "stand" not in harness("report", path).out


def test_a_time_limit_of_benchexec_is_of_cpu_time(tmp_path: Path, harness: Harness) -> None:
    runs = [run("a", "true", "true", cputime="5s", walltime="6s"), run("b", "TIMEOUT", cputime="60s", walltime="70s")]
    harness("import", "--format", "benchexec", result_file(tmp_path / "a.xml", runs), "-o", "j.sqlite")
    summary = harness("report", "j.sqlite", "--json", "-").summary
    assert (summary["limit"], summary["cpu_limit"]) == (None, 60.0)
    assert summary["score_limits"]["wall"] == {"seconds": 60.0, "clock": "cpu"}
    assert "limit 60 s of CPU time" in harness("report", "j.sqlite").out
    harness("import", "--format", "benchexec", tmp_path / "a.xml", "-o", "k.sqlite", "-t", 100)
    (c,) = harness("report", "k.sqlite", "--json", "-").summary["contenders"]
    assert (c["par2"], c["cpu"]["par2"]) == ((6 + 200) / 2, (5 + 120) / 2)


@pytest.mark.parametrize(
    ("cpu", "attributes"),
    [(None, {"options": "-t 10.0"}), (3.0, {"options": "-t 10.0", "timelimit": "3.0s"})],
    ids=["no CPU limit", "both"],
)
def test_only_a_limit_of_cpu_time_is_exported_as_the_time_limit_of_benchexec(
    tmp_path: Path, harness: Harness, cpu: float | None, attributes: dict[str, str]
) -> None:
    path = make(tmp_path / "j.sqlite", TIMES, odd=ODD, limit=10.0, cpu=cpu)
    harness("export", path, "--to", "benchexec", "-o", "out")
    root = Xml.parse("out/x.results.xml").getroot()
    assert {key: root.attrib[key] for key in ("options", "timelimit") if key in root.attrib} == attributes
    harness("import", "--format", "benchexec", "out/x.results.xml", "out/y.results.xml", "-o", "k.sqlite")
    with open_journal("k.sqlite") as journal:
        assert journal.facts.settings().limits == Limits(10.0, cpu)


# Several busy processes get enough of a core that others use too.
SLOW = """case $1 in
*busy.cnf) for i in 1 2 3 4 5 6 7 8; do (while :; do :; done) & done; wait ;;
*idle.cnf) exec sleep 99 ;;
esac
printf 's SATISFIABLE\\nv -1 2 0\\n'
"""


@pytest.fixture(scope="module")
def limited(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Journal of a run whose first instance took too much CPU time, and its second too much wall time."""
    folder = tmp_path_factory.mktemp("limited")
    for name in ("answered", "busy", "idle"):
        (folder / f"{name}.cnf").write_text("p cnf 2 2\n1 2 0\n-1 0\n")
    (folder / "slow.sh").write_text(SLOW)
    program = ["-b", "dimacs:slow", "--program", f"slow=/bin/sh {folder / 'slow.sh'}"]
    words = [
        str(folder),
        *program,
        "-w",
        "0",
        "-t",
        "2",
        "--cpu",
        "0.2",
        "-o",
        str(folder / "j.sqlite"),
        "--only",
        "*.cnf",
    ]
    assert main(["run", *words]) == 4
    return folder / "j.sqlite"


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere only a process itself knows its processor time")
def test_a_run_tells_apart_which_limit_ended_an_instance(limited: Path, harness: Harness) -> None:
    summary: Any = harness("report", limited, "--json", "-").summary
    (c,) = summary["contenders"]
    assert (c["timeout"], summary["limit"], summary["cpu_limit"]) == (2, 2.0, 0.2)
    assert c["par2"] == pytest.approx((c["seconds"]["mean"] + 2 * 2 * 2.0) / 3)
    assert c["cpu"]["par2"] == pytest.approx((c["cpu"]["seconds"]["mean"] + 2 * 2 * 0.2) / 3)
    with open_judged(limited) as run:
        shown = journal_columns(run.results(), summary, lambda some: [""] * len(some), Container())
    assert shown["limits"] == {"wall": 2.0, "cpu": 0.2}
    assert "killed after 0.2 s of CPU time" in str(shown["contenders"])
    harness("export", limited, "--to", "benchexec", "-o", "out")
    root = Xml.parse("out/dimacs-slow-extended.results.xml").getroot()
    ended = {run.attrib["name"]: column.attrib["value"] for run in root.iter("run") for column in run if titled(column)}
    assert ended == {"busy.cnf": "cputime", "idle.cnf": "walltime"}


def titled(column: Xml.Element) -> bool:
    """Return True for the column that states which limit ended a run."""
    return column.attrib["title"] == "terminationreason"


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere only a process itself knows its processor time")
def test_table_generator_reads_which_limit_ended_a_run(limited: Path, harness: Harness) -> None:
    program = shutil.which("table-generator")
    if program is None:
        pytest.skip("BenchExec's table-generator is not installed")
    harness("export", limited, "--to", "benchexec", "-o", "out")
    subprocess.run([program, *Path("out").iterdir(), "-f", "csv", "-n", "t", "-o", "tables"], check=True, timeout=120)
    (table,) = Path("tables").iterdir()
    _, _, titles, *rows = csv.reader(table.read_text().splitlines(), delimiter="\t")
    found = {row[0]: dict(zip(titles[1:], row[1:], strict=True)) for row in rows}
    ended = {name: (values["status"], values["terminationreason"]) for name, values in found.items()}
    assert ended == {
        "answered.cnf": ("true", ""),
        "busy.cnf": ("TIMEOUT", "cputime"),
        "idle.cnf": ("TIMEOUT", "walltime"),
    }
    assert float(found["busy.cnf"]["cputime (s)"]) > 0.2
    assert float(found["idle.cnf"]["walltime (s)"]) > 2


def test_an_imported_limit_of_cpu_time_alone_comes_out_and_in_again(tmp_path: Path, harness: Harness) -> None:
    runs = [run("a", "true", "true", cputime="5s", walltime="6s")]
    harness("import", "--format", "benchexec", result_file(tmp_path / "a.xml", runs), "-o", "j.sqlite")
    for form, output in (("benchexec", "out"), ("csv", "out.csv")):
        harness("export", "j.sqlite", "--to", form, "-o", output)
        read = "out/solver.results.xml" if form == "benchexec" else output
        assert harness("import", "--format", form, read, "-o", f"{form}.sqlite").code == 0
        with open_journal(f"{form}.sqlite") as journal:
            assert journal.facts.settings().limits == Limits(None, 60.0), form


def test_an_imported_answer_over_either_limit_is_a_timeout(tmp_path: Path, harness: Harness) -> None:
    table = tmp_path / "t.csv"
    table.write_text(
        "instance,solver,status,wall_ns,cpu_ns,limit,cpu_limit\n"
        "a,s,sat,1000000000,1000000000,10,3\n"
        "b,s,sat,4000000000,3000000001,10,3\n"
        "c,s,unsat,10000000001,1000000000,10,3\n"
        "d,s,unsat,10000000000,3000000000,10,3\n"
    )
    assert harness("import", "--format", "csv", table, "-o", "j.sqlite").code == 0
    (c,) = harness("report", "j.sqlite", "--json", "-").summary["contenders"]
    assert (c["solved"], c["satisfiable"], c["unsatisfiable"], c["timeout"]) == (2, 1, 1, 2)


def test_an_import_without_any_limit_is_refused_with_both_options(tmp_path: Path, harness: Harness) -> None:
    table = tmp_path / "t.csv"
    table.write_text("instance,solver,status,seconds\na,s,sat,1\n")
    done = harness("import", "--format", "csv", table, "-o", "j.sqlite")
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert "-t SECONDS" in done.err
    assert "--cpu SECONDS" in done.err
    assert harness("import", "--format", "csv", table, "-o", "j.sqlite", "--cpu", 5).code == 0


def test_solved_counts_both_answers_everywhere(both: Path, harness: Harness) -> None:
    contenders = harness("report", both, "--json", "-").summary["contenders"]
    assert [(c["solved"], c["satisfiable"], c["unsatisfiable"]) for c in contenders] == [(3, 2, 1)] * 2
    assert harness("report", both, "--json", "-").summary["schema"] == 2
    row = next(csv.DictReader(harness("report", both, "--format", "csv").out.splitlines()))
    assert (row["solved"], row["sat"], row["unsat"]) == ("3", "2", "1")
    heads, _, first, *_ = harness("report", both).out.split("\n\n")[1].splitlines()
    assert heads.split()[:4] == ["contender", "solved", "sat", "unsat"]
    assert first.split()[1:4] == ["3/4", "2", "1"]
    assert "x & 3 & 2 & 1 & " in harness("report", both, "--format", "latex").out
    assert "3 solved: 2 satisfiable, 1 unsatisfiable" in harness("report", both, "--format", "junit").out


def test_columns_of_both_answers_are_left_out_where_they_repeat_solved(tmp_path: Path, harness: Harness) -> None:
    kinds = {"sat": [], "unsat": [0, 1, 2, 3]}
    for name, positions in kinds.items():
        odd = {c: {"unsatisfiable": positions} for c in TIMES}
        heads = harness("report", make(tmp_path / name, TIMES, odd=odd)).out.split("\n\n")[1].splitlines()[0].split()
        assert heads[1:3] == {"sat": ["solved", "timeout"], "unsat": ["solved", "unsat"]}[name]
