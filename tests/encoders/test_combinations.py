"""Every choice on the axes of encodings has one model for each solution of small problems of every kind.

Models are counted projected onto `Cnf.literal`, against brute force over `satisfied`. Formulas that two choices share
are counted once. Planted faults show that the problems tell each choice from a wrong one.
"""

from collections.abc import Callable
from functools import lru_cache
from itertools import product
from typing import Any

import numpy as np
import pytest

from encoders import decomposing, lowering
from encoders.at_most_one import Pattern
from encoders.axes import Axes
from encoders.decomposing import TO_EXPRESSIONS
from encoders.direct import constraints
from encoders.formula import Cnf, Unsupported
from encoders.integers import Variables
from encoders.kinds import expressions, layers, scheduling, tables
from encoders.kinds.tables import TABLES
from encoders.linear import LINEAR, PINDAKAAS, adders, diagrams, sum_trees
from encoders.lowering import TO_CLAUSES, to_clauses
from encoders.registry import AT_MOST_ONE, CHOICES, ENCODINGS
from encoders.variables import VARIABLES, Direct, Log, Order
from puzzles import constraints as kinds_of_constraint
from puzzles.generating.problems import KINDS
from puzzles.problem import Instance, Problem
from puzzles.problem.values import bits
from tests.encoders.models import as_places, models
from tests.encoders.small_problems import SMALL, THREE

Places = set[frozenset[tuple[int, int]]]
CAPPED = "a sequential weight counter"


@lru_cache(maxsize=len(SMALL))
def wanted(index: int) -> Places:
    """Return the solutions of a small problem by brute force."""
    problem, domains = SMALL[index].problem, SMALL[index].domains
    every = np.array(list(product(*map(bits, domains))), np.uint16)
    ok = np.all([c.satisfied(every, problem) for c in problem.constraints], axis=0)
    return as_places(set(map(tuple, every[ok].tolist())))


def formula(instance: Instance[Problem], axes: Axes) -> Cnf:
    return to_clauses(constraints(instance.problem, instance.domains), axes)


def disagreement(axes: list[Axes], kinds: set[str]) -> str:
    """Return the first problem whose models are not its solutions, with the choices, or ''."""
    for index, instance in enumerate(SMALL):
        if instance.name not in kinds:
            continue
        agreed = set()
        for choice in axes:
            try:
                made = formula(instance, choice)
            except Unsupported as e:
                if CAPPED not in str(e):
                    raise
                continue
            key = made.clauses.tobytes(), tuple(made.literal), made.at_most
            if key not in agreed and models(made, instance.domains) != wanted(index):
                return f"{index}: {instance.problem.constraints[0]} with {choice}"
            agreed.add(key)
    return ""


def test_every_kind_of_constraint_is_lowered_and_counted_on_four_problems() -> None:
    assert {*TO_CLAUSES, *TO_EXPRESSIONS} == set(KINDS) == set(kinds_of_constraint.kinds()) - {"unsupported"}
    for kind in KINDS:
        assert sum(instance.name == kind for instance in SMALL) >= 4


@pytest.mark.parametrize("variables", VARIABLES)
@pytest.mark.parametrize("kind", KINDS)
def test_every_combination_has_one_model_for_each_solution(kind: str, variables: str) -> None:
    choices = [Axes(variables, *choice) for choice in product(AT_MOST_ONE, LINEAR, TABLES)]
    assert disagreement(choices, {kind}) == ""


def test_all_choices_that_contenders_may_name_are_combined() -> None:
    combined = (tuple(AT_MOST_ONE), (*LINEAR, *PINDAKAAS), tuple(TABLES))  # with PINDAKAAS in test_pindakaas.py
    assert combined == CHOICES
    assert {e.variables for e in ENCODINGS.values() if e.formula is Cnf} == {"", *VARIABLES}


def looser(encoding: Callable[..., None]) -> Callable[..., None]:
    """Return a linear encoding that allows one more."""

    def encode(groups: Any, bound: int, v: Variables, *limits: int) -> None:
        if bound + 1 < sum(group.weights[-1] for group in groups):
            encoding(groups, bound + 1, v, *limits)

    return encode


def without_last(lower: Callable[..., Any]) -> Callable[..., Any]:
    """Return an encoding of tables that forgets the last tuple."""
    return lambda v, scope, tuples, *more, **named: lower(v, scope, tuples[:-1], *more, **named)


def nothing(*_: Any, **__: Any) -> None:
    """Add no clauses."""


FAULTS: dict[str, tuple[Axes, str, Any, Any, Any]] = {
    "a number for each variable": (Axes("direct"), "lex", Direct, "exclude", nothing),
    "a ladder": (Axes("direct"), "minmax", Direct, "make_least", lambda v, x, i: v.equals(x, i)),
    "a chain": (Axes("order"), "lex", Order, "define", nothing),
    "equal to at least": (Axes("order"), "all_different", Order, "make_equal", Order.make_least),
    "indices above the last": (Axes("log"), "automaton", Log, "define", nothing),
    "bits of an index": (Axes("log"), "table", Log, "make_equal", lambda v, x, i: v.bits(x)[0]),
    "a group of many": (Axes(), "all_different", Direct, "exclude", nothing),
    **{
        f"linear={name}": (Axes(linear=name), "linear", LINEAR, name, looser(encoding))
        for name, encoding in LINEAR.items()
    },
    **{
        f"at most one: {name}": (Axes(at_most_one=name), "all_different", AT_MOST_ONE, name, lambda n: Pattern(()))
        for name in AT_MOST_ONE
    },
    "bits of a sum": (Axes(linear="adder"), "linear", adders, "majority", lambda *_: []),
    "the last pair of sums": (Axes(linear="totalizer"), "linear", sum_trees, "merged", lambda *_, **__: {}),
    "edges of a diagram": (Axes(linear="mdd"), "linear", diagrams, "write", nothing),
    **{
        f"table={name}": (Axes(table=name), "table", TABLES, name, without_last(encoding))
        for name, encoding in TABLES.items()
    },
    "a prefix": (Axes(table="conflict"), "table", tables, "missing", lambda *_: iter(())),
    "a layer": (Axes(table="mdd"), "table", layers, "write_layer", nothing),
    "a part of a tree": (Axes(), "expression", expressions.ClauseTrees, "integer_of", lambda t, *_: t.v.integer(THREE)),
    "a condition": (Axes(), "expression", expressions.ClauseTrees, "threshold", lambda self, *_: self.v.true),
    "tasks at a time": (Axes(), "cumulative", scheduling, "lower_times", nothing),
    "exclusive tasks": (Axes(), "cumulative", decomposing, "exclusive", lambda *_: True),
    "negative durations": (Axes(), "cumulative", decomposing.Ends, "not_negative", lambda *_: iter(())),
    "boxes of length 0": (Axes(), "no_overlap", decomposing.Ends, "empty", lambda *_: []),
    "boxes side by side": (Axes(), "no_overlap", decomposing.Ends, "apart", lambda *_: []),
    "an order of nodes": (Axes(), "circuit", scheduling, "follow", nothing),
    "nodes on a circuit": (Axes(), "circuit", scheduling, "compare_count", nothing),
    **{f"all of {kind}": (Axes(), kind, TO_CLAUSES, kind, nothing) for kind in TO_CLAUSES},
    **{
        f"all of {kind}": (Axes(), kind, TO_EXPRESSIONS, kind, lambda *_: iter(()))
        for kind in set(TO_EXPRESSIONS) - set(TO_CLAUSES)
    },
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_planted_fault_changes_the_models(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    axes, kind, owner, attribute, wrong = FAULTS[name]
    if isinstance(owner, dict):
        monkeypatch.setitem(owner, attribute, wrong)
    else:
        monkeypatch.setattr(owner, attribute, wrong)
    assert disagreement([axes], {kind}) != ""


def test_what_is_too_large_is_unsupported_with_its_kind_and_size(monkeypatch: pytest.MonkeyPatch) -> None:
    by_kind = {instance.name: instance for instance in reversed(SMALL)}
    monkeypatch.setattr(tables, "LARGEST", 5)
    with pytest.raises(Unsupported, match="table constraints are too large: more than 5 conflicts of 21 tuples"):
        formula(by_kind["table"], Axes(table="conflict"))
    monkeypatch.setattr(layers, "LARGEST", 5)
    with pytest.raises(Unsupported, match="automaton constraints are too large: an automaton of more than 5"):
        formula(by_kind["automaton"], Axes())
    monkeypatch.setattr(expressions, "MAX_SCOPE", 1)
    monkeypatch.setattr(expressions, "MAX_OPERANDS", 1)
    with pytest.raises(Unsupported, match="expression constraints are too large: mul over 16 assignments"):
        formula(by_kind["expression"], Axes())
    wide = Problem("wide", ("a", "b"), range(3000), ())  # type: ignore[arg-type]
    with pytest.raises(
        Unsupported, match=r"2 groups of 3,000 literals as pairs \(at most 1,500 a .*, such as \+product$"
    ):
        to_clauses(constraints(wide), Axes())
    assert to_clauses(constraints(wide), Axes(at_most_one="product")).variables > 6000
    monkeypatch.setattr(lowering, "MAX_LITERALS", 1)
    with pytest.raises(Unsupported, match="as clauses, 3 variables of 4 values are too many"):
        formula(by_kind["table"], Axes())


def test_operands_are_enumerated_where_the_scope_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(expressions, "MAX_SCOPE", 1)
    assert disagreement([Axes(variables) for variables in VARIABLES], {"expression"}) == ""
