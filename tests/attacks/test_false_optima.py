"""Contenders that lie about values, optimality, bounds, improvements and their times: each is blamed, nobody else."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from backends.contract.answer import Reason
from harness.model.outcome import CERTIFIED, FORMULA_CERTIFIED
from harness.storing.journal import open_journal
from tests.conftest import Done, Harness

pytestmark = pytest.mark.usefixtures("forked")

WCNF = """h 1 2 0
h 1 3 0
h 2 3 0
h 3 4 5 0
3 -1 0
4 -2 0
5 -3 0
2 -4 0
9 -5 0
"""
BEST, FIRST = 8, 9  # x1 and x3; and x2 and x3, the first solution of the enumeration


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "small.wcnf"
    path.write_text(WCNF)
    return path


def run(harness: Harness, file: Path, *names: str, seconds: str = "5") -> Done:
    contenders = [word for name in names for word in ("-b", f"better:{name}")]
    return harness("run", file, *contenders, "-t", seconds, "-o", file.with_suffix(".sqlite"), "--json", "-")


def blamed(done: Done) -> dict[str, str]:
    """Return the reason why each contender is wrong."""
    return {name: d["why"] for d in done.summary["agreement"]["disagreements"] for name in d["contenders"]}


@pytest.mark.slow
def test_an_honest_optimum_alone_is_unopposed_and_nobody_is_blamed(harness: Harness, file: Path) -> None:
    done = run(harness, file, "honest")
    assert (done.code, blamed(done)) == (0, {})
    agreement: dict[str, Any] = done.summary["agreement"]
    assert [agreement[key] for key in ("objectives", "optimal", "unopposed", "feasible")] == [1, 0, 1, 0]
    goal = done.contender("better:honest")["objective"]
    assert (goal["optimal"], goal["best"], goal["gap"], goal["improvements"]) == (1, 1, 0.0, goal["improvements"])
    assert goal["improvements"] >= 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("liar", "why"),
    [
        ("content", f"says that {FIRST} is the optimum, but a solution of value {BEST} by better:honest was checked"),
        ("infeasible", f"says that no solution exists, but a solution of value {BEST} by better:honest was checked"),
        ("steep", f"states that no solution has a value below {BEST + 1}, but a solution of value {BEST}"),
        ("cheap", f"its solution has the value {BEST}, not {BEST - 1} as stated"),
        ("forgetful", "itself"),
        ("false_value", f"has the value {FIRST}, not {FIRST - 1} as stated"),
        ("broken", "breaks the instance"),
    ],
)
def test_a_lie_is_blamed_with_its_witness_and_the_honest_contender_is_not(
    harness: Harness, file: Path, liar: str, why: str
) -> None:
    done = run(harness, file, "honest", liar)
    found = blamed(done)
    assert list(found) == [f"better:{liar}"]
    assert why in found[f"better:{liar}"]
    if liar == "forgetful":  # a short ask is asked again: then the answers of both contradict each other
        assert found[f"better:{liar}"].endswith(
            (
                f"says that its solution of value {FIRST} is the best, but reported a better one itself",
                f"states that no solution has a value below {FIRST}, but gives one of value {BEST} itself",
            )
        )
    assert done.code == 1
    assert done.contender("better:honest")["wrong"] == 0
    (again,) = harness("report", done.summary["journal"], "--json", "-").summary["agreement"]["disagreements"]
    assert why in again["why"], "the journal alone says the same"


@pytest.mark.slow
def test_the_refuted_optimum_is_an_alarm_of_its_own(harness: Harness, file: Path) -> None:
    done = run(harness, file, "honest", "content")
    (entry,) = done.summary["agreement"]["disagreements"]
    assert (entry["alarm"], entry["better"], entry["witness"]) == ("optimum", str(BEST), "better:honest")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "state", "value"),
    [
        ("killed", "error", BEST),
        ("raising", "error", BEST),
        ("modest", "unknown", BEST),
        ("torn", "error", FIRST),
        ("late", "timeout", FIRST),
    ],
)
def test_the_best_judged_improvement_stands_however_the_search_ends(
    harness: Harness, file: Path, kind: str, state: str, value: int
) -> None:
    done = run(harness, file, kind, "honest", seconds="1")
    entry = done.contender(f"better:{kind}")
    assert (entry[state], entry["wrong"], entry["objective"]["feasible"]) == (1, 0, 1), entry["trouble"]
    rows: list[dict[str, Any]] = json.loads(harness("export", done.summary["journal"], "--to", "json").out)
    (row,) = [row for row in rows if row["contender"] == f"better:{kind}"]
    assert (row["objective"], row["optimal"]) == (value, False)


def test_values_that_are_only_stated_count_from_their_time_if_the_answer_is_as_good(
    harness: Harness, file: Path
) -> None:
    done = run(harness, file, "claiming", "honest")
    assert (done.code, blamed(done)) == (0, {})
    goal = done.contender("better:claiming")["objective"]
    assert (goal["optimal"], goal["gap"]) == (1, 0.0)


@pytest.mark.slow
def test_a_report_stamped_before_it_was_written_is_an_error_of_its_contender(harness: Harness, file: Path) -> None:
    done = run(harness, file, "early", "honest")
    (trouble,) = done.contender("better:early")["trouble"]
    assert "a report is stamped at least" in trouble["why"]
    assert done.contender("better:honest")["solved"] == 1


@pytest.mark.slow
def test_what_a_lost_answer_states_is_not_held_against_its_contender(harness: Harness, file: Path) -> None:
    done = run(harness, file, "honest")
    with closing(sqlite3.connect(done.summary["journal"])) as db, db:
        db.execute(
            "update outcomes set status = 0, complete = 0, found = 0, valid = 0, solutions = null, reason = ?",
            (Reason.ERROR,),
        )
        db.execute("update objectives set value = null, stated = ?", (BEST,))
    with open_journal(done.summary["journal"]) as journal:
        assert not journal.objectives.optimised(0, 0, np.array([1])).false.any()


def certify(journal: Path, name: str, outcome: int = CERTIFIED) -> None:
    """Write a certificate of a contender's answer into a journal, as of a run with --proof."""
    with closing(sqlite3.connect(journal)) as db, db:
        (number,) = db.execute("select id from contenders where name = ?", (name,)).fetchone()
        (settings,) = db.execute("select value from meta where key = 'settings'").fetchone()
        changed = json.dumps(json.loads(settings) | {"proof": True})
        db.execute("update meta set value = ? where key = 'settings'", (changed,))
        db.execute("update outcomes set proof = ? where contender = ?", (outcome, number))
        db.execute("insert into proofs values (?, 0, 1, ?, 9)", (number, "0" * 64))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("liar", "claim"), [("content", f"{FIRST} is the optimum"), ("infeasible", "no solution exists")]
)
def test_a_certified_optimum_against_a_better_solution_is_the_first_alarm(
    harness: Harness, file: Path, liar: str, claim: str
) -> None:
    run(harness, file, "honest", liar)
    certify(file.with_suffix(".sqlite"), f"better:{liar}")
    done = harness("report", file.with_suffix(".sqlite"), "--json", "-")
    (alarm,) = done.summary["alarms"]
    assert (done.code, list(done.summary)[:2], alarm["contenders"]) == (1, ["schema", "alarms"], [f"better:{liar}"])
    assert alarm["why"] == (
        f"Crosscheck certified that {claim}, but a solution of value {BEST} by better:honest was checked; "
        "no certificate of this run counts"
    )
    assert done.summary["agreement"]["certified"] == 0
    assert done.contender("better:honest")["wrong"] == 0


@pytest.mark.slow
def test_a_certificate_of_a_formula_against_a_better_solution_blames_the_formula(harness: Harness, file: Path) -> None:
    run(harness, file, "honest", "content")
    certify(file.with_suffix(".sqlite"), "better:content", FORMULA_CERTIFIED)
    (alarm,) = harness("report", file.with_suffix(".sqlite"), "--json", "-").summary["alarms"]
    assert alarm["why"].startswith(f"Crosscheck certified, of the formula, that {FIRST} is the optimum, but")
    assert alarm["why"].endswith("; the formula does not mean the instance")


@pytest.mark.slow
def test_a_certified_optimum_that_nothing_contradicts_is_no_alarm(harness: Harness, file: Path) -> None:
    run(harness, file, "honest", "content")
    certify(file.with_suffix(".sqlite"), "better:honest")
    done = harness("report", file.with_suffix(".sqlite"), "--json", "-")
    assert "alarms" not in done.summary or not done.summary["alarms"]
    assert done.summary["agreement"]["certified"] == 1
    assert blamed(done).keys() == {"better:content"}
