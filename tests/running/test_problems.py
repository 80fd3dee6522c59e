"""Problems other than boards, and values above 16 bits, in real workers: judged or unsupported."""

import os
from collections.abc import Sequence
from itertools import product

import numpy as np
import pytest

from backends.contract import registry
from backends.contract.answer import Ask, Reason, Status
from encoders.formula import Cnf
from encoders.registry import spec
from harness.fuzzing.sessions import Sessions, batch
from harness.judging import judge
from harness.model.contender import Contender, resolve
from harness.model.outcome import Outcomes, no_value
from harness.model.settings import RunSettings
from harness.running.scramble import scrambled, unscrambled
from puzzles.boards.layout import Layout
from puzzles.constraints.clauses import Clauses
from puzzles.constraints.linear import Linear
from puzzles.problem import Problem
from puzzles.problem.columns import index_type
from puzzles.problem.values import Domains, Integers
from tests.conftest import PLUGINS
from tests.proofs import proof_fault

pytestmark = pytest.mark.usefixtures("forked")

XOR = Problem("xor", ("a", "b", "c"), ("false", "true"), (Clauses.of([(1, 2), (-1, -2), (3,)]),))
NOBODY = Problem("no model", ("a",), ("false", "true"), (Clauses.of([(1,), (-1,)]),))


def solved(contenders: Sequence[Contender], problem: Problem, asks: Sequence[Domains], count: int) -> list[Outcomes]:
    """Return the outcomes of each contender on the same asks, in the order of contenders."""
    with Sessions(contenders, RunSettings(count=count)) as sessions:
        every = sessions.solve([batch(c, problem, asks) for c in range(len(contenders))], RunSettings(count=count))
    return sorted(every, key=lambda o: o.batch.contender)


def found(outcomes: Outcomes, problem: Problem) -> list[int]:
    """Return the judge's column of valid solutions."""
    return list(judge.check(problem, outcomes.batch.domains, outcomes.rows["found"], outcomes.solutions))


@pytest.mark.parametrize(
    "name",
    [
        "pysat:minisat22/extended",
        "pysat:minisat22/reduced",
        "pysat:cadical195/minimal+product",
        "pysat:glucose4/extended+warm",
        "pysat:minicard/extended+cardinality",
    ],
)
def test_problems_of_clauses_are_solved(name: str) -> None:
    contenders, _ = resolve([name], 9)
    asks = [XOR.open, (1, 3, 3), (2, 2, 3), (3, 3, 0)]
    (outcomes,) = solved(contenders, XOR, asks, 9)
    assert outcomes.rows["found"].tolist() == [2, 1, 0, 0]
    assert outcomes.rows["complete"].all()
    assert found(outcomes, XOR) == [2, 1, 0, 0]
    assert {tuple(s) for s in outcomes.solutions.tolist()} == {(0, 1, 1), (1, 0, 1)}
    (outcomes,) = solved(contenders, NOBODY, [NOBODY.open], 1)
    assert outcomes.rows["status"].tolist() == [Status.UNSATISFIABLE]


HEAVY = Linear.of([((60_000_001, 70_000_000, 90_000_000), (0, 1, 2), "<=", 140_000_000)])


@pytest.mark.parametrize(
    ("name", "problem", "why"),
    [
        ("native:norvig", XOR, "native:norvig takes all_different only, not clauses"),
        ("cpsat/channelled", XOR, "encoding channelled takes boards, not clauses"),
        (
            "pysat:minisat22/direct+linear=swc",
            Problem("sum", tuple("xyz"), Integers((0, 1)), (HEAVY,)),
            "as clauses, linear constraints are too large: a sequential weight counter of 3 literals up to 140,000,000",
        ),
    ],
)
def test_constraints_that_an_encoding_does_not_support_are_unsupported_and_named(
    name: str, problem: Problem, why: str
) -> None:
    contenders, _ = resolve([name])
    (outcomes,) = solved(contenders, problem, [problem.open, problem.open], 1)
    assert outcomes.rows["reason"].tolist() == [Reason.UNSUPPORTED] * 2
    assert {text.removeprefix("could not be opened: ") for text in outcomes.details.values()} == {why}
    assert outcomes.solutions.shape == (0, len(problem.variables))


def plugged(name: str) -> Contender:
    return Contender(name, name, "alldifferent", "pairwise", False, "", "1.0")


@pytest.fixture
def wide(monkeypatch: pytest.MonkeyPatch) -> list[Contender]:
    """Return two contenders of a plug-in that is importable in workers, not in this process."""
    before = [p for p in [os.environ.get("PYTHONPATH", "")] if p]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(PLUGINS), *before]))
    return [plugged("wide:one"), plugged("wide:batch")]


@pytest.mark.parametrize(("values", "kind"), [(65534, np.uint16), (65535, np.uint32), (70000, np.uint32)])
def test_the_type_of_solutions_fits_the_values_of_their_problem(
    wide: list[Contender], values: int, kind: type[np.unsignedinteger]
) -> None:
    board = Layout("wide", ("a", "b"), tuple(map(str, range(values))), ((0, 1),))
    top = values - 1
    asks = [(board.full, board.full >> 1), (board.full, board.full), (board.full, 2), (1 << top | 1, 3)]
    assert index_type(board) is kind
    for outcomes in solved(wide, board, asks, 1):
        assert outcomes.solutions.dtype == kind
        none = no_value(outcomes.solutions)
        assert outcomes.solutions.tolist() == [[top, top - 1], [top, top], [top, none], [top, 1]]
        assert found(outcomes, board) == [1, -1, -1, 1]
        assert len(set(judge.fingerprints(outcomes.solutions).tolist())) == 4


def test_boards_with_uint32_solutions_are_scrambled_and_unscrambled() -> None:
    board = Layout("wide", ("a", "b"), tuple(map(str, range(65535))), ((0, 1),))
    first = batch(0, board, [(board.full, 1 << 65534)])
    moved = scrambled(first, 3)
    none = 0xFFFFFFFF
    rows = np.zeros(1, [("found", np.int32)])
    rows["found"] = 1
    label = int(np.flatnonzero(np.unpackbits(moved.domains[0, 1].view(np.uint8), bitorder="little"))[0])
    back = unscrambled(Outcomes(moved, rows, np.array([[none, label]], np.uint32), {}), 3)
    assert back.solutions.tolist() == [[none, 65534]]
    assert back.solutions.dtype == np.uint32
    assert np.array_equal(back.batch.domains, first.domains)


def test_problems_of_clauses_are_not_scrambled() -> None:
    first = batch(0, XOR, [XOR.open])
    assert scrambled(first, 3) is first
    outcomes = Outcomes(first, np.zeros(1, [("found", np.int32)]), np.empty((0, 3), np.uint16), {})
    assert unscrambled(outcomes, 3) is outcomes


def test_proofs_of_problems_of_clauses_are_checked_against_their_clauses() -> None:
    rows = list(product((1, -1), (2, -2), (3, -3)))
    none = Problem("all eight", ("a", "b", "c"), ("false", "true"), (Clauses.of(rows),))
    seven = Problem("seven", none.variables, none.values, (Clauses.of(rows[:7]),))
    formula = spec("extended").formula(none)
    assert isinstance(formula, Cnf)
    proof = registry.find("pysat:cadical195").open(formula).ask(Ask(none.open, proof=True)).proof
    assert proof is not None
    assert proof_fault(none, none.open, formula, (), proof) == ""
    assert proof_fault(seven, none.open, formula, (), proof).startswith("the formula does not match the puzzle")
