"""Attack: proof checkers of others that lie, hang, print nothing or too much, or can't be started."""

import re
import sys
from pathlib import Path

import pytest

from harness.judging.checkers import external, formats
from harness.judging.checkers.pseudo_boolean import check as pseudo_boolean
from harness.judging.checkers.pseudo_boolean.programme import SumProgramme, row
from harness.judging.checking import Checks
from harness.judging.proof_job import Opinion, conclusion
from harness.model.outcome import CERTIFIED, FORMULA_CERTIFIED, REFUSED, UNCHECKED
from tests.checkers import HONEST, VERIPB, command, honest_on_trial
from tests.conftest import Done, Harness, left_running
from tests.journals import interrupt

CADICAL = "pysat:cadical195"
REFUTED = "p cnf 3 8\n" + "".join(f"{a} {2 * b} {3 * c} 0\n" for a in (1, -1) for b in (1, -1) for c in (1, -1))


@pytest.fixture
def cnf(tmp_path: Path) -> Path:
    """A formula without a solution, which propagation alone does not show."""
    path = tmp_path / "all.cnf"
    path.write_text(REFUTED)
    return path


def run(harness: Harness, file: Path, *checkers: str, more: tuple[str, ...] = ()) -> Done:
    """Run CaDiCaL on a file, with checkers x, y, ..."""
    words = [w for name, text in zip("xyz", checkers, strict=False) for w in ("--checker", f"{name}={text}")]
    return harness("run", file, "-b", CADICAL, "--proof", *words, *more, "--json", "-")


def entry(done: Done) -> tuple[dict[str, int], list[str]]:
    """Return the results of proofs, and the messages."""
    assert "Traceback" not in done.err
    (found,) = done.summary["contenders"]
    keys = ("certified", "certified_formula", "refused", "unchecked")
    return {key: found[key] for key in keys if found[key]}, [t["why"] for t in found["trouble"]]


@pytest.mark.slow
def test_an_honest_checker_is_run_beside_ours(harness: Harness, cnf: Path, tmp_path: Path) -> None:
    done = run(harness, cnf, command(tmp_path, HONEST), command(tmp_path, HONEST) + " {formula} {proof}")
    assert done.code == 0, done.err
    assert entry(done) == ({"certified": 1}, [])
    assert done.summary["checkers"] == ["x", "y"]
    (journal,) = Path("results").glob("*.sqlite")
    assert "1 certified by a checked proof (Crosscheck, x, y)" in harness("report", journal).out
    interrupt(journal)
    again = harness("run", "--resume", journal)
    assert again.code == 2
    assert "runs commands: name them again (--checker" in again.err


@pytest.mark.slow
@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("print('s VERIFIED')", "it verifies a wrong proof"),
        ("print('s NOT VERIFIED')", "it does not verify a small proof: DRAT: it printed 's NOT VERIFIED'"),
        ("", "it does not verify a small proof: DRAT: error: it printed no 's' line and exited with code 0"),
        ("raise SystemExit('no licence')", "it printed no 's' line and exited with code 1: no licence"),
        ("print('s VERIFIED'); raise SystemExit(1)", "it printed 's VERIFIED', but exited with code 1"),
        ("print('s VERIFIED'); print('s NOT VERIFIED')", "it printed 's NOT VERIFIED' and 's VERIFIED'"),
        ("print('s VERIFIED\\x1b[2J')", "it printed 's VERIFIED\\x1b[2J'"),
        ("print('c s VERIFIED'); print('VERIFIED')", "it printed no 's' line"),
        ("import os; os.kill(os.getpid(), 11)", "died of SIGSEGV"),
        ("print('x' * (1 << 27))", "the program printed more than 64 MiB"),
        ("import time; time.sleep(60)", "time: more than 0.5 s"),
    ],
)
def test_a_checker_that_fails_its_trial_is_bad_usage(
    source: str, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(external, "TRIAL_SECONDS", 0.5 if "sleep" in source else 20.0)
    (checker,) = external.named_checkers({"x": command(tmp_path, source)})
    (tmp_path / "trial").mkdir()
    assert why in external.tried(checker, tmp_path / "trial").fault


def test_a_checker_takes_the_formats_of_which_it_verifies_a_small_proof(tmp_path: Path) -> None:
    assert external.PROOFS.keys() == external.WRONG.keys() == formats.READ.keys() - {formats.FRAT, formats.BINARY_FRAT}
    assert external.TRIALS.keys() == {*external.PROOFS, *external.VERSIONS}
    (tmp_path / "trial").mkdir()
    deaf = f"import sys\nif 0 in open(sys.argv[-1], 'rb').read(): sys.exit('text, please')\n{HONEST}"
    (checker,) = external.named_checkers({"x": command(tmp_path, deaf)})
    assert external.tried(checker, tmp_path / "trial").formats == {formats.DRAT}


def tried_veripb(folder: Path, then: str = "") -> external.Checker:
    """Return a program that prints what VeriPB of 2022 does, after its trial."""
    (folder / "trial").mkdir()
    (checker,) = external.named_checkers({"veripb": command(folder, VERIPB.format(then=then))})
    return external.tried(checker, folder / "trial")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("then", "outcome", "why"),
    [
        ("", CERTIFIED, ""),
        ("print('Verification failed.'); sys.exit(1)", REFUSED, "it printed 'Verification failed.'"),
        ("sys.exit(4)", UNCHECKED, "error: it printed no 's' line and exited with code 4"),
    ],
)
def test_veripb_checks_pseudo_boolean_proofs_beside_ours(tmp_path: Path, then: str, outcome: int, why: str) -> None:
    checker = tried_veripb(tmp_path, then)
    assert (checker.fault, checker.formats) == ("", frozenset({external.WITH_O}))
    trial = external.TRIALS[formats.PBP]
    (tmp_path / "formula").write_bytes(b"* a longer one\n" * 9 + trial.formula)
    (tmp_path / "proof").write_bytes(trial.proof)
    order = {"do": "checker", "name": "veripb", "seconds": 20.0}
    order |= {name: str(tmp_path / name) for name in ("formula", "proof")}
    assert Checks([checker]).result(order) == (outcome, why)
    assert (tmp_path / "proof").read_bytes() == trial.proof
    assert not (tmp_path / "proof.o").exists()


def test_a_proof_without_a_contradiction_is_not_verified_by_veripb(tmp_path: Path) -> None:
    checker = tried_veripb(tmp_path)
    trial = external.TRIALS[external.WITH_O]
    (tmp_path / "formula").write_bytes(trial.formula)
    (tmp_path / "proof").write_bytes(trial.wrong)
    assert external.external_check(checker, tmp_path / "formula", tmp_path / "proof", 20.0)[0] == UNCHECKED


@pytest.mark.parametrize(
    ("line", "value", "outcome"),
    [
        ("s VERIFIED UNSATISFIABLE", None, CERTIFIED),
        ("s VERIFIED UNSAT", None, CERTIFIED),
        ("s VERIFIED BOUNDS 3 <= obj <= 3", 3, CERTIFIED),
        ("s VERIFIED BOUNDS 3 <= OBJ <= INF", 3, CERTIFIED),
        ("s VERIFIED OPTIMAL COST = 3", 3, CERTIFIED),
        ("s VERIFIED BOUNDS 2 <= obj <= 3", 3, REFUSED),
        ("s VERIFIED OPTIMAL COST = 4", 3, REFUSED),
        ("s VERIFIED BOUNDS 3 <= obj <= 3", None, UNCHECKED),
        ("s VERIFIED UNSATISFIABLE", 3, UNCHECKED),
        ("s VERIFIED SATISFIABLE", None, UNCHECKED),
        ("s VERIFIED NO CONCLUSION", None, UNCHECKED),
        ("s VERIFIED NO CONCLUSION", 3, UNCHECKED),
        ("s UNDER WEAKENED GUARANTEES VERIFIED UNSATISFIABLE", None, UNCHECKED),
        ("s UNDER WEAKENED GUARANTEES BOUNDS 3 <= obj <= 3", 3, UNCHECKED),
        ("s VERIFIED BOUNDS 3 <= obj <= 3\ns VERIFIED NO CONCLUSION", 3, UNCHECKED),
    ],
)
def test_a_line_is_believed_only_of_the_claim_that_it_states(
    tmp_path: Path, line: str, value: int | None, outcome: int
) -> None:
    (checker,) = external.named_checkers({"x": command(tmp_path, f"print({line!r})")})
    assert external.external_check(checker, tmp_path / "f", tmp_path / "p", 20.0, value)[0] == outcome


@pytest.mark.parametrize("version", ["2", "3"])
def test_each_version_of_pseudo_boolean_proofs_has_a_trial_that_ours_certify(version: str) -> None:
    trial, programme = external.TRIALS[f"PBP {version}"], SumProgramme(2, (row([(1, 1), (1, 2)], 1),), {1: 1, 2: 1}, 1)
    for check in (pseudo_boolean.check, pseudo_boolean.check_exactly):
        assert check(programme, trial.proof)[0] == CERTIFIED
        assert check(programme, trial.wrong)[0] != CERTIFIED
    assert external.form_of(trial.proof) == f"PBP {version}"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("/nowhere/checker", "--checker x=/nowhere/checker: '/nowhere/checker' is not an executable program"),
        ("'", "--checker x=': no closing quotation"),
        ("sh -c 'echo s VERIFIED'", "--checker x=sh -c 'echo s VERIFIED': it verifies a wrong proof"),
    ],
)
def test_a_checker_that_cannot_be_used_ends_the_run_before_it_starts(
    harness: Harness, cnf: Path, text: str, why: str
) -> None:
    done = run(harness, cnf, text)
    assert done.code == 2
    assert why in done.err
    assert len(done.err.splitlines()) == 1
    assert not Path("results").exists()


def test_checkers_need_proof(harness: Harness, cnf: Path) -> None:
    done = harness("run", cnf, "-b", CADICAL, "--checker", "x=true")
    assert (done.code, done.err.strip().endswith("--checker needs --proof or --certify")) == (2, True)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("then", "why"),
    [
        ("print('s NOT VERIFIED')", "Crosscheck verified it, but x: it printed 's NOT VERIFIED'"),
        ("os.kill(os.getppid(), 9)", "error: the checking process ended with -9"),
    ],
)
def test_no_proof_is_certified_against_a_checker(
    harness: Harness, cnf: Path, tmp_path: Path, then: str, why: str
) -> None:
    done = run(harness, cnf, command(tmp_path, honest_on_trial(then)))
    found, (trouble,) = entry(done)
    if "kill" in then:
        assert found == {"certified": 1}
        assert trouble == f"proof certified by Crosscheck, not by x: {why}"
    else:
        assert found == {"unchecked": 1}
        assert trouble == f"proof unchecked: {why}"


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="needs a subreaper")
def test_a_checker_that_hangs_and_daemonises_is_ended(
    harness_process: Harness, cnf: Path, tmp_path: Path, environment: dict[str, str]
) -> None:
    then = "import subprocess; subprocess.Popen(['sleep', '1000'], start_new_session=True); import time; time.sleep(99)"
    done = run(harness_process, cnf, command(tmp_path, honest_on_trial(then)), more=("--proof-limit", "3"))
    found, (why,) = entry(done)
    assert found == {"certified": 1}
    assert re.fullmatch(r"proof certified by Crosscheck, not by x: time: more than .* \(--proof-limit\)", why)
    assert left_running(environment) == []


def ours(outcome: int, why: str = "") -> Opinion:
    return Opinion("Crosscheck", outcome, why)


def theirs(outcome: int, why: str = "") -> Opinion:
    return Opinion("x", outcome, why)


@pytest.mark.parametrize(
    ("opinions", "outcome", "why"),
    [
        ([ours(CERTIFIED)], CERTIFIED, ""),
        ([ours(REFUSED, "line 1")], REFUSED, "line 1"),
        ([ours(UNCHECKED, "time")], UNCHECKED, "time"),
        ([ours(CERTIFIED), theirs(CERTIFIED)], CERTIFIED, ""),
        ([ours(UNCHECKED, "RAT"), theirs(CERTIFIED)], CERTIFIED, "by x, not by Crosscheck: RAT"),
        ([ours(CERTIFIED), theirs(UNCHECKED, "time")], CERTIFIED, "by Crosscheck, not by x: time"),
        ([ours(REFUSED, "line 1"), theirs(CERTIFIED)], UNCHECKED, "x verified it, but Crosscheck: line 1"),
        ([ours(CERTIFIED), theirs(REFUSED, "no")], UNCHECKED, "Crosscheck verified it, but x: no"),
        ([ours(REFUSED, "line 1"), theirs(REFUSED, "no")], REFUSED, "Crosscheck: line 1; x: no"),
        ([ours(UNCHECKED, "RAT"), theirs(REFUSED, "no")], REFUSED, "x: no; Crosscheck: RAT"),
        ([ours(UNCHECKED, "RAT"), theirs(UNCHECKED, "time")], UNCHECKED, "Crosscheck: RAT; x: time"),
    ],
)
def test_a_proof_is_certified_if_one_verifies_it_and_none_refuses_it(
    opinions: list[Opinion], outcome: int, why: str
) -> None:
    assert conclusion(opinions, CERTIFIED) == (outcome, why)
    scoped = FORMULA_CERTIFIED if outcome == CERTIFIED else outcome
    assert conclusion(opinions, FORMULA_CERTIFIED) == (scoped, why)
