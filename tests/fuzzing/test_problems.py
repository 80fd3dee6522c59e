"""Problems other than boards: drawn, judged by brute force, kept in findings, and shrunk."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from random import Random
from typing import Any, ClassVar

import numpy as np
import pytest

from harness.fuzzing import assignments
from harness.fuzzing.counting import Enumeration
from harness.fuzzing.findings.finding import Case, Finding, read, text, write
from harness.fuzzing.reducing import parts, shrinking
from harness.fuzzing.rounds import problems
from harness.fuzzing.rounds.boards import Scope
from harness.fuzzing.trial import CaseResult
from harness.model.errors import BadUsage
from puzzles.constraints import moving
from puzzles.generating.problems import KINDS, random_problem
from puzzles.problem import Instance, Problem
from puzzles.problem.columns import index_type
from puzzles.problem.values import Domains, Integers, bits
from tests.conftest import Harness
from tests.effort import slow_after

# All of them: python benchmarks/fuzzing.py --faults partial
PARTIAL = (  # each with as many cases as find it
    ("partial:expression", 40),
    ("partial:variables=order", 40),
    ("partial:at-most-one=product", 40),
    ("partial:table=mdd", 40),
    ("partial:linear=swc", 150),
)


def by_hand(problem: Problem, domains: Domains) -> set[tuple[int, ...]]:
    """Return the solutions: all assignments that satisfy every constraint."""
    every = list(product(*(list(bits(mask)) for mask in domains)))
    rows = np.array(every, index_type(problem)).reshape(len(every), len(domains))
    kept = np.ones(len(every), np.bool_)
    for constraint in problem.constraints:
        kept &= constraint.satisfied(rows, problem)
    return {every[i] for i in np.flatnonzero(kept)}


@pytest.mark.parametrize("kind", sorted(problems.KINDS))
def test_all_solutions_of_a_drawn_problem_are_found(kind: str) -> None:
    for seed in range(12):
        instance = problems.KINDS[kind](Random(f"{kind} {seed}"))
        found = assignments.solutions_of(instance.problem, instance.domains, 10_000, 1_000_000)
        assert found.complete
        assert set(found.solutions) == by_hand(instance.problem, instance.domains)


def test_too_many_assignments_are_not_tried() -> None:
    instance = random_problem(["count"], Random(3))
    assert not assignments.solutions_of(instance.problem, instance.problem.open, 5, 3).complete


def test_a_problem_without_a_value_has_no_solution() -> None:
    instance = random_problem(["lex"], Random(3))
    nothing = (0,) * len(instance.domains)
    assert assignments.solutions_of(instance.problem, nothing, 5, 3) == Enumeration((), True)


def test_every_other_round_has_problems_unless_a_layout_or_a_kind_is_stated() -> None:
    rounds = [problems.draw_round(1, number, Scope()) for number in range(4)]
    assert [hasattr(drawn.blocks[0].problem, "units") for drawn in rounds] == [True, False, True, False]
    assert rounds[1] == problems.draw_round(1, 1, Scope())
    names = {block.problem.name for n in range(3) for block in problems.draw_round(1, n, Scope(problems="opb")).blocks}
    assert names == {"opb"}


def case_of(instance: Instance[Problem]) -> Case:
    problem = replace(instance.problem, variables=tuple(instance.problem.variables))
    return Case("native:python", problem, (problem.open, instance.domains), 2)


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_a_finding_of_any_kind_is_read_back_unchanged(kind: str, tmp_path: Path) -> None:
    for seed in range(5):
        written = Finding(case_of(random_problem([kind, "linear"], Random(f"{kind} {seed}"))), "unsatisfiable")
        write(written, tmp_path / "a.finding")
        assert read(tmp_path / "a.finding") == written


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_a_damaged_finding_of_any_kind_is_read_or_refused(kind: str, tmp_path: Path) -> None:
    random = Random(kind)
    whole = text(Finding(case_of(random_problem([kind], random)), "unsatisfiable"))
    begin = whole.index('"constraints"')
    for _ in range(120):
        at = random.randrange(begin, len(whole))
        damaged = whole[:at] + random.choice(['"', "9", "-", "[", "]", ",", "99999999999", "{", ""]) + whole[at + 1 :]
        (tmp_path / "a.finding").write_text(damaged)
        with suppress(BadUsage):  # any other exception fails the test
            read(tmp_path / "a.finding")


def without_last_row(problem: Problem, kind: str) -> Problem:
    """Return a problem as a backend sees it that loses the last row of a kind."""
    kept = []
    for constraint in problem.constraints:
        if constraint.kind != kind:
            kept.append(constraint)
        elif (name := next(iter(parts.row_names(constraint)), "")) and len(rows := parts.rows_of(constraint, name)) > 1:
            kept.append(parts.with_rows(constraint, name, rows[:-1]))
    return replace(problem, constraints=tuple(kept))


def losing(kind: str) -> Callable[[object, Case], CaseResult]:
    """Return a stand-in for `run_case`: the case fails if the solutions change with the last row of a kind."""

    def run_case(sessions: object, case: Case) -> CaseResult:
        asked = case.asks[-1]
        right = by_hand(case.problem, asked)
        wrong = by_hand(without_last_row(case.problem, kind), asked) - right
        return CaseResult(((len(case.asks) - 1, None),) if wrong else ())  # type: ignore[arg-type]

    return run_case


@pytest.mark.parametrize("kind", sorted(set(KINDS) - {"clauses"}))
def test_a_case_of_any_kind_is_shrunk_to_one_constraint(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    fails = losing(kind)
    monkeypatch.setattr(shrinking, "run_case", fails)
    monkeypatch.setattr(CaseResult, "of", lambda self, signature: self.failures[0] if self.failures else None)
    seeds = (random_problem([kind, "nvalues", "linear"], Random(f"{kind} {n}")) for n in range(100))
    case = next(case for case in map(case_of, seeds) if fails(None, case).failures)
    shrinker = shrinking.Shrinker((), "wrong solution", float("inf"))
    monkeypatch.setattr(shrinker, "sessions", object())
    small = shrinking.shrink_problem(shrinker, case)
    assert [c.kind for c in small.problem.constraints] == [kind]
    assert fails(None, small).failures
    assert shrinking.size(small) < shrinking.size(case)
    if all(type(c) in moving.MOVE for c in small.problem.constraints):
        used = set().union(*map(moving.variables_of, small.problem.constraints)) or {0}
        assert used == set(range(len(small.problem.variables)))


def test_shrinking_knows_the_variables_of_at_least_fifteen_kinds() -> None:
    drawn = (random_problem([kind], Random(1)).problem.constraints[0] for kind in KINDS)
    assert sum(type(c) in moving.MOVE for c in drawn) >= 15


@dataclass(frozen=True)
class Odd:
    """A kind of constraint that shrinking does not know: the sum of some values is odd."""

    rows: tuple[tuple[int, ...], ...]
    kind: ClassVar[str] = "odd"

    def satisfied(self, solutions: Any, problem: Problem) -> Any:
        ok = np.ones(len(solutions), np.bool_)
        for row in self.rows:
            ok &= solutions[:, row].sum(axis=1) % 2 == 1
        return ok

    def explain(self, solution: Any, problem: Problem) -> list[str]:
        return []

    def data(self) -> dict[str, Any]:
        return {"rows": self.rows}

    def check(self, problem: Problem) -> None: ...


def test_a_kind_that_shrinking_does_not_know_keeps_its_variables_and_loses_rows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    problem = Problem("odd", ("a", "b", "c"), Integers((0, 1)), (Odd(((0,), (2,))),))
    monkeypatch.setattr(shrinking, "run_case", losing("odd"))
    monkeypatch.setattr(CaseResult, "of", lambda self, signature: self.failures[0] if self.failures else None)
    shrinker = shrinking.Shrinker((), "wrong solution", float("inf"))
    monkeypatch.setattr(shrinker, "sessions", object())
    small = shrinking.shrink_problem(shrinker, Case("native:python", problem, (problem.open,)))
    assert [c.data() for c in small.problem.constraints] == [{"rows": ((0,),)}]
    assert list(small.problem.variables) == ["a", "b", "c"]


@pytest.mark.parametrize(("contender", "cases"), slow_after(1, PARTIAL))
def test_a_planted_fault_is_found_and_shrunk(harness: Harness, tmp_path: Path, contender: str, cases: int) -> None:
    words = "--as", "csp", "--cases", str(cases), "-b", contender, "-t", "60", "-o", tmp_path / "found", "-j", "1"
    found = harness("fuzz", *words)
    assert found.code == 1, found.out
    path = min((tmp_path / "found").iterdir())
    done = harness("shrink", path, "--yes")
    assert done.code == 1, done.out + done.err
    small = read(path.with_suffix(".min.finding")).case
    assert len(small.problem.constraints) <= 2
    assert len(small.asks) == 1
    assert harness("replay", path.with_suffix(".min.finding"), "--yes").code == 1
