"""Graphs as published files write them, and the cliques of a colouring."""

from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backends.contract.answer import Answer, Ask, Status
from backends.contract.registry import find
from encoders.cnf import extended
from encoders.registry import default
from harness.judging.formulas.link import link_formula, rule_clauses
from puzzles.boards.families.colouring import MAX_VERTICES, clique_partition, graph
from puzzles.boards.layout import Layout, Puzzle
from puzzles.errors import BadInput
from puzzles.formats import ReaderOptions, parse_text
from puzzles.generating.graphs import planted
from tests.effort import examples, slow_after

SQUARE = "e 1 2\ne 2 3\ne 3 4\ne 4 1\n"


def one(text: str, as_: str = "colouring 2") -> Puzzle:
    (puzzle,) = parse_text(text, "t", ReaderOptions(as_))
    return puzzle


@pytest.mark.parametrize(
    "text",
    [
        f"p edge 4 4\n{SQUARE}",
        f"p edge 4 8\n{SQUARE}",  # each edge counted twice, as in the DSJC files
        f"p edge 4 4\n{SQUARE}e 2 1\ne 3 2\ne 4 3\ne 1 4\n",
        f"p edge 4 8\n{SQUARE}e 2 1\ne 3 2\ne 4 3\ne 1 4\n",
        f"p edge 4 4 1\n{SQUARE}",  # a third number, as in the wap files
        f"p edge 4 5\n{SQUARE}e 3 3\n",
    ],
)
def test_published_headers_are_read(text: str) -> None:
    assert one(text).problem.units == ((0, 1), (1, 2), (2, 3), (0, 3))


def test_another_number_of_edges_is_a_truncated_file() -> None:
    for stated in (3, 5, 7, 9):
        with pytest.raises(BadInput, match="edge"):
            one(f"p edge 4 {stated}\n{SQUARE}")


def test_an_edge_to_itself_is_ignored_with_a_note() -> None:
    notes: list[str] = []
    options = ReaderOptions("colouring 2", notify=notes.append)
    (puzzle,) = parse_text("p edge 2 3\ne 1 2\ne 2 2\ne 1 1\n", "t", options)
    assert puzzle.problem.units == ((0, 1),)
    assert notes == [
        "t: line 3: vertex 2 has an edge to itself (and 1 more), which is ignored: no colouring could keep it"
    ]


@settings(max_examples=examples(80), deadline=None)
@given(st.integers(1, 12), st.floats(0, 1), st.integers(3, 6), st.integers(0, 2**32))
def test_each_edge_is_in_one_unit_and_nothing_else(vertices: int, density: float, least: int, seed: int) -> None:
    random = Random(seed)
    edges = [e for e in combinations(range(vertices), 2) if random.random() < density]
    units = clique_partition(vertices, edges, least)
    assert all(len(unit) == 2 or len(unit) >= least for unit in units)
    assert sorted(pair for unit in units for pair in combinations(unit, 2)) == edges
    firsts = [min(edges.index(pair) for pair in combinations(unit, 2)) for unit in units]
    assert firsts == sorted(firsts)


def test_the_plain_model_has_a_unit_per_edge() -> None:
    triangle = "p edge 3 3\ne 1 2\ne 3 1\ne 3 2\n"
    cliques, plain = one(triangle, "colouring 3").problem, one(triangle, "colouring 3  edges").problem
    assert (cliques.name, cliques.units) == ("colouring 3", ((0, 1, 2),))
    assert (plain.name, plain.units) == ("colouring 3 edges", ((0, 1), (0, 2), (1, 2)))
    with pytest.raises(BadInput, match="number of colours"):
        one(triangle, "colouring edges")


def test_cliques_smaller_than_the_number_of_colours_stay_edges() -> None:
    triangle = "p edge 3 3\ne 1 2\ne 3 1\ne 3 2\n"
    assert one(triangle, "colouring 4").problem.units == one(triangle, "colouring 4 edges").problem.units
    assert one(triangle, "colouring 2").problem.units == ((0, 1, 2),)


def test_graphs_of_very_many_vertices_keep_their_edges() -> None:
    assert clique_partition(MAX_VERTICES + 1, [(0, 1), (0, 2), (1, 2)], 3) == ((0, 1), (0, 2), (1, 2))


def crowded(colours: int) -> Layout:
    """Return a graph that hides a clique of one vertex more than the colours among 80 others."""
    vertices, edges = planted(80, colours, 500, Random(colours))
    clique = Random(1).sample(range(vertices), colours + 1)
    hidden = {(min(e), max(e)) for e in combinations(clique, 2)}
    return graph(colours, vertices, sorted({*edges, *hidden}))


@pytest.mark.parametrize("name", ["native", "native:python", "cpsat", "pysat", "pysat:minisat22"])
@pytest.mark.parametrize("colours", slow_after(4, [11, 24]))
def test_a_clique_larger_than_the_colours_is_refuted(name: str, colours: int) -> None:
    """On edges alone, each takes more than the limit of ten seconds with 11 colours."""
    layout, backend = crowded(colours), find(name)
    session = backend.open(default(backend.accepts).formula(layout))
    answer: Answer = session.ask(Ask(layout.open, seconds=10))
    assert answer.status == Status.UNSATISFIABLE
    assert answer.complete


def test_a_formula_that_is_false_for_a_clique_follows_from_the_rules() -> None:
    layout = crowded(11)
    assert not link_formula(layout, extended(layout)).fault
    assert rule_clauses(layout).tolist()[-4:] == [1, 0, -1, 0]
