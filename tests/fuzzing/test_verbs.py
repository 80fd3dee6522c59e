"""End-to-end tests: planted faults are found, shrunk, and replayed from the file alone."""

import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from harness.fuzzing.clausal import clause_problem, clauses_of_problem
from harness.fuzzing.findings.finding import Case, Finding, read, write
from harness.fuzzing.sessions import Sessions
from harness.fuzzing.trial import shown_before
from harness.model.contender import resolve
from harness.model.reading import parse_assignments
from harness.model.settings import RunSettings
from tests.conftest import ROOT, Harness
from tests.effort import slow_after
from tests.programs import SUDOKU

PATIENT = ("-t", 60)  # else a board that a busy machine delays is a finding too
PAST = sorted((ROOT / "tests" / "findings").glob("*.finding"))


@pytest.mark.parametrize(
    ("fault", "signature", "cases"),
    slow_after(
        1, [("decoding", "wrong solution", 200), ("second", "unsatisfiable", 600), ("clauses", "unsatisfiable", 400)]
    ),
)
def test_a_planted_fault_is_found_shrunk_and_replayed(
    harness: Harness, tmp_path: Path, fault: str, signature: str, cases: int
) -> None:
    done = harness(
        "fuzz", "--cases", str(cases), "-b", f"planted:{fault}", "-b", "native:python", *PATIENT, "-o", tmp_path
    )
    assert done.code == 1, done.out + done.err
    found = {read(path).signature: path for path in tmp_path.glob("*.finding")}
    assert signature in found, done.out
    path, small = found[signature], tmp_path / "small.finding"
    assert harness("shrink", path, "-o", small).code == 1
    case = read(small).case
    rows = clauses_of_problem(case.problem)
    assert (case.givens <= 10) if rows is None else (len(rows) <= 20)
    assert harness("replay", small).code == 1
    small.write_text(small.read_text().replace(f"planted:{fault}", "pysat:minisat22"))
    assert harness("replay", small).code == 0


def test_right_contenders_have_no_findings(harness: Harness, tmp_path: Path) -> None:
    done = harness(
        "fuzz", "--cases", "300", "-b", "native:python", "-b", "pysat:minisat22/reduced", *PATIENT, "-o", tmp_path
    )
    assert done.code == 0, done.out + done.err
    assert not list(tmp_path.glob("*.finding"))


@pytest.mark.slow
def test_a_crash_is_a_finding(harness: Harness, tmp_path: Path) -> None:
    done = harness("fuzz", "--cases", "150", "-b", "bad:segfault", *PATIENT, "-o", tmp_path)
    assert done.code == 1
    assert [read(p).signature for p in tmp_path.glob("*.finding")] == ["crash: died of SIGSEGV"]


def test_a_past_formula_is_exported_as_dimacs(harness: Harness, tmp_path: Path) -> None:
    path = next(p for p in PAST if clauses_of_problem(read(p).case.problem) is not None)
    lines = [line for line in harness("export", path, "--to", "dimacs").out.splitlines() if not line.startswith("c ")]
    assert lines[0].startswith("p cnf ")
    assert len(lines) == int(lines[0].split()[3]) + 1
    assert all(line.endswith(" 0") for line in lines[1:])


@pytest.mark.slow
def test_past_findings_no_longer_fail(harness: Harness) -> None:
    done = harness("replay", *PAST)
    assert PAST
    assert done.code == 0, done.out


# Two digits trigger it, so that a hundred boards do: among hundreds are some that SUDOKU searches for half a minute.
LIAR = SUDOKU.replace(
    "print(solve(line.strip())", "print((solve(line.strip()) or '')[:: -1 if line[80] in '67' else 1]"
)


@pytest.mark.slow
def test_a_program_that_reads_lines_is_asked_one_layout(harness: Harness, tmp_path: Path) -> None:
    (tmp_path / "liar.py").write_text(LIAR)
    program = f"mine={sys.executable} {tmp_path / 'liar.py'}"
    contender = ("-b", "lines:mine:batch", "--program", program)
    done = harness("fuzz", "--cases", 100, *contender, *PATIENT, "-o", tmp_path / "found")
    assert done.code == 1, done.out + done.err
    assert "so all boards are sudoku 3x3" in done.err
    (path,) = (tmp_path / "found").iterdir()
    assert read(path).signature == "wrong solution"
    small = tmp_path / "small.finding"
    assert harness("shrink", path, "-o", small, "--program", program).code == 1
    case = read(small).case
    assert (case.problem.name, case.givens) == ("sudoku 3x3", 1)
    assert case.asks[0][80] in (1 << 5, 1 << 6)


def test_all_boards_can_have_one_layout(harness: Harness, tmp_path: Path) -> None:
    done = harness("fuzz", "--cases", 100, "--as", "latin 4", "-b", "planted:second", "-o", tmp_path)
    assert done.out.startswith("1 contender, latin 4, limit 1 s, seed 1\n")
    assert {len(read(path).case.problem.variables) for path in tmp_path.glob("*.finding")} == {16}
    assert harness("fuzz", "--as", "chess", "-o", tmp_path).code == 2


def test_boards_asked_are_counted_for_each_contender(harness: Harness, tmp_path: Path) -> None:
    log = tmp_path / "log"
    (tmp_path / "mine.py").write_text(
        SUDOKU.replace("    print(", f"    open({str(log)!r}, 'a').write(line)\n    print(")
    )
    program = f"mine={sys.executable} {tmp_path / 'mine.py'}"
    contenders = ("-b", "lines:mine:batch", "-b", "native:python", "--program", program)
    done = harness("fuzz", "--cases", 100, "--as", "sudoku 3x3", *contenders, *PATIENT, "-o", "found")
    assert done.code == 0, done.out
    logged = len(log.read_text().splitlines())
    drawn = int(re.search(r"(\d+) boards of sudoku 3x3 drawn in 1 round,", done.out)[1])  # type: ignore[index]
    assert 0 < logged < drawn
    assert f"lines:mine:batch: asked {logged} boards" in done.out
    assert f"native:python: asked {drawn} boards" in done.out


DIES_LATER = """\
grep -Eq '^(-1 2|2 -1) 0' "$1" && kill -SEGV $$
echo s SATISFIABLE
echo v 1 -2 0
"""


@pytest.mark.slow
def test_the_exported_case_of_a_crash_is_the_file_of_the_call_that_crashed(harness: Harness, tmp_path: Path) -> None:
    (tmp_path / "mine.sh").write_text(DIES_LATER)
    program = f"mine=sh {tmp_path}/mine.sh {{cnf}}"
    case = Case("dimacs:mine", clause_problem(((1, 2),)), ((3, 3),), 2, 60.0)
    write(Finding(case, "error: ProgramFailed: sh died of SIGSEGV"), tmp_path / "a.finding")
    assert harness("shrink", "a.finding", "--program", program).code == 1
    assert harness("export", "a.min.finding", "--to", "dimacs", "-o", "small.cnf").code == 0
    assert read(tmp_path / "a.min.finding").case.count == 1
    assert subprocess.run(["sh", "mine.sh", "small.cnf"], cwd=tmp_path, check=False).returncode == -signal.SIGSEGV
    named = parse_assignments([program])
    with Sessions(resolve(["dimacs:mine"], programs=named)[0], RunSettings(60.0, programs=named)) as sessions:
        assert shown_before(sessions, case) == [(1, 0)]


SOMETIMES = """\
echo >> "$0.calls"
[ $(($(wc -l < "$0.calls") % 5)) = 0 ] && echo s UNSATISFIABLE || echo s UNKNOWN
"""


@pytest.mark.slow
def test_a_wrong_answer_that_does_not_always_recur_is_a_finding(harness: Harness, tmp_path: Path) -> None:
    (tmp_path / "mine.sh").write_text(SOMETIMES)
    program = ("--program", f"mine=sh {tmp_path}/mine.sh {{cnf}}")
    done = harness("fuzz", "--as", "cnf", "--cases", 36, "-b", "dimacs:mine", *program, *PATIENT, "-o", "found")
    assert done.code == 1, done.out
    (path,) = (tmp_path / "found").iterdir()
    assert re.search(r"^# seen: .* \(\d+ of 21 times\)$", path.read_text(), re.MULTILINE)
    again = harness("replay", path, *program)
    assert (again.code, "still fails, 4 of 20 times" in again.out) == (1, True), again.out
    small = harness("shrink", path, *program)
    assert (small.code, "(4 of 20 times)" in small.out) == (1, True), small.out
    (tmp_path / "mine.sh").write_text("echo s UNKNOWN")
    mended = harness("replay", path, *program)
    assert (mended.code, mended.out) == (0, f"{path}: does not fail in 20 asks (was: unsatisfiable)\n")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("script", "code", "trouble"),
    [
        ("echo s UNKNOWN", 4, ""),
        ("echo hello", 1, "trouble: dimacs:mine/extended: no 's' line in the output (36)\n"),
        ("echo s SATISFIABEL", 1, "trouble: dimacs:mine/extended: the result is 'SATISFIABEL' (36)\n"),
    ],
)
def test_a_program_that_answers_nothing_is_not_passed(
    harness: Harness, tmp_path: Path, script: str, code: int, trouble: str
) -> None:
    (tmp_path / "mine.sh").write_text(script)
    program = ("--program", f"mine=sh {tmp_path}/mine.sh {{cnf}}")
    done = harness("fuzz", "--as", "cnf", "--cases", 36, "-b", "dimacs:mine", *program, *PATIENT, "-o", "found")
    assert (done.code, [read(path).signature for path in tmp_path.glob("found/*")]) == (
        code,
        ["no answer"] * (code == 1),
    )
    assert f"dimacs:mine/extended: asked 36 boards, answered 0\n{trouble}" in done.out
