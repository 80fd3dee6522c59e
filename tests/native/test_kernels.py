"""The compiled 9x9 kernels against independent solvers: boards with none, one and several solutions."""

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from importlib.metadata import version
from itertools import combinations
from pathlib import Path
from platform import machine
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backends.contract import registry
from backends.contract.answer import Answers, Ask, Asks, Reason, Session, Status
from backends.native import VERSION, python
from backends.native.sudoku import search9
from backends.native.sudoku.kernel9 import Session9
from backends.native.sudoku.sudoku9 import is_sudoku9
from encoders.formula import AllDifferent, Unsupported
from puzzles.boards.families import layout
from puzzles.problem.check import violations
from puzzles.problem.columns import pack
from puzzles.problem.values import Domains, Solution
from tests.conftest import WITHOUT_NUMBA
from tests.effort import examples
from tests.native.boards import FORMULA, NINE, nine

ROOT = Path(__file__).resolve().parent.parent.parent
NAMES = ("native:kernel", "native:batch")
GRID = "693784512487512936125963874932651487568247391741398625319475268856129743274836159"
SEVENTEEN = nine("000000010400000000020000000000050407008000300001090000300400200050100000000806000".replace("0", "."))
EMPTY = NINE.open
MANY_GUESSES = nine("..3..2...4...8..36..8...1...4..6..73...9..........4.....4.7..686........7.....59.")
HARDEST = (ROOT / "puzzles" / "corpora" / "hardest.txt").read_text().splitlines()


@pytest.fixture(scope="module", params=NAMES)
def kernel(request: pytest.FixtureRequest) -> Session9:
    session = registry.find(request.param).open(FORMULA)
    assert isinstance(session, Session9)
    return session


@pytest.fixture(scope="module", autouse=True)
def taking_turns() -> Iterator[None]:
    """On any machine, let two searches of native:batch take turns."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(search9, "ONE_REGISTER", True)
        yield


def ask_boards(kernel: Session9, boards: list[Domains], count: int = 2, **limits: int) -> Answers:
    return kernel.ask_many(Asks(pack(NINE, boards), count, **limits))


def by_puzzle(answers: Answers) -> list[list[Solution]]:
    """Return the solutions of each puzzle."""
    rows = [tuple(row) for row in answers.solutions.tolist()]
    ends = np.cumsum(answers.found).tolist()
    return [rows[end - n : end] for n, end in zip(answers.found.tolist(), ends, strict=True)]


def reference_solutions(board: Domains, limit: int) -> set[Solution]:
    """Return up to `limit` solutions found by the reference."""
    session = python.open(FORMULA)
    answer = session.ask(Ask(board, limit, seconds=60))
    assert answer.complete or len(answer.solutions) == limit
    return set(answer.solutions)


def partial_board(random: Random, givens: int, extra: int, random_given: bool) -> Domains:
    """Return GRID with some givens, elsewhere `extra` random candidates beside the right one (0: all).

    `random_given` replaces one square by a random given, which is mostly wrong.
    """
    board: list[tuple[int, int]] = []
    for s in random.sample(range(81), 81):
        right = int(GRID[s]) - 1
        also = sum(1 << v for v in random.sample(range(9), extra)) if extra else NINE.full
        board.append((s, 1 << right if len(board) < givens else 1 << right | also))
    domains = [d for _, d in sorted(board)]
    if random_given:
        s = random.randrange(81)
        domains[s] = 1 << random.randrange(9)
    return tuple(domains)


@given(st.integers(0, 1 << 30), st.sampled_from([0, 2, 3, 4, 5]), st.booleans())
@settings(max_examples=examples(150), deadline=None)
def test_solutions_agree_with_the_reference(seed: int, extra: int, random_given: bool) -> None:
    random = Random(seed)
    board = partial_board(random, random.randint(20, 40) if not extra else random.randint(0, 30), extra, random_given)
    expected = reference_solutions(board, 30)
    for name in NAMES:
        answer = registry.find(name).open(FORMULA).ask(Ask(board, 30))
        assert len(set(answer.solutions)) == len(answer.solutions) == len(expected), name
        assert not any(violations(NINE, board, s) for s in answer.solutions), name
        if len(expected) < 30:
            assert set(answer.solutions) == expected, name
            assert answer.complete, name
        assert answer.status is (Status.SATISFIABLE if expected else Status.UNSATISFIABLE), name


def test_solutions_do_not_depend_on_the_order_or_size_of_a_batch(kernel: Session9) -> None:
    random = Random(7)
    boards = [partial_board(random, random.randint(17, 45), 0, random.random() < 0.3) for _ in range(500)]
    together = by_puzzle(ask_boards(kernel, boards, 5))
    order = random.sample(range(500), 500)
    shuffled = by_puzzle(ask_boards(kernel, [boards[i] for i in order], 5))
    assert [set(shuffled[order.index(i)]) for i in range(500)] == [set(found) for found in together]
    assert [set(found) for found in together[::25]] == [
        set(by_puzzle(ask_boards(kernel, [board], 5))[0]) for board in boards[::25]
    ]
    assert {len(found) for found in together} >= {0, 1, 2, 5}


@pytest.mark.parametrize("count", [1, 2, 3])
def test_solutions_come_in_the_order_of_puzzles_of_any_number_and_difficulty(kernel: Session9, count: int) -> None:
    """native:batch gives one search the first half of the puzzles: it may end long before the other, or after it."""
    full = tuple(1 << int(c) - 1 for c in GRID)
    kinds = (full, (full[1], full[0], *full[2:]), EMPTY, MANY_GUESSES)
    expected = [set(kernel.ask(Ask(board, count)).solutions) for board in kinds]
    assert [len(found) for found in expected] == [1, 0, count, 1]
    random = Random(11)
    orders = [random.choices(range(4), (5, 3, 3, 1), k=n) for n in (0, 1, 2, 3, 4, 5, 40)]
    for order in [*orders, [0] * 30 + [2] * 31, [3] * 9 + [1] * 10]:
        answers = ask_boards(kernel, [kinds[k] for k in order], count)
        assert [set(found) for found in by_puzzle(answers)] == [expected[k] for k in order]


@pytest.mark.slow
def test_a_machine_with_vectors_of_128_bits_takes_the_same_steps() -> None:
    """It sees neither registers that hold a board's vector nor permutations of bytes; see lanes.py."""
    script = (
        "from backends.contract import registry\n"
        "from backends.contract.answer import Asks\n"
        "from backends.native.sudoku import lanes\n"
        "from puzzles.problem.columns import pack\n"
        "from tests.native.test_kernels import FORMULA, HARDEST, NINE, nine\n"
        "assert not lanes.ONE_REGISTER and not lanes.PERMUTES_BYTES\n"
        "boards = [nine(line[:81]) for line in HARDEST if line[:1] in '123456789.']\n"
        "answers = registry.find('native:batch').open(FORMULA).ask_many(Asks(pack(NINE, boards), 2))\n"
        "print(answers.counters['decisions'].tolist(), answers.solutions.tolist())\n"
    )
    boards = [nine(line[:81]) for line in HARDEST if line[:1] in "123456789."]
    here = ask_boards(registry.find("native:batch").open(FORMULA), boards)  # type: ignore[arg-type]
    narrow = {"NUMBA_CPU_NAME": "nehalem", "NUMBA_CPU_FEATURES": "+sse4.2,+popcnt"}
    environment = os.environ | {"PYTHONPATH": str(ROOT)} | (narrow if machine() in ("x86_64", "AMD64") else {})
    run = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, timeout=120)
    assert run.stdout == f"{here.counters['decisions'].tolist()} {here.solutions.tolist()}\n", run.stderr


def test_kernels_agree_with_the_reference_on_counts(kernel: Session9) -> None:
    random = Random(8)
    boards = [partial_board(random, random.randint(22, 40), 0, random.random() < 0.3) for _ in range(60)]
    answers = ask_boards(kernel, boards)
    assert answers.found.tolist() == [len(reference_solutions(board, 2)) for board in boards]
    for board, solutions in zip(boards, by_puzzle(answers), strict=True):
        assert not any(violations(NINE, board, s) for s in solutions)


def test_both_kernels_take_the_same_steps() -> None:
    """Both have the same rules and branching; a weaker rule or another branching changes the counters."""
    random = Random(9)
    boards = [
        partial_board(random, random.randint(17, 45), random.choice((0, 0, 3, 4)), random.random() < 0.3)
        for _ in range(300)
    ]
    boards += [nine(line[:81]) for line in HARDEST if line[:1] in "123456789."]
    alone, together = (ask_boards(registry.find(name).open(FORMULA), boards, 3).counters for name in NAMES)  # type: ignore[arg-type]
    for counter in ("decisions", "conflicts"):
        assert alone[counter].tolist() == together[counter].tolist()
    assert (alone["decisions"].sum(), alone["conflicts"].sum()) == (1_195, 183)


def test_two_equal_givens_are_refuted_without_a_guess_in_any_unit(kernel: Session9) -> None:
    pairs = {pair for unit in NINE.units for pair in combinations(unit, 2)}
    assert len(pairs) == 810
    boards = [tuple(1 << 4 if s in pair else 511 for s in range(81)) for pair in pairs]
    answers = ask_boards(kernel, boards)
    assert answers.status.tolist() == [Status.UNSATISFIABLE] * len(pairs)
    assert answers.complete.all()
    assert answers.counters["decisions"].sum() == 0


def test_eight_identical_givens_leave_the_ninth_one_square(kernel: Session9) -> None:
    spots = [9 * r + (3 * (r % 3) + r // 3) for r in range(8)]
    board = tuple(1 if s in spots else 511 for s in range(81))
    answer = kernel.ask(Ask(board, 3))
    assert len(set(answer.solutions)) == 3
    assert all(s[9 * 8 + 8] == 0 and not violations(NINE, board, s) for s in answer.solutions)


def test_eight_identical_givens_in_one_row_are_refuted_at_once(kernel: Session9) -> None:
    answer = kernel.ask(Ask((1,) * 8 + EMPTY[8:]))
    assert answer.status is Status.UNSATISFIABLE
    assert answer.counters["decisions"] == 0


def test_an_empty_domain_is_refuted(kernel: Session9) -> None:
    for s in range(81):
        assert kernel.ask(Ask((*EMPTY[:s], 0, *EMPTY[s + 1 :]))).status is Status.UNSATISFIABLE


def test_empty_grid_yields_as_many_solutions_as_requested(kernel: Session9) -> None:
    answer = kernel.ask(Ask(EMPTY, 3000))
    assert len(set(answer.solutions)) == 3000
    assert not answer.complete
    assert not any(violations(NINE, EMPTY, s) for s in answer.solutions)


def test_a_full_grid_is_its_own_solution_and_a_wrong_one_has_none(kernel: Session9) -> None:
    full = tuple(1 << int(c) - 1 for c in GRID)
    wrong = (full[1], full[0], *full[2:])
    answers = ask_boards(kernel, [full, wrong])
    assert answers.found.tolist() == [1, 0]
    assert answers.solutions[0].tolist() == [int(c) - 1 for c in GRID]


def test_complete_only_after_an_exhaustive_search(kernel: Session9) -> None:
    first = kernel.ask(Ask(SEVENTEEN, 1))
    both = kernel.ask(Ask(SEVENTEEN, 2))
    assert first.solutions == both.solutions
    assert len(both.solutions) == 1
    assert both.complete
    assert not kernel.ask(Ask(EMPTY, 1)).complete


def test_node_limit_is_a_timeout(kernel: Session9) -> None:
    answer = kernel.ask(Ask(EMPTY, 10**6, nodes=100))
    assert answer.counters["decisions"] == 100
    assert answer.reason is Reason.TIMEOUT
    assert not answer.complete
    assert kernel.ask(Ask(EMPTY, nodes=0)).status is Status.UNKNOWN


def test_time_limit_stops_only_its_puzzle(kernel: Session9) -> None:
    boards = [SEVENTEEN] * 40
    boards[20] = EMPTY
    answers = kernel.ask_many(Asks(pack(NINE, boards), 10**9, seconds=0.05))
    assert answers.reason[20] == Reason.TIMEOUT
    assert not answers.complete[20]
    assert np.delete(answers.complete, 20).all()
    assert np.delete(answers.found, 20).tolist() == [1] * 39


def test_time_limit_holds_while_at_most_two_solutions_are_wanted(kernel: Session9) -> None:
    asks = Asks(pack(NINE, [SEVENTEEN, MANY_GUESSES, SEVENTEEN]), 2)
    answers = kernel.ask_many(asks)
    assert answers.counters["decisions"][1] > 512, "native:batch needs two readings of the clock, one every 256 guesses"
    hurried = kernel.ask_many(replace(asks, seconds=1e-9))
    assert (hurried.reason == Reason.TIMEOUT).tolist() == [False, True, False]
    assert hurried.counters["decisions"][1] < 512


def test_empty_batch_has_no_answers(kernel: Session9) -> None:
    answers = kernel.ask_many(Asks(np.empty((0, 81, 1), np.uint64)))
    assert len(answers.status) == len(answers.solutions) == 0


def test_only_the_single_puzzle_kernel_measures_times() -> None:
    times = {name: ask_boards(registry.find(name).open(FORMULA), [SEVENTEEN] * 3).nanoseconds for name in NAMES}  # type: ignore[arg-type]
    assert times["native:batch"] is None
    alone = times["native:kernel"]
    assert alone is not None
    assert (alone > 0).all()


def test_9x9_sudoku_is_recognised_by_its_units() -> None:
    assert is_sudoku9(AllDifferent(81, 9, NINE.units[::-1]))
    assert not is_sudoku9(AllDifferent(81, 9, NINE.units[:-1]))
    latin = layout("latin 9")
    assert not is_sudoku9(AllDifferent(81, 9, latin.units))
    assert not is_sudoku9(AllDifferent(81, 9, (*NINE.units, tuple(range(0, 81, 10)))))


def test_refusal_of_another_layout_suggests_native() -> None:
    with pytest.raises(Unsupported, match="9x9 Sudoku only: use native"):
        registry.find("native:batch").open(AllDifferent(16, 4, layout("sudoku 2x2").units))


def test_the_default_variant_takes_the_kernel_for_9x9() -> None:
    session: Session = registry.find("native").open(FORMULA)
    assert isinstance(session, Session9)


def test_version_of_compiled_variants_includes_numba() -> None:
    for name in ("native", "native:engine", *NAMES):
        assert registry.find(name).version == f"{VERSION}, numba {version('numba')}"


def test_without_numba_the_default_is_slower_and_the_kernels_are_not_offered() -> None:
    script = WITHOUT_NUMBA + (
        "import sys\n"
        "sys.modules['numba'] = None\n"
        "from backends.contract import registry\n"
        "from backends.contract.answer import Ask\n"
        "from tests.native.boards import FORMULA, NINE\n"
        "session = registry.find('native').open(FORMULA)\n"
        "print(session.ask(Ask(NINE.open)).status.name, 'pip install numba' in registry.find('native').version)\n"
        "print(*(b.name for b in registry.variants('native')))\n"
    )
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    run = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, timeout=120)
    first, names = run.stdout.splitlines()
    assert first == "SATISFIABLE True"
    assert "native:python" in names.split()
    assert not set(NAMES) & set(names.split())


@pytest.mark.slow
def test_kernels_compile_once_with_one_line_and_are_kept_where_the_installation_is_read_only(tmp_path: Path) -> None:
    script = (
        "from backends.native.sudoku import kernel9\n"
        "from encoders.formula import AllDifferent\n"
        f"kernel9.open(AllDifferent(81, 9, {NINE.units!r}))\n"
    )
    keep = {k: v for k, v in os.environ.items() if k != "NUMBA_CACHE_DIR"}
    environment = keep | {"PYTHONPATH": str(ROOT), "XDG_CACHE_HOME": str(tmp_path), "HOME": str(tmp_path)}
    runs = [
        subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, timeout=120)
        for _ in range(2)
    ]
    assert [run.returncode for run in runs] == [0, 0]
    assert runs[0].stderr.startswith("compiling native:kernel")
    assert len(runs[0].stderr.splitlines()) == 1
    assert runs[1].stderr == ""
    assert list(tmp_path.rglob("*.nbc"))
