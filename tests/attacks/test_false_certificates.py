"""Attack: certificates that a checked solution contradicts, and certificates written into a journal by SQL."""

import sqlite3
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from backends.contract.answer import Status
from harness.judging import judge
from harness.judging.alarms import Alarm
from harness.judging.proof_job import certifiers
from harness.model.outcome import CERTIFIED, FORMULA_CERTIFIED, NO_PROOF, ROW, Batch, Outcomes, Verdict
from harness.model.quality import CorpusClaims, Stated
from tests.conftest import Done, Harness
from tests.journals import BOARD, make, noisy

pytestmark = pytest.mark.usefixtures("forked")

FALSE = "FALSE CERTIFICATE: "
SQUARES = len(BOARD.squares)


def journal(path: Path, proof: bool = True, **odd: list[int]) -> Path:
    """Create a journal of four boards: `liar` calls board 1 unsatisfiable, `seer` finds its solution."""
    times = noisy(1, 1, 4)
    return make(path, {"liar": times, "seer": times}, odd={"liar": odd or {"unsatisfiable": [0]}}, proof=proof)


def forge(path: Path, puzzle: int, row: bool = True, contender: int = 0, outcome: int = CERTIFIED) -> None:
    """Write a certificate into a journal, with a row on its proof if `row`."""
    with closing(sqlite3.connect(path)) as db, db:
        db.execute(
            "update outcomes set proof = ?, complete = 1 where contender = ? and puzzle = ?",
            (outcome, contender, puzzle),
        )
        if row:
            db.execute("insert into proofs values (?, 0, ?, ?, 9)", (contender, puzzle, "0" * 64))


def claim(path: Path, puzzle: int, known: int) -> None:
    """Let the corpus claim a number of solutions."""
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("update puzzles set known = ?, at_least = 0 where id = ?", (known, puzzle))


def disagreements(done: Done) -> list[tuple[str, str]]:
    return [(d["alarm"], d["why"]) for d in done.summary["agreement"]["disagreements"]]


@pytest.fixture
def refuted(tmp_path: Path) -> Path:
    """Journal with a certificate of board 1 that the solution of `seer` contradicts, and one of board 2 beside it."""
    path = journal(tmp_path / "j.sqlite")
    claim(path, 1, 1)
    forge(path, 1)
    forge(path, 2, contender=1)
    return path


@pytest.mark.parametrize("verb", ["report", "judge"])
def test_a_certificate_against_a_checked_solution_is_the_first_line_below_the_table(
    harness: Harness, refuted: Path, verb: str
) -> None:
    done = harness(verb, refuted)
    assert done.code == 1
    below = done.out[done.out.index("\n\n", done.out.index("liar")) :].split("\n\n", 1)[1].replace("\n", " ")
    assert below.startswith(f"{FALSE}made:1: liar: Crosscheck certified, by encoding alldifferent, that")
    assert below.index("seer found one, which was checked: 1234") < below.index("agreement: ")
    assert "CORPUS WRONG" not in done.out
    assert "certified by a checked proof" not in done.out, "not even that of the other board"
    assert below.index("WRONG: liar: made:1") > below.index("agreement: ")


def test_the_summary_names_checkers_encoder_contender_and_witness_first(harness: Harness, refuted: Path) -> None:
    done = harness("report", refuted, "--json", "-")
    assert (done.code, done.summary["exit"]) == (1, 1)
    (alarm,) = done.summary["alarms"]
    assert list(done.summary)[:2] == ["schema", "alarms"]
    assert done.summary["agreement"]["disagreements"][0] == alarm
    expected = {"alarm": "certificate", "id": 1, "contenders": ["liar"], "checkers": ["Crosscheck"]}
    expected |= {"encoding": "alldifferent", "certified": 0, "witness": "seer", "scope": "instance"}
    assert {key: alarm[key] for key in expected} == expected
    assert (done.summary["agreement"]["contradicted"], done.summary["agreement"]["certified"]) == (1, 0)
    assert [c["certified"] for c in done.summary["contenders"]] == [0, 0]


@pytest.mark.parametrize(
    ("form", "first"),
    [("junit", 'classname="certificates"'), ("github", "a false certificate\n\n- **FALSE CERTIFICATE: ")],
)
def test_formats_for_continuous_integration_begin_with_it(
    harness: Harness, refuted: Path, form: str, first: str
) -> None:
    done = harness("report", refuted, "--format", form)
    assert done.code == 1
    assert done.out.index(first) < done.out.index("liar")


def test_the_page_has_it_in_its_data(harness: Harness, refuted: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    assert harness("report", refuted, "--html", page).code == 1
    assert "false certificate" in page.read_text()


def test_alarms_are_in_their_order() -> None:
    assert sorted(Alarm) == [
        Alarm.CERTIFICATE,
        Alarm.OPTIMUM,
        Alarm.WRONG,
        Alarm.INCONSISTENT,
        Alarm.CONFLICT,
        Alarm.CORPUS,
    ]


def test_a_refuted_certificate_of_a_formula_blames_its_encoding_and_leaves_others(
    harness: Harness, tmp_path: Path
) -> None:
    path = journal(tmp_path / "j.sqlite")
    forge(path, 1, outcome=FORMULA_CERTIFIED)
    forge(path, 2, contender=1)
    done = harness("report", path, "--json", "-")
    (alarm,) = done.summary["alarms"]
    assert alarm["why"].endswith("; the formula does not mean the instance")
    assert (done.summary["agreement"]["certified_formula"], done.summary["agreement"]["certified"]) == (0, 1)


def test_the_corpus_is_a_witness_by_the_solution_that_it_states(harness: Harness, tmp_path: Path) -> None:
    """`seer` has no answer to board 2; its corpus states the solution."""
    path = journal(tmp_path / "j.sqlite")
    solution = np.array((0, 1, 2, 3, 2, 3, 0, 1, 1, 0, 3, 2, 3, 2, 1, 0), np.uint16).tobytes()
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("delete from outcomes where puzzle = 1 and contender = 1")
        db.execute("update puzzles set solution = ? where id = 1", (solution,))
    forge(path, 1)
    (alarm,) = harness("report", path, "--json", "-").summary["alarms"]
    assert (alarm["witness"], alarm["solution"]) == ("the corpus", "1234341221434321")


@pytest.mark.parametrize(("proof", "row"), [(False, False), (False, True), (True, False)])
def test_a_certificate_without_a_run_that_asked_and_a_checked_file_does_not_count(
    harness: Harness, tmp_path: Path, proof: bool, row: bool
) -> None:
    path = journal(tmp_path / "j.sqlite", proof, unsatisfiable=[0], undecided=[0])
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("delete from outcomes where contender = 1 and puzzle = 1")  # so nobody shows a solution
    claim(path, 1, 1)
    forge(path, 1, row)
    for verb in ("judge", "report"):
        done = harness(verb, path)
        assert done.code == 1
        assert "CORPUS WRONG" not in done.out
        assert "certified by a checked proof" not in done.out
        assert "1 stored certificate not counted" in done.out.replace("\n", " ")
        assert "WRONG: liar" in done.out, "a complete answer against the claim"
    rows = harness("export", path, "--to", "csv").out
    assert ",certified," not in rows


def test_a_stored_certificate_convicts_neither_corpus_nor_contender(harness: Harness, tmp_path: Path) -> None:
    path = journal(tmp_path / "j.sqlite")
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("delete from outcomes where contender = 1 and puzzle = 1")
    claim(path, 1, 1)
    forge(path, 1)
    done = harness("judge", path)
    assert done.code == 1
    text = done.out.replace("\n", " ")
    assert "CONFLICT: made:1: the corpus claims 1 solution, 0 in total, as a proof of liar showed" in text
    assert "WRONG:" not in text
    assert "1 certified by a checked proof" in text, "as it was shown when the run ended"
    with closing(sqlite3.connect(path)) as db:
        verdict = db.execute("select verdict from outcomes where contender = 0 and puzzle = 1").fetchone()
    assert verdict == (Verdict.UNCERTIFIED,)


@pytest.mark.parametrize("stored", [False, True])
def test_only_a_proof_that_this_run_has_checked_convicts_a_corpus(stored: bool) -> None:
    rows = np.zeros(1, ROW)
    rows["status"], rows["complete"] = Status.UNSATISFIABLE, 1
    batch = Batch(0, 0, BOARD, np.array([1]), np.full((1, SQUARES, 1), 15, np.uint64), 1)
    outcomes = Outcomes(batch, rows, np.empty((0, SQUARES), np.uint16), {})
    evidence, claims = judge.Evidence.empty(1), CorpusClaims(Stated.of_counts({1: 1}, 2), np.zeros(2, np.bool_))
    valid = np.zeros(1, np.int32)
    evidence.add(outcomes, valid, 0)
    evidence.certify(outcomes, np.array([CERTIFIED], np.int8), stored)
    assert evidence.agreed().tolist() == [False, True]
    assert judge.corpus_wrong(claims, evidence).tolist() == [False, not stored]
    verdict = judge.verdicts(batch.puzzles, rows, valid, 1, claims, evidence)
    assert verdict.tolist() == [Verdict.UNCERTIFIED if stored else Verdict.CORPUS_WRONG]


def test_one_refuted_certificate_takes_all_others_their_weight() -> None:
    rows = np.zeros(2, ROW)
    rows["status"], rows["complete"] = Status.UNSATISFIABLE, 1
    batch = Batch(0, 0, BOARD, np.array([1, 2]), np.full((2, SQUARES, 1), 15, np.uint64), 1)
    outcomes = Outcomes(batch, rows, np.empty((0, SQUARES), np.uint16), {})
    evidence, claims = judge.Evidence.empty(2), CorpusClaims(Stated.of_counts({1: 1, 2: 1}, 3), np.zeros(3, np.bool_))
    evidence.certify(outcomes, np.array([CERTIFIED, CERTIFIED], np.int8))
    assert judge.corpus_wrong(claims, evidence).tolist() == [False, True, True]
    evidence.add_first_solutions(np.array([2]), np.array([7], np.uint64))
    assert evidence.contradicted().tolist() == [False, False, True]
    assert judge.corpus_wrong(claims, evidence).tolist() == [False, False, False]
    assert evidence.agreed().tolist() == [False, False, False]
    evidence.certify(outcomes, np.array([NO_PROOF, NO_PROOF], np.int8))
    assert evidence.contradicted().tolist() == [False, False, True]


@pytest.mark.parametrize(
    ("detail", "names"),
    [
        ("", ("Crosscheck", "a", "b")),
        ("a note of the solver", ("Crosscheck", "a", "b")),
        ("proof certified by a, not by Crosscheck: time: more than 1 s", ("a",)),
        ("proof certified by Crosscheck and b, not by a: error: x", ("Crosscheck", "b")),
    ],
)
def test_the_checkers_of_a_certificate_are_those_that_verified_it(detail: str, names: tuple[str, ...]) -> None:
    assert certifiers(detail, ("a", "b")) == names


@pytest.mark.slow
def test_a_corpus_that_a_proof_refutes_is_not_said_to_be_refuted_by_agreement(harness: Harness, tmp_path: Path) -> None:
    path = tmp_path / "boards.txt"
    path.write_text("#: sudoku 2x2, count 1\n11..\n....\n....\n....\n")
    done = harness("run", path, "-b", "pysat", "--proof", "--count", 2, "--json", "-")
    assert done.code == 2
    assert disagreements(done) == [("corpus", "the corpus claims 1 solution, 0 in total, as a checked proof shows")]
    both = harness("run", path, "-b", "pysat", "-b", "native:python", "--proof", "--count", 2, "--json", "-")
    why = "the corpus claims 1 solution, 0 in total, as independent contenders agree and a checked proof shows"
    assert disagreements(both) == [("corpus", why)]
    again = harness("report", *Path("results").glob("*-1.sqlite"), "--json", "-")
    assert [kind for kind, _ in disagreements(again)] == ["conflict"]
