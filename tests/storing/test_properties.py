"""Properties of journals on random puzzles and outcomes."""

import itertools
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from backends.contract.answer import COUNTERS, Reason, Status
from harness.model.lease import Block, Lease, LeaseResult
from harness.model.outcome import PHASES, ROW, Batch, Judged, Outcomes, Verdict
from harness.storing.journal import Journal
from puzzles.boards.layout import Puzzle
from puzzles.problem.columns import pack
from tests import boards
from tests.brute_force import solutions
from tests.effort import examples
from tests.journals import BOARD, SOLUTION, contender, puzzle


@st.composite
def puzzles(draw: st.DrawFn) -> list[Puzzle]:
    """Draw puzzles of a few layouts, with one to three words of values, with and without claims."""
    found = []
    for _ in range(draw(st.integers(1, 3))):
        board, every = draw(boards.boards(values=draw(st.sampled_from([1, 4, 17, 40, 70, 140]))))
        solution = st.none() | st.tuples(*[st.integers(0, 400)] * len(board.squares))
        for domains in every:
            claim = draw(st.none() | st.integers(0, 9)), draw(st.booleans()), draw(solution)
            found.append(Puzzle(draw(st.text(max_size=9)), board, domains, *claim))
    return found


@given(puzzles())
@settings(max_examples=examples(40))
def test_puzzles_survive_a_journal_round_trip(every: list[Puzzle]) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder, "j.sqlite")
        with Journal.create(path) as journal:
            assert journal.corpora.add("corpus", every) == len(every)
        with Journal.open(path) as journal:
            for number, one in enumerate(every, 1):
                back = journal.instances.get(number)
                assert back.problem.key == one.problem.key
                assert (back.name, back.domains, back.count, back.at_least, back.solution) == (
                    *(one.name, one.domains, one.count, one.at_least, one.solution),
                )
            block = journal.instances.block(1, 1, len(every))
            alike = itertools.takewhile(lambda p: p.problem == every[0].problem, every)
            assert block.puzzles.tolist() == [i for i, _ in enumerate(alike, 1)]


@st.composite
def columns(draw: st.DrawFn) -> tuple[list[Puzzle], Outcomes]:
    """Draw outcomes of one contender: arbitrary numbers, and values that fit one byte or do not."""
    board, every = draw(boards.boards(values=draw(st.sampled_from([4, 300])), most=4))
    n, rows = len(every), np.zeros(len(every), ROW)
    rows["status"] = draw(st.lists(st.sampled_from(list(Status)), min_size=n, max_size=n))
    rows["reason"] = draw(st.lists(st.sampled_from(list(Reason)), min_size=n, max_size=n))
    rows["found"] = draw(st.lists(st.integers(0, 3), min_size=n, max_size=n))
    for column in ("wall", "cpu", *PHASES, *COUNTERS, "peak"):
        low = 0 if column in ("wall", *PHASES) else -1
        rows[column] = draw(st.lists(st.integers(low, 1 << 60), min_size=n, max_size=n))
    total = int(rows["found"].sum())
    value = st.integers(0, len(board.values) - 1) | st.just(0xFFFF)
    shown = [draw(st.tuples(*[value] * len(board.squares))) for _ in range(total)]
    batch = Batch(0, draw(st.integers(0, 2)), board, np.arange(1, n + 1), pack(board, every), n)
    solutions = np.array(shown, np.uint16).reshape(total, len(board.squares))
    return [Puzzle(str(i), board, d) for i, d in enumerate(every)], Outcomes(batch, rows, solutions, {})


@given(columns())
@settings(max_examples=examples(50))
def test_outcomes_survive_a_journal_round_trip(case: tuple[list[Puzzle], Outcomes]) -> None:
    every, outcomes = case
    n = len(outcomes.rows)
    with TemporaryDirectory() as folder, Journal.create(Path(folder, "j.sqlite")) as journal:
        journal.corpora.add("corpus", every)
        journal.contenders.add([contender("one")])
        verdict = np.full(n, Verdict.UNKNOWN, np.int8)
        block = Block(1, outcomes.batch.problem, outcomes.batch.puzzles, outcomes.batch.domains)
        result = LeaseResult(Lease(block, outcomes.batch.repeat, (0,)), 1, 0, 1, (outcomes,))
        journal.leases.add(result, [Judged(outcomes, np.zeros(n, np.int32), np.full(n, -1, np.int8), verdict)])
        (back,) = journal.outcomes.stored()
        assert back.rows.tolist() == outcomes.rows.tolist()
        assert back.solutions.tolist() == outcomes.solutions.tolist()
        assert back.batch.domains.tolist() == outcomes.batch.domains.tolist()
        assert (back.batch.repeat, back.batch.puzzles.tolist()) == (outcomes.batch.repeat, list(range(1, n + 1)))
        alone = [stored.solutions.tolist() for p in range(1, n + 1) for stored in journal.outcomes.stored(puzzle=p)]
        assert list(itertools.chain(*alone)) == outcomes.solutions.tolist()


def test_the_puzzles_of_synthetic_journals_have_their_solution() -> None:
    assert SOLUTION in solutions(BOARD, puzzle(3).domains)
