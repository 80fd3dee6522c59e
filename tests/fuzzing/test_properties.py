"""Properties of fuzzing on random boards: counting, layouts, reductions, signatures, judging."""

import shlex
from itertools import permutations
from pathlib import Path
from random import Random

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from backends.contract.answer import Reason, Status
from encoders.direct import alldifferent, booleans, channelled
from harness.fuzzing.clausal import clause_problem, clauses_of_problem, enumerate_models
from harness.fuzzing.counting import count
from harness.fuzzing.findings.finding import Case, Finding, parse_entries
from harness.fuzzing.findings.naming import command, path_of, slug
from harness.fuzzing.ground_formulas import extend_to_model, to_clauses
from harness.fuzzing.reducing import reductions as reductions
from harness.fuzzing.reducing.delta_debugging import minimise
from harness.fuzzing.round_judge import RoundJudge
from harness.fuzzing.rounds import layouts
from harness.fuzzing.rounds.boards import Frame, draw_boards
from harness.fuzzing.signature import signature
from harness.judging import judge
from harness.model.outcome import ROW, Verdict, unknown_row
from puzzles.boards.layout import Layout
from puzzles.problem.check import violations
from puzzles.problem.values import Domains, Solution
from tests import boards
from tests.brute_force import solutions
from tests.effort import examples
from tests.fuzzing.test_judge import LATIN, Reply, outcomes, random_replies
from tests.fuzzing.test_parts import one_by_one


@given(boards.boards())
@settings(max_examples=examples(150))
def test_exhaustive_search_finds_exactly_the_solutions(case: tuple[Layout, list[Domains]]) -> None:
    layout, every = case
    for domains in every:
        right = solutions(layout, domains)
        whole = count(layout, domains, len(right) + 1, 100_000, Random(1))
        assert (set(whole.solutions), whole.complete) == (right, True)
        part = count(layout, domains, 2, 100_000)
        assert len(part.solutions) == min(2, len(right))
        hurried = count(layout, domains, 10_000, 3)
        assert set(hurried.solutions) <= right
        assert not hurried.complete or set(hurried.solutions) == right


@given(st.integers(0, 10_000))
@settings(max_examples=examples(80))
def test_random_layouts_are_valid_and_their_variants_have_the_same_solutions(seed: int) -> None:
    random = Random(seed)
    layout = layouts.random_layout(random, "drawn")
    squares = len(layout.squares)
    to = tuple(random.sample(range(squares), squares))
    for form in (
        layout,
        layouts.with_implied_unit(layout, random, "more"),
        layouts.permuted(layout, to, random, "permuted"),
    ):
        assert len(set(form.squares)) == squares
        assert len(set(form.values)) == len(form.values)
        assert all(len(set(unit)) == len(unit) and set(unit) <= set(range(squares)) for unit in form.units)
        move = to if form.name == "permuted" else tuple(range(squares))
        frame = Frame(move, tuple(range(len(layout.values))))
        for solution in count(layout, layout.open, 3, 20_000, random).solutions:
            assert not violations(form, form.open, frame.solution(solution))
            assert frame.to_base(frame.solution(solution)) == solution


@given(st.integers(0, 500), st.integers(0, 9))
@settings(max_examples=examples(25))
def test_boards_of_a_round_fit_their_layouts(seed: int, number: int) -> None:
    for layout, board in draw_boards(seed, number).boards():
        assert len(board.domains) == len(layout.variables)
        assert all(0 <= mask <= layout.full for mask in board.domains)
        assert sorted(board.frame.square_map) == list(range(len(layout.variables)))
        assert sorted(board.frame.value_map) == list(range(len(layout.values)))


@given(boards.boards(), st.randoms(use_true_random=False))
@settings(max_examples=examples(80))
def test_every_reduction_leaves_a_valid_case_and_right_witnesses(
    case: tuple[Layout, list[Domains]], random: Random
) -> None:
    layout, asks = case
    shown = sorted(solutions(layout, asks[-1]))[:2]
    whole = Case("x", layout, tuple(asks), 2, witnesses=tuple(shown))

    def some(n: int, least: int = 0) -> list[int]:
        return sorted(random.sample(range(n), random.randint(min(least, n), n)))

    members = [(u, s) for u, unit in enumerate(layout.units) for s in unit]
    givens = [(i, s) for i, board in enumerate(asks) for s in range(len(board))]
    kept = [
        reductions.with_asks(whole, some(len(asks), 1)),
        reductions.with_squares(whole, some(len(layout.squares), 1)),
        reductions.with_units(whole, [layout.units[u] for u in some(len(layout.units))]),
        reductions.with_members(whole, [members[i] for i in some(len(members))]),
        reductions.with_values(whole, some(len(layout.values), 1)),
        reductions.with_givens(whole, [givens[i] for i in some(len(givens))]),
    ]
    for less in kept:
        assert all(len(board) == len(less.problem.variables) for board in (*less.asks, *less.witnesses))
        assert all(0 <= mask <= less.problem.full for board in less.asks for mask in board)
        assert all(0 <= v < len(less.problem.values) for witness in less.witnesses for v in witness)
        assert all(s < len(less.layout.squares) for unit in less.layout.units for s in unit)
        if less.asks[-1:] != whole.asks[-1:] or less.problem is not whole.problem:
            free = less.problem.open
            assert all(not violations(less.problem, free, w) for w in less.witnesses)


@given(st.sets(st.integers(0, 20), max_size=4), st.integers(2, 5), st.integers(0, 4))
@settings(max_examples=examples(100))
def test_delta_debugging_leaves_a_minimal_failing_part(needed: set[int], modulus: int, odd: int) -> None:
    def fails(some: list[int]) -> bool:
        return needed <= set(some) and (not some or len(some) % modulus != odd)

    everything = list(range(21))
    if not fails(everything):
        return
    left = minimise(everything, one_by_one(fails))
    assert fails(left)
    assert left == sorted(set(left))
    assert not any(fails(left[:i] + left[i + 1 :]) for i in range(len(left)))


details = st.text(st.sampled_from("ab '\"[]{}()0123456789\n:"), max_size=40)


@given(
    st.sampled_from(list(Status)),
    st.sampled_from(list(Reason)),
    st.integers(0, 3),
    st.booleans(),
    details,
    st.booleans(),
)
@settings(max_examples=examples(150))
def test_a_signature_is_one_line_independent_of_numbers(
    status: Status, reason: Reason, found: int, complete: bool, detail: str, decided: bool
) -> None:
    row = np.array([unknown_row(reason, 1, 1)], ROW)[0]
    row["status"], row["found"], row["complete"] = status, found, complete
    for verdict in (Verdict.CORRECT, Verdict.WRONG, Verdict.CORPUS_WRONG):
        how = signature(row, found, verdict, decided, detail)
        digits = signature(row, found, verdict, decided, detail.translate(str.maketrans("123456789", "987654321")))
        assert how is None or (how.isprintable() and (how == digits or reason == Reason.CRASH))
        if verdict == Verdict.WRONG and status != Status.UNKNOWN:
            assert how is not None


@given(st.lists(random_replies, min_size=2, max_size=3))
@settings(max_examples=examples(80))
def test_failures_do_not_depend_on_the_order_of_answers(every: list[Reply]) -> None:
    found = set()
    for order in permutations(range(len(every))):
        round_judge = RoundJudge(1, 3)
        for i in order:
            some = outcomes(every[i])
            round_judge.judge_batch(some, every[i].group)
        failures = round_judge.failures()
        judged = [id(o) for o, *_ in round_judge.judged]
        found.add(frozenset((order[judged.index(id(f.outcomes))], f.signature) for f in failures))
    assert len(found) == 1


@given(st.lists(st.sampled_from([(0, 1, 1, 0), (1, 0, 0, 1), (0, 0, 1, 1), (1, 1, 1, 1)]), max_size=6))
def test_only_right_witnesses_become_evidence(witnesses: list[Solution]) -> None:
    round_judge = RoundJudge(2, 3)
    given_one = (2, *LATIN.open[1:])
    round_judge.add_witnesses(LATIN, {1: LATIN.open, 2: given_one}, {1: witnesses, 2: witnesses})
    right = {w for w in witnesses if not violations(LATIN, LATIN.open, w)}
    assert round_judge.evidence.verified.number.tolist() == [0, len(right), len({w for w in right if w[0] == 1})]


@given(boards.boards())
@settings(max_examples=examples(60))
def test_cp_formulas_written_as_clauses_have_the_solutions_as_models(case: tuple[Layout, list[Domains]]) -> None:
    layout, _ = case
    for formula in (alldifferent(layout), booleans(layout), channelled(layout)):
        bare = to_clauses(formula)
        right = solutions(layout, layout.open)
        everything = solutions(Layout("", layout.squares, layout.values, ()), layout.open)
        for assignment in sorted(everything)[:40]:
            assert (extend_to_model(bare, assignment).model is not None) == (assignment in right)


names = st.text(st.sampled_from("abc:/+ -'\"$;é\n"), min_size=1, max_size=80)


@given(names, names)
@settings(max_examples=examples(100))
def test_file_names_are_plain_and_commands_are_quoted(contender: str, how: str) -> None:
    finding = Finding(Case(contender, LATIN, (LATIN.open,)), how, provenance={"program": [f"x={how}"]})
    path = path_of(finding, Path("a folder"))
    assert path.name.isascii()
    assert set(path.name) <= set("abcdefghijklmnopqrstuvwxyz0123456789-.")
    assert len(slug(contender * 9)) <= 60
    typed = shlex.split(command("shrink", path, finding))
    assert typed == ["python", "-m", "harness", "shrink", str(path), "--program", f"x={how}"]


def test_fingerprints_of_a_formula_s_models_differ() -> None:
    form = clause_problem(((1, 2, 3),))
    shown = np.array(enumerate_models(clauses_of_problem(form) or (), form.open, 9, 1000).solutions, np.uint16)
    assert len(set(judge.fingerprints(shown).tolist())) == 7


@given(
    st.dictionaries(
        st.sampled_from(["squares", "values", "units", "asks", "witnesses", "count", "seconds", "memory", "layout"]),
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
            lambda x: st.lists(x, max_size=4),
        ),
    )
)
@settings(max_examples=examples(100))
def test_entries_of_any_type_are_parsed_or_refused(entries: dict[str, object]) -> None:
    right = {
        **dict.fromkeys(("contender", "signature", "expected", "seen", "blame", "layout"), ""),
        "squares": ["a", "b"],
        "values": ["1", "2"],
        "units": [[0, 1]],
        "asks": [[3, 3]],
        "witnesses": [],
        "count": 1,
        "seconds": 1.0,
        "memory": 0,
    }
    try:
        finding = parse_entries(right | entries)
    except (KeyError, ValueError, TypeError, OverflowError):
        return
    assert finding.case.asks
    assert all(len(board) == len(finding.case.problem.variables) for board in finding.case.asks)
