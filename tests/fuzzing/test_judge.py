"""The judge against a plain reading of its own rules, on outcomes made up at random."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backends import registry
from backends.answer import Ask, Reason, Status
from encoders.cnf import extended
from harness.fuzzing.counting import count
from harness.judging import judge
from harness.model.claims import CorpusClaims
from harness.model.outcome import CERTIFIED, NO_PROOF, REFUSED, ROW, Batch, Outcomes, Verdict, unknown_row
from puzzles.columns import pack
from puzzles.families import layout
from puzzles.layout import Domains, Solution

LATIN = layout("latin 2")
RIGHT: tuple[Solution, ...] = ((0, 1, 1, 0), (1, 0, 0, 1))
BROKEN: Solution = (0, 0, 1, 1)


@dataclass(frozen=True)
class Said:
    """What one contender says of the empty Latin square of order 2, which has two solutions."""

    voice: int
    status: Status
    shown: tuple[Solution, ...] = ()
    complete: bool = False
    reason: Reason = Reason.NONE


def outcomes(said: Said) -> Outcomes:
    rows = np.array([unknown_row(said.reason, 1, 1)], ROW)
    rows["status"], rows["found"], rows["complete"] = said.status, len(said.shown), said.complete
    batch = Batch(0, 0, LATIN, np.array([1]), pack(LATIN, [LATIN.open]), 1)
    return Outcomes(batch, rows, np.array(said.shown, np.uint16).reshape(-1, 4), {})


def verdicts(every: Sequence[Said], count: int = 3, known: int = -1, at_least: bool = False) -> list[Verdict]:
    evidence = judge.Evidence.empty(1)
    heard = []
    for said in every:
        o = outcomes(said)
        valid = judge.check(LATIN, o.batch.domains, o.rows["found"], o.solutions)
        evidence.add(o, valid, said.voice)
        heard.append((o, valid))
    claim = CorpusClaims(np.array([-1, known], np.int32), np.array([False, at_least]))
    found = (judge.verdicts(o.batch.puzzles, o.rows, v, count, claim, evidence)[0] for o, v in heard)
    return [Verdict(int(v)) for v in found]


SAT, UNSAT, UNKNOWN = Status.SATISFIABLE, Status.UNSATISFIABLE, Status.UNKNOWN
BOTH, ONE = Said(0, SAT, RIGHT, complete=True), Said(1, SAT, RIGHT[:1], complete=True)
NONE = Said(2, UNSAT, complete=True)


@pytest.mark.parametrize(
    ("said", "count", "known", "at_least", "verdict"),
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
        (Said(0, SAT, RIGHT), 2, -1, False, Verdict.CORRECT),
        (Said(0, SAT, RIGHT[:1]), 1, -1, False, Verdict.CORRECT),
        (Said(0, SAT, RIGHT[:1]), 2, -1, False, Verdict.UNKNOWN),
        (Said(0, SAT, (RIGHT[0], RIGHT[0])), 2, -1, False, Verdict.WRONG),
        (Said(0, SAT, (BROKEN,)), 1, -1, False, Verdict.WRONG),
        (Said(0, SAT, (RIGHT[0], BROKEN)), 2, -1, False, Verdict.WRONG),
        (Said(0, SAT), 1, -1, False, Verdict.WRONG),
        (Said(0, UNSAT, RIGHT[:1], complete=True), 1, -1, False, Verdict.WRONG),
        (Said(0, UNKNOWN, reason=Reason.TIMEOUT), 1, -1, False, Verdict.UNKNOWN),
        (Said(0, UNKNOWN, reason=Reason.STUCK), 1, 2, False, Verdict.UNKNOWN),
        (Said(0, UNKNOWN, reason=Reason.CRASH), 1, -1, False, Verdict.ERROR),
        (Said(0, UNKNOWN, reason=Reason.ERROR), 1, 2, False, Verdict.ERROR),
    ],
)
def test_one_word_is_judged_by_what_is_claimed(
    said: Said, count: int, known: int, at_least: bool, verdict: Verdict
) -> None:
    assert verdicts([said], count, known, at_least) == [verdict]


def test_whoever_says_complete_with_fewer_than_are_shown_is_wrong() -> None:
    assert verdicts([BOTH, ONE, NONE]) == [Verdict.UNCERTIFIED, Verdict.WRONG, Verdict.WRONG]
    other = Said(1, SAT, RIGHT[1:], complete=True)
    assert verdicts([ONE, other]) == [Verdict.WRONG, Verdict.WRONG]


def test_two_voices_that_agree_refute_a_claim_of_more_and_one_voice_does_not() -> None:
    again = Said(1, SAT, RIGHT, complete=True)
    assert verdicts([BOTH, again], 4, known=3) == [Verdict.CORPUS_WRONG] * 2
    assert verdicts([BOTH, Said(0, SAT, RIGHT, complete=True)], 4, known=3) == [Verdict.WRONG] * 2


def test_two_voices_that_agree_with_a_claim_do_not_refute_it() -> None:
    assert verdicts([BOTH, Said(1, SAT, RIGHT, complete=True)], known=2) == [Verdict.CORRECT] * 2


def test_two_voices_that_find_none_refute_a_claim_of_one() -> None:
    board = [Said(voice, UNSAT, complete=True) for voice in (0, 1)]
    assert verdicts(board, known=1) == [Verdict.CORPUS_WRONG] * 2


def test_different_solutions_have_different_fingerprints() -> None:
    four = layout("sudoku 2x2")
    every = count(four, four.open, 1000, 1_000_000).solutions
    assert len(set(judge.fingerprints(np.array(every, np.uint16)).tolist())) == len(every) == 288


def test_solutions_belong_to_their_puzzles_where_a_batch_has_several() -> None:
    shown = (*RIGHT, RIGHT[1], RIGHT[0])  # two of the first puzzle, none of the second, one each of two more
    rows = np.array([unknown_row(Reason.NONE, 1, 1)] * 4, ROW)
    rows["status"], rows["found"] = [SAT, UNKNOWN, SAT, SAT], [2, 0, 1, 1]
    batch = Batch(0, 0, LATIN, np.arange(1, 5), pack(LATIN, [LATIN.open] * 4), 4)
    o = Outcomes(batch, rows, np.array(shown, np.uint16), {})
    valid = judge.check(LATIN, batch.domains, rows["found"], o.solutions)
    assert valid.tolist() == [2, 0, 1, 1]
    evidence = judge.Evidence.empty(4)
    evidence.add(o, valid, 0)
    evidence.add(o, valid, 1)
    assert evidence.shown.tolist() == [0, 2, 0, 1, 1]
    swapped = Outcomes(batch, rows, np.array([*RIGHT, RIGHT[0], RIGHT[0]], np.uint16), {})
    evidence.add(swapped, valid, 2)
    assert evidence.shown.tolist() == [0, 2, 0, 2, 1]


def several(boards: Sequence[Domains], said: Sequence[Said]) -> Outcomes:
    """What one contender says of these boards, the first of which is puzzle 1."""
    rows = np.array([unknown_row(s.reason, 1, 1) for s in said], ROW)
    rows["status"], rows["found"] = [s.status for s in said], [len(s.shown) for s in said]
    rows["complete"] = [s.complete for s in said]
    batch = Batch(0, 0, LATIN, np.arange(1, len(said) + 1), pack(LATIN, boards), len(said))
    return Outcomes(batch, rows, np.array([s for one in said for s in one.shown], np.uint16).reshape(-1, 4), {})


def test_one_solution_that_is_wrong_or_shown_twice_leaves_an_outcome_nothing() -> None:
    shown = [(), RIGHT, (RIGHT[0], BROKEN), RIGHT[:1], (RIGHT[1], RIGHT[1]), (BROKEN,), RIGHT[1:]]
    o = several([LATIN.open] * len(shown), [Said(0, SAT, s) for s in shown])
    assert judge.check(LATIN, o.batch.domains, o.rows["found"], o.solutions).tolist() == [0, 2, -1, 1, -1, -1, 1]


def test_each_proof_is_held_against_its_own_puzzle_and_its_own_solutions() -> None:
    given, clash = (1, 3, 3, 3), (1, 1, 3, 3)
    boards = [LATIN.open, LATIN.open, LATIN.open, given, LATIN.open, clash, given, clash]
    said = [
        Said(0, SAT, RIGHT),  # not complete: its proof is nothing
        Said(0, SAT, (RIGHT[0], BROKEN), complete=True),  # wrong: the same
        Said(0, SAT, RIGHT, complete=True),
        Said(0, SAT, RIGHT[:1], complete=True),
        Said(0, SAT, RIGHT[1:], complete=True),  # one is missing: no proof of it holds
        Said(0, UNSAT, complete=True),
        Said(0, SAT, RIGHT[:1], complete=True),  # gives none
        Said(0, UNSAT, complete=True),
    ]
    o = several(boards, said)
    assert judge.check_proofs(o, np.zeros(8, np.int32), lambda _: extended(LATIN)).tolist() == [NO_PROOF] * 8
    backend = registry.find("pysat:cadical195")
    for i, board in enumerate(boards):
        proof = backend.open(extended(LATIN)).ask(Ask(board, 3, proof=True)).proof
        assert proof is not None
        o.proofs[i] = proof
    del o.proofs[6]
    valid = judge.check(LATIN, o.batch.domains, o.rows["found"], o.solutions)
    proved = judge.check_proofs(o, valid, lambda _: extended(LATIN))
    certified, refused = [2, 3, 5, 7], [4]
    expected = [CERTIFIED if i in certified else REFUSED if i in refused else NO_PROOF for i in range(8)]
    assert proved.tolist() == expected
    assert list(o.details) == refused
    assert o.details[4].startswith("proof refused: ")


def test_a_checked_proof_certifies_as_two_independent_voices_do() -> None:
    said = [Said(0, SAT, RIGHT, complete=True), Said(0, SAT, RIGHT, complete=True), Said(0, SAT, RIGHT)]
    o = several([LATIN.open] * 3, said)
    valid = judge.check(LATIN, o.batch.domains, o.rows["found"], o.solutions)
    evidence, unknown = judge.Evidence.empty(3), CorpusClaims(np.full(4, -1, np.int32), np.zeros(4, np.bool_))
    evidence.add(o, valid, 0)
    evidence.certify(o, np.array([CERTIFIED, REFUSED, NO_PROOF], np.int8))
    assert evidence.certified.tolist() == [-1, 2, -1, -1]
    assert evidence.agreed().tolist() == [False, True, False, False]
    found = judge.verdicts(o.batch.puzzles, o.rows, valid, 3, unknown, evidence)
    assert found.tolist() == [Verdict.CORRECT, Verdict.UNCERTIFIED, Verdict.UNKNOWN]


@pytest.mark.parametrize(
    ("heard", "agreed"),
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
def test_voices_agree_where_two_of_them_are_independent(heard: tuple[int, ...], agreed: bool) -> None:
    independent = judge.ALL_INDEPENDENT.copy()
    independent[3] &= ~np.uint64(1 << 4)  # these two share something
    independent[4] &= ~np.uint64(1 << 3)
    evidence = judge.Evidence.empty(1, independent)
    for voice in heard:
        evidence.add(outcomes(Said(voice, SAT, RIGHT, complete=True)), np.array([2], np.int32), voice)
    assert evidence.agreed().tolist() == [False, agreed]
    assert evidence.unconfirmed().tolist() == [False, not agreed]


def stating(solution: Solution, count: int) -> tuple[judge.Evidence, CorpusClaims]:
    """What is known of a corpus that states one solution of the empty square and that there are `count`."""
    evidence = judge.Evidence.empty(1)
    boards = pack(LATIN, [LATIN.open])
    right = evidence.add_claimed(LATIN, np.array([1]), boards, np.array([solution], np.uint16))
    assert right.tolist() == [solution in RIGHT]
    return evidence, CorpusClaims(np.array([-1, count], np.int32), np.array([False, True]))


@pytest.mark.parametrize(("stated", "verdict"), [(RIGHT[0], Verdict.WRONG), (BROKEN, Verdict.CORPUS_WRONG)])
def test_a_solution_that_the_corpus_states_is_evidence_once_it_is_checked(stated: Solution, verdict: Verdict) -> None:
    evidence, known = stating(stated, 1)
    liars = [outcomes(Said(voice, UNSAT, complete=True)) for voice in (0, 1)]
    for voice, o in enumerate(liars):
        evidence.add(o, np.zeros(1, np.int32), voice)
    for o in liars:
        assert judge.verdicts(o.batch.puzzles, o.rows, np.zeros(1, np.int32), 1, known, evidence).tolist() == [verdict]
    assert judge.corpus_wrong(known, evidence).tolist() == [False, stated == BROKEN]


def test_a_stated_solution_and_the_same_one_shown_are_one() -> None:
    evidence, _ = stating(RIGHT[0], 1)
    evidence.add(outcomes(Said(0, SAT, RIGHT[:1])), np.ones(1, np.int32), 0)
    assert evidence.shown.tolist() == [0, 1]
    evidence.add(outcomes(Said(0, SAT, RIGHT)), np.full(1, 2, np.int32), 0)
    assert evidence.shown.tolist() == [0, 2]


def test_a_complete_count_of_one_voice_is_unconfirmed_and_fewer_than_are_shown_are_not_even_that() -> None:
    evidence = judge.Evidence.empty(1)
    evidence.add(outcomes(ONE), np.ones(1, np.int32), 0)
    assert evidence.unconfirmed().tolist() == [False, True]
    evidence.add(outcomes(Said(1, SAT, RIGHT)), np.full(1, 2, np.int32), 1)
    assert evidence.unconfirmed().tolist() == [False, False]


def test_only_an_answer_claims_to_be_complete() -> None:
    evidence = judge.Evidence.empty(1)
    for said in (Said(0, UNKNOWN, RIGHT, complete=True), Said(1, SAT, RIGHT), Said(2, SAT, (BROKEN,), complete=True)):
        o = outcomes(said)
        evidence.add(o, judge.check(LATIN, o.batch.domains, o.rows["found"], o.solutions), said.voice)
    assert evidence.complete_count.tolist() == [-1, -1]


def test_a_wrong_solution_is_no_evidence() -> None:
    liar = Said(3, SAT, (BROKEN,))
    assert verdicts([liar, NONE], 1) == [Verdict.WRONG, Verdict.UNCERTIFIED]
    assert verdicts([Said(3, SAT, (*RIGHT, RIGHT[0])), ONE], 3) == [Verdict.WRONG, Verdict.UNCERTIFIED]


words = st.builds(
    Said,
    st.integers(0, 2),
    st.sampled_from((SAT, UNSAT, UNKNOWN)),
    st.lists(st.sampled_from((*RIGHT, BROKEN)), max_size=3).map(tuple),
    st.booleans(),
)


@given(st.lists(words, min_size=1, max_size=4))
@settings(max_examples=300, deadline=None, derandomize=True)
def test_nobody_who_is_refuted_by_solutions_shown_is_spared(every: list[Said]) -> None:
    shown: set[Solution] = set()
    for said in every:
        if len(set(said.shown)) == len(said.shown) and BROKEN not in said.shown:
            shown |= set(said.shown)
    for said, verdict in zip(every, verdicts(every), strict=True):
        bad = BROKEN in said.shown or len(set(said.shown)) < len(said.shown)
        mute = said.status == UNKNOWN
        few = said.complete and not mute and len(said.shown) < len(shown)
        odd = (said.status == SAT and not said.shown) or (said.status == UNSAT and bool(said.shown))
        assert (verdict == Verdict.WRONG) == (bad or few or odd), (said, verdict)
