"""Journals of schema 1 give the same output as when they were recorded.

tests/fixtures/schema1/README.md describes the journals and the recorded output. Older code recorded it, so wording may
differ: warnings, error messages and table titles are not compared, and keys and columns may be added. Numbers are
compared exactly, except the ratios of `compare`: these use logarithms, whose last bits differ between processors.
"""

import csv
import io
import json
import math
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from harness.cli import main

FOLDER = Path(__file__).resolve().parent.parent / "fixtures" / "schema1"
RECORDED = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted(FOLDER.glob("*.json"))}
LAST_BITS = 1e-12  # relative tolerance of the ratios of `compare`
CASES = [
    pytest.param(stem, case, id=f"{stem}: {case['case']}".replace(".sqlite", ""))
    for stem, cases in RECORDED.items()
    for case in cases
]


def place(journals: list[str]) -> None:
    """Copy journals to these paths of the working directory."""
    for journal in map(Path, journals):
        journal.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(FOLDER / journal.name, journal)


def expected(stem: str, step: dict[str, Any]) -> dict[str, Any]:
    """Return a step with its expected output, which may be that of another case of the same file."""
    if "as" not in step:
        return step
    (same,) = (case for case in RECORDED[stem] if case["case"] == step["as"])
    found: dict[str, Any] = same["steps"][0]
    return found


def differences(found: Any, wanted: Any, tolerance: float, at: str = "") -> Iterator[str]:
    """Yield the differences of a JSON value from the recorded one; it may have more keys."""
    if isinstance(wanted, dict) and isinstance(found, dict):
        for key, value in wanted.items():
            if key in found:
                yield from differences(found[key], value, tolerance, f"{at}.{key}")
            else:
                yield f"{at}.{key} is missing"
    elif isinstance(wanted, list) and isinstance(found, list) and len(wanted) == len(found):
        for i, (one, other) in enumerate(zip(found, wanted, strict=True)):
            yield from differences(one, other, tolerance, f"{at}[{i}]")
    elif isinstance(wanted, float) and isinstance(found, float) and math.isclose(found, wanted, rel_tol=tolerance):
        return
    elif found != wanted:
        yield f"{at}: {found!r}, recorded {wanted!r}"


def cells(text: str) -> list[list[str]]:
    """Return CSV as rows of cells, the titles first."""
    return list(csv.reader(io.StringIO(text, newline="")))


def columns(table: list[list[str]], names: list[str]) -> list[list[str]]:
    """Return the columns of these names, with cells `no such column` for missing ones."""
    at = {name: i for i, name in enumerate(table[0])}
    return [[row[at[name]] if name in at else "no such column" for name in names] for row in table[1:]]


def numbers(table: list[list[str]]) -> list[list[str | float]]:
    """Return the cells, with decimal numbers as floats."""
    return [[float(cell) if re.fullmatch(r"\d+\.\d+(e-?\d+)?", cell) else cell for cell in row] for row in table]


def as_schema_2(summary: dict[str, Any]) -> dict[str, Any]:
    """Return a recorded summary, in which `solved` counts satisfiable answers, as summaries count since schema 2."""
    if "limit" not in summary:
        return summary
    lifted = [
        c | {"satisfiable": c["solved"], "solved": c["solved"] + c["unsatisfiable"]} for c in summary["contenders"]
    ]
    return summary | {"schema": 2, "contenders": lifted}


def with_all_solved(row: list[str]) -> list[str]:
    """Return a recorded row of the table of contenders with numbers solved, satisfiable and unsatisfiable."""
    satisfiable, unsatisfiable = row[3:5]
    return [*row[:3], str(int(satisfiable) + int(unsatisfiable)), satisfiable, *row[4:]]


def output_differences(output: str, wanted: dict[str, Any], tolerance: float) -> Iterator[str]:
    """Yield the differences of an output from the recorded one."""
    if "json" in wanted:
        yield from differences(json.loads(output), as_schema_2(wanted["json"]), tolerance)
    if "cells" in wanted:
        titles, *rows = cells(output)
        recorded = list(map(with_all_solved, wanted["cells"])) if "solved" in titles else wanted["cells"]
        width = len(recorded[0]) if recorded else 0  # columns may be added at the end
        yield from differences(numbers([row[:width] for row in rows]), numbers(recorded), tolerance)
    if "rows" in wanted:
        names, *rows = wanted["rows"]
        yield from differences(columns(cells(output), names), rows, 0)


@pytest.mark.parametrize(("stem", "case"), CASES)
def test_a_journal_of_schema_1_gives_the_recorded_output(
    stem: str,
    case: dict[str, Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    place(case["journals"])
    for step in case["steps"]:
        code = main(step["command"])
        output = capsys.readouterr().out
        assert code == step["exit"], step["command"]
        tolerance = LAST_BITS if step["command"][0] == "compare" else 0.0
        assert list(output_differences(output, expected(stem, step), tolerance)) == [], step["command"]


@pytest.mark.parametrize(
    "command",
    [
        ["report", "killed.sqlite"],
        ["export", "killed.sqlite", "--to", "json"],
        ["compare", "killed.sqlite", "interrupted.sqlite"],
        ["merge", "killed.sqlite", "interrupted.sqlite", "-o", "c.sqlite"],
    ],
    ids=lambda command: command[0],
)
def test_reading_does_not_change_a_journal_of_schema_1(
    command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    journals = ["killed.sqlite", "interrupted.sqlite"]
    place(journals)
    main(command)
    for journal in journals:
        assert Path(journal).read_bytes() == (FOLDER / journal).read_bytes()


def test_every_journal_has_its_cases() -> None:
    assert {path.stem for path in FOLDER.glob("*.sqlite")} == RECORDED.keys() - {"compare", "merge"}
