"""`harness.Solver` and `harness.improve`; verdicts, values by the caller's variables, and whose words errors use."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest
from ortools.sat.python import cp_model
from pysat.examples.genhard import PHP
from pysat.formula import CNF

import harness
from harness.interface.errors import in_python
from harness.interface.models import name_of
from harness.interface.words import Plot, Score
from harness.reporting.formats.github import annotations
from harness.reporting.plots.request import KINDS
from harness.reporting.views.comparing.measures import COUNTED, OBJECTIVE_SCORES, SCORES

PIGEONS = "p cnf 2 4\n1 2 0\n1 -2 0\n-1 2 0\n-1 -2 0\n"


class Shop(cp_model.CpModel):  # type: ignore[misc]
    """A model of a class of the caller's."""


def knapsack(kind: type[cp_model.CpModel] = Shop) -> tuple[Any, list[Any]]:
    model = kind()
    model.name = "a shop/1"
    chosen = [model.new_bool_var(f"item {i}") for i in range(6)]
    model.add(sum((3 + i) * x for i, x in enumerate(chosen)) <= 12)
    model.maximize(sum((2 * i + 1) * x for i, x in enumerate(chosen)))
    return model, chosen


@pytest.fixture(scope="module")
def solver() -> Iterator[harness.Solver]:
    with harness.Solver("native:python") as opened:
        yield opened


@pytest.fixture(scope="module")
def cpsat() -> Iterator[harness.Solver]:
    with harness.Solver("cpsat") as opened:
        yield opened


def test_a_claim_that_nobody_confirms_is_uncertified(solver: harness.Solver) -> None:
    solved = solver.solve(text="11..............")
    assert (solved.status, solved.complete, solved.verdict, solved.fault) == ("unsatisfiable", True, "uncertified", "")
    assert "unsatisfiable, unconfirmed" in repr(solved)
    assert solver.solve(text="1...............").verdict == "correct"


def test_an_answer_is_judged_by_what_its_source_claims(solver: harness.Solver) -> None:
    claimed = solver.solve(text="#: sudoku 2x2, count 1\n11..............\n")
    assert (claimed.verdict, claimed.fault) == ("wrong", "the source of the instance claims 1 solution")
    assert solver.solve(text="#: sudoku 2x2, count 0\n11..............\n").verdict == "correct"


def test_a_worker_stays_open_between_calls(cpsat: harness.Solver) -> None:
    model, _ = knapsack()
    assert cpsat.solve(model).value == cpsat.solve(model).value
    (asker,) = cpsat._askers.values()
    (runner,) = asker.runner().pool.workers.children.values()
    before = runner.worker_pid
    cpsat.solve(text=PIGEONS)
    (runner,) = asker.runner().pool.workers.children.values()
    assert (runner.worker_pid, asker.asked) == (before, 3)


def test_values_are_by_the_callers_own_variables(cpsat: harness.Solver) -> None:
    model, chosen = knapsack()
    solved = cpsat.solve(model)
    assert sum((2 * i + 1) * solved[x] for i, x in enumerate(chosen)) == solved.value
    assert [solved[x] + solved[~x] for x in chosen] == [1] * 6
    assert solved[chosen[0]] == solved["item 0"]
    assert list(solved.values) == [f"item {i}" for i in range(6)]
    clauses = cpsat.solve(CNF(from_clauses=[[1], [-2]]))
    assert (clauses[1], clauses[2], clauses[-2]) == (1, 0, 1)
    with pytest.raises(KeyError, match="'item 9' is no variable of a_shop_1"):
        solved["item 9"]


def test_objects_of_subclasses_are_taken_and_named_as_their_class() -> None:
    assert name_of(PHP(nof_holes=2)) == "cnf"
    assert name_of(knapsack()[0]) == "a_shop_1"


def test_improvements_come_judged_and_leaving_the_loop_ends_the_worker(cpsat: harness.Solver) -> None:
    model, _ = knapsack()
    search = cpsat.improve(model)
    for step in search:
        assert sum((2 * i + 1) * step.values[f"item {i}"] for i in range(6)) == step.value
    assert search.result is not None
    assert (search.result.value, search.result.verdict) == (cpsat.solve(model).value, "uncertified")
    with pytest.raises(harness.BadUsage, match="has no objective to improve"):
        cpsat.improve(text=PIGEONS)


def test_text_is_never_a_path_and_a_path_never_text(solver: harness.Solver, tmp_path: Path) -> None:
    (tmp_path / "1...............").write_text("..............2.\n")
    assert solver.solve(path=tmp_path / "1...............").values["D3"] == 2
    with pytest.raises(harness.BadUsage, match=r"^text:1: "):
        solver.solve(text=str(tmp_path / "1..............."))
    with pytest.raises(harness.BadUsage, match="no such file"):
        solver.solve(path="hardest")
    with pytest.raises(TypeError, match="state one of board, text= and path="):
        solver.solve("hardest", text=PIGEONS)


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("choose another with -o (--resume goes on)", "choose another with output= (harness.resume goes on)"),
        ("state --as 'sudoku 2x3'", "state as_='sudoku 2x3'"),
        ("argument -t/--timeout: '0' is not a number", "timeout: '0' is not a number"),
        ("--keep-proofs needs --proof", "keep_proofs needs proof"),
        ("a line of --- and a pre-colour", "a line of --- and a pre-colour"),
    ],
)
def test_errors_name_settings_and_no_options(said: str, expected: str) -> None:
    assert in_python(said) == expected


def test_a_limit_is_not_none() -> None:
    with pytest.raises(harness.BadUsage, match="timeout=None: every ask has a limit"):
        harness.solve("hardest", timeout=None)  # type: ignore[arg-type]


def literals(kind: Any) -> set[str]:
    return {word for part in get_args(kind) for word in ([part] if isinstance(part, str) else literals(part))}


def test_the_types_of_words_are_the_words() -> None:
    assert literals(Score) == {*SCORES, *OBJECTIVE_SCORES, *COUNTED}
    assert literals(Plot) == set(KINDS)


def test_failures_are_annotations_of_their_files() -> None:
    lines = list(annotations({"a,b.txt:3": ["100% wrong\nhere"], "c.cnf": ["malformed: x"]}))
    assert lines == ["::error file=a%2Cb.txt,line=3::100%25 wrong%0Ahere", "::error file=c.cnf::malformed: x"]
