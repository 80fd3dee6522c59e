"""Problems that are not boards: clauses are used unchanged; other constraints are named in the error."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

from encoders import formula
from encoders.formula import Cnf, Constraints, Unsupported
from encoders.registry import ENCODINGS, Spec, spec
from puzzles.boards.layout import Layout
from puzzles.constraints.all_different import AllDifferent
from puzzles.constraints.clauses import Clauses
from puzzles.problem import Constraint, Problem
from puzzles.problem.values import Integers, Values

BOOLEAN = ("false", "true")


def problem(*constraints: Constraint, values: Values = BOOLEAN) -> Problem:
    return Problem("a problem", ("a", "b", "c"), values, constraints)


FORMULA = problem(Clauses.of([(1, -2), (3,), ()]))
TO_CLAUSES = [e for e in ENCODINGS.values() if e.formula is Cnf]
ELSEWHERE = [e for e in ENCODINGS.values() if e.formula not in (Cnf, formula.AllDifferent)]


@pytest.mark.parametrize("encoding", TO_CLAUSES, ids=lambda e: e.name)
def test_every_clausal_encoding_uses_clauses_unchanged(encoding: object) -> None:
    for one in ("", "product"):
        chosen = Spec(encoding, one)  # type: ignore[arg-type]
        formula = chosen.formula(FORMULA)
        assert isinstance(formula, Cnf)
        assert formula.clauses.tolist() == [1, -2, 0, 3, 0, 0]
        assert formula.clauses.dtype == np.int32
        assert tuple(formula.literal) == ((-1, 1), (-2, 2), (-3, 3))
        assert (formula.literal[1], formula.literal[1:]) == ((-2, 2), ((-2, 2), (-3, 3)))
        assert (formula.variables, formula.at_most) == (3, ())
        assert not chosen.sees_domains(FORMULA)


def test_several_clause_constraints_or_none_make_one_formula() -> None:
    two = spec("extended").formula(problem(Clauses.of([(1, 2)]), Clauses.of([(-3,)])))
    assert isinstance(two, Cnf)
    assert two.clauses.tolist() == [1, 2, 0, -3, 0]
    for none in (problem(), problem(Clauses.of([]))):
        formula = spec("extended").formula(none)
        assert isinstance(formula, Cnf)
        assert formula.clauses.tolist() == []


@pytest.mark.parametrize("encoding", ELSEWHERE, ids=lambda e: e.name)
def test_other_encodings_reject_clauses_by_name(encoding: object) -> None:
    with pytest.raises(Unsupported, match=f"encoding {encoding.name} takes boards, not clauses"):  # type: ignore[attr-defined]
        Spec(encoding).formula(FORMULA)  # type: ignore[arg-type]


@dataclass(frozen=True)
class Unknown:
    """A kind of constraint that no encoder knows."""

    kind: ClassVar[str] = "unknown"


@pytest.mark.parametrize("parts", [(Unknown(),), (Clauses.of([(1,)]), Unknown())])
def test_constraints_without_an_encoding_are_named_in_the_error(parts: tuple[Constraint, ...]) -> None:
    with pytest.raises(Unsupported, match="unknown constraints have no encoding as clauses"):
        spec("minimal+product").formula(problem(*parts))


def test_a_formula_of_integers_is_made_for_the_domains_of_its_instance() -> None:
    differ = problem(AllDifferent(((0, 1, 2),)), values=Integers((-1, 4, 9)))
    for name in ("direct", "order", "log", "minimal+product"):
        assert spec(name).sees_domains(differ)
        wide, narrow = spec(name).formula(differ), spec(name).formula(differ, (0b011, 0b001, 0b111))
        assert isinstance(wide, Cnf)
        assert isinstance(narrow, Cnf)
        assert narrow.variables < wide.variables
        row = narrow.literal[1]  # one number: its literal is true, the others are false
        assert row == (-row[1], row[1], row[1])
        assert [-row[1]] in narrow.clause_lists()


def test_a_board_has_one_formula_in_every_encoding_of_integers() -> None:
    board = Layout("two", ("a", "b"), ("1", "2", "3"), ((0, 1),))
    for name in ("direct", "order", "log"):
        assert not spec(name).sees_domains(board)
        whole, given = spec(name).formula(board), spec(name).formula(board, (1, 0b111))
        assert isinstance(whole, Cnf)
        assert isinstance(given, Cnf)
        assert whole.clauses.tolist() == given.clauses.tolist()


def test_the_encoding_of_integers_passes_all_constraints_on_unchanged() -> None:
    differ = AllDifferent(((0, 1),))
    form = spec("alldifferent").formula(problem(differ, Clauses.of([(1,)]), values=Integers((-1, 4))))
    assert isinstance(form, Constraints)
    assert (form.variables, tuple(form.numbers), form.kinds()) == (3, (-1, 4), ("all_different", "clauses"))
    assert form.constraints[0] is differ
    assert spec("alldifferent").formula(FORMULA).numbers == range(2)  # type: ignore[union-attr]


def test_values_with_long_names_are_unsupported_as_text() -> None:
    board = Layout("long", ("a",), ("10", "11"), ())
    with pytest.raises(Unsupported, match="values of long can't be written as one character each"):
        spec("text").formula(board)


def test_only_reduced_builds_a_formula_per_instance() -> None:
    board = Layout("two", ("a", "b"), ("1", "2"), ((0, 1),))
    assert spec("reduced").sees_domains(board)
    assert not spec("extended").sees_domains(board)
    refuted, free = spec("reduced").formula(board, (1, 1)), spec("reduced").formula(board)
    assert isinstance(refuted, Cnf)
    assert isinstance(free, Cnf)
    assert refuted.variables == 1 < free.variables
