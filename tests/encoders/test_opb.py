"""OPB text has the models of the problem: every assignment of its Booleans is tried."""

import re
from collections.abc import Sequence
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from encoders.direct import constraints
from encoders.formula import Unsupported
from encoders.opb import opb
from encoders.zero_one.rows import literal_table, variables
from puzzles.constraints.all_different import AllDifferent
from puzzles.constraints.clauses import Clauses
from puzzles.constraints.linear import COMPARISONS, Linear
from puzzles.problem import Constraint, Problem
from puzzles.problem.values import Domains, Integers, Solution, bits

SIZE = 3  # variables
NUMBERS = {"Boolean": (0, 1), "integer": (-2, 0, 1), "without 1": (-3, 2, 5)}

unit = st.lists(st.integers(0, SIZE - 1), min_size=1, max_size=4).map(tuple)
clause = st.lists(st.integers(-SIZE, SIZE).filter(bool), max_size=3)


def true_solutions(problem: Problem, domains: Domains) -> set[Solution]:
    """Return the solutions by brute force, judged by the constraints."""
    every = list(product(*(tuple(bits(mask)) for mask in domains)))
    columns = np.array(every, np.uint16).reshape(len(every), len(domains))
    ok = np.all([c.satisfied(columns, problem) for c in problem.constraints], axis=0)
    return {s for s, good in zip(every, ok, strict=True) if good}


def models(text: str) -> list[Sequence[int]]:
    """Return all models of an OPB file, each Boolean 0 or 1."""
    head = re.match(r"\* #variable= (\d+) #constraint= (\d+)\n", text)
    assert head
    found = np.array(list(product((0, 1), repeat=int(head[1]))), np.int64)
    lines = text.splitlines()[1:]
    assert len(lines) == int(head[2])
    ok = np.ones(len(found), np.bool_)
    for line in lines:
        parts = re.fullmatch(r"((?:[+-][0-9]+ x[0-9]+ )+)(>=|=) (-?[0-9]+) ;", line)
        assert parts, line
        total = sum(int(a) * found[:, int(x) - 1] for a, x in re.findall(r"(\S+) x(\d+)", parts[1]))
        ok &= total == int(parts[3]) if parts[2] == "=" else total >= int(parts[3])
    return [*map(tuple, found[ok].tolist())]


def check(constraint: Constraint, numbers: Sequence[int], domains: Domains) -> None:
    problem = Problem("p", tuple("abc"), Integers(numbers), (constraint,))
    form = constraints(problem)
    literals = literal_table(form, domains)
    written = models(opb(form, domains).decode())
    shown = set()
    for model in written:
        true = {k if model[k - 1] else -k for k in range(1, variables(form, literals) + 1)}
        shown.add(tuple(next(v for v in bits(d) if literals[x][v] in true) for x, d in enumerate(domains)))
    assert shown == true_solutions(problem, domains)


@pytest.mark.parametrize("numbers", NUMBERS.values(), ids=NUMBERS)
@given(data=st.data())
def test_models_are_the_solutions(numbers: tuple[int, ...], data: st.DataObject) -> None:
    domains = tuple(data.draw(st.integers(0, 2 ** len(numbers) - 1)) for _ in range(SIZE))
    rows = []
    for _ in range(data.draw(st.integers(1, 2))):
        coefficients = data.draw(st.lists(st.integers(-3, 3), max_size=4))
        xs = [data.draw(st.integers(0, SIZE - 1)) for _ in coefficients]
        rows.append((coefficients, xs, data.draw(st.sampled_from(sorted(COMPARISONS))), data.draw(st.integers(-9, 9))))
    one: Constraint = data.draw(
        st.one_of(
            st.just(Linear.of(rows)),
            st.lists(unit, max_size=2).map(lambda units: AllDifferent(tuple(units))),
            st.lists(clause, max_size=3).map(Clauses.of),
        )
    )
    check(one, numbers, domains)


def test_variables_of_a_boolean_problem_keep_their_names() -> None:
    form = constraints(Problem("p", tuple("abc"), Integers((0, 1)), (Linear.of([([3, -2], [2, 0], ">=", -1)]),)))
    assert opb(form, (3, 3, 3)) == (b"* #variable= 3 #constraint= 1\n+3 x3 -2 x1 >= -1 ;\n")


def test_coefficients_may_be_long() -> None:
    form = constraints(Problem("p", ("a",), Integers((0, 1)), (Linear.of([([10**31], [0], "<=", 10**30)]),)))
    text = opb(form, (3,)).decode()
    assert f"-{10**31} x1 >= -{10**30} ;" in text


def test_other_kinds_are_refused_by_name() -> None:
    class Unknown(AllDifferent):
        kind = "unknown"

    form = constraints(Problem("p", ("a",), Integers((0, 1)), (Unknown(()),)))
    with pytest.raises(Unsupported, match=r"does not support unknown$"):
        opb(form, (3,))
