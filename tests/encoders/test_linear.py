"""Linear constraints as clauses: each encoding has the models of the constraint, by brute force, and propagates."""

from collections.abc import Iterable, Sequence
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pysat.solvers import Solver

from encoders.axes import Axes
from encoders.formula import Cnf, Constraints, Unsupported
from encoders.integers import TooLarge, Variables
from encoders.linear import LINEAR, counters, diagrams, sum_trees
from encoders.linear.rows import compare, lower_linear
from encoders.lowering import to_clauses
from encoders.variables import VARIABLES
from puzzles.constraints.linear import COMPARISONS, Linear, Row

COUNT = 5
CAPPED = ("swc",)  # refuse long coefficients


def long_rows(size: int, count: int = COUNT) -> st.SearchStrategy[Row]:
    """Rows with repeated variables, zeros, and coefficients of a size."""
    terms = st.lists(st.tuples(st.integers(-size, size), st.integers(0, count - 1)), max_size=8)
    return st.builds(
        lambda terms, comparison, bound: ([a for a, _ in terms], [x for _, x in terms], comparison, bound),
        terms,
        st.sampled_from(sorted(COMPARISONS)),
        st.integers(-2 * size, 2 * size),
    )


rows = st.sampled_from([1, 3, 12, 10**25]).flatmap(lambda size: st.lists(long_rows(size), min_size=1, max_size=2))


def models(clauses: list[list[int]], variables: int) -> set[tuple[int, ...]]:
    """Return the assignments of the variables that extend to the auxiliaries."""
    if [] in clauses:
        return set()
    with Solver("cadical195", bootstrap_with=clauses) as solver:
        every = product((0, 1), repeat=variables)
        return {p for p in every if solver.solve([x + 1 if v else -x - 1 for x, v in enumerate(p)])}


def encoded(rows: Iterable[Row], linear: str, numbers: Sequence[int] = (0, 1), count: int = COUNT) -> Cnf:
    """Return the formula of rows over variables of two numbers."""
    return to_clauses(Constraints(count, numbers, (Linear.of(rows),)), Axes(linear=linear))


@pytest.mark.parametrize("name", LINEAR)
@given(rows, st.sampled_from([(0, 1), (-3, 4)]))
def test_an_encoding_has_the_models_of_its_rows(name: str, rows: list[Row], numbers: tuple[int, int]) -> None:
    try:
        formula = encoded(rows, name, numbers)
    except Unsupported:
        assert name in CAPPED
        return
    wanted = {
        p
        for p in product((0, 1), repeat=COUNT)
        if all(
            COMPARISONS[c](sum(a * numbers[p[x]] for a, x in zip(row, xs, strict=True)), k) for row, xs, c, k in rows
        )
    }
    assert models(formula.clause_lists(), COUNT) == wanted


@pytest.mark.parametrize("name", ["totalizer", "mdd", "swc", "mixed"])
def test_an_encoding_that_propagates_fully_decides_what_is_forced(name: str) -> None:
    row: Row = [5, 4, 3, 2, 2], [0, 1, 2, 3, 4], ">=", 9
    with Solver("minisat22", bootstrap_with=encoded([row], name).clause_lists()) as solver:
        for known in product((-1, 0, 1), repeat=5):
            slack = sum(a for a, v in zip(row[0], known, strict=True) if v >= 0) - 9
            ok, found = solver.propagate([(x + 1) * v for x, v in enumerate(known) if v])
            if slack < 0:
                assert not ok
            else:
                forced = {x + 1 for x, (a, v) in enumerate(zip(row[0], known, strict=True)) if v == 0 and a > slack}
                assert ok
                assert forced <= set(found)


def of_integers(variables: str, linear: str, bound: int) -> Variables:
    """Return `x + 2y + 3z <= bound` over integers from 0 to 3."""
    v = VARIABLES[variables]([range(4)] * 3, Axes(variables, linear=linear))
    compare(v, [(1, 0), (2, 1), (3, 2)], "<=", bound)
    return v


@pytest.mark.parametrize("variables", ["direct", "order"])
@pytest.mark.parametrize("linear", ["totalizer", "mdd", "swc"])
def test_bounds_of_integers_propagate_through_their_groups(variables: str, linear: str) -> None:
    v = of_integers(variables, linear, 9)
    least = [[v.at_least(x, i) for i in range(1, 4)] for x in range(3)]
    equal = [[v.equals(x, i) for i in range(4)] for x in range(3)]
    with Solver("minisat22", bootstrap_with=Cnf(v.clauses(), v.count, ()).clause_lists()) as solver:
        for y, z in product(range(4), repeat=2):
            ok, found = solver.propagate([equal[1][y], equal[2][z]])
            rest = 9 - 2 * y - 3 * z
            assert ok == (rest >= 0)
            if ok:
                assert {-literal for i, literal in enumerate(least[0], 1) if i > rest} <= set(found)


def test_groups_of_integers_take_fewer_clauses_than_their_literals_alone() -> None:
    grouped = of_integers("direct", "mdd", 9)
    lone = VARIABLES["direct"]([range(2)] * 9, Axes(linear="mdd"), binary=True)
    compare(lone, [(a * n, 3 * x + n - 1) for x, a in enumerate((1, 2, 3)) for n in (1, 2, 3)], "<=", 9)
    own = (grouped.clauses() == 0).sum() - 3 * (1 + 6)  # without those of the domains
    assert own < (lone.clauses() == 0).sum() / 2


def test_what_needs_no_auxiliaries_gets_none() -> None:
    rows: list[Row] = [([1, 1, 1], [0, 1, 2], ">=", 1), ([2, 2], [0, 1], ">=", 4), ([1, 1], [0, 1], ">=", -1)]
    formula = encoded(rows, "mdd", count=3)
    assert formula.clauses.tolist() == [1, 2, 3, 0, 1, 0, 2, 0]
    assert formula.variables == 3
    v = VARIABLES["order"]([range(100)] * 2, Axes("order"))
    before = v.clauses().size
    compare(v, [(1, 0), (-1, 1)], "<=", -1)
    assert v.count == 2 * 99
    assert v.clauses().size - before <= 3 * 100


def test_an_encoding_that_grows_too_large_is_unsupported_with_its_size(monkeypatch: pytest.MonkeyPatch) -> None:
    row: Row = [2**i for i in range(12)] + [3**i for i in range(8)], list(range(20)), ">=", 4000
    for module in (sum_trees, diagrams, counters):
        monkeypatch.setattr(module, "LARGEST", 100)
    words = {"totalizer": "a totalizer of more than 100 clauses", "swc": "a sequential weight counter of 20 literals"}
    for name, word in words.items():
        with pytest.raises(Unsupported, match=f"linear constraints are too large: {word}"):
            encoded([row], name, count=20)
    assert (encoded([row], "adder", count=20).clauses == 0).sum() < 20 * 12 * 14
    v = VARIABLES["direct"]([range(2)] * 20, Axes(linear="mdd"), binary=True)
    monkeypatch.setitem(LINEAR, "mdd", lambda groups, bound, v: diagrams.mdd(groups, bound, v, 100))
    with pytest.raises(TooLarge, match="a decision diagram of more than 100 edges"):
        lower_linear(Linear.of([row]), v)
