"""The judge against a direct implementation of its rules, on constructed and random outcomes."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backends.contract import registry
from backends.contract.answer import Ask, Reason, Status
from encoders.cnf import extended
from harness.fuzzing.counting import count
from harness.judging import judge
from harness.model.contender import resolve
from harness.model.outcome import CERTIFIED, NO_PROOF, REFUSED, ROW, Batch, Outcomes, Verdict, unknown_row
from harness.model.quality import CorpusClaims, Stated
from harness.model.settings import RunSettings
from puzzles.boards.families import layout
from puzzles.problem.columns import pack
from puzzles.problem.values import Domains, Solution
from tests.effort import examples
from tests.proofs import check_proofs

LATIN = layout("latin 2")
RIGHT: tuple[Solution, ...] = ((0, 1, 1, 0), (1, 0, 0, 1))
BROKEN: Solution = (0, 0, 1, 1)


@dataclass(frozen=True)
class Reply:
    """Answer of one contender to the empty Latin square of order 2, which has two solutions."""

    group: int
    status: Status
    solutions: tuple[Solution, ...] = ()
    complete: bool = False
    reason: Reason = Reason.NONE


def outcomes(reply: Reply) -> Outcomes:
    rows = np.array([unknown_row(reply.reason, 1, 1)], ROW)
    rows["status"], rows["found"], rows["complete"] = reply.status, len(reply.solutions), reply.complete
    batch = Batch(0, 0, LATIN, np.array([1]), pack(LATIN, [LATIN.open]), 1)
    return Outcomes(batch, rows, np.array(reply.solutions, np.uint16).reshape(-1, 4), {})


def verdicts(replies: Sequence[Reply], count: int = 3, known: int = -1, at_least: bool = False) -> list[Verdict]:
    evidence = judge.Evidence.empty(1)
    judged = []
    for reply in replies:
        o = outcomes(reply)
        valid = judge.check(LATIN, o.batch.domains, o.rows["found"], o.solutions)
        evidence.add(o, valid, reply.group)
        judged.append((o, valid))
    claim = CorpusClaims(Stated.of_counts({1: known} if known >= 0 else {}, 2), np.array([False, at_least]))
    found = (judge.verdicts(o.batch.puzzles, o.rows, v, count, claim, evidence)[0] for o, v in judged)
    return [Verdict(int(v)) for v in found]


SAT, UNSAT, UNKNOWN = Status.SATISFIABLE, Status.UNSATISFIABLE, Status.UNKNOWN
BOTH, ONE = Reply(0, SAT, RIGHT, complete=True), Reply(1, SAT, RIGHT[:1], complete=True)
NONE = Reply(2, UNSAT, complete=True)


@pytest.mark.parametrize(
    ("reply", "count", "known", "at_least", "verdict"),
    [
        (BOTH, 3, 2, False, Verdict.CORRECT),
        (BOTH, 3, -1, False, Verdict.UNCERTIFIED),
        (BOTH, 3, 2, True, Verdict.UNCERTIFIED),
        (BOTH, 3, 3, False, Verdict.WRONG),
        (BOTH, 3, 3, True, Verdict.WRONG),
        (BOTH, 3, 1, True, Verdict.UNCERTIFIED),
        (BOTH, 3, 1, False, Verdict.CORPUS_WRONG),
        (ONE, 3, 2, False, Verdict.WRONG),
        (ONE, 3, 0, False, Verdict.CORPUS_WRONG),
        (NONE, 1, 0, False, Verdict.CORRECT),
        (NONE, 1, 1, True, Verdict.WRONG),
        (NONE, 1, -1, False, Verdict.UNCERTIFIED),
        (Reply(0, SAT, RIGHT), 2, -1, False, Verdict.CORRECT),
        (Reply(0, SAT, RIGHT[:1]), 1, -1, False, Verdict.CORRECT),
        (Reply(0, SAT, RIGHT[:1]), 2, -1, False, Verdict.UNKNOWN),
        (Reply(0, SAT, (RIGHT[0], RIGHT[0])), 2, -1, False, Verdict.WRONG),
        (Reply(0, SAT, (BROKEN,)), 1, -1, False, Verdict.WRONG),
        (Reply(0, SAT, (RIGHT[0], BROKEN)), 2, -1, False, Verdict.WRONG),
        (Reply(0, SAT), 1, -1, False, Verdict.WRONG),
        (Reply(0, UNSAT, RIGHT[:1], complete=True), 1, -1, False, Verdict.WRONG),
        (Reply(0, UNKNOWN, reason=Reason.TIMEOUT), 1, -1, False, Verdict.UNKNOWN),
        (Reply(0, UNKNOWN, reason=Reason.STUCK), 1, 2, False, Verdict.UNKNOWN),
        (Reply(0, UNKNOWN, reason=Reason.CRASH), 1, -1, False, Verdict.ERROR),
        (Reply(0, UNKNOWN, reason=Reason.ERROR), 1, 2, False, Verdict.ERROR),
    ],
)
def test_a_single_answer_is_judged_by_the_corpus_claim(
    reply: Reply, count: int, known: int, at_least: bool, verdict: Verdict
) -> None:
    assert verdicts([reply], count, known, at_least) == [verdict]


def test_a_complete_answer_with_fewer_solutions_than_shown_is_wrong() -> None:
    assert verdicts([BOTH, ONE, NONE]) == [Verdict.UNCERTIFIED, Verdict.WRONG, Verdict.WRONG]
    other = Reply(1, SAT, RIGHT[1:], complete=True)
    assert verdicts([ONE, other]) == [Verdict.WRONG, Verdict.WRONG]


def test_two_groups_that_agree_refute_a_claim_of_more_and_one_group_does_not() -> None:
    again = Reply(1, SAT, RIGHT, complete=True)
    assert verdicts([BOTH, again], 4, known=3) == [Verdict.CORPUS_WRONG] * 2
    assert verdicts([BOTH, Reply(0, SAT, RIGHT, complete=True)], 4, known=3) == [Verdict.WRONG] * 2


def test_two_groups_that_agree_with_a_claim_do_not_refute_it() -> None:
    assert verdicts([BOTH, Reply(1, SAT, RIGHT, complete=True)], known=2) == [Verdict.CORRECT] * 2


def test_two_groups_that_find_none_refute_a_claim_of_one() -> None:
    board = [Reply(group, UNSAT, complete=True) for group in (0, 1)]
    assert verdicts(board, known=1) == [Verdict.CORPUS_WRONG] * 2


def test_different_solutions_have_different_fingerprints() -> None:
    four = layout("sudoku 2x2")
    solutions = count(four, four.open, 1000, 1_000_000).solutions
    assert len(set(judge.fingerprints(np.array(solutions, np.uint16)).tolist())) == len(solutions) == 288


def test_solutions_of_a_batch_are_assigned_to_their_puzzles() -> None:
    verified = (*RIGHT, RIGHT[1], RIGHT[0])  # two of the first puzzle, none of the second, one each of two more
    rows = np.array([unknown_row(Reason.NONE, 1, 1)] * 4, ROW)
    rows["status"], rows["found"] = [SAT, UNKNOWN, SAT, SAT], [2, 0, 1, 1]
    batch = Batch(0, 0, LATIN, np.arange(1, 5), pack(LATIN, [LATIN.open] * 4), 4)
    o = Outcomes(batch, rows, np.array(verified, np.uint16), {})
    valid = judge.check(LATIN, batch.domains, rows["found"], o.solutions)
    assert valid.tolist() == [2, 0, 1, 1]
    evidence = judge.Evidence.empty(4)
    evidence.add(o, valid, 0)
    evidence.add(o, valid, 1)
    assert evidence.verified.number.tolist() == [0, 2, 0, 1, 1]
    swapped = Outcomes(batch, rows, np.array([*RIGHT, RIGHT[0], RIGHT[0]], np.uint16), {})
    evidence.add(swapped, valid, 2)
    assert evidence.verified.number.tolist() == [0, 2, 0, 2, 1]


def several(boards: Sequence[Domains], replies: Sequence[Reply]) -> Outcomes:
    """Return the outcomes of one contender's answers to these boards, numbered from 1."""
    rows = np.array([unknown_row(s.reason, 1, 1) for s in replies], ROW)
    rows["status"], rows["found"] = [s.status for s in replies], [len(s.solutions) for s in replies]
    rows["complete"] = [s.complete for s in replies]
    batch = Batch(0, 0, LATIN, np.arange(1, len(replies) + 1), pack(LATIN, boards), len(replies))
    return Outcomes(batch, rows, np.array([s for one in replies for s in one.solutions], np.uint16).reshape(-1, 4), {})


def test_one_wrong_or_repeated_solution_invalidates_an_outcome() -> None:
    verified = [(), RIGHT, (RIGHT[0], BROKEN), RIGHT[:1], (RIGHT[1], RIGHT[1]), (BROKEN,), RIGHT[1:]]
    o = several([LATIN.open] * len(verified), [Reply(0, SAT, s) for s in verified])
    assert judge.check(LATIN, o.batch.domains, o.rows["found"], o.solutions).tolist() == [0, 2, -1, 1, -1, -1, 1]


def test_each_proof_is_checked_against_its_own_puzzle_and_solutions(tmp_path: Path) -> None:
    given, clash = (1, 3, 3, 3), (1, 1, 3, 3)
    boards = [LATIN.open, LATIN.open, LATIN.open, given, LATIN.open, clash, given, clash]
    replies = [
        Reply(0, SAT, RIGHT),  # not complete: its proof is ignored
        Reply(0, SAT, (RIGHT[0], BROKEN), complete=True),  # wrong: ignored too
        Reply(0, SAT, RIGHT, complete=True),
        Reply(0, SAT, RIGHT[:1], complete=True),
        Reply(0, SAT, RIGHT[1:], complete=True),  # one is missing: every proof is refused
        Reply(0, UNSAT, complete=True),
        Reply(0, SAT, RIGHT[:1], complete=True),  # without a proof
        Reply(0, UNSAT, complete=True),
    ]
    o = several(boards, replies)
    backend = registry.find("pysat:cadical195")
    for i, board in enumerate(boards):
        proof = backend.open(extended(LATIN)).ask(Ask(board, 3, proof=True)).proof
        assert proof is not None
        o.proofs[i] = tmp_path / str(i)
        o.proofs[i].write_bytes(proof)
    del o.proofs[6]
    contenders, _ = resolve(["pysat:cadical195/extended"], count=3, proof=True)
    o, without = check_proofs([o, several(boards, replies)], contenders, RunSettings())
    proved = o.proved
    assert proved is not None
    assert without.proved is not None
    assert without.proved.tolist() == [NO_PROOF] * 8
    certified, refused = [2, 3, 5, 7], [4]
    expected = [CERTIFIED if i in certified else REFUSED if i in refused else NO_PROOF for i in range(8)]
    assert proved.tolist() == expected
    assert list(o.details) == refused
    assert o.details[4].startswith("proof refused: ")


def test_a_checked_proof_counts_as_two_independent_groups() -> None:
    replies = [Reply(0, SAT, RIGHT, complete=True), Reply(0, SAT, RIGHT, complete=True), Reply(0, SAT, RIGHT)]
    o = several([LATIN.open] * 3, replies)
    valid = judge.check(LATIN, o.batch.domains, o.rows["found"], o.solutions)
    evidence, unknown = judge.Evidence.empty(3), CorpusClaims.none(3)
    evidence.add(o, valid, 0)
    evidence.certify(o, np.array([CERTIFIED, REFUSED, NO_PROOF], np.int8))
    assert evidence.certified.given.tolist() == [False, True, False, False]
    assert evidence.certified.quality.number[1] == 2
    assert evidence.agreed().tolist() == [False, True, False, False]
    found = judge.verdicts(o.batch.puzzles, o.rows, valid, 3, unknown, evidence)
    assert found.tolist() == [Verdict.CORRECT, Verdict.UNCERTIFIED, Verdict.UNKNOWN]


@pytest.mark.parametrize(
    ("groups", "agreed"),
    [
        ((0,), False),
        ((0, 1), True),
        ((62, 63), True),
        ((0, 63), True),
        ((5, 5), False),
        ((3, 4), False),
        ((3, 4, 7), True),
    ],
)
def test_agreement_needs_two_independent_groups(groups: tuple[int, ...], agreed: bool) -> None:
    independent = judge.ALL_INDEPENDENT.copy()
    independent[3] &= ~np.uint64(1 << 4)  # 3 and 4 share a component
    independent[4] &= ~np.uint64(1 << 3)
    evidence = judge.Evidence.empty(1, independent)
    for group in groups:
        evidence.add(outcomes(Reply(group, SAT, RIGHT, complete=True)), np.array([2], np.int32), group)
    assert evidence.agreed().tolist() == [False, agreed]
    assert evidence.unconfirmed().tolist() == [False, not agreed]


def stating(solution: Solution, count: int) -> tuple[judge.Evidence, CorpusClaims]:
    """Return evidence and claims of a corpus that states a solution, and that `count` or more exist."""
    evidence = judge.Evidence.empty(1)
    boards = pack(LATIN, [LATIN.open])
    right = evidence.add_claimed(LATIN, np.array([1]), boards, np.array([solution], np.uint16))
    assert right.tolist() == [solution in RIGHT]
    return evidence, CorpusClaims(Stated.of_counts({1: count}, 2), np.array([False, True]))


@pytest.mark.parametrize(("stated", "verdict"), [(RIGHT[0], Verdict.WRONG), (BROKEN, Verdict.CORPUS_WRONG)])
def test_a_stated_solution_is_evidence_only_if_it_is_right(stated: Solution, verdict: Verdict) -> None:
    evidence, known = stating(stated, 1)
    liars = [outcomes(Reply(group, UNSAT, complete=True)) for group in (0, 1)]
    for group, o in enumerate(liars):
        evidence.add(o, np.zeros(1, np.int32), group)
    for o in liars:
        assert judge.verdicts(o.batch.puzzles, o.rows, np.zeros(1, np.int32), 1, known, evidence).tolist() == [verdict]
    assert judge.corpus_wrong(known, evidence).tolist() == [False, stated == BROKEN]


def test_a_solution_both_stated_and_shown_is_counted_once() -> None:
    evidence, _ = stating(RIGHT[0], 1)
    evidence.add(outcomes(Reply(0, SAT, RIGHT[:1])), np.ones(1, np.int32), 0)
    assert evidence.verified.number.tolist() == [0, 1]
    evidence.add(outcomes(Reply(0, SAT, RIGHT)), np.full(1, 2, np.int32), 0)
    assert evidence.verified.number.tolist() == [0, 2]


def test_a_complete_count_of_one_group_is_unconfirmed_unless_more_solutions_are_shown() -> None:
    evidence = judge.Evidence.empty(1)
    evidence.add(outcomes(ONE), np.ones(1, np.int32), 0)
    assert evidence.unconfirmed().tolist() == [False, True]
    evidence.add(outcomes(Reply(1, SAT, RIGHT)), np.full(1, 2, np.int32), 1)
    assert evidence.unconfirmed().tolist() == [False, False]


def test_only_right_definite_answers_are_complete() -> None:
    evidence = judge.Evidence.empty(1)
    for reply in (
        Reply(0, UNKNOWN, RIGHT, complete=True),
        Reply(1, SAT, RIGHT),
        Reply(2, SAT, (BROKEN,), complete=True),
    ):
        o = outcomes(reply)
        evidence.add(o, judge.check(LATIN, o.batch.domains, o.rows["found"], o.solutions), reply.group)
    assert not evidence.complete.given.any()


def test_a_wrong_solution_is_no_evidence() -> None:
    liar = Reply(3, SAT, (BROKEN,))
    assert verdicts([liar, NONE], 1) == [Verdict.WRONG, Verdict.UNCERTIFIED]
    assert verdicts([Reply(3, SAT, (*RIGHT, RIGHT[0])), ONE], 3) == [Verdict.WRONG, Verdict.UNCERTIFIED]


random_replies = st.builds(
    Reply,
    st.integers(0, 2),
    st.sampled_from((SAT, UNSAT, UNKNOWN)),
    st.lists(st.sampled_from((*RIGHT, BROKEN)), max_size=3).map(tuple),
    st.booleans(),
)


@given(st.lists(random_replies, min_size=1, max_size=4))
@settings(max_examples=examples(150), deadline=None, derandomize=True)
def test_every_answer_refuted_by_shown_solutions_is_wrong(replies: list[Reply]) -> None:
    verified: set[Solution] = set()
    for reply in replies:
        if len(set(reply.solutions)) == len(reply.solutions) and BROKEN not in reply.solutions:
            verified |= set(reply.solutions)
    for reply, verdict in zip(replies, verdicts(replies), strict=True):
        invalid = BROKEN in reply.solutions or len(set(reply.solutions)) < len(reply.solutions)
        unknown = reply.status == UNKNOWN
        too_few = reply.complete and not unknown and len(reply.solutions) < len(verified)
        contradictory = (reply.status == SAT and not reply.solutions) or (
            reply.status == UNSAT and bool(reply.solutions)
        )
        assert (verdict == Verdict.WRONG) == (invalid or too_few or contradictory), (reply, verdict)
