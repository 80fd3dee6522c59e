"""Blame: the formula is held against the board, so that a wrong encoding is told from a wrong solver."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from backends.cases import board
from encoders.formula import AllDifferent, Booleans, Channelled, Cnf, Formula
from encoders.registry import ENCODINGS
from harness.fuzzing.blame import blame
from harness.fuzzing.clausal import clause_problem
from harness.fuzzing.counting import count
from harness.fuzzing.finding import Case
from harness.fuzzing.ground_formulas import extend_to_model, ground
from puzzles.families import layout

LATIN = layout("latin 3")
BOARD = board(LATIN, "1...1....")  # of two solutions
CONTENDERS = (
    *("pysat:minisat22/extended", "pysat:minisat22/minimal+ladder", "pysat:minisat22/reduced+bitwise"),
    *("pysat:gluecard4/extended+cardinality", "cpsat", "cpsat/booleans", "cpsat/channelled"),
)
NINE = layout("sudoku 3x3")
MISSING = ("unsatisfiable", "too few")


def case(contender: str) -> Case:
    return Case(contender, LATIN, (BOARD,), 3)


@pytest.mark.parametrize("contender", CONTENDERS)
def test_where_the_formula_is_right_the_encoding_is_not_blamed(contender: str) -> None:
    for signature in MISSING:
        assert blame(case(contender), signature) == "solver or decoding"
    assert blame(case(contender), "wrong solution") in ("solver or decoding", "")


Change = Callable[[Any], Formula]


def one_clause_more(formula: Cnf) -> Cnf:
    """It forbids the board's solutions: the second square's values are both out."""
    row = formula.literal[1]
    return replace(formula, clauses=np.append(formula.clauses, np.array([-row[1], 0, -row[2], 0], np.int32)))


def one_unit_more(formula: AllDifferent) -> AllDifferent:
    return replace(formula, units=(*formula.units, (0, 4)))


def one_group_more(formula: Booleans) -> Booleans:
    return replace(formula, at_most_one=(*formula.at_most_one, (0, 12)))


def more_on_one_side(formula: Channelled) -> Channelled:
    return replace(formula, booleans=one_group_more(formula.booleans))


def fewer_clauses(formula: Cnf) -> Cnf:
    ends = np.flatnonzero(formula.clauses == 0)
    return replace(formula, clauses=formula.clauses[: ends[12] + 1])


def rows_alone(formula: AllDifferent) -> AllDifferent:
    return replace(formula, units=formula.units[:3])


def no_groups(formula: Booleans) -> Booleans:
    return replace(formula, exactly_one=formula.exactly_one[:9])


@pytest.mark.parametrize(
    ("contender", "change", "signatures"),
    [
        ("pysat:minisat22/extended", one_clause_more, MISSING),
        ("pysat:minisat22/minimal+ladder", one_clause_more, MISSING),
        ("cpsat", one_unit_more, MISSING),
        ("cpsat/booleans", one_group_more, MISSING),
        ("cpsat/channelled", more_on_one_side, MISSING),
        ("pysat:minisat22/extended", fewer_clauses, ("wrong solution",)),
        ("cpsat", rows_alone, ("wrong solution",)),
        ("cpsat/booleans", no_groups, ("wrong solution",)),
    ],
)
def test_a_wrong_encoding_is_blamed(
    monkeypatch: pytest.MonkeyPatch, contender: str, change: Change, signatures: tuple[str, ...]
) -> None:
    name = contender.partition("/")[2].partition("+")[0] or "alldifferent"
    right = ENCODINGS[name]
    monkeypatch.setitem(ENCODINGS, name, replace(right, encode=lambda *a: change(right.encode(*a))))
    for signature in signatures:
        assert blame(case(contender), signature) == "encoding"


@pytest.mark.parametrize("signature", [*MISSING, "wrong solution", "timeout", "crash: died of SIGSEGV"])
def test_native_code_takes_a_board_as_it_is_so_that_nobody_else_is_to_blame(signature: str) -> None:
    assert blame(case("native:norvig"), signature) == "backend"


def test_on_clauses_alone_the_solver_is_to_blame_and_for_what_we_count_ourselves_we_are() -> None:
    alone = clause_problem(((1, 2), (-1,)))
    assert blame(Case("pysat:minisat22/extended", alone, (alone.open,)), "unsatisfiable") == "solver"
    assert blame(case("cpsat"), "count refuted") == "harness"


def test_nothing_is_said_where_a_crash_or_a_hang_tells_nothing() -> None:
    for signature in ("timeout", "memory", "crash: died of SIGSEGV", "error: RuntimeError"):
        assert blame(case("pysat:minisat22/extended"), signature) == ""


@pytest.mark.parametrize("contender", ["pysat:minisat22/minimal+totalizer", "pysat:minisat22/extended+commander"])
def test_a_large_board_s_solution_is_a_model_of_its_formula(contender: str) -> None:
    solution = count(NINE, NINE.open, 1, 10_000).solutions[0]
    formula = ground(Case(contender, NINE, (NINE.open,)))
    assert formula is not None
    model = extend_to_model(formula, solution).model
    assert model is not None
    assert all(set(clause) & set(model) for clause in formula.clauses)
    broken = (solution[1], *solution[1:])
    assert extend_to_model(formula, broken).model is None
