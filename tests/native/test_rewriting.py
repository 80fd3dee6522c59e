"""native:lazy on kinds rewritten to tables, sums and clauses: all solutions by brute force, limits, refusals."""

from dataclasses import replace
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("numba")

from backends.contract import registry
from backends.contract.answer import Ask, Session, Status
from backends.native import default_variant, propagation
from backends.native.lazy.lowering import LOWERED, Rewritten, rewritten
from backends.native.lazy.session import Lazy
from encoders.direct import constraints
from encoders.elementary import TO_ELEMENTARY, elementary, parts, trees
from encoders.formula import Constraints, Unsupported
from puzzles.constraints.expression import Expression, Tree
from puzzles.constraints.linear import Linear
from puzzles.constraints.table import Table
from puzzles.generating.problems import random_problem
from puzzles.objectives.expression import ExpressionObjective
from puzzles.objectives.linear import LinearObjective
from puzzles.problem import Instance, Problem
from puzzles.problem.values import Integers, Numbered
from tests.definitions import solutions
from tests.effort import examples

ALL = 5000  # more than any of the small problems has
seeds = st.integers(0, 1 << 32)


def opened(instance: Instance[Problem], tight: bool) -> Session:
    """Open a problem; unless `tight`, the domains are only those of the ask."""
    return registry.find("native:lazy").open(constraints(instance.problem, instance.domains if tight else None))


def check(instance: Instance[Problem], tight: bool) -> None:
    right = solutions(instance.problem, instance.domains)
    answer = opened(instance, tight).ask(Ask(instance.domains, ALL))
    assert sorted(answer.solutions) == sorted(right)
    assert answer.complete
    assert answer.status == (Status.SATISFIABLE if right else Status.UNSATISFIABLE)


@pytest.mark.parametrize("listed", [True, False], ids=["listed", "taken apart"])
@pytest.mark.parametrize("kind", [*TO_ELEMENTARY, "cumulative", "no_overlap"])
def test_all_solutions_of_a_kind_are_found(kind: str, listed: bool) -> None:
    @given(seeds, st.booleans())
    @settings(max_examples=12)
    def found(seed: int, tight: bool) -> None:
        with pytest.MonkeyPatch.context() as patch:
            if not listed:
                for room, limit in ((trees, "FEW"), (trees, "PAIRS"), (trees.Trees, "equal")):
                    patch.setattr(room, limit, 1)
            check(random_problem([kind], Random(seed)), tight)

    found()


@given(seeds, st.lists(st.sampled_from(sorted({*TO_ELEMENTARY, *LOWERED} - {"objective"})), min_size=2, max_size=3))
@settings(max_examples=examples(40))
def test_all_solutions_of_several_kinds_are_found(seed: int, kinds: list[str]) -> None:
    check(random_problem(kinds, Random(seed)), tight=False)


def alone(tree: Tree, numbers: range) -> Instance[Problem]:
    problem = Problem("alone", Numbered("x", 3), Integers(numbers), (Expression((tree,)),))
    return Instance("alone", problem, problem.open)


X, Y, Z = ("var", 0), ("var", 1), ("var", 2)
PRODUCT = ("eq", ("mul", X, Y), Z)


@st.composite
def goals(draw: st.DrawFn, depth: int = 3) -> Tree:
    """Draw a tree with extremes, distances and sums of either sign."""
    if depth == 0 or draw(st.booleans()):
        return draw(st.sampled_from([X, Y, Z, ("number", 2), ("number", -3)]))
    name = draw(st.sampled_from(["max", "min", "abs", "dist", "add", "sub", "neg", "mul"]))
    count = 1 if name in ("abs", "neg") else 3 if name in ("max", "min", "add") else 2
    parts = [draw(goals(depth=depth - 1)) for _ in range(count)]
    return (
        (name, draw(st.sampled_from([("number", -2), ("number", 0), ("number", 3)])), parts[0])
        if name == "mul"
        else (name, *parts)
    )


@given(goals(), st.booleans(), st.booleans())
@settings(max_examples=examples(60))
def test_objectives_by_expressions_are_minimised_as_sums(tree: Tree, maximise: bool, listed: bool) -> None:
    base = alone(("ne", ("add", X, Y), Z), range(-2, 3))
    goal = ExpressionObjective.of(tree, maximise)
    problem = replace(base.problem, objective=goal)
    instance = replace(base, problem=problem)
    values = [int(goal.values(np.array([s], np.uint32), problem)[0]) for s in solutions(problem, base.domains)]
    with pytest.MonkeyPatch.context() as patch:
        if not listed:
            for room, limit in ((trees, "FEW"), (trees, "PAIRS"), (trees.Trees, "equal")):
                patch.setattr(room, limit, 1)
        answer = opened(instance, tight=True).ask(Ask(instance.domains, 1))
    assert (answer.complete, answer.value, answer.bound) == (True, min(values), min(values))


def test_a_maximum_of_large_sums_is_an_objective_without_a_table() -> None:
    sums = [("add", *(("mul", ("number", a), x) for x in (X, Y, Z))) for a in (7, -9)]
    form = elementary((), [range(500)] * 3, ExpressionObjective.of(("max", *sums)))
    assert [c.kind for c in form.constraints] == ["linear"]
    assert isinstance(form.objective, LinearObjective)


def test_products_of_many_numbers_are_left_to_propagation() -> None:
    instance = alone(PRODUCT, range(1000))
    with pytest.raises(Unsupported, match="too large for tables and sums: mul of 1,000,000 assignments"):
        opened(instance, tight=True)
    form = constraints(instance.problem, instance.domains)
    session = default_variant.open(form)
    assert not isinstance(session, Lazy)
    (found,) = session.ask(Ask(instance.domains)).solutions
    assert found[0] * found[1] == found[2]


def test_large_products_of_sums_are_multiplied_out(monkeypatch: pytest.MonkeyPatch) -> None:
    sums: list[Tree] = [
        ("add", X, ("mul", ("number", 2), Y), ("number", -1)),
        ("sub", Z, X),
        ("add", Y, ("number", 3)),
        ("number", -2),
    ]
    instance = alone(("le", ("add", ("mul", *sums), X), ("mul", Z, ("sub", Y, X), Y)), range(-2, 5))
    check(instance, tight=True)
    listed = elementary(instance.problem.constraints, [range(-2, 5)] * 3).constraints
    monkeypatch.setattr(trees, "FEW", 1)
    monkeypatch.setattr(trees, "PAIRS", 50)
    check(instance, tight=True)
    parts, _, more, _ = elementary(instance.problem.constraints, [range(-2, 5)] * 3)
    assert [c.kind for c in listed] == ["table"]
    assert next(len(row[0]) for c in parts if isinstance(c, Linear) for row in c.rows) > 8
    assert max(map(len, more)) < 7 * 7 * 7


def test_all_tables_together_have_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    instance = alone(PRODUCT, range(5))
    check(instance, tight=True)
    monkeypatch.setattr(parts, "ALL", 20)
    with pytest.raises(Unsupported, match="too large for tables and sums: more than 5 numbers"):
        opened(instance, tight=True)


def test_where_tables_are_too_many_equations_and_choices_of_wide_variables_are_rows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(parts, "ALL", 12_000)
    equal = ("or", ("eq", X, Y), ("eq", Y, Z))
    chosen = ("eq", ("if", ("gt", X, ("number", 60)), Y, ("number", 0)), Z)
    for tree in (equal, chosen):
        found = elementary((Expression((tree,)),), [range(120)] * 3).constraints
        assert sum(c.tuples.size for c in found if isinstance(c, Table)) <= 2 * 120


def test_domains_of_an_instance_make_tables_smaller() -> None:
    instance = alone(PRODUCT, range(1000))
    small = replace(constraints(instance.problem), domains=(0b1111, 0b1111, instance.domains[2]))
    assert isinstance(default_variant.open(small), Lazy)


def test_what_the_solver_takes_is_not_rewritten() -> None:
    form = Constraints(2, range(3), ())
    assert rewritten(form) == Rewritten(form, form)


def test_default_variant_learns_on_all_kinds() -> None:
    assert set(propagation.PROPAGATORS) - {*LOWERED, *TO_ELEMENTARY} == set()


def test_equal_trees_share_their_variables() -> None:
    tree = ("or", ("lt", ("mul", X, Y), Z), ("gt", ("mul", X, Y), ("number", 7)))
    large = [range(30)] * 3
    once = elementary([Expression((tree,))], large).constraints
    twice = elementary([Expression((tree, tree))], large).constraints
    assert len(once) == len(twice)


def rows(tree: Tree, numbers: range) -> list[tuple[int, str]]:
    """Return the length and the comparison of each row of a tree over three variables."""
    found = elementary([Expression((tree,))], [numbers] * 3).constraints
    return sorted((len(xs), comparison) for c in found if isinstance(c, Linear) for _, xs, comparison, _ in c.rows)


def test_a_part_of_a_disjunction_frees_one_row() -> None:
    assert rows(("or", ("lt", X, Y), ("lt", Y, Z), ("not", ("le", Z, X))), range(1000)) == [(3, "<=")] * 3


def test_comparisons_that_are_the_same_row_share_it() -> None:
    pair = ("or", ("le", ("add", X, ("number", 3)), Y), ("le", Y, Z)), ("or", ("gt", Y, ("add", X, ("number", 2))), Z)
    assert rows(("and", *pair), range(1000)) == [(3, "<=")] * 2


def test_a_condition_that_is_counted_up_to_a_bound_has_one_direction() -> None:
    running = [("and", ("le", x, X), ("lt", X, ("add", x, ("number", 9)))) for x in (Y, Z)]
    assert rows(("le", ("add", *running, ("number", 1)), ("number", 2)), range(1000)) == [(2, "<="), *[(3, "<=")] * 4]


def test_an_objective_that_is_nowhere_defined_has_no_solution() -> None:
    tree = ("mod", X, ("sub", Y, Y))
    base = alone(("eq", tree, tree), range(2))
    instance = replace(base, problem=replace(base.problem, objective=ExpressionObjective.of(tree, False)))
    answer = opened(instance, tight=True).ask(Ask(instance.domains, 1))
    assert (answer.status, answer.complete) == (Status.UNSATISFIABLE, True)
