"""native:cdcl: answers by brute force and by MiniSat, proofs by our checker, limits."""

import json
import os
import subprocess
import sys
from itertools import combinations, permutations, product
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pysat.solvers import Solver

pytest.importorskip("numba")

from backends.contract import registry
from backends.contract.answer import Answer, Ask, Reason, Status
from backends.native.cdcl import models as solving
from backends.native.cdcl import state
from backends.native.cdcl.rules import ClausesAndRules
from encoders.cnf import Signs
from encoders.formula import Cnf, Unsupported
from encoders.registry import spec
from puzzles.boards import families
from puzzles.constraints import clauses as constraints
from puzzles.problem import Problem
from puzzles.problem.values import Integers, Numbered
from tests.effort import examples, slow_after
from tests.proofs import proof_fault

literal = st.integers(1, 7).flatmap(lambda x: st.sampled_from([x, -x]))
clause_lists = st.lists(st.lists(literal, max_size=5), max_size=40)
Clauses = list[list[int]]


def formula(clauses: Clauses, variables: int) -> Cnf:
    return Cnf(np.array([x for c in clauses for x in (*c, 0)], np.int32), variables, Signs(variables))


def random_clauses(seed: int, variables: int, count: int) -> Clauses:
    random = Random(seed)
    return [[random.choice((-1, 1)) * x for x in random.sample(range(1, variables + 1), 3)] for _ in range(count)]


def solve(clauses: Clauses, variables: int, **options: object) -> Answer:
    opened = registry.find("native:cdcl").open(formula(clauses, variables))
    return opened.ask(Ask((3,) * variables, **options))  # type: ignore[arg-type]


def fault(clauses: Clauses, proof: bytes) -> str:
    problem = Problem("random", Numbered("x", 110), Integers(range(2)), (constraints.Clauses.of(clauses),))
    return proof_fault(problem, problem.open, formula(clauses, 110), (), proof)


@given(clause_lists, st.lists(st.integers(0, 3), min_size=7, max_size=7))
@settings(max_examples=examples(200))
def test_it_enumerates_the_models_of_a_formula_under_its_domains(clauses: Clauses, domains: list[int]) -> None:
    opened = registry.find("native:cdcl").open(formula(clauses, 7))
    answer = opened.ask(Ask(tuple(domains), count=200))
    wanted = {
        values
        for values in product((0, 1), repeat=7)
        if all(domains[x] >> v & 1 for x, v in enumerate(values))
        and all(any(values[abs(p) - 1] == (p > 0) for p in c) for c in clauses)
    }
    assert answer.complete
    assert len(answer.solutions) == len(wanted)
    assert set(answer.solutions) == wanted


@pytest.mark.parametrize("seed", range(12))
def test_it_agrees_with_minisat_where_conflicts_restarts_and_deletions_happen(
    monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    monkeypatch.setattr(state, "FIRST_LIMIT", 50)
    monkeypatch.setattr(state, "FIRST_WALK", 50)
    clauses = random_clauses(seed, 130, 555)
    answer = solve(clauses, 130, seconds=60.0)
    with Solver("minisat22", bootstrap_with=clauses) as minisat:
        assert (answer.status == Status.SATISFIABLE) == minisat.solve()
    for solution in answer.solutions:
        assert all(any(solution[abs(p) - 1] == (p > 0) for p in c) for c in clauses)


def test_it_deletes_learned_clauses_above_its_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(state, "FIRST_LIMIT", 50)
    flat = formula(random_clauses(2, 170, 785), 170).clauses
    models = solving.CdclModels(ClausesAndRules(flat, 170), [], 60.0, False)
    assert models.solve() is False
    counts = models.state.counts
    assert counts[state.LEARNED] < counts[state.CONFLICTS] // 2


@pytest.mark.parametrize("room", [0, solving.ROOM], ids=["log and arena overflow", "room for all"])
def test_its_proofs_are_accepted(monkeypatch: pytest.MonkeyPatch, room: int) -> None:
    monkeypatch.setattr(solving, "ROOM", room)
    monkeypatch.setattr(state, "SPARE", 1 + room)
    monkeypatch.setattr(state, "FIRST_LIMIT", 50)
    monkeypatch.setattr(state, "FIRST_WALK", 0)
    clauses = random_clauses(3, 110, 520)
    answer = solve(clauses, 110, proof=True)
    assert (answer.status, answer.counters["restarts"] > 0) == (Status.UNSATISFIABLE, True)
    assert answer.proof is not None
    assert fault(clauses, answer.proof) == ""
    assert fault(clauses[:260], answer.proof) != ""


def test_focused_mode_decides_an_order_without_a_least_element_and_its_proof_is_accepted() -> None:
    n = 16
    x = {pair: i for i, pair in enumerate(permutations(range(n), 2), 1)}
    clauses = [[x[i, j] for i in range(n) if i != j] for j in range(n)]
    clauses += [[-x[i, j], -x[j, i]] for i, j in combinations(range(n), 2)]
    clauses += [[-x[i, j], -x[j, k], x[i, k]] for i, j, k in permutations(range(n), 3)]
    models = solving.CdclModels(ClausesAndRules(formula(clauses, len(x)).clauses, len(x)), [], 60.0, proving=True)
    assert models.solve() is False
    assert 0 < models.state.counts[state.GLUED] < models.conflicts < 10_000
    problem = Problem("order", Numbered("x", len(x)), Integers(range(2)), (constraints.Clauses.of(clauses),))
    assert proof_fault(problem, problem.open, formula(clauses, len(x)), (), models.proof()) == ""


def test_it_stops_at_its_limit() -> None:
    answer = solve(random_clauses(1, 600, 2800), 600, seconds=0.05)  # not solved in 3 s either
    assert (answer.status, answer.reason, answer.complete) == (Status.UNKNOWN, Reason.TIMEOUT, False)


def test_native_cardinality_is_unsupported() -> None:
    board = spec("extended+cardinality").formula(families.layout("sudoku 2x2"))
    with pytest.raises(Unsupported, match="cardinality"):
        registry.find("native:cdcl").open(board)


FAULTS = {"": "", "greedy": "wrong learned", "young": "wrong tiers", "lossy": "wrong moved blocks"}


@pytest.mark.parametrize("fault", slow_after(0, FAULTS))
def test_what_it_learns_forgets_and_moves_is_right_and_a_planted_fault_is_seen(fault: str) -> None:
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-m", "tests.native.clause_base", fault]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    seen = json.loads(done.stdout)
    assert (
        min(seen[what] for what in ("learned", "solutions", "moved blocks", "tiers", "watches", "stable", "focused"))
        > 5
    )
    wrong = {what for what, count in seen.items() if what.startswith("wrong") and count}
    assert FAULTS[fault] in wrong if fault else not wrong
