"""Properties of the harness on random puzzles and outcomes: journals, leases, statistics, tables.

Long because many parts of the harness have a property here, and most draw from the same puzzles and outcomes.
"""

import csv
import io
import itertools
import statistics
from collections.abc import Sequence
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from backends.answer import COUNTERS, Reason, Status
from harness.judging.judge import check
from harness.judging.merging import merge
from harness.model.contender import resolve
from harness.model.errors import BadUsage
from harness.model.lease import Block, Lease, LeaseResult
from harness.model.outcome import PHASES, ROW, Batch, Judged, Outcomes, Verdict
from harness.model.settings import RunSettings
from harness.reporting import statistics as stats
from harness.reporting import tables
from harness.reporting.golden import POSSIBLE, difference
from harness.run import Run
from harness.running.dealer import Pace, deal
from harness.running.scramble import scrambled, unscrambled
from harness.running.shared_memory import SharedBatch, create_file
from harness.storing.journal import Journal
from puzzles.columns import pack
from puzzles.families import layout
from puzzles.layout import Domains, Puzzle, Solution
from tests import boards
from tests.brute_force import solutions
from tests.journals import BOARD, SOLUTION, contender, make, puzzle

LATIN = layout("latin 3")


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
@settings(max_examples=40)
def test_puzzles_survive_a_journal_round_trip(every: list[Puzzle]) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder, "j.sqlite")
        with Journal.create(path) as journal:
            assert journal.add_corpus("corpus", every) == len(every)
        with Journal.open(path) as journal:
            for number, one in enumerate(every, 1):
                back = journal.puzzle(number)
                assert back.problem.key == one.problem.key
                assert (back.name, back.domains, back.count, back.at_least, back.solution) == (
                    *(one.name, one.domains, one.count, one.at_least, one.solution),
                )
            block = journal.block(1, 1, len(every))
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
@settings(max_examples=50)
def test_outcomes_survive_a_journal_round_trip(case: tuple[list[Puzzle], Outcomes]) -> None:
    every, outcomes = case
    n = len(outcomes.rows)
    with TemporaryDirectory() as folder, Journal.create(Path(folder, "j.sqlite")) as journal:
        journal.add_corpus("corpus", every)
        journal.add_contenders([contender("one")])
        verdict = np.full(n, Verdict.UNKNOWN, np.int8)
        block = Block(1, outcomes.batch.problem, outcomes.batch.puzzles, outcomes.batch.domains)
        result = LeaseResult(Lease(block, outcomes.batch.repeat, (0,)), 1, 0, 1, (outcomes,))
        journal.add(result, [Judged(outcomes, np.zeros(n, np.int32), np.full(n, -1, np.int8), verdict)])
        (back,) = journal.stored_outcomes()
        assert back.rows.tolist() == outcomes.rows.tolist()
        assert back.solutions.tolist() == outcomes.solutions.tolist()
        assert back.batch.domains.tolist() == outcomes.batch.domains.tolist()
        assert (back.batch.repeat, back.batch.puzzles.tolist()) == (outcomes.batch.repeat, list(range(1, n + 1)))
        alone = [stored.solutions.tolist() for p in range(1, n + 1) for stored in journal.stored_outcomes(puzzle=p)]
        assert list(itertools.chain(*alone)) == outcomes.solutions.tolist()


@given(st.integers(1, 9), st.integers(1, 9), st.integers(1, 3), st.integers(1, 4), st.integers(0, 99), st.booleans())
@settings(max_examples=60)
def test_views_of_a_shared_batch_do_not_overlap(
    n: int, squares: int, words: int, count: int, seed: int, wide: bool
) -> None:
    board, random = SharedBatch(create_file()), np.random.default_rng(seed)
    for _ in range(2):
        board.map_batch(n, squares, words, count, np.uint32 if wide else np.uint16)
        parts = (board.pulse, board.domains, board.rows.view(np.uint8), board.solutions)
        kept = []
        for part in parts:
            part[...] = random.integers(0, 200, part.shape).astype(part.dtype)
            kept.append(part.copy())
        assert all((part == copy).all() for part, copy in zip(parts, kept, strict=True))
        n, count = n + 1, count + 1


@given(st.integers(1, 60), st.integers(1, 4), st.integers(1, 3), st.integers(0, 99), st.randoms())
@settings(max_examples=60)
def test_leases_ask_every_contender_every_puzzle_once_and_a_resume_asks_the_rest(
    n: int, contenders: int, repeats: int, seed: int, random: Random
) -> None:
    asked = RunSettings(repeats=repeats, seed=seed)
    with TemporaryDirectory() as folder, Journal.create(Path(folder, "j.sqlite")) as journal:
        journal.add_corpus("made", [puzzle(i) for i in range(n)])
        pace = Pace(n, contenders)
        leases = []
        for lease in deal(journal.block, [], set(), asked, pace):
            leases.append(lease)
            pace.update(LeaseResult(lease, 1, 0, random.choice((1, 10**9, 10**11)), ()))
            assert len(lease.block.puzzles) <= max(1, n // 16)
        every = [(b.contender, b.repeat, p) for lease in leases for b in lease.batches() for p in b.puzzles.tolist()]
        assert len(every) == len(set(every)) == n * contenders * repeats
        assert [lease.repeat for lease in leases] == sorted(lease.repeat for lease in leases)
        done = [lease for lease in leases if random.random() < 0.5]
        known = {(x.block.number, int(x.block.puzzles[0]), int(x.block.puzzles[-1])) for x in done}
        spans = sorted(known, key=lambda span: span[1])
        rest = list(deal(journal.block, spans, {(x.block.number, x.repeat) for x in done}, asked, pace))
        again = [(b.contender, b.repeat, p) for x in [*done, *rest] for b in x.batches() for p in b.puzzles.tolist()]
        assert sorted(again) == sorted(every)


@given(st.lists(st.tuples(*[st.integers(1, 7)] * 9), min_size=1, max_size=5), st.integers(0, 99), st.integers(0, 3))
@settings(max_examples=60)
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


keyed = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 1 << 50)), min_size=1, max_size=30)


@given(keyed)
@settings(max_examples=100)
def test_median_by_computes_the_median_of_each_key(pairs: list[tuple[int, int]]) -> None:
    keys, values = np.array(pairs, np.int64).T
    expected = [statistics.median(v for k, v in pairs if k == key) for key in sorted({k for k, _ in pairs})]
    np.testing.assert_allclose(stats.median_by(keys, values), expected)


times = st.lists(st.floats(1e-6, 1e3), min_size=3, max_size=12)


@given(times, st.floats(0.1, 10), st.integers(0, 9))
@settings(max_examples=60)
def test_paired_ratio_scales_with_a_factor_and_inverts_with_swapped_sides(
    before: list[float], factor: float, seed: int
) -> None:
    x = np.array(before)
    y = x * np.exp(np.random.default_rng(seed).normal(0, 0.2, len(x)))
    there = stats.paired_ratio(x, y, np.arange(len(x)), draws=200)
    slower = stats.paired_ratio(x, y * factor, np.arange(len(x)), draws=200)
    back = stats.paired_ratio(y, x, np.arange(len(x)), draws=200)
    assert there.low <= there.log <= there.high
    np.testing.assert_allclose(
        [slower.log, slower.low, slower.high], np.log(factor) + np.array([there.log, there.low, there.high]), atol=1e-9
    )
    np.testing.assert_allclose([back.log, back.low, back.high], [-there.log, -there.high, -there.low], atol=1e-9)


@given(st.lists(st.lists(st.none() | st.floats(0.001, 9), min_size=4, max_size=4), min_size=1, max_size=4))
@settings(max_examples=100)
def test_a_portfolio_is_as_good_as_its_best_member_and_within_the_best_times(every: list[list[float | None]]) -> None:
    found = np.array([[np.nan if t is None else t for t in row] for row in every])
    virtual = stats.portfolio(found, limit=10)
    alone = [stats.par(row[~np.isnan(row)], 4, 10, 2) for row in found]
    assert all(virtual.best <= (mean or 0) + 1e-12 for mean in alone)
    assert virtual.best >= np.nanmin(np.where(np.isnan(found), 20, found), axis=0).mean() - 1e-12
    assert (virtual.worth >= -1e-12).all()
    assert virtual.wins.sum() == (~np.isnan(found)).any(axis=0).sum()
    assert (virtual.alone <= virtual.wins).all()


verdicts = st.lists(st.sampled_from(["right", "undecided", "crashed", "unsatisfiable"]), min_size=6, max_size=6)


def special(kinds: Sequence[str]) -> dict[str, list[int]]:
    return {kind: [i for i, k in enumerate(kinds) if k == kind] for kind in ("undecided", "crashed", "unsatisfiable")}


def judged(path: Path) -> dict[str, Any]:
    """Return the summary of a journal after judging it again."""
    with Journal.open(path, write=True) as journal:
        made = Run(journal).rejudge(write=True)
        made.finish("complete")
        return made.summary()


@given(st.lists(verdicts, min_size=1, max_size=3))
@settings(max_examples=25)
def test_a_summary_counts_each_puzzle_once_and_every_refuted_answer_as_wrong(every: list[list[str]]) -> None:
    with TemporaryDirectory() as folder:
        names = [f"c{i}" for i in range(len(every))]
        odd = {name: special(kinds) for name, kinds in zip(names, every, strict=True)}
        path = make(Path(folder, "j.sqlite"), {name: np.full((1, 6), 0.5) for name in names}, odd=odd)
        summary = judged(path)
    solved = [any(kinds[i] == "right" for kinds in every) for i in range(6)]
    for entry, kinds in zip(summary["contenders"], every, strict=True):
        parts = ("solved", "unsatisfiable", "unknown", "timeout", "memory", "error", "wrong")
        assert sum(entry[part] for part in parts) == 6
        assert entry["wrong"] == sum(k == "unsatisfiable" and solved[i] for i, k in enumerate(kinds))
        assert (entry["timeout"], entry["error"]) == (kinds.count("undecided"), kinds.count("crashed"))


@given(verdicts, verdicts)
@settings(max_examples=12)
def test_merging_is_symmetric(left: list[str], right: list[str]) -> None:
    agreements = []
    with TemporaryDirectory() as folder:
        paths = [
            make(Path(folder, f"{name}.sqlite"), {name: np.full((1, 6), 0.5)}, odd={name: special(kinds)})
            for name, kinds in (("a", left), ("b", right))
        ]
        for turn, order in enumerate((paths, paths[::-1])):
            with (
                Journal.open(order[0]) as a,
                Journal.open(order[1]) as b,
                merge(a, b, Path(folder, f"{turn}.sqlite")) as journal,
            ):
                summary = Run(journal).rejudge().summary()
            agreement = summary["agreement"]
            blamed = sorted((d["puzzle"], sorted(d["contenders"]), d["why"]) for d in agreement.pop("disagreements"))
            agreements.append((agreement, blamed, summary["exit"]))
    assert agreements[0] == agreements[1]


counts = st.sampled_from(list(POSSIBLE))


@given(st.lists(st.tuples(counts, counts), min_size=1, max_size=6))
@settings(max_examples=80)
def test_a_golden_file_keeps_its_counts_and_reports_change_only_on_contradiction(pairs: list[tuple[str, str]]) -> None:
    old, new = (
        [{"puzzle": f"p:{i}", "hash": str(i), "count": pair[k], "status": ""} for i, pair in enumerate(pairs)]
        for k in (0, 1)
    )
    found = difference(old, new)
    against = [(was, now) for was, now in pairs if not POSSIBLE[was] & POSSIBLE[now]]
    assert len(found.changed) == len(against)
    assert len(found.changed) + len(found.weaker) + len(found.stronger) == sum(a != b for a, b in pairs)
    for entry, (was, now) in zip(found.kept, pairs, strict=True):
        assert POSSIBLE[entry["count"]] == (POSSIBLE[was] & POSSIBLE[now] or POSSIBLE[now])
    again = difference(found.kept, found.kept)
    assert [again.changed, again.weaker, again.stronger] == [[], [], []]


@given(st.floats(1e-9, 1e5), st.floats(1e-9, 1e5))
@settings(max_examples=200)
def test_times_are_displayed_within_half_a_percent_and_in_order(a: float, b: float) -> None:
    scale = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9}

    def shown(value: float) -> float:
        digits, unit = tables.format_seconds(value).replace(",", "").split()
        return float(digits) * scale[unit]

    low, high = sorted((a, b))
    assert shown(low) <= shown(high) * 1.0000001
    for value in (a, b):
        assert abs(shown(value) - value) <= max(0.0051 * value, 0.5e-9)


cells = st.text(st.characters(codec="ascii", exclude_characters='"\r\n\\', exclude_categories=["Cc"]), max_size=9)


@given(st.lists(st.tuples(cells, cells, cells), min_size=1, max_size=4))
@settings(max_examples=80)
def test_a_table_keeps_its_cells_apart_in_every_format(rows: list[tuple[str, str, str]]) -> None:
    headers = ("a", "b", "c")
    back = list(csv.reader(io.StringIO(tables.format_table(headers, rows, "csv"))))
    assert [tuple(line) for line in back] == [headers, *rows]
    lines = tables.format_table(headers, rows, "markdown").splitlines()
    assert len(lines) == 2 + len(rows)
    assert {line.replace("\\|", "").count("|") for line in lines} == {4}


parts = st.sampled_from(["native", "pysat", "cpsat", "minisat22", "extended", "*", "ladder", "warm", "x", "[", "é", ""])


@given(st.lists(st.tuples(parts, st.sampled_from([":", "/", "+", "@", ""])), min_size=1, max_size=5), st.integers(1, 2))
@settings(max_examples=200)
def test_any_pattern_gives_contenders_with_resolvable_names_or_bad_usage(
    words: list[tuple[str, str]], count: int
) -> None:
    text = "".join(a + b for a, b in words)
    try:
        found, _ = resolve([text], count)
    except BadUsage as e:
        refused = str(e)
    else:
        refused = ""
        for one in Random(1).sample(found, min(len(found), 3)):
            assert resolve([one.name], count)[0] == (one,)
    assert "\n" not in refused


def test_the_puzzles_of_synthetic_journals_have_their_solution() -> None:
    assert SOLUTION in solutions(BOARD, puzzle(3).domains)
