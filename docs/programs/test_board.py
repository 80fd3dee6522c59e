"""A test of pytest: a generator's board has one solution, and every solver finds it."""

from collections.abc import Iterator

import pytest

import harness

BOARD = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"


@pytest.fixture(scope="module", params=["native", "cpsat"])
def solver(request: pytest.FixtureRequest) -> Iterator[harness.Solver]:
    with harness.Solver(request.param, count=2, timeout=30) as solver:
        yield solver


def test_the_board_has_one_solution(solver: harness.Solver) -> None:
    solved = solver.solve(BOARD)
    assert solved.verdict in ("correct", "uncertified")
    assert (len(solved.solutions), solved.complete, solved["A2"]) == (1, True, 1)
