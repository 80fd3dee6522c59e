"""Instances of files as text: their size, and their solutions."""

from types import SimpleNamespace
from typing import Any

import pytest

from harness.showing.formulas import description, goal_text, solution_text
from puzzles.corpora import find
from puzzles.formats import read
from puzzles.problem import Instance, Problem
from puzzles.problem.values import Integers


def shipped(name: str) -> Instance[Problem]:
    corpus, _, file = name.partition("/")
    return next(iter(read(find(corpus) / file)))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (
            "csp/langford-7.xml",
            "XCSP3 instance, 14 variables between 0 and 13, 1 all-different constraint, 7 expressions",
        ),
        ("csp/tables-15-6-45-12.xml", "XCSP3 instance, 15 variables between 0 and 5, 45 table constraints"),
        ("csp/magic-sequence-4.xml", "XCSP3 instance, 4 variables between 0 and 3, 1 cardinality constraint"),
        ("opb/cover-20-40-13.opb", "OPB instance, 20 variables, 41 linear constraints"),
        ("cnf-random/clauses-300-280-2.cnf", "CNF formula, 300 variables, 280 clauses"),
        ("wcnf/sets-40-25-3-50.wcnf", "WCNF formula, 25 variables, 40 clauses, 25 soft clauses"),
        ("opb-opt/knapsack-12-1-30.opb", "OPB instance, 12 variables, 1 linear constraint"),
    ],
)
def test_the_description_counts_constraints_by_kind(name: str, text: str) -> None:
    assert description(shipped(name).problem) == text


def test_the_objective_is_stated_as_the_file_does() -> None:
    assert goal_text(shipped("csp/langford-7.xml").problem) == ""
    assert goal_text(shipped("cop/golomb-4.xml").problem) == "minimise +1 x[3]"
    assert goal_text(shipped("cop/polynomial-6.xml").problem) == "minimise sub(mul(x,y,z),mul(3,abs(sub(x,y))))"
    assert goal_text(shipped("opb-opt/knapsack-12-1-30.opb").problem).startswith("maximise +")
    assert goal_text(shipped("wcnf/cover-long-2-1-63.wcnf").problem).startswith("minimise 9223372036854775")


def test_constraints_of_a_kind_that_is_not_known_here_are_named_by_the_kind_and_counted_as_one() -> None:
    pairs: Any = SimpleNamespace(kind="nearly_equal", pairs=((0, 1),))
    problem = Problem("p", ("a", "b"), Integers((0, 3)), (pairs,))
    assert description(problem) == "XCSP3 instance, 2 variables between 0 and 3, 1 nearly-equal constraint"


def test_constants_are_no_part_of_a_solution() -> None:
    problem = shipped("csp/golfers-2-2-3.xml").problem
    text = solution_text(problem, [0] * 12 + [2])
    assert text.split()[-1] == "x[2][3]=0"
