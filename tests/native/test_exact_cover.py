"""Exact covers: boards and rows of 0/1 sums, by dancing links as written to be read and as compiled."""

from itertools import product
from random import Random
from typing import Any

import pytest

from backends.contract import conformance, registry
from backends.contract.answer import Answer, Ask, Reason, Status, Unsupported
from backends.native.exact_cover import exact_cover
from backends.native.links import cover, link, new_links, uncover
from encoders.direct import alldifferent, constraints
from puzzles.boards.families import layout
from puzzles.constraints.clauses import Clauses
from puzzles.constraints.linear import Linear, Row
from puzzles.problem import Constraint, Problem
from puzzles.problem.values import Domains, Integers

VARIANTS = ("native:links", "native:dlx")
KNUTH = ((2, 4), (0, 3, 6), (1, 2, 5), (0, 3, 5), (1, 6), (3, 4, 6))  # options of 7 items; the cover is 0, 3, 4


@pytest.fixture(params=VARIANTS)
def name(request: pytest.FixtureRequest) -> str:
    if request.param == "native:dlx":
        pytest.importorskip("numba")
    found: str = request.param
    return found


def problem(variables: int, rows: list[Row], *more: Constraint) -> Problem:
    names = tuple(f"x{i}" for i in range(variables))
    return Problem("rows", names, Integers(range(2)), (Linear.of(rows), *more))


def ask(name: str, given: Problem, domains: Domains, count: int = 1000, **limits: Any) -> Answer:
    return registry.find(name).open(constraints(given)).ask(Ask(domains, count, **limits))


def by_hand(rows: list[Row], domains: Domains) -> set[tuple[int, ...]]:
    found = set()
    for values in product(*([v for v in range(2) if mask >> v & 1] for mask in domains)):
        sums = [(sum(a * values[x] for a, x in zip(row[0], row[1], strict=True)), row) for row in rows]
        if all({"=": s == r[3], "<=": s <= r[3], ">=": s >= r[3]}[r[2]] for s, r in sums):
            found.add(values)
    return found


def random_rows(random: Random, variables: int) -> list[Row]:
    rows = list[Row]()
    for _ in range(random.randint(0, 5)):
        held = random.sample(range(variables), random.randint(0, variables))
        sign = random.choice((1, -1))
        rows.append(([sign] * len(held), held, random.choice(("=", "<=" if sign > 0 or not held else ">=")), sign))
    return [row if row[1] else ([], [], row[2], 1) for row in rows]


@pytest.mark.parametrize("variant", VARIANTS)
def test_it_conforms(variant: str) -> None:
    if variant == "native:dlx":
        pytest.importorskip("numba")
    assert conformance.check(registry.find(variant)) == []


def test_the_example_of_knuth_has_one_cover(name: str) -> None:
    rows: list[Row] = [
        ([1] * len(held), held, "=", 1)
        for held in ([o for o, items in enumerate(KNUTH) if i in items] for i in range(7))
    ]
    answer = ask(name, problem(6, rows), (3,) * 6)
    assert answer.solutions == ((1, 0, 0, 1, 1, 0),)
    assert answer.complete


def test_solutions_of_random_rows_are_those_of_brute_force(name: str) -> None:
    random = Random(35)
    for _ in range(150):
        variables = random.randint(0, 6)
        rows = random_rows(random, variables)
        domains = tuple(random.choice((3, 3, 3, 2, 1)) for _ in range(variables))
        answer = ask(name, problem(variables, rows), domains)
        assert len(set(answer.solutions)) == len(answer.solutions)
        assert set(answer.solutions) == by_hand(rows, domains), (rows, domains)
        assert answer.complete
        assert answer.status == (Status.SATISFIABLE if answer.solutions else Status.UNSATISFIABLE)


def test_a_variable_that_no_exact_row_decides_takes_both_values(name: str) -> None:
    assert len(ask(name, problem(3, [([1, 1], [0, 1], "<=", 1)]), (3, 3, 3)).solutions) == 6


@pytest.mark.parametrize(
    ("given", "why"),
    [
        (problem(2, [([1, 1], [0, 1], "=", 2)]), "sums that are 1 or at most 1"),
        (problem(2, [([2, 1], [0, 1], "=", 1)]), "without coefficients"),
        (problem(2, [([1, 1], [0, 1], ">=", 1)]), "sums that are 1 or at most 1"),
        (problem(2, [([1, 1], [0, 0], "=", 1)]), "sums of different variables"),
        (problem(2, [], Clauses.of([[1, 2]])), "not clauses"),
        (Problem("wide", ("a",), Integers(range(3)), ()), "Boolean variables alone"),
    ],
)
def test_what_is_no_exact_cover_is_unsupported(given: Problem, why: str) -> None:
    for variant in VARIANTS:
        with pytest.raises(Unsupported, match=why):
            registry.find(variant).open(constraints(given))


def test_boards_are_counted_and_the_last_branch_is_known_to_be_the_last(name: str) -> None:
    board = layout("latin 4")
    session = registry.find(name).open(alldifferent(board))
    assert len(session.ask(Ask(board.open, 1000)).solutions) == 576
    exact = session.ask(Ask(board.open, 576))
    assert (len(exact.solutions), exact.complete) == (576, True)
    assert not session.ask(Ask(board.open, 575)).complete


def test_limits_end_the_search(name: str) -> None:
    board = layout("latin 20")
    session = registry.find(name).open(alldifferent(board))
    late = session.ask(Ask(board.open, 10**6, seconds=0.05))
    assert (late.complete, late.reason) == (False, Reason.TIMEOUT)
    few = session.ask(Ask(board.open, 10**6, nodes=3))
    assert (few.counters["decisions"], few.complete, few.reason) == (3, False, Reason.TIMEOUT)


def test_the_time_limit_also_ends_a_search_whose_solutions_lie_close_together(name: str) -> None:
    board = layout("latin 4")
    late = registry.find(name).open(alldifferent(board)).ask(Ask(board.open, 576, seconds=0.0))
    assert (late.complete, late.reason) == (False, Reason.TIMEOUT)


def test_an_ask_leaves_nothing_behind_for_the_next_one(name: str) -> None:
    rows: list[Row] = [([1] * len(held), held, "<=", 1) for held in ([0, 1, 2], [1, 3], [2, 3, 4, 5], [5, 6])]
    random, form = Random(49), constraints(problem(7, rows))
    session = registry.find(name).open(form)
    for count in (1, 3, 1000) * 10:
        asked = Ask(tuple(random.randint(1, 3) for _ in range(7)), count)
        again, fresh = session.ask(asked), registry.find(name).open(form).ask(asked)
        assert (again.solutions, again.complete, again.counters) == (fresh.solutions, fresh.complete, fresh.counters)


def test_both_variants_search_alike() -> None:
    """They branch on the same items in the same order."""
    pytest.importorskip("numba")
    board = layout("latin 5")
    answers = [registry.find(v).open(alldifferent(board)).ask(Ask(board.open, 300)) for v in VARIANTS]
    assert answers[0].solutions == answers[1].solutions
    assert answers[0].counters["decisions"] == answers[1].counters["decisions"]


def test_the_links_are_as_before_when_all_is_undone() -> None:
    form = exact_cover(alldifferent(layout("sudoku 2x2")))
    links = new_links(form)
    link(links, range(len(form.options)))
    rows = (links.left, links.right, links.up, links.down, links.size)
    before = [list(row) for row in rows]
    for i in (1, 7, 20):
        cover(links, i)
    assert list(links.size) != before[-1]
    for i in (20, 7, 1):
        uncover(links, i)
    assert [list(row) for row in rows] == before
