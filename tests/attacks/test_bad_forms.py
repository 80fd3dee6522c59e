"""Answers that break the contract's form are errors of their backend, one by one or as columns, not wrong answers."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from harness.model.outcome import Verdict
from tests.conftest import Harness

pytestmark = pytest.mark.usefixtures("forked")

SAID = {
    "more": "solutions where 1 were asked for",
    "floats": "value ind",  # 'no value index', or 'not 16 of 16 value indices' for a column
    "status": "no such status: 77",
    "reason": "no reason of an answer: 77",
    "unsupported": "for which it raises Unsupported",
}


@pytest.mark.slow
def test_an_answer_of_bad_form_is_an_error_that_names_it(harness: Harness, tmp_path: Path) -> None:
    boards, journal = tmp_path / "boards.txt", tmp_path / "forms.sqlite"
    boards.write_text("#: sudoku 2x2, count 1\n1234341221434321\n.234341221434321\n")
    contenders = [f"forging:{form}{many}" for form in SAID for many in ("", ":many")]
    named = [word for name in contenders for word in ("-b", name)]
    done = harness("run", boards, *named, "-b", "native:python", "-o", journal)
    assert done.code == 4, "neither wrong (1) nor bad usage (2)"
    query = (
        "select c.name, o.verdict, o.detail from outcomes o join contenders c on c.id = o.contender"
        " join puzzles p on p.id = o.puzzle where p.name like '%:3'"
    )
    with closing(sqlite3.connect(journal)) as db:
        rows = {name: (verdict, detail) for name, verdict, detail in db.execute(query)}
    assert rows.pop("native:python") == (Verdict.CORRECT, None)
    assert len(rows) == len(contenders)
    for name, (verdict, detail) in rows.items():
        assert verdict == Verdict.ERROR, (name, detail)
        assert SAID[name.split(":")[1]] in detail, (name, detail)
