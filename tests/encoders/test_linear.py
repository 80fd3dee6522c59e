"""Linear constraints as clauses: each encoding has the models of the constraint, by brute force."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pysat.solvers import Solver

from encoders import linear as encodings
from encoders.formula import Unsupported
from encoders.linear import LINEAR, clauses_of_rows
from puzzles.constraints.linear import COMPARISONS, Linear, Row

VARIABLES = 5


@st.composite
def linear_rows(draw: st.DrawFn) -> Row:
    """Rows with repeated variables, zeros, and coefficients that are small, equal or long."""
    size = draw(st.sampled_from([1, 3, 12, 10**25]))
    terms = draw(st.lists(st.tuples(st.integers(-size, size), st.integers(0, VARIABLES - 1)), max_size=8))
    bound = draw(st.integers(-2 * size, 2 * size))
    return [a for a, _ in terms], [x for _, x in terms], draw(st.sampled_from([">=", "<=", "="])), bound


def models(clauses: list[list[int]], variables: int) -> set[tuple[int, ...]]:
    """Return the assignments of the variables that extend to the auxiliaries."""
    if [] in clauses:
        return set()
    with Solver("cadical195", bootstrap_with=clauses) as solver:
        every = product((0, 1), repeat=variables)
        return {p for p in every if solver.solve([x + 1 if v else -x - 1 for x, v in enumerate(p)])}


@pytest.mark.parametrize("name", LINEAR)
@given(st.lists(linear_rows(), min_size=1, max_size=2), st.sampled_from([(0, 1), (-3, 4)]))
def test_an_encoding_has_the_models_of_its_rows(name: str, rows: list[Row], numbers: tuple[int, int]) -> None:
    clauses, last = clauses_of_rows(Linear.of(rows), numbers, LINEAR[name], VARIABLES)
    assert last >= VARIABLES
    wanted = {
        p
        for p in product((0, 1), repeat=VARIABLES)
        if all(
            COMPARISONS[c](sum(a * numbers[p[x]] for a, x in zip(row, xs, strict=True)), k) for row, xs, c, k in rows
        )
    }
    assert models(clauses, VARIABLES) == wanted


@pytest.mark.parametrize("name", ["totalizer", "bdd", "mixed"])
def test_an_encoding_that_propagates_fully_decides_what_is_forced(name: str) -> None:
    row: Row = [5, 4, 3, 2, 2], [0, 1, 2, 3, 4], ">=", 9
    clauses, _ = clauses_of_rows(Linear.of([row]), (0, 1), LINEAR[name], 5)
    with Solver("minisat22", bootstrap_with=clauses) as solver:
        for known in product((-1, 0, 1), repeat=5):
            slack = sum(a for a, v in zip(row[0], known, strict=True) if v >= 0) - 9
            ok, found = solver.propagate([(x + 1) * v for x, v in enumerate(known) if v])
            if slack < 0:
                assert not ok
            else:
                forced = {x + 1 for x, (a, v) in enumerate(zip(row[0], known, strict=True)) if v == 0 and a > slack}
                assert ok
                assert forced <= set(found)


def test_what_needs_no_auxiliaries_gets_none() -> None:
    rows: list[Row] = [([1, 1, 1], [0, 1, 2], ">=", 1), ([2, 2], [0, 1], ">=", 4), ([1, 1], [0, 1], ">=", -1)]
    assert clauses_of_rows(Linear.of(rows), (0, 1), LINEAR["bdd"], 3) == ([[1, 2, 3], [1], [2]], 3)


def test_an_encoding_that_grows_too_large_is_unsupported(monkeypatch: pytest.MonkeyPatch) -> None:
    row: Row = [2**i for i in range(12)] + [3**i for i in range(8)], list(range(20)), ">=", 4000
    monkeypatch.setattr(encodings, "LARGEST", 100)
    with pytest.raises(Unsupported, match="totalizer of more than 100 clauses"):
        clauses_of_rows(Linear.of([row]), (0, 1), encodings.totalizer, 20)
    adder, _ = clauses_of_rows(Linear.of([row]), (0, 1), encodings.adder, 20)
    assert len(adder) < 20 * 12 * 14


def test_not_equal_has_no_encoding() -> None:
    with pytest.raises(Unsupported, match="!="):
        clauses_of_rows(Linear.of([([1], [0], "!=", 1)]), (0, 1), LINEAR["mixed"], 1)
