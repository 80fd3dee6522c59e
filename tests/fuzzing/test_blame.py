"""Blame: comparing the formula with the board separates wrong encodings from wrong solvers."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from backends.contract.cases import board
from encoders.formula import AllDifferent, Booleans, Channelled, Cnf, Formula
from encoders.registry import ENCODINGS
from harness.fuzzing.blame import blame
from harness.fuzzing.clausal import clause_problem
from harness.fuzzing.counting import count
from harness.fuzzing.findings.finding import Case
from harness.fuzzing.ground_formulas import extend_to_model, ground
from puzzles.boards.families import layout

LATIN = layout("latin 3")
BOARD = board(LATIN, "1...1....")  # has two solutions
CONTENDERS = (
    *("pysat:minisat22/extended", "pysat:minisat22/minimal+ladder", "pysat:minisat22/reduced+bitwise"),
    *("pysat:gluecard4/extended+cardinality", "cpsat", "cpsat/booleans", "cpsat/channelled"),
)
SUDOKU9 = layout("sudoku 3x3")
MISSING = ("unsatisfiable", "too few")


def case(contender: str) -> Case:
    return Case(contender, LATIN, (BOARD,), 3)


@pytest.mark.parametrize("contender", CONTENDERS)
def test_a_right_encoding_is_not_blamed(contender: str) -> None:
    for signature in MISSING:
        assert blame(case(contender), signature) == "solver or decoding"
    assert blame(case(contender), "wrong solution") in ("solver or decoding", "")


def test_a_program_with_a_right_formula_is_blamed_with_its_output() -> None:
    for signature in MISSING:
        assert blame(case("dimacs:true"), signature) == "solver or its output"
    assert blame(case("dimacs:true"), "wrong solution") in ("solver or its output", "")


Change = Callable[[Any], Formula]


def add_clause(formula: Cnf) -> Cnf:
    """Forbid the board's solutions: exclude both values of the second square."""
    row = formula.literal[1]
    return replace(formula, clauses=np.append(formula.clauses, np.array([-row[1], 0, -row[2], 0], np.int32)))


def add_unit(formula: AllDifferent) -> AllDifferent:
    return replace(formula, units=(*formula.units, (0, 4)))


def add_group(formula: Booleans) -> Booleans:
    return replace(formula, at_most_one=(*formula.at_most_one, (0, 12)))


def add_to_booleans(formula: Channelled) -> Channelled:
    return replace(formula, booleans=add_group(formula.booleans))


def drop_clauses(formula: Cnf) -> Cnf:
    ends = np.flatnonzero(formula.clauses == 0)
    return replace(formula, clauses=formula.clauses[: ends[12] + 1])


def keep_rows(formula: AllDifferent) -> AllDifferent:
    return replace(formula, units=formula.units[:3])


def drop_groups(formula: Booleans) -> Booleans:
    return replace(formula, exactly_one=formula.exactly_one[:9])


@pytest.mark.parametrize(
    ("contender", "change", "signatures"),
    [
        ("pysat:minisat22/extended", add_clause, MISSING),
        ("pysat:minisat22/minimal+ladder", add_clause, MISSING),
        ("cpsat", add_unit, MISSING),
        ("cpsat/booleans", add_group, MISSING),
        ("cpsat/channelled", add_to_booleans, MISSING),
        ("pysat:minisat22/extended", drop_clauses, ("wrong solution",)),
        ("cpsat", keep_rows, ("wrong solution",)),
        ("cpsat/booleans", drop_groups, ("wrong solution",)),
    ],
)
def test_a_wrong_encoding_is_blamed(
    monkeypatch: pytest.MonkeyPatch, contender: str, change: Change, signatures: tuple[str, ...]
) -> None:
    name = contender.partition("/")[2].partition("+")[0] or "alldifferent"
    right = ENCODINGS[name]
    encode = right.encode
    assert encode
    monkeypatch.setitem(ENCODINGS, name, replace(right, encode=lambda *a: change(encode(*a))))
    for signature in signatures:
        assert blame(case(contender), signature) == "encoding"


@pytest.mark.parametrize("signature", [*MISSING, "wrong solution", "timeout", "crash: died of SIGSEGV"])
def test_native_code_has_no_encoding_so_its_backend_is_blamed(signature: str) -> None:
    assert blame(case("native:norvig"), signature) == "backend"


def test_a_failure_on_clauses_blames_the_solver_and_a_refuted_count_the_harness() -> None:
    alone = clause_problem(((1, 2), (-1,)))
    assert blame(Case("pysat:minisat22/extended", alone, (alone.open,)), "unsatisfiable") == "solver"
    assert blame(case("cpsat"), "count refuted") == "harness"


def test_crashes_and_limits_blame_no_component() -> None:
    for signature in ("timeout", "memory", "crash: died of SIGSEGV", "error: RuntimeError"):
        assert blame(case("pysat:minisat22/extended"), signature) == ""


@pytest.mark.parametrize("contender", ["pysat:minisat22/minimal+totalizer", "pysat:minisat22/extended+commander"])
def test_a_solution_of_a_large_board_extends_to_a_model_of_its_formula(contender: str) -> None:
    solution = count(SUDOKU9, SUDOKU9.open, 1, 10_000).solutions[0]
    formula = ground(Case(contender, SUDOKU9, (SUDOKU9.open,)))
    assert formula is not None
    model = extend_to_model(formula, solution).model
    assert model is not None
    assert all(set(clause) & set(model) for clause in formula.clauses)
    broken = (solution[1], *solution[1:])
    assert extend_to_model(formula, broken).model is None
