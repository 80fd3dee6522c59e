"""Outcomes that are committed together are judged by all evidence among them, so a run ends without reading them."""

from pathlib import Path

import pytest

from harness.judging.referee import Referee
from harness.model.lease import PART, WHOLE, Block, Lease, LeaseResult, Place
from harness.model.outcome import Outcomes, Verdict
from harness.model.settings import RunSettings
from harness.storing.journal import Journal
from harness.storing.outcomes.table import OutcomeTable
from tests.journals import HOST, contender, noisy, outcomes, puzzle

SIZE = 4


def prepared(path: Path) -> Journal:
    """Return an open journal with instances and two contenders."""
    journal = Journal.create(path)
    journal.corpora.add("made", map(puzzle, range(SIZE)))
    journal.contenders.add([contender("liar"), contender("honest")])
    journal.facts.put(settings=RunSettings().as_dict())
    journal.places.add([Place(HOST, None, {})])
    return journal


def answers(block: Block, repeat: int = 0) -> tuple[Outcomes, Outcomes]:
    """Return the outcomes of a contender that denies all solutions, and of one that shows them."""
    times = noisy(1, 1, SIZE)[0]
    lies = outcomes(block, 0, repeat, times, times, unsatisfiable=range(SIZE))
    return lies, outcomes(block, 1, repeat, times, times)


def verdicts(journal: Journal, contender: int) -> set[int]:
    """Return the stored verdicts on a contender."""
    return set(journal.outcomes.columns(contender, "verdict")["verdict"].tolist())


def test_a_lie_is_wrong_at_once_if_the_solution_is_committed_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with prepared(tmp_path / "j") as journal:
        block, referee = journal.instances.block(1, 1, SIZE), Referee(journal)
        batches = answers(block)
        journal.leases.add(LeaseResult(Lease(block, 0, (0, 1)), 1, 1, 2, batches), referee.judge_batches(batches))
        assert verdicts(journal, 0) == {Verdict.WRONG}
        monkeypatch.setattr(OutcomeTable, "read_columns", None)  # nothing is read
        assert referee.finalise_verdicts(journal) == 0


@pytest.mark.parametrize("repeats", [(0, 0), (0, 1)])
def test_a_lie_that_was_committed_before_its_refutation_is_wrong_at_the_end(
    tmp_path: Path, repeats: tuple[int, int]
) -> None:
    with prepared(tmp_path / "j") as journal:
        block, referee = journal.instances.block(1, 1, SIZE), Referee(journal)
        parts = answers(block, repeats[0])[0], answers(block, repeats[1])[1]
        for turn, (one, repeat) in enumerate(zip(parts, repeats, strict=True)):
            whole = PART if turn == 0 else WHOLE
            result = LeaseResult(Lease(block, repeat, (turn,)), 1, turn, turn + 1, (one,), whole)
            journal.leases.add(result, referee.judge_batches([one]))
        assert verdicts(journal, 0) == {Verdict.UNCERTIFIED}
        assert referee.finalise_verdicts(journal) == SIZE
        assert verdicts(journal, 0) == {Verdict.WRONG}


def test_verdicts_that_another_program_wrote_are_derived_again_at_the_end(tmp_path: Path) -> None:
    with prepared(tmp_path / "j") as journal:
        block, referee = journal.instances.block(1, 1, SIZE), Referee(journal)
        batches = answers(block)
        journal.leases.add(LeaseResult(Lease(block, 0, (0, 1)), 1, 1, 2, batches), referee.judge_batches(batches))
        assert journal.watch is not None
        journal.watch.changes += 1
        journal.db.execute("update outcomes set verdict = 0")
        assert referee.finalise_verdicts(journal) == SIZE
