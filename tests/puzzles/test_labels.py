"""Labels of instances: what messages call the instances of each corpus."""

import pytest

from puzzles.corpora import find
from puzzles.formats import read
from puzzles.labels import label, unit_of


@pytest.mark.parametrize(
    ("corpus", "expected"),
    [
        ("hardest", "puzzle"),
        ("killer", "killer board"),
        ("kakuro", "kakuro board"),
        ("myciel3", "puzzle"),
        ("opb/knapsack-10-1-100.opb", "OPB instance"),
        ("cnf-random/clauses-300-280-2.cnf", "CNF formula"),
        ("csp/magic-sequence-4.xml", "XCSP3 instance"),
    ],
)
def test_an_instance_is_called_by_what_it_was_read_from(corpus: str, expected: str) -> None:
    name, _, file = corpus.partition("/")
    path = find(name) / file if file else find(name)
    assert label(next(iter(read(path))).problem) == expected


def test_xcsp3_of_linear_constraints_alone_is_no_opb_instance() -> None:
    from puzzles.constraints.linear import Linear
    from puzzles.problem import BOOLEAN, Problem

    linear = Linear.of([([1, 1], [0, 1], ">=", 1)])
    assert label(Problem("a.xml", ("x", "y"), BOOLEAN, (linear,))) == "XCSP3 instance"
    assert label(Problem("a.opb.xz", ("x", "y"), BOOLEAN, (linear,))) == "OPB instance", "its variables have names"


@pytest.mark.parametrize(
    ("labels", "word"),
    [
        (["puzzle"], "puzzle"),
        (["puzzle", "killer board"], "puzzle"),
        (["killer board", "CNF formula"], "instance"),
        (["XCSP3 instance"], "instance"),
    ],
)
def test_only_boards_are_counted_as_puzzles(labels: list[str], word: str) -> None:
    assert unit_of(labels) == word
