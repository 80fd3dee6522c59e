"""Journals of formulas, whose problems hold arrays: sound ones are read by every verb, damaged ones are one line."""

import json
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from puzzles.problem.content import digest_of
from tests.conftest import Harness
from tests.forking import run_here

pytestmark = pytest.mark.usefixtures("forked")

FORMULAS = {
    "f.cnf": "p cnf 3 2\n1 2 0\n-1 3 0\n",
    "f.opb": "* #variable= 3 #constraint= 2\n+1 x1 +2 x2 >= 2;\n+1 x3 = 1;\n",
    "long.opb": f"* #variable= 1 #constraint= 1\n+{10**30} x1 >= 1;\n",
}
Damage = Callable[[dict[str, Any], bytes], tuple[dict[str, Any], bytes]]


@pytest.fixture(scope="module")
def journals(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("formulas")
    for name, text in FORMULAS.items():
        (folder / name).write_text(text)
        run_here("run", str(folder / name), "-b", "pysat:cadical195", "-o", str(folder / f"{name}.sqlite"))
    return folder


def shaped(key: str, part: Any) -> Damage:
    """Replace a part of the first constraint, such as the type and shape of an array."""

    def damage(header: dict[str, Any], arrays: bytes) -> tuple[dict[str, Any], bytes]:
        header["constraints"][0][key] = part
        return header, arrays

    return damage


def named(key: str, part: Any) -> Damage:
    """Replace a part of the problem."""
    return lambda header, arrays: (header | {key: part}, arrays)


CNF_DAMAGE: dict[str, Damage] = {
    "an array of 10^15": shaped("clauses", {"array": "<i4", "shape": [10**15]}),
    "an array of -1": shaped("clauses", {"array": "<i4", "shape": [-1]}),
    "an array in two dimensions": shaped("clauses", {"array": "<i4", "shape": [2, 3]}),
    "an array of objects": shaped("clauses", {"array": "|O", "shape": [1]}),
    "an array of fractions": shaped("clauses", {"array": "<f4", "shape": [6]}),
    "an array of nothing": shaped("clauses", {"array": "V", "shape": [6]}),
    "a kind that is unknown": shaped("kind", "magic"),
    "10^15 variables": named("variables", {"numbered": ["x", 10**15]}),
    "-1 variables": named("variables", {"numbered": ["x", -1]}),
    "variables without a number": named("variables", {"numbered": []}),
    "a literal beyond the variables": lambda header, arrays: (header, arrays[:-12] + b"\x09\0\0\0" + arrays[-8:]),
    "clauses without an end": lambda header, arrays: (header, arrays[:-4] + b"\1\0\0\0"),
    "missing bytes": lambda header, arrays: (header, arrays[:-1]),
    "more bytes": lambda header, arrays: (header, arrays + b"\0"),
    "no bytes": lambda header, arrays: (header, b""),
}
OPB_DAMAGE: dict[str, Damage] = {
    "rows that start nowhere": lambda header, arrays: (header, (10**9).to_bytes(8, "little") + arrays[8:]),
    "rows that end before they start": lambda header, arrays: (header, arrays[:8] + b"\xff" * 8 + arrays[16:]),
    "a list for an array": shaped("starts", [0, 2, 3]),
    "values that are no integers": named("values", ["0", "1"]),
}


def spoil(path: Path, damage: Damage) -> None:
    """Replace the problem of a journal; its digest is that of the new one where that can be told."""
    with closing(sqlite3.connect(path)) as db, db:
        (content,) = db.execute("select content from problems").fetchone()
        text, _, arrays = content.partition(b"\n")
        header, arrays = damage(json.loads(text), arrays)
        digest = digest_of({key: part for key, part in header.items() if key != "name"})
        db.execute(
            "update problems set digest = ?, content = ?", (digest, json.dumps(header).encode() + b"\n" + arrays)
        )


@pytest.mark.slow
@pytest.mark.parametrize("name", FORMULAS)
def test_the_journal_of_a_formula_is_read(name: str, journals: Path, tmp_path: Path, harness: Harness) -> None:
    path = shutil.copy(journals / f"{name}.sqlite", tmp_path / "sound.sqlite")
    for words in (("report", path), ("judge", path), ("export", path, "--to", "json"), ("compare", path, path)):
        done = harness(*words)
        assert (done.code, done.err) == (0, ""), words


@pytest.mark.parametrize(
    ("name", "damage"),
    [("f.cnf", damage) for damage in CNF_DAMAGE.values()] + [("f.opb", damage) for damage in OPB_DAMAGE.values()],
    ids=[*CNF_DAMAGE, *OPB_DAMAGE],
)
def test_a_damaged_formula_is_refused_in_one_line(
    name: str, damage: Damage, journals: Path, tmp_path: Path, harness: Harness
) -> None:
    path = Path(shutil.copy(journals / f"{name}.sqlite", tmp_path / "spoilt.sqlite"))
    spoil(path, damage)
    done = harness("report", path)
    assert done.code == 2
    assert len(done.err.splitlines()) == 1
    assert str(path) in done.err
