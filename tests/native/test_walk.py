"""Local search of native:cdcl: what it finds, what it leaves alone, and when it is asked."""

from random import Random

import numpy as np
import pytest

pytest.importorskip("numba")

from backends.native.cdcl import state
from backends.native.cdcl import walk as walking
from backends.native.cdcl.models import CdclModels, compile_kernels
from backends.native.cdcl.rules import ClausesAndRules, Groups
from backends.native.cdcl.state import CONFLICTS, PROPAGATIONS, WALKS
from backends.native.cdcl.walk import new_walk, walk
from backends.native.memory import words
from puzzles.problem.arrays import Int32Array

VARIABLES = 120
SATISFIABLE = (1, 5, 6, 7, 9, 10, 13, 18, 19, 21)  # seeds


def planted(seed: int, count: int) -> Int32Array:
    """Return random clauses of three literals that some assignment satisfies."""
    random = Random(seed)
    model = [random.choice((-1, 1)) * x for x in range(1, VARIABLES + 1)]
    flat: list[int] = []
    for _ in range(count):
        clause = random.sample(model, 3)
        true = random.randrange(3)
        flat += [x if i == true else random.choice((-x, x)) for i, x in enumerate(clause)] + [0]
    return np.array(flat, np.int32)


def at_the_threshold(seed: int) -> Int32Array:
    """Return a random formula of 200 variables, which may have no model."""
    random = Random(seed)
    rows = [[random.choice((-1, 1)) * x for x in random.sample(range(1, 201), 3)] for _ in range(850)]
    return np.array([x for row in rows for x in (*row, 0)], np.int32)


def false_clauses(flat: Int32Array, models: CdclModels) -> int:
    """Return how many clauses the saved phases leave false."""
    phase = models.state.phase
    clauses = flat.reshape(-1, 4)[:, :3]
    return int(np.count_nonzero(~((clauses < 0) == phase[np.abs(clauses) - 1]).any(axis=1)))


def walked(flat: Int32Array, units: list[int], walks: int) -> tuple[CdclModels, int]:
    """Return a solver after some walks, and how many clauses the last one left false by its own count."""
    compile_kernels()
    models = CdclModels(ClausesAndRules(flat, VARIABLES), units, 60.0, False)
    memory, least = new_walk(flat, VARIABLES), 0
    for _ in range(walks):
        least = int(walk(words(memory), words(models.state)))
    return models, least


def test_a_walk_finds_a_model_where_there_are_many() -> None:
    flat = planted(1, 400)
    models, least = walked(flat, [], 1)
    assert (least, false_clauses(flat, models)) == (0, 0)


@pytest.mark.parametrize("seed", range(3))
def test_a_walk_saves_the_phases_with_as_few_false_clauses_as_it_says(seed: int) -> None:
    flat = np.concatenate([planted(seed, 500), planted(seed + 10, 500)])
    models, least = walked(flat, [], 3)
    assert 0 < least < 40
    assert false_clauses(flat, models) == least


def test_a_walk_that_leaves_many_clauses_false_changes_no_phase() -> None:
    models, least = walked(np.tile(np.concatenate([planted(1, 900), planted(2, 900)]), 3), [], 1)
    assert least > walking.FEW
    assert (models.state.phase == 1).all()


def test_a_walk_leaves_alone_what_is_fixed_at_the_root() -> None:
    units = [-5, 9, -70]
    models, _ = walked(planted(2, 500), units, 2)
    assert [int(models.state.phase[abs(x) - 1]) for x in units] == [1, 0, 1]


def test_a_walk_takes_clauses_with_repeated_literals_and_with_both_signs() -> None:
    flat = np.array([1, 1, 1, 0, -1, 2, 2, 0, 3, -3, 4, 0, -2, -2, -4, 0], np.int32)
    models, least = walked(flat, [], 1)
    assert (least, false_clauses(flat, models)) == (0, 0)


@pytest.mark.slow
def test_walks_save_searches_for_a_model_most_of_their_conflicts(monkeypatch: pytest.MonkeyPatch) -> None:
    def conflicts(first: int) -> int:
        monkeypatch.setattr(state, "FIRST_WALK", first)
        monkeypatch.setattr(state, "FIRST_EFFORT", first)
        total = 0
        for seed in SATISFIABLE:
            models = CdclModels(ClausesAndRules(at_the_threshold(seed), 200), [], 60.0, False)
            assert models.solve() is True
            total += models.counters()["conflicts"]
        return total

    assert conflicts(0) < conflicts(1 << 40) / 2


def test_the_first_walk_of_a_large_formula_comes_by_its_propagations() -> None:
    flat = planted(0, 400)
    models, _ = walked(flat, [], 0)
    counts = models.state.counts
    assert counts[state.EFFORT] == state.FIRST_EFFORT + 2 * 400
    memory = new_walk(flat, VARIABLES)
    walk(words(memory), words(models.state))
    assert counts[state.EFFORT] == state.NEVER


def test_walks_come_at_growing_distances_and_cost_a_share_of_the_propagations() -> None:
    flat = planted(0, 400)
    models, _ = walked(flat, [], 0)
    counts = models.state.counts
    assert counts[WALKS] == state.FIRST_WALK + 400 // 50
    counts[CONFLICTS], counts[PROPAGATIONS] = 20_000, 500_000
    memory = new_walk(flat, VARIABLES)
    walk(words(memory), words(models.state))
    assert counts[WALKS] == 31_000
    assert memory.last[1] == 500_000


def test_problems_with_groups_are_not_walked() -> None:
    group = Groups(np.array([0, 2], np.int32), np.array([0, 2], np.int32))
    models = CdclModels(ClausesAndRules(np.array([1, 2, 0], np.int32), 2, group), [], 60.0, False)
    assert models.state.counts[WALKS] == models.state.counts[state.EFFORT] == state.NEVER
