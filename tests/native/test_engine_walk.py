"""Local search of native:engine: what it finds, what it keeps count of, and on which boards it is used."""

from bisect import bisect_left
from random import Random

import numpy as np
import pytest

pytest.importorskip("numba")

from backends.contract.answer import Answer, Ask
from backends.native.engine import state as at
from backends.native.engine.session import EngineSession
from backends.native.engine.state import NEVER
from backends.native.engine.walk import BETWEEN_WALKS, CREDIT, FIRST_WALK, SHARE
from encoders.direct import alldifferent
from encoders.formula import AllDifferent
from puzzles.boards.families import layout
from puzzles.problem.arrays import Int64Array

VERTICES, COLOURS = 120, 4
OPEN = (1 << COLOURS) - 1


def graph(edges: int, seed: int) -> AllDifferent:
    """Return a random graph without triangles."""
    random = Random(seed)
    near: list[set[int]] = [set() for _ in range(VERTICES)]
    pairs: list[tuple[int, int]] = []
    while len(pairs) < edges:
        i, j = random.sample(range(VERTICES), 2)
        if j not in near[i] and not near[i] & near[j]:
            near[i].add(j)
            near[j].add(i)
            pairs.append((i, j))
    return AllDifferent(VERTICES, COLOURS, tuple(pairs))


def asked(session: EngineSession, count: int = 1, nodes: int | None = None, domains: tuple[int, ...] = ()) -> Answer:
    return session.ask(Ask(domains + (OPEN,) * (VERTICES - len(domains)), count, nodes=nodes))


@pytest.mark.parametrize("seed", [0, 3, 4, 5])
def test_a_walk_finds_a_colouring_that_costs_the_search_alone_many_clashes(seed: int) -> None:
    """With count 2 there are no walks."""
    session = EngineSession(graph(520, seed))
    walked = asked(session)
    assert session.search.counts[at.MOVES] > 0
    searched = asked(session, 2)
    assert session.search.counts[at.MOVES] == 0
    assert 3 * walked.counters["conflicts"] < searched.counters["conflicts"]
    (solution,) = walked.solutions
    assert all(solution[i] != solution[j] for i, j in session.formula.units)
    assert not walked.complete


def test_a_walk_keeps_to_the_candidates() -> None:
    """Each vertex lacks one of the colours that a known colouring does not give it."""
    session = EngineSession(graph(520, 5))
    (known,) = asked(session).solutions
    domains = tuple(OPEN & ~(1 << (value + 1 + i % 3) % COLOURS) for i, value in enumerate(known))
    answer = asked(session, domains=domains)
    assert session.search.counts[at.MOVES] > 0
    assert not answer.complete, "no symmetry is broken, and a walk refutes nothing"
    (solution,) = answer.solutions
    assert all(domain >> value & 1 for domain, value in zip(domains, solution, strict=False))
    assert all(solution[i] != solution[j] for i, j in session.formula.units)


def test_a_walk_keeps_count_of_its_conflicts() -> None:
    """A graph of far too many edges: the walk ends with conflicts."""
    session = EngineSession(graph(620, 1))
    asked(session, nodes=100)
    f, equal = session.search, np.zeros((VERTICES, COLOURS), np.int64)
    assert f.counts[at.MOVES] > 0
    for i, j in session.formula.units:
        equal[i, f.current[j]] += 1
        equal[j, f.current[i]] += 1
    assert np.array_equal(f.equal.reshape(equal.shape), equal)
    in_conflict = set(np.flatnonzero(equal[np.arange(VERTICES), f.current]))
    assert in_conflict
    assert {s for s in range(VERTICES) if f.position[s] >= 0} == in_conflict
    assert all(f.listed[f.position[s]] == s for s in in_conflict)


def after_walk(session: EngineSession, number: int, domains: tuple[int, ...] = ()) -> Int64Array:
    """Return the counts of a search that a limit of decisions ends, at the root, after that many walks."""

    def walks(nodes: int) -> int:
        asked(session, nodes=nodes, domains=domains)
        return int(session.search.counts[at.NEXT_WALK]).bit_length() - FIRST_WALK.bit_length()

    asked(session, nodes=bisect_left(range(5_000), number, key=walks), domains=domains)
    return session.search.counts


def test_walks_come_at_growing_distances_and_cost_a_share_of_the_propagations() -> None:
    counts = after_walk(EngineSession(graph(620, 1)), 3)
    assert 4 * FIRST_WALK <= counts[at.CONFLICTS] < 5 * FIRST_WALK
    assert counts[at.NEXT_WALK] == BETWEEN_WALKS * counts[at.CONFLICTS]
    assert counts[at.LAST_WALK] == counts[at.PROPAGATIONS]
    assert counts[at.MOVES] <= SHARE * (CREDIT + counts[at.LAST_WALK])


@pytest.mark.parametrize(("edges", "seed", "number"), [(450, 0, 2), (450, 5, 2), (455, 8, 3)])
def test_a_later_walk_holds_no_value_that_the_root_has_lost(edges: int, seed: int, number: int) -> None:
    """Each vertex has three colours. In these graphs the root removes one that a vertex holds."""
    random = Random(seed)
    domains = tuple(OPEN & ~(1 << random.randrange(COLOURS)) for _ in range(VERTICES))
    session = EngineSession(graph(edges, seed))
    after_walk(session, number, domains)
    left, current = session.search.domain.tolist(), session.search.current.tolist()
    assert all(domain >> value & 1 for domain, value in zip(left, current, strict=True))


@pytest.mark.parametrize(
    ("board", "first"),
    [
        (alldifferent(layout("latin 12")), NEVER),
        (AllDifferent(4, 4, ((0, 1, 2, 3),)), NEVER),
        (AllDifferent(5, 4, ((0, 1, 2, 3),)), FIRST_WALK),
    ],
)
def test_boards_that_permutations_cover_are_not_walked(board: AllDifferent, first: int) -> None:
    session = EngineSession(board)
    session.ask(Ask(((1 << board.values) - 1,) * board.squares))
    assert session.search.counts[at.NEXT_WALK] == first
