"""Properties of shared batches, leases and scrambles on random puzzles."""

from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.judging.judge import check
from harness.model.lease import LeaseResult
from harness.model.outcome import ROW, Batch, Outcomes
from harness.model.settings import RunSettings
from harness.running.blocks import Pace, deal
from harness.running.scramble import scrambled, unscrambled
from harness.running.workers.shared_memory import SharedBatch, create_file
from harness.storing.journal import Journal
from puzzles.boards.families import layout
from puzzles.problem.columns import pack
from puzzles.problem.values import Domains, Solution
from tests.brute_force import solutions
from tests.effort import examples
from tests.journals import puzzle

LATIN = layout("latin 3")


@given(st.integers(1, 9), st.integers(1, 9), st.integers(1, 3), st.integers(1, 4), st.integers(0, 99), st.booleans())
@settings(max_examples=examples(60))
def test_views_of_a_shared_batch_do_not_overlap(
    n: int, squares: int, words: int, count: int, seed: int, wide: bool
) -> None:
    board, random = SharedBatch(create_file()), np.random.default_rng(seed)
    for _ in range(2):
        board.map_batch(n, squares, words, count, np.uint32 if wide else np.uint16)
        parts = (board.progress, board.domains, board.rows.view(np.uint8), board.solutions)
        kept = []
        for part in parts:
            part[...] = random.integers(0, 200, part.shape).astype(part.dtype)
            kept.append(part.copy())
        assert all((part == copy).all() for part, copy in zip(parts, kept, strict=True))
        n, count = n + 1, count + 1


@given(st.integers(1, 60), st.integers(1, 4), st.integers(1, 3), st.integers(0, 99), st.randoms())
@settings(max_examples=examples(60))
def test_leases_ask_every_contender_every_puzzle_once_and_a_resume_asks_the_rest(
    n: int, contenders: int, repeats: int, seed: int, random: Random
) -> None:
    asked = RunSettings(repeats=repeats, seed=seed)
    with TemporaryDirectory() as folder, Journal.create(Path(folder, "j.sqlite")) as journal:
        journal.corpora.add("made", [puzzle(i) for i in range(n)])
        pace = Pace(n, contenders)
        leases = []
        for lease in deal(journal.instances.block, journal.instances.parts(), [], set(), asked, pace):
            leases.append(lease)
            pace.update(LeaseResult(lease, 1, 0, random.choice((1, 10**9, 10**11)), ()))
            assert len(lease.block.puzzles) <= max(1, n // 16)
        every = [(b.contender, b.repeat, p) for lease in leases for b in lease.batches() for p in b.puzzles.tolist()]
        assert len(every) == len(set(every)) == n * contenders * repeats
        assert [lease.repeat for lease in leases] == sorted(lease.repeat for lease in leases)
        done = [lease for lease in leases if random.random() < 0.5]
        known = {(x.block.number, int(x.block.puzzles[0]), int(x.block.puzzles[-1])) for x in done}
        spans = sorted(known, key=lambda span: span[1])
        rest = list(
            deal(
                journal.instances.block,
                journal.instances.parts(),
                spans,
                {(x.block.number, x.repeat) for x in done},
                asked,
                pace,
            )
        )
        again = [(b.contender, b.repeat, p) for x in [*done, *rest] for b in x.batches() for p in b.puzzles.tolist()]
        assert sorted(again) == sorted(every)


@given(st.lists(st.tuples(*[st.integers(1, 7)] * 9), min_size=1, max_size=5), st.integers(0, 99), st.integers(0, 3))
@settings(max_examples=examples(60))
def test_unscrambling_restores_the_batch_and_valid_solutions(every: list[Domains], seed: int, repeat: int) -> None:
    asked = Batch(0, repeat, LATIN, np.arange(1, len(every) + 1), pack(LATIN, every), len(every))
    turned = scrambled(asked, seed)
    right: list[list[Solution]] = [sorted(solutions(LATIN, d)) for d in every]
    answers = [sorted(solutions(LATIN, tuple(d[:, 0].tolist()))) for d in turned.domains]
    assert list(map(len, right)) == list(map(len, answers))
    rows = np.zeros(len(every), ROW)
    rows["found"] = list(map(len, answers))
    shown = np.array([s for some in answers for s in some], np.uint16).reshape(-1, 9)
    back = unscrambled(Outcomes(turned, rows, shown, {}), seed)
    assert back.batch.domains.tolist() == asked.domains.tolist()
    assert check(LATIN, asked.domains, rows["found"], back.solutions).tolist() == rows["found"].tolist()
