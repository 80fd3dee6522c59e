"""Elimination of variables in native:cdcl: models, proofs, clauses added later, and when it happens."""

from collections.abc import Iterator
from itertools import product
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("numba")

from backends.native.cdcl import state
from backends.native.cdcl.eliminate import GONE
from backends.native.cdcl.models import CdclModels, compile_kernels
from backends.native.cdcl.rules import ClausesAndRules
from encoders.cnf import Signs
from encoders.formula import Cnf
from puzzles.constraints import clauses as constraints
from puzzles.generating.cnf_files import pigeonhole
from puzzles.problem import Problem
from puzzles.problem.values import Integers, Numbered
from tests.effort import examples
from tests.proofs import proof_fault

VARIABLES = 7
literal = st.integers(1, VARIABLES).flatmap(lambda x: st.sampled_from([x, -x]))
clause_lists = st.lists(st.lists(literal, min_size=1, max_size=4), max_size=24)
Clauses = list[list[int]]


def eliminated(clauses: Clauses, variables: int, proving: bool = False) -> CdclModels:
    """Return a solver that has eliminated variables before its first search."""
    compile_kernels()
    flat = np.array([x for c in clauses for x in (*c, 0)], np.int32)
    models = CdclModels(ClausesAndRules(flat, variables), [], 60.0, proving)
    models.eliminate()
    return models


def gone(models: CdclModels) -> int:
    """Return the number of eliminated variables."""
    assert models.elimination is not None
    return int(models.elimination.counts[GONE])


def found(models: CdclModels) -> Iterator[tuple[bool, ...]]:
    """Yield all models, and forbid each."""
    while models.solve():
        true = set(models.model())
        assert len(true) == models.variables
        yield tuple(x in true for x in range(1, models.variables + 1))
        models.forbid([-x if x in true else x for x in range(1, models.variables + 1)])


def xors(length: int) -> Clauses:
    """Return clauses by which neighbours in a row of variables differ, so that the first decides the last."""
    return [[s * x, s * (x + 1)] for x in range(1, length) for s in (1, -1)]


def hard_gates(seed: int) -> Clauses:
    """Return a random formula of 60 variables without a model, and as many gates that name pairs of them."""
    random = Random(seed)
    rows = [[random.choice((-1, 1)) * x for x in random.sample(range(1, 61), 3)] for _ in range(290)]
    for gate in range(61, 121):
        a, b = random.sample(range(1, 61), 2)
        rows += [[-gate, a], [-gate, b], [gate, -a, -b], [gate, a, *random.sample(range(1, 61), 1)]]
    return rows


@given(clause_lists)
@settings(max_examples=examples(150))
def test_models_are_those_of_the_formula(clauses: Clauses) -> None:
    wanted = {
        values
        for values in product((False, True), repeat=VARIABLES)
        if all(any(values[abs(p) - 1] == (p > 0) for p in c) for c in clauses)
    }
    models = eliminated(clauses, VARIABLES)
    listed = list(found(models))
    assert len(listed) == len(wanted)
    assert set(listed) == wanted


def test_a_row_of_equivalences_is_eliminated_but_for_its_contradiction() -> None:
    models = eliminated(xors(30), 30)
    assert gone(models) == 30
    assert models.solve() is True
    assert [abs(x) for x in models.model() if x > 0] in (list(range(1, 31, 2)), list(range(2, 31, 2)))
    odd = eliminated([*xors(30), [1, -30], [-1, 30]], 30)
    assert odd.solve() is False


def test_pigeons_are_not_eliminated() -> None:
    variables, clauses = pigeonhole(6)
    assert gone(eliminated([list(c) for c in clauses], variables)) == 0


def test_proofs_with_resolvents_are_accepted() -> None:
    clauses = hard_gates(1)
    models = eliminated(clauses, 120, proving=True)
    assert gone(models) > 30
    assert models.solve() is False
    formula = Cnf(np.array([x for c in clauses for x in (*c, 0)], np.int32), 120, Signs(120))
    problem = Problem("gates", Numbered("x", 120), Integers(range(2)), (constraints.Clauses.of(clauses),))
    assert proof_fault(problem, problem.open, formula, (), models.proof()) == ""


def test_variables_are_eliminated_once_where_a_walk_finds_no_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(state, "FIRST_WALK", 0)
    variables, clauses = pigeonhole(6)
    flat = np.array([x for c in clauses for x in (*c, 0)], np.int32)
    for eliminating in (False, True):
        models = CdclModels(ClausesAndRules(flat, variables), [], 60.0, False, eliminating)
        assert models.solve() is False
        assert (models.elimination is not None) == eliminating
        assert not models.eliminating
