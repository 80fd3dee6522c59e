"""Rows of a zero-one programme have the solutions of the problem: CP-SAT enumerates those of the rows."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ortools.sat.python import cp_model
from ortools.sat.python.cp_model import LinearExpr

from backends.shared.literal_map import LiteralMap
from encoders.decomposing import TO_EXPRESSIONS
from encoders.direct import constraints
from encoders.formula import Unsupported
from encoders.zero_one import TO_ROWS, rows, rows_of
from encoders.zero_one.rows import ZeroOneRows, literal_table
from puzzles.constraints.expression import Expression
from puzzles.constraints.linear import Linear
from puzzles.generating.problems import KINDS, random_problem
from puzzles.problem import Instance, Problem
from puzzles.problem.values import Integers, Numbered, Solution
from tests.definitions import solutions
from tests.effort import examples

seeds = st.integers(0, 1 << 32)
X, Y, Z = (("var", x) for x in range(3))


def rows_for(instance: Instance[Problem]) -> ZeroOneRows:
    form = constraints(instance.problem, instance.domains)
    return rows_of(form, instance.domains, literal_table(form, instance.domains))


def found(instance: Instance[Problem]) -> set[Solution]:
    """Return the solutions of the rows, projected onto the variables of the problem."""
    made, model, every = rows_for(instance), cp_model.CpModel(), set[Solution]()
    booleans = [model.new_bool_var("") for _ in range(made.last)]
    for terms, bound, equal in made.rows:
        total = LinearExpr.weighted_sum([booleans[k - 1] for k in terms], list(terms.values()))
        model.add(total == bound if equal else total >= bound)
    decoder, used = LiteralMap(made.literals), {abs(k) for row in made.literals for k in row}

    class Collector(cp_model.CpSolverSolutionCallback):  # type: ignore[misc]
        def on_solution_callback(self) -> None:
            true = [k if self.boolean_value(booleans[k - 1]) else -k for k in used if k]
            every.add(decoder.decode(true, instance.domains))

    solver = cp_model.CpSolver()
    solver.parameters.num_workers, solver.parameters.enumerate_all_solutions = 1, True
    assert solver.solve(model, Collector()) in (cp_model.OPTIMAL, cp_model.INFEASIBLE)
    return every


def test_every_kind_has_rows() -> None:
    assert {*TO_ROWS, *TO_EXPRESSIONS} == set(KINDS)


@pytest.mark.parametrize("kind", KINDS)
def test_rows_of_a_kind_have_its_solutions(kind: str) -> None:
    @given(seeds)
    @settings(max_examples=examples(25))
    def same(seed: int) -> None:
        instance = random_problem([kind], Random(seed))
        assert found(instance) == solutions(instance.problem, instance.domains)

    same()


@given(seeds, st.lists(st.sampled_from(sorted(KINDS)), min_size=2, max_size=3))
@settings(max_examples=examples(40))
def test_rows_of_several_kinds_have_their_common_solutions(seed: int, kinds: list[str]) -> None:
    instance = random_problem(kinds, Random(seed))
    assert found(instance) == solutions(instance.problem, instance.domains)


def of_trees(*trees: tuple[object, ...], numbers: tuple[int, ...] = (-2, -1, 0, 1, 3)) -> Instance[Problem]:
    problem = Problem("trees", Numbered("x", 3), Integers(numbers), (Expression(trees),))
    return Instance("trees", problem, problem.open)


@pytest.mark.parametrize(
    "tree",
    [
        ("lt", ("mul", X, Y, Z), ("sub", X, Z)),
        ("or", ("eq", ("div", X, Y), Z), ("gt", ("mod", Z, X), ("number", 0))),
        ("eq", ("if", ("gt", X, Y), ("dist", X, Z), ("max", X, Y, Z)), ("sqr", X)),
        ("iff", X, Y, ("in", Z, ("set", 0, 3))),
        ("xor", X, Y, Z),
        ("eq", X, ("neg", Y), ("abs", Z)),
        ("ne", ("min", X, Y, Z), ("number", -1)),
        ("eq", ("pow", X, Y), Z),
        ("imp", ("and", X, Y), ("not", ("le", Y, Z))),
    ],
    ids=str,
)
def test_expressions_of_three_variables(tree: tuple[object, ...]) -> None:
    instance = of_trees(tree)
    assert found(instance) == solutions(instance.problem, instance.domains)


def test_what_is_too_large_is_refused_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(Unsupported, match="the numbers of pow are too large"):
        rows_for(of_trees(("eq", ("pow", X, Y), Z), numbers=(2, 10**4)))
    monkeypatch.setattr("encoders.zero_one.expressions.MAX_OPERANDS", 24)
    with pytest.raises(Unsupported, match="mul takes more than 24 pairs of numbers"):
        rows_for(of_trees(("eq", ("mul", X, Y), Z)))
    monkeypatch.setattr(rows, "MAX_TERMS", 5)
    with pytest.raises(Unsupported, match="more than 5 terms"):
        rows_for(of_trees(("eq", X, Y)))


def test_a_row_keeps_numbers_of_any_length() -> None:
    problem = Problem("long", Numbered("x", 1), Integers((0, 1)), (Linear.of([([10**40], [0], ">=", 1)]),))
    assert rows_for(Instance("long", problem, problem.open)).rows == [({1: 10**40}, 1, False)]
