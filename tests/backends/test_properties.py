"""Every kind of backend and encoding on random boards in one session, against brute force."""

from functools import partial
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backends.contract import registry
from backends.contract.answer import Ask, Reason, Status
from backends.contract.conformance import open_session
from backends.programs.dimacs import parse
from backends.programs.endings import SATISFIABLE, UNSATISFIABLE
from backends.shared.literal_map import LiteralMap
from encoders.registry import default, spec
from puzzles.boards.layout import Layout
from puzzles.problem.values import Domains
from tests.boards import boards
from tests.brute_force import solutions
from tests.effort import examples

CONTENDERS = (
    *("native", "native:python", "native:backtracking", "native:bitset", "native:norvig", "native:subsets"),
    *("cpsat", "cpsat/booleans", "cpsat/channelled"),
    *("pysat:cadical195/extended", "pysat:minisat22/minimal+ladder", "pysat:kissat404/efficient+product"),
    *("pysat:gluecard4/extended+cardinality", "pysat:glucose4/reduced+bitwise", "pysat:lingeling/minimal+commander"),
)
WARM = ("pysat:minisat22/minimal", "pysat:cadical195/extended+totalizer", "pysat:minicard/efficient+cardinality")


def check_answers(name: str, warm: bool, case: tuple[Layout, list[Domains]], count: int) -> None:
    """Solve all boards in one session, and check each answer against brute force."""
    layout, every = case
    backend_name, _, encoding = name.partition("/")
    backend = registry.find(backend_name)
    chosen = spec(encoding) if encoding else default(backend.accepts)
    session = None
    for domains in every:
        if session is None or chosen.encoding.per_puzzle:
            session = open_session(backend, chosen, layout, domains, warm)
        right = solutions(layout, domains)
        answer = session.ask(Ask(domains, count))
        if answer.reason == Reason.STUCK:
            continue
        assert set(answer.solutions) <= right
        assert len(set(answer.solutions)) == len(answer.solutions) == min(count, len(right))
        assert answer.status == (Status.SATISFIABLE if right else Status.UNSATISFIABLE)
        assert answer.complete or len(right) >= count
        assert not answer.complete or len(answer.solutions) == len(right)
    assert session is not None
    session.close()


@pytest.mark.parametrize("warm", [False, True], ids=["cold", "warm"])
@given(case=boards(), count=st.integers(1, 5), at=st.integers(0, 99))
@settings(max_examples=examples(150))
def test_session_finds_the_solutions_after_any_earlier_asks(
    warm: bool, case: tuple[Layout, list[Domains]], count: int, at: int
) -> None:
    for name in WARM if warm else (CONTENDERS[at % len(CONTENDERS)], CONTENDERS[(at + 7) % len(CONTENDERS)]):
        check_answers(name, warm, case, count)


@pytest.mark.parametrize("name", CONTENDERS)
@given(case=boards(most=2), count=st.integers(1, 3))
@settings(max_examples=12)
def test_every_kind_of_backend_and_encoding_finds_the_solutions(
    name: str, case: tuple[Layout, list[Domains]], count: int
) -> None:
    check_answers(name, False, case, count)


@given(boards())
@settings(max_examples=examples(100))
def test_literal_map_agrees_with_the_solutions(case: tuple[Layout, list[Domains]]) -> None:
    """A solution's model decodes to it, satisfies the domains' literals, violates its blocking clause."""
    layout, every = case
    values = len(layout.values)
    rows = [range(1 + s * values, 1 + (s + 1) * values) for s in range(len(layout.squares))]
    squares = LiteralMap(rows)
    for domains in every:
        for solution in sorted(solutions(layout, domains))[:5]:
            placed = {rows[s][v] for s, v in enumerate(solution)}
            model = [x if x in placed else -x for row in rows for x in row]
            assert squares.decode(model, domains) == solution
            assert set(squares.true(domains)) <= set(model)
            assert set(squares.forbid(solution)) == {-x for x in placed}
        other = partial(squares.decode, [x for row in rows for x in row])
        assert all(v == values or domains[s] >> v & 1 for s, v in enumerate(other(domains)))


@given(st.lists(st.integers(1, 10**6), unique=True, max_size=40), st.randoms(use_true_random=False))
@settings(max_examples=examples(100))
def test_model_is_parsed_with_any_line_breaks(literals: list[int], random: Random) -> None:
    model = [x * random.choice((1, -1)) for x in literals]
    lines, rest = ["c a comment", "s SATISFIABLE"], [*model, 0]
    while rest:
        size = random.choice((1, 2, 7))
        lines += ["v " + " ".join(map(str, rest[:size])), *(["c 5 6"] if size == 2 else [])]
        rest = rest[size:]
    assert parse("\n".join(lines).encode()) == (SATISFIABLE, [*model, 0])
    assert parse(b"c v 3 0\ns UNSATISFIABLE\n")[0] == UNSATISFIABLE


@given(st.binary(max_size=200))
@settings(max_examples=examples(200))
def test_any_output_parses_to_a_known_status_or_raises(output: bytes) -> None:
    try:
        status, _ = parse(output)
    except ValueError:  # a literal that is not a number: recorded as an error
        return
    assert status in (None, 0, SATISFIABLE, UNSATISFIABLE)
