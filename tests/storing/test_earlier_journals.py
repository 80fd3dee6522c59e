"""Journals of earlier versions: those of schema 2 report as recorded, older schemas are refused in one line.

tests/fixtures/schema2/README.md describes the journals. Wording may change, so warnings and reasons are not compared,
and keys may be added. Ratios use logarithms, whose last bits differ between processors.
"""

import json
import math
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import harness as interface
from harness.storing.schema import APPLICATION
from tests.conftest import ROOT, Harness
from tests.journals import make, noisy

FOLDER = ROOT / "tests" / "fixtures" / "schema2"
NAMES = sorted(path.stem for path in FOLDER.glob("*.sqlite"))
LAST_BITS = 1e-12  # relative tolerance
VERBS: dict[str, tuple[str, ...]] = {  # OLD stands for the journal, OTHER for an intact one
    "report": ("report", "OLD"),
    "judge": ("judge", "OLD"),
    "export": ("export", "OLD", "--to", "csv"),
    "compare the older": ("compare", "OLD", "OTHER"),
    "compare with the older": ("compare", "OTHER", "OLD"),
    "merge": ("merge", "OTHER", "OLD", "-o", "c.sqlite"),
    "places": ("report", "OLD", "--places"),
    "resume": ("run", "--resume", "OLD"),
}


def recorded(name: str) -> dict[str, Any]:
    """Return the recorded summary of a journal."""
    found: dict[str, Any] = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return found


def differences(found: Any, wanted: Any, at: str = "") -> Iterator[str]:
    """Yield the differences of a JSON value from the recorded one; it may have more keys."""
    if isinstance(wanted, dict) and isinstance(found, dict):
        for key, value in wanted.items():
            yield from differences(found.get(key, "missing"), value, f"{at}.{key}")
    elif isinstance(wanted, list) and isinstance(found, list) and len(wanted) == len(found):
        for i, (one, other) in enumerate(zip(found, wanted, strict=True)):
            yield from differences(one, other, f"{at}[{i}]")
    elif isinstance(wanted, float) and isinstance(found, float) and math.isclose(found, wanted, rel_tol=LAST_BITS):
        return
    elif found != wanted:
        yield f"{at}: {found!r}, recorded {wanted!r}"


@pytest.mark.parametrize("name", NAMES)
def test_a_journal_of_an_earlier_version_reports_as_recorded(name: str, tmp_path: Path, harness: Harness) -> None:
    """The summary is the same again after `judge`, which writes verdicts to the journal."""
    path = tmp_path / f"{name}.sqlite"
    shutil.copy(FOLDER / path.name, path)
    done = harness("report", path.name, "--json", "-")
    assert list(differences(done.summary, recorded(name))) == []
    assert done.code == recorded(name)["exit"]
    assert path.read_bytes() == (FOLDER / path.name).read_bytes()
    harness("judge", path.name)
    assert list(differences(harness("report", path.name, "--json", "-").summary, recorded(name))) == []


@pytest.mark.parametrize("name", NAMES)
def test_outcomes_of_an_earlier_version_are_exported_all(name: str, tmp_path: Path, harness: Harness) -> None:
    shutil.copy(FOLDER / f"{name}.sqlite", tmp_path)
    with closing(sqlite3.connect(tmp_path / f"{name}.sqlite")) as db:
        (number,) = db.execute("select count(*) from outcomes").fetchone()
    assert len(json.loads(harness("export", f"{name}.sqlite", "--to", "json").out)) == number > 0


def test_the_killed_run_has_stored_verdicts_that_are_revised(tmp_path: Path, harness: Harness) -> None:
    shutil.copy(FOLDER / "killed.sqlite", tmp_path)
    assert "33 outcomes, 4 verdicts revised" in harness("judge", "killed.sqlite").out


@pytest.fixture
def first_schema(tmp_path: Path) -> Path:
    """File that says it is a journal of schema 1."""
    path = tmp_path / "old.sqlite"
    with closing(sqlite3.connect(path)) as db:
        db.executescript(
            f"pragma application_id = {APPLICATION}; pragma user_version = 1; create table meta (key, value)"
        )
    return path


@pytest.mark.parametrize("words", VERBS.values(), ids=VERBS)
def test_schema_1_is_refused_in_one_line_and_the_file_stays(
    words: tuple[str, ...], first_schema: Path, tmp_path: Path, harness: Harness
) -> None:
    other = make(tmp_path / "other.sqlite", {"x": noisy(1, 1, 3)})
    before = first_schema.read_bytes()
    named = {"OLD": first_schema, "OTHER": other}
    done = harness(*(named.get(word, word) for word in words))
    assert done.code == 2
    assert done.err == (
        f"harness: {first_schema}: a journal of schema 1, which this version does not read:"
        " read it with the version that wrote it, or start a new run\n"
    )
    assert first_schema.read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["old.sqlite", "other.sqlite"]


def test_python_refuses_schema_1_too(first_schema: Path) -> None:
    with pytest.raises(interface.BadUsage, match="a journal of schema 1, which this version does not read"):
        interface.open(first_schema)


WIDE = """var 0..65536: z :: output_var;
var -3000000000..3000000000: w :: output_var;
constraint int_lin_le([-1,-1],[z,w],-65536);
constraint int_lin_eq([3,-1],[z,w],5);
solve satisfy;
"""


def test_a_journal_with_ranges_has_the_schema_that_an_earlier_version_refuses(tmp_path: Path) -> None:
    """Its solutions are integers, in 64 bits where they need them, and are the same again when it is read."""
    (tmp_path / "wide.fzn").write_text(WIDE)
    (tmp_path / "narrow.fzn").write_text("var 0..3: z :: output_var;\nsolve satisfy;\n")
    versions = {}
    for name in ("wide", "narrow"):
        path = tmp_path / f"{name}.sqlite"
        results = interface.run(tmp_path / f"{name}.fzn", "cpsat", output=path, warmup=0, no_pin=True)
        with closing(sqlite3.connect(path)) as db:
            (versions[name],) = db.execute("pragma user_version").fetchone()
        if name == "wide":
            (row,) = results.values(library="pandas").to_dict("records")
            assert row["verdict"] == "correct"
            assert row["z"] + row["w"] >= 65536
            assert 3 * row["z"] - row["w"] == 5
    assert versions == {"wide": 3, "narrow": 2}
