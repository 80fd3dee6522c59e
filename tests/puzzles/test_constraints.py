"""Kinds of constraint: each holds exactly where its definition, written out in plain Python, does."""

from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from puzzles.constraints import by_kind, kinds
from puzzles.constraints.automaton import Automaton
from puzzles.constraints.cardinality import Cardinality
from puzzles.constraints.count import Count
from puzzles.constraints.element import Element
from puzzles.constraints.expression import OPERATORS, Expression, Tree
from puzzles.constraints.lex import Lex
from puzzles.constraints.minmax import MinMax
from puzzles.constraints.nvalues import NValues
from puzzles.constraints.table import STAR, Table
from puzzles.problem import Constraint, Problem
from puzzles.problem.dumped import dump
from puzzles.problem.values import Integers
from puzzles.stored import load
from tests import definitions
from tests.definitions import COMPARE

NUMBERS = (-2, 0, 1, 3)
NAMES = ("a", "b", "c", "d")
ALL = list(product(range(len(NUMBERS)), repeat=len(NAMES)))
Held = Callable[[Sequence[int]], bool]  # of the numbers of all variables

variable = st.integers(0, len(NAMES) - 1)
scope = st.lists(variable, min_size=1, max_size=4).map(tuple)
number = st.sampled_from((-3, *NUMBERS, 2))
some_numbers = st.lists(number, max_size=3, unique=True).map(tuple)
comparison = st.sampled_from(sorted(COMPARE))


def check(constraint: Constraint, held: Held) -> None:
    """Compare a constraint, before and after `dump` and `load`, with its definition on every assignment."""
    problem = Problem("p", NAMES, Integers(NUMBERS), (constraint,))
    wanted = [held([NUMBERS[v] for v in solution]) for solution in ALL]
    restored = load(dump(problem))
    for one in (problem, restored):
        (kept,) = one.constraints
        assert kept.satisfied(np.array(ALL, np.uint16), one).tolist() == wanted
    assert restored == problem
    for solution, good in zip(ALL[::7], wanted[::7], strict=True):
        assert bool(constraint.explain(solution, problem)) != good


@given(st.lists(scope.filter(lambda s: len(s) == 2), min_size=1, max_size=2), st.data(), st.booleans())
def test_table(scopes: list[tuple[int, ...]], data: st.DataObject, positive: bool) -> None:
    rows = data.draw(st.lists(st.tuples(*[st.one_of(number, st.just(STAR))] * 2), max_size=5))

    def held(at: Sequence[int]) -> bool:
        matches = [any(all(n in (STAR, at[x]) for x, n in zip(s, row, strict=True)) for row in rows) for s in scopes]
        return all(match == positive for match in matches)

    check(Table.of(scopes, rows, positive), held)


@given(scope, variable, st.integers(-2, 2), variable)
def test_element(listed: tuple[int, ...], index: int, start: int, value: int) -> None:
    def held(at: Sequence[int]) -> bool:
        i = at[index] - start
        return 0 <= i < len(listed) and at[listed[i]] == at[value]

    check(Element(((listed, index, start, value),)), held)


@given(scope, some_numbers, comparison, variable)
def test_count(xs: tuple[int, ...], wanted: tuple[int, ...], sign: str, bound: int) -> None:
    check(
        Count(((xs, wanted, sign, bound),)),
        lambda at: COMPARE[sign](len([x for x in xs if at[x] in wanted]), at[bound]),
    )


@given(scope, some_numbers, st.data(), st.booleans())
def test_cardinality(xs: tuple[int, ...], wanted: tuple[int, ...], data: st.DataObject, closed: bool) -> None:
    occurrences = tuple(data.draw(variable) for _ in wanted)

    def held(at: Sequence[int]) -> bool:
        taken = [at[x] for x in xs]
        counts = all(taken.count(n) == at[o] for n, o in zip(wanted, occurrences, strict=True))
        return counts and (not closed or set(taken) <= set(wanted))

    check(Cardinality(((xs, wanted, occurrences, closed),)), held)


@given(scope, some_numbers, comparison, variable)
def test_nvalues(xs: tuple[int, ...], excepted: tuple[int, ...], sign: str, bound: int) -> None:
    check(
        NValues(((xs, excepted, sign, bound),)),
        lambda at: COMPARE[sign](len({at[x] for x in xs} - set(excepted)), at[bound]),
    )


@given(st.sampled_from(("minimum", "maximum")), scope, comparison, variable)
def test_minmax(which: str, xs: tuple[int, ...], sign: str, bound: int) -> None:
    choose = min if which == "minimum" else max
    check(MinMax(((which, xs, sign, bound),)), lambda at: COMPARE[sign](choose(at[x] for x in xs), at[bound]))


@given(st.lists(st.tuples(variable, variable), max_size=3), st.sampled_from(("<", "<=", ">", ">=")))
def test_lex(pairs: list[tuple[int, int]], sign: str) -> None:
    left, right = tuple(x for x, _ in pairs), tuple(y for _, y in pairs)
    check(Lex(((left, right, sign),)), lambda at: COMPARE[sign]([at[x] for x in left], [at[y] for y in right]))


@given(
    st.lists(scope, min_size=1, max_size=2),
    st.lists(st.tuples(st.integers(0, 3), number, st.integers(0, 3)), max_size=12),
    st.lists(st.integers(0, 3), max_size=2),
)
def test_automaton(scopes: list[tuple[int, ...]], steps: list[tuple[int, int, int]], finals: list[int]) -> None:
    def accepts(word: Sequence[int], state: int) -> bool:
        if not word:
            return state in finals
        return any(accepts(word[1:], b) for a, n, b in steps if (a, n) == (state, word[0]))

    check(
        Automaton(tuple(scopes), tuple(steps), 0, tuple(finals)),
        lambda at: all(accepts([at[x] for x in xs], 0) for xs in scopes),
    )


def with_operator(children: st.SearchStrategy[Tree]) -> st.SearchStrategy[Tree]:
    def applied(name: str) -> st.SearchStrategy[Tree]:
        fewest, most, _ = OPERATORS[name]
        parts = st.lists(children, min_size=fewest, max_size=most or 3)
        return parts.map(lambda found: (name, *found))

    member = st.tuples(children, some_numbers).map(lambda pair: ("in", pair[0], ("set", *pair[1])))
    return st.one_of(st.sampled_from(sorted(OPERATORS)).flatmap(applied), member)


leaf = st.one_of(st.tuples(st.just("var"), variable), st.tuples(st.just("number"), number))
trees: st.SearchStrategy[Any] = st.recursive(leaf, with_operator, max_leaves=5)


@given(trees)
def test_expression(tree: Tree) -> None:
    check(Expression((tree,)), lambda at: definitions.expression(Expression((tree,)), at))


def test_every_operator_has_a_definition() -> None:
    assert set(OPERATORS) == set(definitions.OPERATORS)


@pytest.mark.parametrize("wide", [2**40, 2**62])
def test_expressions_do_not_overflow(wide: int) -> None:
    tree = ("eq", ("sub", ("mul", ("var", 0), ("var", 0)), ("mul", ("var", 0), ("var", 0))), ("number", 0))
    problem = Problem("p", ("a",), Integers((wide,)), (Expression((tree, ("gt", ("sqr", ("var", 0)), ("var", 0)))),))
    assert problem.constraints[0].satisfied(np.array([[0]], np.uint16), problem).tolist() == [True]


@pytest.mark.parametrize(
    ("constraint", "words"),
    [
        (Table.of([(0, 1)], [(0, 0)]), "(-2, 0) of a, b is not in its table"),
        (Table.of([(0, 1)], [(-2, STAR)], False), "(-2, 0) of a, b is in its table of forbidden tuples"),
        (Element((((1, 2, 3), 0, -2, 3),)), "item -2 of b, c, d is b = 0, but d is 3"),
        (Element((((1, 2, 3), 0, 1, 3),)), "a is -2, outside 1 to 3"),
        (Count((((0, 1, 2), (0, 1), "<", 1),)), "2 of a, b, c take 0 or 1, not < b = 0"),
        (Cardinality((((0, 1), (0,), (3,), False),)), "1 of a, b take 0, not d = 3"),
        (Cardinality((((0, 1), (0,), (2,), True),)), "a takes -2, which is none of 0"),
        (NValues((((0, 1, 0), (0,), "=", 3),)), "a, b, a take 1 distinct values, not = d = 3"),
        (MinMax((("maximum", (0, 2), ">", 3),)), "the maximum of a, c is 1, not > d = 3"),
        (Lex((((2, 0), (1, 3), "<="),)), "(c, a) = (1, -2) is not <= (b, d) = (0, 3)"),
        (Automaton(((0, 1),), ((0, 0, 0),), 0, (0,)), "the automaton rejects -2, 0 of a, b"),
        (Expression((("eq", ("var", 0), ("number", 5)),)), "eq(a,5) is not true for a = -2"),
    ],
)
def test_a_violation_is_told_in_words(constraint: Constraint, words: str) -> None:
    problem = Problem("p", NAMES, Integers(NUMBERS), (constraint,))
    assert constraint.explain((0, 1, 2, 3), problem) == [words]


def test_every_kind_is_known_by_its_name() -> None:
    assert all(name == found.kind for name, found in kinds().items())
    assert {"table", "element", "count", "cardinality", "nvalues", "minmax", "lex", "automaton"} <= set(kinds())


def test_two_functions_for_one_kind_are_named_with_file_and_line() -> None:
    def first(constraint: Lex) -> None: ...

    def second(constraint: Lex) -> None: ...

    names = {"__name__": __name__, "first": first, "second": second}
    with pytest.raises(AssertionError, match=r"test_constraints\.py:[0-9]+: first and second both have the kind lex"):
        by_kind(names)
