"""A scenario passes the checks that ASLib's specification states."""

import csv
import json
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.conftest import Harness
from tests.journals import make, noisy, puzzle

KEY = [("instance_id", "STRING"), ("repetition", "NUMERIC")]
RUNSTATUS = {"ok", "timeout", "memout", "not_applicable", "crash", "other"}
FEATURE_STATUS = {"ok", "timeout", "memout", "presolved", "crash", "unknown", "other"}
REQUIRED = {
    *("scenario_id", "performance_measures", "maximize", "performance_type"),
    *("algorithm_cutoff_time", "algorithm_cutoff_memory", "features_cutoff_time", "features_cutoff_memory"),
    *("algorithms_deterministic", "algorithms_stochastic", "number_of_feature_steps", "feature_steps"),
    *("default_steps", "features_deterministic", "features_stochastic"),
}


class Arff(NamedTuple):
    """Relation, attributes with their types, and rows."""

    relation: str
    attributes: list[tuple[str, str]]
    rows: list[list[str]]


def arff(path: Path) -> Arff:
    """Read a file of ARFF with quotes as its definition has them."""
    head, _, data = path.read_text(encoding="ascii").partition("@DATA\n")
    relation, *attributes = [line.partition(" ")[2] for line in head.splitlines() if line]
    lines = data.splitlines()
    rows = list(csv.reader(lines, quotechar="'", escapechar="\\", doublequote=False, strict=True))
    return Arff(relation, [(name, kind) for name, _, kind in (a.partition(" ") for a in attributes)], rows)


def check_scenario(folder: Path) -> dict[str, Arff]:
    """Check a scenario as the specification says, and return its tables."""
    description: dict[str, Any] = {}
    for line in (folder / "description.txt").read_text(encoding="ascii").splitlines():
        key, _, value = line.partition(": ")
        description[key] = json.loads(value)  # values are written as YAML's JSON
    assert description.keys() >= REQUIRED
    measures = description["performance_measures"]
    assert len(measures) == len(description["maximize"]) == len(description["performance_type"])
    assert set(description["performance_type"]) <= {"runtime", "solution_quality"}
    algorithms = description["algorithms_deterministic"] + description["algorithms_stochastic"]
    steps = description["feature_steps"]
    provided = [feature for step in steps.values() for feature in step["provides"]]
    assert description["number_of_feature_steps"] == len(steps)
    assert set(description["default_steps"]) <= set(steps)
    listed = description["features_deterministic"] + description["features_stochastic"]
    assert sorted(listed) == sorted(provided)

    names = ("feature_values", "feature_runstatus", "algorithm_runs", "cv")
    tables = {name: arff(folder / f"{name}.arff") for name in names}
    values, states, runs, cv = tables.values()
    for name, table in tables.items():
        assert table.relation.strip("'").startswith(f"{name.upper()}_")
        assert table.relation.strip("'").endswith(description["scenario_id"])
        assert table.attributes[:2] == KEY
        assert all(len(row) == len(table.attributes) for row in table.rows)
    instances = {row[0] for row in values.rows}
    assert len(instances) == len(values.rows)
    assert [row[:2] for row in values.rows] == [row[:2] for row in states.rows]
    assert [name for name, _ in values.attributes[2:]] == provided
    assert [name for name, _ in states.attributes[2:]] == list(steps)
    assert {cell for row in states.rows for cell in row[2:]} <= FEATURE_STATUS
    for features, state in zip(values.rows, states.rows, strict=True):
        assert ("?" in features) == (state[2] != "ok")

    assert [name for name, _ in runs.attributes] == ["instance_id", "repetition", "algorithm", *measures, "runstatus"]
    repeats = {(row[2], row[1]) for row in runs.rows}
    assert {(row[0], row[2], row[1]) for row in runs.rows} == {(i, *key) for i in instances for key in repeats}
    assert len(runs.rows) == len(instances) * len(repeats)
    assert {row[2] for row in runs.rows} == set(algorithms)
    assert {row[-1] for row in runs.rows} <= RUNSTATUS
    assert all(float(row[3]) >= 0 for row in runs.rows)
    assert {row[0] for row in cv.rows} == instances
    assert min(int(row[2]) for row in cv.rows) == 1
    return tables


def test_a_scenario_of_a_run_has_every_instance_and_algorithm(tmp_path: Path, harness: Harness) -> None:
    odd = {"x": {"undecided": [1], "unsatisfiable": [3]}, "y": {"crashed": [2]}}
    path = make(tmp_path / "j.sqlite", {"x": noisy(1, 2, 25), "y": noisy(2, 2, 25)}, odd=odd)
    assert harness("export", path, "--format", "aslib", "-o", "scenario").code == 0
    tables = check_scenario(Path("scenario"))
    found = {(row[2], row[0], row[1]): row[-1] for row in tables["algorithm_runs"].rows}
    assert [found["x", f"made:{i}", "1"] for i in (1, 2, 4)] == ["ok", "timeout", "other"]
    assert (found["y", "made:3", "2"], len(found)) == ("crash", 100)
    assert sorted({row[2] for row in tables["cv"].rows}, key=int) == list(map(str, range(1, 11)))
    before = {p.name: p.read_bytes() for p in Path("scenario").iterdir()}
    harness("export", path, "--format", "aslib", "-o", "scenario")
    assert before == {p.name: p.read_bytes() for p in Path("scenario").iterdir()}


@pytest.mark.parametrize("name", ["it's, a \\ {name}%?", "\u202eabc\x07", "grün | ?", "a" * 500])
def test_names_are_quoted_and_in_ascii(tmp_path: Path, harness: Harness, name: str) -> None:
    from dataclasses import replace

    puzzles = [replace(puzzle(0), name=name), puzzle(1)]
    path = make(tmp_path / "j.sqlite", {name: noisy(1, 1, 2)}, puzzles)
    harness("export", path, "--format", "aslib", "-o", "scenario")
    tables = check_scenario(Path("scenario"))
    if name.isascii() and name.isprintable():
        assert tables["algorithm_runs"].rows[0][:3] == [name, "1", name]


def test_a_run_that_was_not_made_is_other_with_the_cutoff(tmp_path: Path, harness: Harness) -> None:
    table = tmp_path / "t.csv"
    table.write_text("instance,solver,status,seconds\na,x,sat,1\nb,x,sat,2\nb,y,unsat,3\n")
    harness("import", "--format", "csv", table, "-t", 9, "-o", "j.sqlite")
    harness("export", "j.sqlite", "--format", "aslib", "-o", "scenario")
    tables = check_scenario(Path("scenario"))
    assert ["a", "1", "y", "9.0", "other"] in tables["algorithm_runs"].rows
    assert tables["feature_values"].rows[0] == ["a", "1", "?", "?"]
