"""Problems that are no boards: clauses become a formula as they are, and what is not taken is named."""

import numpy as np
import pytest

from encoders.formula import Cnf, Unsupported
from encoders.registry import ENCODINGS, Spec, spec
from puzzles.constraints.all_different import AllDifferent
from puzzles.constraints.clauses import Clauses
from puzzles.layout import Layout
from puzzles.problem import Constraint, Integers, Problem, Values

BOOLEAN = ("false", "true")


def problem(*constraints: Constraint, values: Values = BOOLEAN) -> Problem:
    return Problem("a problem", ("a", "b", "c"), values, constraints)


FORMULA = problem(Clauses.of([(1, -2), (3,), ()]))
TO_CLAUSES = [e for e in ENCODINGS.values() if e.formula is Cnf]
ELSEWHERE = [e for e in ENCODINGS.values() if e.formula is not Cnf]


@pytest.mark.parametrize("encoding", TO_CLAUSES, ids=lambda e: e.name)
def test_clauses_are_taken_as_they_are_by_every_encoding_to_clauses(encoding: object) -> None:
    for one in ("", "product"):
        chosen = Spec(encoding, one)  # type: ignore[arg-type]
        formula = chosen.formula(FORMULA)
        assert isinstance(formula, Cnf)
        assert formula.clauses.tolist() == [1, -2, 0, 3, 0, 0]
        assert formula.clauses.dtype == np.int32
        assert formula.literal == ((-1, 1), (-2, 2), (-3, 3))
        assert (formula.variables, formula.at_most) == (3, ())
        assert not chosen.sees_domains(FORMULA)


def test_several_columns_of_clauses_and_none_at_all_are_one_formula() -> None:
    two = spec("extended").formula(problem(Clauses.of([(1, 2)]), Clauses.of([(-3,)])))
    assert isinstance(two, Cnf)
    assert two.clauses.tolist() == [1, 2, 0, -3, 0]
    for none in (problem(), problem(Clauses.of([]))):
        formula = spec("extended").formula(none)
        assert isinstance(formula, Cnf)
        assert formula.clauses.tolist() == []


@pytest.mark.parametrize("encoding", ELSEWHERE, ids=lambda e: e.name)
def test_an_encoding_to_anything_else_names_the_clauses_that_it_does_not_take(encoding: object) -> None:
    with pytest.raises(Unsupported, match=f"encoding {encoding.name} takes boards, not clauses"):  # type: ignore[attr-defined]
        Spec(encoding).formula(FORMULA)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("unfit", "named"),
    [
        (problem(AllDifferent(((0, 1),))), "all_different"),
        (problem(Clauses.of([(1,)]), AllDifferent(((0, 1),))), "all_different"),
        (problem(Clauses.of([(1,)]), values=Integers((-1, 4, 9))), "variables of 3 values without a board"),
    ],
)
def test_what_is_not_clauses_is_named(unfit: Problem, named: str) -> None:
    with pytest.raises(Unsupported) as raised:
        spec("minimal+product").formula(unfit)
    assert str(raised.value) == f"encoding minimal takes boards and clauses, not {named}"


def test_values_with_long_names_can_not_be_written_as_text() -> None:
    board = Layout("long", ("a",), ("10", "11"), ())
    with pytest.raises(Unsupported, match="values of long can't be written as one character each"):
        spec("text").formula(board)


def test_only_an_encoding_of_boards_that_sees_the_domains_makes_a_formula_for_each_instance() -> None:
    board = Layout("two", ("a", "b"), ("1", "2"), ((0, 1),))
    assert spec("reduced").sees_domains(board)
    assert not spec("extended").sees_domains(board)
    refuted, free = spec("reduced").formula(board, (1, 1)), spec("reduced").formula(board)
    assert isinstance(refuted, Cnf)
    assert isinstance(free, Cnf)
    assert refuted.variables == 1 < free.variables
