"""An export holds what the journal holds, as read by ourselves, by pyarrow and by the table-generator of BenchExec."""

import csv
import json
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as Xml

import numpy as np
import pytest

from harness.reporting.formats.tidy import rows
from harness.storing.journal import open_journal
from tests.conftest import Harness
from tests.journals import make, noisy

ODD = {
    "x": {"undecided": [1], "unsatisfiable": [3]},
    "y/min": {"crashed": [2], "unsatisfiable": [4]},
}


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    """A journal with all states, two repeats, a peak memory, and an instance of no answer."""
    return make(tmp_path / "j.sqlite", {"x": noisy(1, 2, 8), "y/min": noisy(2, 2, 8)}, odd=ODD)


def told(path: Path) -> dict[tuple[str, str, int], tuple[object, ...]]:
    """Return status, verdict, reason, and times of each row of a journal."""
    with open_journal(path) as journal:
        return {
            (r["contender"], r["puzzle"], r["repeat"]): (
                *(r[key] for key in ("status", "verdict", "wall_ns", "cpu_ns", "limit", "version")),
            )
            for r in rows(journal)
        }


@pytest.mark.parametrize("form", ["benchexec", "csv"])
def test_exported_results_come_in_again_with_the_same_verdicts_and_times(
    journal: Path, harness: Harness, form: str
) -> None:
    output = "out" if form == "benchexec" else "out.csv"
    assert harness("export", journal, "--format", form, "-o", output).code == 0
    files = sorted(Path(output).iterdir()) if form == "benchexec" else [output]
    assert len(files) == (4 if form == "benchexec" else 1)
    assert harness("import", "--format", form, *files, "-o", "k.sqlite").code == 0
    assert told(Path("k.sqlite")) == told(journal)
    keys = ("name", "solved", "unsatisfiable", "timeout", "error", "wrong", "par2", "seconds", "cpu")
    before, after = (harness("report", path, "--json", "-").summary["contenders"] for path in (journal, "k.sqlite"))
    assert [[c[k] for k in keys] for c in before] == [[c[k] for k in keys] for c in after]
    compared = harness("compare", journal, "k.sqlite", "--json", "-").summary["comparisons"]
    assert [(c["puzzles"], c["times"]["wall"]["ratio"], c["conflict"]) for c in compared] == [(8, 1.0, [])] * 2


def test_what_was_imported_is_exported_unchanged(journal: Path, harness: Harness) -> None:
    for number, source in enumerate((journal, "k0.sqlite")):
        harness("export", source, "--format", "benchexec", "-o", f"out{number}")
        files = sorted(Path(f"out{number}").iterdir())
        harness("import", "--format", "benchexec", *files, "-o", f"k{number}.sqlite")
    assert told(Path("k0.sqlite")) == told(Path("k1.sqlite")) == told(journal)


def test_table_generator_reads_the_statuses_categories_and_times(journal: Path, harness: Harness) -> None:
    pytest.importorskip("benchexec", reason="BenchExec's table-generator is not installed")
    harness("export", journal, "--format", "benchexec", "-o", "out")
    script = "from benchexec.tablegenerator import main; import sys; sys.exit(main())"
    files = [f"out/{stem}.r{repeat}.results.xml" for stem in ("x", "y-min") for repeat in (1, 2)]
    command = [sys.executable, "-c", script, *files, "-f", "csv", "-n", "table", "-o", "tables"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    table = list(csv.reader(Path("tables/table.table.csv").read_text().splitlines(), delimiter="\t"))
    tools, sets, titles = table[:3]
    found = {}
    for line in table[3:]:
        cells: dict[tuple[str, str], dict[str, str]] = {}
        for tool, name, title, value in zip(tools[1:], sets[1:], titles[1:], line[1:], strict=True):
            cells.setdefault((tool, name), {})[title] = value
        for (tool, name), values in cells.items():
            key = (tool.removesuffix(" 1"), line[0], int(name.removeprefix("repeat ")) - 1)
            found[key] = (values["status"], values["category"], values["walltime (s)"], values["cputime (s)"])
    words = {"satisfiable": "true", "unsatisfiable": "false"}
    expected = {}
    for key, (status, verdict, wall, cpu, *_) in told(journal).items():
        assert isinstance(wall, int)
        assert isinstance(cpu, int)
        word = words.get(str(status)) or ("CRASH" if verdict == "error" else "TIMEOUT")
        category = {"correct": "correct", "wrong": "wrong", "uncertified": "missing"}.get(str(verdict), "error")
        expected[key] = (word, category, f"{wall / 1e9:.9f}", f"{cpu / 1e9:.9f}")
    assert found == expected


def test_parquet_holds_the_rows_with_their_types(journal: Path, harness: Harness) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed: extra frame")
    assert harness("export", journal, "--format", "parquet", "-o", "j.parquet").code == 0
    with open_journal(journal) as stored:
        assert parquet.read_table("j.parquet").to_pylist() == list(rows(stored))
    types = {field.name: str(field.type) for field in parquet.read_schema("j.parquet")}
    assert [types[name] for name in ("wall_ns", "puzzle", "complete", "limit")] == ["int64", "string", "bool", "double"]


def test_satcomp_and_mkplot_state_the_times_of_the_summary(journal: Path, harness: Harness) -> None:
    contenders = harness("report", journal, "--json", "-").summary["contenders"]
    harness("export", journal, "--format", "mkplot", "-o", "plots")
    table = list(csv.DictReader(harness("export", journal, "--format", "satcomp").out.splitlines()))
    assert [row["vresult"] for row in table] == ["sat"] * 8
    for c, stem in zip(contenders, ("x", "y-min"), strict=True):
        assert np.mean([float(row[c["name"]]) for row in table]) == pytest.approx(c["par2"], rel=1e-12)
        found = json.loads(Path(f"plots/{stem}.json").read_text())
        assert (found["preamble"]["program"], found["preamble"]["benchmark"]) == (c["name"], "made")
        solved = [entry["rtime"] for entry in found["stats"].values() if entry["status"]]
        assert (len(solved), sum(solved)) == (c["solved"], pytest.approx(c["seconds"]["total"], rel=1e-12))
        assert {entry["rtime"] for entry in found["stats"].values() if not entry["status"]} == {10.0}


def test_the_element_order_is_that_of_the_document_type(journal: Path, harness: Harness) -> None:
    harness("export", journal, "--format", "benchexec", "-o", "out")
    for path in Path("out").iterdir():
        root = Xml.parse(path).getroot()
        assert [child.tag for child in root] == ["columns", "systeminfo", *["run"] * 8]
        assert [child.tag for child in root[1]] == ["os", "cpu", "ram", "environment"]
        required = {"benchmarkname", "date", "starttime", "tool", "toolmodule", "version", "generator"}
        assert required <= root.attrib.keys()


@pytest.mark.parametrize("form", ["parquet", "benchexec", "mkplot", "aslib"])
def test_formats_of_files_need_a_path(journal: Path, harness: Harness, form: str) -> None:
    done = harness("export", journal, "--format", form)
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert f"{form} needs -o" in done.err
    if form != "parquet":
        Path("taken").write_text("")
        assert "taken" in harness("export", journal, "--format", form, "-o", "taken").err
