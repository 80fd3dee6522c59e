"""native:lazy: solutions of every kind and of mixtures by brute force, larger ones by CP-SAT; explanations; limits."""

import json
import os
import subprocess
import sys
from itertools import permutations, product
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("numba")

from backends.contract import registry
from backends.contract.answer import Answer, Ask, Reason, Status
from backends.native.lazy import session
from backends.native.lazy.literals import NumberColumns
from backends.native.lazy.tables import narrowed
from encoders import direct
from encoders.formula import Constraints, Unsupported
from puzzles.constraints.all_different import AllDifferent
from puzzles.constraints.clauses import Clauses
from puzzles.constraints.linear import COMPARISONS, Linear, Row
from puzzles.constraints.table import STAR, Table
from puzzles.problem import Constraint, Problem
from puzzles.problem.values import Integers
from tests.effort import examples, slow_after

LONG = 10**25  # beyond 64 bits
MOST = 2000  # more solutions than any problem here has
DOMAINS = ((0, 1), (0, 1, 2), (-3, -1, 0, 2, 7), (4,), (-(1 << 40), 5, 1 << 40))
KINDS = ("units", "sums", "long sums", "cages", "clauses", "tables")


def ask(problem: Problem, backend: str = "native:lazy", **options: Any) -> Answer:
    domains = options.pop("domains", problem.open)
    return registry.find(backend).open(direct.constraints(problem)).ask(Ask(domains, **options))


def named(numbers: tuple[int, ...], variables: int, *constraints: Constraint) -> Problem:
    return Problem("p", tuple(f"x{i}" for i in range(variables)), Integers(numbers), constraints)


def brute_force(problem: Problem, domains: tuple[int, ...]) -> set[tuple[int, ...]]:
    every = list(product(*([v for v in range(len(problem.values)) if mask >> v & 1] for mask in domains)))
    columns = np.array(every, np.uint16).reshape(len(every), len(domains))
    held = np.ones(len(every), np.bool_)
    for constraint in problem.constraints:
        held &= constraint.satisfied(columns, problem)
    return {solution for solution, good in zip(every, held, strict=True) if good}


def drawn(kind: str, random: Random, n: int, numbers: tuple[int, ...]) -> list[Constraint]:
    """Return random constraints over n variables; variables may occur twice in them."""

    def scope(size: int) -> list[int]:
        return [random.randrange(n) for _ in range(size)]

    if kind == "units":
        units = [random.sample(range(n), random.randint(1, n)) for _ in range(2)]
        twice = [(0, 0)] if random.random() < 0.1 else []
        return [AllDifferent((*map(tuple, units), *twice))]
    if kind == "clauses":
        rows = [[random.choice((1, -1)) * (x + 1) for x in scope(random.randint(1, 3))] for _ in range(n)]
        return [Clauses.of(rows)]
    if kind == "tables":
        size = random.randint(1, 3)
        cells = (*numbers, *numbers, 99, STAR)
        tuples = [[random.choice(cells) for _ in range(size)] for _ in range(random.randint(0, 3**size))]
        return [Table.of([scope(size) for _ in range(2)], tuples, random.random() < 0.5)]
    if kind == "cages":
        unit = random.sample(range(n), random.randint(1, n))
        cage = random.sample(unit, random.randint(1, len(unit)))
        total = sum(random.sample(numbers, len(cage))) if len(cage) <= len(numbers) else 1
        return [AllDifferent((tuple(unit),)), Linear.of([([1] * len(cage), cage, "=", total)])]
    sums: list[Row] = []
    for _ in range(random.randint(1, 4)):
        xs = scope(random.randint(0, n + 1))
        coefficients = [random.randint(-4, 4) * (LONG if kind == "long sums" else 1) for _ in xs]
        some = sum(a * random.choice(numbers) for a in coefficients)
        sums.append((coefficients, xs, random.choice(list(COMPARISONS)), some + random.randint(-2, 2)))
    return [Linear.of(sums)]


@pytest.mark.parametrize("kind", KINDS)
@given(seed=st.integers(0, 1 << 30))
@settings(max_examples=examples(40))
def test_all_solutions_of_a_kind_are_found(kind: str, seed: int) -> None:
    compare([kind], Random(seed))


@given(seed=st.integers(0, 1 << 30))
@settings(max_examples=examples(120))
def test_all_solutions_of_mixtures_are_found(seed: int) -> None:
    random = Random(seed)
    compare(random.sample(KINDS, random.randint(2, 4)), random)


def compare(kinds: list[str], random: Random) -> None:
    numbers, n = random.choice(DOMAINS), random.randint(1, 4)
    if "clauses" in kinds:
        numbers = DOMAINS[0] if "long sums" in kinds else random.choice(DOMAINS[:2])
    problem = named(numbers, n, *(c for kind in kinds for c in drawn(kind, random, n, numbers)))
    full = problem.full
    domains = tuple(full if random.random() < 0.6 else random.randint(0, full) for _ in range(n))
    answer = ask(problem, "native" if "long sums" in kinds else "native:lazy", domains=domains, count=MOST)
    wanted = brute_force(problem, domains)
    assert answer.complete
    assert len(answer.solutions) == len(wanted)
    assert set(answer.solutions) == wanted


def test_variables_without_constraints_are_enumerated() -> None:
    assert len(ask(named((2, 5, 6), 3), count=MOST).solutions) == 27


def queens(n: int) -> Problem:
    pairs = [(i, j) for i in range(n) for j in range(i)]
    rows = [([1, -1], [i, j], "!=", d) for i, j in pairs for d in (i - j, j - i)]
    return named(tuple(range(n)), n, AllDifferent((tuple(range(n)),)), Linear.of(rows))


def magic_square(n: int) -> Problem:
    total = n * (n * n + 1) // 2
    lines = [list(range(i * n, i * n + n)) for i in range(n)] + [list(range(i, n * n, n)) for i in range(n)]
    lines += [list(range(0, n * n, n + 1)), list(range(n - 1, n * n - 1, n - 1))]
    sums = Linear.of([([1] * n, line, "=", total) for line in lines])
    return named(tuple(range(1, n * n + 1)), n * n, AllDifferent((tuple(range(n * n)),)), sums)


def knapsacks(seed: int) -> Problem:
    random = Random(seed)
    rows = []
    for _ in range(4):
        coefficients = [random.randint(1, 40) for _ in range(14)]
        rows.append((coefficients, list(range(14)), "=", sum(a for a in coefficients if random.random() < 0.5)))
    return named((0, 1), 14, Linear.of(rows[:1] + [(a, x, ">=", b - 60) for a, x, _, b in rows[1:]]))


@pytest.mark.parametrize("problem", [queens(8), magic_square(3), *map(knapsacks, range(4))])
def test_it_finds_as_many_solutions_as_cp_sat(problem: Problem) -> None:
    answer, other = (ask(problem, backend, count=MOST, seconds=60.0) for backend in ("native:lazy", "cpsat"))
    assert (answer.complete, other.complete) == (True, True)
    assert set(answer.solutions) == set(other.solutions)
    assert len(answer.solutions) == len(other.solutions) > 0


def test_tables_lose_the_tuples_that_other_tables_and_single_terms_exclude() -> None:
    lines = [tuple(range(4 * i, 4 * i + 4)) for i in range(4)] + [tuple(range(i, 16, 4)) for i in range(4)]
    table = Table.of(lines, permutations(range(4)))
    givens = Linear.of([([2], [x], "=", 2 * v) for x, v in ((0, 0), (1, 1), (4, 2), (10, 3), (15, 2))])
    problem = named(tuple(range(4)), 16, table, givens)
    scopes, columns = narrowed([table], [givens], NumberColumns.of(Constraints(4, range(4), ()), problem.open))
    solutions = ask(problem, count=MOST).solutions
    assert len(solutions) == 1
    assert columns.values.tolist() == list(solutions[0])
    assert [len(scope.rows) for scope in scopes] == [1] * 8


def test_a_chain_of_tables_is_left_to_the_clauses() -> None:
    pairs = Table.of([(i, i + 1) for i in range(29)], [(n, n + 1) for n in range(29)])
    _, columns = narrowed([pairs], [], NumberColumns.of(Constraints(30, range(30), ()), ((1 << 30) - 1,) * 30))
    assert len(columns.numbers) > 300
    assert ask(named(tuple(range(30)), 30, pairs), count=2).solutions == (tuple(range(30)),)


@pytest.mark.parametrize("seed", range(3))
def test_it_finds_all_crosswords(seed: int) -> None:
    random = Random(seed)
    words = {tuple(random.randrange(4) for _ in range(4)) for _ in range(36)}
    scopes = [tuple(range(4 * i, 4 * i + 4)) for i in range(4)] + [tuple(range(i, 16, 4)) for i in range(4)]
    starts = {word[:i] for word in words for i in range(5)}
    grids: list[tuple[int, ...]] = [()]
    for _ in range(4):
        longer = [grid + word for grid in grids for word in words]
        grids = [grid for grid in longer if all(grid[column::4] in starts for column in range(4))]
    answer = ask(named(tuple(range(4)), 16, Table.of(scopes, sorted(words))), count=MOST, seconds=60.0)
    assert answer.complete
    assert 0 < len(answer.solutions) < MOST
    assert sorted(answer.solutions) == sorted(grids)


@pytest.mark.parametrize("fault", slow_after(1, ["", "shortened"]))
def test_each_explanation_follows_from_its_row_and_a_planted_fault_is_seen(fault: str) -> None:
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-m", "tests.native.explaining", fault]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    seen = json.loads(done.stdout)
    assert seen["explanations"] > 50
    assert (seen["wrong"] > 0, seen["wrong problems"] > 0) == (bool(fault), bool(fault))


def test_sums_above_64_bits_are_refused_and_native_solves_them_otherwise() -> None:
    problem = named((0, 1), 2, Linear.of([([LONG, LONG], [0, 1], "=", LONG)]))
    for one in (problem, named((0, LONG), 2)):
        with pytest.raises(Unsupported, match="64 bits"):
            ask(one)
    assert set(ask(problem, "native", count=MOST).solutions) == {(0, 1), (1, 0)}


def test_it_stops_at_its_limit() -> None:
    answer = ask(magic_square(7), seconds=0.05, count=MOST)
    assert (answer.complete, answer.reason) == (False, Reason.TIMEOUT)


def test_too_many_values_are_refused_with_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "MOST_VALUES", 5)
    answer = ask(named((0, 1, 2), 2))
    assert (answer.status, answer.reason) == (Status.UNKNOWN, Reason.MEMORY)
    assert "6 values; native takes 5" in answer.note
