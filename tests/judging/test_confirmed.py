"""Agreement is said beside the verdict: *correct* needs a checked solution, a checked proof or a known answer."""

import io
import json
import sqlite3
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from backends.contract.answer import Status
from harness.judging import judge
from harness.model.outcome import CERTIFIED, ROW, Confirmation, Verdict
from harness.model.quality import CorpusClaims, Optimised, Quality, Stated
from harness.reporting.formats.golden import entries
from harness.reporting.formats.tidy import write_json
from harness.reporting.frame.reading import open_judged
from tests.journals import make, noisy

PUZZLES = 2


@pytest.fixture
def agreed(tmp_path: Path) -> Path:
    """Return a journal in which two independent contenders say that no solution exists, and one has no opinion.

    Its stored verdicts call the first one's answers correct, as versions did for instances with an objective.
    """
    path = tmp_path / "agreed.sqlite"
    times = {name: noisy(1, 1, PUZZLES) for name in ("native", "cpsat", "z3")}
    nobody = {"unsatisfiable": range(PUZZLES)}
    make(path, times, odd={"native": nobody, "cpsat": nobody, "z3": {"gave_up": range(PUZZLES)}})
    with closing(sqlite3.connect(path)) as db:
        db.execute("update outcomes set verdict = 0 where contender = 0")
        db.commit()
    return path


@pytest.mark.parametrize("objective", [False, True])
def test_agreement_makes_no_complete_answer_correct(objective: bool) -> None:
    puzzles, claims, evidence = np.array([1, 1]), CorpusClaims.none(1), judge.Evidence.empty(1)
    rows, best = np.zeros(2, ROW), None
    rows["status"], rows["complete"] = Status.UNSATISFIABLE, 1
    if objective:
        rows["status"], rows["found"], values = Status.SATISFIABLE, 1, Quality.of_values([7, 7])
        best = Optimised(np.ones(2, np.bool_), values, Stated.none(2), np.zeros(2, np.bool_))
        evidence.add_values(puzzles[:1], values[:1])
    for group in range(2):
        evidence.add_complete(puzzles[:1], judge.qualities(rows, best)[:1], np.uint64(1 << group))
    verdicts = judge.verdicts(puzzles, rows, rows["found"], 1, claims, evidence, best)
    assert verdicts.tolist() == [Verdict.UNCERTIFIED] * 2
    assert judge.confirmed(claims, evidence)[1] == Confirmation.AGREEMENT


def test_each_source_that_confirms_is_named() -> None:
    claims, evidence = CorpusClaims.none(3), judge.Evidence.empty(3)
    nothing = Quality.none(1)
    for puzzle in (1, 2):
        evidence.add_complete(np.array([puzzle]), nothing, np.uint64(1))
    claims.stated.put(np.array([1, 3]), Quality.none(2))
    evidence.certify_claim(2, nothing, CERTIFIED, stored=False)
    found = [Confirmation(int(bits)).words() for bits in judge.confirmed(claims, evidence)[1:]]
    assert found == ["corpus", "proof", ""]  # of the last one nobody has answered


def test_an_old_journal_is_read_with_the_rule_of_today(agreed: Path) -> None:
    with open_judged(agreed) as run:
        text = io.StringIO()
        write_json(run.journal, text)
        by_name = {c["name"]: c for c in run.summary()["contenders"]}
        known = [today.entry for today in entries(run.journal, run.referee)]
    rows = json.loads(text.getvalue())
    assert {(row["contender"], row["verdict"], row["confirmed"]) for row in rows} == {
        ("native", "uncertified", "agreement"),
        ("cpsat", "uncertified", "agreement"),
        ("z3", "unknown", None),
    }
    assert [(by_name[name]["uncertified"], by_name[name]["confirmed"]) for name in ("native", "z3")] == [(2, 2), (0, 0)]
    assert [(entry["count"], entry["confirmed"]) for entry in known] == [("0", "agreement")] * PUZZLES
