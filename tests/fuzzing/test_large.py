"""Shrinking without limits of size: many variables, long formulas, places side by side, state in a file, outliers."""

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from harness.fuzzing.assignments import solutions_of
from harness.fuzzing.findings.finding import Case, Faster, Finding, read, text
from harness.fuzzing.reducing import reductions, shrinking
from harness.fuzzing.reducing.instances import keep_parts
from harness.fuzzing.reducing.state import ShrinkingState, resumed
from harness.fuzzing.round_judge import Failure
from harness.fuzzing.trial import CaseResult, slower
from harness.model.outcome import ROW
from puzzles.constraints.linear import Linear
from puzzles.errors import BadInput
from puzzles.problem import Problem, boolean_instance
from puzzles.problem.values import Integers
from tests.conftest import Harness

FAILED = Failure(0, 1, "wrong solution", "none", None, 0)  # type: ignore[arg-type]


def of_rows(variables: int, rows: int) -> Case:
    """Return a case with rows over neighbours of a chain of Boolean variables."""
    some = [([1, 1], [i % variables, (i + 1) % variables], "<=", 1 + i % 2) for i in range(rows)]
    instance = boolean_instance("chain", variables, Linear.of(some))
    return Case("native", instance.problem, (instance.domains,), 1, 1.0, 0, ((0,) * variables,))


@pytest.mark.parametrize("variables", [33, 70])
def test_brute_force_takes_any_number_of_variables_of_one_value(variables: int) -> None:
    case = of_rows(variables, variables)
    domains = (3, *[1] * (variables - 1))
    assert len(solutions_of(case.problem, domains, 10, 1000).solutions) == 2


class Rows:
    """Contender that fails while the rows with these bounds and coefficients are there; it counts the trials."""

    def __init__(self, needed: int) -> None:
        self.needed, self.trials, self.until = needed, 0, 10**9

    def run_case(self, sessions: object, case: Case) -> CaseResult:
        self.trials += 1
        if self.trials > self.until:
            raise KeyboardInterrupt
        rows = sum(len(c.rows) for c in case.problem.constraints if isinstance(c, Linear))
        return CaseResult(((0, FAILED),) if rows >= self.needed else ())

    def run_cases(self, sessions: object, cases: list[Case]) -> list[CaseResult]:
        return [self.run_case(sessions, case) for case in cases]


@pytest.fixture
def rows(monkeypatch: pytest.MonkeyPatch) -> Rows:
    fake = Rows(3)
    monkeypatch.setattr(shrinking, "run_case", fake.run_case)
    monkeypatch.setattr(shrinking, "run_cases", fake.run_cases)
    monkeypatch.setattr(shrinking, "Sessions", lambda *args: None)
    monkeypatch.setattr(shrinking.Shrinker, "close", lambda self: None)
    monkeypatch.setattr(shrinking, "verify", lambda finding, case, programs: finding.with_case(case))
    return fake


@pytest.mark.parametrize("jobs", [1, 3])
def test_thousands_of_rows_take_few_trials_and_variables_go_with_them(rows: Rows, jobs: int) -> None:
    small = shrinking.shrink(Finding(of_rows(3000, 6000), "wrong solution"), 600, jobs=jobs)
    assert small is not None
    (constraint,) = small.case.problem.constraints
    assert isinstance(constraint, Linear)
    assert len(constraint.rows) == 3
    assert len(small.case.problem.variables) <= 3
    assert rows.trials < 150 * jobs


def test_a_call_that_is_stopped_is_continued_by_the_next_one(rows: Rows, tmp_path: Path) -> None:
    finding, path = Finding(of_rows(40, 80), "wrong solution"), tmp_path / "a.min.finding"
    of = shrinking.key(finding.case)
    rows.until = 6
    half = shrinking.shrink(finding, 600, kept=ShrinkingState(finding, path, of))
    assert half is not None
    assert read(path).provenance["shrinking"]["of"] == of  # it has been written while the search ran
    assert len(half.case.problem.variables) < 40
    path.write_text(text(half))
    known = resumed(finding, of, path)
    assert known.best[0].problem == half.case.problem
    assert len(known.passed) > 0
    rows.until, rows.trials = 10**9, 0
    whole = shrinking.shrink(finding, 600, kept=known)
    assert whole is not None
    assert "shrinking" not in whole.provenance
    again = rows.trials
    rows.trials = 0
    shrinking.shrink(finding, 600)
    assert again < rows.trials
    assert resumed(replace(finding, signature="timeout"), of, path).best == ()


def test_a_witness_stays_with_its_clauses_and_with_fixed_variables() -> None:
    case = of_rows(4, 4)
    fixed = reductions.with_several(case, [1])
    assert fixed.asks == ((1, 3, 1, 1),)
    assert fixed.witnesses == case.witnesses
    closed = next(iter(reductions.closed_rows(fixed)))
    assert closed.problem.constraints[0].rows[0] == ([1], [1], "<=", 1)  # type: ignore[attr-defined]


def test_domains_of_many_values_are_cut_in_pieces() -> None:
    problem = Problem("wide", ("x",), Integers(range(50_000)), ())
    pieces = reductions.choices(Case("native", problem, (problem.open,)))
    assert len(pieces) <= 10_000
    assert sum(mask for _, mask in pieces) == problem.full


def outcomes(cpu: float, status: int = 10) -> Any:
    """Return the outcomes of one ask."""
    row = np.zeros(1, ROW)
    row["cpu"], row["status"] = int(cpu * 1e9), status
    batch = type("Asked", (), {"contender": 0, "puzzles": np.array([1])})
    return type("Answered", (), {"rows": row, "batch": batch})


def test_an_outlier_is_as_many_times_slower_and_not_only_short() -> None:
    fast = Faster("cpsat", 100.0)
    assert slower(fast, [outcomes(2.0)], [outcomes(0.01)])
    assert not slower(fast, [outcomes(2.0)], [outcomes(0.03)])
    assert not slower(fast, [outcomes(0.05)], [outcomes(0.0001)])
    assert not slower(fast, [outcomes(2.0)], [outcomes(0.01, 0)])
    assert not slower(fast, [outcomes(2.0)], [])
    finding = Finding(replace(of_rows(3, 3), faster=fast), fast.signature)
    assert finding.signature == "100 times slower than cpsat"


@pytest.mark.slow
def test_an_instance_is_shrunk_by_what_another_contender_shows(harness: Harness, tmp_path: Path) -> None:
    (tmp_path / "a.cnf").write_text("p cnf 40 60\n" + "".join(f"{i % 40 + 1} {-(i % 39) - 2} 0\n" for i in range(60)))
    (tmp_path / "lying.sh").write_text("echo s UNSATISFIABLE\n")
    lying = ["--program", f"lying=sh {tmp_path / 'lying.sh'}", "-b", "dimacs:lying,pysat:minisat22"]
    done = harness("shrink", tmp_path / "a.cnf", *lying)
    assert done.code == 1, done.out + done.err
    small = read(tmp_path / "a.min.finding")
    assert (small.signature, small.case.contender) == ("unsatisfiable", "dimacs:lying/extended")
    assert len(small.case.problem.variables) == 1
    assert "shared" not in small.blame  # a witness that no longer fits would blame our clauses
    done = harness("shrink", tmp_path / "a.cnf", "-b", "pysat:minisat22", "-b", "pysat:glucose4")
    assert (done.code, done.out) == (0, f"{tmp_path / 'a.cnf'}: does not fail here\n")


def test_rows_go_by_the_arrays_of_their_variables(rows: Rows, monkeypatch: pytest.MonkeyPatch) -> None:
    case = of_rows(600, 6000)
    names = tuple(f"{'abcdef'[i % 6]}[{i}]" for i in range(600))  # rows of the six pairs of arrays alternate
    case = replace(case, problem=replace(case.problem, variables=names))
    assert [len(group) for group in reductions.groups(case)] == [1000] * 6
    needed = {("c", "d")}

    def run_case(sessions: object, case: Case) -> CaseResult:
        rows.trials += 1
        of = case.problem.variables
        found = {tuple(of[x][0] for x in row[1]) for c in case.problem.constraints for row in c.rows}  # type: ignore[attr-defined]
        return CaseResult(((0, FAILED),) if needed <= found else ())

    monkeypatch.setattr(shrinking, "run_case", run_case)
    monkeypatch.setattr(shrinking, "run_cases", lambda sessions, cases: [run_case(sessions, c) for c in cases])
    small = shrinking.shrink(Finding(case, "wrong solution"), 600)
    assert small is not None
    assert len(small.case.problem.constraints[0].rows) == 1  # type: ignore[attr-defined]
    by_arrays = rows.trials
    rows.trials = 0
    monkeypatch.setattr(reductions, "groups", lambda case: [])
    assert shrinking.shrink(Finding(case, "wrong solution"), 600) is not None
    assert by_arrays < rows.trials


def test_lines_of_a_source_go_before_its_parts_and_its_rows(rows: Rows, tmp_path: Path) -> None:
    whole = Finding(of_rows(40, 80), "wrong solution")
    words = [f"line {line}: part {part}" for line in range(60) for part in range(3)]
    asked = list[frozenset[int]]()

    def find(parts: frozenset[int]) -> Finding | None:
        asked.append(parts)
        if len(asked) == 2:
            raise BadInput("it does not compile")
        other = "timeout" if len(asked) == 3 else "wrong solution"
        return Finding(of_rows(5, 4), other) if {7, 100} <= parts else None

    path = tmp_path / "a.min.finding"
    kept = ShrinkingState(whole, path, "key")
    keep_parts(kept, words, find, 600)
    assert kept.finding.parts == ["line 2: part 1", "line 33: part 1"]
    assert len(asked) < 60
    assert resumed(whole, "key", path).finding.parts[0].startswith("line ")
    small = shrinking.shrink(whole, 600, kept=kept)
    assert small is not None
    assert len(small.case.problem.constraints[0].rows) == 3  # type: ignore[attr-defined]
    assert "# source:   line 33: part 1\n" in text(small)
    rows.needed = 50  # the case of the parts does not fail again, the whole does
    again = shrinking.shrink(whole, 600, kept=kept)
    assert again is not None
    assert (len(again.case.problem.constraints[0].rows), again.parts) == (50, [])  # type: ignore[attr-defined]


@pytest.mark.slow
def test_a_model_is_shrunk_to_the_lines_that_fail(harness: Harness, tmp_path: Path) -> None:
    (tmp_path / "a.mzn").write_text(
        "array[1..9] of var 0..9: x;\nconstraint forall(i in 1..8)(x[i] <= x[i+1]);\n"
        "constraint x[1] + x[2] + x[3] != 7;\nconstraint x[9] > 3;\nsolve minimize sum(x);\n"
    )
    (tmp_path / "lying.py").write_text(
        "import sys\nbad = 'int_lin_ne' in open(sys.argv[-1]).read()\n"
        "print('=====UNSATISFIABLE=====' if bad else '=====UNKNOWN=====')\n"
    )
    lying = ["--program", f"lying={sys.executable} {tmp_path / 'lying.py'} {{fzn}}", "-b", "fzn:lying,cpsat"]
    done = harness("shrink", tmp_path / "a.mzn", *lying)
    assert done.code == 1, done.out + done.err
    small = read(tmp_path / "a.min.finding")
    assert small.parts == ["line 3: x[1] + x[2] + x[3] != 7"]
    assert small.case.problem.objective is not None
    assert "source:   line 3: x[1] + x[2] + x[3] != 7\n" in done.out
    assert "crosscheck-explain" not in done.err
