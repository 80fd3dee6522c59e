"""The verbs from end to end: planted faults are found, made small, and shown again by a file alone."""

from pathlib import Path

import pytest

from harness.fuzzing.clausal import Clausal
from harness.fuzzing.finding import read
from tests.conftest import ROOT, Harness

PAST = sorted((ROOT / "tests" / "findings").glob("*.finding"))


@pytest.mark.parametrize(
    ("fault", "signature", "cases"),
    [("decoding", "wrong solution", 200), ("second", "unsatisfiable", 600), ("clauses", "unsatisfiable", 400)],
)
def test_a_planted_fault_is_found_shrunk_and_replayed(
    harness: Harness, tmp_path: Path, fault: str, signature: str, cases: int
) -> None:
    done = harness("fuzz", "--cases", str(cases), "-b", f"planted:{fault}", "-b", "native:python", "-o", tmp_path)
    assert done.code == 1, done.out + done.err
    found = {read(path).signature: path for path in tmp_path.glob("*.finding")}
    assert signature in found, done.out
    path, small = found[signature], tmp_path / "small.finding"
    assert harness("shrink", path, "-o", small).code == 1
    case = read(small).case
    least = len(case.layout.clauses) if isinstance(case.layout, Clausal) else case.givens
    assert least <= (20 if isinstance(case.layout, Clausal) else 10)
    assert harness("replay", small).code == 1
    small.write_text(small.read_text().replace(f"planted:{fault}", "pysat:minisat22"))
    assert harness("replay", small).code == 0


def test_honest_contenders_are_clean(harness: Harness, tmp_path: Path) -> None:
    done = harness("fuzz", "--cases", "300", "-b", "native:python", "-b", "pysat:minisat22/reduced", "-o", tmp_path)
    assert done.code == 0, done.out + done.err
    assert not list(tmp_path.glob("*.finding"))


def test_a_solver_that_dies_is_a_finding(harness: Harness, tmp_path: Path) -> None:
    done = harness("fuzz", "--cases", "150", "-b", "bad:segfault", "-o", tmp_path)
    assert done.code == 1
    assert [read(p).signature for p in tmp_path.glob("*.finding")] == ["crash: died of SIGSEGV"]


def test_a_formula_is_exported_for_those_who_do_not_know_us(harness: Harness, tmp_path: Path) -> None:
    path = next(p for p in PAST if isinstance(read(p).case.layout, Clausal))
    lines = [line for line in harness("export", path, "--to", "dimacs").out.splitlines() if not line.startswith("c ")]
    assert lines[0].startswith("p cnf ")
    assert len(lines) == int(lines[0].split()[3]) + 1
    assert all(line.endswith(" 0") for line in lines[1:])


def test_past_findings_fail_no_more(harness: Harness) -> None:
    done = harness("replay", *PAST)
    assert PAST
    assert done.code == 0, done.out
