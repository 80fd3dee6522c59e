"""Parts of fuzzing: exhaustive search, frames of boards, delta debugging, formulas, files."""

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backends.contract.cases import CASES, BoardCase
from harness.fuzzing.assignments import solutions_of
from harness.fuzzing.clausal import clause_problem, clauses_of_problem, enumerate_models
from harness.fuzzing.counting import count
from harness.fuzzing.findings.finding import Case as Asked
from harness.fuzzing.findings.finding import Finding, read, text, write
from harness.fuzzing.reducing.delta_debugging import First, minimise
from harness.fuzzing.rounds.boards import draw_boards
from harness.fuzzing.rounds.layouts import KINDS
from harness.model.errors import BadUsage
from puzzles.problem.check import violations
from tests.effort import examples, slow_after

SMALL = [case for case in CASES if len(case.problem.squares) <= 36]


@pytest.mark.parametrize("case", SMALL, ids=lambda case: case.name)
def test_exhaustive_search_counts_all_solutions(case: BoardCase) -> None:
    counted = count(case.problem, case.domains, 1000, 500_000)
    assert counted.complete
    assert len(set(counted.solutions)) == len(counted.solutions) == case.total
    assert not any(violations(case.problem, case.domains, solution) for solution in counted.solutions)


def test_counting_says_when_it_stopped_early() -> None:
    case = next(case for case in CASES if case.name == "4x4 empty")
    assert not count(case.problem, case.domains, 10, 100_000).complete
    assert not count(case.problem, case.domains, 1000, 20).complete


@pytest.mark.parametrize("number", slow_after(8, range(0, 60, 3)))
def test_a_solution_mapped_by_frames_solves_every_board_of_its_group(number: int) -> None:
    drawn = draw_boards(7, number)
    for block in drawn.blocks:
        for board in block.boards:
            for solution in solutions_of(block.problem, board.domains, 2, 300).solutions:
                base = board.frame.to_base(solution)
                assert board.frame.solution(base) == solution
                free = block.problem.open
                for other in (o for s in drawn.blocks for o in s.boards if o.group == board.group):
                    layout = next(s.problem for s in drawn.blocks if other in s.boards)
                    assert not violations(layout, free, other.frame.solution(base))


def test_rounds_are_determined_by_the_seed() -> None:
    one, two, other = draw_boards(3, 4), draw_boards(3, 4), draw_boards(4, 4)
    assert [(a.problem, a.boards) for a in one.blocks] == [(b.problem, b.boards) for b in two.blocks]
    assert [a.boards for a in one.blocks] != [b.boards for b in other.blocks]


def test_random_layouts_include_empty_short_long_and_repeated_units_and_single_values() -> None:
    random = Random(1)
    drawn = [kind(random, str(i)) for _, kind in KINDS for i in range(60)]
    units = [(layout, unit) for layout in drawn for unit in layout.units]
    assert any(not unit for _, unit in units)
    assert any(0 < len(unit) < len(layout.values) for layout, unit in units)
    assert any(len(unit) > len(layout.values) for layout, unit in units)
    assert any(len(layout.units) > len({frozenset(u) for u in layout.units}) for layout in drawn)
    assert {len(layout.values) for layout in drawn} >= {1, 9}
    assert max(len(layout.values) for layout in drawn) > 64


def one_by_one(fails: Callable[[list[Any]], bool]) -> First[Any]:
    """Return the search for the first failing part that tries one at a time."""
    return lambda parts: next(((at, part) for at, part in enumerate(parts) if fails(part)), None)


@given(st.sets(st.integers(0, 40), min_size=1, max_size=5))
@settings(max_examples=examples(60), deadline=None, derandomize=True)
def test_delta_debugging_leaves_exactly_what_it_needs(needed: set[int]) -> None:
    assert set(minimise(range(41), one_by_one(lambda some: needed <= set(some)))) == needed


def test_delta_debugging_keeps_failing_where_failure_is_not_monotone() -> None:
    def fails(some: list[int]) -> bool:
        return 7 in some and len(some) % 3 != 0

    left = minimise(range(40), one_by_one(fails))
    assert fails(left)
    assert not any(fails(left[:i] + left[i + 1 :]) for i in range(len(left)))


@given(st.lists(st.lists(st.integers(-4, 4).filter(bool), min_size=1, max_size=3), min_size=1, max_size=8))
@settings(max_examples=examples(100), deadline=None, derandomize=True)
def test_enumerated_models_are_those_of_the_truth_table(clauses: list[list[int]]) -> None:
    problem = clause_problem(tuple(map(tuple, clauses)))
    n, rows = len(problem.variables), clauses_of_problem(problem)
    assert rows is not None
    table = {
        s
        for s in (tuple(i >> k & 1 for k in range(n)) for i in range(1 << n))
        if not violations(problem, problem.open, s)
    }
    found = enumerate_models(rows, problem.open, 100, 1000)
    assert found.complete
    assert set(found.solutions) == table
    for domains in ((1, *problem.open[1:]), (2, *problem.open[1:]), (0, *problem.open[1:])):
        held = enumerate_models(rows, domains, 100, 1000)
        assert held.complete
        assert set(held.solutions) == {s for s in table if domains[0] >> s[0] & 1}


def finding() -> Finding:
    case = next(case for case in CASES if case.name == "4x4 two")
    witnesses = count(case.problem, case.domains, 3, 10_000).solutions
    asked = Asked("native:python", case.problem, (case.problem.open, case.domains), 2, 1.5, 1 << 30, witnesses)
    return Finding(asked, "too few", "2 solutions", "SATISFIABLE with 1", "", {"seed": 4})


def test_a_finding_is_read_back_as_it_was_written(tmp_path: Path) -> None:
    write(finding(), tmp_path / "a.finding")
    back = read(tmp_path / "a.finding")
    assert text(back) == text(finding())
    assert (back.case.problem.name, back.case.problem) == (finding().case.problem.name, finding().case.problem)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"asks": [', '"asks": [[1], '),
        ('"asks": [[15', '"asks": [[16'),
        ('"units": [[0', '"units": [[16'),
        ('"crosscheck finding": 1', '"crosscheck finding": 2'),
        ('"witnesses"', '"other"'),
        ("{\n", "[\n"),
        ('"count": 2', '"count": "two"'),
    ],
)
def test_an_invalid_file_is_refused_with_its_name(tmp_path: Path, old: str, new: str) -> None:
    path = tmp_path / "bad.finding"
    assert old in text(finding())
    path.write_text(text(finding()).replace(old, new, 1))
    with pytest.raises(BadUsage, match=r"bad\.finding: "):
        read(path)
