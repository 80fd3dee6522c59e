"""Problems: identity by content, JSON round trips, constraints compared with naive definitions."""

import hashlib
import json
import pickle
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puzzles.boards import families
from puzzles.boards.layout import Layout
from puzzles.constraints import kinds
from puzzles.constraints.all_different import AllDifferent
from puzzles.constraints.clauses import Clauses, clauses_of
from puzzles.problem import Constraint, Problem
from puzzles.problem.check import violations
from puzzles.problem.columns import pack, valid
from puzzles.problem.dumped import dump
from puzzles.problem.values import Integers, Values
from puzzles.stored import load
from tests import boards
from tests.effort import examples

BOOLEAN = ("false", "true")
numbers = st.lists(st.integers(-(1 << 40), 1 << 40), unique=True, max_size=6).map(sorted)
ranges = st.tuples(st.integers(-9, 9), st.integers(0, 9)).map(lambda r: range(r[0], r[0] + r[1]))
words = st.text(max_size=4)
values_of_any_kind: st.SearchStrategy[Values] = st.one_of(
    numbers.map(Integers), ranges.map(Integers), st.lists(words, unique=True, max_size=4).map(tuple)
)


@st.composite
def clauses(draw: st.DrawFn, variables: int) -> Clauses:
    """Clauses of any length, including empty ones and tautologies."""
    literal = st.integers(1, max(variables, 1)).flatmap(lambda x: st.sampled_from([x, -x]))
    clause = st.lists(literal, max_size=4) if variables else st.just([])
    return Clauses.of(draw(st.lists(clause, max_size=6)))


@st.composite
def formulas(draw: st.DrawFn) -> Problem:
    """Boolean variables under one or two clause constraints."""
    variables = draw(st.integers(0, 5))
    parts = draw(st.lists(clauses(variables), min_size=1, max_size=2))
    return Problem("a formula", tuple(f"x{x + 1}" for x in range(variables)), BOOLEAN, tuple(parts))


@st.composite
def problems(draw: st.DrawFn) -> Problem:
    """Problems of every kind: boards, formulas and others, with texts or integers as values."""
    if draw(st.booleans()):
        return draw(st.one_of(boards.layouts(), formulas()))
    variables = tuple(draw(st.lists(words, unique=True, max_size=4)))
    unit = st.lists(st.integers(0, len(variables) - 1), unique=True).map(tuple) if variables else st.just(())
    units = st.lists(unit, max_size=3).map(tuple).map(AllDifferent)
    found: list[Constraint] = draw(st.lists(units, max_size=2))
    return Problem(draw(words), variables, draw(values_of_any_kind), tuple(found))


@given(problems())
@settings(max_examples=examples(200))
def test_a_dumped_problem_loads_unchanged(problem: Problem) -> None:
    back = load(dump(problem))
    assert type(back) is type(problem)
    assert (back.name, back.variables, back.values) == (problem.name, problem.variables, problem.values)
    assert [c.kind for c in back.constraints] == [c.kind for c in problem.constraints]
    assert back == problem
    assert back.digest == problem.digest
    assert dump(back) == dump(problem)
    assert pickle.loads(pickle.dumps(problem)) == problem


@given(boards.layouts())
def test_the_digest_of_a_board_is_the_one_stored_in_journals_and_golden_files(layout: Layout) -> None:
    content = json.dumps((layout.squares, layout.values, layout.units))
    assert layout.digest == hashlib.blake2b(content.encode(), digest_size=8).hexdigest()


def test_the_digest_of_sudoku_is_unchanged() -> None:
    assert families.layout("sudoku 3x3").digest == "30f15c27883c9dba"


def test_a_board_is_dumped_as_squares_values_and_units_only() -> None:
    layout = families.layout("sudoku 2x2")
    assert list(json.loads(dump(layout))) == ["name", "squares", "values", "units"]
    assert load(dump(layout).decode()) == layout


@given(problems(), words)
def test_the_name_is_not_part_of_the_identity_of_a_problem(problem: Problem, name: str) -> None:
    other = load(dump(replace(problem, name=name)))
    assert other == problem
    assert hash(other) == hash(problem)
    assert len({other, problem}) == 1


@given(problems(), problems())
def test_problems_of_different_content_have_different_digests(a: Problem, b: Problem) -> None:
    assert (a == b) == (dump(replace(a, name="")) == dump(replace(b, name="")))


def test_a_problem_is_not_equal_to_other_types() -> None:
    layout = families.layout("latin 3")
    assert layout != layout.digest
    assert layout != None  # noqa: E711


@given(st.one_of(numbers, ranges))
def test_integers_are_texts_of_their_numbers(found: list[int] | range) -> None:
    values = Integers(found)
    assert list(values.numbers) == list(found)
    assert list(values) == [str(n) for n in found]
    assert len(values) == len(found)
    assert values == Integers(tuple(found))
    assert hash(values) == hash(Integers(iter(found)))
    assert list(values[1:]) == [str(n) for n in found[1:]]


def test_consecutive_integers_are_stored_as_a_range_of_any_length() -> None:
    assert Integers((-1, 0, 1)).numbers == range(-1, 2)
    assert Integers(range(10**12)).numbers == range(10**12)
    assert Integers((-1, 1)).numbers == (-1, 1)


@pytest.mark.parametrize("found", [(1, 1), (2, 1), range(3, 0, -1)])
def test_integers_that_do_not_ascend_are_rejected(found: tuple[int, ...] | range) -> None:
    with pytest.raises(ValueError, match="ascend"):
        Integers(found)


@given(formulas())
@settings(max_examples=examples(150))
def test_clauses_are_satisfied_iff_explain_is_empty(problem: Problem) -> None:
    every = list(product((0, 1), repeat=len(problem.variables)))
    table = np.array(every, np.uint16).reshape(len(every), len(problem.variables))
    for constraint in problem.constraints:
        assert isinstance(constraint, Clauses)
        right = [all(any(s[abs(x) - 1] == (x > 0) for x in row) for row in constraint.rows) for s in every]
        assert constraint.satisfied(table, problem).tolist() == right
        assert [not constraint.explain(s, problem) for s in every] == right
    flat = clauses_of(problem)
    assert flat is not None
    assert Clauses(flat).rows == sum((c.rows for c in problem.constraints if isinstance(c, Clauses)), ())


@given(boards.layouts(), st.sampled_from([1, 16, 17, 33, 64, 65, 200]))
@settings(max_examples=examples(150))
def test_units_are_satisfied_iff_explain_is_empty(layout: Layout, values: int) -> None:
    wide = Layout("wide", layout.squares, tuple(map(str, range(values))), layout.units)
    (units,) = wide.constraints
    some = sorted({0, 1 % values, values - 1, values // 2})
    every = list(product(some, repeat=len(wide.squares)))
    right = [all(len({s[x] for x in unit}) == len(unit) for unit in wide.units) for s in every]
    assert units.satisfied(np.array(every, np.uint16), wide).tolist() == right
    assert [not units.explain(s, wide) for s in every] == right


def test_a_broken_clause_is_named_by_its_number_and_its_variables() -> None:
    problem = Problem("f", ("a", "b"), BOOLEAN, (Clauses.of([(1, 2), (-1, 2), ()]),))
    assert violations(problem, problem.open, (1, 0)) == [
        "clause 2 is false: not a or b",
        "clause 3 is false: it is empty",
    ]
    assert violations(problem, (1, 3), (0, 1))[:1] == ["clause 3 is false: it is empty"]
    assert violations(problem, (1, 3), (1, 1))[0] == "a is given as false, the answer has true"


def test_zero_clauses_are_true_and_an_empty_clause_is_false() -> None:
    for rows, right in (([], True), ([()], False), ([(), (1,)], False), ([(1,), ()], False)):
        problem = Problem("f", ("a",), BOOLEAN, (Clauses.of(rows),))
        assert valid(problem, pack(problem, [problem.open]), np.array([[1]], np.uint16)).tolist() == [right]


def test_many_solutions_are_checked_in_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("puzzles.constraints.clauses.BATCH_LITERALS", 5)
    monkeypatch.setattr("puzzles.constraints.all_different.BATCH_VALUES", 5)
    formula = Problem("f", ("a", "b"), BOOLEAN, (Clauses.of([(1, 2), (-1, -2)]),))
    every = list(product((0, 1), repeat=2))
    assert valid(formula, pack(formula, [formula.open] * 4), np.array(every, np.uint16)).tolist() == [
        a != b for a, b in every
    ]
    board = Layout("b", ("a", "b"), tuple(map(str, range(99))), ((0, 1),))
    some = list(product((0, 64, 98), repeat=2))
    assert valid(board, pack(board, [board.open] * 9), np.array(some, np.uint16)).tolist() == [a != b for a, b in some]


def test_integer_values_are_checked_and_shown_as_numbers() -> None:
    problem = Problem("p", ("x", "y"), Integers((-7, 0, 10**12)), (AllDifferent(((0, 1),)),))
    assert violations(problem, problem.open, (0, 2)) == []
    assert violations(problem, problem.open, (2, 2)) == ["x and y both hold 1000000000000"]
    assert violations(problem, (0b110, 7), (0, 2)) == ["x may be 0 or 1000000000000, the answer has -7"]
    column = pack(problem, [problem.open, (0b110, 7)])
    assert valid(problem, column, np.array([(0, 2), (0, 2)], np.uint32)).tolist() == [True, False]


def test_every_kind_is_found_by_its_name() -> None:
    assert {"all_different", "clauses"} <= set(kinds())
    for name, kind in kinds().items():
        assert kind.kind == name


@pytest.mark.parametrize(
    "problem",
    [
        Problem("three values", ("a",), ("0", "1", "2"), (Clauses.of([(1,)]),)),
        Problem("units too", ("a",), BOOLEAN, (Clauses.of([(1,)]), AllDifferent(((0,),)))),
        families.layout("sudoku 1x2"),
    ],
    ids=lambda problem: problem.name,
)
def test_only_boolean_problems_without_other_constraints_are_formulas(problem: Problem) -> None:
    assert clauses_of(problem) is None
